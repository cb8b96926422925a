use std::ops::Range;
use std::path::PathBuf;

use crate::error::HarnessError;

/// A scenario that cannot be used, with its place. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct ScenarioError {
    /// Name of the file as given.
    pub file: String,
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
    /// What is wrong, and what was expected.
    pub message: String,
    /// Bytes of the text it is about.
    pub span: Range<usize>,
}

impl ScenarioError {
    /// Stable code for tools and docs.
    pub fn code(&self) -> &'static str {
        "scenario-invalid"
    }

    pub(super) fn at(file: &str, text: &str, span: Range<usize>, message: String) -> ScenarioError {
        let start = (0..=span.start.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let before = &text[..start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        ScenarioError { file: file.to_owned(), line, column, message, span }
    }
}

/// Why a scenario could not be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The session.
    #[error(transparent)]
    Session(#[from] HarnessError),
    /// A file the scenario begins with cannot be written.
    #[error("{}: cannot write a file of the scenario: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl RunError {
    /// Stable code for tools and docs.
    pub fn code(&self) -> &'static str {
        match self {
            RunError::Scenario(error) => error.code(),
            RunError::Session(error) => error.code(),
            RunError::File { .. } => "scenario-file",
        }
    }
}
