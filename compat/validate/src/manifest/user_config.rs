//! `userConfig`: options a person sets.

use crate::found::Found;
use crate::json::{Entry, Json, Value};
use crate::report::OptionFact;
use crate::rules::user_config;
use crate::text::Text;

const KINDS: [&str; 5] = ["string", "number", "boolean", "directory", "file"];
const KEYS: [&str; 10] =
    ["default", "description", "max", "min", "multiple", "options", "required", "sensitive", "title", "type"];

pub(super) fn read(found: &mut Found, text: &Text, json: &Json) -> Vec<OptionFact> {
    let Some(config) = json.get("userConfig") else { return Vec::new() };
    let Some(entries) = config.entries() else {
        user_config::report(
            found,
            text,
            (config.start, config.end),
            format!("userConfig is {} and should be an object", config.kind()),
        );
        return Vec::new();
    };
    entries.iter().filter_map(|entry| option(found, text, entry)).collect()
}

fn option(found: &mut Found, text: &Text, entry: &Entry) -> Option<OptionFact> {
    let key_at = (entry.start, entry.end);
    let key = entry.key.as_str();
    let named = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    if !named {
        user_config::report(
            found,
            text,
            key_at,
            format!("{key:?} is no option name: letters, digits and _, no digit in front"),
        );
    }
    let value = &entry.value;
    if value.entries().is_none() {
        user_config::report(
            found,
            text,
            (value.start, value.end),
            format!("option {key} is {} and should be an object", value.kind()),
        );
        return None;
    }
    for part in ["title", "description"] {
        match value.get(part) {
            Some(given) if given.text().is_some() => {}
            Some(given) => user_config::report(
                found,
                text,
                (given.start, given.end),
                format!("{part} of option {key} is {} and should be a text", given.kind()),
            ),
            None => user_config::report(found, text, key_at, format!("option {key} has no {part}")),
        }
    }
    for unknown in value.entries().unwrap_or_default().iter().filter(|part| !KEYS.contains(&part.key.as_str())) {
        user_config::report(
            found,
            text,
            (unknown.start, unknown.end),
            format!("{:?} is nothing an option has", unknown.key),
        );
    }
    let kind = value.get("type").and_then(Json::text).filter(|kind| KINDS.contains(kind));
    if kind.is_none() {
        let at = value.get("type").map_or(key_at, |kind| (kind.start, kind.end));
        user_config::report(found, text, at, format!("type of option {key} is one of {}", KINDS.join(", ")));
    }
    values(found, text, value, key);
    choices(found, text, value, key, kind);
    let flag = |name: &str| value.get(name).and_then(Json::bool) == Some(true);
    Some(OptionFact {
        name: key.to_owned(),
        kind: kind.unwrap_or_default().to_owned(),
        required: flag("required"),
        sensitive: flag("sensitive"),
        at: text.location(entry.start, entry.end),
    })
}

/// What flags, limits and defaults are.
fn values(found: &mut Found, text: &Text, option: &Json, key: &str) {
    let is_default = |value: &Json| match &value.value {
        Value::Array(items) => items.iter().all(|item| item.text().is_some()),
        Value::Object(_) | Value::Null => false,
        _ => true,
    };
    let is_flag = |value: &Json| value.bool().is_some();
    let is_number = |value: &Json| matches!(value.value, Value::Number(_));
    type Fits<'a> = &'a dyn Fn(&Json) -> bool;
    let parts: [(&str, Fits<'_>, &str); 6] = [
        ("default", &is_default, "a text, a number, true or false, or a list of texts"),
        ("max", &is_number, "a number"),
        ("min", &is_number, "a number"),
        ("multiple", &is_flag, "true or false"),
        ("required", &is_flag, "true or false"),
        ("sensitive", &is_flag, "true or false"),
    ];
    for (part, fits, what) in parts {
        if let Some(given) = option.get(part).filter(|given| !fits(given)) {
            let message = format!("{part} of option {key} is {} and should be {what}", given.kind());
            user_config::report(found, text, (given.start, given.end), message);
        }
    }
}

/// `options`: the values a text option may have.
fn choices(found: &mut Found, text: &Text, value: &Json, key: &str, kind: Option<&str>) {
    let Some(options) = value.get("options") else { return };
    let at = (options.start, options.end);
    let flag = |name: &str| value.get(name).and_then(Json::bool) == Some(true);
    let Some(items) = options.list() else {
        return user_config::report(
            found,
            text,
            at,
            format!("options of option {key} is {} and should be a list", options.kind()),
        );
    };
    for item in items.iter().filter(|item| item.text().is_none()) {
        user_config::report(
            found,
            text,
            (item.start, item.end),
            format!("a value of option {key} is {} and should be a text", item.kind()),
        );
    }
    if items.is_empty() {
        user_config::report(found, text, at, format!("option {key} has an empty list of values"));
    }
    if kind.is_some_and(|kind| kind != "string") || flag("multiple") || flag("sensitive") {
        user_config::report(
            found,
            text,
            at,
            format!("only a single, not sensitive string can have a list of values; {key} is none"),
        );
    }
    match value.get("default") {
        None if !flag("required") => {
            user_config::report(
                found,
                text,
                at,
                format!("option {key} has a list of values, so it needs a default among them, or required: true"),
            );
        }
        Some(default) if !items.iter().any(|item| item.text().is_some() && item.text() == default.text()) => {
            user_config::report(
                found,
                text,
                (default.start, default.end),
                format!("the default of option {key} is not among its values"),
            );
        }
        _ => {}
    }
}
