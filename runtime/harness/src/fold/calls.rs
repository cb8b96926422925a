use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::Value;

use crate::record::{AssistantMessage, PermissionRow, Row, ToolAmend, ToolAttempt, ToolCallRow, ToolResultRow, kind};

/// Everything the rows say about one committed call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) seq: u64,
    pub(super) by: String,
    pub(super) row: ToolCallRow,
    /// As the model asked for it.
    pub(super) asked: Option<Value>,
    pub(super) amendments: Vec<(u64, String, ToolAmend)>,
    pub(super) attempts: Vec<(u64, String, ToolAttempt)>,
    pub(super) decisions: Vec<(u64, PermissionRow)>,
    pub(super) result: Option<(u64, ToolResultRow)>,
}

impl Call {
    /// The call as the record says it was to run in the end, `{tool, input}`: its last correction or attempt, else as
    /// committed. What a host ran without such a row is in the audit only.
    pub(super) fn effective(&self) -> Value {
        let attempt = self.attempts.last();
        let attempt = attempt.map(|(seq, _, one)| (*seq, serde_json::json!({ "tool": one.tool, "input": one.input })));
        let amended = self.amendments.last().map(|(seq, _, one)| (*seq, one.effective.clone()));
        let last = attempt.into_iter().chain(amended).max_by_key(|(seq, _)| *seq);
        last.map_or_else(|| self.committed(), |(_, call)| call)
    }

    pub(super) fn committed(&self) -> Value {
        serde_json::json!({ "tool": self.row.tool, "input": self.row.input })
    }
}

/// The committed calls of a record by id, in the order of their rows.
pub(super) fn calls(rows: &[Row]) -> IndexMap<String, Call> {
    let mut calls = Calls::default();
    rows.iter().for_each(|row| calls.take(row));
    calls.all
}

/// Collects calls row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    asked: HashMap<String, Value>,
    pub(super) all: IndexMap<String, Call>,
}

impl Calls {
    pub(super) fn take(&mut self, row: &Row) {
        match row.kind.as_str() {
            kind::ASSISTANT_MESSAGE => {
                for call in row.parse::<AssistantMessage>().into_iter().flat_map(|answer| answer.calls) {
                    self.asked.insert(call.id, serde_json::json!({ "tool": call.name, "input": call.input }));
                }
            }
            kind::TOOL_CALL => {
                let Some(parsed) = row.parse::<ToolCallRow>() else { return };
                let call = Call {
                    seq: row.seq,
                    by: row.by.to_string(),
                    asked: self.asked.get(&parsed.call_id).cloned(),
                    row: parsed,
                    amendments: Vec::new(),
                    attempts: Vec::new(),
                    decisions: Vec::new(),
                    result: None,
                };
                self.all.entry(call.row.call_id.clone()).or_insert(call);
            }
            _ => {
                if let Some(call) = row.text_at("callId").and_then(|id| self.all.get_mut(id)) {
                    add(call, row);
                }
            }
        }
    }
}

fn add(call: &mut Call, row: &Row) {
    let by = row.by.to_string();
    match row.kind.as_str() {
        kind::TOOL_AMEND => call.amendments.extend(row.parse().map(|one| (row.seq, by, one))),
        kind::TOOL_ATTEMPT => call.attempts.extend(row.parse().map(|one| (row.seq, by, one))),
        kind::PERMISSION_DECISION => call.decisions.extend(row.parse().map(|one| (row.seq, one))),
        // The first result closes a call; a record that verifies has no second one.
        kind::TOOL_RESULT if call.result.is_none() => call.result = row.parse().map(|one| (row.seq, one)),
        _ => {}
    }
}
