//! Tests of mods: which there are, and how what came of them is shown.

pub(crate) mod find;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod text;
pub(crate) mod watch;

use modgate_compat::testing::FileResult;

/// What came of one test file.
pub(crate) struct Outcome {
    /// The mod's folder, as a person would write it.
    pub(crate) target: String,
    /// The mod's name.
    pub(crate) name: String,
    /// What came of the file.
    pub(crate) result: FileResult,
}

/// Sums over test files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Mods.
    pub(crate) mods: usize,
    /// Files.
    pub(crate) files: usize,
    /// Files that failed as a whole.
    pub(crate) broken: usize,
    /// Files that did not come to their end.
    pub(crate) stopped: usize,
    /// Tests that passed.
    pub(crate) passed: usize,
    /// Tests that did not.
    pub(crate) failed: usize,
}

impl Totals {
    /// Of everything that is known.
    pub(crate) fn of(outcomes: &[Outcome]) -> Totals {
        let mut totals = Totals { files: outcomes.len(), ..Totals::default() };
        for (index, outcome) in outcomes.iter().enumerate() {
            totals.mods += usize::from(index == 0 || outcomes[index - 1].target != outcome.target);
            totals.broken += usize::from(outcome.result.problem.is_some());
            totals.stopped += usize::from(outcome.result.is_stopped);
            let failed = outcome.result.cases.iter().filter(|case| !case.problems.is_empty()).count();
            totals.failed += failed;
            totals.passed += outcome.result.cases.len() - failed;
        }
        totals
    }

    /// Did everything pass that was to run?
    pub(crate) fn is_success(&self) -> bool {
        self.failed + self.broken + self.stopped == 0
    }
}

/// A duration as a person reads it.
pub(crate) fn duration(ms: f64) -> String {
    match ms {
        ms if ms < 9.95 => format!("{ms:.1} ms"),
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}
