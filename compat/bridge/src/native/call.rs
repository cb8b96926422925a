//! `tool.call` around the execution of a logged call, and `tool.check` on permission.

use std::sync::{Arc, OnceLock};
use std::task::Poll;
use std::time::Duration;

use async_trait::async_trait;
use modgate_catalog::hosts::ErrorFlag;
use modgate_engine::{Boxed, Fault};
use modgate_harness::permission::{Decision, Verdict};
use modgate_harness::point::{Authorization, AuthorizationRequest, LoggedCall, ToolLifecycle, ToolOutcome};
use modgate_harness::report::ContributorError;
use modgate_harness::session::{ExecuteError, Execution, SessionHandle};
use modgate_value::Value;
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};

use super::convert::{self, Echo};
use super::{Inner, joined};
use crate::chain::{Core, Corrected, Dispatch, Path, Raised};
use crate::mods::Origin;

/// Fields of the event that are not the call's arguments.
const ENVELOPE: [&str; 4] = ["tool", "tool_use_id", "agentId", "consent"];

pub(super) struct Calls(pub(super) Arc<Inner>);

#[async_trait]
impl ToolLifecycle for Calls {
    async fn around(
        &self,
        call: &LoggedCall,
        execute: Execution,
        _session: &SessionHandle,
    ) -> Result<ToolOutcome, ContributorError> {
        let inner = &self.0;
        inner.desk.open_call(&call.id, call.seq);
        inner.host.surface.begin_call(&call.id, call.caller.as_deref());
        let outcome = self.take(call, execute).await;
        inner.host.surface.settle(&call.id);
        inner.desk.settle_call(&call.id);
        inner.corrected.lock().remove(&call.id);
        outcome
    }
}

impl Calls {
    async fn take(&self, call: &LoggedCall, execute: Execution) -> Result<ToolOutcome, ContributorError> {
        let inner = &self.0;
        // A mod's own call was an event already when it called `$.tool.call`.
        if call.caller.is_some() || !inner.mods.hears("tool.call") {
            return execute.run().await.map_err(unanswered);
        }
        let begun = inner.begun.lock().remove(&call.id);
        let (answer, core) = match begun {
            Some(begun) => begun.go_on(execute).await,
            None => self.begin(call, execute).await,
        };
        inner.desk.flush().await;
        Ok(match answer {
            Ok(answer) => outcome_of(&answer, &core.ran.lock(), inner.profile.error_flag.as_ref().map(|fact| fact.is)),
            Err(fault) => failed(&fault.message),
        })
    }
}

impl Calls {
    async fn begin(&self, call: &LoggedCall, execute: Execution) -> (Result<Value, Fault>, Arc<CallCore>) {
        let inner = &self.0;
        let event = event(&call.tool, &call.id, call.agent_id.as_deref(), &call.input);
        // Nobody changes it: it is ready from the start.
        let (_, ready) = watch::channel(Some(execute));
        let core = Arc::new(CallCore {
            inner: inner.clone(),
            ready,
            reached: Mutex::new(None),
            event: event.clone(),
            ran: Mutex::default(),
            corrected: OnceLock::new(),
        });
        let dispatch = Dispatch::new(&inner.mods, "tool.call", Origin::engine(), Path::default(), core.clone());
        // Set once, before anything runs.
        let _ = core.corrected.set(dispatch.corrected().clone());
        (dispatch.run(0, event).await, core)
    }
}

fn unanswered(error: ExecuteError) -> ContributorError {
    ContributorError::new("call-unanswered", error.to_string())
}

fn failed(text: &str) -> ToolOutcome {
    ToolOutcome {
        result: serde_json::Value::String(text.to_string()),
        text: Some(text.to_string()),
        is_error: true,
        ..ToolOutcome::default()
    }
}

/// The event of a call: its arguments are spread beside the tool's name.
pub(super) fn event(tool: &str, id: &str, agent: Option<&str>, input: &serde_json::Value) -> Value {
    let envelope = [("tool", Value::text(tool)), ("tool_use_id", Value::text(id))];
    let agent = agent.map(|agent| ("agentId", Value::text(agent)));
    let arguments = input.as_object().into_iter().flatten();
    let arguments = arguments.filter(|(key, _)| !ENVELOPE.contains(&key.as_str()));
    let fields = envelope.into_iter().chain(agent).map(|(key, value)| (key.to_string(), value));
    Value::object(fields.chain(arguments.map(|(key, value)| (key.clone(), Value::from(value)))))
}

