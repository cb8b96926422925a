//! What answers requests: the [`Model`] trait, its chunks, and what a stream comes to.

use std::collections::BTreeMap;
use std::pin::Pin;

use async_trait::async_trait;
use futures_util::{Stream, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::fold::Message;
use crate::record::AskedCall;

/// Tokens of one request or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens sent that no cache held.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// Tokens read from the cache.
    pub cache_read_input_tokens: u64,
    /// Tokens written to the cache.
    pub cache_creation_input_tokens: u64,
}

impl Usage {
    /// This and more.
    pub fn add(&mut self, other: Usage) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.cache_read_input_tokens += other.cache_read_input_tokens;
        self.cache_creation_input_tokens += other.cache_creation_input_tokens;
    }
}

/// A tool as the model is told about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfferedTool {
    /// Name.
    pub name: String,
    /// What the model reads about it.
    pub description: String,
    /// JSON schema of the arguments.
    pub input_schema: Value,
}

/// One request to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRequest {
    /// The model.
    pub model: String,
    /// `low`, `medium`, `high`, ... or a number.
    pub effort: Option<Value>,
    /// The turn.
    pub turn_id: String,
    /// Number of the turn in its loop, from 0, counted in the record; for a nested loop how many of its name began
    /// before it.
    pub turn: u32,
    /// Number of the step in the turn, from 0.
    pub step: u32,
    /// Place in the script of the prompt that began the turn.
    pub script_index: Option<u32>,
    /// The nested loop, absent on the main one.
    pub agent_id: Option<String>,
    /// Name of the nested loop.
    pub agent_name: Option<String>,
    /// A question beside the conversation: it belongs to no turn and offers no tools.
    pub is_aside: bool,
    /// The prompt that began the turn, or the question.
    pub prompt: String,
    /// System prompt, section by section.
    pub system: Vec<String>,
    /// What was said so far.
    pub messages: Vec<Message>,
    /// The tools offered.
    pub tools: Vec<OfferedTool>,
}

/// A piece of an answer, as it streams.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Chunk {
    /// Text of the block with that index.
    Text {
        /// Block.
        index: u32,
        /// Piece of the text.
        text: String,
    },
    /// Thinking of the block with that index.
    Thinking {
        /// Block.
        index: u32,
        /// Piece of the text.
        text: String,
    },
    /// A call begins.
    Tool {
        /// Block.
        index: u32,
        /// Id of the call.
        id: String,
        /// The tool.
        name: String,
    },
    /// A piece of a call's arguments.
    Input {
        /// Block.
        index: u32,
        /// Part of the JSON text.
        json: String,
    },
    /// The end of the answer.
    Stop {
        /// Why: `end_turn`, `tool_use`, `refusal`, ....
        stop_reason: Option<String>,
        /// Tokens, where the model says so.
        usage: Option<Usage>,
    },
}

/// An answer while it streams.
pub type ChunkStream = Pin<Box<dyn Stream<Item = Result<Chunk, ModelError>> + Send>>;

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct ModelError {
    /// Stable word: `overloaded_error`, `cancelled`, `script-exhausted`, `bad-arguments`, ....
    pub code: String,
    /// For people.
    pub message: String,
}

impl ModelError {
    /// An error of that code.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> ModelError {
        ModelError { code: code.into(), message: message.into() }
    }
}

/// Answers requests.
#[async_trait]
pub trait Model: Send + Sync {
    /// Name used where no other is asked for.
    fn default_model(&self) -> String;

    /// Begins to answer. The stream ends after [`Chunk::Stop`], with an error, or when `cancel` fires.
    async fn stream(&self, request: ModelRequest, cancel: CancellationToken) -> Result<ChunkStream, ModelError>;
}

/// A whole answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepAnswer {
    /// Its text.
    pub text: String,
    /// Its thinking.
    pub thinking: String,
    /// The calls asked for.
    pub calls: Vec<AskedCall>,
    /// Why the model stopped.
    pub stop_reason: Option<String>,
    /// Tokens.
    pub usage: Usage,
}

/// Reads a stream to its end.
pub async fn collect(mut stream: ChunkStream) -> Result<StepAnswer, ModelError> {
    let mut answer = StepAnswer::default();
    let mut calls: BTreeMap<u32, (String, String, String)> = BTreeMap::new();
    while let Some(chunk) = stream.next().await {
        match chunk? {
            Chunk::Text { text, .. } => answer.text.push_str(&text),
            Chunk::Thinking { text, .. } => answer.thinking.push_str(&text),
            Chunk::Tool { index, id, name } => {
                calls.insert(index, (id, name, String::new()));
            }
            // Arguments without their call: a contributor dropped the call's first chunk, and with it the call.
            Chunk::Input { index, json } => {
                if let Some((.., text)) = calls.get_mut(&index) {
                    text.push_str(&json);
                }
            }
            Chunk::Stop { stop_reason, usage } => {
                answer.stop_reason = stop_reason;
                answer.usage.add(usage.unwrap_or_default());
            }
        }
    }
    for (id, name, json) in calls.into_values() {
        let input = parse_arguments(&name, &json)?;
        answer.calls.push(AskedCall { id, name, input });
    }
    Ok(answer)
}

fn parse_arguments(tool: &str, json: &str) -> Result<Value, ModelError> {
    if json.trim().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    serde_json::from_str(json).map_err(|error| {
        ModelError::new("bad-arguments", format!("the arguments streamed for {tool} are no JSON: {error}"))
    })
}
