//! What one prop may be.

use modgate_value::Value;

use super::{is_action, limits};

/// The kind of a prop, read from data/elements.toml.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Flag,
    Bool,
    String,
    Text,
    Some,
    Key,
    PlainKey,
    BoxKey,
    Number,
    AnyNumber,
    Cells,
    Length,
    Color,
    Border,
    Whole(f64, f64),
    Pixels,
    Handler,
    Options,
    Links,
    Hotkey,
    Action,
    HoverText,
    HoverBox,
    Image,
    Json,
    Words(Vec<&'static str>),
}

const BORDERS: [&str; 10] =
    ["single", "double", "round", "bold", "singleDouble", "doubleSingle", "classic", "arrow", "dashed", "quote"];

/// Most an offset, a margin or a size may be.
const MOST: f64 = 10_000.0;

impl Kind {
    pub(super) fn parse(text: &'static str) -> Option<Kind> {
        let text = text.trim_end_matches('!');
        Some(match text {
            "flag" => Kind::Flag,
            "bool" => Kind::Bool,
            "string" => Kind::String,
            "text" => Kind::Text,
            "some" => Kind::Some,
            "key" => Kind::Key,
            "plain-key" => Kind::PlainKey,
            "box-key" => Kind::BoxKey,
            "number" => Kind::Number,
            "any-number" => Kind::AnyNumber,
            "cells" => Kind::Cells,
            "length" => Kind::Length,
            "color" => Kind::Color,
            "border" => Kind::Border,
            "pixels" => Kind::Pixels,
            "handler" => Kind::Handler,
            "options" => Kind::Options,
            "links" => Kind::Links,
            "hotkey" => Kind::Hotkey,
            "action" => Kind::Action,
            "hover-text" => Kind::HoverText,
            "hover-box" => Kind::HoverBox,
            "image" => Kind::Image,
            "json" => Kind::Json,
            "above" | "dismiss" => Kind::Words(vec![text]),
            other => match other.strip_prefix("whole ") {
                Some(range) => {
                    let (from, to) = range.split_once(' ')?;
                    Kind::Whole(from.parse().ok()?, to.parse().ok()?)
                }
                None if other.contains(" | ") => Kind::Words(other.split(" | ").collect()),
                None => return None,
            },
        })
    }

    /// What the drawn tree shows for this prop: `None` when it is dropped.
    ///
    /// # Errors
    /// What the prop has to be.
    pub(super) fn take(&self, value: &Value) -> Result<Option<Value>, String> {
        let right = match self {
            Kind::BoxKey => return Ok(box_key(value)),
            Kind::Border => return border(value),
            Kind::Options => return options(value).map(Some),
            Kind::Flag => value.as_bool() == Some(true),
            Kind::Bool => value.as_bool().is_some(),
            Kind::String => value.as_str().is_some(),
            Kind::Text | Kind::Some | Kind::Key | Kind::PlainKey => return self.text(value),
            Kind::Number => value.as_f64().is_some_and(|number| number.abs() <= MOST),
            Kind::AnyNumber => value.as_f64().is_some(),
            Kind::Cells => is_cells(value),
            Kind::Length => is_length(value),
            Kind::Color => value.as_str().is_some_and(is_color),
            Kind::Whole(from, to) => {
                value.as_f64().is_some_and(|number| number.fract() == 0.0 && (*from..=*to).contains(&number))
            }
            Kind::Pixels => value.as_f64().is_some_and(|number| number > 0.0 && number <= 4096.0),
            Kind::Hotkey => value.as_str().is_some_and(is_hotkey),
            Kind::Action => value.as_str().is_some_and(is_action),
            Kind::Links => is_links(value),
            Kind::Words(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Kind::Handler | Kind::HoverText | Kind::HoverBox | Kind::Image => matches!(value, Value::Object(_)),
            Kind::Json => value.to_json().is_ok() && is_finite(value),
        };
        if right { Ok(Some(value.clone())) } else { Err(format!("must be {}", self.wanted())) }
    }

    fn text(&self, value: &Value) -> Result<Option<Value>, String> {
        let Some(text) = value.as_str() else { return Err(format!("must be {}", self.wanted())) };
        if (*self == Kind::Some && text.trim().is_empty())
            || (matches!(self, Kind::Key | Kind::PlainKey) && text.is_empty())
        {
            return Err(format!("must be {}", self.wanted()));
        }
        if *self != Kind::Key && text.chars().any(is_control) {
            return Err("holds a control character".into());
        }
        Ok(Some(value.clone()))
    }

    /// In words.
    pub(super) fn wanted(&self) -> String {
        match self {
            Kind::Flag => "true or left out".into(),
            Kind::Bool => "a boolean".into(),
            Kind::String | Kind::Text => "a string".into(),
            Kind::Some => "a non-blank string".into(),
            Kind::Key | Kind::PlainKey => "a non-empty string".into(),
            Kind::BoxKey => "a string or a number".into(),
            Kind::Number => "a finite number within 10000".into(),
            Kind::AnyNumber => "a number".into(),
            Kind::Cells => "a number of cells from -10000 to 10000, or one of xs, sm, md, lg, xl".into(),
            Kind::Length => "a number from 0 to 10000, or a percentage".into(),
            Kind::Color => "a color (a theme key, a name, or hex)".into(),
            Kind::Border => "a border style".into(),
            Kind::Whole(from, to) => format!("a whole number from {from} to {to}"),
            Kind::Pixels => "a number of pixels, at most 4096".into(),
            Kind::Handler => "a function".into(),
            Kind::Options => "a non-empty list of { value, label? }".into(),
            Kind::Links => "a list of links".into(),
            Kind::Hotkey => "one digit or one lowercase letter".into(),
            Kind::Action => "the name of a key binding, as in chat:submit".into(),
            Kind::HoverText | Kind::HoverBox => "an object of props".into(),
            Kind::Image => {
                "{ png }, { rgba, width, height }, { file, format } or { shm, format, width, height }".into()
            }
            Kind::Json => "JSON data".into(),
            Kind::Words(words) => format!("one of {}", words.join(", ")),
        }
    }
}

/// A style nobody knows is no style; what is not even a word is a mistake.
fn border(value: &Value) -> Result<Option<Value>, String> {
    match value {
        Value::Array(_) | Value::Object(_) => Err(format!("must be {}", Kind::Border.wanted())),
        value => Ok(is_border(value).then(|| value.clone())),
    }
}

fn box_key(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) if !text.is_empty() && !text.chars().any(is_control) => Some(value.clone()),
        Value::Number(number) => Some(Value::from(crate::check::number_text(*number))),
        _ => None,
    }
}

