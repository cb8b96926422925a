//! What the caller asks for.

use std::fmt;
use std::str::FromStr;

/// How to judge a mod. [`Options::default`] judges as Claude Code at the newest known version does, for a mod that a
/// person installs.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Hosts the mod should run on. Empty: the newest known Claude Code.
    pub hosts: Vec<HostSpec>,
    /// A warning refuses the mod as well.
    pub strict: bool,
    /// Where the mod would stand in the chain; decides whether `next.to` and `plugin.register` mean anything.
    pub tier: Tier,
}

/// Where a mod stands in the chain, outermost first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tier {
    /// Managed settings, before all others.
    Prepend,
    /// Installed by a person.
    #[default]
    User,
    /// Managed settings, after the installed ones.
    Append,
    /// Bundled with the host.
    Builtin,
}

/// A host and, where it matters, its version: `claude-code@2.1.332`, `dsh`, `native`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostSpec {
    /// Name of the host profile.
    pub host: String,
    /// Dotted version; `None` means the newest known one.
    pub version: Option<String>,
}

impl fmt::Display for HostSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Some(version) => write!(f, "{}@{version}", self.host),
            None => f.write_str(&self.host),
        }
    }
}

/// Why a text names no host.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadHost {
    /// Nothing before the `@`, or nothing at all.
    #[error("no host named in {0:?}; write a name, or name@version")]
    NoName(String),
    /// The part behind `@` is not numbers with dots between.
    #[error("{0:?} is no version; write numbers with dots between, such as 2.1.332")]
    Version(String),
}

impl FromStr for HostSpec {
    type Err = BadHost;

    fn from_str(text: &str) -> Result<HostSpec, BadHost> {
        let (host, version) = match text.split_once('@') {
            Some((host, version)) => (host, Some(version)),
            None => (text, None),
        };
        if host.is_empty() {
            return Err(BadHost::NoName(text.to_owned()));
        }
        let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if let Some(version) = version
            && !(version.starts_with(|first: char| first.is_ascii_digit()) && version.split(['.', '-']).all(is_part))
        {
            return Err(BadHost::Version(version.to_owned()));
        }
        Ok(HostSpec { host: host.to_owned(), version: version.map(str::to_owned) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, host: &str, version: Option<&str>) {
        let spec: HostSpec = text.parse().unwrap();
        assert_eq!((spec.host.as_str(), spec.version.as_deref()), (host, version));
        assert_eq!(spec.to_string(), text);
    }

    #[test]
    fn reads_names_and_versions() {
        check("dsh", "dsh", None);
        check("claude-code@2.1.287", "claude-code", Some("2.1.287"));
    }

    #[test]
    fn refuses_what_is_no_version() {
        assert_eq!("".parse::<HostSpec>(), Err(BadHost::NoName("".into())));
        assert_eq!("@2".parse::<HostSpec>(), Err(BadHost::NoName("@2".into())));
        assert_eq!("dsh@".parse::<HostSpec>(), Err(BadHost::Version("".into())));
        assert_eq!("dsh@2..1".parse::<HostSpec>(), Err(BadHost::Version("2..1".into())));
        assert_eq!("dsh@0.2.1-alpha.1".parse::<HostSpec>().unwrap().version.as_deref(), Some("0.2.1-alpha.1"));
        assert_eq!("dsh@latest".parse::<HostSpec>(), Err(BadHost::Version("latest".into())));
    }
}
