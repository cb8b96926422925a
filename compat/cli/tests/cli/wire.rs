//! The documents the program prints, as `docs/validate-json.md` describes them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Document {
    pub schema: u32,
    pub modgate: String,
    pub strict: bool,
    pub hosts: Vec<String>,
    pub reports: Vec<Report>,
    pub success: bool,
    pub summary: Summary,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Report {
    pub target: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub name: Option<String>,
    pub version: Option<String>,
    pub success: bool,
    pub diagnostics: Vec<Finding>,
    pub modules: Vec<Module>,
    pub provides: Provides,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Finding {
    pub code: String,
    pub severity: String,
    pub message: String,
    pub help: Option<String>,
    pub file: String,
    pub span: Option<Span>,
    pub labels: Vec<Label>,
    pub hosts: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Span {
    pub start: usize,
    pub end: usize,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    pub file: String,
    pub span: Span,
    pub message: String,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Module {
    pub path: String,
    // Absent where the module was refused before its facts could be known.
    pub uses: Option<Uses>,
    pub hooks: Option<Vec<Hook>>,
    pub gating_hooks: Option<Vec<GatingHook>>,
    pub next_to: Option<Vec<String>>,
    pub telemetry: Option<Vec<String>>,
    pub clients: Option<Vec<String>>,
    pub breaks_prompt_cache: Option<bool>,
    pub nouns: Option<Nouns>,
    pub places: Option<BTreeMap<String, Vec<Spot>>>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uses {
    pub events: Vec<String>,
    pub calls: Vec<String>,
    pub env: Access<String>,
    pub state: Access<State>,
    pub hosts: Reach,
    pub commands: Reach,
    pub files: Reach,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access<T> {
    pub reads: Vec<T>,
    pub writes: Vec<T>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub plugin: String,
    pub key: String,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reach {
    pub named: Vec<String>,
    pub unread: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Hook {
    pub pattern: String,
    pub matcher: Value,
    pub default_keys: Vec<String>,
    pub is_gate: bool,
    pub has_catch: bool,
    pub can_deny: bool,
    pub at: At,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GatingHook {
    pub pattern: String,
    pub has_catch: bool,
    pub at: At,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Nouns {
    pub adds: Vec<String>,
    pub adds_unless_there: Vec<String>,
    pub withholds: Vec<String>,
    pub replaces: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spot {
    pub name: String,
    #[serde(default)]
    pub via: Vec<String>,
    pub at: At,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct At {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provides {
    pub options: Vec<Setting>,
    pub hooks: Vec<SettingsHook>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub required: bool,
    pub sensitive: bool,
    pub at: At,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingsHook {
    pub event: String,
    pub matcher: Option<String>,
    #[serde(rename = "type")]
    pub kind: String,
    pub does: String,
    pub at: At,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    pub mods: usize,
    pub marketplaces: usize,
    pub refused: usize,
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Diff {
    pub schema: u32,
    pub old: Version,
    pub new: Version,
    pub can_do_more: bool,
    pub more: Vec<Change>,
    pub less: Vec<Change>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    pub target: String,
    pub name: Option<String>,
    pub version: Option<String>,
    pub success: bool,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub kind: String,
    pub name: String,
    pub at: At,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hashes {
    pub schema: u32,
    pub mods: Vec<Hash>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hash {
    pub target: String,
    pub hash: String,
    pub bytes: u64,
    pub files: Vec<HashedFile>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HashedFile {
    pub path: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub sha256: String,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    pub schema: u32,
    pub rules: Vec<Rule>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    pub code: String,
    pub severity: String,
    pub name: String,
    pub page: String,
}
