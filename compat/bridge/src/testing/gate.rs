//! What the engine does with a tool call once the mods have passed it on: `classic.PreToolUse`, `tool.check`, the tool.

use std::sync::Arc;

use modgate_engine::{Boxed, Fault};
use modgate_value::Value;

use crate::chain::{Core, Gate, Raised, Rest};
use crate::mods::Mods;

/// The name under which a test's own hooks are seated.
pub(super) const TEST: &str = "test";

/// The checks before a tool.
pub(super) struct Checks;

impl Gate for Checks {
    fn concerns(&self, event: &str) -> bool {
        event == "tool.call"
    }

    fn pass(self: Arc<Self>, raised: Raised, rest: Rest) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async move {
            let mods = rest.mods().clone();
            match check(&mods, &raised).await? {
                Ok(input) => rest.run(input).await,
                Err(text) => Ok(failed(&text)),
            }
        })
    }
}

/// No settings hook has anything to say.
struct NoSettings;

impl Core for NoSettings {
    fn answer(self: Arc<Self>, _raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async { Ok(Value::object::<&str>([])) })
    }
}

/// How a refused call looks to the mods above.
fn failed(text: &str) -> Value {
    Value::object([
        ("isError", Value::Bool(true)),
        ("text", Value::text(text)),
        ("result", Value::from(format!("Error: {text}"))),
        ("ref", Value::from(0)),
    ])
}

/// The input to go on with, or why the call is refused.
async fn check(mods: &Arc<Mods>, raised: &Raised) -> Result<Result<Value, String>, Fault> {
    // Both are raised for whoever called.
    let (origin, path) = (&raised.origin, &raised.path);
    let pre = mods
        .raise_over("classic.PreToolUse", raised.input.clone(), origin.clone(), path.clone(), Arc::new(NoSettings))
        .await?;
    if let Some(reason) = pre.str_at("deny") {
        return Ok(Err(reason.to_string()));
    }
    let input = match pre.get("updatedInput") {
        Some(updated) if updated.as_object().is_some() => updated_input(&raised.input, updated),
        _ => raised.input.clone(),
    };
    let check = Value::object([
        ("tool", input.get("tool").cloned().unwrap_or_default()),
        ("input", arguments(&input)),
        ("tool_use_id", input.get("tool_use_id").cloned().unwrap_or_default()),
    ]);
    let beneath = Arc::new(Verdict { pre: verdict_of(&pre), core: mods.core.clone() });
    let (verdict, judge) = mods.raise_judged("tool.check", check, origin.clone(), path.clone(), beneath).await?;
    let reason = verdict.str_at("reason").unwrap_or("no reason given");
    // A stub of the test stands for the host's own rules, which speak in their own words.
    let judge = judge.filter(|judge| judge != TEST);
    let text = judge.map_or_else(|| reason.to_string(), |judge| format!("{judge}: {reason}"));
    match verdict.str_at("decision") {
        Some("deny") => Ok(Err(text)),
        Some("ask") => Ok(Err(format!("{text} (nobody is there to be asked)"))),
        _ => Ok(Ok(input)),
    }
}

/// The verdict that the mods get from beneath where nobody else gives one: what a settings hook said before, or yes.
fn verdict_of(pre: &Value) -> Option<Value> {
    let hook = ("hook", Value::text("PreToolUse"));
    if let Some(reason) = pre.str_at("ask") {
        return Some(Value::object([("decision", Value::text("ask")), ("reason", Value::text(reason)), hook]));
    }
    let allows = pre.get("allow").and_then(Value::as_bool) == Some(true);
    allows.then(|| Value::object([("decision", Value::text("allow")), hook]))
}

/// The verdict beneath the mods.
struct Verdict {
    pre: Option<Value>,
    core: Arc<dyn Core>,
}

impl Core for Verdict {
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        match &self.pre {
            Some(pre) => {
                let pre = pre.clone();
                Box::pin(async move { Ok(pre) })
            }
            None => Box::pin(async move {
                match self.core.clone().answer(raised).await {
                    Err(fault) if fault.code == Some("no-implementation") => {
                        Ok(Value::object([("decision", Value::text("allow"))]))
                    }
                    answer => answer,
                }
            }),
        }
    }
}

const ENVELOPE: [&str; 3] = ["tool", "tool_use_id", "agentId"];

/// A call's arguments in one object.
fn arguments(call: &Value) -> Value {
    Value::object(
        call.as_object()
            .into_iter()
            .flatten()
            .filter(|(key, _)| !ENVELOPE.contains(&&***key))
            .map(|(key, value)| (key.clone(), value.clone())),
    )
}

fn updated_input(call: &Value, updated: &Value) -> Value {
    let envelope = call.as_object().into_iter().flatten().filter(|(key, _)| ENVELOPE.contains(&&***key));
    let fields = updated.as_object().into_iter().flatten();
    Value::object(envelope.chain(fields).map(|(key, value)| (key.clone(), value.clone())))
}
