use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::record::{
    AppendedRow, AssistantMessage, CommandRun, CompactRow, ContextRow, RequestHeader, Row, ToolCallRow, UserMessage,
    kind,
};

use super::calls::{Call, Calls};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person, and everything the harness says in the person's place.
    User,
    /// The model.
    Assistant,
}

/// A message of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Vec<Block>,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A call of the model, as committed.
    ToolUse {
        /// Id of the call.
        id: String,
        /// The tool.
        name: String,
        /// The arguments.
        input: Value,
    },
    /// What came of it.
    ToolResult {
        /// Id of the call.
        tool_use_id: String,
        /// What the model reads.
        content: String,
        /// Whether it failed.
        #[serde(default)]
        is_error: bool,
    },
}

/// How text that nobody typed is marked for the model.
pub fn reminder(text: &str) -> String {
    format!("<system-reminder>\n{text}\n</system-reminder>")
}

/// What the model is sent: the messages of the main loop, or of the nested loop of that id.
///
/// Calls stand as committed. A call that was amended stays the model's own, and its result says what ran instead. A
/// contributor's own calls are not part of it.
pub fn history(rows: &[Row], agent_id: Option<&str>) -> Vec<Message> {
    let mut fold = History::of(agent_id);
    fold.catch_up(rows);
    let headers =
        rows.iter().rev().filter(|row| row.kind == kind::REQUEST_HEADER && row.text_at("agentId") == agent_id);
    let blocks = headers.filter_map(Row::parse::<RequestHeader>).map(|header| header.blocks).next();
    with_blocks(fold.messages(), blocks.unwrap_or_default().iter().filter_map(|block| block.get("text")?.as_str()))
}

/// Puts context blocks in front of the first message of the person.
pub(crate) fn with_blocks<'a>(mut messages: Vec<Message>, blocks: impl Iterator<Item = &'a str>) -> Vec<Message> {
    if let Some(first) = messages.iter_mut().find(|message| message.role == Role::User) {
        let blocks = blocks.map(|text| Block::Text { text: reminder(text) });
        first.content.splice(0..0, blocks.collect::<Vec<_>>());
    }
    messages
}

/// The history of one loop while it grows: each row is folded once.
pub(crate) struct History {
    agent_id: Option<String>,
    taken: usize,
    calls: Calls,
    messages: Vec<Message>,
    /// Calls from before the conversation was shortened.
    forgotten: HashSet<String>,
}

impl History {
    pub(crate) fn of(agent_id: Option<&str>) -> History {
        let agent_id = agent_id.map(str::to_owned);
        History { agent_id, taken: 0, calls: Calls::default(), messages: Vec::new(), forgotten: HashSet::new() }
    }

    /// Folds the rows that came since the last time.
    pub(crate) fn catch_up(&mut self, rows: &[Row]) {
        for row in rows.get(self.taken..).unwrap_or_default() {
            self.calls.take(row);
            self.take(row);
        }
        self.taken = rows.len();
    }

