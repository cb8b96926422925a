//! Rules of the calls that tell something: to a model, to another session, to whoever counts.

use modgate_value::{Map, Value};

use super::{check, defined, fault};
use crate::shape::Fault;

fn object(value: Option<Value>, wanted: &str) -> Result<Value, Fault> {
    check(value, |value| matches!(value, Value::Object(_)), wanted)
}

fn picked(given: &Value, fields: &[&str]) -> Map {
    let held = fields.iter().filter_map(|field| Some(((*field).into(), defined(given, field)?.clone())));
    held.collect()
}

/// An entry of a log: whom it is for, and of the rest what is known.
pub(super) fn entry(value: Option<Value>) -> Result<Value, Fault> {
    let given = object(value, "an entry, { to?, event?, props? }")?;
    let mut made = picked(&given, &["to", "event", "props", "attributes"]);
    match made.get("to").map(Value::as_str) {
        None => drop(made.insert("to".into(), Value::text("anthropic"))),
        Some(Some("anthropic" | "collector")) => {}
        Some(_) => return Err(fault("to", "anthropic or collector", made.get("to").cloned())),
    }
    Ok(Value::from(made))
}

/// That a feature was used.
pub(super) fn mark(value: Option<Value>) -> Result<Value, Fault> {
    let given = object(value, "an entry, { feature, kind, reason?, props? }")?;
    Ok(Value::from(picked(&given, &["feature", "kind", "reason", "props"])))
}

/// The address of a session or an agent, as text.
pub(super) fn to(value: Option<Value>) -> Result<Value, Fault> {
    let address = match &value {
        Some(Value::Object(_)) => {
            let key = |key: &str| value.as_ref().and_then(|value| value.get(key)).cloned();
            // Both keys, whatever they hold, are no address.
            match (key("sessionId"), key("agentId")) {
                (Some(_), Some(_)) => value.clone(),
                (session, agent) => session.or(agent),
            }
        }
        other => other.clone(),
    };
    check(
        address,
        |value| value.as_str().is_some_and(|to| !to.trim().is_empty()),
        "an address: a text, { sessionId } or { agentId }",
    )
}

/// What a model is asked: texts, and beside them the blocks where there are any.
pub(super) fn complete(value: Option<Value>) -> Result<Value, Fault> {
    let given = object(value, "{ model, prompt, system?, maxTokens? }")?;
    check(given.get("model").cloned(), |model| model.as_str().is_some(), "a string")
        .map_err(|fault| under("model", fault))?;
    let prompt = given.get("prompt").cloned().unwrap_or_default();
    let rest = given
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| !matches!(&***key, "prompt" | "system" | "promptBlocks" | "systemBlocks"));
    let mut made: Map = rest.map(|(key, value)| (key.clone(), value.clone())).collect();
    put(&mut made, "prompt", "promptBlocks", prompt)?;
    if let Some(system) = given.get("system").filter(|system| !is_falsy(system)) {
        put(&mut made, "system", "systemBlocks", system.clone())?;
    }
    Ok(Value::from(made))
}

/// What counts as no system prompt.
fn is_falsy(value: &Value) -> bool {
    match value {
        Value::Bool(value) => !value,
        Value::Number(number) => *number == 0.0 || number.is_nan(),
        Value::String(text) => text.is_empty(),
        other => other.is_nullish(),
    }
}

fn put(made: &mut Map, field: &'static str, blocks: &'static str, value: Value) -> Result<(), Fault> {
    let Value::Array(list) = &value else {
        let text = check(Some(value), |value| value.as_str().is_some(), "a string or a list of { text, cache? }");
        made.insert(field.into(), text.map_err(|fault| under(field, fault))?);
        return Ok(());
    };
    let mut text = String::new();
    for (at, block) in list.iter().enumerate() {
        let is_cached = defined(block, "cache").is_none_or(|cache| cache.as_bool().is_some());
        match block.str_at("text").filter(|_| is_cached) {
            Some(part) => text.push_str(part),
            None => return Err(fault(&format!("{field}[{at}]"), "{ text, cache?: boolean }", Some(block.clone()))),
        }
    }
    made.insert(field.into(), Value::text(text));
    made.insert(blocks.into(), value);
    Ok(())
}

fn under(field: &str, fault: Fault) -> Fault {
    Fault { path: field.into(), ..fault }
}
