use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What should have happened. What is not mentioned is not checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Shell commands that ran, in order, all of them.
    pub commands: Option<Vec<String>>,
    /// Tools that ran, in order, all of them.
    pub tools: Option<Vec<String>>,
    /// Why each turn of the main loop ended, in order.
    pub turns: Option<Vec<String>>,
    /// Reports by code with their number; other codes may occur. `total` counts all of them.
    pub reports: Option<IndexMap<String, usize>>,
    /// Files at the end.
    pub files: IndexMap<String, ExpectedFile>,
    /// Rows that have to be in the record.
    #[serde(rename = "row")]
    pub rows: Vec<ExpectedRow>,
    /// Results of calls.
    #[serde(rename = "result")]
    pub results: Vec<ExpectedResult>,
}

/// A file at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ExpectedFile {
    /// Exactly this text.
    Text(String),
    /// A condition.
    Condition(FileCondition),
}

/// A condition on a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FileCondition {
    /// It contains this text.
    pub contains: Option<String>,
    /// It is not there.
    pub absent: bool,
}

/// Rows of the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedRow {
    /// Kind of the row.
    pub kind: String,
    /// Who caused it.
    #[serde(default)]
    pub by: Option<String>,
    /// Fields its content has, others may be there.
    #[serde(default)]
    pub data: Option<Value>,
    /// How many there are; at least one where absent.
    #[serde(default)]
    pub count: Option<usize>,
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedResult {
    /// Id of the call.
    pub call: String,
    /// Whether the model is told that it failed.
    #[serde(default)]
    pub is_error: Option<bool>,
    /// Text the model reads.
    #[serde(default)]
    pub contains: Option<String>,
    /// How often the call ran.
    #[serde(default)]
    pub runs: Option<usize>,
}
