//! Who calls.

use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest, Sha256};

/// Who makes a `$` call, as the host knows it. Never taken from what the mod says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// The mod's name.
    pub plugin: String,
    /// The mod's file that holds the calling hook, relative to the mod, where known.
    pub file: Option<String>,
    /// The mod's content hash, as [`content_hash`] gives it.
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

/// The hash of a mod's content: `sha256:` and 64 hex digits over its files. The order given does not count; names and
/// lengths are part of it, so that no two different folders share a hash by moving bytes from one file to the next.
pub fn content_hash<N: AsRef<str>, B: AsRef<[u8]>>(files: impl IntoIterator<Item = (N, B)>) -> String {
    let mut files: Vec<(N, B)> = files.into_iter().collect();
    files.sort_by(|a, b| a.0.as_ref().cmp(b.0.as_ref()));
    let mut hash = Sha256::new();
    for (name, bytes) in &files {
        for part in [name.as_ref().as_bytes(), bytes.as_ref()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    format!("sha256:{}", hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_depends_on_names_and_bytes_only() {
        let one = content_hash([("a.ts", "x"), ("b.ts", "y")]);
        assert_eq!(one, content_hash([("b.ts", "y"), ("a.ts", "x")]));
        assert_ne!(one, content_hash([("a.ts", "xy"), ("b.ts", "")]));
        assert_ne!(one, content_hash([("a.tsx", ""), ("b.ts", "y")]));
        assert_eq!(one.len(), 7 + 64);
    }

    #[test]
    fn withheld_by_namespace_or_member() {
        let caller = Caller { withheld: ["process".to_string(), "fs.write".to_string()].into(), ..Caller::default() };
        assert!(caller.is_withheld("process.run") && caller.is_withheld("fs.write"));
        assert!(!caller.is_withheld("fs.read") && !caller.is_withheld("processes.run"));
    }
}
