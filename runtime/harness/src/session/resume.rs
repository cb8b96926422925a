use std::sync::Arc;

use serde_json::{Value, json};

use crate::error::HarnessError;
use crate::record::{By, CommandRun, Row, ToolCallRow, ToolResultRow, kind};

use super::core::{Core, to_value};
use super::progress::Progress;

/// What the model reads about a call nobody knows the end of.
const INTERRUPTED: &str =
    "Interrupted: the session stopped while this call was under way. It is not known whether it ran.";

/// Takes state over from the rows: what tools remember, what surfaces show.
pub(super) fn restore(core: &Core, rows: &[Row]) {
    for row in rows {
        match row.kind.as_str() {
            kind::TOOL_CALL => {
                core.committed.lock().extend(row.text_at("callId").map(str::to_owned));
            }
            kind::TOOL_RESULT => {
                if let Some(state) = row.data.get("state") {
                    core.tool_state.merge(state);
                }
            }
            kind::UI_RENDER => {
                if let (Some(site), By::Mod(name)) = (row.text_at("site"), &row.by) {
                    let tree = row.data.get("tree").cloned().unwrap_or_default();
                    core.drawn.lock().insert((site.to_owned(), name.clone()), tree);
                }
            }
            _ => {}
        }
    }
}

/// Closes what a crash left open, without running anything.
pub(super) async fn close(core: &Arc<Core>, progress: &Progress, dropped_bytes: u64) -> Result<(), HarnessError> {
    let data = json!({
        "droppedBytes": dropped_bytes,
        "interruptedCalls": progress.unfinished_calls.iter().map(|call| &call.call_id).collect::<Vec<_>>(),
    });
    core.write(kind::SESSION_RESUME, By::Harness, data).await?;
    for call in &progress.unfinished_calls {
        core.write(kind::TOOL_RESULT, By::Harness, to_value(&interrupted(call))).await?;
    }
    for agent in &progress.unfinished_agents {
        let data = json!({ "agentId": agent, "error": "interrupted" });
        core.write(kind::SUBAGENT_END, By::Harness, data).await?;
    }
    if let Some(command) = &progress.unfinished_command {
        let row = CommandRun {
            command: command.command.clone(),
            args: command.args.clone(),
            text: None,
            context: Vec::new(),
            error: Some("interrupted; it is not known how far it came".into()),
            origin: command.origin.clone(),
        };
        core.write(kind::COMMAND_RUN, By::Harness, to_value(&row)).await?;
    }
    Ok(())
}

fn interrupted(call: &ToolCallRow) -> ToolResultRow {
    ToolResultRow {
        call_id: call.call_id.clone(),
        tool: call.tool.clone(),
        is_error: true,
        text: INTERRUPTED.to_owned(),
        result: Value::String(INTERRUPTED.to_owned()),
        denied: None,
        replaced: false,
        context: Vec::new(),
        executed: Vec::new(),
        interrupted: true,
        state: Value::Null,
    }
}
