use std::path::Path;

use indexmap::IndexMap;
use serde_json::Value;

use crate::record::{Row, ToolResultRow, TurnEndRow, kind};

use super::expect::{Expect, ExpectedFile, ExpectedResult, ExpectedRow};
use super::scenario::Scenario;

/// Something that was expected and did not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: expected {expected}, found {found}")]
pub struct Mismatch {
    /// What it is about.
    pub what: String,
    /// What was expected.
    pub expected: String,
    /// What happened.
    pub found: String,
}

/// Compares record and working directory with what the scenario expects.
pub fn check(scenario: &Scenario, rows: &[Row], workdir: &Path) -> Vec<Mismatch> {
    let expect = &scenario.expect;
    let mut checker = Checker { found: Vec::new() };
    checker.executions(expect, rows);
    checker.turns(expect, rows);
    checker.reports(expect, rows);
    for (path, file) in &expect.files {
        checker.file(path, file, workdir);
    }
    for row in &expect.rows {
        checker.row(row, rows);
    }
    for result in &expect.results {
        checker.result(result, rows);
    }
    checker.found
}

struct Checker {
    found: Vec<Mismatch>,
}

impl Checker {
    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: impl Into<String>, expected: &T, found: &T) {
        if expected != found {
            self.add(what, format!("{expected:?}"), format!("{found:?}"));
        }
    }

    fn add(&mut self, what: impl Into<String>, expected: impl Into<String>, found: impl Into<String>) {
        self.found.push(Mismatch { what: what.into(), expected: expected.into(), found: found.into() });
    }

    fn executions(&mut self, expect: &Expect, rows: &[Row]) {
        let results = rows.iter().filter(|row| row.kind == kind::TOOL_RESULT).filter_map(Row::parse::<ToolResultRow>);
        let executed: Vec<Value> = results.flat_map(|result| result.executed).collect();
        let tools: Vec<String> = executed.iter().filter_map(|one| one["tool"].as_str().map(str::to_owned)).collect();
        let commands: Vec<String> = executed
            .iter()
            .filter(|one| one["tool"] == "Bash")
            .filter_map(|one| one["input"]["command"].as_str().map(str::to_owned))
            .collect();
        if let Some(expected) = &expect.commands {
            self.same("commands that ran", expected, &commands);
        }
        if let Some(expected) = &expect.tools {
            self.same("tools that ran", expected, &tools);
        }
    }

    fn turns(&mut self, expect: &Expect, rows: &[Row]) {
        let Some(expected) = &expect.turns else { return };
        let ends = rows.iter().filter(|row| row.kind == kind::TURN_END).filter_map(Row::parse::<TurnEndRow>);
        let reasons: Vec<String> = ends.filter(|end| end.agent_id.is_none()).map(|end| end.reason).collect();
        self.same("how the turns ended", expected, &reasons);
    }

    fn reports(&mut self, expect: &Expect, rows: &[Row]) {
        let Some(expected) = &expect.reports else { return };
        let mut counts: IndexMap<&str, usize> = IndexMap::new();
        let codes = rows.iter().filter(|row| row.kind == kind::MOD_REPORT).filter_map(|row| row.text_at("code"));
        for code in codes {
            *counts.entry(code).or_default() += 1;
            *counts.entry("total").or_default() += 1;
        }
        for (code, expected) in expected {
            let found = counts.get(code.as_str()).copied().unwrap_or_default();
            self.same(format!("reports `{code}`"), expected, &found);
        }
    }

    fn file(&mut self, path: &str, expected: &ExpectedFile, workdir: &Path) {
        let what = format!("file {path}");
        let found = std::fs::read(workdir.join(path)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).ok();
        match (expected, &found) {
            (ExpectedFile::Condition(condition), Some(_)) if condition.absent => self.add(what, "no file", "a file"),
            (ExpectedFile::Condition(condition), None) if condition.absent => {}
            (_, None) => self.add(what, "a file", "no file"),
            (ExpectedFile::Text(expected), Some(found)) => self.same(what, expected, found),
            (ExpectedFile::Condition(condition), Some(found)) => {
                if let Some(part) = condition.contains.as_ref().filter(|part| !found.contains(*part)) {
                    self.add(what, format!("text with {part:?}"), format!("{found:?}"));
                }
            }
        }
    }

    fn row(&mut self, expected: &ExpectedRow, rows: &[Row]) {
        let fits = |row: &&Row| {
            row.kind == expected.kind
                && expected.by.as_ref().is_none_or(|by| *by == row.by.to_string())
                && expected.data.as_ref().is_none_or(|data| holds(&row.data, data))
        };
        let found = rows.iter().filter(fits).count();
        let enough = expected.count.map_or(found > 0, |count| count == found);
        if !enough {
            let data = expected.data.as_ref().map(|data| format!(" with {data}")).unwrap_or_default();
            let wanted = expected.count.map_or("at least 1".to_owned(), |count| count.to_string());
            self.add(format!("rows `{}`{data}", expected.kind), wanted, found.to_string());
        }
    }

    fn result(&mut self, expected: &ExpectedResult, rows: &[Row]) {
        let what = format!("result of {}", expected.call);
        let results = rows.iter().filter(|row| row.kind == kind::TOOL_RESULT).filter_map(Row::parse::<ToolResultRow>);
        let Some(found) = results.into_iter().find(|result| result.call_id == expected.call) else {
            return self.add(what, "a result", "none");
        };
        if let Some(is_error) = expected.is_error {
            self.same(format!("{what}, isError"), &is_error, &found.is_error);
        }
        if let Some(runs) = expected.runs {
            self.same(format!("{what}, runs"), &runs, &found.executed.len());
        }
        if let Some(part) = expected.contains.as_ref().filter(|part| !found.text.contains(*part)) {
            self.add(what, format!("text with {part:?}"), format!("{:?}", found.text));
        }
    }
}

/// Whether a value has everything another one has: fields of objects by name, everything else exactly.
fn holds(value: &Value, part: &Value) -> bool {
    match (value, part) {
        (Value::Object(value), Value::Object(part)) => {
            part.iter().all(|(key, part)| value.get(key).is_some_and(|value| holds(value, part)))
        }
        (value, part) => value == part,
    }
}
