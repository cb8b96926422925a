use std::sync::Arc;

use serde_json::Value;

use crate::error::HarnessError;
use crate::point::{LoggedCall, ProposedCall, ToolOutcome};
use crate::record::{AskedCall, By, ToolCallRow, ToolDrop, ToolResultRow, kind};
use crate::report::Report;

use super::authorize;
use super::core::{Core, to_value};
use super::execution::Run;
use super::handle::CallError;
use super::policy::PermissionOrder;
use super::settle::settle;
use super::snapshot::Snapshot;
use super::turn::LoopTurn;

/// Commits one call the model asked for and runs it. Nothing runs before its row is on the disk.
pub(super) async fn asked(
    core: &Arc<Core>,
    turn: &LoopTurn,
    step: u32,
    snapshot: &Arc<Snapshot>,
    asked: AskedCall,
) -> Result<(), HarnessError> {
    let id = asked.id.clone();
    let ran = run_asked(core, turn, step, snapshot, asked).await;
    for one in core.registry.pending_call() {
        one.it.settled(&id).await;
    }
    ran
}

async fn run_asked(
    core: &Arc<Core>,
    turn: &LoopTurn,
    step: u32,
    snapshot: &Arc<Snapshot>,
    asked: AskedCall,
) -> Result<(), HarnessError> {
    let Some(call) = commit(core, turn, step, snapshot, asked).await? else { return Ok(()) };
    let row = execute(core, call, snapshot.clone()).await?;
    core.append(kind::TOOL_RESULT, By::Tool(row.tool.clone()), &row).await.map(|_| ())
}

/// Lets the contributors work on the call, then logs it. `None` where it was dropped.
async fn commit(
    core: &Arc<Core>,
    turn: &LoopTurn,
    step: u32,
    snapshot: &Snapshot,
    asked: AskedCall,
) -> Result<Option<LoggedCall>, HarnessError> {
    let AskedCall { id, name, input } = asked;
    let own = serde_json::json!({ "tool": name, "input": input });
    let mut call =
        ProposedCall { id: id.clone(), tool: name, input, agent_id: turn.agent_id.clone(), dropped: None, by: None };
    let mut by = By::Model;
    let handle = core.handle();
    for one in core.registry.pending_call() {
        let mut proposed = call.clone();
        match one.it.pending(&mut proposed, &handle).await {
            Err(error) => core.failed(&one.name, &error).await?,
            Ok(()) => {
                if (&proposed.tool, &proposed.input, &proposed.dropped) != (&call.tool, &call.input, &call.dropped) {
                    by = By::Mod(proposed.by.take().unwrap_or_else(|| one.name.to_string()));
                }
                call = ProposedCall { id: id.clone(), agent_id: turn.agent_id.clone(), ..proposed };
            }
        }
        if call.dropped.is_some() {
            break;
        }
    }
    if call.dropped.is_none() && core.committed.lock().contains(&id) {
        let report = Report::new("call-duplicate", format!("the model used the call id {id} a second time")).about(&id);
        core.report(By::Harness, &report).await?;
        call.dropped = Some("its id was used before".into());
        by = By::Harness;
    }
    if let Some(reason) = call.dropped {
        core.write(kind::TOOL_DROP, by, to_value(&ToolDrop { call_id: id, reason })).await?;
        return Ok(None);
    }
    let is_changed = own["tool"] != *call.tool || own["input"] != call.input;
    let row = ToolCallRow {
        call_id: id,
        asked: is_changed.then_some(own),
        tool: call.tool,
        input: call.input,
        turn_id: turn.turn_id.clone(),
        step,
        revision: snapshot.revision,
        caller: None,
        agent_id: turn.agent_id.clone(),
    };
    log(core, by, row).await.map(Some)
}

async fn log(core: &Core, by: By, row: ToolCallRow) -> Result<LoggedCall, HarnessError> {
    let written = core.write(kind::TOOL_CALL, by, to_value(&row)).await?;
    core.committed.lock().insert(row.call_id.clone());
    Ok(LoggedCall {
        id: row.call_id,
        tool: row.tool,
        input: row.input,
        seq: written.seq,
        turn_id: row.turn_id,
        step: row.step,
        revision: row.revision,
        caller: row.caller,
        agent_id: row.agent_id,
    })
}

/// Decides, runs, and gives the result's row, not yet appended.
async fn execute(core: &Arc<Core>, call: LoggedCall, snapshot: Arc<Snapshot>) -> Result<ToolResultRow, HarnessError> {
    let run = Run::new(core.clone(), call.clone(), snapshot);
    let refused = match core.policy.permission {
        PermissionOrder::BeforeTools => authorize::decide(core, &call, 1, &call.tool, &call.input).await?,
        PermissionOrder::AfterTools => None,
    };
    let (outcome, bottom) = match refused {
        Some(reason) => (ToolOutcome::denied(reason), Default::default()),
        None => run.drive().await?,
    };
    let ran = bottom.executed.last().and_then(|ran| ran.get("tool")).and_then(Value::as_str).unwrap_or(&call.tool);
    let tool = run.snapshot().route(ran);
    let (mut row, report) = settle(&call, outcome, &bottom, tool.as_deref(), core.policy.check_results);
    row.state = core.tool_state.take_changes();
    if let Some(report) = report {
        core.report(By::Harness, &report).await?;
    }
    Ok(row)
}

pub(super) fn new_id() -> String {
    format!("call_{}", uuid::Uuid::new_v4().simple())
}

/// A call a contributor makes.
pub(super) async fn contributed(
    core: &Arc<Core>,
    by: &str,
    id: String,
    tool: &str,
    input: Value,
) -> Result<ToolOutcome, CallError> {
    let snapshot = match core.snapshot(None) {
        Some(snapshot) => snapshot,
        None => super::request::assemble(core, &LoopTurn::outside(core), 0).await?,
    };
    if snapshot.route(tool).is_none() {
        return Err(CallError::UnknownTool(tool.to_owned()));
    }
    let row = ToolCallRow {
        call_id: id,
        tool: tool.to_owned(),
        input,
        turn_id: core.turns.lock().get(&None).map(|turn| turn.turn_id.clone()).unwrap_or_default(),
        step: 0,
        revision: snapshot.revision,
        asked: None,
        caller: Some(by.to_owned()),
        agent_id: None,
    };
    let call = log(core, By::Mod(by.to_owned()), row).await?;
    let row = execute(core, call, snapshot).await?;
    core.append(kind::TOOL_RESULT, By::Tool(row.tool.clone()), &row).await?;
    Ok(ToolOutcome {
        result: row.result,
        text: Some(row.text),
        is_error: row.is_error,
        context: row.context,
        deny: row.denied,
    })
}
