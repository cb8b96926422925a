//! One call on its way through the gates.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use modgate_value::Value;
use tokio_util::sync::CancellationToken;

use crate::gates::{Draft, Standing};
use crate::{Access, Answer, Caller, Gate, PathError, Reached, ReceiptSink, ServiceError, codes, resolve};

/// One call: who, what, under which permissions. Leaves its receipt when closed, or when its caller goes away.
pub(crate) struct Context {
    pub(crate) caller: Caller,
    pub(crate) call: String,
    pub(crate) signal: CancellationToken,
    cwd: PathBuf,
    standing: Standing,
    /// The receipt so far and where it goes; nothing is written where nobody reads.
    receipt: Option<(Draft, Arc<dyn ReceiptSink>)>,
}

impl Context {
    pub(crate) fn new(
        caller: &Caller,
        call: &str,
        input: &Value,
        signal: CancellationToken,
        standing: Standing,
        cwd: &Path,
        receipts: Option<Arc<dyn ReceiptSink>>,
    ) -> Context {
        let receipt = receipts.map(|sink| (Draft::new(caller, call, input, &standing), sink));
        Context { caller: caller.clone(), call: call.into(), signal, cwd: cwd.into(), standing, receipt }
    }

    /// The gates before the execution gate, and the bounds that name calls.
    pub(crate) fn enter(&self) -> Result<(), ServiceError> {
        let call = &self.call;
        let stop = |gate: Gate| move |error: ServiceError| (gate, error);
        let provenance = || {
            let known = !self.caller.plugin.is_empty() && !self.caller.hash.is_empty();
            let why = "the caller has no name or no content hash";
            if known { Ok(()) } else { Err(ServiceError::refused(call, codes::PROVENANCE_UNKNOWN, why)) }
        };
        let visible = || {
            let why = format!("withheld from {}", self.caller.plugin);
            let withheld = self.caller.is_withheld(call);
            if withheld { Err(ServiceError::refused(call, codes::MEMBER_WITHHELD, why)) } else { Ok(()) }
        };
        let passed = provenance()
            .map_err(stop(Gate::Provenance))
            .and_then(|()| self.standing.trusted(call).map_err(stop(Gate::Trust)))
            .and_then(|()| visible().map_err(stop(Gate::Visibility)))
            .and_then(|()| self.standing.bounded(call).map_err(stop(Gate::Execution)));
        passed.map_err(|(gate, error)| {
            if let Some((draft, _)) = &self.receipt {
                draft.refused_by(gate);
            }
            error
        })
    }

    /// The execution gate for one thing this call reaches for.
    pub(crate) fn reach(&self, access: Access<'_>) -> Result<(), ServiceError> {
        self.standing.reach(&self.call, access)?;
        if let Some((draft, _)) = &self.receipt {
            draft.reached(access);
        }
        Ok(())
    }

    /// The execution gate for a call without a rule of its own.
    pub(crate) fn reach_call(&self) -> Result<(), ServiceError> {
        self.reach(Access::Call(&self.call))
    }

    /// Whether something is covered, without refusing the call.
    pub(crate) fn covers(&self, access: Access<'_>) -> bool {
        self.standing.reach(&self.call, access).is_ok()
    }

    pub(crate) fn reach_read(&self, path: &str) -> Result<Reached, ServiceError> {
        let reached = self.resolve(path)?;
        self.reach(Access::FsRead(&reached.real))?;
        Ok(reached)
    }

    pub(crate) fn reach_write(&self, path: &str) -> Result<Reached, ServiceError> {
        let reached = self.resolve(path)?;
        self.reach(Access::FsWrite(&reached.real))?;
        Ok(reached)
    }

    /// Where a path leads; a relative one starts at the session's working directory.
    pub(crate) fn resolve(&self, path: &str) -> Result<Reached, ServiceError> {
        // `join` would hide the slashes that make it a network location.
        let path = if path.starts_with('/') || path.starts_with('\\') { path.into() } else { self.cwd.join(path) };
        resolve(&path).map_err(|error| match error {
            PathError::Io { path, source } => ServiceError::os(&self.call, &path, &source),
            PathError::Links(_) => ServiceError::failed(&self.call, codes::PATH_UNSAFE, error),
            _ => ServiceError::bad_input(&self.call, error),
        })
    }

    pub(crate) fn cwd(&self) -> &Path {
        &self.cwd
    }

    pub(crate) fn standing(&self) -> &Standing {
        &self.standing
    }

    pub(crate) fn note(&self, text: impl Into<String>) {
        if let Some((draft, _)) = &self.receipt {
            draft.note(text);
        }
    }

    pub(crate) fn aborted(&self) -> ServiceError {
        ServiceError::aborted(&self.call)
    }

    /// Leaves the receipt and gives the answer on.
    pub(crate) fn close(mut self, answer: Answer) -> Answer {
        if let Some((draft, sink)) = self.receipt.take() {
            sink.leave(draft.close(&answer));
        }
        answer
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some((draft, sink)) = self.receipt.take() {
            sink.leave(draft.close(&Err(ServiceError::aborted(&self.call))));
        }
    }
}
