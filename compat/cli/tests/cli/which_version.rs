//! The page "Which version counts?": what it shows is what the program prints.

use std::path::{Path, PathBuf};

use crate::fixture::{Ran, Room};
use serde_json::Value;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/which-version-counts.md");

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods-fixtures/measure/rewrite").canonicalize().unwrap()
}

/// A room with the mod and the scenario of the page.
fn room() -> Room {
    let room = Room::new();
    for file in ["mod/.claude-plugin/plugin.json", "mod/hooks/hooks.json", "mod/hooks/register.ts", "scenario.toml"] {
        room.file(file, std::fs::read_to_string(fixture().join(file)).unwrap());
    }
    let hash = room.run(&["hash", "mod"]).out.split_whitespace().next().unwrap().to_owned();
    let grant = format!("[[grant]]\nmod = \"rewrite\"\nhash = \"{hash}\"\nrewrite = \"amend\"\n");
    room.file("grants.toml", grant);
    room
}

const SHOWN: [&str; 5] = ["tool/call", "permission/decision", "tool/amend", "mod/report", "tool/result"];

/// The rows of the call, without what is another one each time.
fn rows(ran: &Ran) -> String {
    let rows = ran.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let rows = rows.filter(|row| row["kind"].as_str().is_some_and(|kind| SHOWN.contains(&kind)));
    let lines = rows.map(|row| {
        let mut data = row["data"].clone();
        for field in
            ["turnId", "step", "revision", "result", "verdict", "source", "reason", "attempt", "refers", "details"]
        {
            data.as_object_mut().unwrap().remove(field);
        }
        format!("{:19} {:11} {data}", row["kind"].as_str().unwrap(), row["by"].as_str().unwrap())
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn blocks() -> Vec<(&'static str, String)> {
    let room = room();
    let run = |more: &[&str]| {
        let ran = room.run(&[&["run", "mod", "--scenario", "scenario.toml", "--json"], more].concat());
        assert_eq!(ran.code, 0, "{ran}");
        rows(&ran)
    };
    let compared = room.run(&["compare", "mod", "--scenario", "scenario.toml"]);
    room.run(&["run", "mod", "--scenario", "scenario.toml", "--grants", "grants.toml", "--log", "s.jsonl"]);
    let told = room.run(&["log", "history", "s.jsonl"]);
    vec![
        ("compare", compared.out.trim_end().to_owned()),
        ("native", run(&["--host", "native"])),
        ("claude-code", run(&["--host", "claude-code"])),
        ("dsh", run(&["--host", "dsh"])),
        ("codex", run(&["--host", "codex"])),
        ("amend", run(&["--grants", "grants.toml"])),
        ("history", told.out.trim_end().to_owned()),
    ]
}

/// `WHICH_VERSION=write` writes it; without, the page has to say the same already.
#[test]
fn the_page_shows_the_real_records() {
    let before = std::fs::read_to_string(PAGE).unwrap();
    let mut page = before.clone();
    for (name, text) in blocks() {
        let (start, end) = (format!("<!-- {name} -->\n"), "\n<!-- end -->");
        let from = page.find(&start).unwrap_or_else(|| panic!("the page has no block {name}")) + start.len();
        let to = from + page[from..].find(end).unwrap();
        page.replace_range(from..to, &format!("```\n{text}\n```"));
    }
    if std::env::var_os("WHICH_VERSION").is_some_and(|value| value == "write") {
        std::fs::write(PAGE, &page).unwrap();
        return;
    }
    assert!(page == before, "WHICH_VERSION=write cargo test -p modgate --test cli writes the page anew");
}

/// With a grant for corrections the native host runs B as well, and nothing is unsafe about it: the others are compared
/// with a record that says so.
#[test]
fn a_granted_correction_is_compared_as_what_it_is() {
    let room = room();
    let ran = room.run(&["compare", "mod", "--scenario", "scenario.toml", "--grants", "grants.toml", "--json"]);
    let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran}"));
    let columns = document["columns"].as_array().unwrap();
    let kinds = |column: &Value| -> Vec<String> {
        let differences = column["differences"].as_array().unwrap();
        differences
            .iter()
            .map(|one| format!("{} {}", one["side"].as_str().unwrap(), one["kind"].as_str().unwrap()))
            .collect()
    };
    assert_eq!((columns[0]["verdict"].as_str(), kinds(&columns[0])), (Some("same"), vec![]), "{ran}");
    // B runs under both; only there nobody recorded it.
    let claude = &columns[1];
    assert_eq!(claude["verdict"], "unsafe");
    assert_eq!(kinds(claude), ["seen executed≠recorded", "seen permission saw other arguments"], "{ran}");
    let call = document["lines"].as_array().unwrap().iter().find(|line| line["line"] == "call").unwrap();
    let native = &call["cells"][0]["seen"];
    let command = |action: &Value| action["input"]["command"].as_str().unwrap_or_default().to_owned();
    assert_eq!(command(&native["asked"]), "./note A");
    assert_eq!(command(&native["correction"]), "./note B");
    assert_eq!(command(&native["history"]), "./note A", "the model reads its own call");
    assert_eq!(command(&native["screen"]), "./note B");
}
