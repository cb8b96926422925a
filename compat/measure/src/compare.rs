//! Two observations of one scenario: where they part, and why.
//!
//! [`findings`] is what one host shows by itself (what ran is not what is recorded, it ran twice, ...); [`compare()`]
//! is what one host shows and the other does not, and values that differ without such a name.

mod align;
mod finding;
mod values;

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Observation;

pub use align::{Cell, Column, Comparison, HostRun, Limit, Line, Outcome, Verdict, align};
pub use finding::findings;

/// What kind of difference it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DifferenceKind {
    /// Something else ran than transcript, history or screen hold.
    ExecutedNotRecorded,
    /// One recorded call ran more than once.
    RanTwice,
    /// Permission was decided on other arguments than the model's.
    PermissionSawOther,
    /// The readers of the session disagree about a call: transcript, history, screen.
    ReadersDisagree,
    /// A hook was passed over.
    HookSkipped,
    /// An event that a mod hooks is never raised.
    EventNeverRaised,
    /// A member of `$` that a mod calls is not served.
    MemberNotServed,
    /// A mod was not loaded.
    NotLoaded,
    /// Other things ran.
    OtherExecution,
    /// The permission was decided otherwise.
    OtherDecision,
    /// The model reads something else as the result.
    OtherResult,
    /// The model gets other reminders.
    OtherContext,
    /// A prompt enters otherwise.
    OtherPrompt,
    /// The model's answer is stored otherwise.
    OtherAnswer,
    /// A person is shown something else.
    OtherShown,
    /// Other tools of mods are offered.
    OtherTools,
    /// A call occurs under one of the hosts only.
    CallMissing,
    /// A file differs at the end.
    OtherFile,
}

impl DifferenceKind {
    /// The name people and programs see.
    pub fn name(self) -> &'static str {
        match self {
            DifferenceKind::ExecutedNotRecorded => "executed≠recorded",
            DifferenceKind::RanTwice => "ran twice",
            DifferenceKind::PermissionSawOther => "permission saw other arguments",
            DifferenceKind::ReadersDisagree => "readers disagree",
            DifferenceKind::HookSkipped => "hook skipped",
            DifferenceKind::EventNeverRaised => "event never raised",
            DifferenceKind::MemberNotServed => "member not served",
            DifferenceKind::NotLoaded => "mod not loaded",
            DifferenceKind::OtherExecution => "other execution",
            DifferenceKind::OtherDecision => "other decision",
            DifferenceKind::OtherResult => "other result",
            DifferenceKind::OtherContext => "other context",
            DifferenceKind::OtherPrompt => "other prompt",
            DifferenceKind::OtherAnswer => "other answer",
            DifferenceKind::OtherShown => "other output",
            DifferenceKind::OtherTools => "other tools",
            DifferenceKind::CallMissing => "call missing",
            DifferenceKind::OtherFile => "other file",
        }
    }
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for DifferenceKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// How much a difference matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// The outcome differs.
    Differs,
    /// Something happens that nobody decided, or that the record does not hold.
    Unsafe,
}

/// Which of two observations shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The one that was expected.
    Expected,
    /// The one that was seen.
    Seen,
    /// Both have a value, and the values differ.
    Both,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// What kind.
    pub kind: DifferenceKind,
    /// How much it matters.
    pub severity: Severity,
    /// Which observation shows it.
    pub side: Side,
    /// The call it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The prompt it is about, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<usize>,
    /// The mod, event, member or file it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// `file:line:column` of the hook, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// What was expected.
    pub expected: String,
    /// What was seen.
    pub seen: String,
    /// Why it is a difference, for people.
    pub reason: String,
}

impl Difference {
    pub(crate) fn new(kind: DifferenceKind, severity: Severity, reason: impl Into<String>) -> Difference {
        Difference {
            kind,
            severity,
            side: Side::Both,
            call: None,
            prompt: None,
            of: None,
            position: None,
            expected: String::new(),
            seen: String::new(),
            reason: reason.into(),
        }
    }

    pub(crate) fn call(mut self, id: &str) -> Difference {
        self.call = Some(id.to_owned());
        self
    }

    pub(crate) fn prompt(mut self, index: usize) -> Difference {
        self.prompt = Some(index);
        self
    }

    pub(crate) fn about(mut self, of: impl Into<String>) -> Difference {
        self.of = Some(of.into());
        self
    }

    pub(crate) fn values(mut self, expected: impl fmt::Display, seen: impl fmt::Display) -> Difference {
        self.expected = expected.to_string();
        self.seen = seen.to_string();
        self
    }

    /// Whether both are about the same thing and say the same of it. Not every host says which call a hook was passed
    /// over at.
    fn matches(&self, other: &Difference) -> bool {
        let unsaid = self.kind == DifferenceKind::HookSkipped && (self.call.is_none() || other.call.is_none());
        self.kind == other.kind && (unsaid || self.call == other.call) && self.of == other.of && self.seen == other.seen
    }
}

/// Where two observations part, the worst first. Nothing means that they agree. What one of them cannot show, as a
/// permission nobody noted, is no difference.
pub fn compare(expected: &Observation, seen: &Observation) -> Vec<Difference> {
    let mut differences = Vec::new();
    let known = |found: &Difference, other: &Observation| {
        let call = found.call.as_deref().and_then(|id| other.call(id));
        found.kind != DifferenceKind::PermissionSawOther || call.is_none_or(|call| !call.permissions.is_empty())
    };
    let mut left = findings(expected);
    left.retain(|found| known(found, seen));
    for mut found in findings(seen).into_iter().filter(|found| known(found, expected)) {
        match left.iter().position(|other| other.matches(&found)) {
            Some(at) => {
                left.remove(at);
            }
            None => {
                found.side = Side::Seen;
                differences.push(found);
            }
        }
    }
    for mut found in left {
        found.side = Side::Expected;
        // What only the expected side shows is no danger of the other one.
        found.severity = found.severity.min(Severity::Differs);
        found.reason = format!("only under {}: {}", expected.host, found.reason);
        std::mem::swap(&mut found.expected, &mut found.seen);
        differences.push(found);
    }
    values::calls(expected, seen, &mut differences);
    values::prompts(expected, seen, &mut differences);
    values::rest(expected, seen, &mut differences);
    differences.sort_by_key(|one| std::cmp::Reverse(one.severity));
    differences
}

#[cfg(test)]
mod tests;
