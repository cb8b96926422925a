//! `$.tool`: the model's tools.

use async_trait::async_trait;
use indexmap::IndexMap;
use modgate_value::Value;
use parking_lot::Mutex;

use crate::context::Context;
use crate::input::Args;
use crate::service::service;
use crate::{Answer, Caller, ServiceError};

service! {
    /// Serves `$.tool`. `call` and `check` need the host's tools and permission rules.
    Tool as "tool" {
        /// `{tool, tool_use_id, ...arguments}`; the tool's result.
        call;
        /// `{tool, input}`; `{decision, reason?, rule?}`. Executes nothing.
        check;
        /// `[{name, description, mcp}]`, in the model's order.
        list;
        /// `{name, description, inputSchema}`; `{tool: 'mcp__<mod>__<name>'}`. The same name again replaces.
        register;
    }
}

fn admit(context: &Context, method: &str, args: &Args<'_>) -> Result<(), ServiceError> {
    match method {
        "register" => {
            args.name("name")?;
            args.text("description")?;
            args.part("inputSchema")?;
        }
        "call" | "check" => {
            args.filled_text("tool")?;
        }
        _ => {}
    }
    context.reach_call()
}

/// One tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolInfo {
    /// Its whole name, as the model calls it.
    pub name: String,
    /// What the model reads about it.
    pub description: String,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
    /// The mod that registered it; none for the host's own and for those of MCP servers.
    pub plugin: Option<String>,
}

/// The tools of a session.
#[derive(Debug, Default)]
pub struct ToolTable(Mutex<IndexMap<String, ToolInfo>>);

impl ToolTable {
    /// Adds a tool of the host's own, or of an MCP server.
    pub fn add(&self, tool: ToolInfo) {
        self.0.lock().insert(tool.name.clone(), tool);
    }

    /// The tool of that name.
    pub fn find(&self, name: &str) -> Option<ToolInfo> {
        self.0.lock().get(name).cloned()
    }

    /// All of them, in order.
    pub fn all(&self) -> Vec<ToolInfo> {
        self.0.lock().values().cloned().collect()
    }

    /// Forgets what a mod registered, when it is unloaded.
    pub fn forget(&self, plugin: &str) {
        self.0.lock().retain(|_, tool| tool.plugin.as_deref() != Some(plugin));
    }
}

#[async_trait]
impl Tool for ToolTable {
    fn members(&self) -> &'static [&'static str] {
        &["list", "register"]
    }

    async fn list(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::list(self.all().into_iter().map(|tool| {
            Value::object([
                ("mcp", Value::from(tool.name.starts_with("mcp__"))),
                ("name", Value::from(tool.name)),
                ("description", Value::from(tool.description)),
            ])
        })))
    }

    async fn register(&self, caller: &Caller, input: &Value) -> Answer {
        let name = format!("mcp__{}__{}", caller.plugin, input.str_at("name").unwrap_or_default());
        let schema = input.get("inputSchema").filter(|schema| !schema.is_nullish()).cloned();
        self.add(ToolInfo {
            name: name.clone(),
            description: input.str_at("description").unwrap_or_default().into(),
            input_schema: schema.unwrap_or_else(|| Value::object([("type", Value::from("object"))])),
            plugin: Some(caller.plugin.clone()),
        });
        Ok(Value::object([("tool", Value::from(name))]))
    }
}
