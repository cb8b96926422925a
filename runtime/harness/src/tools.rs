//! Tools under Claude Code's names, with its argument and result fields, since contributors match on them.
//!
//! One file a tool. A tool never fails the session: what goes wrong is an outcome with `is_error`.

mod agent;
mod ask;
mod bash;
mod confine;
mod edit;
mod file;
mod glob;
mod grep;
mod multi_edit;
mod patch;
mod read;
mod schema;
mod state;
mod todo;
mod write;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::person::Person;
use crate::session::SessionHandle;

pub use agent::Agent;
pub use ask::AskUserQuestion;
pub use bash::Bash;
pub use confine::{Place, place};
pub use edit::Edit;
pub use glob::Glob;
pub use grep::Grep;
pub use multi_edit::MultiEdit;
pub use read::Read;
pub use schema::{SchemaError, Shape};
pub use state::ToolState;
pub use todo::TodoWrite;
pub use write::Write;

/// What a tool is.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// Name.
    pub name: String,
    /// What the model reads about it.
    pub description: String,
    /// JSON schema of the arguments.
    pub input_schema: Value,
    /// JSON schema of the result, where it has one.
    pub output_schema: Option<Value>,
    /// What it does to the world, which the permission mode goes by.
    pub effect: Effect,
}

/// What a tool does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// Reads files.
    Reads,
    /// Changes files.
    Edits,
    /// Anything.
    Runs,
}

/// What came of one execution.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutput {
    /// The structured result.
    pub result: Value,
    /// What the model reads.
    pub text: String,
    /// Whether it failed.
    pub is_error: bool,
}

impl ToolOutput {
    /// A failure with that text.
    pub fn error(text: impl Into<String>) -> ToolOutput {
        let text = text.into();
        ToolOutput { result: Value::String(text.clone()), text, is_error: true }
    }
}

/// What an execution is given.
#[derive(Clone)]
pub struct ToolContext {
    /// Id of the call.
    pub call_id: String,
    /// Directory of the session; paths outside of it are reported as such.
    pub root: PathBuf,
    /// What the tools remember.
    pub state: ToolState,
    /// Fires when the turn is aborted.
    pub cancel: CancellationToken,
    /// Who answers questions.
    pub person: Arc<dyn Person>,
    /// Limits.
    pub limits: Limits,
    /// The nested loop that made the call, absent for the main one.
    pub agent_id: Option<String>,
    /// The session, for tools that start something in it.
    pub session: SessionHandle,
}

/// Limits of the tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Characters of output the model gets from one stream of a command.
    pub output_chars: usize,
    /// Milliseconds a command may take where the call does not say.
    pub timeout_ms: u64,
    /// Milliseconds a call may ask for.
    pub max_timeout_ms: u64,
    /// Lines a read gives where the call does not say.
    pub read_lines: usize,
    /// Characters of a line a read gives.
    pub line_chars: usize,
    /// Bytes of a file that is read or edited.
    pub file_bytes: u64,
    /// Files a glob names.
    pub glob_files: usize,
    /// Lines a grep gives where the call does not say.
    pub grep_lines: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            output_chars: 30_000,
            timeout_ms: 120_000,
            max_timeout_ms: 600_000,
            read_lines: 2_000,
            line_chars: 2_000,
            file_bytes: 16 * 1024 * 1024,
            glob_files: 100,
            grep_lines: 250,
        }
    }
}

/// A tool.
#[async_trait]
pub trait Tool: Send + Sync {
    /// What it is.
    fn spec(&self) -> &ToolSpec;

    /// Runs once. The arguments fit the schema.
    async fn run(&self, input: &Value, context: &ToolContext) -> ToolOutput;

    /// What the model reads for a result of this tool's shape, used where a contributor replaced the result.
    fn render(&self, result: &Value) -> String {
        match result {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// Whether arguments or result fit; made from the schemas in [`ToolSpec`].
    fn shape(&self) -> &Shape;
}

/// The ten tools of the native harness.
pub fn standard() -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(Bash::new()),
        Arc::new(Read::new()),
        Arc::new(Write::new()),
        Arc::new(Edit::new()),
        Arc::new(MultiEdit::new()),
        Arc::new(Glob::new()),
        Arc::new(Grep::new()),
        Arc::new(TodoWrite::new()),
        Arc::new(AskUserQuestion::new()),
        Arc::new(Agent::new()),
    ]
}

/// The path as the file system has it, against the root where it is relative.
pub(crate) fn absolute(root: &Path, path: &str) -> PathBuf {
    if let Some(rest) = path.strip_prefix("~/")
        && let Some(home) = std::env::home_dir()
    {
        return home.join(rest).components().collect();
    }
    // Taking it apart and together leaves out what changes nothing, as `.` and doubled slashes.
    root.join(path).components().collect()
}
