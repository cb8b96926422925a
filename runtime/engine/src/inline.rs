//! Runs a future on whichever thread wakes it.
//!
//! A dispatch crosses from one isolate's thread to the next and back. An executor with threads of its own would add two
//! hand-overs to each crossing; this one polls where the wake-up happens, so the only hand-overs are those between
//! isolates.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use parking_lot::Mutex;
use tokio::runtime::Handle;

use crate::host::Boxed;

const IDLE: u8 = 0;
const POLLING: u8 = 1;
const WOKEN: u8 = 2;

struct Task {
    future: Mutex<Option<Boxed<'static, ()>>>,
    state: AtomicU8,
    runtime: Handle,
}

/// Starts the future at once, on this thread; `runtime` is entered while it is polled, so that its timers and files work.
pub fn spawn(runtime: &Handle, future: impl Future<Output = ()> + Send + 'static) {
    let task = Arc::new(Task {
        future: Mutex::new(Some(Box::pin(future))),
        state: AtomicU8::new(IDLE),
        runtime: runtime.clone(),
    });
    task.run();
}

impl Task {
    fn run(self: Arc<Self>) {
        // A wake-up during a poll only leaves a mark; the one who polls looks at it before it goes.
        loop {
            match self.state.compare_exchange(IDLE, POLLING, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(POLLING) => {
                    if self.state.compare_exchange(POLLING, WOKEN, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                        return;
                    }
                }
                Err(_) => return,
            }
        }
        let _entered = self.runtime.enter();
        let waker = Waker::from(self.clone());
        let mut context = Context::from_waker(&waker);
        loop {
            let mut slot = self.future.lock();
            let Some(future) = slot.as_mut() else { return };
            if let Poll::Ready(()) = future.as_mut().poll(&mut context) {
                // Left in the state of being polled: nothing can start it again.
                *slot = None;
                return;
            }
            drop(slot);
            match self.state.compare_exchange(POLLING, IDLE, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return,
                Err(_) => self.state.store(POLLING, Ordering::Release),
            }
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.run();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn a_future_is_polled_where_it_is_woken() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (sender, receiver) = tokio::sync::oneshot::channel::<u32>();
        let (done, finished) = std::sync::mpsc::channel();
        spawn(runtime.handle(), async move {
            let value = receiver.await.unwrap();
            done.send((value, std::thread::current().id())).unwrap();
        });
        let other = std::thread::spawn(move || {
            sender.send(7).unwrap();
            std::thread::current().id()
        });
        let thread = other.join().unwrap();
        assert_eq!(finished.recv().unwrap(), (7, thread));
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