/// What the event's answer makes of the call.
fn outcome_of(answer: &Value, ran: &[ToolOutcome], flag: Option<ErrorFlag>) -> ToolOutcome {
    if let Some(reason) = answer.str_at("deny") {
        return ToolOutcome::denied(reason);
    }
    // `ref` names a run of this call: what a mod did not touch stays as the tool gave it.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small index; others find nothing")]
    let base = answer.get("ref").and_then(Value::as_f64).and_then(|at| ran.get(at as usize));
    let mut outcome = base.cloned().unwrap_or_default();
    let result = answer.get("result").map(Value::to_json_lossy).unwrap_or_default();
    let is_same = base.is_some_and(|base| shown_result(base).to_json_lossy() == result);
    if !is_same {
        outcome.result = result;
    }
    let text = answer.str_at("text");
    // A text that belongs to another result says nothing about this one; the tool makes its own.
    let is_stale = !is_same && base.is_some_and(|base| base.text.as_deref() == text);
    outcome.text = text.filter(|_| !is_stale).map(str::to_string);
    outcome.is_error = match flag {
        Some(ErrorFlag::Ignored) if !ran.is_empty() => is_same && base.is_some_and(|base| base.is_error),
        _ => answer.get("isError").and_then(Value::as_bool).unwrap_or(false),
    };
    outcome.context = convert::texts(answer.get("context"));
    if !outcome.is_error {
        outcome.deny = None;
    }
    outcome
}

fn shown_result(outcome: &ToolOutcome) -> Value {
    match &outcome.deny {
        Some(reason) => Value::from(format!("Error: {reason}")),
        None => Value::from(&outcome.result),
    }
}

/// Beneath the mods: the one execution of the call.
pub(super) struct CallCore {
    pub(super) inner: Arc<Inner>,
    /// What runs the call, once it is committed; its sender goes away where it never will be.
    pub(super) ready: watch::Receiver<Option<Execution>>,
    /// Is told what came down first.
    pub(super) reached: Mutex<Option<oneshot::Sender<Value>>>,
    /// The call as the hooks were given it.
    pub(super) event: Value,
    pub(super) ran: Mutex<Vec<ToolOutcome>>,
    /// Who changed the call on its way, where grants allow it.
    pub(super) corrected: OnceLock<Arc<Corrected>>,
}

/// How long the hooks of a refused call are waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

impl CallCore {
    /// What runs the call, once it may run.
    async fn execution(&self) -> Result<Execution, Fault> {
        let mut ready = self.ready.clone();
        let handed = ready.wait_for(Option::is_some).await.ok().and_then(|handed| handed.clone());
        handed.ok_or_else(|| Fault::hooks("the call was refused before it ran"))
    }

    async fn run(&self, execute: &Execution, reached: &Value) -> Result<ToolOutcome, ExecuteError> {
        let retry = self.corrected.get().and_then(|corrected| corrected.retry());
        let call = execute.call();
        if *reached == event(&call.tool, &call.id, call.agent_id.as_deref(), &call.input) {
            return match retry {
                Some(by) => execute.run_as(&by, &call.tool, call.input.clone()).await,
                None => execute.run().await,
            };
        }
        let way = self.corrected.get().map(|corrected| corrected.way(&self.event, reached)).unwrap_or_default();
        let by = joined(&way).unwrap_or_else(|| "mods".into());
        // They are known before permission is decided again.
        self.inner.corrected.lock().entry(call.id.clone()).or_default().extend(way);
        let tool = reached.str_at("tool").unwrap_or_default();
        execute.run_as(&by, tool, arguments(reached)).await
    }
}

