use std::sync::Arc;
use std::time::SystemTime;

use crate::error::HarnessError;
use crate::model::{StepAnswer, Usage};
use crate::point::{ClaimedInput, TurnFacts, TurnOutcome};
use crate::prompt::Prompt;
use crate::record::{
    AskedCall, AssistantMessage, By, RequestHeader, Row, TurnEndRow, TurnStartRow, UserDropped, UserMessage, kind,
};
use crate::report::Report;

use super::core::{Core, RunningTurn, to_value};
use super::progress::{OpenStep, OpenTurn, turns};
use super::snapshot::Snapshot;
use super::{PromptOutcome, call, request, surface};

/// A turn of one loop.
#[derive(Clone)]
pub(super) struct LoopTurn {
    pub(super) turn_id: String,
    pub(super) text: String,
    /// Number in its loop, from 0.
    pub(super) number: u32,
    pub(super) script_index: Option<u32>,
    pub(super) agent_id: Option<String>,
    pub(super) agent_name: Option<String>,
    pub(super) model: String,
}

impl LoopTurn {
    /// Stands for calls made while no turn runs.
    pub(super) fn outside(core: &Core) -> LoopTurn {
        LoopTurn {
            turn_id: String::new(),
            text: String::new(),
            number: 0,
            script_index: None,
            agent_id: None,
            agent_name: None,
            model: core.model.default_model(),
        }
    }
}

