//! What crosses between a mod and its host, checked: what a hook passes to `next`, what it answers, what a call on `$`
//! is given and gives.

mod answer;
mod context;
mod next;
mod op;
mod own;
mod step;
mod tip;
mod vcs;

use std::fmt;

use modgate_value::Value;

use crate::shape::Fault;

pub use answer::answer;
pub use next::next_input;
pub use op::{OpContext, op_input, op_output, op_result};
pub(crate) use op::{number_text, string};
pub use step::{chunk, spawn_chunk, step_result};

/// What kind of rule was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// `next` was called without the event's argument.
    NoArgument,
    /// What was passed to `next` lacks a field, or one has the wrong kind.
    Input,
    /// What was passed to `next` changes a pinned field.
    Pinned,
    /// The hook answered nothing.
    NoAnswer,
    /// The answer does not have the event's shape.
    Answer,
    /// The answer refuses what has already happened beneath.
    TooLate,
    /// A chunk of a stream does not have its shape.
    Chunk,
    /// An argument of a call on `$` is not what it takes.
    Argument,
    /// A hook or the host denied the call.
    Denied,
}

impl Code {
    /// The stable name, for reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::NoArgument => "no-argument",
            Code::Input => "input",
            Code::Pinned => "pinned",
            Code::NoAnswer => "no-answer",
            Code::Answer => "answer",
            Code::TooLate => "too-late",
            Code::Chunk => "chunk",
            Code::Argument => "argument",
            Code::Denied => "denied",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why something was not taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The rule.
    pub code: Code,
    /// The reason, for people.
    pub message: String,
    /// The field, `message.content[0].text`, where one is at fault.
    pub path: Option<String>,
    /// What the event held there.
    pub old: Option<Value>,
    /// What was found instead.
    pub new: Option<Value>,
}

impl Refusal {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), path: None, old: None, new: None }
    }

    pub(crate) fn fault(code: Code, lead: &str, fault: Fault) -> Refusal {
        Refusal {
            code,
            message: format!("{lead}{fault}"),
            path: Some(fault.path).filter(|path| !path.is_empty()),
            old: None,
            new: fault.found,
        }
    }

    pub(crate) fn at(mut self, path: impl Into<String>) -> Refusal {
        self.path = Some(path.into());
        self
    }
}

/// The field, unless it is missing or undefined.
fn defined<'value>(value: &'value Value, field: &str) -> Option<&'value Value> {
    value.get(field).filter(|value| !value.is_undefined())
}

#[cfg(test)]
mod tests;
