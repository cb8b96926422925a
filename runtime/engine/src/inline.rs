//! Runs futures on the threads of the isolates that wake them.
//!
//! A dispatch crosses from one isolate's thread to the next and back. An executor with threads of its own would add two
//! hand-overs to each crossing. Here a future that an isolate's thread wakes is polled on that thread, once the message
//! or script at hand is done: never from within the wake-up itself, since whoever wakes may hold a lock. What any other
//! thread wakes goes to the runtime.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use parking_lot::Mutex;
use tokio::runtime::Handle;

use crate::host::Boxed;

const IDLE: u8 = 0;
const QUEUED: u8 = 1;
const POLLING: u8 = 2;
const WOKEN: u8 = 3;

thread_local! {
    /// What was woken on this thread and is to be polled here; only isolates' threads have one.
    static QUEUE: RefCell<Option<VecDeque<Arc<Task>>>> = const { RefCell::new(None) };
}

struct Task {
    future: Mutex<Option<Boxed<'static, ()>>>,
    state: AtomicU8,
    runtime: Handle,
}

/// Starts the future at once, on this thread; `runtime` is entered while it is polled, so that its timers and files work.
pub fn spawn(runtime: &Handle, future: impl Future<Output = ()> + Send + 'static) {
    let task = Arc::new(Task {
        future: Mutex::new(Some(Box::pin(future))),
        state: AtomicU8::new(QUEUED),
        runtime: runtime.clone(),
    });
    task.run();
}

/// From now on, what this thread wakes waits for [`drain`].
pub(crate) fn own_thread() {
    QUEUE.with_borrow_mut(|queue| *queue = Some(VecDeque::new()));
}

/// Polls what this thread has woken.
pub(crate) fn drain() {
    while let Some(task) = QUEUE.with_borrow_mut(|queue| queue.as_mut()?.pop_front()) {
        task.run();
    }
}

impl Task {
    fn run(self: Arc<Self>) {
        self.state.store(POLLING, Ordering::Release);
        let _entered = self.runtime.enter();
        let waker = Waker::from(self.clone());
        let mut context = Context::from_waker(&waker);
        loop {
            let mut slot = self.future.lock();
            let Some(future) = slot.as_mut() else { return };
            if let Poll::Ready(()) = future.as_mut().poll(&mut context) {
                let finished = slot.take();
                drop(slot);
                // Left in the state of being polled: nothing can start it again. What it held is dropped unlocked.
                drop(finished);
                return;
            }
            drop(slot);
            // A wake-up during the poll only left a mark.
            match self.state.compare_exchange(POLLING, IDLE, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return,
                Err(_) => self.state.store(POLLING, Ordering::Release),
            }
        }
    }

    /// Whether the wake-up has to put it into a queue.
    fn claim(&self) -> bool {
        loop {
            match self.state.load(Ordering::Acquire) {
                IDLE => {
                    if self.state.compare_exchange(IDLE, QUEUED, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                        return true;
                    }
                }
                POLLING => {
                    if self.state.compare_exchange(POLLING, WOKEN, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if !self.claim() {
            return;
        }
        let task = QUEUE.with_borrow_mut(|queue| match queue {
            Some(queue) => {
                queue.push_back(self.clone());
                None
            }
            None => Some(self.clone()),
        });
        if let Some(task) = task {
            let runtime = task.runtime.clone();
            runtime.spawn(async move { task.run() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn a_future_is_polled_on_the_isolates_thread_that_wakes_it_but_not_within_the_wake_up() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (sender, receiver) = tokio::sync::oneshot::channel::<u32>();
        let (done, finished) = std::sync::mpsc::channel();
        spawn(runtime.handle(), async move {
            let value = receiver.await.unwrap();
            done.send((value, std::thread::current().id())).unwrap();
        });
        let other = std::thread::spawn(move || {
            own_thread();
            sender.send(7).unwrap();
            assert!(finished.try_recv().is_err());
            drain();
            assert_eq!(finished.try_recv().unwrap(), (7, std::thread::current().id()));
        });
        other.join().unwrap();
    }

    #[test]
    fn a_wake_up_during_a_poll_is_not_lost() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let polls = Arc::new(AtomicUsize::new(0));
        let seen = polls.clone();
        spawn(
            runtime.handle(),
            std::future::poll_fn(move |context| {
                if seen.fetch_add(1, Ordering::SeqCst) == 3 {
                    return Poll::Ready(());
                }
                context.waker().wake_by_ref();
                Poll::Pending
            }),
        );
        assert_eq!(polls.load(Ordering::SeqCst), 4);
    }
}
