//! `$.mcp`: tools of MCP servers.

#[cfg(feature = "mcp")]
mod servers;

use async_trait::async_trait;
use modgate_value::Value;

use crate::context::Context;
use crate::input::Args;
use crate::{Access, Answer, ServiceError, codes};

#[cfg(feature = "mcp")]
pub use servers::{McpServers, McpTool, ServerConfig};

/// Serves `$.mcp`. Server and tool have passed the gate.
#[async_trait]
pub trait Mcp: Send + Sync {
    /// The members served.
    fn members(&self) -> &'static [&'static str];

    /// The configured name of a server that was named as configured or as it stands in tool names.
    fn configured(&self, server: &str) -> Option<String>;

    /// `{content, isError, structuredContent?}`. `server` is a name as configured.
    async fn call(&self, server: &str, tool: &str, arguments: Value) -> Answer {
        let _ = (server, tool, arguments);
        Err(ServiceError::no_implementation("mcp.call"))
    }
}

pub(crate) async fn dispatch(mcp: &dyn Mcp, context: &Context, method: &str, input: &Value) -> Answer {
    if method != "call" {
        return Err(ServiceError::no_implementation(&context.call));
    }
    let args = Args::new(&context.call, input);
    let (server, tool) = (args.filled_text("server")?, args.filled_text("tool")?);
    args.part("args")?;
    let unknown = || ServiceError::failed(&context.call, codes::NOT_FOUND, format_args!("no server {server}"));
    let name = mcp.configured(server);
    // Asked before anything is said about which servers there are.
    context.reach(Access::Mcp(name.as_deref().unwrap_or(server), tool))?;
    let server = name.ok_or_else(unknown)?;
    let arguments = args.get("args").cloned().unwrap_or_else(|| Value::object::<&str>([]));
    mcp.call(&server, tool, arguments).await
}
