use std::path::PathBuf;

use crate::record::RecordError;

/// Why a session cannot go on. What contributors, tools and models get wrong never ends up here: that is reported in
/// the record, and the session goes on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HarnessError {
    /// The record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The record has no session to continue.
    #[error("{}: holds no session/start row, so there is no session to resume", path.display())]
    NoSession {
        /// The record's file.
        path: PathBuf,
    },
    /// The session was ended already.
    #[error("the session has ended")]
    Ended,
    /// The working directory cannot be used.
    #[error("{}: {source}", path.display())]
    Workdir {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Something the harness waited for stopped without an answer (a panic in a contributor or tool).
    #[error("{what} stopped without an answer")]
    Lost {
        /// What it was.
        what: String,
    },
}

impl HarnessError {
    /// Stable code for tools and docs.
    pub fn code(&self) -> &'static str {
        match self {
            HarnessError::Record(error) => error.code(),
            HarnessError::NoSession { .. } => "session-missing",
            HarnessError::Ended => "session-ended",
            HarnessError::Workdir { .. } => "session-workdir",
            HarnessError::Lost { .. } => "session-lost",
        }
    }
}
