//! Matchers: the second argument of `on`, a part of the event that has to fit.
//!
//! A regular expression stands in a matcher as `{ "$regexp": { source, flags } }`, since plain data cannot hold one.

use std::fmt;
use std::sync::Arc;

use modgate_value::{Map, Value};
use regress::Regex;

use crate::check::string;

/// How deep a matcher may be nested.
pub const MAX_DEPTH: usize = 8;

/// A matcher that was read, ready to be asked.
#[derive(Clone)]
pub struct Matcher {
    fields: Vec<(Arc<str>, Pattern)>,
}

#[derive(Clone)]
enum Pattern {
    Value(Value),
    Regex(Arc<Regex>, String),
    Any(Vec<Pattern>),
    Part(Vec<(Arc<str>, Pattern)>),
}

/// Why a value is no matcher; it refuses the module at load.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatcherError {
    /// A text, a list, null, a regular expression in its place.
    #[error("the matcher must be a plain object (a part of e)")]
    NotObject,
    /// A value nothing can be compared with.
    #[error(
        "matcher at {path} must be a string, a number, a boolean, null, a RegExp, a list of those or a nested object, not {found}"
    )]
    Leaf {
        /// Where it stands: `tool`, `input.paths[1]`.
        path: String,
        /// What stands there.
        found: &'static str,
    },
    /// A regular expression that remembers where it was.
    #[error("matcher at {path} is a RegExp with the {flag} flag, which keeps state from one event to the next")]
    Stateful {
        /// Where it stands.
        path: String,
        /// `g` or `y`.
        flag: char,
    },
    /// A regular expression that cannot be read.
    #[error("matcher at {path} is no RegExp: {why}")]
    Regex {
        /// Where it stands.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// Nested too deep.
    #[error("the matcher is deeper than {MAX_DEPTH} levels")]
    Deep,
}

/// Reads a matcher.
///
/// # Errors
/// What refuses the module: see [`MatcherError`].
pub fn parse(matcher: &Value) -> Result<Matcher, MatcherError> {
    let Value::Object(fields) = matcher else { return Err(MatcherError::NotObject) };
    if regexp(fields).is_some() {
        return Err(MatcherError::NotObject);
    }
    Ok(Matcher { fields: parse_fields(fields, "", 1)? })
}

/// Whether a matcher selects an event.
///
/// # Errors
/// It is no matcher; see [`parse`].
pub fn matches(matcher: &Value, event: &Value) -> Result<bool, MatcherError> {
    Ok(parse(matcher)?.matches(event))
}

fn regexp(fields: &Map) -> Option<(&str, &str)> {
    let regexp = fields.get("$regexp")?;
    (fields.len() == 1).then_some((regexp.str_at("source")?, regexp.str_at("flags").unwrap_or_default()))
}

fn parse_fields(fields: &Map, path: &str, depth: usize) -> Result<Vec<(Arc<str>, Pattern)>, MatcherError> {
    if depth > MAX_DEPTH {
        return Err(MatcherError::Deep);
    }
    let child = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    fields.iter().map(|(key, value)| Ok((key.clone(), parse_value(value, &child(key), depth + 1)?))).collect()
}

fn parse_value(value: &Value, path: &str, depth: usize) -> Result<Pattern, MatcherError> {
    Ok(match value {
        Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => Pattern::Value(value.clone()),
        Value::Array(values) => {
            if depth > MAX_DEPTH {
                return Err(MatcherError::Deep);
            }
            let item = |(at, value)| parse_value(value, &format!("{path}[{at}]"), depth + 1);
            Pattern::Any(values.iter().enumerate().map(item).collect::<Result<_, _>>()?)
        }
        Value::Object(fields) => match regexp(fields) {
            Some((source, flags)) => parse_regex(source, flags, path)?,
            None => Pattern::Part(parse_fields(fields, path, depth)?),
        },
        other => return Err(MatcherError::Leaf { path: path.into(), found: other.kind() }),
    })
}

fn parse_regex(source: &str, flags: &str, path: &str) -> Result<Pattern, MatcherError> {
    if let Some(flag) = flags.chars().find(|flag| "gy".contains(*flag)) {
        return Err(MatcherError::Stateful { path: path.into(), flag });
    }
    let regex = Regex::with_flags(source, flags)
        .map_err(|error| MatcherError::Regex { path: path.into(), why: error.to_string() })?;
    Ok(Pattern::Regex(Arc::new(regex), format!("/{source}/{flags}")))
}

impl Matcher {
    /// Whether it selects this event.
    pub fn matches(&self, event: &Value) -> bool {
        fields_match(&self.fields, event)
    }

    /// Whether it selects this event of a plugin's own drawing: `*` as the plugin stands for any, also for none.
    pub fn matches_owned(&self, event: &Value) -> bool {
        let fits = |(name, pattern): &(Arc<str>, Pattern)| {
            (&**name == "plugin" && pattern.is_any_plugin())
                || event.get(name).is_some_and(|held| pattern.matches(held))
        };
        self.fields.iter().all(fits)
    }

    /// The names of its fields.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(name, _)| &**name)
    }

    /// Whether it names the plugin whose drawing the event is about, or any plugin (`*`); such events reach hooks of
    /// other plugins only then. Without that field: `None`.
    pub fn plugin(&self, name: &str) -> Option<bool> {
        let (_, pattern) = self.fields.iter().find(|(field, _)| &**field == "plugin")?;
        Some(pattern.is_any_plugin() || pattern.matches(&Value::text(name)))
    }
}

impl fmt::Debug for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.fields.iter().map(|(name, pattern)| (name, pattern))).finish()
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Value(value) => value.fmt(f),
            Pattern::Regex(_, text) => f.write_str(text),
            Pattern::Any(patterns) => f.debug_list().entries(patterns).finish(),
            Pattern::Part(fields) => {
                f.debug_map().entries(fields.iter().map(|(name, pattern)| (name, pattern))).finish()
            }
        }
    }
}

fn fields_match(fields: &[(Arc<str>, Pattern)], value: &Value) -> bool {
    fields.iter().all(|(name, pattern)| value.get(name).is_some_and(|held| pattern.matches(held)))
}

impl Pattern {
    fn is_any_plugin(&self) -> bool {
        match self {
            Pattern::Value(Value::String(name)) => &**name == "*",
            Pattern::Any(patterns) => patterns.iter().any(Pattern::is_any_plugin),
            _ => false,
        }
    }

    /// Against a list, some element has to fit; in lists within lists too.
    fn matches(&self, held: &Value) -> bool {
        match held {
            Value::Array(values) => values.iter().any(|value| self.matches(value)),
            held => self.matches_one(held),
        }
    }

    fn matches_one(&self, held: &Value) -> bool {
        match self {
            Pattern::Any(patterns) => patterns.iter().any(|pattern| pattern.matches(held)),
            Pattern::Part(fields) => matches!(held, Value::Object(_)) && fields_match(fields, held),
            Pattern::Regex(regex, _) => match held {
                Value::String(text) => regex.find(text).is_some(),
                held => regex.find(&string(held)).is_some(),
            },
            Pattern::Value(wanted) => match (wanted, held) {
                (Value::Number(wanted), Value::Number(held)) => wanted == held,
                (wanted, held) => wanted == held,
            },
        }
    }
}

#[cfg(test)]
mod tests;
