//! Who calls.

use std::path::PathBuf;
use std::sync::Arc;

/// Who makes a `$` call, as the host knows it. Never taken from what the mod says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// The mod's name.
    pub plugin: String,
    /// The mod's file that holds the calling hook, relative to the mod, where known.
    pub file: Option<String>,
    /// The mod's content hash, in the form its grants have it (`modgate1:` and 64 hex digits). Any text that is not
    /// empty works; it is only compared.
    pub hash: String,
    /// The mod's tier: `prepend`, `user`, `append`, `builtin` or `core`.
    pub tier: String,
    /// The events on the way to this call, outermost first (`["tool.call"]` for a call made in a `tool.call` hook).
    pub call_path: Vec<String>,
    /// The mod's folder, where it has one.
    pub root: Option<PathBuf>,
    /// What was withheld from this mod's `$`: namespaces (`process`) or members (`fs.write`).
    pub withheld: Arc<[String]>,
}

impl Caller {
    /// A caller of the tier `user`, without file, folder and call path.
    pub fn new(plugin: impl Into<String>, hash: impl Into<String>) -> Caller {
        Caller { plugin: plugin.into(), hash: hash.into(), tier: "user".into(), ..Caller::default() }
    }

    /// Whether that member is missing from this mod's `$`.
    pub fn is_withheld(&self, call: &str) -> bool {
        let namespace = call.split('.').next().unwrap_or(call);
        self.withheld.iter().any(|name| name == call || name == namespace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn withheld_by_namespace_or_member() {
        let caller = Caller { withheld: ["process".to_string(), "fs.write".to_string()].into(), ..Caller::default() };
        assert!(caller.is_withheld("process.run") && caller.is_withheld("fs.write"));
        assert!(!caller.is_withheld("fs.read") && !caller.is_withheld("processes.run"));
    }
}
