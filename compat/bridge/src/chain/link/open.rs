//! Calls on `$` that a hook has made and that are still under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

#[derive(Default)]
struct Count {
    open: AtomicUsize,
    closed: Notify,
}

/// How many calls of one part of a dispatch are under way.
#[derive(Clone, Default)]
pub(super) struct OpenCalls(Arc<Count>);

/// One such call; over when this is dropped.
pub(crate) struct OpenCall(OpenCalls);

impl OpenCalls {
    pub(super) fn begin(&self) -> OpenCall {
        self.0.open.fetch_add(1, Ordering::AcqRel);
        OpenCall(self.clone())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.open.load(Ordering::Acquire) == 0
    }

    /// Resolves once none is under way.
    pub(super) async fn closed(&self) {
        loop {
            // Asked for before the look at the counter: an end in between is not missed.
            let closed = self.0.closed.notified();
            if self.is_empty() {
                return;
            }
            closed.await;
        }
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        let count = &self.0.0;
        if count.open.fetch_sub(1, Ordering::AcqRel) == 1 {
            count.closed.notify_waiters();
        }
    }
}
