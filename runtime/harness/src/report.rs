//! What a refusal, skip, timeout or limit leaves in the record.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The content of a `mod/report` row. Who is meant stands in the row's `by`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Report {
    /// Stable code.
    pub code: String,
    /// For people: what happened and what was done instead.
    pub message: String,
    /// The call it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// `seq` of the row it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refers: Option<u64>,
    /// `file:line:column` in the contributor's source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// What was to be changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Anything else a contributor wants to keep.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub details: Value,
}

/// One refused change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Where, as `$.a.b[0]`.
    pub path: String,
    /// The value there.
    pub old: Value,
    /// The value that was refused.
    pub new: Value,
}

impl Report {
    /// A report of that code.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Report {
        Report { code: code.into(), message: message.into(), ..Report::default() }
    }

    /// About that call.
    #[must_use]
    pub fn about(mut self, call_id: impl Into<String>) -> Report {
        self.call_id = Some(call_id.into());
        self
    }

    /// About that row.
    #[must_use]
    pub fn refers(mut self, seq: u64) -> Report {
        self.refers = Some(seq);
        self
    }
}

/// What a contributor failed with. The harness reports it and goes on as the trait says.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", report.message)]
pub struct ContributorError {
    /// What the record will say.
    pub report: Box<Report>,
    /// Who is meant, where the contributor acted for somebody else (one mod of several).
    pub by: Option<String>,
}

impl ContributorError {
    /// A failure of that code.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> ContributorError {
        Report::new(code, message).into()
    }

    /// The same, with who is meant.
    #[must_use]
    pub fn on_behalf(mut self, by: impl Into<String>) -> ContributorError {
        self.by = Some(by.into());
        self
    }
}

impl From<Report> for ContributorError {
    fn from(report: Report) -> ContributorError {
        ContributorError { report: Box::new(report), by: None }
    }
}
