//! What keeps one mod from taking the process down: a watchdog for script that does not pause, a limit for the heap, and
//! an allocator that counts array buffers.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Weak};
use std::time::{Duration, Instant};

use deno_core::v8;
use parking_lot::{Condvar, Mutex};

use crate::cpu::ThreadClock;

/// How much a mod may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Own time of a hook on one dispatch.
    pub hook: Duration,
    /// Time in which a module has to load and register.
    pub load: Duration,
    /// Times that a run of script may be ended before the mod is unloaded.
    pub spins: u32,
    /// Bytes of V8's heap.
    pub heap: usize,
    /// Bytes in array buffers.
    pub buffers: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            hook: Duration::from_secs(10),
            load: Duration::from_secs(10),
            spins: 3,
            heap: 128 << 20,
            buffers: 64 << 20,
        }
    }
}

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// How long the process knows the time.
pub(crate) fn since_start() -> Duration {
    START.elapsed()
}

fn now() -> i64 {
    i64::try_from(START.elapsed().as_micros()).unwrap_or(i64::MAX)
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX / 2)
}

const IDLE: i64 = i64::MAX;
/// A deadline this close is one that a busy machine alone can make a script miss.
const SHORT: Duration = Duration::from_secs(2);

/// The watchdog's view of one isolate: the moment at which script that still runs is ended.
pub(crate) struct Watched {
    deadline: AtomicI64,
    /// The processor time until which a short deadline waits: a thread that gets no processor is not spinning.
    ran_by: AtomicI64,
    clock: Option<ThreadClock>,
    handle: Mutex<Option<v8::IsolateHandle>>,
    ended: AtomicBool,
}

impl Watched {
    /// For the isolate of the thread that calls.
    pub(crate) fn new(handle: v8::IsolateHandle) -> Arc<Watched> {
        let watched = Arc::new(Watched {
            deadline: AtomicI64::new(IDLE),
            ran_by: AtomicI64::new(IDLE),
            clock: ThreadClock::shared(),
            handle: Mutex::new(Some(handle)),
            ended: AtomicBool::new(false),
        });
        WATCHDOG.isolates.lock().push(Arc::downgrade(&watched));
        watched
    }

    /// Script starts to run and may do so for that long.
    pub(crate) fn arm(&self, allowed: Duration) {
        let at = now() + micros(allowed);
        self.ran_by.store(IDLE, Ordering::Release);
        self.deadline.store(at, Ordering::Release);
        WATCHDOG.look_at(at);
    }

    /// Script that runs has to be over sooner.
    pub(crate) fn shorten(&self, allowed: Duration) {
        let at = now() + micros(allowed);
        if allowed <= SHORT
            && let Some(ran) = self.ran()
        {
            self.ran_by.fetch_min(ran + micros(allowed), Ordering::AcqRel);
        }
        if self.deadline.load(Ordering::Acquire) != IDLE && self.deadline.fetch_min(at, Ordering::AcqRel) > at {
            WATCHDOG.look_at(at);
        }
    }

    /// Script has paused. True when it was ended from outside; then the isolate may run script again.
    pub(crate) fn disarm(&self) -> bool {
        self.deadline.store(IDLE, Ordering::Release);
        // Under the lock that the watchdog holds while it terminates: no termination can come after this.
        let handle = self.handle.lock();
        let was_ended = self.ended.swap(false, Ordering::AcqRel);
        if was_ended && let Some(handle) = &*handle {
            handle.cancel_terminate_execution();
        }
        was_ended
    }

    /// The isolate goes away.
    pub(crate) fn forget(&self) {
        self.deadline.store(IDLE, Ordering::Release);
        *self.handle.lock() = None;
    }

    /// What the thread has run, in microseconds.
    fn ran(&self) -> Option<i64> {
        Some(micros(self.clock?.read()?))
    }

    fn check(&self, now: i64) {
        if self.deadline.load(Ordering::Acquire) > now {
            return;
        }
        let handle = self.handle.lock();
        // Looked at again under the lock: it may have paused meanwhile.
        let deadline = self.deadline.load(Ordering::Acquire);
        if deadline > now {
            return;
        }
        let ran_by = self.ran_by.load(Ordering::Acquire);
        if ran_by != IDLE
            && let Some(ran) = self.ran().filter(|ran| *ran < ran_by)
        {
            // A deadline that changed meanwhile stands.
            let later = now + (ran_by - ran);
            let _ = self.deadline.compare_exchange(deadline, later, Ordering::AcqRel, Ordering::Acquire);
            return;
        }
        if let Some(handle) = &*handle {
            self.ended.store(true, Ordering::Release);
            handle.terminate_execution();
        }
    }
}

