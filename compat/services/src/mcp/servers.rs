//! MCP servers as child processes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use async_trait::async_trait;
use modgate_value::Value;
use process_wrap::tokio::{CommandWrap, KillOnDrop, ProcessGroup};
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use serde::Deserialize;
use tokio::sync::Mutex;

use super::Mcp;
use crate::env::Variables;
use crate::{Answer, ServiceError, codes};

/// How long a server may take to start and greet.
const GREETING: Duration = Duration::from_secs(30);

/// One server, in the form of `mcpServers` in `.mcp.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ServerConfig {
    /// Its program; an absolute path, or a name the host's `PATH` finds.
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Variables laid over the host's.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Where it runs.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct McpTool {
    /// The server, as configured.
    pub server: String,
    /// Its own name.
    pub name: String,
    /// What it says about itself.
    pub description: String,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
}

impl McpTool {
    /// Its name among the model's tools: `mcp__<server>__<tool>`.
    pub fn full_name(&self) -> String {
        format!("mcp__{}__{}", spelled(&self.server), spelled(&self.name))
    }
}

/// The configured servers. Each is started when it is first used, kept, and started again after it ended.
#[derive(Debug)]
pub struct McpServers {
    servers: BTreeMap<String, Server>,
    variables: Variables,
}

#[derive(Debug)]
struct Server {
    config: ServerConfig,
    running: Mutex<Option<RunningService<RoleClient, ()>>>,
}

/// A name as it stands in tool names.
fn spelled(name: &str) -> String {
    name.chars().map(|it| if it.is_ascii_alphanumeric() || it == '_' || it == '-' { it } else { '_' }).collect()
}

impl McpServers {
    /// These servers. Their processes get `variables`.
    pub fn new(servers: BTreeMap<String, ServerConfig>, variables: Variables) -> McpServers {
        let server = |config| Server { config, running: Mutex::default() };
        McpServers { servers: servers.into_iter().map(|(name, config)| (name, server(config))).collect(), variables }
    }

    /// The tools of every server, or why a server gives none; by server, in the server's order.
    pub async fn list(&self) -> Vec<(String, Result<Vec<McpTool>, ServiceError>)> {
        let mut all = Vec::new();
        for (name, server) in &self.servers {
            all.push((name.clone(), self.tools(name, server).await));
        }
        all
    }

    /// Ends every running server and waits for it.
    pub async fn stop(&self) {
        for server in self.servers.values() {
            if let Some(running) = server.running.lock().await.take() {
                // Already gone is as good.
                let _ = running.cancel().await;
            }
        }
    }

    async fn tools(&self, name: &str, server: &Server) -> Result<Vec<McpTool>, ServiceError> {
        let peer = self.peer(name, server).await?;
        let tools = peer.list_all_tools().await.map_err(|error| failed(name, &error))?;
        Ok(tools
            .into_iter()
            .map(|tool| McpTool {
                server: name.into(),
                name: tool.name.into_owned(),
                description: tool.description.unwrap_or_default().into_owned(),
                input_schema: Value::from(serde_json::Value::Object((*tool.input_schema).clone())),
            })
            .collect())
    }

    /// A connection to the server, started where there is none.
    async fn peer(&self, name: &str, server: &Server) -> Result<rmcp::Peer<RoleClient>, ServiceError> {
        let mut running = server.running.lock().await;
        if let Some(running) = running.as_ref().filter(|running| !running.is_transport_closed()) {
            return Ok(running.peer().clone());
        }
        let started = self.start(name, &server.config).await?;
        Ok(running.insert(started).peer().clone())
    }

    async fn start(&self, name: &str, config: &ServerConfig) -> Result<RunningService<RoleClient, ()>, ServiceError> {
        let mut command = CommandWrap::with_new(&config.command, |command| {
            command.args(&config.args).env_clear().envs(self.variables.all()).envs(&config.env);
            if let Some(cwd) = &config.cwd {
                command.current_dir(cwd);
            }
        });
        command.wrap(ProcessGroup::leader()).wrap(KillOnDrop);
        let child = TokioChildProcess::builder(command).stderr(Stdio::null()).spawn();
        let (child, _) = child.map_err(|error| failed(name, &error))?;
        let greeted = tokio::time::timeout(GREETING, ().serve(child)).await;
        let greeted =
            greeted.map_err(|_| failed(name, &format_args!("no greeting within {} s", GREETING.as_secs())))?;
        greeted.map_err(|error| failed(name, &error))
    }
}

fn failed(server: &str, error: &dyn std::fmt::Display) -> ServiceError {
    ServiceError::failed("mcp.call", codes::BAD_GATEWAY, format_args!("{server}: {error}"))
}

#[async_trait]
impl Mcp for McpServers {
    fn members(&self) -> &'static [&'static str] {
        &["call"]
    }

    fn configured(&self, server: &str) -> Option<String> {
        if self.servers.contains_key(server) {
            return Some(server.into());
        }
        self.servers.keys().find(|name| spelled(name) == server).cloned()
    }

    async fn call(&self, server: &str, tool: &str, arguments: Value) -> Answer {
        let Some(found) = self.servers.get(server) else { return Err(failed(server, &"no such server")) };
        let arguments = arguments
            .to_json()
            .map_err(|error| ServiceError::bad_input("mcp.call", format_args!("args: JSON holds no {}", error.what)))?;
        let mut call = CallToolRequestParams::new(tool.to_string());
        if let serde_json::Value::Object(arguments) = arguments {
            call = call.with_arguments(arguments);
        }
        let peer = self.peer(server, found).await?;
        let result = peer.call_tool(call).await.map_err(|error| failed(server, &error))?;
        let content = serde_json::to_value(&result.content).map_err(|error| failed(server, &error))?;
        let answer = Value::object([
            ("content", Value::from(content)),
            ("isError", Value::from(result.is_error.unwrap_or(false))),
        ]);
        Ok(match result.structured_content {
            Some(content) => answer.with("structuredContent", Value::from(content)),
            None => answer,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_found_by_both_spellings() {
        let servers = McpServers::new([("My docs".to_string(), ServerConfig::default())].into(), Variables::default());
        assert_eq!(servers.configured("My docs").as_deref(), Some("My docs"));
        assert_eq!(servers.configured("My_docs").as_deref(), Some("My docs"));
        assert_eq!(servers.configured("my docs"), None);
    }
}
