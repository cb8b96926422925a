//! The options that `register` gets: the manifest's `userConfig` with defaults, and what a test lays over it.

use modgate_engine::Fault;
use modgate_value::{Map, Value};
use serde_json::Value as Json;

/// Every declared field with its default (a text without one is empty), then the given values.
///
/// # Errors
/// A value of another kind than its field, named by the field's title.
pub(crate) fn values(manifest: &Json, given: &Value) -> Result<Value, Fault> {
    let mut values = Map::new();
    let declared = manifest.get("userConfig").and_then(Json::as_object);
    for (name, field) in declared.into_iter().flatten() {
        if let Some(default) = default(field) {
            values.insert(name.as_str().into(), default);
        }
    }
    // A value of undefined is none.
    let given = given.as_object().into_iter().flatten().filter(|(_, value)| !value.is_undefined());
    for (name, value) in given {
        match declared.and_then(|declared| declared.get(&**name)) {
            Some(field) => {
                check(name, field, value)?;
                if is_offered(field, value) {
                    values.insert(name.clone(), value.clone());
                }
            }
            None => {
                values.insert(name.clone(), value.clone());
            }
        }
    }
    Ok(Value::from(values))
}

fn kind(field: &Json) -> &str {
    field.get("type").and_then(Json::as_str).unwrap_or("string")
}

fn default(field: &Json) -> Option<Value> {
    match field.get("default") {
        Some(default) => Some(Value::from(default)),
        None => (kind(field) == "string").then(|| Value::text("")),
    }
}

fn check(name: &str, field: &Json, value: &Value) -> Result<(), Fault> {
    let is_list = field.get("multiple").and_then(Json::as_bool).unwrap_or(false);
    let fits = match kind(field) {
        // One text may stand for a list of it.
        _ if is_list => match value.as_array() {
            Some(list) => list.iter().all(|item| item.as_str().is_some()),
            None => value.as_str().is_some(),
        },
        "number" => value.as_f64().is_some(),
        "boolean" => value.as_bool().is_some(),
        _ => value.as_str().is_some(),
    };
    if fits {
        return Ok(());
    }
    let title = field.get("title").and_then(Json::as_str).unwrap_or(name);
    Err(Fault::hooks(format!("option {title:?} ({name}) takes a {}, not a {}", kind(field), value.kind())))
}

/// A value outside of the declared choices counts as unset.
fn is_offered(field: &Json, value: &Value) -> bool {
    let Some(offered) = field.get("options").and_then(Json::as_array) else { return true };
    let is_one = |text: &str| {
        offered.iter().any(|option| option.as_str().or_else(|| option.get("value")?.as_str()) == Some(text))
    };
    value.as_str().is_none_or(is_one)
}
