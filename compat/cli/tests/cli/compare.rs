//! `modgate compare`: verdicts, differences with their reason and place, and made scenarios.

use crate::fixture::{Ran, Room};
use serde_json::Value;

const REWRITES: &str = "export function register(on) {\n  on('tool.call', { tool: 'Bash' }, async ($, e, next) =>\n    next({ ...e, command: './note B' }))\n}\n";

const SCENARIO: &str = "name = \"one call\"
[permissions]
allow = [\"Bash(./note *)\"]
[files.note]
executable = true
content = \"#!/bin/sh\\necho \\\"$1\\\" >> ran.log\\necho \\\"ran $1\\\"\\n\"
[[prompt]]
text = \"go\"
[[prompt.step]]
[[prompt.step.call]]
tool = \"Bash\"
id = \"c0\"
input = { command = \"./note A\" }
[[prompt.step]]
text = \"done\"
";

fn compared(module: &str, arguments: &[&str]) -> Ran {
    let room = Room::with_mod(module);
    room.file("scenario.toml", SCENARIO);
    room.run(&[&["compare", "guard"], arguments].concat())
}

fn kinds(column: &Value) -> Vec<&str> {
    let differences = column["differences"].as_array().unwrap();
    differences.iter().filter_map(|one| one["kind"].as_str()).collect()
}

#[test]
fn a_rewrite_parts_the_hosts() {
    let ran = compared(REWRITES, &["--scenario", "scenario.toml", "--json"]);
    let document: Value = ran.json();
    assert_eq!(ran.code, 1, "{ran}");
    let columns = document["columns"].as_array().unwrap();
    let verdicts: Vec<_> = columns.iter().map(|one| one["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["same", "unsafe", "same", "unsafe"]);
    let differing = ["executed≠recorded", "permission saw other arguments", "hook skipped", "other file"];
    assert_eq!(kinds(&columns[0]), ["hook skipped"]);
    assert_eq!(kinds(&columns[1]), differing);
    assert_eq!(kinds(&columns[3]), differing);
    let skipped = &columns[0]["differences"][0];
    assert!(skipped["position"].as_str().unwrap().ends_with("register.js:2:3"), "{skipped}");
    assert_eq!((&skipped["call"], &skipped["severity"]), (&"c0".into(), &"differs".into()));
    let call = document["lines"].as_array().unwrap().iter().find(|line| line["line"] == "call").unwrap();
    let executed: Vec<_> = call["cells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| cell["seen"]["executed"][0]["input"]["command"].clone())
        .collect();
    assert_eq!(executed, ["./note A", "./note B", "./note A", "./note B"]);
}

#[test]
fn hosts_that_agree_print_one_word() {
    let passes = "export function register(on) {\n  on('tool.call', async ($, e, next) => next(e))\n}\n";
    let ran = compared(passes, &["--scenario", "scenario.toml"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "same\n"), "{ran}");
    let refused = compared(REWRITES, &["--scenario", "scenario.toml", "--hosts", "native,dsh"]);
    assert_eq!((refused.code, refused.out.as_str()), (0, "same\n"), "both refuse it; {refused}");
}

#[test]
fn the_planted_differences_are_named() {
    let twice =
        "export function register(on) { on('tool.call', async ($, e, next) => { await next(e); return next(e) }) }";
    let late = "export function register(on) { on('session.append', async ($, e, next) => next(e)) }";
    let member = "export function register(on) { on('turn.complete', async ($, e, next) => { try { await $.settings.read() } catch {} return next(e) }) }";
    for (module, host, expected) in [
        (twice, "claude-code", vec!["ran twice", "other file"]),
        (late, "dsh", vec!["event never raised"]),
        (member, "dsh", vec!["member not served"]),
    ] {
        let hosts = format!("native,{host}");
        let ran = compared(module, &["--scenario", "scenario.toml", "--json", "--hosts", &hosts]);
        let document: Value = ran.json();
        assert_eq!((ran.code, kinds(&document["columns"][1])), (1, expected), "{module}: {ran}");
    }
}

#[test]
fn a_host_that_loads_none_of_the_mods_cannot_run_it() {
    let classic = "export function register(on) { on('classic.Stop', async ($, e, next) => next(e)) }";
    let ran = compared(classic, &["--scenario", "scenario.toml", "--hosts", "claude-code,dsh"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.out.contains("dsh@0.2.1-alpha.1    cannot run"), "{ran}");
    assert!(ran.out.contains("knows no event classic.Stop"), "{ran}");
}

#[test]
fn without_a_scenario_one_is_made_and_nothing_is_run_by_a_shell() {
    let room = Room::with_mod(
        "export function register(on) {\n  on('tool.call', { tool: 'Bash', command: /^touch made/ }, async ($, e, next) => next({ ...e, command: 'touch other' }))\n}\n",
    );
    let ran = room.run(&["compare", "guard", "--json", "--hosts", "native,claude-code"]);
    let document: Value = ran.json();
    assert!(document["derived"].as_str().unwrap().contains("1 call, 1 prompt"), "{ran}");
    assert_eq!(kinds(&document["columns"][1]), ["executed≠recorded", "permission saw other arguments", "hook skipped"]);
    let text = room.run(&["compare", "guard", "--hosts", "native,claude-code"]);
    assert!(text.err.starts_with("no scenario was given"), "{text}");
}

#[test]
fn every_host_works_in_its_own_copy() {
    let room = Room::with_mod(REWRITES);
    room.file("scenario.toml", SCENARIO).file("work/ran.log", "before\n");
    let ran = room.run(&["compare", "guard", "--scenario", "scenario.toml", "--workdir", "work", "--json"]);
    let document: Value = ran.json();
    let file =
        document["columns"][1]["differences"].as_array().unwrap().iter().find(|one| one["of"] == "ran.log").unwrap();
    assert_eq!((&file["expected"], &file["seen"]), (&"\"before\\nA\\n\"".into(), &"\"before\\nB\\n\"".into()));
    assert_eq!(std::fs::read_to_string(room.at("work/ran.log")).unwrap(), "before\n");
}

#[test]
fn a_page_is_written() {
    let room = Room::with_mod(REWRITES);
    room.file("scenario.toml", SCENARIO);
    let ran = room.run(&["compare", "guard", "--scenario", "scenario.toml", "--html", "out.html"]);
    assert_eq!(ran.code, 1, "{ran}");
    let page = std::fs::read_to_string(room.at("out.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"), "{}", &page[..60]);
    assert!(page.contains("./note B"));
}

#[test]
fn wrong_use_is_told_apart() {
    let host = compared(REWRITES, &["--hosts", "nobody"]);
    assert_eq!(host.code, 2, "{host}");
    let file = compared(REWRITES, &["--scenario", "missing.toml"]);
    assert_eq!(file.code, 2, "{file}");
    assert!(file.err.contains("scenario-unreadable"), "{file}");
    let broken = compared("export function register(on) { eval('1') ", &["--scenario", "scenario.toml"]);
    assert_eq!(broken.code, 2, "{broken}");
}
