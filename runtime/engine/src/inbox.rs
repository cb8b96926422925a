//! How other threads reach an isolate: one queue, and a wake-up.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::Thread;

use modgate_value::Value;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::ext::port::{Fault, InvocationId, PromiseId, Thrown};
use crate::host::{Beneath, Source};
use crate::isolate::{Invoke, LoadError, Memory};

/// What an isolate is asked to do.
pub(crate) enum Message {
    /// Evaluate the entry module; run its `register` where `options` are given.
    Load { entry: String, options: Option<Value>, reply: oneshot::Sender<Result<(), LoadError>> },
    /// Build `$` anew from this table.
    Table(Value),
    /// Run hooks on an event.
    Invoke { id: InvocationId, invoke: Invoke, beneath: Arc<dyn Beneath>, is_stream: bool },
    /// Ask a stream of hooks for its next chunk.
    Pull(InvocationId),
    /// End a stream of hooks.
    Close(InvocationId),
    /// Settle a promise.
    Settle { promise: PromiseId, result: Result<Value, Fault> },
    /// Abort `next.signal` of an invocation.
    Abort { id: InvocationId, reason: String },
    /// Call a function that a script keeps.
    CallKept { index: u32, args: Vec<Value>, reply: oneshot::Sender<Result<Value, Thrown>> },
    /// Tell how much memory is used.
    Memory(oneshot::Sender<Memory>),
    /// Tell of rejections that nobody handles.
    Flush(oneshot::Sender<()>),
    /// End.
    Stop,
}

/// Counts what is queued or being handled in a group of isolates, so that one can wait until nothing is.
#[derive(Default)]
pub struct Activity {
    busy: AtomicUsize,
    waiting: Mutex<Vec<oneshot::Sender<()>>>,
}

impl Activity {
    pub(crate) fn begin(&self) {
        self.busy.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn end(&self) {
        if self.busy.fetch_sub(1, Ordering::SeqCst) == 1 {
            let waiting = std::mem::take(&mut *self.waiting.lock());
            for waiter in waiting {
                let _ = waiter.send(());
            }
        }
    }

    /// Resolves once every message is handled and none is on its way. Timers do not count.
    pub fn settled(&self) -> oneshot::Receiver<()> {
        let (sender, receiver) = oneshot::channel();
        // Registered before the look at the counter: an end in between is not missed.
        let mut waiting = self.waiting.lock();
        if self.busy.load(Ordering::SeqCst) == 0 {
            let _ = sender.send(());
        } else {
            waiting.push(sender);
        }
        receiver
    }
}

pub(crate) type SharedSource = Arc<tokio::sync::Mutex<Box<dyn Source>>>;

/// The part of an isolate that other threads hold.
pub(crate) struct Shared {
    queue: Mutex<VecDeque<Message>>,
    thread: Mutex<Option<Thread>>,
    woken: AtomicBool,
    is_over: AtomicBool,
    pub(crate) activity: Arc<Activity>,
    pub(crate) cancels: Mutex<HashMap<PromiseId, CancellationToken>>,
    pub(crate) streams: Mutex<HashMap<PromiseId, SharedSource>>,
}

impl Shared {
    pub(crate) fn new(activity: Arc<Activity>) -> Arc<Shared> {
        Arc::new(Shared {
            queue: Mutex::default(),
            thread: Mutex::default(),
            woken: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            activity,
            cancels: Mutex::default(),
            streams: Mutex::default(),
        })
    }

    pub(crate) fn owned_by(&self, thread: Thread) {
        *self.thread.lock() = Some(thread);
        self.wake();
    }

    /// Queues a message; one to an isolate that has ended is dropped.
    pub(crate) fn push(&self, message: Message) {
        {
            let mut queue = self.queue.lock();
            if self.is_over.load(Ordering::Acquire) {
                return;
            }
            self.activity.begin();
            queue.push_back(message);
        }
        self.wake();
    }

    pub(crate) fn pop(&self) -> Option<Message> {
        self.queue.lock().pop_front()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue.lock().is_empty()
    }

    /// Takes what was not handled; nothing can be queued afterwards.
    pub(crate) fn close(&self) -> VecDeque<Message> {
        let mut queue = self.queue.lock();
        self.is_over.store(true, Ordering::Release);
        std::mem::take(&mut *queue)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    pub(crate) fn wake(&self) {
        self.woken.store(true, Ordering::Release);
        if let Some(thread) = &*self.thread.lock() {
            thread.unpark();
        }
    }

    /// Whether something woke the isolate since the last look.
    pub(crate) fn take_woken(&self) -> bool {
        self.woken.swap(false, Ordering::AcqRel)
    }
}

impl std::task::Wake for Shared {
    fn wake(self: Arc<Self>) {
        Shared::wake(&self);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        Shared::wake(self);
    }
}
