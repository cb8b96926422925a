//! `modgate test --json`; `docs/test.md` describes it.

use modgate_compat::Report;
use modgate_compat::testing::{CaseResult, Problem};
use modgate_engine::Position;
use serde::Serialize;

use super::{Outcome, Totals};
use crate::wire::SCHEMA;

/// The document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document<'a> {
    schema: u32,
    modgate: &'static str,
    host: &'a str,
    success: bool,
    summary: Summary,
    mods: Vec<Mod<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    mods: usize,
    files: usize,
    tests: usize,
    passed: usize,
    failed: usize,
    broken: usize,
    stopped: usize,
    ms: f64,
}

#[derive(Serialize)]
struct Mod<'a> {
    target: &'a str,
    name: &'a str,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    path: &'a str,
    success: bool,
    stopped: bool,
    ms: f64,
    problem: Option<Trouble<'a>>,
    tests: Vec<Test<'a>>,
}

#[derive(Serialize)]
struct Test<'a> {
    title: &'a str,
    success: bool,
    ms: f64,
    problems: Vec<Trouble<'a>>,
    reports: Vec<Told<'a>>,
}

/// Why a test or a file did not pass.
#[derive(Serialize)]
struct Trouble<'a> {
    code: &'a str,
    message: &'a str,
    at: Option<Place<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stack: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    received: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
}

/// What the chain reported while the test ran.
#[derive(Serialize)]
struct Told<'a> {
    code: &'a str,
    plugin: &'a str,
    event: Option<&'a str>,
    message: &'a str,
    at: Option<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

impl<'a> Document<'a> {
    /// Everything that is known, under the rules of `host`; `ms` for the whole run.
    pub(crate) fn new(host: &'a str, outcomes: &'a [Outcome], ms: f64) -> Document<'a> {
        let totals = Totals::of(outcomes);
        let Totals { mods, files, broken, stopped, passed, failed } = totals;
        let summary = Summary { mods, files, tests: passed + failed, passed, failed, broken, stopped, ms: rounded(ms) };
        let mut document = Document {
            schema: SCHEMA,
            modgate: env!("CARGO_PKG_VERSION"),
            host,
            success: totals.is_success(),
            summary,
            mods: Vec::new(),
        };
        for outcome in outcomes {
            match document.mods.last_mut() {
                Some(last) if last.target == outcome.target => last.files.push(file(outcome)),
                _ => {
                    document.mods.push(Mod { target: &outcome.target, name: &outcome.name, files: vec![file(outcome)] })
                }
            }
        }
        document
    }
}

/// Microseconds are enough.
fn rounded(ms: f64) -> f64 {
    (ms * 1000.0).round() / 1000.0
}

fn file(outcome: &Outcome) -> File<'_> {
    let result = &outcome.result;
    File {
        path: &result.path,
        success: result.passed(),
        stopped: result.is_stopped,
        ms: rounded(result.ms),
        problem: result.problem.as_ref().map(trouble),
        tests: result.cases.iter().map(test).collect(),
    }
}

fn test(case: &CaseResult) -> Test<'_> {
    Test {
        title: &case.title,
        success: case.problems.is_empty(),
        ms: rounded(case.ms),
        problems: case.problems.iter().map(trouble).collect(),
        reports: case.reports.iter().map(told).collect(),
    }
}

fn trouble(problem: &Problem) -> Trouble<'_> {
    let compared = problem.comparison.as_ref();
    Trouble {
        code: &problem.code,
        message: &problem.message,
        at: problem.position.as_ref().map(place),
        stack: problem.stack.as_deref(),
        note: compared.and_then(|compared| compared.note.as_deref()),
        call: compared.map(|compared| compared.call.as_str()),
        expected: compared.and_then(|compared| compared.expected.as_deref()),
        received: compared.map(|compared| compared.received.as_str()),
        diff: compared.and_then(|compared| compared.diff.as_deref()),
    }
}

fn told(report: &Report) -> Told<'_> {
    Told {
        code: report.code,
        plugin: &report.plugin,
        event: report.event.as_deref(),
        message: &report.message,
        at: report.position.as_ref().map(place),
    }
}

fn place(position: &Position) -> Place<'_> {
    Place { file: &position.file, line: position.line, column: position.column }
}
