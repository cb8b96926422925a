//! What `modgate compare` finds over scenarios whose differences are known from the comparison of hosts: those, and no
//! others. The first host is the native one.

use std::path::{Path, PathBuf};

use crate::fixture::Room;
use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods-fixtures").canonicalize().unwrap()
}

/// A host's verdict and the names of its differences, as one text.
fn told(column: &Value) -> String {
    let differences = column["differences"].as_array().unwrap();
    let mut kinds: Vec<&str> = differences.iter().filter_map(|one| one["kind"].as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    format!("{}: {}", column["verdict"].as_str().unwrap(), kinds.join(", "))
}

#[track_caller]
fn finds(arguments: &[&str], expected: &[&str]) {
    let ran = Room::new().run(&[&["compare", "--json"], arguments].concat());
    let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran}"));
    let columns: Vec<String> = document["columns"].as_array().unwrap()[1..].iter().map(told).collect();
    assert_eq!(columns, expected, "{arguments:?}");
}

/// Case, Claude Code, the DeepSeek bridge.
const CASES: &[(&str, &str, &str)] = &[
    ("pass", "same: ", "same: "),
    // Both refuse a rewrite that the other applies; permission is decided on what was passed down there.
    ("rewrite", "unsafe: executed≠recorded, hook skipped, other file, permission saw other arguments", "same: "),
    // Denied as asked; there B is what the rules are asked about.
    (
        "deny-rule-on-asked",
        "unsafe: executed≠recorded, other decision, other file, permission saw other arguments",
        "same: ",
    ),
    (
        "allow-rule-on-passed",
        "unsafe: executed≠recorded, other decision, other file, permission saw other arguments",
        "same: ",
    ),
    ("reroute", "same: ", "same: "),
    // One recorded call, two runs; elsewhere the first result is given again.
    ("repeat", "unsafe: other file, ran twice", "same: "),
    ("repeat-changed", "unsafe: executed≠recorded, other file, permission saw other arguments, ran twice", "same: "),
    ("deny-before", "same: ", "same: "),
    ("deny-after", "same: ", "same: "),
    ("throw-before", "same: ", "same: "),
    ("catch-denies", "same: ", "same: "),
    // A mod's allow lifts a rule's deny there; here a deny stands, and the bridge never asks.
    ("check-lifts-deny", "unsafe: other decision, other execution, other file", "differs: event never raised"),
    // An ask is lifted here as well.
    ("check-allows", "same: ", "differs: event never raised, other decision, other execution, other file"),
    ("append-answer", "same: ", "differs: event never raised, other answer"),
    ("prompt-context", "same: ", "same: "),
    ("prompt-rewritten", "same: ", "same: "),
    // There a mod cannot mark a result as failed.
    ("result-error-shaped", "differs: other result", "same: "),
    ("result-misshapen", "same: ", "same: "),
    ("command-registered", "same: ", "same: "),
];

#[test]
fn the_planted_differences_and_no_others() {
    for (case, claude, dsh) in CASES {
        let folder = fixtures().join("measure").join(case);
        let (module, scenario) = (folder.join("mod"), folder.join("scenario.toml"));
        let (module, scenario) = (module.to_string_lossy(), scenario.to_string_lossy());
        finds(&[&module, "--scenario", &scenario, "--hosts", "native,claude-code,dsh"], &[claude, dsh]);
    }
}

/// Mods of the suites in scenarios made from their hooks, under the bridge.
const SUITES: &[(&str, &str)] = &[
    ("answer-shapes", "same: "),
    ("chain-order", "same: "),
    ("matchers", "same: "),
    ("next-calls", "same: "),
    ("tool-results", "same: "),
    ("prompt-submit", "same: "),
    ("state-atoms", "same: "),
    ("prompt-parts", "differs: event never raised"),
    ("session-append", "differs: event never raised"),
    ("turn-step", "differs: event never raised"),
    ("turn-session", "differs: event never raised"),
    ("classic-events", "cannot-run: "),
];

#[test]
fn mods_of_the_suites_in_made_scenarios() {
    for (suite, expected) in SUITES {
        let folder = fixtures().join("suites").join(suite);
        finds(&[&folder.to_string_lossy(), "--hosts", "native,dsh"], &[expected]);
    }
}
