//! What the engine does with a tool call once the mods have passed it on: `classic.PreToolUse`, `tool.check`, then
//! `tool.run` over the tool, for which a test's own hooks on `tool.call` stand.

use std::sync::Arc;
use std::time::Instant;

use modgate_engine::{Boxed, Fault};
use modgate_value::Value;
use parking_lot::Mutex;

use crate::chain::{Core, Dispatch, Gate, Raised, Rest, without_success};
use crate::mods::Mods;
use crate::plugin::Tier;

/// The name under which a test's own hooks are seated.
pub(super) const TEST: &str = "test";

/// What a call goes through. Where nobody hears any of it, the call is as if none of it were there.
const STEPS: [&str; 3] = ["classic.PreToolUse", "tool.check", "tool.run"];

/// The steps before a tool.
pub(super) struct Checks;

impl Gate for Checks {
    fn concerns(&self, event: &str) -> bool {
        event == "tool.call"
    }

    fn pass(self: Arc<Self>, raised: Raised, rest: Rest) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async move {
            let mods = rest.mods().clone();
            if !STEPS.iter().any(|step| mods.hears(step)) {
                return rest.run(raised.input).await;
            }
            let begun = Instant::now();
            let answer = match check(&mods, &raised).await {
                Ok(Ok(input)) => run(&mods, &raised, input, rest.clone().apart()).await,
                Ok(Err(text)) => Ok(refused(&text)),
                Err(fault) => Err(fault),
            };
            rest.did(begun, raised.input, &answer);
            answer
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

/// The record of a refused call, by its number: each call has one at most.
const RECORD: f64 = 1.0;

/// How a refused call looks to the mods above.
fn refused(text: &str) -> Value {
    Value::object([
        ("ref", Value::from(RECORD)),
        ("result", Value::from(format!("Error: {text}"))),
        ("text", Value::text(text)),
        ("isError", Value::Bool(true)),
    ])
}

/// What a mod gets of its own call whose answer is that record: why it was refused. Whoever changed the result on the way
/// up made an answer of his own.
pub(super) fn denied(answer: &Value) -> Option<Value> {
    let text = answer.str_at("result").and_then(|result| result.strip_prefix("Error: "))?;
    let is_record = answer.get("ref").and_then(Value::as_f64) == Some(RECORD);
    is_record.then(|| Value::object([("deny", Value::text(text))]))
}

/// Runs the tool beneath `tool.run`.
async fn run(mods: &Arc<Mods>, raised: &Raised, input: Value, rest: Rest) -> Result<Value, Fault> {
    let tool = Arc::new(Tool { rest, answer: Mutex::default() });
    let (origin, path) = (raised.origin.clone(), raised.path.clone());
    let answer = mods.raise_over("tool.run", input, origin, path, tool.clone()).await?;
    let of_tool = tool.answer.lock().take();
    let answer = without_success(answer);
    if of_tool.as_ref() == Some(&answer) {
        return Ok(answer);
    }
    Ok(match answer.str_at("deny") {
        // A hook kept the tool from running: it has failed.
        Some(text) => Value::object([
            ("isError", Value::Bool(true)),
            ("result", Value::from(format!("Error: {text}"))),
            ("text", Value::text(text)),
        ]),
        // Context comes of the tool; what hooks around it add stays with them.
        None => match of_tool.as_ref().and_then(|of_tool| of_tool.get("context")) {
            Some(context) => answer.without("context").with("context", context.clone()),
            None => answer.without("context"),
        },
    })
}

/// The tool: what a test's own hooks on `tool.call` make of the call.
struct Tool {
    rest: Rest,
    answer: Mutex<Option<Value>>,
}

impl Core for Tool {
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async move {
            let answer = self.rest.clone().run(raised.input).await?;
            *self.answer.lock() = Some(answer.clone());
            Ok(answer)
        })
    }
}

/// The input to go on with, or why the call is refused.
async fn check(mods: &Arc<Mods>, raised: &Raised) -> Result<Result<Value, String>, Fault> {
    // Both are raised for whoever called.
    let (origin, path) = (&raised.origin, &raised.path);
    let asked = rewritten(&raised.input, &arguments(&raised.input), &CALL);
    let before = Dispatch::new(mods, "classic.PreToolUse", origin.clone(), path.clone(), Arc::new(NoSettings));
    let pre = before.run(0, asked.clone()).await?;
    if let Some(reason) = pre.str_at("deny") {
        return Ok(Err(reason.to_string()));
    }
    // What a hook passed down counts, unless one says what the input is.
    let reached = before.reached().filter(|reached| *reached != asked);
    let input = match pre.get("updatedInput") {
        Some(updated) if updated.as_object().is_some() => rewritten(&raised.input, updated, &ENVELOPE),
        _ => match reached {
            Some(reached) => rewritten(&raised.input, &arguments(&reached), &ENVELOPE),
            None => raised.input.clone(),
        },
    };
    let field = |name: &'static str| Some((name, input.get(name)?.clone()));
    // A mod that asks a person changes nothing.
    let asks = raised.origin.tier != Tier::Core && input.str_at("tool") == Some("AskUserQuestion");
    let is_read_only = asks.then_some(("isReadOnly", Value::Bool(true)));
    let asked =
        [field("tool"), Some(("input", arguments(&input))), field("tool_use_id"), field("agentId"), is_read_only];
    let asked = Value::object(asked.into_iter().flatten());
    let beneath = Arc::new(Verdict { pre: verdict_of(&pre), core: mods.core.clone() });
    let asking = Dispatch::new(mods, "tool.check", origin.clone(), path.clone(), beneath);
    let verdict = asking.run(0, asked).await?;
    // A stub of the test stands for the host's own rules, which speak in their own words.
    let judge = asking.decided().filter(|judge| judge != TEST);
    let text = match (judge, verdict.str_at("reason")) {
        (Some(judge), Some(reason)) => format!("{judge}: {reason}"),
        (Some(judge), None) => judge,
        (None, Some(reason)) if !reason.is_empty() => reason.to_string(),
        (None, _) => {
            let rules = asking.innermost();
            rules.as_ref().and_then(|rules| rules.str_at("reason")).unwrap_or("no reason given").to_string()
        }
    };
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

/// What says which call it is.
const CALL: [&str; 2] = ["tool", "tool_use_id"];

/// What of a call is not an argument of its tool.
const ENVELOPE: [&str; 4] = ["tool", "tool_use_id", "agentId", "consent"];

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

/// Those arguments, then what the call holds beside its own.
fn rewritten(call: &Value, arguments: &Value, envelope: &[&str]) -> Value {
    let kept = envelope.iter().filter_map(|key| Some((Arc::from(*key), call.get(key)?.clone())));
    let fields = arguments.as_object().into_iter().flatten();
    Value::object(fields.map(|(key, value)| (key.clone(), value.clone())).chain(kept))
}
