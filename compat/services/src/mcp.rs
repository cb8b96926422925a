//! `$.mcp`: tools of MCP servers.

#[cfg(feature = "mcp")]
mod servers;

use async_trait::async_trait;
use modgate_value::Value;

use crate::context::Context;
use crate::input::Args;
use crate::{Access, Answer, ServiceError};

#[cfg(feature = "mcp")]
pub use servers::*;

/// Serves `$.mcp`. Server and tool have passed the gate.
#[async_trait]
pub trait Mcp: Send + Sync {
    /// The members served.
    fn members(&self) -> &'static [&'static str];

    /// `{content, isError, structuredContent?}`. `server` is a name as configured, or as it stands in tool names.
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
    context.reach(Access::Mcp(server, tool))?;
    let arguments = args.get("args").cloned().unwrap_or_else(|| Value::object::<&str>([]));
    mcp.call(server, tool, arguments).await
}
