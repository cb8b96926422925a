//! The content hash that pins a mod: one text that changes whenever a file of its folder does.
//!
//! Texts in, hash out, like the rest of this crate; whoever walks the folder hands over what it found. The algorithm
//! is written down for users, so that anybody can recompute it with `sha256sum`:
//!
//! - every file that [`is_pinned`] gives one line, `<sha256 of its bytes, in hex>  <path>\n`;
//! - a symbolic link gives `<sha256 of its target as written, in hex> @<path>\n` and is not followed;
//! - lines are sorted by the bytes of the path; the hash is `modgate1:` and the SHA-256 of all lines, in hex.
//!
//! Modes, owners and times do not count.
//!
//! ```
//! use modgate_validate::hash::FolderHash;
//!
//! let mut folder = FolderHash::new();
//! folder.file("hooks/hooks.json", br#"{ "modules": ["./register.js"] }"#)?;
//! folder.file("hooks/register.js", b"export function register() {}")?;
//! assert!(folder.finish().to_string().starts_with("modgate1:"));
//! # Ok::<(), modgate_validate::hash::BadPath>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

/// Stands before the digits, and changes when the algorithm does.
const PREFIX: &str = "modgate1:";

/// Folders in which version control keeps its own files. What lies in one is not pinned, so a loader must not read a
/// module from there ([`is_pinned`] tells).
const VERSION_CONTROL: [&str; 5] = [".git", ".hg", ".svn", ".jj", ".bzr"];

/// What file managers leave behind.
const LEFTOVERS: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// Does the file at `path` (relative, `/` between segments) count for the hash?
///
/// Everything does, except version control's own files, editors' backups and swap files, and file managers' leftovers.
/// None of the latter has the suffix of a module, so only the version control folders can hold a module that escapes
/// the hash.
pub fn is_pinned(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !path.split('/').any(|segment| VERSION_CONTROL.contains(&segment)) && !is_leftover(name)
}

fn is_leftover(name: &str) -> bool {
    let swap_file = name.starts_with('.')
        && name.rsplit_once('.').is_some_and(|(stem, suffix)| {
            !stem.is_empty()
                && suffix.len() == 3
                && suffix.starts_with("sw")
                && suffix.ends_with(|c: char| c.is_ascii_lowercase())
        });
    LEFTOVERS.contains(&name)
        || swap_file
        || (name.len() > 1 && name.ends_with('~'))
        || (name.len() > 1 && name.starts_with('#') && name.ends_with('#'))
}

/// A path that has no line in the list that is hashed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPath {
    /// Line breaks would let one path look like two, and a backslash is a separator on some machines.
    #[error("{0:?} has a line break or a backslash in it")]
    Character(String),
    /// Empty, absolute, or with an empty, `.` or `..` segment.
    #[error("{0:?} is not a path inside the folder")]
    Outside(String),
    /// The same path came twice.
    #[error("{0:?} was handed over twice")]
    Twice(String),
}

/// The hash of a mod's content. Its text form is `modgate1:` and 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash([u8; 32]);

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        hex(&self.0, f)
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is no [`ContentHash`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no content hash: write modgate1: and 64 lower-case hex digits")]
pub struct BadHash(String);

impl FromStr for ContentHash {
    type Err = BadHash;

    fn from_str(text: &str) -> Result<ContentHash, BadHash> {
        let bad = || BadHash(text.to_owned());
        let digits = text.strip_prefix(PREFIX).ok_or_else(bad)?.as_bytes();
        if digits.len() != 64 || digits.iter().any(|digit| !matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(bad());
        }
        let value = |digit: u8| if digit <= b'9' { digit - b'0' } else { digit - b'a' + 10 };
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = value(pair[0]) << 4 | value(pair[1]);
        }
        Ok(ContentHash(bytes))
    }
}

/// Collects the files of one folder, in any order, and gives their hash. Keeps a digest a file, never a content.
#[derive(Clone, Debug, Default)]
pub struct FolderHash {
    lines: BTreeMap<String, Line>,
}

/// What one path adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Is it a symbolic link?
    pub is_link: bool,
    /// SHA-256 of the content, or of the link's target.
    pub digest: [u8; 32],
}

impl FolderHash {
    /// No files.
    pub fn new() -> FolderHash {
        FolderHash::default()
    }

    /// Adds a file. One that is not pinned is passed over.
    ///
    /// # Errors
    /// The path cannot be listed.
    pub fn file(&mut self, path: &str, bytes: &[u8]) -> Result<(), BadPath> {
        self.line(path, Line { is_link: false, digest: Sha256::digest(bytes).into() })
    }

    /// Adds a file that is read to its end, piece by piece. Gives its size in bytes.
    ///
    /// # Errors
    /// What `reader` says, or a [`BadPath`] inside an [`io::ErrorKind::InvalidInput`].
    pub fn file_from(&mut self, path: &str, mut reader: impl Read) -> io::Result<u64> {
        let mut digest = Sha256::new();
        let mut buffer = vec![0; 64 * 1024];
        let mut size = 0;
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    digest.update(&buffer[..count]);
                    size += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.line(path, Line { is_link: false, digest: digest.finalize().into() })
            .map_err(|bad| io::Error::new(io::ErrorKind::InvalidInput, bad))?;
        Ok(size)
    }

    /// Adds a symbolic link, with its target exactly as the link spells it.
    ///
    /// # Errors
    /// The path cannot be listed.
    pub fn link(&mut self, path: &str, target: &[u8]) -> Result<(), BadPath> {
        self.line(path, Line { is_link: true, digest: Sha256::digest(target).into() })
    }

    fn line(&mut self, path: &str, line: Line) -> Result<(), BadPath> {
        if path.contains(['\n', '\r', '\\', '\0']) {
            return Err(BadPath::Character(path.to_owned()));
        }
        if path.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
            return Err(BadPath::Outside(path.to_owned()));
        }
        if !is_pinned(path) {
            return Ok(());
        }
        match self.lines.insert(path.to_owned(), line) {
            Some(_) => Err(BadPath::Twice(path.to_owned())),
            None => Ok(()),
        }
    }

    /// What was added and counts, sorted by path.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = (&str, Line)> {
        self.lines.iter().map(|(path, line)| (path.as_str(), *line))
    }

    /// The hash of all that was added.
    pub fn finish(&self) -> ContentHash {
        let mut all = Sha256::new();
        for (path, line) in self.lines() {
            all.update(line.text(path));
        }
        ContentHash(all.finalize().into())
    }
}

impl Line {
    /// The line as it is hashed, its line break included.
    pub fn text(&self, path: &str) -> String {
        let mark = if self.is_link { '@' } else { ' ' };
        format!("{} {mark}{path}\n", self.hex())
    }

    /// The digest in hex.
    pub fn hex(&self) -> String {
        let mut text = String::with_capacity(64);
        // Writing into a String cannot fail.
        let _ = hex(&self.digest, &mut text);
        text
    }
}

/// The hash of files that are all in memory.
///
/// # Errors
/// A path cannot be listed.
pub fn content_hash<P, B>(files: impl IntoIterator<Item = (P, B)>) -> Result<ContentHash, BadPath>
where
    P: AsRef<str>,
    B: AsRef<[u8]>,
{
    let mut folder = FolderHash::new();
    for (path, bytes) in files {
        folder.file(path.as_ref(), bytes.as_ref())?;
    }
    Ok(folder.finish())
}

fn hex(bytes: &[u8], to: &mut (impl fmt::Write + ?Sized)) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(to, "{byte:02x}"))
}

#[cfg(test)]
mod tests;
