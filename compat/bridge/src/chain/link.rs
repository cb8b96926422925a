//! One mod on one dispatch: what its hooks pass down and answer, and how its part ends.

mod open;
mod rules;
mod signed;

use std::any::Any;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::Shared;
use modgate_catalog::check;
use modgate_catalog::hosts::{DenyAfterNext, LateRefusal, Pending};
use modgate_engine::{
    Beneath, Boxed, Ended, FailureKind, Fault, HookFailure, Invoke, NextCall, Position, Pulled, Reply, inline,
};
use modgate_value::Value;
use parking_lot::Mutex;
use tokio::sync::oneshot;

pub(crate) use self::open::OpenCall;
use self::open::OpenCalls;
use super::dispatch::{Dispatch, Place};
use super::verdict::{decides, noun_answer, refuses_row};
use super::{Path, stream};
use crate::plugin::{Hook, Plugin};
use crate::report::{Change, Report, codes};

type Answer = Shared<Boxed<'static, Result<Value, Fault>>>;

/// What is known of a mod's part in a dispatch.
#[derive(Default)]
struct State {
    /// What `next` was called for, in order.
    nexts: Vec<Answer>,
    /// The answer that was accepted.
    answer: Option<Value>,
    /// A rewrite was refused: whatever the mod answers, it is skipped.
    is_refused: bool,
    is_repeat_reported: bool,
    is_over: bool,
    /// A `.catch` was asked.
    is_caught: bool,
    is_answered: bool,
    done: Option<oneshot::Sender<Ended>>,
    chunks: stream::Waiting,
}

/// One mod on one dispatch.
pub(crate) struct Link {
    dispatch: Arc<Dispatch>,
    at: Place,
    plugin: Arc<Plugin>,
    hooks: Vec<Arc<Hook>>,
    input: Value,
    is_stream: bool,
    open: OpenCalls,
    state: Mutex<State>,
}

/// How a mod's part came out.
pub(super) enum Outcome {
    /// Its answer.
    Answered(Value),
    /// It let a rejection pass.
    Rejected(Fault),
    /// It failed, and what `next` gave last stands.
    Kept(Result<Value, Fault>),
    /// It failed before `next`: what is beneath runs in its place.
    Skipped,
}

impl Outcome {
    pub(super) fn trace(&self) -> &'static str {
        match self {
            Outcome::Answered(_) => "returned",
            Outcome::Rejected(_) => "rejected",
            Outcome::Kept(_) => "kept",
            Outcome::Skipped => "skipped",
        }
    }

    /// What it leaves for those above, where it is known.
    pub(super) fn answer(&self) -> Option<Value> {
        match self {
            Outcome::Answered(answer) | Outcome::Kept(Ok(answer)) => Some(answer.clone()),
            _ => None,
        }
    }

    pub(super) async fn into_result(self, dispatch: &Arc<Dispatch>, at: usize, input: Value) -> Result<Value, Fault> {
        match self {
            Outcome::Answered(answer) => Ok(answer),
            Outcome::Rejected(fault) => Err(fault),
            Outcome::Kept(result) => result,
            Outcome::Skipped => dispatch.run(at + 1, input).await,
        }
    }
}

impl Link {
    /// Hands the input to the mod's hooks. The receiver tells how it ended.
    pub(super) fn start(
        dispatch: &Arc<Dispatch>,
        at: Place,
        plugin: &Arc<Plugin>,
        hooks: Vec<Arc<Hook>>,
        input: Value,
        is_stream: bool,
    ) -> (Arc<Link>, oneshot::Receiver<Ended>) {
        let (done, ended) = oneshot::channel();
        let state = State { done: Some(done), ..State::default() };
        let link = Arc::new(Link {
            dispatch: dispatch.clone(),
            at,
            plugin: plugin.clone(),
            hooks,
            input,
            is_stream,
            open: OpenCalls::default(),
            state: Mutex::new(state),
        });
        if let Some(isolate) = plugin.isolate() {
            let invoke = link.invocation();
            if is_stream {
                let id = isolate.open_stream(invoke, link.clone());
                link.state.lock().chunks.opened(id);
            } else {
                isolate.invoke(invoke, link.clone());
            }
        }
        (link, ended)
    }

