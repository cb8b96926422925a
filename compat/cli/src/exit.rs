//! How the program ends.

/// What the exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// It did what was asked, and there is nothing to complain about.
    Fine = 0,
    /// It did what was asked and found something: a mod that would not load, a new version that can do more.
    Findings = 1,
    /// It was used wrongly, or failed itself.
    Failed = 2,
}

impl Exit {
    /// The more serious of two.
    pub(crate) fn and(self, other: Exit) -> Exit {
        self.max(other)
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> std::process::ExitCode {
        std::process::ExitCode::from(exit as u8)
    }
}
