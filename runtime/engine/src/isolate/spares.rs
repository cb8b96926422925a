//! Isolates made ahead of the mods that will live in them.

use std::collections::VecDeque;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use parking_lot::Mutex;
use tokio::runtime::Handle;

use super::blank::Blank;
use super::{IsolateSpec, STACK, thread};
use crate::inbox::Shared;
use crate::limits::Limits;

/// Keeps some isolates ready: one that is taken is replaced while its mod runs.
///
/// An isolate is taken once and ends with its mod; nothing of one mod is left for the next. Dropping this waits for
/// those that are being made.
pub struct Spares {
    limits: Limits,
    runtime: Handle,
    ready: Mutex<VecDeque<Spare>>,
}

/// A thread with an isolate, or about to have one, that waits to be told whose it is.
pub(super) struct Spare {
    told: mpsc::Sender<(IsolateSpec, Arc<Shared>)>,
    pub(super) thread: JoinHandle<()>,
}

impl Spares {
    /// Starts to make `count` of them for mods with those limits of heap and buffers. V8 has to be
    /// [initialized](crate::initialize).
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn new(limits: Limits, runtime: &Handle, count: usize) -> std::io::Result<Arc<Spares>> {
        let ready = (0..count).map(|_| Spare::start(limits, runtime)).collect::<Result<_, _>>()?;
        Ok(Arc::new(Spares { limits, runtime: runtime.clone(), ready: Mutex::new(ready) }))
    }

    /// The one that was started first, where one fits.
    pub(super) fn take(&self, limits: &Limits) -> Option<Spare> {
        if (limits.heap, limits.buffers) != (self.limits.heap, self.limits.buffers) {
            return None;
        }
        let spare = self.ready.lock().pop_front()?;
        // Without a thread for it there is one less, until none are left and every isolate starts by itself.
        if let Ok(next) = Spare::start(self.limits, &self.runtime) {
            self.ready.lock().push_back(next);
        }
        Some(spare)
    }
}

impl Drop for Spares {
    fn drop(&mut self) {
        for Spare { told, thread } in self.ready.get_mut().drain(..) {
            drop(told);
            // A panic on the isolate's thread has been printed there.
            let _ = thread.join();
        }
    }
}

impl Spare {
    fn start(limits: Limits, runtime: &Handle) -> std::io::Result<Spare> {
        let (told, waits) = mpsc::channel();
        let runtime = runtime.clone();
        let thread = std::thread::Builder::new().name("isolate".into()).stack_size(STACK).spawn(move || {
            // V8's delayed tasks of an isolate go to the runtime that it was made in.
            let _entered = runtime.enter();
            let blank = Blank::new(&limits);
            if let Ok((spec, shared)) = waits.recv() {
                thread::run(blank, spec, shared);
            }
        })?;
        Ok(Spare { told, thread })
    }

    /// Makes it the isolate of a mod.
    pub(super) fn become_isolate(self, spec: IsolateSpec, shared: Arc<Shared>) -> JoinHandle<()> {
        // A thread that is gone has panicked; the messages to the isolate then stay unanswered as those to any such.
        let _ = self.told.send((spec, shared));
        self.thread
    }
}
