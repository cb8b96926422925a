//! Opening a path that has passed the gate, so that a link put there meanwhile leads nowhere.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use nix::libc::{O_CLOEXEC, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK};

/// Opens a file for reading; the path must have no links left. Does not wait at a pipe.
pub(super) fn open(path: &Path) -> io::Result<File> {
    open_with(path, O_NONBLOCK)
}

/// A folder that stays the same whatever happens to its name.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Kept open: `path` may go through it.
    _file: File,
}

impl Folder {
    /// Opens a folder; the path must have no links left.
    pub(super) fn open(path: &Path) -> io::Result<Folder> {
        let file = open_with(path, O_DIRECTORY)?;
        let through = by_descriptor(&file);
        Ok(Folder { path: through.unwrap_or_else(|| path.to_path_buf()), _file: file })
    }

    /// A path to it.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(target_os = "linux")]
fn open_with(path: &Path, flags: i32) -> io::Result<File> {
    use nix::errno::Errno;
    use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, openat2};

    let how = OpenHow::new()
        .flags(OFlag::from_bits_truncate(flags | O_CLOEXEC | O_NOFOLLOW))
        .resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    match openat2(AT_FDCWD, path, how) {
        Ok(file) => Ok(File::from(file)),
        // Kernels before 5.6, and sandboxes that do not know the call.
        Err(Errno::ENOSYS | Errno::EPERM) => last_link(path, flags),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn open_with(path: &Path, flags: i32) -> io::Result<File> {
    last_link(path, flags)
}

/// Refuses a link in the last place only.
fn last_link(path: &Path, flags: i32) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(flags | O_CLOEXEC | O_NOFOLLOW).open(path)
}

#[cfg(target_os = "linux")]
fn by_descriptor(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    path.is_dir().then_some(path)
}

#[cfg(not(target_os = "linux"))]
fn by_descriptor(_file: &File) -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_put_in_the_way_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        std::fs::create_dir(base.join("out")).unwrap();
        std::fs::write(base.join("out/secret"), "secret").unwrap();
        std::os::unix::fs::symlink("out/secret", base.join("file")).unwrap();
        std::os::unix::fs::symlink("out", base.join("folder")).unwrap();
        assert!(open(&base.join("file")).is_err());
        assert!(Folder::open(&base.join("folder")).is_err());
        assert!(open(&base.join("out/secret")).is_ok());
        assert!(Folder::open(&base.join("out")).unwrap().path().join("secret").exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_further_up_is_not_followed_either() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        std::fs::create_dir(base.join("out")).unwrap();
        std::fs::write(base.join("out/secret"), "secret").unwrap();
        std::os::unix::fs::symlink("out", base.join("folder")).unwrap();
        assert!(open(&base.join("folder/secret")).is_err());
    }
}
