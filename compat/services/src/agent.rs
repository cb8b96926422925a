//! `$.agent`: subagents.

use async_trait::async_trait;
use indexmap::IndexMap;
use modgate_value::Value;
use parking_lot::Mutex;

use crate::context::Context;
use crate::input::Args;
use crate::service::service;
use crate::{Answer, Caller, ServiceError};

service! {
    /// Serves `$.agent`. `spawn` needs the host's agent loop.
    Agent as "agent" {
        /// `[{id, description, type, status, parentId?, spawnedBy?, name?}]`.
        list;
        /// `{name, description, prompt, tools?, model?, ...}`; `{agent: '<mod>:<name>'}`. The same name again replaces.
        register;
        /// `{prompt, description?, subagentType?, model?, name?, cwd?}`; `{model, agentId}` or `{deny}`, at its start.
        spawn;
    }
}

fn admit(context: &Context, method: &str, args: &Args<'_>) -> Result<(), ServiceError> {
    match method {
        "register" => {
            args.name("name")?;
            args.filled_text("description")?;
            args.filled_text("prompt")?;
            for list in ["tools", "disallowedTools", "skills"] {
                if args.get(list).is_some() {
                    args.texts(list)?;
                }
            }
            args.maybe_text("model")?;
            args.maybe_number("maxTurns")?;
        }
        "spawn" => {
            args.filled_text("prompt")?;
        }
        _ => {}
    }
    context.reach_call()
}

/// A running or finished subagent, as the host reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentInfo {
    /// Its id.
    pub id: String,
    /// What it is for.
    pub description: String,
    /// Its type.
    pub kind: String,
    /// `running`, `completed`, `failed` or `stopped`.
    pub status: String,
    /// The agent that started it.
    pub parent_id: Option<String>,
    /// The mod that started it.
    pub spawned_by: Option<String>,
    /// Its own name.
    pub name: Option<String>,
}

/// The subagents and agent types of a session.
#[derive(Debug, Default)]
pub struct AgentTable {
    types: Mutex<IndexMap<String, Value>>,
    agents: Mutex<IndexMap<String, AgentInfo>>,
}

impl AgentTable {
    /// Takes in what is known of an agent now.
    pub fn report(&self, agent: AgentInfo) {
        self.agents.lock().insert(agent.id.clone(), agent);
    }

    /// What was registered under `<mod>:<name>`.
    pub fn definition(&self, agent: &str) -> Option<Value> {
        self.types.lock().get(agent).cloned()
    }

    /// The types that were registered, with what they are for.
    pub fn kinds(&self) -> Vec<(String, String)> {
        let types = self.types.lock();
        let described = |value: &Value| value.str_at("description").unwrap_or_default().to_string();
        types.iter().map(|(name, value)| (name.clone(), described(value))).collect()
    }

    /// What is known of that agent.
    pub fn agent(&self, id: &str) -> Option<AgentInfo> {
        self.agents.lock().get(id).cloned()
    }

    /// Forgets what a mod registered, when it is unloaded.
    pub fn forget(&self, plugin: &str) {
        let mine = format!("{plugin}:");
        self.types.lock().retain(|name, _| !name.starts_with(&mine));
    }
}

#[async_trait]
impl Agent for AgentTable {
    fn members(&self) -> &'static [&'static str] {
        &["list", "register"]
    }

    async fn list(&self, _caller: &Caller, _input: &Value) -> Answer {
        let agents = self.agents.lock();
        Ok(Value::list(agents.values().map(|agent| {
            let mut entry = Value::object([
                ("id", Value::from(agent.id.as_str())),
                ("description", Value::from(agent.description.as_str())),
                ("type", Value::from(agent.kind.as_str())),
                ("status", Value::from(agent.status.as_str())),
            ]);
            let more = [("parentId", &agent.parent_id), ("spawnedBy", &agent.spawned_by), ("name", &agent.name)];
            for (field, value) in more {
                if let Some(value) = value {
                    entry = entry.with(field, Value::from(value.as_str()));
                }
            }
            entry
        })))
    }

    async fn register(&self, caller: &Caller, input: &Value) -> Answer {
        let agent = format!("{}:{}", caller.plugin, input.str_at("name").unwrap_or_default());
        self.types.lock().insert(agent.clone(), input.clone());
        Ok(Value::object([("agent", Value::from(agent))]))
    }
}
