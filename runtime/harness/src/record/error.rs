use std::path::PathBuf;

/// Why a record cannot be read or written. Lines count from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The file cannot be opened, read, written or synced.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The record's file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another session writes to the file.
    #[error("{}: another session is writing to this record", path.display())]
    Locked {
        /// The record's file.
        path: PathBuf,
    },
    /// A new record was asked for where one exists.
    #[error("{}: exists already; a record is never overwritten", path.display())]
    Exists {
        /// The record's file.
        path: PathBuf,
    },
    /// A line is no row.
    #[error("line {line}: not a row of a record: {reason}")]
    Malformed {
        /// The line.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A row has another number than its place.
    #[error("line {line}: row says seq {found}, its place is {expected}")]
    Sequence {
        /// The line.
        line: usize,
        /// The number it should have.
        expected: u64,
        /// The number it has.
        found: u64,
    },
    /// A row does not continue the line before it.
    #[error("line {line}: prev is {found}, the line before has {expected}: a row was changed, added or taken out")]
    Chain {
        /// The line.
        line: usize,
        /// Hash of the line before.
        expected: String,
        /// What the row says.
        found: String,
    },
    /// The record was damaged by an earlier failed write of this session.
    #[error("{}: an earlier append failed; nothing more can be written", path.display())]
    Poisoned {
        /// The record's file.
        path: PathBuf,
    },
}

impl RecordError {
    /// Stable code for tools and docs.
    pub fn code(&self) -> &'static str {
        match self {
            RecordError::Io { .. } => "record-io",
            RecordError::Locked { .. } => "record-locked",
            RecordError::Exists { .. } => "record-exists",
            RecordError::Malformed { .. } => "record-malformed",
            RecordError::Sequence { .. } => "record-sequence",
            RecordError::Chain { .. } => "record-chain",
            RecordError::Poisoned { .. } => "record-poisoned",
        }
    }

    /// The line that does not verify, from 1, where the trouble has one.
    pub fn line(&self) -> Option<usize> {
        match self {
            RecordError::Malformed { line, .. }
            | RecordError::Sequence { line, .. }
            | RecordError::Chain { line, .. } => Some(*line),
            _ => None,
        }
    }
}
