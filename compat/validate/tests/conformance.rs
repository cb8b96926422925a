//! Every folder in `mods-fixtures/validate` against its `expected.json`, which holds what the real validator said; and
//! a snapshot of each diagnostic with its excerpt, to see that it points at the token that is at fault.

#![allow(clippy::disallowed_methods, reason = "tests and examples read folders")]

#[path = "support/peer.rs"]
mod peer;

use modgate_validate::report::{Facts, Source};
use modgate_validate::{Options, Report, Verdict, validate};
use peer::{Folder, hooks, names, nouns, uses};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods-fixtures/validate")
}

fn cases() -> Vec<(String, PathBuf)> {
    let mut cases: Vec<_> = std::fs::read_dir(fixtures())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path))
        .collect();
    cases.sort();
    assert!(cases.len() > 100, "the fixtures are missing");
    cases
}

#[test]
fn facts_are_those_of_the_real_validator() {
    let mut wrong = String::new();
    for (name, path) in cases() {
        let expected = std::fs::read_to_string(path.join("expected.json")).unwrap();
        let expected: Map<String, Value> = serde_json::from_str(&expected).unwrap();
        let report = validate(&Folder(path), &Options::default());
        for (key, expected) in &expected {
            let Some(actual) = fact(&report, key) else { continue };
            let absent = expected.is_null() && report.facts.is_none();
            if actual != *expected && !absent {
                writeln!(wrong, "{name}: {key}\n  expected {expected}\n  actual   {actual}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What `expected.json` calls by that name; `refusedIn` is where the real validator lists a refusal, and we name the
/// file that is at fault instead.
fn fact(report: &Report, key: &str) -> Option<Value> {
    let facts = report.facts.as_ref();
    let of = |read: fn(&Facts) -> Value| Some(facts.map_or(Value::Null, read));
    match key {
        "verdict" => Some(json!(if report.verdict == Verdict::Accept { "accept" } else { "refuse" })),
        "refusedIn" => None,
        "uses" => of(uses),
        "hooks" => of(hooks),
        "nextTo" => of(|facts| names(&facts.next_to)),
        "telemetry" => of(|facts| names(&facts.telemetry)),
        "nouns" => of(nouns),
        other => panic!("{other} is not compared"),
    }
}

#[test]
fn diagnostics_point_at_the_token() {
    let mut all = String::new();
    for (name, path) in cases() {
        let report = validate(&Folder(path), &Options::default());
        for found in &report.diagnostics {
            let severity = format!("{:?}", found.severity).to_lowercase();
            let place = found.span.map_or_else(String::new, |span| format!(":{}:{}", span.line, span.column));
            writeln!(all, "{name}: {severity} {}: {}{place}: {}", found.code, found.file, found.message).unwrap();
            if let Some(span) = found.span {
                excerpt(&mut all, &report.sources, &found.file, span);
            }
        }
    }
    insta::assert_snapshot!(all);
}

fn excerpt(all: &mut String, sources: &[Source], file: &str, span: modgate_validate::report::Span) {
    let source = sources.iter().find(|source| source.path == file).unwrap();
    let line = source.text.lines().nth(span.line as usize - 1).unwrap_or_default();
    let width = if span.end_line == span.line { span.end_column - span.column } else { 1 };
    let blank = " ".repeat(span.column as usize - 1);
    writeln!(all, "    {line}\n    {blank}{}", "^".repeat(width.max(1) as usize)).unwrap();
}
