//! What a hook answers.

use modgate_value::Value;

use super::{Code, Refusal, defined, own};
use crate::event::Event;
use crate::shape::Fault;

/// Checks an answer, and gives it as the hook above will see it: some events rebuild it.
///
/// `input` is the event as it reached the mod; `beneath` is what `next` gave last, `None` while it was not called.
///
/// # Errors
/// No answer, an answer of another shape, an answer that refuses what has already happened.
pub fn answer(event: &Event, input: &Value, beneath: Option<&Value>, answer: &Value) -> Result<Value, Refusal> {
    if answer.is_undefined() {
        return Err(Refusal::new(
            Code::NoAnswer,
            format!("returned nothing: a {} hook answers, or returns next(e)", event.name),
        ));
    }
    if beneath.is_some()
        && let Some(late) = event.before_next.iter().find(|field| defined(answer, field).is_some())
    {
        let message = format!("returned {{ {late} }} after next(): it has already happened beneath");
        return Err(Refusal::new(Code::TooLate, message).at(*late));
    }
    let answer = own::before(event.name, input, beneath, answer)?;
    event.answer().check(Some(&answer)).map_err(|fault| misshapen(event, fault))?;
    own::after(event.name, input, beneath, answer)
}

/// The refusal of an answer that is not of the event's shape.
pub(super) fn misshapen(event: &Event, fault: Fault) -> Refusal {
    let wanted = event.answer();
    let mut refusal = Refusal::fault(Code::Answer, "returned an answer the event does not take: ", fault);
    refusal.message.push_str(&format!("; {} answers {wanted}", event.name));
    refusal
}