impl Core for CallCore {
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async move {
            let handed = self.ready.borrow().clone();
            let starting = handed.map(|execute| execute.about_to_run());
            // Reports on the way down stand before what runs.
            self.inner.desk.flush().await;
            if let Some(reached) = self.reached.lock().take() {
                // Whoever waited for it may have left.
                let _ = reached.send(raised.input.clone());
            }
            let execute = self.execution().await?;
            let mut running = Box::pin(self.run(&execute, &raised.input));
            let begun = futures_util::poll!(running.as_mut());
            drop(starting);
            let outcome = match begun {
                Poll::Ready(outcome) => outcome,
                Poll::Pending => running.await,
            };
            let outcome = outcome.map_err(|error| Fault::hooks(error.to_string()))?;
            let mut ran = self.ran.lock();
            ran.push(outcome.clone());
            Ok(answer_of(&outcome, Some(ran.len() - 1)))
        })
    }
}

/// A call's arguments out of its event.
pub(super) fn arguments(event: &Value) -> serde_json::Value {
    let fields = event.as_object().into_iter().flatten().filter(|(key, _)| !ENVELOPE.contains(&&***key));
    Value::object(fields.map(|(key, value)| (key.clone(), value.clone()))).to_json_lossy()
}

/// How mods see what came of an execution; `at` is its number, by which `ref` names it.
pub(super) fn answer_of(outcome: &ToolOutcome, at: Option<usize>) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "a small index")]
    let number = at.map(|at| ("ref", Value::from(at as f64)));
    let mut answer = Value::object(number.into_iter().chain([("result", shown_result(outcome))]));
    if let Some(text) = outcome.deny.as_ref().or(outcome.text.as_ref()) {
        answer = answer.with("text", Value::text(text));
    }
    if outcome.is_error || outcome.deny.is_some() {
        answer = answer.with("isError", Value::Bool(true));
    }
    if !outcome.context.is_empty() {
        answer = answer.with("context", Value::list(outcome.context.iter().map(Value::text)));
    }
    answer
}

pub(super) struct Checks(pub(super) Arc<Inner>);

#[async_trait]
impl Authorization for Checks {
    async fn authorize(
        &self,
        request: &AuthorizationRequest,
        so_far: Verdict,
        _session: &SessionHandle,
    ) -> Result<Verdict, ContributorError> {
        let inner = &self.0;
        // Without a call it is a mod's own question, and that was an event already.
        let Some(id) = request.call_id.as_ref().filter(|_| inner.mods.hears("tool.check")) else { return Ok(so_far) };
        let event = Value::object([
            ("tool", Value::text(&request.tool)),
            ("input", Value::from(&request.input)),
            ("tool_use_id", Value::text(id)),
        ]);
        let agent = request.agent_id.as_deref();
        let event = agent.map_or(event.clone(), |agent| event.with("agentId", Value::text(agent)));
        let given = verdict_value(&so_far);
        let core = Echo::new(move |_| given.clone());
        let bound: Vec<String> = inner.corrected.lock().get(id).into_iter().flatten().cloned().collect();
        let asked = inner.asked.lock().get(id).cloned();
        let (origin, path) = asked.unwrap_or_else(|| (Origin::engine(), Path::default()));
        let dispatch = Dispatch::new(&inner.mods, "tool.check", origin, path, core);
        let dispatch = dispatch.binding(bound.into());
        let answer = dispatch.run(0, event).await;
        inner.desk.flush().await;
        // Who made the verdict what it is; where only its words changed, whoever had a part in it.
        let by = dispatch.decided().map_or_else(|| dispatch.returned(), |name| vec![name]);
        let Ok(answer) = answer else { return Ok(so_far) };
        let decision = match answer.str_at("decision") {
            Some("allow") => Decision::Allow,
            Some("ask") => Decision::Ask,
            Some("deny") => Decision::Deny,
            _ => return Ok(so_far),
        };
        let reason = answer.str_at("reason").unwrap_or_default().to_string();
        if decision == so_far.decision && reason == so_far.reason {
            return Ok(so_far);
        }
        let source = format!("mod:{}", joined(&by).unwrap_or_else(|| "mods".into()));
        Ok(Verdict { decision, rule: answer.str_at("rule").map(str::to_string), source, reason })
    }
}

/// A verdict as the event has it.
pub(super) fn verdict_value(verdict: &Verdict) -> Value {
    let decision = match verdict.decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    };
    let answer = Value::object([("decision", Value::text(decision)), ("reason", Value::text(&verdict.reason))]);
    match &verdict.rule {
        Some(rule) => answer.with("rule", Value::text(rule)),
        None => answer,
    }
}
