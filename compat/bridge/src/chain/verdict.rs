//! Whose doing an outcome is, and what a call on a noun may be answered with.

use modgate_engine::Fault;
use modgate_value::Value;

use crate::mods::Origin;
use crate::plugin::Tier;

/// Whether the outcome is this answer's doing: it is another verdict than the one beneath, or a refusal of its own.
pub(super) fn decides(event: &str, given: Option<&Value>, answer: &Value) -> bool {
    let verdict = |value: &Value| value.str_at("decision").map(str::to_string);
    match event {
        "tool.check" => given.is_none_or(|given| verdict(given) != verdict(answer)),
        _ => given != Some(answer) && refuses(answer),
    }
}

/// Whether an answer is a refusal of its own.
fn refuses(answer: &Value) -> bool {
    answer.get("refuse").is_some() || matches!(answer.str_at("decision"), Some("deny" | "ask"))
}

/// A call on a noun of a mod is answered like any call.
pub(super) fn noun_answer(answer: &Value) -> Result<Value, Fault> {
    let has = |key: &str| answer.get(key).is_some();
    let denies = answer.str_at("deny").is_some();
    if has("value") != has("deny") && (has("value") || denies) {
        return Ok(answer.clone());
    }
    Err(Fault::hooks("a hook on a call answers { value } or { deny: text }"))
}

/// Whether an answer keeps a row from being stored. A mod's own row may be refused, in place of `next` and with a reason;
/// where that came from beneath, nothing is stored that an answer could go against. What the engine stores is stored.
pub(super) fn refuses_row(event: &str, origin: &Origin, beneath: Option<&Value>, answer: &Value) -> bool {
    let refuses = |answer: &Value| answer.str_at("deny").is_some_and(|reason| !reason.is_empty());
    event == "session.append" && origin.tier != Tier::Core && refuses(answer) && beneath.is_none_or(refuses)
}

/// The answer of a tool; only one that has failed says so.
pub(crate) fn without_success(answer: Value) -> Value {
    let is_plain = answer.get("isError").is_none_or(|failed| *failed == Value::Bool(true));
    if is_plain { answer } else { answer.without("isError") }
}
