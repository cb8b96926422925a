//! Where a path really leads.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Links followed before a path counts as a loop, as on Linux.
const MAX_LINKS: usize = 40;

/// A path as it was asked for, and where it leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// Absolute, without `.` and `..`; links are still links.
    pub asked: PathBuf,
    /// The same place with every symbolic link followed, also those that lead to nothing yet. What is checked, and
    /// what is opened afterwards: a link cannot lead past the check.
    pub real: PathBuf,
}

/// Why a path is refused before any permission is looked at.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// A relative path where nothing says relative to what.
    #[error("{0} is not an absolute path")]
    Relative(PathBuf),
    /// `//server/share` or `\\server\share`.
    #[error("{0} names a network location")]
    Network(PathBuf),
    /// A NUL character.
    #[error("a path must not contain NUL")]
    Nul,
    /// Links in a circle, or too many in a row.
    #[error("{0} leads through too many links")]
    Links(PathBuf),
    /// The system does not let us look.
    #[error("{path}: {source}")]
    Io {
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Follows a path: `..` and `.` are taken out by name first, then the nearest existing ancestor is made canonical and
/// what does not exist yet is put back behind it. A link that leads to nothing is followed as well.
///
/// # Errors
/// See [`PathError`].
pub fn resolve(path: &Path) -> Result<Reached, PathError> {
    let text = path.as_os_str().as_encoded_bytes();
    if text.contains(&0) {
        return Err(PathError::Nul);
    }
    if text.starts_with(b"//") || text.starts_with(br"\\") {
        return Err(PathError::Network(path.into()));
    }
    if !path.is_absolute() {
        return Err(PathError::Relative(path.into()));
    }
    let asked = without_dots(path);
    let mut target = asked.clone();
    for _ in 0..MAX_LINKS {
        let (existing, rest) = nearest_existing(&target)?;
        match existing.canonicalize() {
            Ok(real) => return Ok(Reached { asked, real: join(&real, &rest) }),
            Err(error) if error.kind() == ErrorKind::NotFound => target = join(&follow(&existing)?, &rest),
            Err(source) => return Err(PathError::Io { path: existing, source }),
        }
    }
    Err(PathError::Links(asked))
}

/// The path without `.` and `..`, by name alone.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => {
                plain.pop();
            }
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    plain
}

/// The nearest ancestor that has an entry (a link to nothing is one), and what follows it.
fn nearest_existing(path: &Path) -> Result<(PathBuf, PathBuf), PathError> {
    for ancestor in path.ancestors() {
        match ancestor.symlink_metadata() {
            Ok(_) => {
                let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
                return Ok((ancestor.into(), rest.into()));
            }
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(source) => return Err(PathError::Io { path: ancestor.into(), source }),
        }
    }
    Ok(("/".into(), path.strip_prefix("/").unwrap_or(path).into()))
}

/// Where a link that leads to nothing points, seen from the folder that holds it.
fn follow(link: &Path) -> Result<PathBuf, PathError> {
    let io = |source| PathError::Io { path: link.into(), source };
    let target = link.read_link().map_err(io)?;
    let folder = link.parent().unwrap_or(Path::new("/")).canonicalize().map_err(io)?;
    Ok(without_dots(&folder.join(target)))
}

/// Like [`Path::join`], without a trailing slash where nothing is added.
fn join(base: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { base.into() } else { base.join(rest) }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn refused_forms() {
        for (path, wanted) in [("a/b", "is not absolute"), ("//server/share", "network"), (r"\\server\x", "network")] {
            let text = resolve(Path::new(path)).unwrap_err().to_string().replace("not an absolute", "not absolute");
            assert!(text.contains(wanted), "{path}: {text}");
        }
        assert!(matches!(resolve(Path::new("/a\0b")), Err(PathError::Nul)));
    }

    #[test]
    fn links_are_followed_also_to_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        std::fs::create_dir(base.join("in")).unwrap();
        symlink("/etc", base.join("in/out")).unwrap();
        symlink("../gone/deeper", base.join("in/dangling")).unwrap();
        symlink("ring-b", base.join("ring-a")).unwrap();
        symlink("ring-a", base.join("ring-b")).unwrap();
        let real = |path: &str| resolve(&base.join(path)).map(|reached| reached.real);
        assert_eq!(real("in/out/passwd").unwrap(), Path::new("/etc/passwd").canonicalize().unwrap());
        assert_eq!(real("in/out/not-there/x").unwrap(), Path::new("/etc").canonicalize().unwrap().join("not-there/x"));
        assert_eq!(real("in/dangling/new.txt").unwrap(), base.join("gone/deeper/new.txt"));
        assert_eq!(real("in/../in/./new").unwrap(), base.join("in/new"));
        assert!(real("ring-a/x").is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        /// Whatever is spelled, what comes out has no link, no dots, and is what the system itself says.
        #[test]
        fn the_result_is_what_the_system_says(parts in prop::collection::vec(
            prop_oneof![Just(".."), Just("."), Just("a"), Just("b"), Just("up"), Just("out"), Just("new")], 1..8)) {
            let folder = tempfile::tempdir().unwrap();
            let base = folder.path().canonicalize().unwrap();
            std::fs::create_dir_all(base.join("a/b")).unwrap();
            symlink("..", base.join("a/up")).unwrap();
            symlink("/usr", base.join("a/out")).unwrap();
            let asked = parts.iter().fold(base.clone(), |path, part| path.join(part));
            let reached = resolve(&asked).unwrap();
            prop_assert!(reached.real.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_))));
            if reached.asked.exists() {
                prop_assert_eq!(reached.asked.canonicalize().unwrap(), reached.real.clone());
            }
            prop_assert_eq!(resolve(&reached.real).unwrap().real, reached.real);
        }
    }
}
