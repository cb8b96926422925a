//! `modgate test --junit`: one suite a test file.

use std::time::Duration;

use modgate_compat::testing::{CaseResult, Problem};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::Outcome;

/// The document.
///
/// # Errors
/// The writer's own; text that XML cannot hold is left out of it.
pub(crate) fn document(outcomes: &[Outcome], ms: f64) -> Result<String, quick_junit::SerializeError> {
    let mut report = Report::new("modgate");
    report.set_time(duration(ms));
    report.add_test_suites(outcomes.iter().map(suite));
    report.to_string()
}

fn duration(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default()
}

fn suite(outcome: &Outcome) -> TestSuite {
    let result = &outcome.result;
    let name = format!("{}/{}", outcome.target.trim_end_matches('/'), result.path);
    let mut suite = TestSuite::new(name.clone());
    suite.set_time(duration(result.ms));
    suite.add_test_cases(result.cases.iter().map(|one| case(&name, one)));
    if let Some(problem) = &result.problem {
        let mut whole = TestCase::new("(the file)", failed(NonSuccessKind::Error, std::slice::from_ref(problem)));
        whole.set_classname(name.clone());
        suite.add_test_case(whole);
    }
    if result.is_stopped {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("stopped").set_message("the run was ended before the tests of this file were over");
        let mut whole = TestCase::new("(the rest of the file)", status);
        whole.set_classname(name);
        suite.add_test_case(whole);
    }
    suite
}

fn case(suite: &str, case: &CaseResult) -> TestCase {
    let status = match case.problems.as_slice() {
        [] => TestCaseStatus::success(),
        problems => failed(NonSuccessKind::Failure, problems),
    };
    let mut written = TestCase::new(case.title.as_str(), status);
    written.set_classname(suite).set_time(duration(case.ms));
    if !case.problems.is_empty() {
        let told =
            case.reports.iter().map(|report| format!("{}: {}: {}\n", report.code, report.plugin, report.message));
        written.set_system_err(told.collect::<String>());
    }
    written
}

fn failed(kind: NonSuccessKind, problems: &[Problem]) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    if let Some(first) = problems.first() {
        status.set_type(first.code.as_str()).set_message(first.message.lines().next().unwrap_or_default());
    }
    let text = problems.iter().map(|problem| {
        let place = problem.position.as_ref().map(|position| format!("{position}: ")).unwrap_or_default();
        format!("{place}{}\n", problem.message)
    });
    status.set_description(text.collect::<String>());
    status
}
