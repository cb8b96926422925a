//! Whose grant counts, and what it comes to together with limits and requirements.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::pattern::Places;
use super::permissions::{Permissions, Rules};
use super::standing::{Standing, Trust};
use crate::Caller;

/// What a host does with a changed call of a committed tool call. This crate only carries it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rewrite {
    /// The hook is skipped, with a report.
    #[default]
    Refuse,
    /// The change is decided and recorded as an explicit correction.
    Amend,
}

/// What a second run of a committed tool call does. This crate only carries it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Retry {
    /// It gets the first result, with a report.
    #[default]
    Refuse,
    /// It runs as a numbered attempt with a row, a permission decision and an idempotency key of its own.
    Record,
}

/// What one mod may do, while its content is exactly this.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// The mod's name.
    #[serde(rename = "mod")]
    pub plugin: String,
    /// The content hash the grant was given for.
    pub hash: String,
    /// Changed arguments of committed calls.
    #[serde(default)]
    pub rewrite: Rewrite,
    /// Further runs of committed calls.
    #[serde(default)]
    pub retry: Retry,
    /// What it may reach.
    #[serde(default)]
    pub allow: Permissions,
}

/// A `grants.toml` that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GrantsError {
    /// Not TOML, or not this form; the text names line and column.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// A pattern that means nothing.
    #[error("{place}: {why}")]
    Pattern {
        /// `limits`, or the grant's mod.
        place: String,
        /// The field, the pattern and what is wrong.
        why: String,
    },
    /// Two grants for one mod and hash: nobody could say which counts.
    #[error("two grants for {plugin} {hash}")]
    Twice {
        /// The mod.
        plugin: String,
        /// The hash.
        hash: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GrantsFile {
    #[serde(default)]
    limits: Permissions,
    #[serde(default)]
    grant: Vec<Grant>,
}

/// Limits of the host, grants by mod and hash, requirements by mod. Effective is what all three cover.
#[derive(Debug, Default)]
pub struct Policy {
    everything: bool,
    limits: Arc<Rules>,
    grants: HashMap<String, HashMap<String, Granted>>,
    requirements: HashMap<String, Arc<Rules>>,
}

#[derive(Debug)]
struct Granted {
    rules: Arc<Rules>,
    rewrite: Rewrite,
    retry: Retry,
}

impl Policy {
    /// No grants: a mod reaches nothing outside its isolate.
    pub fn deny_all() -> Policy {
        Policy::default()
    }

    /// Every mod may do everything. For demos and tests; every receipt says so.
    pub fn allow_all() -> Policy {
        Policy { everything: true, ..Policy::default() }
    }

    /// Reads a `grants.toml`: an optional `[limits]` table and `[[grant]]` tables.
    ///
    /// # Errors
    /// Text that is not of this form, a bad pattern, two grants for one mod and hash.
    pub fn from_toml(text: &str, places: &Places) -> Result<Policy, GrantsError> {
        let file: GrantsFile = toml::from_str(text)?;
        let mut policy = Policy::default().with_limits(&file.limits, places)?;
        for grant in &file.grant {
            policy.add(grant, places)?;
        }
        Ok(policy)
    }

    /// Adds one grant.
    ///
    /// # Errors
    /// A bad pattern, or a grant for this mod and hash that is already there.
    pub fn add(&mut self, grant: &Grant, places: &Places) -> Result<(), GrantsError> {
        let (plugin, hash) = (grant.plugin.clone(), grant.hash.clone());
        let rules = rules(&plugin, &grant.allow, places)?;
        let grants = self.grants.entry(plugin.clone()).or_default();
        if grants.contains_key(&hash) {
            return Err(GrantsError::Twice { plugin, hash });
        }
        grants.insert(hash, Granted { rules, rewrite: grant.rewrite, retry: grant.retry });
        Ok(())
    }

    /// Sets the host's own limits, which no grant can lift.
    ///
    /// # Errors
    /// A bad pattern.
    pub fn with_limits(mut self, limits: &Permissions, places: &Places) -> Result<Policy, GrantsError> {
        self.limits = rules("limits", limits, places)?;
        Ok(self)
    }

    /// Tightens a mod to what its manifest and code say it uses.
    ///
    /// # Errors
    /// A bad pattern.
    pub fn require(&mut self, plugin: &str, uses: &Permissions, places: &Places) -> Result<(), GrantsError> {
        let rules = rules(plugin, uses, places)?;
        self.requirements.insert(plugin.into(), rules);
        Ok(())
    }

    /// Whether this mod's changes to committed calls are refused or recorded as corrections.
    pub fn rewrite(&self, plugin: &str, hash: &str) -> Rewrite {
        self.granted(plugin, hash).map_or(Rewrite::Refuse, |granted| granted.rewrite)
    }

    /// Whether this mod's further runs of committed calls are refused or recorded as attempts.
    pub fn retry(&self, plugin: &str, hash: &str) -> Retry {
        self.granted(plugin, hash).map_or(Retry::Refuse, |granted| granted.retry)
    }

    fn granted(&self, plugin: &str, hash: &str) -> Option<&Granted> {
        self.grants.get(plugin)?.get(hash)
    }

    /// What counts for this caller.
    pub(crate) fn standing(&self, caller: &Caller) -> Standing {
        let trust = if self.everything {
            Trust::Everything
        } else {
            match self.grants.get(&caller.plugin) {
                None => Trust::None,
                Some(grants) => match grants.get(&caller.hash) {
                    None => Trust::Stale,
                    Some(granted) => Trust::Granted(granted.rules.clone()),
                },
            }
        };
        let requirements = self.requirements.get(&caller.plugin).cloned();
        Standing::new(caller, trust, self.limits.clone(), requirements)
    }
}

fn rules(place: &str, text: &Permissions, places: &Places) -> Result<Arc<Rules>, GrantsError> {
    let parsed = Rules::parse(text, places);
    parsed.map(Arc::new).map_err(|why| GrantsError::Pattern { place: place.into(), why })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Access, codes};

    const GRANTS: &str = r#"
        [limits]
        process.commands = ["git *"]

        [[grant]]
        mod = "guard"
        hash = "modgate1:1"
        rewrite = "amend"
        retry = "record"
        [grant.allow]
        calls = ["store.*"]
        fs.read = ["/usr"]
        process.commands = ["git status", "ls"]
        mcp = ["docs/search", "all"]
    "#;

    fn code(policy: &Policy, hash: &str, access: Access<'_>) -> Option<String> {
        let standing = policy.standing(&Caller::new("guard", hash));
        let result = standing.trusted("store.get").and_then(|()| standing.reach("x.y", access));
        result.err().map(|error| error.code.to_string())
    }

    #[test]
    fn refused_without_a_grant_for_this_content() {
        let policy = Policy::from_toml(GRANTS, &Places::default()).unwrap();
        let stranger = policy.standing(&Caller::new("stranger", "modgate1:1"));
        assert_eq!(stranger.trusted("fs.read").unwrap_err().code, codes::GRANT_MISSING);
        assert_eq!(code(&policy, "modgate1:2", Access::Call("store.get")).as_deref(), Some(codes::GRANT_STALE));
        assert!(stranger.trusted("clock.now").is_ok());
        assert_eq!(stranger.grant(), "none");
    }

    #[test]
    fn effective_is_what_all_layers_cover() {
        let mut policy = Policy::from_toml(GRANTS, &Places::default()).unwrap();
        let run = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let check = |policy: &Policy, access: Access<'_>| code(policy, "modgate1:1", access);
        assert_eq!(check(&policy, Access::Run(&run(&["ls"]))).as_deref(), Some(codes::LIMIT_EXCEEDED));
        assert_eq!(check(&policy, Access::Run(&run(&["git", "push"]))).as_deref(), Some(codes::GRANT_PROCESS));
        assert_eq!(check(&policy, Access::FsRead(Path::new("/etc/x"))).as_deref(), Some(codes::GRANT_FS_READ));
        assert_eq!(check(&policy, Access::FsWrite(Path::new("/usr/x"))).as_deref(), Some(codes::GRANT_FS_WRITE));
        assert_eq!(check(&policy, Access::Mcp("docs", "delete")).as_deref(), Some(codes::GRANT_MCP));
        assert_eq!(check(&policy, Access::EnvRead("HOME")).as_deref(), Some(codes::GRANT_ENV_READ));
        for fine in [
            Access::Run(&run(&["git", "status"])),
            Access::FsRead(Path::new("/usr/x")),
            Access::Mcp("docs", "search"),
            Access::Mcp("all", "x"),
            Access::Call("store.get"),
        ] {
            assert_eq!(check(&policy, fine), None, "{fine:?}");
        }
        let uses = Permissions { calls: Some(vec!["fs.read".into()]), ..Permissions::default() };
        policy.require("guard", &uses, &Places::default()).unwrap();
        assert_eq!(check(&policy, Access::Call("store.get")).as_deref(), Some(codes::REQUIREMENT_EXCEEDED));
        assert_eq!(check(&policy, Access::FsRead(Path::new("/usr/x"))), None);
    }

    #[test]
    fn a_refusal_names_the_grant_that_is_needed() {
        let policy = Policy::from_toml(GRANTS, &Places::default()).unwrap();
        let standing = policy.standing(&Caller::new("guard", "modgate1:1"));
        let error = standing.reach("fs.read", Access::FsRead(Path::new("/etc/passwd"))).unwrap_err();
        assert!(error.message.ends_with("it would need fs.read = [\"/etc/passwd\"]"), "{}", error.message);
        assert_eq!(policy.rewrite("guard", "modgate1:1"), Rewrite::Amend);
        assert_eq!(policy.rewrite("guard", "modgate1:2"), Rewrite::Refuse);
        assert_eq!(policy.retry("guard", "modgate1:1"), Retry::Record);
        assert_eq!(policy.retry("guard", "modgate1:2"), Retry::Refuse);
    }

    #[test]
    fn limits_bind_allow_all_too() {
        let limits = Permissions { calls: Some(vec!["clock.*".into()]), ..Permissions::default() };
        let policy = Policy::allow_all().with_limits(&limits, &Places::default()).unwrap();
        let standing = policy.standing(&Caller::new("any", "modgate1:1"));
        assert_eq!(standing.grant(), "allow-all");
        assert_eq!(standing.bounded("ui.toast").unwrap_err().code, codes::LIMIT_EXCEEDED);
        assert!(standing.bounded("clock.now").is_ok());
    }

    #[test]
    fn the_book_shows_a_file_that_works() {
        let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/grants.md");
        let book = std::fs::read_to_string(book).unwrap();
        let shown = book.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
        let places = Places { cwd: "/project".into(), root: "/project".into(), home: Some("/home/me".into()) };
        let policy = Policy::from_toml(shown, &places).unwrap();
        let standing = policy.standing(&Caller::new("guard", "modgate1:5e88…"));
        assert_eq!(standing.grant(), "granted");
        assert!(standing.reach("fs.write", Access::FsWrite(Path::new("/project/notes/deep/a.md"))).is_ok());
        assert!(standing.reach("fs.write", Access::FsWrite(Path::new("/project/notes/a.txt"))).is_err());
    }

    #[test]
    fn what_a_mod_does_not_use_it_does_not_get() {
        let mut policy = Policy::allow_all();
        policy.require("guard", &Permissions::of_uses(["fs.read"], ["A*"], []), &Places::default()).unwrap();
        let standing = policy.standing(&Caller::new("guard", "modgate1:1"));
        assert!(standing.bounded("fs.read").is_ok() && standing.bounded("state.get").is_ok());
        assert_eq!(standing.bounded("fs.write").unwrap_err().code, codes::REQUIREMENT_EXCEEDED);
        assert!(standing.reach("env.get", Access::EnvRead("A*")).is_ok(), "a name, no pattern");
        assert!(standing.reach("env.get", Access::EnvRead("AB")).is_err());
        assert!(standing.reach("env.set", Access::EnvWrite("A*")).is_err());
    }

    #[test]
    fn bad_files_are_refused() {
        let twice = "[[grant]]\nmod='a'\nhash='h'\n[[grant]]\nmod='a'\nhash='h'";
        for (text, wanted) in [
            ("[[grant]]\nmod='a'\nhash='h'\ntypo=1", "line 4"),
            ("[[grant]]\nmod='a'", "hash"),
            ("[limits]\nhttp.hosts=['ftp://a']", "limits: http.hosts: `ftp://a`"),
            (twice, "two grants for a h"),
        ] {
            let error = Policy::from_toml(text, &Places::default()).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
    }
}
