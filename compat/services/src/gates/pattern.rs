//! The patterns of a grant.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use url::Url;

use super::path::resolve;

/// What the names in path patterns stand for.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// `${cwd}`: the session's working directory; relative patterns start here.
    pub cwd: PathBuf,
    /// `${root}`: the project's root.
    pub root: PathBuf,
    /// `${home}` and a leading `~/`: the person's home, where the host says so.
    pub home: Option<PathBuf>,
}

impl Places {
    fn expand(&self, text: &str) -> Result<PathBuf, String> {
        let home = || self.home.as_deref().ok_or_else(|| format!("`{text}`: this host names no home"));
        let (base, rest) = if let Some(rest) = text.strip_prefix("${cwd}") {
            (self.cwd.as_path(), rest)
        } else if let Some(rest) = text.strip_prefix("${root}") {
            (self.root.as_path(), rest)
        } else if let Some(rest) = text.strip_prefix("${home}").or_else(|| text.strip_prefix('~')) {
            (home()?, rest)
        } else {
            (self.cwd.as_path(), text)
        };
        if rest.contains("${") {
            return Err(format!("`{text}`: a name stands at the beginning, and is cwd, root or home"));
        }
        // What follows a name starts with a slash, which `join` would take for another root.
        let rest = if rest.len() < text.len() { rest.trim_start_matches('/') } else { rest };
        Ok(if rest.is_empty() { base.to_path_buf() } else { base.join(rest) })
    }
}

fn glob(text: &str, separator: bool) -> Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(text).literal_separator(separator).backslash_escape(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| format!("`{text}`: {error}"))
}

/// A folder with everything in it, a file, or a glob beneath a folder.
#[derive(Debug, Clone)]
pub(super) struct PathPattern {
    base: PathBuf,
    rest: Option<GlobMatcher>,
}

impl PathPattern {
    /// The part before the first glob is resolved now: a link put in its place later leads nowhere.
    pub(super) fn parse(text: &str, places: &Places) -> Result<PathPattern, String> {
        if text.is_empty() {
            return Err("an empty path pattern".into());
        }
        if text.starts_with("//") || text.starts_with(r"\\") {
            return Err(format!("`{text}` names a network location"));
        }
        let whole = places.expand(text)?;
        let whole = whole.to_str().ok_or_else(|| format!("`{text}` is not UTF-8"))?;
        let is_glob = |part: &&str| part.contains(['*', '?', '[', '{']);
        let parts: Vec<&str> = whole.split('/').collect();
        let fixed = parts.iter().take_while(|part| !is_glob(part)).count();
        if parts[fixed..].contains(&"..") {
            return Err(format!("`{text}`: no .. after a glob"));
        }
        let base = format!("/{}", parts[..fixed].join("/").trim_matches('/'));
        let base = resolve(Path::new(&base)).map_err(|error| format!("`{text}`: {error}"))?.real;
        let rest = parts[fixed..].join("/");
        let everything = rest.is_empty() || rest == "**";
        Ok(PathPattern { base, rest: if everything { None } else { Some(glob(&rest, true)?) } })
    }

    /// Whether it covers this path, which has no links left.
    pub(super) fn covers(&self, real: &Path) -> bool {
        let Ok(beneath) = real.strip_prefix(&self.base) else { return false };
        self.rest.as_ref().is_none_or(|glob| glob.is_match(beneath))
    }
}

/// A name with globs: a variable, a model, a call, an MCP server.
#[derive(Debug, Clone)]
pub(super) struct NamePattern(GlobMatcher);

impl NamePattern {
    pub(super) fn parse(text: &str) -> Result<NamePattern, String> {
        if text.is_empty() { Err("an empty pattern".into()) } else { glob(text, false).map(NamePattern) }
    }

    pub(super) fn covers(&self, name: &str) -> bool {
        self.0.is_match(name)
    }
}

/// A command: words that must be there, one glob each; a last `*` stands for any further arguments.
#[derive(Debug, Clone)]
pub(super) struct CommandPattern {
    words: Vec<GlobMatcher>,
    open: bool,
}

impl CommandPattern {
    pub(super) fn parse(text: &str) -> Result<CommandPattern, String> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() {
            return Err("an empty command pattern".into());
        }
        let open = words.len() > 1 && words.last() == Some(&"*");
        if open {
            words.pop();
        }
        let words = words.into_iter().map(|word| glob(word, false)).collect::<Result<_, _>>()?;
        Ok(CommandPattern { words, open })
    }

    pub(super) fn covers(&self, argv: &[String]) -> bool {
        let enough = argv.len() == self.words.len() || (self.open && argv.len() > self.words.len());
        enough && self.words.iter().zip(argv).all(|(word, argument)| word.is_match(argument))
    }
}

