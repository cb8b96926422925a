use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::json;

use crate::error::HarnessError;
use crate::point::SubagentRequest;
use crate::record::{By, kind};
use crate::report::Report;

use super::core::{Core, to_value};
use super::progress::OpenStep;
use super::turn::{LoopTurn, new_id, run};

/// Nested loops that may run at once: one that starts others, and so on, comes to an end here.
pub const MOST_AGENTS: usize = 16;

/// A nested loop to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spawn {
    /// Who starts it.
    pub by: By,
    /// What it is called.
    pub name: String,
    /// Its type.
    pub kind: String,
    /// What it is for, in a few words.
    pub description: String,
    /// Its task.
    pub prompt: String,
    /// Its model, the session's where absent.
    pub model: Option<String>,
    /// The call of the tool `Agent` that starts it, where one does.
    pub call_id: Option<String>,
    /// The nested loop that starts it, absent for the main one.
    pub parent: Option<String>,
}

impl Spawn {
    /// A loop of that name with that task, of the type `general-purpose`.
    pub fn new(by: By, name: impl Into<String>, prompt: impl Into<String>) -> Spawn {
        let (name, prompt) = (name.into(), prompt.into());
        Spawn {
            by,
            kind: "general-purpose".into(),
            description: name.clone(),
            name,
            prompt,
            model: None,
            call_id: None,
            parent: None,
        }
    }
}

/// A nested loop that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentStarted {
    /// Its id.
    pub agent_id: String,
    /// The model it runs on.
    pub model: String,
}

/// What a nested loop came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentAnswer {
    /// Its id.
    pub agent_id: String,
    /// The model it ran on.
    pub model: String,
    /// Its last text.
    pub answer: String,
    /// `answer`, `aborted`, `error`, `refusal` or `steps`.
    pub reason: String,
}

/// Why a nested loop did not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// A contributor refused it.
    #[error("refused: {0}")]
    Refused(String),
    /// As many run as may.
    #[error("{0} nested loops run already; no more are started")]
    TooMany(usize),
    /// The session cannot go on.
    #[error(transparent)]
    Session(#[from] HarnessError),
}

/// One of the running loops, until it is dropped.
struct Running(Arc<Core>);

impl Running {
    fn begin(core: &Arc<Core>) -> Result<Running, SpawnError> {
        let running = Running(core.clone());
        match core.agents_running.fetch_add(1, Ordering::SeqCst) {
            count if count >= MOST_AGENTS => Err(SpawnError::TooMany(count)),
            _ => Ok(running),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.agents_running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A loop that was let through, about to run.
pub(super) struct Prepared {
    request: SubagentRequest,
    model: String,
    running: Running,
}

impl Prepared {
    pub(super) fn started(&self) -> AgentStarted {
        AgentStarted { agent_id: self.request.agent_id.clone(), model: self.model.clone() }
    }
}

/// Lets the contributors work on the request.
pub(super) async fn prepare(core: &Arc<Core>, spawn: Spawn, background: bool) -> Result<Prepared, SpawnError> {
    let running = Running::begin(core)?;
    let Spawn { by, name, kind, description, prompt, model, call_id, parent } = spawn;
    let mut request = SubagentRequest {
        agent_id: new_id("agent"),
        name,
        kind,
        description,
        prompt,
        model,
        background,
        call_id,
        parent,
        started_by: by,
        deny: None,
        by: None,
    };
    let handle = core.handle();
    for one in core.registry.subagent() {
        let mut proposed = request.clone();
        match one.it.spawn(&mut proposed, &handle).await {
            Err(error) => core.failed(&one.name, &error).await?,
            Ok(()) => {
                let SubagentRequest { kind, description, prompt, model, deny, by, .. } = proposed;
                request = SubagentRequest { kind, description, prompt, model, deny, by, ..request };
            }
        }
        if let Some(reason) = request.deny {
            let report = Report::new("agent-refused", format!("{} was refused: {reason}", request.name));
            core.report(By::Mod(request.by.unwrap_or_else(|| one.name.to_string())), &report).await?;
            return Err(SpawnError::Refused(reason));
        }
    }
    let model = request.model.clone().unwrap_or_else(|| core.model.default_model());
    Ok(Prepared { request, model, running })
}

/// Runs the loop to its end.
pub(super) async fn run_loop(core: &Arc<Core>, prepared: Prepared) -> Result<AgentAnswer, HarnessError> {
    let Prepared { request, model, running } = prepared;
    let (agent_id, name) = (request.agent_id.clone(), request.name.clone());
    let data = json!({
        "agentId": agent_id, "name": name, "type": request.kind, "description": request.description,
        "prompt": request.prompt, "model": model, "background": request.background, "callId": request.call_id,
        "parent": request.parent,
    });
    let before = core.with_rows(|rows| {
        let starts = rows.iter().filter(|row| row.kind == kind::SUBAGENT_START);
        starts.filter(|row| row.text_at("name") == Some(&name)).count() as u32
    });
    core.write(kind::SUBAGENT_START, request.started_by.clone(), data).await?;
    let turn = LoopTurn {
        turn_id: new_id("turn"),
        text: request.prompt.clone(),
        number: before,
        script_index: None,
        agent_id: Some(agent_id.clone()),
        agent_name: Some(name),
        model: model.clone(),
    };
    let end = run(core, turn, OpenStep::Request { step: 0 }, false).await;
    core.scopes.forget(&agent_id);
    core.histories.lock().remove(&Some(agent_id.clone()));
    drop(running);
    let end = end?;
    let handle = core.handle();
    let mut answer = end.answer;
    for one in core.registry.subagent() {
        match one.it.report(&request, answer.clone(), &handle).await {
            Ok(text) => answer = text,
            Err(error) => core.failed(&one.name, &error).await?,
        }
    }
    let data = json!({ "agentId": agent_id, "reason": end.reason, "answer": answer });
    core.write(kind::SUBAGENT_END, By::Harness, data).await?;
    Ok(AgentAnswer { agent_id, model, answer, reason: end.reason })
}

/// Starts the loop; it goes on by itself. The session waits for it before it ends.
pub(super) fn go_on(core: &Arc<Core>, prepared: Prepared) -> AgentStarted {
    let started = prepared.started();
    let own = core.clone();
    core.background.spawn_on(
        async move {
            if let Err(error) = run_loop(&own, prepared).await {
                let report = Report::new("agent-lost", format!("a nested loop could not be finished: {error}"));
                // The record is what failed: nobody can be told.
                let _ = own.report(By::Harness, &report).await;
            }
        },
        &core.runtime,
    );
    started
}

/// Says something to a nested loop that runs, by its id or its name. `None` where there is no such loop.
pub(super) async fn send(core: &Arc<Core>, by: By, to: &str, text: &str) -> Result<Option<String>, HarnessError> {
    let found = core.with_rows(|rows| {
        let open = super::Progress::of(rows).unfinished_agents;
        let starts = rows.iter().rev().filter(|row| row.kind == kind::SUBAGENT_START);
        let mut starts = starts.filter(|row| row.text_at("agentId") == Some(to) || row.text_at("name") == Some(to));
        let agent = starts.find_map(|row| row.text_at("agentId").map(str::to_owned));
        agent.filter(|agent| open.contains(agent))
    });
    let Some(agent_id) = found else { return Ok(None) };
    let row = crate::record::SentRow { agent_id: agent_id.clone(), to: to.to_owned(), text: text.to_owned() };
    core.write(kind::SESSION_SEND, by, to_value(&row)).await?;
    Ok(Some(agent_id))
}
