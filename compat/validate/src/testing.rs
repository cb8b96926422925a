//! Fixtures for tests: several files in one text, with the expected findings marked under the tokens.
//!
//! `//- /path` begins a file. A line of `^^^ code` (in front of it `//`, if that helps) says that the line above has a
//! finding of that code under the carets; such lines are not part of the file. `hooks.json` and the manifest need not be
//! written where they do not matter.

use crate::{MemoryFiles, Options, validate};

/// Checks that the findings of this rule are those marked, and no others.
#[track_caller]
pub(crate) fn check(code: &str, fixture: &str) {
    check_with(code, fixture, &Options::default());
}

#[track_caller]
pub(crate) fn check_with(code: &str, fixture: &str, options: &Options) {
    assert!(crate::rules::rule(code).is_some(), "no rule {code}");
    let (files, mut expected) = read(fixture);
    let report = validate(&files, options);
    let mut actual: Vec<_> = report
        .diagnostics
        .iter()
        .filter(|found| found.code == code)
        .map(|found| {
            let span = found.span.unwrap_or_else(|| panic!("no position: {}", found.message));
            (found.file.clone(), span.line, span.column, span.end_column)
        })
        .collect();
    actual.sort();
    expected.retain(|(_, marked)| marked == code);
    let mut places: Vec<_> = expected.into_iter().map(|(place, _)| place).collect();
    places.sort();
    assert_eq!(
        actual,
        places,
        "all findings: {:#?}",
        report
            .diagnostics
            .iter()
            .map(|found| (
                found.code,
                &found.message,
                &found.file,
                found.span.map(|span| (span.line, span.column, span.end_column))
            ))
            .collect::<Vec<_>>()
    );
}

type Place = (String, u32, u32, u32);

pub(crate) fn read(fixture: &str) -> (MemoryFiles, Vec<(Place, String)>) {
    let mut files: Vec<(String, Vec<&str>)> = Vec::new();
    let mut marks = Vec::new();
    for line in fixture.lines() {
        if let Some(path) = line.strip_prefix("//- /") {
            files.push((path.to_owned(), Vec::new()));
            continue;
        }
        let Some((path, lines)) = files.last_mut() else { continue };
        match mark(line) {
            Some((from, upto, code)) => marks.push(((path.clone(), lines.len() as u32, from, upto), code)),
            None => lines.push(line),
        }
    }
    let mut memory = MemoryFiles::new();
    memory.text(
        ".claude-plugin/plugin.json",
        r#"{ "name": "probe", "version": "1.0.0", "description": "d", "author": { "name": "a" } }"#,
    );
    let module = files.iter().find(|(path, _)| path.starts_with("hooks/register."));
    if let Some((path, _)) = module {
        let name = path.trim_start_matches("hooks/");
        memory.text("hooks/hooks.json", format!(r#"{{ "modules": ["./{name}"] }}"#));
    }
    for (path, lines) in files {
        memory.text(path, lines.join("\n"));
    }
    (memory, marks)
}

fn mark(line: &str) -> Option<(u32, u32, String)> {
    let blank = line.strip_prefix("//").map_or(line.to_owned(), |rest| format!("  {rest}"));
    let rest = blank.trim_start();
    let from = blank.len() - rest.len();
    let carets = rest.len() - rest.trim_start_matches('^').len();
    let code = rest.trim_start_matches('^').trim();
    let is_code = !code.is_empty() && code.bytes().all(|c| c.is_ascii_lowercase() || c == b'-');
    (carets > 0 && is_code).then(|| (from as u32 + 1, (from + carets) as u32 + 1, code.to_owned()))
}
