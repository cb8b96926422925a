//! What a test file has left rejected without anybody to handle it.
//!
//! As in Claude Code 2.1.332, whoever rejects has until the end of the file: a later test may still handle it.

use std::sync::Arc;

use parking_lot::Mutex;

use super::case::Problem;
use crate::report::{Collected, Rejection, Report, ReportSink, codes};

/// The rejections of a file.
#[derive(Default)]
pub(super) struct Rejections(Mutex<State>);

#[derive(Default)]
struct State {
    /// The test that runs.
    during: Option<String>,
    left: Vec<(Rejection, Option<String>)>,
}

impl Rejections {
    /// The test that runs from now on.
    pub(super) fn during(&self, title: Option<&str>) {
        self.0.lock().during = title.map(str::to_string);
    }

    /// Those that nobody handled, in the order in which they came.
    pub(super) fn take(&self) -> Vec<Problem> {
        std::mem::take(&mut self.0.lock().left).into_iter().map(|(left, during)| problem(left, during)).collect()
    }
}

fn problem(left: Rejection, during: Option<String>) -> Problem {
    let thrown = Problem::thrown(codes::UNHANDLED, &left.thrown);
    let by = if left.plugin == super::gate::TEST { String::new() } else { format!("{}: ", left.plugin) };
    let during = during.map_or_else(|| " (outside of the tests)".into(), |title| format!(" (during: {title})"));
    Problem { message: format!("{by}{}{during}", thrown.message), ..thrown }
}

/// Where the reports of one test go, or those of its file.
pub(super) struct TestReports {
    pub(super) collected: Collected,
    pub(super) rejections: Arc<Rejections>,
}

impl TestReports {
    pub(super) fn new(rejections: &Arc<Rejections>) -> Arc<TestReports> {
        Arc::new(TestReports { collected: Collected::default(), rejections: rejections.clone() })
    }
}

impl ReportSink for TestReports {
    fn report(&self, report: Report) {
        self.collected.report(report);
    }

    fn rejected(&self, rejection: Rejection) {
        let mut state = self.rejections.0.lock();
        let during = state.during.clone();
        state.left.push((rejection, during));
    }

    fn handled(&self, key: (u64, u32)) {
        self.rejections.0.lock().left.retain(|(left, _)| left.key != key);
    }
}