    fn invocation(&self) -> Invoke {
        Invoke {
            event: self.dispatch.event.clone(),
            hooks: self.hooks.iter().map(|hook| hook.index).collect(),
            matched: self.fits(&self.input),
            input: self.input.clone(),
            plugin: self.dispatch.origin.plugin.clone(),
            tier: Arc::from(self.dispatch.origin.tier.as_str()),
            budget: self.dispatch.mods.budget(self.dispatch.facts),
        }
    }

    fn fits(&self, input: &Value) -> Vec<bool> {
        self.hooks.iter().map(|hook| hook.matches(self.dispatch.facts, input)).collect()
    }

    /// Remembers that a call of a hook is under way.
    pub(crate) fn begin_call(&self) -> OpenCall {
        self.open.begin()
    }

    /// Says how it ended, in a test once the calls are over that the hooks did not wait for.
    fn finish(&self, done: oneshot::Sender<Ended>, ended: Ended) {
        let mods = &self.dispatch.mods;
        if self.is_stream || !mods.in_test || self.open.is_empty() {
            // The dispatch may be gone, with everybody who waited.
            let _ = done.send(ended);
            return;
        }
        let (open, settled) = (self.open.clone(), mods.activity.settled());
        inline::spawn(&mods.runtime, async move {
            tokio::select! {
                () = open.closed() => {}
                _ = settled => {}
            }
            let _ = done.send(ended);
        });
    }

    /// The path of a call that the hook of that index makes.
    pub(crate) fn path_of(&self, hook: u32) -> Path {
        self.dispatch.path.with(&self.plugin, hook, &self.dispatch.event)
    }

    fn position(&self, hook: u32) -> Option<Position> {
        self.hooks.iter().find(|other| other.index == hook).and_then(|hook| hook.position.clone())
    }

    fn report(&self, code: &'static str, hook: u32, message: String, changes: Vec<Change>) {
        let mut report = Report::new(code, self.plugin.name(), message)
            .on(&self.dispatch.event, &self.input)
            .at(self.position(hook));
        report.changes = changes;
        self.dispatch.mods.report(report);
    }

    /// An earlier answer that this call of `next` gets instead of a run of its own.
    fn earlier(&self, call: &NextCall) -> Option<Answer> {
        let mut state = self.state.lock();
        let last = state.nexts.last().cloned()?;
        if call.in_catch {
            return Some(last);
        }
        if self.may_repeat() {
            self.dispatch.corrected.retried(self.plugin.name());
            return None;
        }
        let first = state.nexts.first().cloned();
        if !std::mem::replace(&mut state.is_repeat_reported, true) {
            drop(state);
            let message =
                format!("{} called next again; it ran once and the first result was given", self.plugin.name());
            self.report(codes::REPEATED, call.hook, message, Vec::new());
        }
        first
    }

    /// How the mod's part came out. Waits for what was left running where the host does.
    pub(super) async fn conclude(&self, ended: Ended) -> Outcome {
        let (nexts, answer, is_refused) = {
            let mut state = self.state.lock();
            state.is_over = true;
            (std::mem::take(&mut state.nexts), state.answer.take(), state.is_refused)
        };
        if self.dispatch.mods.policy.pending == Pending::Awaited {
            for next in &nexts {
                // Its result is settled through the reply; here only its end counts.
                let _ = next.clone().await;
            }
        }
        match ended {
            Ended::Answered if !is_refused => match answer {
                Some(answer) => Outcome::Answered(answer),
                None => self.without(nexts).await,
            },
            Ended::Rejected(fault) if !is_refused => Outcome::Rejected(fault),
            Ended::Failed(failure) => {
                // A refused rewrite has been reported already.
                if !is_refused {
                    self.report_failure(&failure, "was skipped");
                    if let Some(render) = self.dispatch.core.render() {
                        render.failed(self.plugin.name(), &failure);
                    }
                }
                self.without(nexts).await
            }
            _ => self.without(nexts).await,
        }
    }

    async fn without(&self, nexts: Vec<Answer>) -> Outcome {
        match nexts.last() {
            Some(last) => Outcome::Kept(last.clone().await),
            None => Outcome::Skipped,
        }
    }

