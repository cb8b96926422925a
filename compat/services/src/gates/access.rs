//! One thing a call wants to reach.

use std::path::Path;

use url::Url;

use crate::codes;

/// One thing a call wants to reach, after links, redirects and defaults.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Access<'a> {
    /// Any call without a rule of its own, by its name.
    Call(&'a str),
    /// Read this path, which has no links left.
    FsRead(&'a Path),
    /// Write this path, which has no links left.
    FsWrite(&'a Path),
    /// Run this command.
    Run(&'a [String]),
    /// Give a child process a variable of this name.
    ChildEnv(&'a str),
    /// Send a request there.
    Http(&'a Url),
    /// Send a request over this socket.
    Socket(&'a Path),
    /// Read this variable.
    EnvRead(&'a str),
    /// Set this variable.
    EnvWrite(&'a str),
    /// Ask this model.
    Model(&'a str),
    /// Call this tool of this server.
    Mcp(&'a str, &'a str),
}

impl Access<'_> {
    /// The code of a refusal by the grant.
    pub fn code(&self) -> &'static str {
        match self {
            Access::Call(_) => codes::GRANT_CALL,
            Access::FsRead(_) => codes::GRANT_FS_READ,
            Access::FsWrite(_) => codes::GRANT_FS_WRITE,
            Access::Run(_) => codes::GRANT_PROCESS,
            Access::ChildEnv(_) => codes::GRANT_PROCESS_ENV,
            Access::Http(_) | Access::Socket(_) => codes::GRANT_HTTP,
            Access::EnvRead(_) => codes::GRANT_ENV_READ,
            Access::EnvWrite(_) => codes::GRANT_ENV_WRITE,
            Access::Model(_) => codes::GRANT_MODEL,
            Access::Mcp(..) => codes::GRANT_MCP,
        }
    }

    /// What it is, for a receipt: `/d/a.txt`, `git status`, `api.example.com`.
    pub fn subject(&self) -> String {
        match self {
            Access::FsRead(path) | Access::FsWrite(path) | Access::Socket(path) => path.display().to_string(),
            Access::Run(argv) => argv.join(" "),
            Access::Http(url) => origin(url),
            Access::Mcp(server, tool) => format!("{server}/{tool}"),
            Access::Call(name)
            | Access::ChildEnv(name)
            | Access::EnvRead(name)
            | Access::EnvWrite(name)
            | Access::Model(name) => (*name).to_string(),
        }
    }

    /// The line in a grant that would allow exactly this.
    pub fn needed(&self) -> String {
        let key = match self {
            Access::Call(_) => "calls",
            Access::FsRead(_) => "fs.read",
            Access::FsWrite(_) => "fs.write",
            Access::Run(_) => "process.commands",
            Access::ChildEnv(_) => "process.env",
            Access::Http(_) => "http.hosts",
            Access::Socket(_) => "http.sockets",
            Access::EnvRead(_) => "env.read",
            Access::EnvWrite(_) => "env.write",
            Access::Model(_) => "models",
            Access::Mcp(..) => "mcp",
        };
        format!("{key} = [{}]", serde_json::Value::from(self.subject()))
    }
}

/// Scheme, host and port as a grant spells them.
fn origin(url: &Url) -> String {
    let host = url.host_str().unwrap_or("");
    let scheme = if url.scheme() == "https" { String::new() } else { format!("{}://", url.scheme()) };
    match url.port() {
        Some(port) => format!("{scheme}{host}:{port}"),
        None => format!("{scheme}{host}"),
    }
}
