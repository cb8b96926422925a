//! Checking a value against a shape.

use std::fmt;

use modgate_value::Value;

use super::{Field, Shape};

/// Where a value does not have its shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// The way to the place: `message.content[2].text`; empty for the value itself.
    pub path: String,
    /// What was wanted there, in words.
    pub wanted: String,
    /// What was found there; `None` when nothing was.
    pub found: Option<Value>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.path.is_empty() { "it" } else { &self.path };
        match &self.found {
            None => write!(f, "no {{ {place} }} ({})", self.wanted),
            Some(found) => write!(f, "{place} is {}, not {}", found.kind(), self.wanted),
        }
    }
}

impl Shape {
    /// Checks a value; `None` stands for a missing field.
    ///
    /// # Errors
    /// The first place that differs. Of a union, the place in the alternative that went furthest.
    pub fn check(&self, value: Option<&Value>) -> Result<(), Fault> {
        self.check_at(value, &mut String::new())
    }

    /// Whether a value has this shape.
    pub fn takes(&self, value: Option<&Value>) -> bool {
        self.check(value).is_ok()
    }

    pub(crate) fn check_at(&self, value: Option<&Value>, path: &mut String) -> Result<(), Fault> {
        let defined = value.filter(|value| !value.is_undefined());
        match (self, value) {
            (Shape::Any, _) | (Shape::Present, Some(_)) => Ok(()),
            (Shape::Never, _) if defined.is_none() => Ok(()),
            (Shape::Absent, None) => Ok(()),
            (Shape::Named(_, shape), _) => shape.check_at(value, path),
            (Shape::Union(shapes), _) => check_union(shapes, value, path, self),
            (Shape::ListOf(item, nonempty), Some(Value::Array(values))) => {
                if *nonempty && values.is_empty() {
                    return Err(self.fault(value, path));
                }
                values.iter().enumerate().try_for_each(|(at, value)| {
                    within(path, &format!("[{at}]"), |path| item.check_at(Some(value), path))
                })
            }
            (Shape::Fields(fields), Some(Value::Object(_))) => {
                fields.iter().filter(|field| field.checked && !field.is_rest()).try_for_each(|field| {
                    let held = value.and_then(|value| value.get(field.name));
                    check_field(field, held, path)
                })
            }
            (plain, Some(value)) if plain.takes_plain(value) => Ok(()),
            _ => Err(self.fault(value, path)),
        }
    }

    fn takes_plain(&self, value: &Value) -> bool {
        match (self, value) {
            (Shape::String, Value::String(_))
            | (Shape::Number, Value::Number(_))
            | (Shape::Boolean, Value::Bool(_))
            | (Shape::Null, Value::Null)
            | (Shape::List, Value::Array(_))
            | (Shape::Object, Value::Object(_)) => true,
            (Shape::Text, Value::String(text)) => !text.is_empty(),
            (Shape::Said, Value::String(text)) => !text.trim().is_empty(),
            (Shape::Finite, Value::Number(number)) => number.is_finite(),
            (Shape::Count, Value::Number(number)) => *number >= 0.0,
            (Shape::Whole, Value::Number(number)) => number.fract() == 0.0 && *number >= 0.0,
            (Shape::Literal(literal), Value::String(text)) => **text == **literal,
            (Shape::Exactly(wanted), Value::Bool(value)) => wanted == value,
            _ => false,
        }
    }

    fn fault(&self, value: Option<&Value>, path: &str) -> Fault {
        Fault { path: path.to_owned(), wanted: self.to_string(), found: value.cloned() }
    }
}

/// Checks one field; a missing one is a fault of its own unless it is optional.
pub(crate) fn check_field(field: &Field, held: Option<&Value>, path: &mut String) -> Result<(), Fault> {
    let held = match &field.shape {
        Shape::Present | Shape::Absent => held,
        _ => held.filter(|value| !value.is_undefined()),
    };
    if held.is_none() && field.optional {
        return Ok(());
    }
    let step = if path.is_empty() { field.name.to_owned() } else { format!(".{}", field.name) };
    within(path, &step, |path| field.shape.check_at(held, path))
}

fn within<T>(path: &mut String, step: &str, check: impl FnOnce(&mut String) -> T) -> T {
    let length = path.len();
    path.push_str(step);
    let result = check(path);
    path.truncate(length);
    result
}

fn check_union(shapes: &[Shape], value: Option<&Value>, path: &mut String, whole: &Shape) -> Result<(), Fault> {
    let mut furthest: Option<Fault> = None;
    for shape in shapes {
        match shape.check_at(value, path) {
            Ok(()) => return Ok(()),
            Err(fault) => {
                if furthest.as_ref().is_none_or(|known| fault.path.len() > known.path.len()) {
                    furthest = Some(fault);
                }
            }
        }
    }
    match furthest {
        Some(fault) if fault.path.len() > path.len() => Err(fault),
        _ => Err(whole.fault(value, path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Types, parse};

    fn fault(text: &'static str, json: serde_json::Value) -> Option<String> {
        let value = Value::from(json);
        parse(text, &Types::new()).unwrap().check(Some(&value)).err().map(|fault| fault.to_string())
    }

    #[test]
    fn accepts() {
        for (text, json) in [
            ("string", serde_json::json!("")),
            ("whole", serde_json::json!(3)),
            ("{ a: string, b?: number }", serde_json::json!({"a": "x", "more": 1})),
            ("{ a: string[] } | 'none'", serde_json::json!("none")),
            ("{ deny: never }", serde_json::json!({})),
            ("said", serde_json::json!(" x ")),
            ("text[]", serde_json::json!([])),
        ] {
            assert_eq!(fault(text, json), None, "{text}");
        }
    }

    #[test]
    fn refuses_with_the_place() {
        for (text, json, expected) in [
            ("text", serde_json::json!(""), "it is string, not a non-empty string"),
            ("said", serde_json::json!(" \n"), "it is string, not a string of more than blanks"),
            ("whole", serde_json::json!(1.5), "it is number, not a whole number from 0"),
            ("{ a: string }", serde_json::json!({}), "no { a } (a string)"),
            (
                "{ a: { b: text[] } }",
                serde_json::json!({"a": {"b": ["x", 1]}}),
                "a.b[1] is number, not a non-empty string",
            ),
            (
                "{ a: number, b: string } | { c: string }",
                serde_json::json!({"a": 1, "b": 2}),
                "b is number, not a string",
            ),
            ("{ deny: never }", serde_json::json!({"deny": "x"}), "deny is string, not nothing"),
            ("number[+]", serde_json::json!([]), "it is array, not a non-empty list of: a number"),
        ] {
            assert_eq!(fault(text, json).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn undefined_is_missing_except_where_presence_counts() {
        let value = Value::object([("a", Value::Undefined)]);
        let check = |text| parse(text, &Types::new()).unwrap().takes(Some(&value));
        assert!(check("{ a?: string }"));
        assert!(!check("{ a: string }"));
        assert!(check("{ a: present }"));
        assert!(check("{ a: never }"));
        assert!(!check("{ b: present }"));
    }
}
