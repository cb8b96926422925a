//! MCP servers as child processes.
