//! `$.session`: facts that the record knows best are read from it at each call.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::fold::{Block, Message, Role};
use modgate_harness::record::{AssistantMessage, Row, kind};
use modgate_services::session::{Session, SessionInfo};
use modgate_services::{Answer, Caller};
use modgate_value::Value;

use super::super::Running;
use super::forward;

/// Tokens that the scripted model is taken to have room for, as the models of Claude Code have.
const WINDOW: u64 = 200_000;

pub(super) struct Facts {
    pub(super) own: Arc<SessionInfo>,
    pub(super) running: Running,
}

impl Facts {
    fn refresh(&self) {
        let Some(session) = self.running.get() else { return };
        let (messages, turns, model) = (session.messages(), session.turn_count(), session.model());
        let tokens = session.rows().iter().rev().find_map(tokens_of);
        self.own.update(|facts| {
            facts.api_messages = messages.iter().map(as_api).collect();
            facts.messages = messages.iter().map(plain).collect();
            facts.turns = turns;
            facts.model = model;
            facts.context_tokens = tokens;
            facts.context_window = WINDOW;
        });
    }
}

/// Tokens that the conversation took up when that row was written.
fn tokens_of(row: &Row) -> Option<u64> {
    if row.kind != kind::ASSISTANT_MESSAGE {
        return None;
    }
    let message: AssistantMessage = row.parse()?;
    let usage = message.usage;
    let sent = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
    message.agent_id.is_none().then_some(sent + usage.output_tokens)
}

fn as_api(message: &Message) -> Value {
    Value::from(serde_json::to_value(message).unwrap_or_default())
}

fn plain(message: &Message) -> Value {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let (mut texts, mut uses, mut results) = (Vec::new(), Vec::new(), Vec::new());
    for block in &message.content {
        match block {
            Block::Text { text } => texts.push(text.as_str()),
            Block::ToolUse { id, name, input } => uses.push(Value::object([
                ("id", Value::text(id)),
                ("name", Value::text(name)),
                ("input", Value::from(input)),
            ])),
            Block::ToolResult { tool_use_id, content, is_error } => results.push(Value::object([
                ("id", Value::text(tool_use_id)),
                ("text", Value::text(content)),
                ("isError", Value::Bool(*is_error)),
            ])),
        }
    }
    let value = Value::object([
        ("role", Value::text(role)),
        ("text", Value::from(texts.join("\n"))),
        ("toolUses", Value::list(uses)),
    ]);
    if results.is_empty() { value } else { value.with("toolResults", Value::list(results)) }
}

#[async_trait]
impl Session for Facts {
    fn members(&self) -> &'static [&'static str] {
        self.own.members()
    }

    forward!(Session, own: authorize, cwd, id, repo, root, surface, surfaces, version);

    async fn messages(&self, caller: &Caller, input: &Value) -> Answer {
        self.refresh();
        self.own.messages(caller, input).await
    }

    async fn model(&self, caller: &Caller, input: &Value) -> Answer {
        self.refresh();
        self.own.model(caller, input).await
    }

    async fn turns(&self, caller: &Caller, input: &Value) -> Answer {
        self.refresh();
        self.own.turns(caller, input).await
    }

    async fn usage(&self, caller: &Caller, input: &Value) -> Answer {
        self.refresh();
        self.own.usage(caller, input).await
    }
}
