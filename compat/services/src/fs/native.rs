//! `$.fs` on the machine's own file system.

use std::fs::{self, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use modgate_value::Value;

use super::{Fs, MAX_FILE, ReadAs, pinned};
use crate::{Answer, Reached, ServiceError, codes};

/// The machine's file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct NativeFs;

#[async_trait]
impl Fs for NativeFs {
    fn members(&self) -> &'static [&'static str] {
        &["ancestors", "exists", "list", "read", "stat", "write"]
    }

    async fn read(&self, path: &Reached, form: ReadAs) -> Answer {
        let bytes = off_thread("fs.read", &path.real, read_limited).await?;
        match form {
            ReadAs::Bytes => Ok(Value::object([("base64", Value::from(STANDARD.encode(bytes)))])),
            ReadAs::Text => Ok(Value::from(match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
            })),
        }
    }

    async fn write(&self, path: &Reached, text: &str) -> Answer {
        let text = text.to_string();
        off_thread("fs.write", &path.real, move |path| write_whole(path, text.as_bytes())).await?;
        Ok(Value::Undefined)
    }

    async fn list(&self, path: &Reached) -> Answer {
        off_thread("fs.list", &path.real, list).await
    }

    async fn exists(&self, path: &Reached) -> Answer {
        let there = off_thread("fs.exists", &path.real, |path| Ok(path.symlink_metadata().is_ok())).await?;
        Ok(Value::from(there))
    }

    async fn stat(&self, path: &Reached, resolve: bool) -> Answer {
        let real = path.real.clone();
        off_thread("fs.stat", &path.asked, move |asked| stat(asked, &real, resolve)).await
    }

    async fn text(&self, path: &Path) -> Result<Option<String>, ServiceError> {
        match off_thread("fs.ancestors", path, read_limited).await {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if matches!(&*error.code, "ENOENT" | "ENOTDIR" | "EISDIR" | "EACCES") => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Runs blocking work beside the runtime's threads.
async fn off_thread<T: Send + 'static>(
    call: &'static str,
    path: &Path,
    work: impl FnOnce(&Path) -> io::Result<T> + Send + 'static,
) -> Result<T, ServiceError> {
    let path = path.to_path_buf();
    let done = tokio::task::spawn_blocking(move || {
        let result = work(&path);
        result.map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => ServiceError::too_large(call, "more than 4 MiB"),
            _ => ServiceError::os(call, &path, &error),
        })
    });
    done.await.unwrap_or_else(|error| Err(ServiceError::failed(call, codes::IO, error)))
}

/// The file's bytes. Not of a device or a pipe, which might never end.
fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let file = pinned::open(path)?;
    plain_file(&file.metadata()?)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

fn plain_file(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::Error::from_raw_os_error(nix::errno::Errno::EISDIR as i32));
    }
    if metadata.is_file() { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")) }
}

/// A new file beside the old one, put in its place when it is whole. The old one's permissions stay.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)?;
    let folder = pinned::Folder::open(folder)?;
    let path = folder.path().join(path.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    let permissions = match path.symlink_metadata() {
        Ok(old) => {
            plain_file(&old)?;
            old.permissions()
        }
        Err(_) => new_file_mode(),
    };
    let mut file = tempfile::Builder::new().prefix(".modgate-").tempfile_in(folder.path())?;
    file.write_all(bytes)?;
    file.as_file().set_permissions(permissions)?;
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Readable for everybody, writable for the owner: what most systems give a new file. The temporary file would be
/// private otherwise.
fn new_file_mode() -> fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o644)
}

fn kind(metadata: &Metadata) -> &'static str {
    match metadata {
        metadata if metadata.is_file() => "file",
        metadata if metadata.is_dir() => "dir",
        _ => "other",
    }
}

fn size(metadata: &Metadata) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "numbers in JavaScript; sizes beyond 2^53 do not occur")]
    Value::from(metadata.len() as f64)
}

fn list(path: &Path) -> io::Result<Value> {
    let mut entries: Vec<(String, Metadata)> = Vec::new();
    let folder = pinned::Folder::open(path)?;
    for entry in folder.path().read_dir()? {
        let entry = entry?;
        match entry.metadata() {
            Ok(metadata) => entries.push((entry.file_name().to_string_lossy().into_owned(), metadata)),
            // Gone between listing and looking.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Value::list(entries.into_iter().map(|(name, metadata)| {
        Value::object([
            ("name", Value::from(name)),
            ("kind", Value::from(kind(&metadata))),
            ("size", size(&metadata)),
            ("isLink", Value::from(metadata.is_symlink())),
        ])
    })))
}

fn stat(asked: &Path, real: &Path, resolve: bool) -> io::Result<Value> {
    let own = asked.symlink_metadata()?;
    let (metadata, lands) = match real.metadata() {
        Ok(metadata) => (metadata, true),
        Err(error) if error.kind() == io::ErrorKind::NotFound && own.is_symlink() => (own.clone(), false),
        Err(error) => return Err(error),
    };
    let modified = metadata.modified()?.duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64() * 1000.0);
    let stat = Value::object([
        ("kind", Value::from(kind(&metadata))),
        ("size", size(&metadata)),
        ("mtimeMs", Value::from(modified)),
        ("isLink", Value::from(own.is_symlink())),
    ]);
    let real_path = PathBuf::from(real);
    Ok(if resolve && lands { stat.with("realPath", Value::from(real_path.to_string_lossy().as_ref())) } else { stat })
}
