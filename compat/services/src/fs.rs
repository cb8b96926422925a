//! `$.fs`: files.

mod ancestors;
mod native;
mod pinned;

use std::path::Path;

use async_trait::async_trait;
use modgate_value::Value;

use crate::context::Context;
use crate::input::Args;
use crate::{Answer, Reached, ServiceError};

pub use native::NativeFs;

/// Largest file read or written, in bytes.
pub const MAX_FILE: u64 = 4 << 20;

/// In which form a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadAs {
    /// UTF-8 text.
    Text,
    /// `{base64}`: standard alphabet, padded.
    Bytes,
}

/// Serves `$.fs`. Paths have passed the gate: [`Reached::real`] is what may be opened.
#[async_trait]
pub trait Fs: Send + Sync {
    /// The members served.
    fn members(&self) -> &'static [&'static str];

    /// The file's text, or `{base64}`. Rejects when missing, and beyond [`MAX_FILE`].
    async fn read(&self, path: &Reached, form: ReadAs) -> Answer {
        let _ = (path, form);
        Err(ServiceError::no_implementation("fs.read"))
    }

    /// Writes the whole file or nothing, and makes its folders. Gives undefined.
    async fn write(&self, path: &Reached, text: &str) -> Answer {
        let _ = (path, text);
        Err(ServiceError::no_implementation("fs.write"))
    }

    /// `[{name, kind: 'file' | 'dir' | 'other', size, isLink}]`, sorted by name; links are not followed (`other`).
    async fn list(&self, path: &Reached) -> Answer {
        let _ = path;
        Err(ServiceError::no_implementation("fs.list"))
    }

    /// Whether something is there.
    async fn exists(&self, path: &Reached) -> Answer {
        let _ = path;
        Err(ServiceError::no_implementation("fs.exists"))
    }

    /// `{kind, size, mtimeMs, isLink, realPath?}`; links are followed, one that leads to nothing is `other`.
    async fn stat(&self, path: &Reached, resolve: bool) -> Answer {
        let _ = (path, resolve);
        Err(ServiceError::no_implementation("fs.stat"))
    }

    /// The text of a file for `$.fs.ancestors`; `None` where there is none.
    async fn text(&self, path: &Path) -> Result<Option<String>, ServiceError> {
        let _ = path;
        Err(ServiceError::no_implementation("fs.ancestors"))
    }
}

pub(crate) async fn dispatch(fs: &dyn Fs, context: &Context, method: &str, input: &Value) -> Answer {
    let args = Args::new(&context.call, input);
    match method {
        "read" => {
            let form = match args.maybe_text("as")? {
                None | Some("text") => ReadAs::Text,
                Some("bytes") => ReadAs::Bytes,
                Some(_) => return Err(args.bad("as must be 'text' or 'bytes'")),
            };
            fs.read(&context.reach_read(args.filled_text("path")?)?, form).await
        }
        "write" => {
            let (path, text) = (args.filled_text("path")?, args.text("text")?);
            if text.len() as u64 > MAX_FILE {
                return Err(ServiceError::too_large(&context.call, "more than 4 MiB"));
            }
            fs.write(&context.reach_write(path)?, text).await
        }
        "list" => fs.list(&context.reach_read(args.maybe_text("path")?.unwrap_or("."))?).await,
        "exists" => fs.exists(&context.reach_read(args.filled_text("path")?)?).await,
        "stat" => {
            let resolve = args.maybe_bool("resolve")?.unwrap_or(false);
            fs.stat(&context.reach_read(args.filled_text("path")?)?, resolve).await
        }
        "ancestors" => ancestors::collect(fs, context, &args).await,
        _ => Err(ServiceError::no_implementation(&context.call)),
    }
}
