//! What each rule of data/members.json makes of an argument.

mod look;
mod named;
mod told;

use modgate_value::{Map, Value};

use super::super::own::is_absolute;
use super::{OpContext, defined};
use crate::member::Rule;
use crate::shape::{Fault, Shape};

/// The value a field gets; `None` when it is left out.
pub(super) fn apply(rule: &Rule, value: Option<Value>, context: &OpContext<'_>) -> Result<Option<Value>, Fault> {
    Ok(Some(match rule {
        Rule::Shape(shape) => {
            shape.check(value.as_ref())?;
            return Ok(value);
        }
        Rule::Path => path(value, context.cwd)?,
        Rule::Name => check(value, is_name, "1 to 64 letters, digits, _ or - as its name")?,
        Rule::Positive => check(value, |value| in_range(value, 1.0, f64::MAX), "a positive whole number")?,
        Rule::Ms => {
            let is_time = |value: &Value| value.as_f64().is_some_and(|ms| ms >= 0.0 && ms.is_finite());
            check(value, is_time, "a finite number of milliseconds from 0")?
        }
        Rule::String => Value::text(string(&value.unwrap_or_default())),
        Rule::Json => json(value)?,
        Rule::Origin => Value::object([("kind", Value::text("plugin")), ("name", Value::text(context.plugin))]),
        Rule::Plugin => Value::object([("kind", Value::text("plugin"))]),
        Rule::Init => init(value),
        Rule::Run => run(value)?,
        Rule::Message => message(value)?,
        Rule::Ask => return ask(value).map(Some),
        Rule::True => Value::from(value == Some(Value::from(true))),
        Rule::Schema => schema(value)?,
        Rule::Status => match value.filter(|value| !value.is_nullish()) {
            Some(text) => Value::text(string(&text)),
            None => Value::Undefined,
        },
        Rule::Theme => look::theme(value)?,
        Rule::Paint => look::paint(value)?,
        Rule::View => look::view(value)?,
        Rule::Key => look::key(value)?,
        Rule::Title => match value.filter(|title| !title.is_undefined() && title.as_str() != Some("")) {
            Some(title) => check(Some(title), |title| title.as_str().is_some(), "a string")?,
            None => Value::text(context.plugin),
        },
        Rule::Entry => told::entry(value)?,
        Rule::Mark => told::mark(value)?,
        Rule::Complete => told::complete(value)?,
        Rule::To => told::to(value)?,
        Rule::Aliases => named::aliases(value)?,
        Rule::Argv => named::argv(value)?,
        Rule::Markdown => named::markdown(value)?,
        Rule::Worktree => named::worktree(value)?,
        Rule::Texts => check(value, is_texts, "an object of strings")?,
        Rule::Last => check(value, |value| in_range(value, 1.0, 4096.0), "a whole number, 1 to 4096")?,
        Rule::Absolute => check(value, |value| value.as_str().is_some_and(is_absolute), "an absolute path")?,
        Rule::Provider => Value::object([("plugin", Value::text(context.plugin)), ("tier", Value::text(context.tier))]),
        Rule::Timeout => match value {
            Some(Value::Number(ms)) => check(
                Some(Value::Number(ms)),
                |value| in_range(value, 1.0, 60_000.0),
                "a whole number of milliseconds, 1 to 60000",
            )?,
            _ => return Ok(None),
        },
        Rule::Some => match value.filter(|value| !value.is_nullish() && value.as_str() != Some("")) {
            Some(value) => check(
                Some(value),
                |value| matches!(value, Value::String(_) | Value::Array(_)),
                "a string or a list of blocks",
            )?,
            None => return Ok(None),
        },
    }))
}

fn fault(path: &str, wanted: &str, found: Option<Value>) -> Fault {
    Fault { path: path.to_owned(), wanted: wanted.to_owned(), found }
}

fn check(value: Option<Value>, is_right: impl Fn(&Value) -> bool, wanted: &str) -> Result<Value, Fault> {
    match value {
        Some(value) if is_right(&value) => Ok(value),
        other => Err(fault("", wanted, other)),
    }
}

fn in_range(value: &Value, from: f64, to: f64) -> bool {
    value.as_f64().is_some_and(|number| number.fract() == 0.0 && (from..=to).contains(&number))
}

fn is_name(value: &Value) -> bool {
    value.as_str().is_some_and(|name| {
        (1..=64).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    })
}

/// A path from the root, `.` and `..` taken away. On a host whose paths begin with `/` nothing else is one from the root.
fn path(value: Option<Value>, cwd: &str) -> Result<Value, Fault> {
    let value = check(value, |value| value.as_str().is_some_and(|path| !path.is_empty()), "a path")?;
    let path = value.as_str().unwrap_or_default();
    Ok(if path.starts_with('/') {
        Value::text(resolve("/", path))
    } else if is_absolute(path) && !cwd.starts_with('/') {
        value
    } else {
        Value::text(resolve(cwd, path))
    })
}

