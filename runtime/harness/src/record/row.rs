use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One row of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Place in the record, from 0, without gaps.
    pub seq: u64,
    /// When it was appended: RFC 3339, UTC, milliseconds.
    pub time: String,
    /// What it says; see [`crate::record::kind`].
    pub kind: String,
    /// Who caused it.
    pub by: By,
    /// Lower-case hexadecimal SHA-256 of the line before it, [`crate::record::GENESIS`] for the first.
    pub prev: String,
    /// The content; its shape depends on `kind`.
    pub data: Value,
}

impl Row {
    /// The content as `T`, where it has that shape.
    pub fn parse<T: for<'de> Deserialize<'de>>(&self) -> Option<T> {
        T::deserialize(&self.data).ok()
    }

    /// The text in that field of the content.
    pub fn text_at(&self, field: &str) -> Option<&str> {
        self.data.get(field).and_then(Value::as_str)
    }
}

/// Who caused a row. Written as text: `harness`, `model`, `person`, `tool:NAME`, `mod:NAME`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum By {
    /// The harness itself.
    Harness,
    /// The model.
    Model,
    /// The person at the keyboard, or the script that stands for one.
    Person,
    /// A tool, by name.
    Tool(String),
    /// A contributor from outside the harness, by name.
    Mod(String),
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            By::Harness => f.write_str("harness"),
            By::Model => f.write_str("model"),
            By::Person => f.write_str("person"),
            By::Tool(name) => write!(f, "tool:{name}"),
            By::Mod(name) => write!(f, "mod:{name}"),
        }
    }
}

impl From<By> for String {
    fn from(by: By) -> String {
        by.to_string()
    }
}

impl TryFrom<String> for By {
    type Error = String;

    fn try_from(text: String) -> Result<By, String> {
        text.parse()
    }
}

impl FromStr for By {
    type Err = String;

    fn from_str(text: &str) -> Result<By, String> {
        match (text, text.split_once(':')) {
            ("harness", _) => Ok(By::Harness),
            ("model", _) => Ok(By::Model),
            ("person", _) => Ok(By::Person),
            (_, Some(("tool", name))) => Ok(By::Tool(name.to_owned())),
            (_, Some(("mod", name))) => Ok(By::Mod(name.to_owned())),
            _ => Err(format!("`{text}` names no actor; expected harness, model, person, tool:NAME or mod:NAME")),
        }
    }
}
