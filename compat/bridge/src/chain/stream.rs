//! Streaming events: chunks are pulled through the mods, and what a failed mod leaves is taken from beneath it.

use std::sync::Arc;
use std::time::Instant;

use modgate_engine::{Boxed, Ended, Fault, Pulled, Source};
use modgate_value::Value;
use tokio::sync::oneshot;

use super::dispatch::{Dispatch, Next};
use super::link::Link;

/// A source that the hook above it and the chain may both go on with. One that has ended gives its result again.
#[derive(Clone)]
pub(super) struct SharedSource(Arc<tokio::sync::Mutex<Shared>>);

struct Shared {
    source: Box<dyn Source>,
    result: Option<Value>,
}

pub(super) fn shared(source: Box<dyn Source>) -> SharedSource {
    SharedSource(Arc::new(tokio::sync::Mutex::new(Shared { source, result: None })))
}

impl Source for SharedSource {
    fn pull(&mut self) -> Boxed<'_, Result<Pulled, Fault>> {
        let shared = self.0.clone();
        Box::pin(async move {
            let mut shared = shared.lock_owned().await;
            if let Some(result) = &shared.result {
                return Ok(Pulled::Done(result.clone()));
            }
            let pulled = shared.source.pull().await;
            if let Ok(Pulled::Done(result)) = &pulled {
                shared.result = Some(result.clone());
            }
            pulled
        })
    }

    fn close(&mut self) {
        if let Ok(mut shared) = self.0.try_lock() {
            shared.source.close();
        }
    }
}

/// What a stream of hooks waits for.
#[derive(Default)]
pub(super) struct Waiting {
    id: Option<u32>,
    puller: Option<oneshot::Sender<Pulled>>,
    beneath: Option<SharedSource>,
}

impl Waiting {
    pub(super) fn opened(&mut self, id: u32) {
        self.id = Some(id);
    }

    pub(super) fn id(&self) -> Option<u32> {
        self.id
    }

    pub(super) fn opened_beneath(&mut self, source: SharedSource) {
        self.beneath = Some(source);
    }

    pub(super) fn take_open(&mut self) -> Option<Box<dyn Source>> {
        self.beneath.take().map(|source| Box::new(source) as Box<dyn Source>)
    }

    /// The stream that a hook began to read, for a `.catch` to go on with.
    pub(super) fn open(&self) -> Option<SharedSource> {
        self.beneath.clone()
    }

    pub(super) fn expect(&mut self, reply: oneshot::Sender<Pulled>) {
        self.puller = Some(reply);
    }

    pub(super) fn take_puller(&mut self) -> Option<oneshot::Sender<Pulled>> {
        self.puller.take()
    }
}

/// A stream through the mods from one seat on. Nothing runs before the first pull.
struct Through {
    dispatch: Arc<Dispatch>,
    state: State,
}

enum State {
    Fresh { from: usize, input: Value },
    Mod { link: Arc<Link>, ended: oneshot::Receiver<Ended>, at: usize, input: Value, begun: Instant },
    Beneath(Box<dyn Source>),
    Over,
}

pub(super) fn open(dispatch: Arc<Dispatch>, from: usize, input: Value) -> Box<dyn Source> {
    Box::new(Through { dispatch, state: State::Fresh { from, input } })
}

impl Source for Through {
    fn pull(&mut self) -> Boxed<'_, Result<Pulled, Fault>> {
        Box::pin(async move {
            loop {
                match &mut self.state {
                    State::Fresh { .. } => self.begin()?,
                    State::Mod { .. } => {
                        if let Some(pulled) = self.pull_mod().await? {
                            return Ok(pulled);
                        }
                    }
                    State::Beneath(source) => {
                        let pulled = source.pull().await;
                        if !matches!(pulled, Ok(Pulled::Chunk(_))) {
                            self.state = State::Over;
                        }
                        return pulled;
                    }
                    State::Over => return Ok(Pulled::Done(Value::Undefined)),
                }
            }
        })
    }

    fn close(&mut self) {
        match std::mem::replace(&mut self.state, State::Over) {
            State::Mod { link, .. } => {
                if let (Some(isolate), Some(id)) = (link.plugin().isolate(), link.invocation_id()) {
                    isolate.close(id);
                }
                // What the hooks leave with it of the stream beneath ends as well.
                if let Some(mut beneath) = link.last_stream() {
                    beneath.close();
                }
            }
            State::Beneath(mut source) => source.close(),
            State::Fresh { .. } | State::Over => {}
        }
    }
}

impl Through {
    fn begin(&mut self) -> Result<(), Fault> {
        let State::Fresh { from, input } = std::mem::replace(&mut self.state, State::Over) else { return Ok(()) };
        self.state = match self.dispatch.next_seat(from, &input) {
            Next::Core => {
                let raised = self.dispatch.raised(input);
                State::Beneath(self.dispatch.core.clone().stream(raised)?)
            }
            // Gates have no part in streams.
            Next::Gate(at, _) => State::Fresh { from: at + 1, input },
            Next::Mod(at, plugin, hooks) => {
                let (link, ended) = Link::start(&self.dispatch, at, &plugin, hooks, input.clone(), true);
                State::Mod { link, ended, at, input, begun: Instant::now() }
            }
        };
        Ok(())
    }

    /// One step of the mod: a chunk, its result, or nothing, when it failed and the state has changed.
    async fn pull_mod(&mut self) -> Result<Option<Pulled>, Fault> {
        let State::Mod { link, ended, .. } = &mut self.state else { return Ok(None) };
        let (reply, chunk) = oneshot::channel();
        link.expect_chunk(reply);
        match (link.plugin().isolate(), link.invocation_id()) {
            (Some(isolate), Some(id)) => isolate.pull(id),
            _ => return Err(super::no_implementation(&self.dispatch.event)),
        }
        if let Ok(pulled) = chunk.await {
            return Ok(Some(pulled));
        }
        let ended = ended.await.unwrap_or(Ended::Answered);
        self.leave_mod(ended)
    }

    fn leave_mod(&mut self, ended: Ended) -> Result<Option<Pulled>, Fault> {
        let State::Mod { link, at, input, begun, .. } = std::mem::replace(&mut self.state, State::Over) else {
            return Ok(None);
        };
        let outcome = match ended {
            Ended::Answered => "returned",
            Ended::Rejected(fault) => {
                self.dispatch.ended(at, "rejected", begun, input, None);
                return Err(fault);
            }
            Ended::Failed(failure) => {
                link.report_failure(&failure, "was skipped");
                "skipped"
            }
        };
        if outcome == "returned" {
            let answer = link.take_answer().unwrap_or_default();
            self.dispatch.ended(at, outcome, begun, input, Some(answer.clone()));
            if let Some(mut left) = link.last_stream() {
                left.close();
            }
            return Ok(Some(Pulled::Done(answer)));
        }
        self.dispatch.ended(at, outcome, begun, input.clone(), None);
        // What it had begun to read is gone on with; otherwise it is as if the mod were not there.
        self.state = match link.last_stream() {
            Some(source) => State::Beneath(source),
            None => State::Fresh { from: at + 1, input },
        };
        Ok(None)
    }
}