    fn take(&mut self, row: &Row) {
        let main = self.agent_id.is_none();
        let mine = row.text_at("agentId") == self.agent_id.as_deref();
        match row.kind.as_str() {
            kind::USER_MESSAGE if main => {
                let Some(message) = row.parse::<UserMessage>() else { return };
                self.say(Role::User, Block::Text { text: message.text });
                self.remind(&message.context);
            }
            kind::SUBAGENT_START if mine && !main => {
                let text = row.text_at("prompt").unwrap_or_default().to_owned();
                self.say(Role::User, Block::Text { text });
            }
            kind::ASSISTANT_MESSAGE if mine => {
                let Some(answer) = row.parse::<AssistantMessage>() else { return };
                let text = (!answer.text.is_empty()).then_some(Block::Text { text: answer.text });
                self.messages.push(Message { role: Role::Assistant, content: text.into_iter().collect() });
            }
            kind::TOOL_CALL if mine => {
                let Some(call) = row.parse::<ToolCallRow>() else { return };
                if call.caller.is_none() {
                    // The model reads its own call, whatever was made of it.
                    let own = call
                        .asked
                        .as_ref()
                        .and_then(|asked| Some((asked.get("tool")?.as_str()?.to_owned(), asked.get("input")?.clone())));
                    let (name, input) = own.unwrap_or((call.tool, call.input));
                    self.call(Block::ToolUse { id: call.call_id, name, input });
                }
            }
            kind::TOOL_RESULT => {
                let call = row.text_at("callId").and_then(|id| self.calls.all.get(id)).cloned();
                if let Some(call) = call.filter(|call| self.owns(call)) {
                    self.result(&call);
                }
            }
            kind::COMMAND_RUN if main => {
                let Some(run) = row.parse::<CommandRun>() else { return };
                // What a command printed is told to the model, as a person reads it.
                let printed = run.text.filter(|text| !text.is_empty());
                let told = printed.map(|text| format!("The person ran /{}. It printed:\n{text}", run.command));
                self.remind(&told.into_iter().chain(run.context).collect::<Vec<_>>());
            }
            kind::SESSION_APPEND if mine => {
                let Some(appended) = row.parse::<AppendedRow>().filter(|row| row.role == "user") else { return };
                self.say(Role::User, Block::Text { text: appended.text });
            }
            kind::SESSION_SEND if mine => {
                self.say(Role::User, Block::Text { text: row.text_at("text").unwrap_or_default().to_owned() });
            }
            kind::SESSION_COMPACT if main => {
                if let Some(compact) = row.parse::<CompactRow>() {
                    self.compact(compact);
                }
            }
            kind::CONTEXT if main => {
                self.remind(&row.parse::<ContextRow>().map(|row| row.texts).unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Everything so far gives way. A call that has no result yet is none of the model's any more.
    fn compact(&mut self, compact: CompactRow) {
        self.forgotten = self.calls.all.keys().cloned().collect();
        self.messages.clear();
        for message in compact.messages {
            let role = if message.role == "assistant" { Role::Assistant } else { Role::User };
            self.say(role, Block::Text { text: message.text });
        }
    }

    fn owns(&self, call: &Call) -> bool {
        call.row.caller.is_none() && call.row.agent_id == self.agent_id && !self.forgotten.contains(&call.row.call_id)
    }

    fn say(&mut self, role: Role, block: Block) {
        match self.messages.last_mut() {
            Some(last) if last.role == role => last.content.push(block),
            _ => self.messages.push(Message { role, content: vec![block] }),
        }
    }

    fn remind(&mut self, texts: &[String]) {
        for text in texts {
            self.say(Role::User, Block::Text { text: reminder(text) });
        }
    }

    /// Calls of one answer are committed one by one, so the answer may lie behind results already.
    fn call(&mut self, block: Block) {
        match self.messages.iter_mut().rev().find(|message| message.role == Role::Assistant) {
            Some(answer) => answer.content.push(block),
            None => self.messages.push(Message { role: Role::Assistant, content: vec![block] }),
        }
    }

    fn result(&mut self, call: &Call) {
        let Some((_, result)) = &call.result else { return };
        let block = Block::ToolResult {
            tool_use_id: result.call_id.clone(),
            content: result.text.clone(),
            is_error: result.is_error,
        };
        self.say(Role::User, block);
        if call.row.asked.is_some() {
            let (id, by, what) = (&result.call_id, &call.by, call.committed());
            let text = format!("The call {id} was changed by {by} before it was committed. What ran: {what}");
            self.say(Role::User, Block::Text { text: reminder(&text) });
        }
        for (_, by, amend) in &call.amendments {
            let text =
                format!("The call {} was changed by {by} before it ran. What ran: {}", result.call_id, amend.effective);
            self.say(Role::User, Block::Text { text: reminder(&text) });
        }
        for (_, by, attempt) in &call.attempts {
            let text = format!("The call {} was run again by {by} as attempt {}.", result.call_id, attempt.attempt);
            self.say(Role::User, Block::Text { text: reminder(&text) });
        }
        self.remind(&result.context);
    }

    /// The messages so far, without the context blocks.
    pub(crate) fn messages(&self) -> Vec<Message> {
        let said = self.messages.iter().filter(|message| !message.content.is_empty());
        said.map(|message| {
            let mut message = message.clone();
            // Results come before anything else that is said with them.
            message
                .content
                .sort_by_key(|block| message.role == Role::User && !matches!(block, Block::ToolResult { .. }));
            message
        })
        .collect()
    }
}
