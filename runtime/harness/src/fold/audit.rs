use serde::Serialize;
use serde_json::Value;

use crate::record::{Row, kind};

use super::calls::{Call, calls};

/// Who did what.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Audit {
    /// Every row, in order, in one line each.
    pub entries: Vec<AuditEntry>,
    /// Every committed call with all that was decided and done about it.
    pub calls: Vec<CallAudit>,
}

/// One row for the audit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// The row.
    pub seq: u64,
    /// When.
    pub time: String,
    /// Who.
    pub by: String,
    /// What, as the row's kind.
    pub kind: String,
    /// The call it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// What, in words.
    pub what: String,
}

/// One call for the audit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallAudit {
    /// Id.
    pub call_id: String,
    /// `seq` of its `tool/call` row.
    pub seq: u64,
    /// Who committed it in this form.
    pub by: String,
    /// `{tool, input}` as the model asked; absent for a contributor's own call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Value>,
    /// `{tool, input}` as committed.
    pub committed: Value,
    /// Corrections in order: who, and `{tool, input}` after it.
    pub amendments: Vec<Execution>,
    /// Further attempts in order: who, and their `{tool, input}`.
    pub attempts: Vec<Execution>,
    /// Decisions in order: `allow` or `deny` with rule, source, reason, and what was decided about.
    pub decisions: Vec<Value>,
    /// `{tool, input}` of everything that really ran, in order. Absent where nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executed: Option<Vec<Value>>,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub denied: Option<String>,
    /// Whether the model was told that it failed.
    pub is_error: bool,
    /// Whether a contributor replaced the result.
    pub replaced: bool,
}

/// A correction or an attempt.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Execution {
    /// `seq` of its row.
    pub seq: u64,
    /// Who caused it.
    pub by: String,
    /// `{tool, input}`.
    pub call: Value,
}

/// Folds the rows to who did what.
pub fn audit(rows: &[Row]) -> Audit {
    let entries = rows.iter().map(entry).collect();
    let calls = calls(rows).into_values().map(call_audit).collect();
    Audit { entries, calls }
}

fn call_audit(call: Call) -> CallAudit {
    let committed = call.committed();
    let Call { seq, by, row, asked, amendments, attempts, decisions, result } = call;
    let result = result.map(|(_, result)| result);
    let amendments = amendments.into_iter().map(|(seq, by, one)| Execution { seq, by, call: one.effective });
    let attempts = attempts.into_iter().map(|(seq, by, one)| {
        let call = serde_json::json!({ "tool": one.tool, "input": one.input });
        Execution { seq, by, call }
    });
    CallAudit {
        call_id: row.call_id,
        seq,
        by,
        asked,
        committed,
        amendments: amendments.collect(),
        attempts: attempts.collect(),
        decisions: decisions.into_iter().filter_map(|(_, one)| serde_json::to_value(one).ok()).collect(),
        executed: result.as_ref().filter(|result| !result.interrupted).map(|result| result.executed.clone()),
        denied: result.as_ref().and_then(|result| result.denied.clone()),
        is_error: result.as_ref().is_some_and(|result| result.is_error),
        replaced: result.as_ref().is_some_and(|result| result.replaced),
    }
}

fn entry(row: &Row) -> AuditEntry {
    AuditEntry {
        seq: row.seq,
        time: row.time.clone(),
        by: row.by.to_string(),
        kind: row.kind.clone(),
        call_id: row.text_at("callId").map(str::to_owned),
        what: what(row),
    }
}

fn what(row: &Row) -> String {
    let text = |field: &str| one_line(row.text_at(field).unwrap_or_default());
    let json = |field: &str| one_line(&row.data.get(field).map(Value::to_string).unwrap_or_default());
    match row.kind.as_str() {
        kind::SESSION_START => format!("session {} in {}", text("sessionId"), text("cwd")),
        kind::SESSION_RESUME => format!("resumed, {} torn bytes dropped", json("droppedBytes")),
        kind::USER_MESSAGE | kind::TURN_START => text("text"),
        kind::USER_DROPPED => format!("dropped: {}", text("reason")),
        kind::REQUEST_HEADER => format!("asked {} at revision {}", text("model"), json("revision")),
        kind::ASSISTANT_MESSAGE => text("text"),
        kind::MODEL_ASK => format!("asked {} aside: {}", text("model"), text("prompt")),
        kind::MODEL_ANSWER => row.text_at("error").map_or_else(|| text("text"), |error| format!("failed: {error}")),
        kind::SESSION_APPEND => format!("{}: {}", text("role"), text("text")),
        kind::SESSION_SEND => format!("to {}: {}", text("to"), text("text")),
        kind::SUBAGENT_START => format!("{} began: {}", text("name"), text("prompt")),
        kind::SUBAGENT_END => format!("{}: {}", text("reason"), text("answer")),
        kind::MODEL_ERROR => format!("{}: {}", text("code"), text("message")),
        kind::TOOL_CALL => format!("{} {}", text("tool"), json("input")),
        kind::TOOL_DROP => format!("dropped: {}", text("reason")),
        kind::TOOL_AMEND => format!("{} became {}", json("original"), json("effective")),
        kind::TOOL_ATTEMPT => format!("attempt {}: {} {}", json("attempt"), text("tool"), json("input")),
        kind::PERMISSION_DECISION => format!("{}: {}", text("decision"), text("reason")),
        kind::TOOL_RESULT => {
            let ran = row.data.get("executed").and_then(Value::as_array).map_or(0, Vec::len);
            let failed = if row.data.get("isError") == Some(&Value::Bool(true)) { ", failed" } else { "" };
            format!("ran {ran} times{failed}: {}", text("text"))
        }
        kind::MOD_REPORT => format!("{}: {}", text("code"), text("message")),
        kind::COMMAND_START => format!("/{} {}", text("command"), text("args")),
        kind::COMMAND_RUN => format!("/{}: {}", text("command"), text("text")),
        kind::TURN_END | kind::SESSION_END => text("reason"),
        _ => one_line(&row.data.to_string()),
    }
}

fn one_line(text: &str) -> String {
    let mut line: String = text.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(200).is_some() {
        line.push('…');
    }
    line
}
