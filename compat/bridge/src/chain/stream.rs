//! Streaming events: chunks are pulled through the hooks, and what a failed one leaves is taken from beneath it.

use std::sync::Arc;
use std::time::Instant;

use modgate_engine::{Boxed, Ended, Fault, Pulled, Source};
use modgate_value::Value;
use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::dispatch::{Dispatch, Next, Place};
use super::link::Link;
use crate::plugin::{Hook, Plugin};

/// What one hook has read and yielded in its stream.
#[derive(Default)]
pub(super) struct Passing {
    /// Refs of the engine chunks it read: it may pass on those alone.
    refs: Vec<Value>,
    /// Ids of the tools it yielded: each one once.
    tools: Vec<Value>,
    /// The result of the last stream that was read to its end.
    finished: Option<Value>,
}

impl Passing {
    fn pulled(&mut self, chunk: &Value) {
        if chunk.str_at("kind") == Some("engine") {
            self.refs.extend(chunk.get("ref").cloned());
        }
    }

    /// Looks at a chunk that the hook yields in a step.
    fn yields(&mut self, chunk: &Value) -> Result<(), Fault> {
        match chunk.str_at("kind") {
            Some("engine") if !chunk.get("ref").is_some_and(|it| self.refs.contains(it)) => {
                Err(Fault::hooks("yielded an engine chunk that it did not read: those are only passed on"))
            }
            Some("tool") => {
                let Some(id) = chunk.get("id") else { return Ok(()) };
                if self.tools.contains(id) {
                    return Err(Fault::hooks("yielded a tool of an id that it has yielded before in this step"));
                }
                self.tools.push(id.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// A source that the hook above it and the chain may both go on with. One that has ended gives its result again.
#[derive(Clone)]
pub(super) struct SharedSource(Arc<tokio::sync::Mutex<Shared>>);

struct Shared {
    source: Box<dyn Source>,
    result: Option<Value>,
    passing: Arc<Mutex<Passing>>,
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
            match &pulled {
                Ok(Pulled::Done(result)) => {
                    shared.result = Some(result.clone());
                    shared.passing.lock().finished = Some(result.clone());
                }
                Ok(Pulled::Chunk(chunk)) => shared.passing.lock().pulled(chunk),
                Err(_) => {}
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
    passing: Arc<Mutex<Passing>>,
}

impl Waiting {
    pub(super) fn opened(&mut self, id: u32) {
        self.id = Some(id);
    }

    pub(super) fn id(&self) -> Option<u32> {
        self.id
    }

    /// The hook reads what is beneath.
    pub(super) fn read(&mut self, source: Box<dyn Source>) -> SharedSource {
        let shared = Shared { source, result: None, passing: self.passing.clone() };
        let source = SharedSource(Arc::new(tokio::sync::Mutex::new(shared)));
        self.beneath = Some(source.clone());
        source
    }

    /// The result of the last stream that the hook read to its end.
    pub(super) fn finished(&self) -> Option<Value> {
        self.passing.lock().finished.clone()
    }

    /// Looks at a chunk of a step.
    pub(super) fn yields(&self, chunk: &Value) -> Result<(), Fault> {
        self.passing.lock().yields(chunk)
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

/// A stream through the hooks from one place on: each of them stands alone, those of one mod too. Nothing runs before
/// the first pull.
struct Through {
    dispatch: Arc<Dispatch>,
    state: State,
    /// Hooks that failed here; what they left is read in their place.
    failed: Vec<Part>,
}

/// One hook's part in the stream.
struct Part {
    at: Place,
    outcome: &'static str,
    input: Value,
    begun: Instant,
}

enum State {
    /// At the first hook after that place.
    Fresh {
        after: Place,
        input: Value,
    },
    Hook {
        link: Arc<Link>,
        ended: oneshot::Receiver<Ended>,
        part: Part,
    },
    Beneath(Box<dyn Source>),
    Over,
}

/// Opens the stream at the first hook after that place.
pub(super) fn open(dispatch: Arc<Dispatch>, after: Place, input: Value) -> Box<dyn Source> {
    Box::new(Through { dispatch, state: State::Fresh { after, input }, failed: Vec::new() })
}

impl Source for Through {
    fn pull(&mut self) -> Boxed<'_, Result<Pulled, Fault>> {
        Box::pin(async move {
            loop {
                match &mut self.state {
                    State::Fresh { .. } => self.begin()?,
                    State::Hook { .. } => {
                        if let Some(pulled) = self.pull_hook().await? {
                            return Ok(pulled);
                        }
                    }
                    State::Beneath(source) => {
                        let pulled = source.pull().await;
                        if !matches!(pulled, Ok(Pulled::Chunk(_))) {
                            self.state = State::Over;
                        }
                        if let Ok(Pulled::Done(result)) = &pulled {
                            self.done(result);
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
            State::Hook { link, part, .. } => {
                if let (Some(isolate), Some(id)) = (link.plugin().isolate(), link.invocation_id()) {
                    isolate.close(id);
                }
                self.ended(&part, "rejected", None);
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
    fn ended(&self, part: &Part, outcome: &'static str, answer: Option<Value>) {
        self.dispatch.ended(part.at, outcome, part.begun, part.input.clone(), answer);
    }

    /// What the hooks that failed left for those above is known with the result.
    fn done(&mut self, result: &Value) {
        for part in std::mem::take(&mut self.failed) {
            self.ended(&part, part.outcome, Some(result.clone()));
        }
    }

    fn begin(&mut self) -> Result<(), Fault> {
        let State::Fresh { after, input } = std::mem::replace(&mut self.state, State::Over) else { return Ok(()) };
        self.state = match self.dispatch.next_seat(after.seat, &input) {
            Next::Core => {
                let raised = self.dispatch.raised(input);
                State::Beneath(self.dispatch.core.clone().stream(raised)?)
            }
            // Gates have no part in streams.
            Next::Gate(seat, _) => State::Fresh { after: Place::seat(seat + 1), input },
            Next::Mod(seat, plugin, hooks) => {
                let is_next = |hook: &&Arc<Hook>| {
                    Place::hook(seat, hook.index) > after && hook.matches(self.dispatch.facts, &input)
                };
                match hooks.iter().find(is_next).cloned() {
                    Some(hook) => self.start(seat, &plugin, hook, input),
                    None => State::Fresh { after: Place::seat(seat + 1), input },
                }
            }
        };
        Ok(())
    }

    fn start(&self, seat: usize, plugin: &Arc<Plugin>, hook: Arc<Hook>, input: Value) -> State {
        let at = Place::hook(seat, hook.index);
        let (link, ended) = Link::start(&self.dispatch, at, plugin, vec![hook], input.clone(), true);
        State::Hook { link, ended, part: Part { at, outcome: "returned", input, begun: Instant::now() } }
    }

    /// One step of the hook: a chunk, its result, or nothing, when it failed and the state has changed.
    async fn pull_hook(&mut self) -> Result<Option<Pulled>, Fault> {
        let State::Hook { link, ended, .. } = &mut self.state else { return Ok(None) };
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
        self.leave_hook(ended)
    }

    fn leave_hook(&mut self, ended: Ended) -> Result<Option<Pulled>, Fault> {
        let State::Hook { link, part, .. } = std::mem::replace(&mut self.state, State::Over) else {
            return Ok(None);
        };
        match ended {
            Ended::Answered => Ok(Some(Pulled::Done(self.answered(&link, &part)))),
            Ended::Rejected(fault) => {
                self.ended(&part, "rejected", None);
                Err(fault)
            }
            Ended::Failed(failure) => {
                link.report_failure(&failure, "was skipped");
                self.go_on(&link, part);
                Ok(None)
            }
        }
    }

    fn answered(&mut self, link: &Link, part: &Part) -> Value {
        let answer = link.take_answer();
        let outcome = match (&answer, link.was_caught()) {
            (Some(_), true) => "caught",
            (Some(_), false) => "returned",
            // A `.catch` without a result of its own has kept what there was.
            (None, true) => "kept",
            (None, false) => "passed",
        };
        let result = answer.or_else(|| link.finished()).unwrap_or_default();
        self.ended(part, outcome, Some(result.clone()));
        self.done(&result);
        if let Some(mut left) = link.last_stream() {
            left.close();
        }
        result
    }

    /// What the hook had begun to read is gone on with; otherwise it is as if the hook were not there.
    fn go_on(&mut self, link: &Link, part: Part) {
        let (at, input) = (part.at, part.input.clone());
        let (outcome, state) = match link.last_stream() {
            Some(source) => ("kept", State::Beneath(source)),
            None => ("skipped", State::Fresh { after: at, input }),
        };
        self.ended(&part, outcome, None);
        self.failed.push(Part { outcome, ..part });
        self.state = state;
    }
}
