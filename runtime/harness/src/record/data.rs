//! Shapes of the rows' content, one type a kind. Fields a later version adds are ignored by older readers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::Usage;
use crate::permission::Decision;
use crate::prompt::Origin;

macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident : $kind:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $kind,)*
        }
    )*};
}

rows! {
    /// `session/start`.
    SessionStartRow {
        /// Id of the session, the same over every resume.
        session_id: String,
        /// Working directory.
        cwd: String,
        /// Version of the harness that wrote it.
        version: String,
        /// What this host allows, as data.
        policy: Value,
        /// Permission mode and rules.
        permissions: Value,
        /// Names of the contributors in registration order.
        contributors: Vec<String>,
    }
    /// `session/end`.
    SessionEndRow {
        /// Why it ended: `prompt_input_exit`, `other`, ....
        reason: String,
    }
    /// `user/message`.
    UserMessage {
        /// The turn it begins.
        turn_id: String,
        /// The text as it entered.
        text: String,
        /// What was typed, where a contributor changed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        typed: Option<String>,
        /// Text the model gets beside it, as a reminder.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        context: Vec<String>,
        /// Where it came from.
        origin: Origin,
    }
    /// `user/dropped`.
    UserDropped {
        /// The text that was dropped.
        text: String,
        /// Why.
        reason: String,
        /// Where it came from.
        origin: Origin,
    }
    /// `context/added`.
    ContextRow {
        /// The call it belongs to, if to one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call_id: Option<String>,
        /// The texts.
        texts: Vec<String>,
    }
    /// `turn/start`.
    TurnStartRow {
        /// Id of the turn.
        turn_id: String,
        /// The prompt it answers, empty for a continuation.
        text: String,
        /// The nested loop, absent on the main one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent_id: Option<String>,
    }
    /// `turn/end`.
    TurnEndRow {
        /// Id of the turn.
        turn_id: String,
        /// `answer`, `aborted`, `error`, `refusal` or `steps` (the step limit).
        reason: String,
        /// The model's last text.
        answer: String,
        /// Lines contributors put beneath the answer; never sent to the model.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        closing: Vec<String>,
        /// Milliseconds from start to end of the turn.
        duration_ms: u64,
        /// Tokens of the whole turn.
        usage: Usage,
        /// The nested loop, absent on the main one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent_id: Option<String>,
    }
    /// `request/header`.
    RequestHeader {
        /// The turn.
        turn_id: String,
        /// The step within the turn, from 0.
        step: u32,
        /// The model asked.
        model: String,
        /// Effort, where one was set.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effort: Option<Value>,
        /// Revision of the frozen snapshot the step works on.
        revision: u64,
        /// Hash of the snapshot's tools, routes, grants and contributors.
        snapshot: String,
        /// System prompt sections: id and text.
        system: Vec<Value>,
        /// Context blocks: name and text.
        blocks: Vec<Value>,
        /// Names of the tools offered.
        tools: Vec<String>,
        /// The nested loop, absent on the main one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent_id: Option<String>,
    }
    /// `assistant/message`.
    AssistantMessage {
        /// The turn.
        turn_id: String,
        /// The step within the turn, from 0.
        step: u32,
        /// The text.
        text: String,
        /// Thinking, where the model streamed some.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thinking: Option<String>,
        /// The calls as the model asked for them. What is committed stands in `tool/call`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<AskedCall>,
        /// Why the model stopped.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop_reason: Option<String>,
        /// Tokens of this request.
        usage: Usage,
        /// The model that answered.
        model: String,
        /// The nested loop, absent on the main one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent_id: Option<String>,
    }
    /// One call the model asked for.
    AskedCall {
        /// Its id.
        id: String,
        /// The tool.
        name: String,
        /// The arguments.
        input: Value,
    }
    /// `tool/call`.
    ToolCallRow {
        /// Id of the call.
        call_id: String,
        /// The tool.
        tool: String,
        /// The arguments; what runs is read from here.
        input: Value,
        /// The turn.
        turn_id: String,
        /// The step within the turn.
        step: u32,
        /// Revision of the snapshot it was prepared under.
        revision: u64,
        /// The call `{tool, input}` the model asked for, where a contributor changed it before it was committed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<Value>,
        /// Absent for a call of the model; the contributor that made the call otherwise. Such a call is not part of
        /// the model's history.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        caller: Option<String>,
        /// The nested loop, absent on the main one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent_id: Option<String>,
    }
    /// `session/append`.
    AppendedRow {
        /// Its id.
        uuid: String,
        /// `user`: the model reads it; `system`: a person sees it.
        role: String,
        /// The text.
        text: String,
        /// The nested loop, absent on the main one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent_id: Option<String>,
    }
    /// `session/compact`.
    CompactRow {
        /// What set it off: `plugin`, ....
        trigger: String,
        /// What was asked of the summary.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instructions: Option<String>,
        /// What stands for everything before it: role and text of each message.
        messages: Vec<CompactMessage>,
    }
    /// One message of a shortened conversation.
    CompactMessage {
        /// `user` or `assistant`.
        role: String,
        /// The text.
        text: String,
    }
    /// `session/send`.
    SentRow {
        /// The nested loop.
        agent_id: String,
        /// As it was named.
        to: String,
        /// The text.
        text: String,
    }
    /// `model/ask`.
    ModelAskRow {
        /// The model.
        model: String,
        /// The question.
        prompt: String,
        /// The system prompt, where there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        system: Option<String>,
        /// Most tokens of the answer.
        max_tokens: u32,
        /// Whether the conversation so far was sent with it.
        over_history: bool,
    }
    /// `model/answer`.
    ModelAnswerRow {
        /// `seq` of the question.
        to: u64,
        /// The text, where it succeeded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// Why it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// Tokens.
        usage: Usage,
    }
    /// `tool/drop`.
    ToolDrop {
        /// Id of the call.
        call_id: String,
        /// Why it was dropped.
        reason: String,
    }
    /// `tool/amend`.
    ToolAmend {
        /// Id of the call.
        call_id: String,
        /// The call as committed: `{tool, input}`.
        original: Value,
        /// The call as it runs: `{tool, input}`.
        effective: Value,
    }
    /// `tool/attempt`: attempt 1 is the call itself, so numbers start at 2.
    ToolAttempt {
        /// Id of the call.
        call_id: String,
        /// Number of the attempt.
        attempt: u32,
        /// Tool of this attempt.
        tool: String,
        /// Arguments of this attempt.
        input: Value,
        /// Key that tells this attempt from every other.
        idempotency_key: String,
        /// What the attempt before it came to: `{isError, text}`.
        previous: Value,
    }
    /// `permission/decision`.
    PermissionRow {
        /// Id of the call.
        call_id: String,
        /// The attempt decided about.
        attempt: u32,
        /// What was decided in the end: allow or deny.
        decision: Decision,
        /// What rules, mode and contributors said before the person was asked.
        verdict: Decision,
        /// The rule that decided, as written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        /// Where the rule or decision comes from: a rule's source, `mode`, `person`, `mod:NAME`, `default`.
        source: String,
        /// Why, for people.
        reason: String,
        /// The tool decided about.
        tool: String,
        /// The arguments decided about.
        input: Value,
    }
    /// `tool/result`.
    ToolResultRow {
        /// Id of the call.
        call_id: String,
        /// The tool.
        tool: String,
        /// Whether the model is told that it failed.
        is_error: bool,
        /// What the model reads.
        text: String,
        /// The structured result, as contributors left it.
        result: Value,
        /// Why it was refused, where it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        denied: Option<String>,
        /// Whether a contributor changed what the tool gave.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        replaced: bool,
        /// Text the model gets beside it, as a reminder.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        context: Vec<String>,
        /// Every call `{tool, input}` that really ran, in order, written by the harness alone.
        executed: Vec<Value>,
        /// Set on a result that closes a call a crash interrupted: nobody knows whether it ran.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        interrupted: bool,
        /// What the tools have to remember, merged into their state on resume.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        state: Value,
    }
    /// `command/start`.
    CommandStart {
        /// Name without the slash.
        command: String,
        /// The rest of the line.
        args: String,
        /// Where it came from.
        origin: Origin,
    }
    /// `command/run`.
    CommandRun {
        /// Name without the slash.
        command: String,
        /// The arguments it ran with.
        args: String,
        /// What the person sees.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// What the model gets with the next prompt.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        context: Vec<String>,
        /// Why it failed, where it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// Where it came from.
        origin: Origin,
    }
}
