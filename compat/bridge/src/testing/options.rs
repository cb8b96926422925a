//! The options that `register` gets: the manifest's `userConfig` with defaults, and what a test lays over it.

use modgate_engine::Fault;
use modgate_value::{Map, Value};
use serde_json::Value as Json;

/// Every declared field with its default (one without is the empty text, whatever its kind), then given values that
/// no field declares. A mod that declares no field has no options.
///
/// # Errors
/// A value of another kind than its field or outside of its bounds, or a required one that is missing, named by the field's
/// title.
pub(crate) fn values(manifest: &Json, given: &Value) -> Result<Value, Fault> {
    let Some(declared) = manifest.get("userConfig").and_then(Json::as_object).filter(|fields| !fields.is_empty())
    else {
        return Ok(Value::object::<&str>([]));
    };
    for (name, field) in declared.iter().filter(|(_, field)| field.get("default").is_some()) {
        check(name, field, &default(field))?;
    }
    let mut values: Map = declared.iter().map(|(name, field)| (name.as_str().into(), default(field))).collect();
    // A value of undefined is none.
    let given = given.as_object().into_iter().flatten().filter(|(_, value)| !value.is_undefined());
    for (name, value) in given {
        match declared.get(&**name) {
            // What is none of the declared choices counts as unset.
            Some(field) if !is_offered(field, value) => {}
            Some(field) => {
                check(name, field, value)?;
                values.insert(name.clone(), value.clone());
            }
            None => drop(values.insert(name.clone(), value.clone())),
        }
    }
    let is_set = |name: &str| values.get(name).is_some_and(|value| value.as_str() != Some(""));
    let missing = declared
        .iter()
        .find(|(name, field)| field.get("required").and_then(Json::as_bool) == Some(true) && !is_set(name));
    match missing {
        Some((name, field)) => Err(Fault::hooks(format!("option {:?} ({name}) is required", title(name, field)))),
        None => Ok(Value::from(values)),
    }
}

fn title<'a>(name: &'a str, field: &'a Json) -> &'a str {
    field.get("title").and_then(Json::as_str).unwrap_or(name)
}

fn kind(field: &Json) -> &str {
    field.get("type").and_then(Json::as_str).unwrap_or("string")
}

fn default(field: &Json) -> Value {
    field.get("default").map_or_else(|| Value::text(""), Value::from)
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
    let title = title(name, field);
    if !fits {
        return Err(Fault::hooks(format!("option {title:?} ({name}) takes a {}, not a {}", kind(field), value.kind())));
    }
    let bound = |name: &str| field.get(name).and_then(Json::as_f64);
    let number = value.as_f64().unwrap_or_default();
    if kind(field) == "number" {
        if let Some(least) = bound("min").filter(|least| number < *least) {
            return Err(Fault::hooks(format!("option {title:?} ({name}) is at least {least}")));
        }
        if let Some(most) = bound("max").filter(|most| number > *most) {
            return Err(Fault::hooks(format!("option {title:?} ({name}) is at most {most}")));
        }
    }
    Ok(())
}

fn is_offered(field: &Json, value: &Value) -> bool {
    let Some(offered) = field.get("options").and_then(Json::as_array) else { return true };
    let is_one = |text: &str| {
        offered.iter().any(|option| option.as_str().or_else(|| option.get("value")?.as_str()) == Some(text))
    };
    let is_list = field.get("multiple").and_then(Json::as_bool).unwrap_or(false);
    match value.as_array() {
        Some(list) if is_list => list.iter().all(|item| item.as_str().is_some_and(is_one)),
        _ => value.as_str().is_some_and(is_one),
    }
}
