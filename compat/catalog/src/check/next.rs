//! What a hook passes to `next`.

use modgate_value::Value;

use super::{Code, Refusal, defined, own};
use crate::event::Event;
use crate::shape::check_field;

pub(super) const LEAD: &str = "next() passed an argument with ";

/// Checks what a hook passed to `next` against the event it was given.
///
/// Fields nobody knows are taken. A pinned field has to hold what the event held; some may be left out and are put back.
///
/// # Errors
/// No argument (anything but an object), a changed pinned field, a field that is missing or of the wrong kind.
pub fn next_input(event: &Event, original: &Value, passed: &Value) -> Result<Value, Refusal> {
    if !matches!(passed, Value::Object(_)) {
        return Err(Refusal::new(
            Code::NoArgument,
            "next() takes the event's argument: next(e) passes it on, next({ ...e, field }) rewrites it",
        ));
    }
    let mut input = passed.clone();
    for field in event.fields().iter().filter(|field| !field.is_rest()) {
        let (before, now) = (defined(original, field.name), defined(passed, field.name));
        match (before, now) {
            (_, None) if field.put_back => {
                if let Some(before) = original.get(field.name) {
                    input = input.with(field.name, before.clone());
                }
            }
            _ if field.pinned => pinned(field.name, before, now)?,
            // An agent's prompt is looked at only where a hook changes it; other events refuse what was missing before.
            _ if event.name == "agent.spawn" && before == now => {}
            _ if field.checked => check_field(field, passed.get(field.name), &mut String::new())
                .map_err(|fault| Refusal::fault(Code::Input, LEAD, fault))?,
            _ => {}
        }
    }
    own::input(event.name, original, input)
}

/// A pinned field has to hold what it held.
pub(super) fn pinned(path: &str, before: Option<&Value>, now: Option<&Value>) -> Result<(), Refusal> {
    if before == now {
        return Ok(());
    }
    Err(Refusal {
        code: Code::Pinned,
        message: format!("{LEAD}a changed {path} (it is pinned: next({{ ...e, field }}) keeps it)"),
        path: Some(path.to_owned()),
        old: before.cloned(),
        new: now.cloned(),
    })
}

/// A field that is not what the event takes, in words.
pub(super) fn wrong(path: &str, wanted: &str, found: Option<&Value>) -> Refusal {
    let mut refusal = Refusal::new(Code::Input, format!("{LEAD}{wanted}")).at(path);
    refusal.new = found.cloned();
    refusal
}