/// A path under a folder, `.` and `..` taken away.
fn resolve(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let root = if folder.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// What `String(value)` gives.
pub(crate) fn string(value: &Value) -> String {
    match value {
        Value::Undefined => "undefined".into(),
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number_text(*number),
        Value::BigInt(digits) => digits.to_string(),
        Value::String(text) => text.to_string(),
        Value::Array(values) => {
            let texts = values.iter().map(|value| if value.is_nullish() { String::new() } else { string(value) });
            texts.collect::<Vec<_>>().join(",")
        }
        Value::Object(_) | Value::Cycle(_) => "[object Object]".into(),
    }
}

/// A number as JavaScript writes it.
pub(crate) fn number_text(number: f64) -> String {
    if number.is_nan() {
        "NaN".into()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity".into() } else { "-Infinity".into() }
    } else if number == 0.0 {
        "0".into()
    } else if (1e-6..1e21).contains(&number.abs()) {
        number.to_string()
    } else {
        let text = format!("{number:e}");
        if text.contains("e-") { text } else { text.replace('e', "e+") }
    }
}

fn json(value: Option<Value>) -> Result<Value, Fault> {
    let Some(value) = value.filter(|value| !value.is_undefined()) else {
        return Err(fault("", "JSON data", None));
    };
    match value.to_json() {
        Ok(json) => Ok(Value::from(json)),
        Err(_) => Err(fault("", "JSON data", Some(value))),
    }
}

/// A JSON schema of an object; it need not say so.
fn schema(value: Option<Value>) -> Result<Value, Fault> {
    let given = check(value, |value| matches!(value, Value::Object(_)), "a JSON schema, an object")?;
    if given.get("type").is_some() {
        return Ok(given);
    }
    let kind = ("type".into(), Value::text("object"));
    let rest = given.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), value.clone()));
    Ok(Value::from(std::iter::once(kind).chain(rest).collect::<Map>()))
}

fn entries(value: &Value) -> Vec<(String, Value)> {
    match value {
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.to_string(), value.clone())).collect(),
        Value::Array(values) => values.iter().enumerate().map(|(at, value)| (at.to_string(), value.clone())).collect(),
        Value::String(text) => {
            text.chars().enumerate().map(|(at, c)| (at.to_string(), Value::text(c.to_string()))).collect()
        }
        _ => Vec::new(),
    }
}

/// Everything in a request's options is text; headers are taken as they are.
fn init(value: Option<Value>) -> Value {
    let given = value.unwrap_or_default();
    let mut made = Map::new();
    for field in ["method", "headers", "body", "auth", "socketPath"] {
        let Some(held) = defined(&given, field) else { continue };
        let held = if field == "headers" { Value::object(entries(held)) } else { Value::text(string(held)) };
        made.insert(field.into(), held);
    }
    Value::from(made)
}

fn run(value: Option<Value>) -> Result<Value, Fault> {
    let given = check(value, |value| matches!(value, Value::Object(_)), "{ cwd?, env?, stdin?, timeoutMs? }")?;
    let mut made = Map::new();
    for field in ["cwd", "env", "stdin", "timeoutMs"] {
        let Some(held) = defined(&given, field) else { continue };
        let (is_right, wanted) = match field {
            "cwd" => (Shape::Text.takes(Some(held)), "a non-empty path"),
            "env" => (is_texts(held), "an object of strings"),
            "stdin" => (Shape::String.takes(Some(held)), "a string"),
            _ => (in_range(held, 1.0, 600_000.0), "a whole number of milliseconds, 1 to 600000"),
        };
        if !is_right {
            return Err(fault(field, wanted, Some(held.clone())));
        }
        made.insert(field.into(), held.clone());
    }
    Ok(Value::from(made))
}

fn is_texts(value: &Value) -> bool {
    value.as_object().is_some_and(|fields| fields.values().all(|value| matches!(value, Value::String(_))))
}

/// A row of the transcript that a mod may write, as the transcript holds it.
fn message(value: Option<Value>) -> Result<Value, Fault> {
    super::named("NoteMessage").check(value.as_ref())?;
    let given = value.unwrap_or_default();
    let field = |name: &str| given.get(name).cloned().unwrap_or_default();
    let mut fields = vec![("type", field("type"))];
    if given.str_at("type") == Some("user") {
        fields.extend([("role", Value::text("user")), ("isMeta", Value::from(true))]);
    }
    fields.push(("content", field("content")));
    Ok(Value::object(fields))
}

/// One question as the tool AskUserQuestion takes it. The argument is the list of the call's arguments.
fn ask(args: Option<Value>) -> Result<Value, Fault> {
    let args = args.as_ref().and_then(Value::as_array).unwrap_or_default();
    let question = match args.first() {
        Some(Value::String(text)) if !text.trim().is_empty() => Value::String(text.clone()),
        other => return Err(fault("", "the question first, a string of more than blanks", other.cloned())),
    };
    let (list, options) = match args.get(1) {
        Some(Value::Array(_)) => (args.get(1), None),
        Some(Value::Object(_)) => (defined(&args[1], "options"), args.get(1)),
        _ => (None, None),
    };
    let header = match options.and_then(|options| options.get("header")).filter(|header| !header.is_nullish()) {
        None => "Plugin",
        Some(Value::String(header)) => header,
        other => return Err(fault("header", "a string", other.cloned())),
    };
    let multi = options.and_then(|options| defined(options, "multiSelect")).and_then(Value::as_bool).unwrap_or(false);
    Ok(Value::list([Value::object([
        ("question", question),
        ("header", Value::text(header.chars().take(12).collect::<String>())),
        ("options", Value::list(labels(list)?.iter().map(|label| option(label)))),
        ("multiSelect", Value::from(multi)),
    ])]))
}

fn option(label: &str) -> Value {
    Value::object([("label", Value::text(label)), ("description", Value::text(""))])
}

/// Two to four labels; too few are filled up.
fn labels(list: Option<&Value>) -> Result<Vec<String>, Fault> {
    let given = match list.filter(|list| !list.is_nullish()) {
        None => &[],
        Some(Value::Array(values)) => values.as_slice(),
        Some(other) => return Err(fault("", "options as a list", Some(other.clone()))),
    };
    if given.len() > 4 {
        return Err(fault("", "at most four options", list.cloned()));
    }
    let mut labels: Vec<String> = given.iter().map(string).collect();
    for filler in ["Yes", "No"] {
        if labels.len() < 2 && !labels.iter().any(|label| label == filler) {
            labels.push(filler.to_owned());
        }
    }
    Ok(labels)
}
