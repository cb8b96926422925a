//! Rules of the calls that change how things look: theme, painted text, keys of notifications.

use modgate_value::{Map, Value};

use super::{check, defined, fault};
use crate::shape::Fault;

const THEME: [&str; 5] = ["backdrop", "overrideColorScheme", "colors", "sound", "style"];
const BACKDROP: [&str; 4] = ["scene", "color", "gradient", "vector"];
const SOUND: [&str; 2] = ["ambience", "cues"];
const STYLE: [&str; 5] = ["Text", "Heading", "UserMessage", "AssistantMessage", "ToolUse"];

/// What a theme sets: something at least, and nothing unknown.
pub(super) fn theme(value: Option<Value>) -> Result<Value, Fault> {
    let given = check(value, is_object, "an object with some of backdrop, overrideColorScheme, colors, sound, style")?;
    let fields = given.as_object().into_iter().flatten();
    if let Some((key, _)) = fields.clone().find(|(key, _)| !THEME.contains(&&***key)) {
        return Err(fault(key, "an attribute that a theme has", Some(given.get(key).cloned().unwrap_or_default())));
    }
    let set: Map = fields.filter(|(_, value)| !value.is_undefined()).map(|(k, v)| (k.clone(), v.clone())).collect();
    if set.is_empty() {
        return Err(fault("", "at least one attribute; theme.clear() takes a theme away", Some(given)));
    }
    for (key, value) in &set {
        let (is_right, wanted) = match &**key {
            "overrideColorScheme" => (matches!(value.as_str(), Some("light" | "dark")), "light or dark"),
            "colors" => (is_object(value), "a palette, an object"),
            "backdrop" => (has_some(value, &BACKDROP), "a scene, a color, a gradient or a vector"),
            "sound" => (has_some(value, &SOUND), "ambience or cues"),
            _ => (has_some(value, &STYLE), "a style of Text, Heading, UserMessage, AssistantMessage or ToolUse"),
        };
        if !is_right {
            return Err(fault(key, wanted, Some(value.clone())));
        }
    }
    Ok(Value::from(set))
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Object(_))
}

fn has_some(value: &Value, keys: &[&str]) -> bool {
    is_object(value) && keys.iter().any(|key| defined(value, key).is_some())
}

/// Runs of the draft that are painted, and the draft for which they were made. Without a run the draft may be left out.
pub(super) fn paint(value: Option<Value>) -> Result<Value, Fault> {
    let given = value.unwrap_or_default();
    let runs = given.get("decorations").cloned();
    let runs = check(runs, |runs| runs.as_array().is_some(), "a list of { start, end } runs")?;
    let list = runs.as_array().unwrap_or_default();
    let text = defined(&given, "text");
    if text.is_some_and(|text| text.as_str().is_none()) || text.is_none() && !list.is_empty() {
        return Err(fault("text", "the draft the runs were made for", text.cloned()));
    }
    for (at, run) in list.iter().enumerate() {
        let place = |field: &str| format!("decorations[{at}]{}{field}", if field.is_empty() { "" } else { "." });
        if !is_object(run) {
            return Err(fault(&place(""), "an object with start and end", Some(run.clone())));
        }
        for field in ["start", "end"] {
            if run.get(field).and_then(Value::as_f64).is_none_or(|offset| offset.fract() != 0.0) {
                return Err(fault(&place(field), "a whole number", run.get(field).cloned()));
            }
        }
        for field in ["bold", "italic", "underline", "strikethrough", "dimColor", "inverse"] {
            if defined(run, field).is_some_and(|value| value.as_bool().is_none()) {
                return Err(fault(&place(field), "true or false", run.get(field).cloned()));
            }
        }
    }
    let text = text.map(|text| ("text", text.clone()));
    Ok(Value::object(text.into_iter().chain([("decorations", runs)])))
}

/// The agent whose transcript is looked at; nothing for the main conversation.
pub(super) fn view(value: Option<Value>) -> Result<Value, Fault> {
    let is_view = |value: &Value| {
        value.as_object().is_some_and(|fields| {
            fields.iter().all(|(key, value)| &**key == "agentId" && value.as_str().is_some_and(|id| !id.is_empty()))
        })
    };
    check(value, is_view, "{ agentId } or {}")
}

/// Names that every object has.
const OF_OBJECTS: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// The key of a notification.
pub(super) fn key(value: Option<Value>) -> Result<Value, Fault> {
    let is_key = |value: &Value| {
        value.as_str().is_some_and(|key| {
            (1..=64).contains(&key.encode_utf16().count())
                && key.trim() == key
                && !key.chars().any(is_hidden)
                && !OF_OBJECTS.contains(&key)
        })
    };
    check(value, is_key, "a key of 1 to 64 characters that can be seen")
}

fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
