//! `modgate hash --json`.

use serde::Serialize;

/// The hashes of some mods.
#[derive(Serialize)]
pub(crate) struct Hashes {
    /// See [`super::SCHEMA`].
    pub(crate) schema: u32,
    /// One a folder, in the order of the command line.
    pub(crate) mods: Vec<Hash>,
}

/// The hash of one mod.
#[derive(Serialize)]
pub(crate) struct Hash {
    /// The folder, as on the command line.
    pub(crate) target: String,
    /// `modgate1:` and 64 hex digits.
    pub(crate) hash: String,
    /// Bytes in all files that count.
    pub(crate) bytes: u64,
    /// What counts, sorted by path.
    pub(crate) files: Vec<HashedFile>,
}

/// A file or a symbolic link.
#[derive(Serialize)]
pub(crate) struct HashedFile {
    /// Relative to the folder.
    pub(crate) path: String,
    /// `file` or `link`.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// Of the content, or of the link's target.
    pub(crate) sha256: String,
}
