//! What a grant allows, as it is written and as it is checked.

use serde::{Deserialize, Serialize};

use super::access::Access;
use super::pattern::{CommandPattern, HostPattern, NamePattern, PathPattern, Places};

/// What may be reached. The same form serves the grant of a mod (what is not listed is not allowed), the host's limits
/// and a mod's own requirements (what is not listed is not restricted).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Permissions {
    /// Calls, with globs: `store.*`, `session.messages`. A grant needs them for calls without a rule of their own; in
    /// limits and requirements they bound every call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<String>>,
    /// Files and folders.
    pub fs: FsPaths,
    /// Child processes.
    pub process: ProcessRules,
    /// Network requests.
    pub http: HttpTargets,
    /// Variables.
    pub env: EnvNames,
    /// Models, with globs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<Vec<String>>,
    /// MCP servers (`docs`) and single tools (`docs/search`), with globs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp: Option<Vec<String>>,
}

impl Permissions {
    /// Requirements of a mod whose code makes these calls and names these variables: nothing else of these kinds is
    /// covered. State is, which library functions reach on a mod's behalf.
    pub fn of_uses<S: Into<String>>(
        calls: impl IntoIterator<Item = S>,
        env_reads: impl IntoIterator<Item = S>,
        env_writes: impl IntoIterator<Item = S>,
    ) -> Permissions {
        let literal = |name: S| globset::escape(&name.into());
        let calls = calls.into_iter().map(literal).chain(["state.*".to_string()]).collect();
        let (read, write) =
            (env_reads.into_iter().map(literal).collect(), env_writes.into_iter().map(literal).collect());
        let env = EnvNames { read: Some(read), write: Some(write) };
        Permissions { calls: Some(calls), env, ..Permissions::default() }
    }
}

/// Path patterns: a file, a folder with all in it, or globs; `${cwd}`, `${root}`, `${home}` or `~` in front.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FsPaths {
    /// May be read, listed and looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<Vec<String>>,
    /// May be written. Does not include reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<Vec<String>>,
}

/// Command patterns, and names of variables a mod may give its children.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProcessRules {
    /// `git status` for exactly that, `git *` for any arguments; a name without a slash is looked up by the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commands: Option<Vec<String>>,
    /// Variables the mod may set for a child. Some make a harmless command run anything (`LD_PRELOAD`), so none may be
    /// set unless listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<Vec<String>>,
}

/// Hosts and sockets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HttpTargets {
    /// `[scheme://]host[:port]`; https and its port unless said otherwise; `*.host`, `*`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosts: Option<Vec<String>>,
    /// Path patterns of Unix sockets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sockets: Option<Vec<String>>,
}

/// Names of variables, with globs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EnvNames {
    /// May be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<Vec<String>>,
    /// May be set and unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<Vec<String>>,
}

/// [`Permissions`] with its patterns parsed.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    calls: Option<Vec<NamePattern>>,
    fs_read: Option<Vec<PathPattern>>,
    fs_write: Option<Vec<PathPattern>>,
    commands: Option<Vec<CommandPattern>>,
    child_env: Option<Vec<NamePattern>>,
    hosts: Option<Vec<HostPattern>>,
    sockets: Option<Vec<PathPattern>>,
    env_read: Option<Vec<NamePattern>>,
    env_write: Option<Vec<NamePattern>>,
    models: Option<Vec<NamePattern>>,
    mcp: Option<Vec<NamePattern>>,
}

impl Rules {
    /// Parses every pattern; the error names the field.
    pub(crate) fn parse(text: &Permissions, places: &Places) -> Result<Rules, String> {
        let path = |text: &str| PathPattern::parse(text, places);
        Ok(Rules {
            calls: each("calls", text.calls.as_ref(), NamePattern::parse)?,
            fs_read: each("fs.read", text.fs.read.as_ref(), path)?,
            fs_write: each("fs.write", text.fs.write.as_ref(), path)?,
            commands: each("process.commands", text.process.commands.as_ref(), CommandPattern::parse)?,
            child_env: each("process.env", text.process.env.as_ref(), NamePattern::parse)?,
            hosts: each("http.hosts", text.http.hosts.as_ref(), HostPattern::parse)?,
            sockets: each("http.sockets", text.http.sockets.as_ref(), path)?,
            env_read: each("env.read", text.env.read.as_ref(), NamePattern::parse)?,
            env_write: each("env.write", text.env.write.as_ref(), NamePattern::parse)?,
            models: each("models", text.models.as_ref(), NamePattern::parse)?,
            mcp: each("mcp", text.mcp.as_ref(), NamePattern::parse)?,
        })
    }

    /// Whether these rules cover it; `None` where they say nothing about its kind.
    pub(crate) fn covers(&self, access: Access<'_>) -> Option<bool> {
        fn any<P>(patterns: Option<&Vec<P>>, covers: impl Fn(&P) -> bool) -> Option<bool> {
            patterns.map(|patterns| patterns.iter().any(covers))
        }
        let named = |patterns: &Option<Vec<NamePattern>>, name: &str| any(patterns.as_ref(), |p| p.covers(name));
        match access {
            Access::Call(name) => named(&self.calls, name),
            Access::FsRead(path) => any(self.fs_read.as_ref(), |p| p.covers(path)),
            Access::FsWrite(path) => any(self.fs_write.as_ref(), |p| p.covers(path)),
            Access::Run(argv) => any(self.commands.as_ref(), |p| p.covers(argv)),
            Access::ChildEnv(name) => named(&self.child_env, name),
            Access::Http(url) => any(self.hosts.as_ref(), |p| p.covers(url)),
            Access::Socket(path) => any(self.sockets.as_ref(), |p| p.covers(path)),
            Access::EnvRead(name) => named(&self.env_read, name),
            Access::EnvWrite(name) => named(&self.env_write, name),
            Access::Model(name) => named(&self.models, name),
            Access::Mcp(server, tool) => {
                let whole = format!("{server}/{tool}");
                any(self.mcp.as_ref(), |p| p.covers(server) || p.covers(&whole))
            }
        }
    }
}

fn each<P>(
    field: &str,
    texts: Option<&Vec<String>>,
    parse: impl Fn(&str) -> Result<P, String>,
) -> Result<Option<Vec<P>>, String> {
    let Some(texts) = texts else { return Ok(None) };
    let parsed = texts.iter().map(|text| parse(text).map_err(|why| format!("{field}: {why}")));
    parsed.collect::<Result<_, _>>().map(Some)
}
