use std::path::PathBuf;

use modgate_harness::script::ScenarioError;

/// Why a host could not be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// A file cannot be read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// The description of a case cannot be used.
    #[error("{}: {message}", path.display())]
    Case {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its line where there is one.
        message: String,
    },
    /// The scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The host cannot play this scenario; the reason is part of the outcome.
    #[error("{host} cannot run this scenario: {reason}")]
    CannotRun {
        /// The host.
        host: String,
        /// Why.
        reason: String,
    },
    /// The program could not be started, or ended before the script did.
    #[error("{}: {message}", program.display())]
    Program {
        /// The program.
        program: PathBuf,
        /// What happened, with the last lines it printed.
        message: String,
    },
    /// The program did not finish in time; it was ended.
    #[error("{}: still running after {seconds} s; it was ended", program.display())]
    Timeout {
        /// The program.
        program: PathBuf,
        /// How long it had.
        seconds: u64,
    },
}

impl MeasureError {
    /// Stable code for tools and docs.
    pub fn code(&self) -> &'static str {
        match self {
            MeasureError::Io { .. } => "measure-io",
            MeasureError::Case { .. } => "measure-case",
            MeasureError::Scenario(error) => error.code(),
            MeasureError::CannotRun { .. } => "measure-cannot-run",
            MeasureError::Program { .. } => "measure-program",
            MeasureError::Timeout { .. } => "measure-timeout",
        }
    }

    pub(crate) fn io(path: impl Into<PathBuf>, action: &'static str) -> impl FnOnce(std::io::Error) -> MeasureError {
        let path = path.into();
        move |source| MeasureError::Io { path, action, source }
    }
}
