//! Which tip is shown.

use modgate_value::Value;

use super::next::wrong;
use super::own::only;
use super::{Code, Refusal, defined};

fn offered(input: &Value) -> Vec<Value> {
    input.get("candidates").and_then(Value::as_array).map(<[Value]>::to_vec).unwrap_or_default()
}

/// Fewer candidates, or in another order; what else is passed does not count.
pub(super) fn candidates(original: &Value, input: &Value) -> Result<Value, Refusal> {
    let mut left = offered(original);
    for candidate in offered(input) {
        let Some(at) = left.iter().position(|other| *other == candidate) else {
            return Err(wrong("candidates", "candidates that are not some of its own", input.get("candidates")));
        };
        left.swap_remove(at);
    }
    Ok(only(input, &["candidates"]))
}

/// The name of a candidate, a tip of the mod's own, or none.
pub(super) fn chosen(input: &Value, answer: &Value) -> Result<Value, Refusal> {
    let id = answer.str_at("id");
    if defined(answer, "text").is_none() {
        let is_known = |id: &str| offered(input).iter().any(|candidate| candidate.str_at("id") == Some(id));
        return match id {
            Some(id) if !is_known(id) => {
                Err(Refusal::new(Code::Answer, format!("returned the tip {id:?}, which is no candidate")).at("id"))
            }
            _ => Ok(only(answer, &["id"])),
        };
    }
    let is_name = |id: &str| {
        (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    if !id.is_some_and(is_name) {
        return Err(Refusal::new(Code::Answer, "returned a tip without a name of letters, digits, . _ or -").at("id"));
    }
    if answer.str_at("text").is_some_and(|text| text.encode_utf16().count() > 500) {
        return Err(Refusal::new(Code::Answer, "returned a tip of more than 500 characters").at("text"));
    }
    Ok(only(answer, &["id", "text", "label"]))
}
