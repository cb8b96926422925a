use std::sync::Arc;

use serde_json::json;

use crate::error::HarnessError;
use crate::point::SubagentRequest;
use crate::record::{By, kind};

use super::core::Core;
use super::progress::OpenStep;
use super::turn::{LoopTurn, new_id, run};

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
    /// The session cannot go on.
    #[error(transparent)]
    Session(#[from] HarnessError),
}

/// Lets the contributors work on the request, then runs the loop to its end.
pub(super) async fn spawn(
    core: &Arc<Core>,
    by: &str,
    name: &str,
    prompt: &str,
    model: Option<String>,
) -> Result<AgentAnswer, SpawnError> {
    let mut request = SubagentRequest {
        agent_id: new_id("agent"),
        name: name.to_owned(),
        prompt: prompt.to_owned(),
        model,
        started_by: by.to_owned(),
        deny: None,
    };
    let handle = core.handle();
    for one in core.registry.subagent() {
        let mut proposed = request.clone();
        match one.it.spawn(&mut proposed, &handle).await {
            Err(error) => core.failed(&one.name, &error).await?,
            Ok(()) => {
                let (agent_id, started_by) = (request.agent_id, request.started_by);
                request = SubagentRequest { agent_id, started_by, ..proposed };
            }
        }
        if let Some(reason) = request.deny {
            let report = crate::report::Report::new("agent-refused", format!("{} was refused: {reason}", request.name));
            core.report(By::Mod(one.name.to_string()), &report).await?;
            return Err(SpawnError::Refused(reason));
        }
    }
    run_loop(core, request).await.map_err(SpawnError::from)
}

async fn run_loop(core: &Arc<Core>, request: SubagentRequest) -> Result<AgentAnswer, HarnessError> {
    let SubagentRequest { agent_id, name, prompt, model, started_by, .. } = request;
    let model = model.unwrap_or_else(|| core.model.default_model());
    let data = json!({ "agentId": agent_id, "name": &name, "prompt": prompt, "model": model });
    core.write(kind::SUBAGENT_START, By::Mod(started_by), data).await?;
    let turn = LoopTurn {
        turn_id: new_id("turn"),
        text: prompt,
        number: 0,
        script_index: None,
        agent_id: Some(agent_id.clone()),
        agent_name: Some(name),
        model: model.clone(),
    };
    let end = run(core, turn, OpenStep::Request { step: 0 }, false).await;
    core.scopes.forget(&agent_id);
    core.histories.lock().remove(&Some(agent_id.clone()));
    let end = end?;
    let data = json!({ "agentId": agent_id, "reason": end.reason, "answer": end.answer });
    core.write(kind::SUBAGENT_END, By::Harness, data).await?;
    Ok(AgentAnswer { agent_id, model, answer: end.answer, reason: end.reason })
}
