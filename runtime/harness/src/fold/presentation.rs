use serde::Serialize;
use serde_json::Value;

use crate::record::{AssistantMessage, By, CommandRun, PermissionRow, Row, TurnEndRow, UserDropped, UserMessage, kind};
use crate::report::Report;

use super::calls::{Call, calls};

/// One thing a person sees.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "item", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Item {
    /// A prompt as it entered.
    Prompt {
        /// The text.
        text: String,
        /// What was typed, where that differs.
        typed: Option<String>,
        /// Who said it.
        by: String,
    },
    /// A prompt that was dropped.
    Dropped {
        /// The text.
        text: String,
        /// Why.
        reason: String,
    },
    /// Text of the model.
    Answer {
        /// The text.
        text: String,
        /// The nested loop, absent on the main one.
        agent_id: Option<String>,
    },
    /// A call as it ran.
    Call {
        /// Id.
        call_id: String,
        /// The tool that ran.
        tool: String,
        /// The arguments that ran.
        input: Value,
        /// Whether what ran is another call than the one that was committed.
        amended: bool,
        /// How often it ran; absent where nobody knows.
        runs: Option<usize>,
        /// The contributor that made the call, absent for the model's own.
        caller: Option<String>,
    },
    /// What came of a call.
    Result {
        /// Id.
        call_id: String,
        /// The tool.
        tool: String,
        /// The text.
        text: String,
        /// Whether it failed.
        is_error: bool,
        /// Why it was refused.
        denied: Option<String>,
    },
    /// A decision a person was asked for, or a refusal.
    Permission {
        /// Id of the call.
        call_id: String,
        /// `allow` or `deny`.
        decision: crate::permission::Decision,
        /// Why.
        reason: String,
    },
    /// A row that a contributor put into the conversation.
    Appended {
        /// `user` or `system`.
        role: String,
        /// The text.
        text: String,
        /// Who put it there.
        by: String,
    },
    /// Everything so far was shortened for the model.
    Compacted {
        /// Who asked for it.
        by: String,
    },
    /// What a command printed.
    Command {
        /// Name.
        command: String,
        /// Arguments.
        args: String,
        /// The text, or why it failed.
        text: Option<String>,
    },
    /// A row for surfaces: toast, status, log, notice, question, drawing.
    Ui {
        /// The row's kind without `ui/`.
        name: String,
        /// Who caused it.
        by: String,
        /// Its content.
        data: Value,
    },
    /// Something was refused, skipped or limited.
    Report {
        /// Who is meant.
        by: String,
        /// What.
        report: Report,
    },
    /// The request failed.
    ModelError {
        /// Code.
        code: String,
        /// For people.
        message: String,
    },
    /// A turn ended.
    TurnEnd {
        /// Why.
        reason: String,
        /// Lines contributors put beneath the answer.
        closing: Vec<String>,
    },
    /// The session was continued from its record.
    Resumed {
        /// Bytes of a torn line that were dropped.
        dropped_bytes: u64,
    },
}

/// What a person sees, in order.
pub fn presentation(rows: &[Row]) -> Vec<Item> {
    let calls = calls(rows);
    rows.iter().filter_map(|row| item(row, &calls)).collect()
}

fn item(row: &Row, calls: &indexmap::IndexMap<String, Call>) -> Option<Item> {
    let text = |field: &str| row.text_at(field).unwrap_or_default().to_owned();
    Some(match row.kind.as_str() {
        kind::USER_MESSAGE => {
            let message: UserMessage = row.parse()?;
            Item::Prompt { text: message.text, typed: message.typed, by: row.by.to_string() }
        }
        kind::USER_DROPPED => {
            let dropped: UserDropped = row.parse()?;
            Item::Dropped { text: dropped.text, reason: dropped.reason }
        }
        kind::ASSISTANT_MESSAGE => {
            let answer: AssistantMessage = row.parse()?;
            if answer.text.is_empty() {
                return None;
            }
            Item::Answer { text: answer.text, agent_id: answer.agent_id }
        }
        kind::TOOL_CALL => call_item(calls.get(row.text_at("callId")?)?)?,
        kind::TOOL_RESULT => {
            let call = calls.get(row.text_at("callId")?)?;
            let (_, result) = call.result.clone()?;
            let tool = effective_tool(call);
            Item::Result {
                call_id: result.call_id,
                tool,
                text: result.text,
                is_error: result.is_error,
                denied: result.denied,
            }
        }
        kind::PERMISSION_DECISION => {
            let decided: PermissionRow = row.parse()?;
            let silent = decided.decision == crate::permission::Decision::Allow && row.by != By::Person;
            if silent {
                return None;
            }
            Item::Permission { call_id: decided.call_id, decision: decided.decision, reason: decided.reason }
        }
        kind::COMMAND_RUN => {
            let run: CommandRun = row.parse()?;
            Item::Command { command: run.command, args: run.args, text: run.error.or(run.text) }
        }
        kind::SESSION_APPEND => Item::Appended { role: text("role"), text: text("text"), by: row.by.to_string() },
        kind::SESSION_COMPACT => Item::Compacted { by: row.by.to_string() },
        kind::MOD_REPORT => Item::Report { by: row.by.to_string(), report: row.parse()? },
        kind::MODEL_ERROR => Item::ModelError { code: text("code"), message: text("message") },
        kind::TURN_END => {
            let end: TurnEndRow = row.parse()?;
            Item::TurnEnd { reason: end.reason, closing: end.closing }
        }
        kind::SESSION_RESUME => {
            Item::Resumed { dropped_bytes: row.data.get("droppedBytes").and_then(Value::as_u64).unwrap_or_default() }
        }
        other => {
            let name = other.strip_prefix("ui/")?.to_owned();
            Item::Ui { name, by: row.by.to_string(), data: row.data.clone() }
        }
    })
}

fn effective_tool(call: &Call) -> String {
    call.effective().get("tool").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn call_item(call: &Call) -> Option<Item> {
    let effective = call.effective();
    let result = call.result.as_ref().map(|(_, result)| result);
    Some(Item::Call {
        call_id: call.row.call_id.clone(),
        tool: effective_tool(call),
        input: effective.get("input").cloned().unwrap_or_default(),
        amended: effective != call.committed() || call.row.asked.is_some(),
        runs: result.filter(|result| !result.interrupted).map(|result| result.executed.len()),
        caller: call.row.caller.clone(),
    })
}
