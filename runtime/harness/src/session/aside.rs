//! Questions to a model beside the conversation, and rows that contributors put into it.

use std::sync::Arc;

use crate::error::HarnessError;
use crate::fold::{Block, History, Message, Role};
use crate::model::{ModelRequest, Usage, collect};
use crate::record::{AppendedRow, By, CompactMessage, CompactRow, ModelAnswerRow, ModelAskRow, Row, kind};

use super::core::{Core, to_value};

/// A question to a model beside the conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AsideQuestion {
    /// The model, the session's where absent.
    pub model: Option<String>,
    /// What is asked.
    pub prompt: String,
    /// A system prompt.
    pub system: Option<String>,
    /// Most tokens of the answer.
    pub max_tokens: u32,
    /// Whether the conversation so far is sent with it.
    pub over_history: bool,
}

/// What a model said to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsideAnswer {
    /// The text.
    pub text: String,
    /// Tokens.
    pub usage: Usage,
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AsideError {
    /// The model failed.
    #[error(transparent)]
    Model(#[from] crate::model::ModelError),
    /// The session cannot go on.
    #[error(transparent)]
    Session(#[from] HarnessError),
}

/// Asks without tools. The question is in the record before it is sent, the answer before anybody reads it.
pub(super) async fn ask(core: &Arc<Core>, by: By, question: AsideQuestion) -> Result<AsideAnswer, AsideError> {
    let AsideQuestion { model, prompt, system, max_tokens, over_history } = question;
    let model = model.unwrap_or_else(|| core.model.default_model());
    let row =
        ModelAskRow { model: model.clone(), prompt: prompt.clone(), system: system.clone(), max_tokens, over_history };
    let asked = core.write(kind::MODEL_ASK, by, to_value(&row)).await?;
    let mut messages = if over_history { conversation(core) } else { Vec::new() };
    let said = Block::Text { text: prompt.clone() };
    match messages.last_mut().filter(|last| last.role == Role::User) {
        Some(last) => last.content.push(said),
        None => messages.push(Message { role: Role::User, content: vec![said] }),
    }
    let request = ModelRequest {
        model,
        effort: None,
        turn_id: String::new(),
        turn: 0,
        step: 0,
        script_index: None,
        agent_id: None,
        agent_name: None,
        is_aside: true,
        prompt,
        system: system.into_iter().collect(),
        messages,
        tools: Vec::new(),
    };
    let answered = async { collect(core.model.stream(request, core.cancel.clone()).await?).await };
    let answered = tokio::select! {
        answer = answered => answer,
        () = core.cancel.cancelled() => Err(crate::model::ModelError::new("cancelled", "the session was aborted")),
    };
    let (text, error, usage) = match &answered {
        Ok(answer) => (Some(answer.text.clone()), None, answer.usage),
        Err(error) => (None, Some(error.to_string()), Usage::default()),
    };
    let row = ModelAnswerRow { to: asked.seq, text, error, usage };
    core.write(kind::MODEL_ANSWER, By::Model, to_value(&row)).await?;
    let answer = answered?;
    Ok(AsideAnswer { text: answer.text, usage: answer.usage })
}

/// The main loop's history, kept and caught up with.
fn conversation(core: &Core) -> Vec<Message> {
    let mut histories = core.histories.lock();
    let history = histories.entry(None).or_insert_with(|| History::of(None));
    core.with_rows(|rows| history.catch_up(rows));
    history.messages()
}

/// Puts a row into the conversation.
pub(super) async fn append(core: &Arc<Core>, by: By, row: AppendedRow) -> Result<Row, HarnessError> {
    core.write(kind::SESSION_APPEND, by, to_value(&row)).await
}

/// Lets these messages stand for everything that was said so far.
pub(super) async fn compact(
    core: &Arc<Core>,
    by: By,
    trigger: &str,
    instructions: Option<String>,
    messages: Vec<CompactMessage>,
) -> Result<Row, HarnessError> {
    let row = CompactRow { trigger: trigger.to_owned(), instructions, messages };
    core.write(kind::SESSION_COMPACT, by, to_value(&row)).await
}
