//! What was seen of one scenario on one host.

mod claude;
mod codex;
mod files;
mod record;
mod text;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use claude::{ClaudeTraces, from_claude_code};
pub use codex::{CodexTraces, from_codex};
pub use files::files_at_the_end;
pub use text::{Split, split_reminders};

/// A call as somebody saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// The tool.
    pub tool: String,
    /// The arguments.
    pub input: Value,
}

impl Action {
    /// That tool with those arguments.
    pub fn new(tool: impl Into<String>, input: Value) -> Action {
        Action { tool: tool.into(), input }
    }

    /// A shell command.
    pub fn bash(command: &str) -> Action {
        Action::new("Bash", serde_json::json!({ "command": command }))
    }

    /// Whether both do the same. Of a shell call the command counts; its label and time limit do not.
    pub fn same(&self, other: &Action) -> bool {
        self.tool == other.tool
            && match (self.input.get("command"), other.input.get("command")) {
                (Some(one), Some(two)) if self.tool == "Bash" => one == two,
                _ => self.input == other.input,
            }
    }
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.input.get("command").and_then(Value::as_str) {
            Some(command) => write!(f, "{} `{command}`", self.tool),
            None => {
                // In one order, whatever the host's.
                let fields: Option<BTreeMap<_, _>> = self.input.as_object().map(|fields| fields.iter().collect());
                let text = fields.and_then(|fields| serde_json::to_string(&fields).ok());
                write!(f, "{} {}", self.tool, text.unwrap_or_else(|| self.input.to_string()))
            }
        }
    }
}

/// How an observation came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A real program was driven.
    #[default]
    Measured,
    /// The native harness ran under a profile.
    Run,
}

/// A text as the model or a person reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    /// Whether it is marked as a failure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// The whole text; absent where only the words looked for were kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Which of the words looked for it contains, in the order they were asked for.
    #[serde(default)]
    pub words: Vec<String>,
}

impl Reading {
    /// A text.
    pub fn new(text: impl Into<String>, is_error: bool) -> Reading {
        Reading { is_error, text: Some(text.into()), words: Vec::new() }
    }
}

/// What was decided about a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionSeen {
    /// Whether it may run.
    pub allowed: bool,
    /// The call decided about; absent where nothing shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Action>,
    /// Whether a person was asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asked: bool,
    /// Who decided: a rule, `mode`, `person`, `mod:NAME`; empty where nothing shows it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
}

/// One call, with every version of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CallSeen {
    /// Id.
    pub id: String,
    /// Which prompt of the script it belongs to, from 0; absent for a mod's own call outside of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<usize>,
    /// As the model asked; absent for a mod's own call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Action>,
    /// The mod that made it, where the model did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// Everything that really ran, in order; absent where nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executed: Option<Vec<Action>>,
    /// As the stored transcript has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Action>,
    /// As it stands in the model's history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Action>,
    /// As a person sees it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<Action>,
    /// A correction that the history states beside the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction: Option<Action>,
    /// Further runs that have a record of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Action>,
    /// Decisions, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<PermissionSeen>,
    /// What mods had refused or limited about it, where the host says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mods: Vec<Skip>,
    /// What the model reads back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    /// What the transcript stores as the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<Reading>,
    /// Reminders the model gets with the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<Reading>,
}

/// What a person typed, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PromptSeen {
    /// As typed.
    pub typed: String,
    /// As it stands in the model's history; absent where the model never got it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<String>,
    /// As the transcript has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
    /// Reminders the model gets beside it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<Reading>,
    /// Whether it was dropped.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dropped: bool,
    /// Whether it was a command.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub command: bool,
    /// What a person sees of it beside calls and answers: a command's output, closing lines, notices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Reading>,
    /// The model's answers as the transcript has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
}

/// A hook that was passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Skip {
    /// The mod.
    #[serde(rename = "mod")]
    pub name: String,
    /// The event; empty where nothing shows it.
    pub event: String,
    /// The call it was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// Stable code, where the host has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Why, in the host's words; not kept in stored measurements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `file:line:column` in the mod.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

/// What a gap is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GapKind {
    /// An event a mod hooks is never raised.
    Event,
    /// A member of `$` a mod calls is not served.
    Member,
    /// The mod was not loaded.
    Load,
    /// The host raises an event that a mod hooks, and what played it cannot: it says nothing about the host.
    Limit,
}

/// Something a mod relies on that the host does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// What it is about.
    pub kind: GapKind,
    /// The mod.
    #[serde(rename = "mod")]
    pub name: String,
    /// Event or member; empty for a mod that was not loaded.
    #[serde(default)]
    pub of: String,
    /// `file:line:column` in the mod.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

/// What was seen of one scenario on one host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Observation {
    /// `claude-code@2.1.332`.
    pub host: String,
    /// Measured or run.
    pub origin: Origin,
    /// Words that are looked for in texts. Where there are some, two texts are the same when they hold the same ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// The script's prompts and commands, in order.
    pub prompts: Vec<PromptSeen>,
    /// Calls in the order they were asked for.
    pub calls: Vec<CallSeen>,
    /// Names of tools offered to the model that no host has by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offered: Vec<String>,
    /// Hooks passed over, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skip>,
    /// What mods rely on and the host does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
    /// Text files of the working directory at the end, by path.
    pub files: BTreeMap<String, String>,
}

impl Observation {
    /// The call of that id.
    pub fn call(&self, id: &str) -> Option<&CallSeen> {
        self.calls.iter().find(|call| call.id == id)
    }

    /// Looks for words in every text. From then on texts are compared by the words they hold, and reminders without
    /// any of them, which are the host's own, are left out.
    pub fn look_for(&mut self, words: &[String]) {
        self.words = words.to_vec();
        if words.is_empty() {
            return;
        }
        for call in &mut self.calls {
            call.reading.iter_mut().chain(&mut call.stored).for_each(|reading| text::find(reading, words));
            text::keep_found(&mut call.context, words);
        }
        for prompt in &mut self.prompts {
            text::keep_found(&mut prompt.context, words);
            text::keep_found(&mut prompt.shown, words);
        }
    }

    /// With the paths of a working directory written as if they were relative to it, so that hosts that make paths
    /// absolute agree with those that do not.
    #[must_use]
    pub fn relative_to(self, folder: &Path) -> Observation {
        let Ok(mut value) = serde_json::to_value(&self) else { return self };
        for folder in [Some(folder.to_owned()), folder.canonicalize().ok()].into_iter().flatten() {
            text::relative(&mut value, &folder.to_string_lossy());
        }
        serde_json::from_value(value).unwrap_or(self)
    }

    /// The form that is stored: without the texts around the words looked for, which are the host's own.
    #[must_use]
    pub fn for_storage(mut self) -> Observation {
        for call in &mut self.calls {
            call.reading.iter_mut().chain(&mut call.stored).chain(&mut call.context).for_each(|one| one.text = None);
        }
        for prompt in &mut self.prompts {
            prompt.context.iter_mut().chain(&mut prompt.shown).for_each(|one| one.text = None);
        }
        let told = self.calls.iter_mut().flat_map(|call| &mut call.mods);
        self.skipped.iter_mut().chain(told).for_each(|skip| skip.reason = None);
        self
    }
}
