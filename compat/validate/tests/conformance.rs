//! Every folder in `mods-fixtures/validate` against its `expected.json`, which holds what the real validator said; and
//! a snapshot of each diagnostic with its excerpt, to see that it points at the token that is at fault.

use modgate_validate::report::{Facts, Literal, Matcher, Named, Source};
use modgate_validate::{Entry, Files, Options, Report, Verdict, validate};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A folder on disk, read as the program would.
struct Folder(PathBuf);

impl Files for Folder {
    fn read(&self, path: &str) -> Option<Entry> {
        let path = self.0.join(path);
        let meta = std::fs::metadata(&path).ok()?;
        if meta.is_dir() {
            return Some(Entry::NotAFile("directory"));
        }
        let real = path.canonicalize().ok()?;
        if !real.starts_with(self.0.canonicalize().ok()?) {
            return Some(Entry::Outside);
        }
        match String::from_utf8(std::fs::read(real).ok()?) {
            Ok(text) => Some(Entry::Text(text)),
            Err(error) => Some(Entry::Bytes(error.into_bytes())),
        }
    }
}

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

fn names(list: &[Named]) -> Value {
    list.iter().map(|named| named.name.as_str()).collect()
}

fn uses(facts: &Facts) -> Value {
    let uses = &facts.uses;
    let state = |keys: &[modgate_validate::report::StateKey]| -> Value {
        keys.iter().map(|state| json!({ "plugin": state.plugin, "key": state.key })).collect()
    };
    json!({
        "events": names(&uses.events),
        "calls": uses.calls.iter().map(|call| call.name.as_str()).collect::<Value>(),
        "env": { "reads": names(&uses.env.reads), "writes": names(&uses.env.writes) },
        "state": { "reads": state(&uses.state.reads), "writes": state(&uses.state.writes) },
        "hosts": { "named": names(&uses.hosts.named), "unread": names(&uses.hosts.unread) },
    })
}

fn hooks(facts: &Facts) -> Value {
    let hook = |hook: &modgate_validate::report::HookFact| {
        json!({
            "pattern": hook.pattern,
            "matcher": hook.matcher.as_ref().map_or(Value::Null, matcher),
            "defaultKeys": hook.default_keys,
            "isGate": hook.is_gate,
            "hasCatch": hook.has_catch,
        })
    };
    facts.hooks.iter().map(hook).collect()
}

fn matcher(of: &Matcher) -> Value {
    match of {
        Matcher::Is(Literal::Null) => json!({ "is": null }),
        Matcher::Is(Literal::Bool(value)) => json!({ "is": value }),
        Matcher::Is(Literal::Number(number)) if number.fract() == 0.0 => json!({ "is": *number as i64 }),
        Matcher::Is(Literal::Number(number)) => json!({ "is": number }),
        Matcher::Is(Literal::String(text)) => json!({ "is": text }),
        Matcher::AnyOf(any) => json!({ "anyOf": any.iter().map(matcher).collect::<Value>() }),
        Matcher::Has(fields) => {
            let fields: Map<String, Value> = fields.iter().map(|(key, of)| (key.clone(), matcher(of))).collect();
            json!({ "has": fields })
        }
        Matcher::Regex { source, flags } => json!({ "regex": source, "flags": flags }),
        Matcher::Unread => Value::Null,
    }
}

fn nouns(facts: &Facts) -> Value {
    facts.nouns.as_ref().map_or(Value::Null, |nouns| {
        json!({
            "adds": names(&nouns.adds),
            "addsUnlessThere": names(&nouns.adds_unless_there),
            "withholds": names(&nouns.withholds),
            "replaces": names(&nouns.replaces),
        })
    })
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
