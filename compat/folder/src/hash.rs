//! The content hash of a folder on disk: finds what is there and hands it to the algorithm.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};
use modgate_validate::hash::{FolderHash, is_pinned};

use crate::{open, special};

/// What was found in a folder.
#[derive(Clone, Debug)]
pub struct Hashed {
    /// Every file and link that counts; `finish` gives the hash.
    pub folder: FolderHash,
    /// Bytes in all files that count.
    pub bytes: u64,
}

/// Why a folder has no hash.
#[derive(Debug, thiserror::Error)]
pub enum HashError {
    /// Something cannot be read.
    #[error("{path} cannot be read: {error}", path = .path.display())]
    Read {
        /// Relative to the folder; empty for the folder itself.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Something is there that a hash cannot pin.
    #[error("{path} cannot be hashed: {why}", path = .path.display())]
    Unpinnable {
        /// Relative to the folder.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

/// Hashes everything in a folder that counts. Links are not followed; nothing but regular files is opened.
///
/// # Errors
/// Something in the folder cannot be read, or is neither a file nor a link nor a folder, or has a name that cannot be
/// listed.
pub fn hash(root: &Path) -> Result<Hashed, HashError> {
    let read = |error: io::Error| HashError::Read { path: PathBuf::new(), error };
    let root = fs::canonicalize(root).map_err(read)?;
    if !root.is_dir() {
        return Err(read(io::ErrorKind::NotADirectory.into()));
    }
    let mut hashed = Hashed { folder: FolderHash::new(), bytes: 0 };
    let top = root.clone();
    let walk = WalkBuilder::new(&root)
        .standard_filters(false)
        // Version control's folders can be larger than everything else; names that are not UTF-8 are refused below.
        .filter_entry(move |entry| match inside(entry, &top).to_str() {
            Some("") | None => true,
            // A folder may be called like a leftover; what is in it counts all the same.
            Some(path) => is_pinned(&format!("{}/file", slashed(path))),
        })
        .build();
    for entry in walk.skip(1) {
        let entry = entry.map_err(|error| {
            let text = error.to_string();
            read(error.into_io_error().unwrap_or_else(|| io::Error::other(text)))
        })?;
        hashed.add(&entry, &inside(&entry, &root))?;
    }
    Ok(hashed)
}

fn inside(entry: &DirEntry, root: &Path) -> PathBuf {
    entry.path().strip_prefix(root).map(Path::to_owned).unwrap_or_default()
}

fn slashed(path: &str) -> String {
    path.replace(std::path::MAIN_SEPARATOR, "/")
}

impl Hashed {
    fn add(&mut self, entry: &DirEntry, inside: &Path) -> Result<(), HashError> {
        let real = entry.path();
        let refuse = |why: String| HashError::Unpinnable { path: inside.to_owned(), why };
        let failed = |error: io::Error| HashError::Read { path: inside.to_owned(), error };
        let path = slashed(inside.to_str().ok_or_else(|| refuse("its name is not valid UTF-8".to_owned()))?);
        let kind = entry.file_type().ok_or_else(|| refuse("nobody can tell what it is".to_owned()))?;
        if kind.is_dir() {
            return Ok(());
        }
        if kind.is_symlink() {
            let target = fs::read_link(real).map_err(failed)?;
            return self
                .folder
                .link(&path, target.as_os_str().as_encoded_bytes())
                .map_err(|bad| refuse(bad.to_string()));
        }
        // Asked before opening: a FIFO would wait for a writer.
        if let Some(special) = special(kind) {
            return Err(refuse(format!("it is a {special}")));
        }
        let file = open(real).map_err(failed)?;
        self.bytes += self.folder.file_from(&path, file).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => refuse(error.to_string()),
            _ => failed(error),
        })?;
        Ok(())
    }
}