/// What may not stand in text: all controls but tab, newline and carriage return.
pub(super) fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r')
}

pub(super) fn is_border(value: &Value) -> bool {
    value.as_str().is_some_and(|style| BORDERS.contains(&style))
}

/// JSON has no word for numbers that are not finite.
fn is_finite(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_finite(),
        Value::Array(values) => values.iter().all(is_finite),
        Value::Object(fields) => fields.values().all(is_finite),
        _ => true,
    }
}

fn is_cells(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.abs() <= MOST,
        Value::String(word) => matches!(&**word, "xs" | "sm" | "md" | "lg" | "xl"),
        _ => false,
    }
}

fn is_length(value: &Value) -> bool {
    match value {
        Value::Number(number) => (0.0..=MOST).contains(number),
        Value::String(text) => text
            .strip_suffix('%')
            .is_some_and(|digits| (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())),
        _ => false,
    }
}

/// The surface knows its colors; here only what can be none is refused.
pub(super) fn is_color(text: &str) -> bool {
    const LONGEST: usize = 64;
    !text.is_empty() && text.len() <= LONGEST && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

fn is_hotkey(text: &str) -> bool {
    matches!(text.as_bytes(), [key] if key.is_ascii_digit() || key.is_ascii_lowercase())
}

fn is_links(value: &Value) -> bool {
    let limits = limits();
    value.as_array().is_some_and(|links| {
        links.len() <= limits.links
            && links.iter().all(|link| link.as_str().is_some_and(|link| link.chars().count() <= limits.href))
    })
}

/// Options with their known fields alone.
fn options(value: &Value) -> Result<Value, String> {
    let wanted = || format!("must be {}", Kind::Options.wanted());
    let given = value.as_array().filter(|options| !options.is_empty()).ok_or_else(wanted)?;
    if given.len() > limits().options {
        return Err(format!("has more than {} options", limits().options));
    }
    let mut taken = Vec::with_capacity(given.len());
    let mut seen = std::collections::HashSet::new();
    for option in given {
        let name = option.str_at("value").ok_or_else(wanted)?;
        if !seen.insert(name) {
            return Err(format!("lists {name:?} twice; values are unique"));
        }
        let mut fields = vec![("value", Value::text(name))];
        match option.get("label") {
            None | Some(Value::Undefined) => {}
            Some(label @ Value::String(_)) => fields.push(("label", label.clone())),
            Some(_) => return Err(wanted()),
        }
        taken.push(Value::object(fields));
    }
    Ok(Value::list(taken))
}
