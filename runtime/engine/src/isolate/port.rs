//! The isolate's side of [`Port`]: finds whom a call concerns and hands it on.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use modgate_value::Value;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::LoadError;
use crate::ext::port::{
    DollarCall, Ended, Fault, HookFailure, InvocationId, NextCall, Port, Position, PromiseId, Registration, Thrown,
};
use crate::host::{Beneath, Host, Pulled, Reply};
use crate::inbox::Shared;
use crate::inline;
use crate::limits::Watched;
use crate::loader::path_in_root;

/// Who waits for a function in the isolate to return.
pub(super) enum Waiting {
    Kept(oneshot::Sender<Result<Value, Thrown>>),
    Load(oneshot::Sender<Result<(), LoadError>>),
}

pub(super) struct ThreadPort {
    pub(super) host: Arc<dyn Host>,
    pub(super) shared: Arc<Shared>,
    pub(super) watched: Arc<Watched>,
    pub(super) runtime: Handle,
    pub(super) root: String,
    pub(super) invocations: RefCell<HashMap<InvocationId, Arc<dyn Beneath>>>,
    pub(super) waiting: RefCell<HashMap<u32, Waiting>>,
    pub(super) wake_at: Cell<Option<Instant>>,
}

impl ThreadPort {
    pub(super) fn localize(&self, thrown: Thrown) -> Thrown {
        Thrown { position: thrown.position.and_then(|position| self.local(position)), ..thrown }
    }

    /// A position in terms of the mod's folder.
    fn local(&self, position: Position) -> Option<Position> {
        Some(Position { file: path_in_root(&self.root, &position.file)?, ..position })
    }

    fn local_failure(&self, failure: HookFailure) -> HookFailure {
        HookFailure { thrown: self.localize(failure.thrown), ..failure }
    }

    fn beneath(&self, id: InvocationId) -> Option<Arc<dyn Beneath>> {
        self.invocations.borrow().get(&id).cloned()
    }

    fn reply(&self, promise: PromiseId) -> Reply {
        Reply::new(self.shared.clone(), promise)
    }
}

fn over() -> Fault {
    Fault::hooks("the dispatch has settled")
}

impl Port for ThreadPort {
    fn registered(&self, mut registration: Registration) -> Result<(), Fault> {
        registration.position = registration.position.and_then(|position| self.local(position));
        self.host.registered(registration)
    }

    fn caught(&self, index: u32) {
        self.host.caught(index);
    }

    fn next(&self, call: NextCall) -> Result<(), Fault> {
        let beneath = self.beneath(call.invocation).ok_or_else(over)?;
        let reply = self.reply(call.promise);
        beneath.next(call, reply)
    }

    fn passed_on(&self, invocation: InvocationId, passed: Value) -> Result<(Value, Vec<bool>), Fault> {
        self.beneath(invocation).ok_or_else(over)?.passed_on(passed)
    }

    fn answer(&self, invocation: InvocationId, answer: Value) -> Result<(), Fault> {
        self.beneath(invocation).ok_or_else(over)?.answer(answer)
    }

    fn ended(&self, invocation: InvocationId, ended: Ended) {
        let ended = match ended {
            Ended::Failed(failure) => Ended::Failed(self.local_failure(failure)),
            other => other,
        };
        let beneath = self.invocations.borrow_mut().remove(&invocation);
        if let Some(beneath) = beneath {
            beneath.ended(ended);
        }
    }

    fn asks_catch(&self, invocation: InvocationId, failure: HookFailure) {
        if let Some(beneath) = self.beneath(invocation) {
            beneath.asks_catch(&self.local_failure(failure));
        }
    }

    fn trace(&self, invocation: InvocationId) -> Value {
        self.beneath(invocation).map_or_else(|| Value::list([]), |beneath| beneath.trace())
    }

    fn call(&self, call: DollarCall) {
        let within = call.invocation.and_then(|id| self.beneath(id));
        let reply = self.reply(call.promise);
        self.host.call(call, within, reply);
    }

    fn cancel(&self, promise: PromiseId) {
        let cancelled = self.shared.cancels.lock().remove(&promise);
        if let Some(cancelled) = cancelled {
            cancelled.cancel();
        }
        let stream = self.shared.streams.lock().remove(&promise);
        if let Some(stream) = stream {
            inline::spawn(&self.runtime, async move { stream.lock().await.close() });
        }
        self.reply(promise).settle(Err(Fault::named("AbortError", "the call was aborted")));
    }

    fn pull(&self, stream: PromiseId, promise: PromiseId) {
        let reply = self.reply(promise);
        let Some(source) = self.shared.streams.lock().get(&stream).cloned() else {
            return reply.settle(Err(Fault::hooks("the stream has ended")));
        };
        let shared = self.shared.clone();
        inline::spawn(&self.runtime, async move {
            let pulled = source.lock().await.pull().await;
            let result = match pulled {
                Ok(Pulled::Chunk(chunk)) => Ok(Value::object([("chunk", chunk)])),
                Ok(Pulled::Done(result)) => {
                    shared.streams.lock().remove(&stream);
                    Ok(Value::object([("done", Value::Bool(true)), ("result", result)]))
                }
                Err(fault) => {
                    shared.streams.lock().remove(&stream);
                    Err(fault)
                }
            };
            reply.settle(result);
        });
    }

    fn chunk(&self, invocation: InvocationId, chunk: Value) -> Result<(), Fault> {
        self.beneath(invocation).ok_or_else(over)?.chunk(chunk)
    }

    fn returned(&self, call: u32, result: Result<Value, Thrown>) {
        let result = result.map_err(|thrown| self.localize(thrown));
        // A receiver that is gone has lost interest.
        let waiting = self.waiting.borrow_mut().remove(&call);
        match waiting {
            Some(Waiting::Kept(reply)) => drop(reply.send(result)),
            Some(Waiting::Load(reply)) => drop(reply.send(result.map(drop).map_err(LoadError::Threw))),
            None => {}
        }
    }

    fn host(&self, name: &str, args: Vec<Value>, promise: PromiseId) -> Result<Value, Fault> {
        self.host.host(name, args, self.reply(promise))
    }

    fn rejected(&self, rejection: u32, thrown: Thrown) {
        self.host.rejected(rejection, self.localize(thrown));
    }

    fn handled(&self, rejection: u32) {
        self.host.handled(rejection);
    }

    fn log(&self, level: &str, text: String) {
        self.host.log(level, text);
    }

    fn wake_in(&self, milliseconds: f64) {
        let wait = Duration::try_from_secs_f64(milliseconds.max(0.0) / 1000.0).unwrap_or(Duration::MAX / 4);
        let at = Instant::now().checked_add(wait);
        self.wake_at.set(match (self.wake_at.get(), at) {
            (Some(planned), Some(at)) => Some(planned.min(at)),
            (planned, at) => planned.or(at),
        });
        self.watched.shorten(wait + super::thread::GRACE);
    }

    fn own_time(&self) -> f64 {
        crate::cpu::own_time().as_secs_f64() * 1000.0
    }

    fn longest_own_budget(&self) -> f64 {
        crate::cpu::longest_own_budget()
    }
}