    pub(super) fn report_failure(&self, failure: &HookFailure, what: &str) {
        self.report_as(failure, what, None);
    }

    fn report_as(&self, failure: &HookFailure, what: &str, instead: Option<&'static str>) {
        let event = &self.dispatch.event;
        let name = self.plugin.name();
        let (code, why) = match failure.kind {
            FailureKind::Threw => (codes::THREW, format!("threw {}: {}", failure.thrown.name, failure.thrown.message)),
            FailureKind::Timeout => (codes::TIMEOUT, "used up its time".to_string()),
            FailureKind::Answer => (codes::ANSWER, failure.thrown.message.clone()),
        };
        let code = instead.unwrap_or(code);
        let mut report = Report::new(code, name, format!("{name}'s hook on {event} {why}; it {what}"))
            .on(event, &self.input)
            .at(failure.thrown.position.clone().or_else(|| self.position(failure.hook)));
        report.changes = Vec::new();
        self.dispatch.mods.report(report);
    }

    /// Whether a `.catch` answered for a hook.
    pub(super) fn was_caught(&self) -> bool {
        let state = self.state.lock();
        state.is_caught && state.is_answered
    }

    pub(super) fn last_stream(&self) -> Option<Box<dyn modgate_engine::Source>> {
        self.state.lock().chunks.take_open()
    }

    /// The result of the last stream that the hook read to its end.
    pub(super) fn finished(&self) -> Option<Value> {
        self.state.lock().chunks.finished()
    }

    pub(super) fn take_answer(&self) -> Option<Value> {
        self.state.lock().answer.take()
    }

    pub(super) fn expect_chunk(&self, reply: oneshot::Sender<Pulled>) {
        self.state.lock().chunks.expect(reply);
    }

    pub(super) fn invocation_id(&self) -> Option<u32> {
        self.state.lock().chunks.id()
    }

    pub(super) fn plugin(&self) -> &Arc<Plugin> {
        &self.plugin
    }

    /// A stream without a result of its own has that of the one it read.
    fn passes_result(&self) -> Result<(), Fault> {
        let mut state = self.state.lock();
        state.is_answered = state.chunks.finished().is_some();
        if state.is_answered {
            return Ok(());
        }
        Err(Fault::hooks("returned no result, and read no stream of next() to its end"))
    }

    /// The tree of an answer to `ui.render`.
    fn drawn(&self, answer: &Value) -> Result<Value, Fault> {
        let nexts = self.state.lock().nexts.clone();
        let given: Vec<_> = nexts.iter().filter_map(|next| next.peek().cloned()?.ok()).collect();
        crate::ui::leaves(&*self.dispatch.core, self.plugin.name(), &self.input, answer, &given)
    }

    /// What a hook asks for while something is drawn: the drawing follows it.
    pub(crate) fn calls(&self, name: &str, input: Option<&Value>) {
        if name == "state.get"
            && let Some(render) = self.dispatch.core.render()
        {
            render.reads(input);
        }
    }

    fn check_answer(&self, answer: &Value, beneath: Option<&Value>) -> Result<Value, Fault> {
        if &*self.dispatch.event == "engine.create" {
            return crate::nouns::check_answer(self.plugin.spec.tier, beneath, answer);
        }
        let Some(event) = self.dispatch.facts else { return noun_answer(answer) };
        if refuses_row(event.name, &self.dispatch.origin, beneath, answer) {
            return Ok(answer.clone());
        }
        // Where a refusal that comes too late stands, it is looked at as if nothing had run.
        let stands = self.dispatch.mods.policy.late_refusal == LateRefusal::Stand;
        let is_late = stands && event.before_next.iter().any(|field| answer.get(field).is_some());
        check::answer(event, &self.input, beneath.filter(|_| !is_late), answer)
            .map_err(|refusal| Fault::hooks(refusal.message))
    }
}

