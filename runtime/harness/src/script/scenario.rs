use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::Usage;
use crate::permission::Mode;

use super::expect::Expect;

/// A scenario, as its file has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scenario {
    /// For people.
    pub name: String,
    /// For people.
    pub description: String,
    /// Name of the model.
    #[serde(default = "default_model")]
    pub model: String,
    /// Mode and rules.
    pub permissions: PermissionScript,
    /// Files to begin with, by path in the working directory.
    pub files: IndexMap<String, FileContent>,
    /// What the person types, in order, and what the model answers.
    #[serde(rename = "prompt")]
    pub prompts: Vec<PromptScript>,
    /// What the model answers to prompts that contributors submit.
    #[serde(rename = "reply")]
    pub replies: Vec<ReplyScript>,
    /// What the model answers in nested loops.
    #[serde(rename = "agent")]
    pub agents: Vec<AgentScript>,
    /// What the model answers to questions beside the conversation.
    #[serde(rename = "aside")]
    pub asides: Vec<AsideScript>,
    /// What the person says about calls.
    #[serde(rename = "permission")]
    pub decisions: Vec<PersonDecision>,
    /// What the person answers to questions.
    #[serde(rename = "answer")]
    pub answers: Vec<QuestionScript>,
    /// What should have happened in the end.
    pub expect: Expect,
}

fn default_model() -> String {
    "scripted".into()
}

/// Mode and rules of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PermissionScript {
    /// The mode.
    pub mode: Mode,
    /// Rules that allow.
    pub allow: Vec<String>,
    /// Rules that ask.
    pub ask: Vec<String>,
    /// Rules that deny.
    pub deny: Vec<String>,
}

/// A file: its text, or text with a flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FileContent {
    /// The text.
    Text(String),
    /// The text, and whether it may be executed.
    Full {
        /// The text.
        content: String,
        /// Whether it may be executed.
        #[serde(default)]
        executable: bool,
    },
}

impl FileContent {
    /// The text.
    pub fn text(&self) -> &str {
        match self {
            FileContent::Text(text) | FileContent::Full { content: text, .. } => text,
        }
    }
}

/// One thing the person types: a prompt with the model's steps, or a command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PromptScript {
    /// The prompt.
    pub text: Option<String>,
    /// A command instead, as `/name arguments`.
    pub command: Option<String>,
    /// What the model does, request by request.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
}

/// One answer of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Step {
    /// Its text.
    pub text: String,
    /// Its thinking.
    pub thinking: String,
    /// The calls it asks for.
    #[serde(rename = "call")]
    pub calls: Vec<ScriptedCall>,
    /// Why it stops; `tool_use` with calls, else `end_turn`.
    pub stop: Option<String>,
    /// Tokens.
    pub usage: Usage,
    /// Characters of a streamed piece of text or arguments; all at once where absent.
    pub chunk_chars: Option<usize>,
    /// Milliseconds before the first piece.
    pub delay_ms: u64,
    /// The request fails instead, after what text there is was streamed.
    pub error: Option<Failure>,
}

/// A failing request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// Stable word, as `overloaded_error`.
    pub code: String,
    /// For people.
    #[serde(default)]
    pub message: String,
}

/// A call of the scripted model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// The tool.
    pub tool: String,
    /// Id; made from the place in the script where absent.
    #[serde(default)]
    pub id: Option<String>,
    /// The arguments.
    #[serde(default = "no_arguments")]
    pub input: Value,
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}

/// What the model answers to prompts that nobody typed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReplyScript {
    /// Text the prompt contains.
    pub to: String,
    /// What the model does.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
}

/// What the model answers to questions beside the conversation that contain a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AsideScript {
    /// Text the question contains.
    pub to: String,
    /// The answer.
    pub text: String,
    /// Tokens.
    pub usage: Usage,
    /// The request fails instead.
    pub error: Option<Failure>,
}

/// What the model answers in nested loops of that name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentScript {
    /// Name of the loop.
    pub name: String,
    /// What the model does.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
}

/// What the person says about calls that fit a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonDecision {
    /// A rule, as `Bash(rm *)`.
    pub call: String,
    /// What the person says.
    pub answer: PersonAnswer,
    /// A word to the model.
    #[serde(default)]
    pub message: Option<String>,
    /// How often it holds; always where absent.
    #[serde(default)]
    pub times: Option<u32>,
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PersonAnswer {
    /// Yes.
    Allow,
    /// No.
    Deny,
}

/// What the person answers to questions that contain a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionScript {
    /// Text the question contains.
    pub question: String,
    /// The answer; the question is waved away where absent.
    #[serde(default)]
    pub answer: Option<String>,
    /// How often it holds; always where absent.
    #[serde(default)]
    pub times: Option<u32>,
}
