//! What a hook passes to `next`.

use modgate_value::Value;

use super::{Code, Refusal, defined, own};
use crate::event::Event;
use crate::shape::{Field, check_field};

pub(super) const LEAD: &str = "next() passed an argument with ";

/// Checks what a hook passed to `next` against the event it was given.
///
/// Fields nobody knows are taken. A pinned field has to hold what the event held; some may be left out and are put back.
///
/// # Errors
/// No argument (anything but an object), a changed pinned field, a field that is missing or of the wrong kind.
pub fn next_input(event: &Event, original: &Value, passed: &Value) -> Result<Value, Refusal> {
    let Some(keys) = passed.as_object() else {
        return Err(Refusal::new(
            Code::NoArgument,
            "next() takes the event's argument: next(e) passes it on, next({ ...e, field }) rewrites it",
        ));
    };
    let mut input = passed.clone();
    for field in event.fields() {
        if field.is_rest() && field.pinned {
            // Whatever else the event holds, and whatever else is passed.
            let others = original.as_object().into_iter().flatten().chain(keys.iter());
            for (name, _) in others.filter(|(name, _)| event.field(name).is_none()) {
                input = pin(name, original, passed, input)?;
            }
        } else if !field.is_rest() {
            input = of_field(event, field, original, passed, input)?;
        }
    }
    own::input(event.name, original, passed, input)
}

fn of_field(event: &Event, field: &Field, original: &Value, passed: &Value, input: Value) -> Result<Value, Refusal> {
    let (before, now) = (defined(original, field.name), defined(passed, field.name));
    // A pinned field that is there, though it holds nothing, is not left out.
    let is_left_out = if field.pinned { passed.get(field.name).is_none() } else { now.is_none() };
    if field.put_back && is_left_out {
        return Ok(match original.get(field.name) {
            Some(before) => input.with(field.name, before.clone()),
            None => input,
        });
    }
    if field.pinned {
        return pin(field.name, original, passed, input);
    }
    // An agent's prompt is looked at only where a hook changes it; other events refuse what was missing before.
    let is_kept = event.name == "agent.spawn" && before == now;
    if field.checked && !is_kept {
        check_field(field, passed.get(field.name), &mut String::new())
            .map_err(|fault| Refusal::fault(Code::Input, LEAD, fault))?;
    }
    Ok(input)
}

/// A pinned field of the input. One that the event does not have is not there beneath, though it may hold undefined.
fn pin(name: &str, original: &Value, passed: &Value, input: Value) -> Result<Value, Refusal> {
    pinned(name, defined(original, name), defined(passed, name))?;
    Ok(if original.get(name).is_none() { input.without(name) } else { input })
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
