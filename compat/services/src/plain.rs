//! Values that outlive the isolate that made them.

use modgate_value::Value;

use crate::ServiceError;

/// Lists and objects in each other this deep, and no deeper. Readers of JSON stop at 128.
const DEEPEST: usize = 100;

/// The value as JSON gives it back, with its JSON.
///
/// # Errors
/// `undefined`, a big integer, a cycle, and a value nested too deeply.
pub(crate) fn as_json(call: &str, value: Option<&Value>) -> Result<serde_json::Value, ServiceError> {
    let value = value.filter(|value| !value.is_undefined());
    let value = value.ok_or_else(|| ServiceError::bad_input(call, "undefined is no value that JSON holds"))?;
    if too_deep(value, DEEPEST) {
        return Err(ServiceError::too_large(call, format_args!("a value nested more than {DEEPEST} deep")));
    }
    value.to_json().map_err(|error| ServiceError::bad_input(call, format_args!("JSON holds no {}", error.what)))
}

fn too_deep(value: &Value, left: usize) -> bool {
    match value {
        Value::Array(values) => left == 0 || values.iter().any(|value| too_deep(value, left - 1)),
        Value::Object(fields) => left == 0 || fields.values().any(|value| too_deep(value, left - 1)),
        _ => false,
    }
}

/// How many bytes the JSON of a value has.
pub(crate) fn json_size(value: &serde_json::Value) -> usize {
    value.to_string().len()
}
