//! Reading and replacing files, shared by the file tools.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::state::Seen;
use super::{ToolContext, ToolOutput, absolute};

/// A text file as it is.
pub(super) struct TextFile {
    pub(super) path: PathBuf,
    pub(super) text: String,
}

/// The absolute path in `file_path`.
pub(super) fn file_path(input: &Value, context: &ToolContext) -> PathBuf {
    absolute(&context.root, input.get("file_path").and_then(Value::as_str).unwrap_or_default())
}

/// Reads a regular file as text. The error is for the model.
pub(super) async fn read_text(path: &Path, context: &ToolContext) -> Result<Option<TextFile>, String> {
    let shown = path.display();
    let facts = match tokio::fs::metadata(path).await {
        Ok(facts) => facts,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("{shown}: {error}")),
    };
    if facts.is_dir() {
        return Err(format!("{shown} is a directory, not a file."));
    }
    // A pipe or device could block for ever or have no end.
    if !facts.is_file() {
        return Err(format!("{shown} is not a regular file."));
    }
    if facts.len() > context.limits.file_bytes {
        return Err(format!("{shown} has {} bytes; the limit is {}.", facts.len(), context.limits.file_bytes));
    }
    let bytes = tokio::fs::read(path).await.map_err(|error| format!("{shown}: {error}"))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(TextFile { path: path.to_owned(), text })),
        Err(_) => Err(format!("{shown} is not text in UTF-8.")),
    }
}

/// Puts a new content in the place of a file in one step, so that no reader sees half of it. Its permissions stay.
pub(super) async fn replace(path: &Path, content: &str) -> Result<(), String> {
    // A link stays a link: what it names is replaced.
    let target = tokio::fs::canonicalize(path).await.unwrap_or_else(|_| path.to_owned());
    let content = content.to_owned();
    let written = tokio::task::spawn_blocking(move || write_beside(&target, content.as_bytes())).await;
    let written = written.unwrap_or_else(|_| Err(std::io::Error::other("the writer stopped")));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

fn write_beside(target: &Path, content: &[u8]) -> std::io::Result<()> {
    let folder = target.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder)?;
    let permissions = match std::fs::metadata(target) {
        Ok(facts) => facts.permissions(),
        Err(_) => new_file_permissions(),
    };
    let mut beside = tempfile::NamedTempFile::new_in(folder)?;
    beside.write_all(content)?;
    beside.as_file().set_permissions(permissions)?;
    beside.as_file().sync_all()?;
    beside.persist(target)?;
    Ok(())
}

fn new_file_permissions() -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    std::fs::Permissions::from_mode(0o644)
}

/// Whether the model may change the file: it has to have read it as it is.
pub(super) fn check_seen(file: &TextFile, context: &ToolContext) -> Result<(), ToolOutput> {
    let shown = file.path.display();
    match context.state.seen(&file.path, file.text.as_bytes()) {
        Seen::Current => Ok(()),
        Seen::Never => Err(ToolOutput::error(format!("{shown} has not been read yet. Read it before changing it."))),
        Seen::Stale => Err(ToolOutput::error(format!("{shown} changed since it was read. Read it again first."))),
    }
}
