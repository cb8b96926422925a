//! A call that gives pieces before its result.

use modgate_value::Value;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{Answer, ServiceError};

/// A running call whose pieces come one by one. Dropping it ends the call and whatever it started.
#[derive(Debug)]
pub struct ServiceStream {
    chunks: mpsc::Receiver<Value>,
    result: oneshot::Receiver<Answer>,
    call: String,
    /// Cancelled when the stream is dropped.
    _stop: DropGuard,
}

/// The other end: where a service puts its pieces.
#[derive(Debug)]
pub(crate) struct StreamEnd {
    pub(crate) chunks: mpsc::Sender<Value>,
    pub(crate) result: oneshot::Sender<Answer>,
}

impl ServiceStream {
    /// Both ends. `signal` is cancelled when the reading end goes away.
    pub(crate) fn new(call: &str, signal: CancellationToken) -> (ServiceStream, StreamEnd) {
        // Few: a child that writes faster than its reader reads has to wait, as it would on a pipe.
        let (chunks_in, chunks) = mpsc::channel(16);
        let (result_in, result) = oneshot::channel();
        let stream = ServiceStream { chunks, result, call: call.into(), _stop: signal.drop_guard() };
        (stream, StreamEnd { chunks: chunks_in, result: result_in })
    }

    /// The next piece; `None` after the last one. For `process.spawn`: `{stream: 'stdout' | 'stderr', text}`.
    pub async fn next(&mut self) -> Option<Value> {
        self.chunks.recv().await
    }

    /// The result. What has not been read of the pieces is thrown away.
    ///
    /// # Errors
    /// What the call rejects with.
    pub async fn result(mut self) -> Answer {
        while self.chunks.recv().await.is_some() {}
        (&mut self.result).await.unwrap_or_else(|_| Err(ServiceError::aborted(&self.call)))
    }
}