/// How a step left the turn.
enum StepEnd {
    Again,
    Done(&'static str),
}

/// Takes a prompt in, and through its turn unless it is dropped.
pub(super) async fn prompt(core: &Arc<Core>, prompt: Prompt) -> Result<PromptOutcome, HarnessError> {
    let input = ClaimedInput {
        turn_id: new_id("turn"),
        text: prompt.text.clone(),
        context: prompt.context,
        origin: prompt.origin.clone(),
        dropped: None,
        by: None,
    };
    let input = claim(core, input).await?;
    if let Some((by, reason)) = input.dropped.map(|(by, reason)| (By::Mod(by), reason)) {
        let row = UserDropped { text: prompt.text, reason: reason.clone(), origin: prompt.origin };
        core.write(kind::USER_DROPPED, by, to_value(&row)).await?;
        return Ok(PromptOutcome::Dropped(reason));
    }
    let by = match &prompt.origin.name {
        Some(name) => By::Mod(name.clone()),
        None => By::Person,
    };
    let row = UserMessage {
        turn_id: input.turn_id.clone(),
        typed: (input.text != prompt.text).then_some(prompt.text),
        text: input.text.clone(),
        context: input.context.into_iter().filter(|text| !text.is_empty()).collect(),
        origin: prompt.origin.clone(),
    };
    core.append(kind::USER_MESSAGE, by, &row).await?;
    let turn = LoopTurn {
        turn_id: input.turn_id,
        text: input.text,
        number: core.with_rows(|rows| turns(rows, None)),
        script_index: prompt.origin.index,
        agent_id: None,
        agent_name: None,
        model: core.model.default_model(),
    };
    let end = run(core, turn, OpenStep::Request { step: 0 }, false).await?;
    surface::draw(core).await?;
    Ok(PromptOutcome::Answered(end))
}

struct Claimed {
    turn_id: String,
    text: String,
    context: Vec<String>,
    dropped: Option<(String, String)>,
}

async fn claim(core: &Arc<Core>, mut input: ClaimedInput) -> Result<Claimed, HarnessError> {
    let handle = core.handle();
    for one in core.registry.turn_input() {
        let mut proposed = input.clone();
        match one.it.claim(&mut proposed, &handle).await {
            Err(error) => core.failed(&one.name, &error).await?,
            Ok(()) => {
                input = ClaimedInput { origin: input.origin, turn_id: input.turn_id, ..proposed };
                if let Some(reason) = input.dropped {
                    let dropped = Some((input.by.unwrap_or_else(|| one.name.to_string()), reason));
                    return Ok(Claimed { turn_id: input.turn_id, text: input.text, context: input.context, dropped });
                }
            }
        }
    }
    Ok(Claimed { turn_id: input.turn_id, text: input.text, context: input.context, dropped: None })
}

/// Goes on with a turn the record had left open.
pub(super) async fn resume(core: &Arc<Core>, open: OpenTurn) -> Result<TurnEndRow, HarnessError> {
    let turn = LoopTurn {
        turn_id: open.turn_id,
        text: open.text,
        number: open.number,
        script_index: open.script_index,
        agent_id: None,
        agent_name: None,
        model: core.model.default_model(),
    };
    let end = run(core, turn, open.step, open.started).await?;
    surface::draw(core).await?;
    Ok(end)
}

/// Runs a turn from the given place to its end.
pub(super) async fn run(
    core: &Arc<Core>,
    turn: LoopTurn,
    from: OpenStep,
    started: bool,
) -> Result<TurnEndRow, HarnessError> {
    let begun = core.now();
    let parent = core.cancel_of(None); // a nested loop stops with the turn it runs in
    let cancel = if turn.agent_id.is_some() { parent.child_token() } else { core.cancel.child_token() };
    let running = RunningTurn { turn_id: turn.turn_id.clone(), cancel };
    core.turns.lock().insert(turn.agent_id.clone(), running);
    let ended = drive(core, &turn, from, started, begun).await;
    core.turns.lock().remove(&turn.agent_id);
    core.snapshots.lock().remove(&turn.agent_id);
    let scopes = core.scopes.of(turn.agent_id.as_deref());
    scopes.step.clear();
    scopes.turn.clear();
    ended
}

async fn drive(
    core: &Arc<Core>,
    turn: &LoopTurn,
    from: OpenStep,
    started: bool,
    begun: SystemTime,
) -> Result<TurnEndRow, HarnessError> {
    if !started {
        let row =
            TurnStartRow { turn_id: turn.turn_id.clone(), text: turn.text.clone(), agent_id: turn.agent_id.clone() };
        core.write(kind::TURN_START, By::Harness, to_value(&row)).await?;
    }
    let facts = TurnFacts { turn_id: turn.turn_id.clone(), text: turn.text.clone(), agent_id: turn.agent_id.clone() };
    let handle = core.handle();
    for one in core.registry.turn_lifecycle() {
        if let Err(error) = one.it.start(&facts, &handle).await {
            core.failed(&one.name, &error).await?;
        }
    }
    let reason = steps(core, turn, from).await?;
    finish(core, turn, reason, begun).await
}

async fn steps(core: &Arc<Core>, turn: &LoopTurn, from: OpenStep) -> Result<&'static str, HarnessError> {
    let mut next = match from {
        OpenStep::Answered => return Ok("answer"),
        OpenStep::Request { step } => step,
        OpenStep::Calls { step, calls, snapshot } => match rest_of_step(core, turn, step, calls, snapshot).await? {
            StepEnd::Done(reason) => return Ok(reason),
            StepEnd::Again => step + 1,
        },
    };
    loop {
        if next >= core.policy.max_steps {
            let message = format!("the turn reached its limit of {} steps", core.policy.max_steps);
            core.report(By::Harness, &Report::new("turn-steps", message)).await?;
            return Ok("steps");
        }
        if let StepEnd::Done(reason) = step(core, turn, next).await? {
            return Ok(reason);
        }
        next += 1;
    }
}

async fn step(core: &Arc<Core>, turn: &LoopTurn, step: u32) -> Result<StepEnd, HarnessError> {
    core.scopes.of(turn.agent_id.as_deref()).step.clear();
    let snapshot = request::assemble(core, turn, step).await?;
    let answer = match request::send(core, turn, step, &snapshot).await? {
        Ok(answer) => answer,
        Err(error) => {
            let cancelled = core.cancel_of(turn.agent_id.as_deref()).is_cancelled();
            let data = serde_json::json!({
                "turnId": turn.turn_id, "step": step, "code": error.code, "message": error.message,
                "agentId": turn.agent_id,
            });
            core.write(kind::MODEL_ERROR, By::Model, data).await?;
            return Ok(StepEnd::Done(if cancelled { "aborted" } else { "error" }));
        }
    };
    let StepAnswer { text, thinking, calls, stop_reason, usage } = answer;
    let row = AssistantMessage {
        turn_id: turn.turn_id.clone(),
        step,
        text,
        thinking: (!thinking.is_empty()).then_some(thinking),
        calls: calls.clone(),
        stop_reason: stop_reason.clone(),
        usage,
        model: core.with_rows(|rows| asked_model(rows, turn)).unwrap_or_else(|| snapshot.model.clone()),
        agent_id: turn.agent_id.clone(),
    };
    core.append(kind::ASSISTANT_MESSAGE, By::Model, &row).await?;
    if calls.is_empty() {
        return Ok(StepEnd::Done(if stop_reason.as_deref() == Some("refusal") { "refusal" } else { "answer" }));
    }
    run_calls(core, turn, step, &snapshot, calls).await
}

