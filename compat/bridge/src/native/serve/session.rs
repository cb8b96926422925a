//! `$.session`: facts that the record knows best are read from it at each call; rows that mods put into the
//! conversation.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::fold::{Block, Message, Role};
use modgate_harness::record::{AppendedRow, AssistantMessage, By, CompactMessage, Row, kind};
use modgate_harness::session::{AsideQuestion, SessionHandle};
use modgate_services::model::MAX_TOKENS;
use modgate_services::session::{Session, SessionInfo};
use modgate_services::{Answer, Caller, ServiceError, codes};
use modgate_value::Value;

use super::super::Running;
use super::super::assemble;
use super::super::convert::pick;
use super::forward;
use crate::chain::Raised;

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
        let rows = session.rows();
        let tokens = rows.iter().rev().find_map(tokens_of);
        let started = rows.iter().filter(|row| row.kind == kind::SUBAGENT_START);
        let agents = started.filter_map(|row| row.text_at("agentId"));
        let agents = agents.map(|id| (id.to_string(), session.messages_of(id).iter().map(plain).collect())).collect();
        self.own.update(|facts| {
            facts.api_messages = messages.iter().map(as_api).collect();
            facts.messages = messages.iter().map(plain).collect();
            facts.agents = agents;
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
                ("tool_use_id", Value::text(id)),
                ("tool", Value::text(name)),
                ("input", Value::from(input)),
            ])),
            Block::ToolResult { tool_use_id, content, is_error } => results.push(Value::object([
                ("tool_use_id", Value::text(tool_use_id)),
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

/// The conversation as hooks on `session.compact` are shown it.
pub(in super::super) fn conversation(session: &SessionHandle) -> Value {
    Value::list(session.messages().iter().map(plain))
}

/// What a prompt is composed for, where the mod does not say.
pub(in super::super) fn composing(session: &SessionHandle, input: Value) -> Value {
    let tools = session.snapshot(None).map(|snapshot| snapshot.tools.clone()).unwrap_or_default();
    let event = assemble::composing(&session.model(), tools.iter().map(|tool| tool.name.as_str()));
    let given = input.as_object().into_iter().flatten().filter(|(_, value)| !value.is_undefined());
    given.fold(event, |event, (key, value)| event.with(key, value.clone()))
}

/// Stores what every hook has left of a shortened conversation.
pub(in super::super) async fn compacted(session: &SessionHandle, called: &Raised, answer: Value) -> Answer {
    let Some(messages) = answer.get("messages").and_then(Value::as_array) else { return Ok(answer) };
    let message = |one: &Value| CompactMessage {
        role: one.str_at("role").unwrap_or("user").to_string(),
        text: one.str_at("text").unwrap_or_default().to_string(),
    };
    let messages = messages.iter().map(message).collect();
    let text = |field: &str| called.input.str_at(field).map(str::to_string);
    let by = By::Mod(called.origin.plugin.to_string());
    let trigger = text("trigger").unwrap_or_else(|| "plugin".to_string());
    let written = session.compact(by, &trigger, text("instructions"), messages).await;
    written.map_err(|error| ServiceError::failed("session.compact", codes::IO, error))?;
    Ok(answer)
}

/// Whom a message is for.
fn address(to: Option<&Value>) -> String {
    let name = |to: &Value| {
        to.as_str().or_else(|| to.str_at("agentId")).or_else(|| to.str_at("sessionId")).map(str::to_string)
    };
    to.and_then(name).unwrap_or_default()
}

/// The text of a message, whether its content is one text or blocks.
fn text_of(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.to_string(),
        Some(content) => {
            let blocks = content.as_array().unwrap_or_default();
            blocks.iter().filter_map(|block| block.str_at("text")).collect::<Vec<_>>().join("\n")
        }
        None => String::new(),
    }
}

#[async_trait]
impl Session for Facts {
    fn members(&self) -> &'static [&'static str] {
        &[
            "append",
            "authorize",
            "compact",
            "cwd",
            "id",
            "messages",
            "model",
            "repo",
            "root",
            "send",
            "surface",
            "surfaces",
            "turns",
            "usage",
            "version",
        ]
    }

    /// What came down is stored.
    async fn append(&self, caller: &Caller, input: &Value) -> Answer {
        let session = super::session(&self.running, "session.append")?;
        let message = input.get("message").cloned().unwrap_or_default();
        let row = AppendedRow {
            uuid: input.str_at("uuid").unwrap_or_default().to_string(),
            role: message.str_at("type").unwrap_or("user").to_string(),
            text: text_of(&message),
            agent_id: input.str_at("agentId").map(str::to_string),
        };
        let written = session.append_row(By::Mod(caller.plugin.clone()), row).await;
        written.map_err(|error| ServiceError::failed("session.append", codes::IO, error))?;
        Ok(pick(input, &["message", "uuid"]))
    }

    /// Asks the model for a summary of what it is shown. Nothing is stored here: hooks may still change it.
    async fn compact(&self, caller: &Caller, input: &Value) -> Answer {
        let session = super::session(&self.running, "session.compact")?;
        let failed = |error: &dyn std::fmt::Display| ServiceError::failed("session.compact", codes::BAD_GATEWAY, error);
        let said = input.get("messages").and_then(Value::as_array).unwrap_or_default();
        if said.is_empty() {
            return Ok(Value::object([("skip", Value::text("nothing has been said yet"))]));
        }
        let lines = said.iter().map(|one| {
            format!("{}: {}", one.str_at("role").unwrap_or_default(), one.str_at("text").unwrap_or_default())
        });
        let wanted = input.str_at("instructions").map(|text| format!(" {text}")).unwrap_or_default();
        let lines = lines.collect::<Vec<_>>().join("\n");
        let question = AsideQuestion {
            prompt: format!("Summarise this conversation so that the work can go on from it.{wanted}\n\n{lines}"),
            max_tokens: MAX_TOKENS,
            ..AsideQuestion::default()
        };
        let answer = session.ask_model(By::Mod(caller.plugin.clone()), question).await;
        let answer = answer.map_err(|error| failed(&error))?;
        let summary = Value::object([
            ("role", Value::text("user")),
            ("text", Value::from(answer.text)),
            ("toolUses", Value::list([])),
        ]);
        Ok(Value::object([("messages", Value::list([summary]))]))
    }

    /// To a nested loop that runs, or to this session as a prompt of the mod's.
    async fn send(&self, caller: &Caller, input: &Value) -> Answer {
        let session = super::session(&self.running, "session.send")?;
        let (to, text) = (address(input.get("to")), input.str_at("text").unwrap_or_default());
        if to == session.session_id() {
            let origin = modgate_harness::prompt::Origin::plugin(&caller.plugin);
            session.submit(modgate_harness::prompt::Prompt { text: text.to_string(), context: Vec::new(), origin });
            return Ok(Value::object([("isDelivered", Value::Bool(true))]));
        }
        let sent = session.send_to_agent(By::Mod(caller.plugin.clone()), &to, text).await;
        let sent = sent.map_err(|error| ServiceError::failed("session.send", codes::IO, error))?;
        Ok(match sent {
            Some(_) => Value::object([("isDelivered", Value::Bool(true))]),
            None => Value::object([
                ("isDelivered", Value::Bool(false)),
                ("reason", Value::from(format!("nobody here is called {to}"))),
            ]),
        })
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
