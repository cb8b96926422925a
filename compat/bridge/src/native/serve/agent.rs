//! `$.agent`: nested loops that mods start.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::record::By;
use modgate_harness::session::{Spawn, SpawnError};
use modgate_services::agent::{Agent, AgentTable};
use modgate_services::{Answer, Caller, ServiceError, codes};
use modgate_value::Value;

use super::super::{Running, agents};
use super::forward;

pub(super) struct Agents {
    pub(super) table: Arc<AgentTable>,
    pub(super) running: Running,
}

#[async_trait]
impl Agent for Agents {
    fn members(&self) -> &'static [&'static str] {
        &["list", "register", "spawn"]
    }

    forward!(Agent, table: list, register);

    /// As a call of the tool `Agent` gives it; the loop goes on by itself.
    async fn spawn(&self, caller: &Caller, input: &Value) -> Answer {
        let session = super::session(&self.running, "agent.spawn")?;
        let text = |field: &str| input.str_at(field).map(str::to_string);
        let kind = text("subagent_type").unwrap_or_else(|| agents::GENERAL.to_string());
        let spawn = Spawn {
            by: By::Mod(caller.plugin.clone()),
            name: text("name").unwrap_or_else(|| kind.clone()),
            kind,
            description: text("description").unwrap_or_default(),
            prompt: text("prompt").unwrap_or_default(),
            model: text("model"),
            call_id: None,
            parent: None,
        };
        match session.start_agent(spawn).await {
            Ok(started) => Ok(Value::object([(
                "result",
                Value::object([
                    ("status", Value::text("started")),
                    ("agentId", Value::from(started.agent_id)),
                    ("resolvedModel", Value::from(started.model)),
                ]),
            )])),
            Err(SpawnError::Refused(reason)) => Ok(Value::object([("deny", Value::from(reason))])),
            Err(error @ SpawnError::TooMany(_)) => Err(ServiceError::failed("agent.spawn", codes::TOO_LARGE, error)),
            Err(error) => Err(ServiceError::failed("agent.spawn", codes::IO, error)),
        }
    }
}