struct Watchdog {
    isolates: Mutex<Vec<Weak<Watched>>>,
    next: Mutex<i64>,
    changed: Condvar,
}

static WATCHDOG: LazyLock<&'static Watchdog> = LazyLock::new(|| {
    let watchdog: &'static Watchdog =
        Box::leak(Box::new(Watchdog { isolates: Mutex::default(), next: Mutex::new(IDLE), changed: Condvar::new() }));
    let spawned = std::thread::Builder::new().name("watchdog".into()).spawn(move || watchdog.run());
    if let Err(error) = spawned {
        tracing::error!(%error, "no watchdog: script that does not pause will not be ended");
    }
    watchdog
});

impl Watchdog {
    /// Makes sure that the watchdog looks no later than that. Most calls find an earlier look planned already.
    fn look_at(&self, at: i64) {
        let mut next = self.next.lock();
        if at < *next {
            *next = at;
            self.changed.notify_one();
        }
    }

    fn run(&self) {
        let mut next = self.next.lock();
        loop {
            let wait = *next - now();
            if *next == IDLE {
                self.changed.wait(&mut next);
                continue;
            }
            if wait > 0 {
                self.changed.wait_for(&mut next, Duration::from_micros(u64::try_from(wait).unwrap_or(0)));
                continue;
            }
            *next = IDLE;
            drop(next);
            let soonest = self.look();
            next = self.next.lock();
            *next = (*next).min(soonest);
        }
    }

    fn look(&self) -> i64 {
        let time = now();
        let mut soonest = IDLE;
        self.isolates.lock().retain(|isolate| {
            let Some(isolate) = isolate.upgrade() else { return false };
            isolate.check(time);
            let deadline = isolate.deadline.load(Ordering::Acquire);
            if deadline > time {
                soonest = soonest.min(deadline);
            }
            true
        });
        soonest
    }
}

/// Counts the bytes in array buffers and refuses more than the limit.
pub(crate) struct Buffers {
    used: AtomicUsize,
    limit: usize,
    /// Set when an allocation was refused.
    pub(crate) refused: AtomicBool,
}

impl Buffers {
    pub(crate) fn new(limit: usize) -> Arc<Buffers> {
        Arc::new(Buffers { used: AtomicUsize::new(0), limit, refused: AtomicBool::new(false) })
    }

    /// The allocator for V8, which shares the count.
    pub(crate) fn allocator(self: &Arc<Self>) -> v8::UniqueRef<v8::Allocator> {
        static VTABLE: v8::RustAllocatorVtable<Buffers> =
            v8::RustAllocatorVtable { allocate, allocate_uninitialized: allocate, free, drop: drop_buffers };
        // SAFETY: the handle is an `Arc` turned into a pointer, given back by `drop_buffers`; the functions of the
        // table take what the type says.
        unsafe { v8::new_rust_allocator(Arc::into_raw(self.clone()), &VTABLE) }
    }

    fn reserve(&self, bytes: usize) -> bool {
        let reserved = self
            .used
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |used| {
                used.checked_add(bytes).filter(|sum| *sum <= self.limit)
            })
            .is_ok();
        if !reserved {
            self.refused.store(true, Ordering::Release);
        }
        reserved
    }
}

const ALIGN: usize = 16;

fn layout(bytes: usize) -> Option<std::alloc::Layout> {
    std::alloc::Layout::from_size_align(bytes.max(1), ALIGN).ok()
}

unsafe extern "C" fn allocate(buffers: &Buffers, bytes: usize) -> *mut c_void {
    let Some(layout) = layout(bytes).filter(|_| buffers.reserve(bytes)) else { return std::ptr::null_mut() };
    // SAFETY: the layout has a size of at least one byte.
    unsafe { std::alloc::alloc_zeroed(layout).cast() }
}

unsafe extern "C" fn free(buffers: &Buffers, data: *mut c_void, bytes: usize) {
    buffers.used.fetch_sub(bytes, Ordering::AcqRel);
    if let Some(layout) = layout(bytes) {
        // SAFETY: V8 frees what `allocate` gave, with the length it asked for.
        unsafe { std::alloc::dealloc(data.cast(), layout) };
    }
}

unsafe extern "C" fn drop_buffers(buffers: *const Buffers) {
    // SAFETY: the pointer is the one that `allocator` made from an `Arc`, and V8 drops it once.
    drop(unsafe { Arc::from_raw(buffers) });
}