fn asked_model(rows: &[Row], turn: &LoopTurn) -> Option<String> {
    let headers = rows.iter().rev().filter(|row| row.kind == kind::REQUEST_HEADER);
    headers
        .filter_map(Row::parse::<RequestHeader>)
        .find(|header| header.turn_id == turn.turn_id)
        .map(|header| header.model)
}

async fn run_calls(
    core: &Arc<Core>,
    turn: &LoopTurn,
    step: u32,
    snapshot: &Arc<Snapshot>,
    calls: Vec<AskedCall>,
) -> Result<StepEnd, HarnessError> {
    let cancel = core.cancel_of(turn.agent_id.as_deref());
    for asked in calls {
        if cancel.is_cancelled() {
            return Ok(StepEnd::Done("aborted"));
        }
        call::asked(core, turn, step, snapshot, asked).await?;
    }
    Ok(if cancel.is_cancelled() { StepEnd::Done("aborted") } else { StepEnd::Again })
}

/// The calls of an interrupted step that never got as far as the record. They never began, so they may run, but only
/// on the snapshot they were prepared under.
async fn rest_of_step(
    core: &Arc<Core>,
    turn: &LoopTurn,
    step: u32,
    calls: Vec<AskedCall>,
    prepared: Option<String>,
) -> Result<StepEnd, HarnessError> {
    let snapshot = request::assemble(core, turn, step).await?;
    if prepared.as_deref() == Some(&snapshot.hash) {
        return run_calls(core, turn, step, &snapshot, calls).await;
    }
    for asked in calls {
        let message = format!("{} was prepared under an older snapshot and was not run", asked.name);
        let report = Report::new("call-stale", message).about(&asked.id);
        core.report(By::Harness, &report).await?;
        let row = crate::record::ToolDrop { call_id: asked.id, reason: "prepared under an older snapshot".into() };
        core.write(kind::TOOL_DROP, By::Harness, to_value(&row)).await?;
    }
    Ok(StepEnd::Again)
}

async fn finish(
    core: &Arc<Core>,
    turn: &LoopTurn,
    reason: &str,
    begun: SystemTime,
) -> Result<TurnEndRow, HarnessError> {
    let (answer, usage) = core.with_rows(|rows| said(rows, &turn.turn_id));
    let duration = core.now().duration_since(begun).unwrap_or_default();
    let outcome = TurnOutcome {
        turn_id: turn.turn_id.clone(),
        reason: reason.to_owned(),
        answer,
        duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
        usage,
        agent_id: turn.agent_id.clone(),
    };
    let handle = core.handle();
    let mut closing = Vec::new();
    for one in core.registry.turn_lifecycle() {
        match one.it.end(&outcome, &handle).await {
            Ok(line) => closing.extend(line),
            Err(error) => core.failed(&one.name, &error).await?,
        }
    }
    let row = TurnEndRow {
        turn_id: outcome.turn_id,
        reason: outcome.reason,
        answer: outcome.answer,
        closing,
        duration_ms: outcome.duration_ms,
        usage: outcome.usage,
        agent_id: outcome.agent_id,
    };
    core.write(kind::TURN_END, By::Harness, to_value(&row)).await?;
    Ok(row)
}

/// The turn's last text and all its tokens.
fn said(rows: &[Row], turn_id: &str) -> (String, Usage) {
    let mut last = String::new();
    let mut usage = Usage::default();
    for row in rows.iter().filter(|row| row.kind == kind::ASSISTANT_MESSAGE) {
        let Some(answer) = row.parse::<AssistantMessage>() else { continue };
        if answer.turn_id == turn_id {
            last = answer.text;
            usage.add(answer.usage);
        }
    }
    (last, usage)
}

pub(super) fn new_id(kind: &str) -> String {
    format!("{kind}_{}", uuid::Uuid::new_v4().simple())
}