/// `[scheme://]host[:port]`: without a scheme https, without a port the scheme's own; `*.host` for its subdomains,
/// `*` for any host or port.
#[derive(Debug, Clone)]
pub(super) struct HostPattern {
    scheme: String,
    host: String,
    port: Option<u16>,
}

impl HostPattern {
    pub(super) fn parse(text: &str) -> Result<HostPattern, String> {
        let wrong = |why: &str| format!("`{text}`: {why}");
        let (scheme, rest) = text.split_once("://").unwrap_or(("https", text));
        if scheme != "http" && scheme != "https" {
            return Err(wrong("only http and https"));
        }
        if rest.contains(['/', '@', '?', '#']) || rest.is_empty() {
            return Err(wrong("a host and a port, nothing else"));
        }
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (rest, None),
        };
        let port = match port {
            None => Some(if scheme == "https" { 443 } else { 80 }),
            Some("*") => None,
            Some(port) => Some(port.parse().map_err(|_| wrong("the port is no number"))?),
        };
        if host.trim_start_matches("*.").contains('*') && host != "*" {
            return Err(wrong("* stands alone or in front, as in *.example.com"));
        }
        Ok(HostPattern { scheme: scheme.into(), host: host.to_lowercase(), port })
    }

    pub(super) fn covers(&self, url: &Url) -> bool {
        let Some(host) = url.host_str().map(|host| host.trim_end_matches('.')) else { return false };
        let host_fits = match self.host.strip_prefix('*') {
            Some("") => true,
            Some(suffix) => host.ends_with(suffix) && host.len() > suffix.len(),
            None => host == self.host,
        };
        let port_fits = self.port.is_none_or(|port| url.port_or_known_default() == Some(port));
        host_fits && port_fits && url.scheme() == self.scheme
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(pattern: &str, url: &str) -> bool {
        HostPattern::parse(pattern).unwrap().covers(&Url::parse(url).unwrap())
    }

    #[test]
    fn hosts_not_covered() {
        for (pattern, url) in [
            ("example.com", "http://example.com/"),
            ("example.com", "https://example.com:8443/"),
            ("example.com", "https://example.com.evil.net/"),
            ("example.com", "https://sub.example.com/"),
            ("example.com", "https://example.com@evil.net/"),
            ("*.example.com", "https://example.com/"),
            ("*.example.com", "https://evilexample.com/"),
            ("http://127.0.0.1:80", "http://127.0.0.1:81/"),
        ] {
            assert!(!host(pattern, url), "{pattern} {url}");
        }
        for wrong in ["", "ftp://a", "a/b", "a.*.b", "user@a", "a:b"] {
            assert!(HostPattern::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn hosts_covered() {
        for (pattern, url) in [
            ("Example.com", "https://EXAMPLE.com./x"),
            ("*.example.com", "https://a.b.example.com/"),
            ("http://127.0.0.1:*", "http://127.0.0.1:4711/"),
            ("https://[::1]:*", "https://[::1]:9/"),
            ("https://[::1]", "https://[::1]/"),
            ("*:*", "https://anything.example:9/"),
        ] {
            assert!(host(pattern, url), "{pattern} {url}");
        }
    }

    #[test]
    fn commands() {
        let covers = |pattern: &str, argv: &[&str]| {
            let argv: Vec<String> = argv.iter().map(ToString::to_string).collect();
            CommandPattern::parse(pattern).unwrap().covers(&argv)
        };
        assert!(!covers("git status", &["git", "status", "-s"]));
        assert!(!covers("git status *", &["git", "push"]));
        assert!(!covers("git *", &["/opt/git", "status"]));
        assert!(!covers("git", &["git", "push"]));
        assert!(covers("git status", &["git", "status"]));
        assert!(covers("git *", &["git"]) && covers("git *", &["git", "push", "a b"]));
        assert!(covers("cargo t* --lib", &["cargo", "test", "--lib"]));
        assert!(CommandPattern::parse("  ").is_err());
    }

    #[test]
    fn paths() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let places = Places { cwd: base.clone(), root: base.clone(), home: None };
        let covers = |pattern: &str, path: &str| PathPattern::parse(pattern, &places).unwrap().covers(&base.join(path));
        assert!(!covers("src", "srcs/a"));
        assert!(!covers("${cwd}/src/*.rs", "src/deep/a.rs"));
        assert!(!covers("src/*.rs", "src"));
        assert!(!covers("/etc", "src"));
        assert!(covers("src", "src") && covers("./src/", "src/deep/a.rs"));
        assert!(covers("${cwd}", "x/y") && covers("${root}/src/**", "src/deep") && covers("src/**", "src"));
        assert!(covers("src/**/*.rs", "src/a.rs") && covers("src/**/*.rs", "src/deep/a.rs"));
        for wrong in ["", "~/x", "a/${cwd}", "a/*/../b", "//server/x"] {
            assert!(PathPattern::parse(wrong, &places).is_err(), "{wrong}");
        }
    }
}
