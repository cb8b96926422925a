//! `agent.spawn` and `agent.report`: nested loops before they start, and what they hand back.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::point::{Subagent, SubagentRequest};
use modgate_harness::record::By;
use modgate_harness::report::ContributorError;
use modgate_harness::session::SessionHandle;
use modgate_services::agent::AgentInfo;
use modgate_value::Value;

use super::convert::{Echo, pick};
use super::{Inner, joined};

/// The type of an agent where nobody names one.
pub(super) const GENERAL: &str = "general-purpose";

pub(super) struct Agents(pub(super) Arc<Inner>);

/// Who offers what is the host's own.
pub(super) fn engine() -> Value {
    Value::object([("plugin", Value::text("engine")), ("tier", Value::text("core"))])
}

fn event_of(request: &SubagentRequest, session: &SessionHandle) -> Value {
    let call = request.call_id.clone().unwrap_or_else(|| request.agent_id.clone());
    let mut event = Value::object([
        ("tool_use_id", Value::from(call)),
        ("prompt", Value::text(&request.prompt)),
        ("description", Value::text(&request.description)),
        ("subagentType", Value::text(&request.kind)),
        ("provider", engine()),
        ("parentModel", Value::from(session.model())),
        ("permissionMode", Value::text(session.mode().name())),
        ("background", Value::Bool(request.background)),
        ("fork", Value::Bool(false)),
    ]);
    let more = [("model", &request.model), ("parentAgentId", &request.parent)];
    for (field, value) in more {
        if let Some(value) = value {
            event = event.with(field, Value::text(value));
        }
    }
    if request.name != request.kind {
        event = event.with("name", Value::text(&request.name));
    }
    event
}

/// What came down is what starts.
fn take(request: &mut SubagentRequest, input: &Value) {
    let text = |field: &str| input.str_at(field).map(str::to_string);
    request.prompt = text("prompt").unwrap_or_default();
    request.description = text("description").unwrap_or_default();
    request.kind = text("subagentType").unwrap_or_else(|| request.kind.clone());
    request.model = text("model");
}

impl Agents {
    fn note(&self, request: &SubagentRequest, status: &str) {
        let spawned_by = match &request.started_by {
            By::Mod(name) => Some(name.clone()),
            _ => None,
        };
        self.0.host.agents.report(AgentInfo {
            id: request.agent_id.clone(),
            description: request.description.clone(),
            kind: request.kind.clone(),
            status: status.to_string(),
            parent_id: request.parent.clone(),
            spawned_by,
            name: (request.name != request.kind).then(|| request.name.clone()),
        });
    }

    async fn ask(&self, request: &mut SubagentRequest, session: &SessionHandle) {
        let (model, agent) = (session.model(), request.agent_id.clone());
        let core = Echo::new(move |input| {
            let model = input.str_at("model").map_or_else(|| model.clone(), str::to_string);
            Value::object([("model", Value::from(model)), ("agentId", Value::text(&agent))])
        });
        let event = event_of(request, session);
        let (reached, answer, by) = self.0.raise_seen("agent.spawn", event, core).await;
        match (reached, answer) {
            (Some(input), _) => take(request, &input),
            (None, Ok(answer)) => {
                let reason = answer.str_at("deny").unwrap_or("a mod answered in place of the agent");
                request.deny = Some(reason.to_string());
                request.by = joined(by.get(..1).unwrap_or_default());
            }
            (None, Err(fault)) => {
                request.deny = Some(fault.message);
                request.by = joined(&by);
            }
        }
    }
}

#[async_trait]
impl Subagent for Agents {
    async fn spawn(&self, request: &mut SubagentRequest, session: &SessionHandle) -> Result<(), ContributorError> {
        if self.0.withheld.lock().contains(&request.kind) {
            request.deny = Some(format!("agents of the type {} are not offered", request.kind));
            return Ok(());
        }
        if let Some(known) = self.0.host.agents.definition(&request.kind) {
            request.model = request.model.take().or_else(|| known.str_at("model").map(str::to_string));
        }
        if self.0.mods.hears("agent.spawn") {
            self.ask(request, session).await;
        }
        if request.deny.is_none() {
            self.note(request, "running");
        }
        Ok(())
    }

    async fn report(
        &self,
        agent: &SubagentRequest,
        text: String,
        _session: &SessionHandle,
    ) -> Result<String, ContributorError> {
        self.note(agent, "completed");
        if !self.0.mods.hears("agent.report") {
            return Ok(text);
        }
        let event = Value::object([
            ("agentId", Value::text(&agent.agent_id)),
            ("subagentType", Value::text(&agent.kind)),
            ("status", Value::text("completed")),
            ("provider", engine()),
            ("text", Value::text(&text)),
        ]);
        let answer = self.0.raise("agent.report", event, Echo::new(|input| pick(input, &["text"]))).await;
        let Ok(answer) = answer else { return Ok(text) };
        let told = answer.str_at("text").or_else(|| answer.str_at("consumed"));
        Ok(told.map_or(text, str::to_string))
    }
}
