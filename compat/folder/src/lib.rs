//! The files of a mod on disk: what is read, what is refused, and what is never opened.

mod hash;

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use modgate_validate::{Entry, Files};

pub use hash::{HashError, Hashed, hash};

/// Larger files are not read: 5 MiB. Generated modules of a few hundred KiB exist; nobody reviews more than this.
pub const LARGEST: u64 = 5 * 1024 * 1024;

/// What [`Entry::NotAFile`] says about a file that the system does not let us read.
const UNREADABLE: &str = "file that cannot be read";

/// One folder. Paths are looked up below it, symbolic links resolved, and nothing outside is read.
#[derive(Clone, Debug)]
pub struct DiskFiles {
    /// Canonical, so that "is it inside" is a comparison of paths.
    root: PathBuf,
}

impl DiskFiles {
    /// The files below `root`, which must be a folder.
    pub fn open(root: &Path) -> io::Result<DiskFiles> {
        let root = fs::canonicalize(root)?;
        if !fs::metadata(&root)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(DiskFiles { root })
    }

    /// The folder, without symbolic links in its path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where `path` really is: `Ok(None)` when nothing is there, `Err` says what stands in the way.
    pub fn resolve(&self, path: &str) -> Result<Option<PathBuf>, Entry> {
        match fs::canonicalize(self.root.join(path)) {
            Ok(real) if real.starts_with(&self.root) => Ok(Some(real)),
            Ok(_) => Err(Entry::Outside),
            Err(error) if is_loop(&error) => Err(Entry::NotAFile("symlink loop")),
            Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied) => Err(Entry::NotAFile(UNREADABLE)),
            // A dangling link, a file in the place of a folder, a name longer than the system allows: nothing is there.
            Err(_) => Ok(None),
        }
    }
}

impl Files for DiskFiles {
    fn read(&self, path: &str) -> Option<Entry> {
        match self.resolve(path) {
            Ok(real) => read(&real?),
            Err(entry) => Some(entry),
        }
    }
}

#[cfg(unix)]
fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ELOOP)
}

#[cfg(not(unix))]
fn is_loop(_: &io::Error) -> bool {
    false
}

/// Reads a file to which no symbolic link leads any more.
fn read(real: &Path) -> Option<Entry> {
    let found = match fs::symlink_metadata(real) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(_) => return Some(Entry::NotAFile(UNREADABLE)),
    };
    // Asked before opening: opening a FIFO waits for a writer, opening a device can do anything.
    if let Some(kind) = special(found.file_type()) {
        return Some(Entry::NotAFile(kind));
    }
    if found.len() > LARGEST {
        return Some(Entry::TooLarge(found.len()));
    }
    Some(open(real).and_then(|file| content(file, found.len())).unwrap_or(Entry::NotAFile(UNREADABLE)))
}

fn content(file: File, expected: u64) -> io::Result<Entry> {
    // Asked again: it could have been replaced since.
    if let Some(kind) = special(file.metadata()?.file_type()) {
        return Ok(Entry::NotAFile(kind));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(expected.min(LARGEST)).unwrap_or_default() + 1);
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Ok(Entry::TooLarge(bytes.len() as u64));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Entry::Text(text),
        Err(broken) => Entry::Bytes(broken.into_bytes()),
    })
}

/// Opens without waiting and without following a link that appeared in the meantime.
pub fn open(real: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC);
    }
    options.open(real)
}

/// What a thing is that is no regular file; `None` for a regular one.
pub fn special(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("fifo");
        }
        if kind.is_socket() {
            return Some("socket");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return Some("device");
        }
    }
    Some(if kind.is_dir() { "directory" } else { "symlink" })
}
