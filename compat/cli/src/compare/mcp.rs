//! MCP servers that a person names in a file, in the form of `.mcp.json`.

use std::collections::BTreeMap;
use std::path::Path;

use modgate_services::mcp::ServerConfig;
use serde::Deserialize;

use crate::commands::run::unreadable;
use crate::error::{Coded, Failure};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    mcp_servers: BTreeMap<String, ServerConfig>,
}

/// The servers of that file; none without one.
///
/// # Errors
/// A file that cannot be read, or is not of that form.
pub(crate) fn servers(path: Option<&Path>) -> Result<BTreeMap<String, ServerConfig>, Failure> {
    let Some(path) = path else { return Ok(BTreeMap::new()) };
    let text = std::fs::read_to_string(path).map_err(|error| unreadable("mcp-unreadable", path, &error))?;
    let file: File = serde_json::from_str(&text)
        .map_err(|error| Coded::new("mcp-invalid", format!("{}: {error}", path.display())))?;
    Ok(file.mcp_servers)
}