impl Beneath for Link {
    fn next(self: Arc<Self>, call: NextCall, reply: Reply) -> Result<(), Fault> {
        if self.state.lock().is_over {
            return Err(Fault::hooks("next() was called after it settled").with_code(codes::LATE));
        }
        if let Some(earlier) = self.earlier(&call) {
            let settled = async move { reply.settle(earlier.await) };
            inline::spawn(&self.dispatch.mods.runtime, settled);
            return Ok(());
        }
        let begun = if call.in_catch && self.is_stream { self.state.lock().chunks.open() } else { None };
        if let Some(source) = begun {
            reply.stream(Box::new(source));
            return Ok(());
        }
        let input = self.check_passed(call.hook, call.passed.as_ref().unwrap_or(&self.input))?;
        let (below, target) = self.target(call.to.as_deref())?;
        if let Some(tier) = &call.to {
            let why = format!("{} went on at {tier}", self.plugin.name());
            self.dispatch.passed_by(self.at.seat, &below, &input, &why);
        }
        if self.is_stream {
            // What is not passed by goes on behind this hook, also within the mod.
            let after = if call.to.is_none() { self.at } else { Place::seat(target) };
            let source = self.state.lock().chunks.read(stream::open(below, after, input));
            reply.stream(Box::new(source));
            return Ok(());
        }
        let beneath: Answer = self.as_given(&input, below.run(target, input.clone())).shared();
        self.state.lock().nexts.push(beneath.clone());
        inline::spawn(&self.dispatch.mods.runtime, async move { reply.settle(beneath.await) });
        Ok(())
    }

    fn passed_on(&self, passed: Value) -> Result<(Value, Vec<bool>), Fault> {
        let hook = self.hooks.first().map_or(0, |hook| hook.index);
        let input = self.check_passed(hook, &passed)?;
        let fits = self.fits(&input);
        Ok((input, fits))
    }

    fn answer(&self, answer: Value) -> Result<(), Fault> {
        if self.is_stream && answer.is_undefined() {
            return self.passes_result();
        }
        let beneath = self.state.lock().nexts.last().cloned();
        let given = beneath.as_ref().and_then(|beneath| beneath.peek().cloned()).and_then(Result::ok);
        let was_called = beneath.is_some();
        let answer = if &*self.dispatch.event == "ui.render" { self.drawn(&answer)? } else { answer };
        let checked = self.check_answer(&answer, given.as_ref())?;
        let checked = self.signed(&answer, checked, given.as_ref());
        self.bound_answer(&checked, given.as_ref())?;
        let is_late_deny = was_called && &*self.dispatch.event == "tool.call" && checked.str_at("deny").is_some();
        if is_late_deny && self.dispatch.mods.policy.deny_after_next == DenyAfterNext::Refuse {
            return Err(Fault::hooks("the tool has run: it cannot be denied any more").with_code(codes::DENIED_LATE));
        }
        if decides(&self.dispatch.event, given.as_ref(), &checked) {
            *self.dispatch.decided.lock() = Some(self.plugin.name().to_string());
        }
        let mut state = self.state.lock();
        state.answer = Some(checked);
        state.is_answered = true;
        drop(state);
        Ok(())
    }

    fn chunk(&self, chunk: Value) -> Result<(), Fault> {
        let checked = match &*self.dispatch.event {
            "turn.step" => check::chunk(&chunk),
            "process.spawn" => check::spawn_chunk(&chunk),
            _ => Ok(()),
        };
        checked.map_err(|refusal| Fault::hooks(refusal.message))?;
        if &*self.dispatch.event == "turn.step" {
            self.state.lock().chunks.yields(&chunk)?;
        }
        let puller = self.state.lock().chunks.take_puller();
        // Sent without the lock: whoever waits goes on right here.
        if let Some(puller) = puller {
            // It may have left.
            let _ = puller.send(Pulled::Chunk(chunk));
        }
        Ok(())
    }

    fn ended(&self, ended: Ended) {
        let (puller, done) = {
            let mut state = self.state.lock();
            (state.chunks.take_puller(), state.done.take())
        };
        if let Some(done) = done {
            self.finish(done, ended);
        }
        // Whoever pulls sees that no chunk comes; by then the end is known.
        drop(puller);
    }

    fn asks_catch(&self, failure: &HookFailure) {
        self.state.lock().is_caught = true;
        self.report_as(failure, "is answered for by its catch", Some(codes::CAUGHT));
    }

    fn trace(&self) -> Value {
        self.dispatch.trace_beneath(self.at)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
