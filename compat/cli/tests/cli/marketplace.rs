//! Marketplaces. Which are refused and why was seen on `claude plugin validate` 2.1.332.

use std::os::unix::fs::symlink;

use crate::fixture::Room;
use crate::wire::{Document, Report};

const FINE: &str = "export function register(on) {\n  on('session.start', async ($, e, next) => next(e))\n}\n";
const FILE: &str = ".claude-plugin/marketplace.json";

fn room(plugins: &str) -> Room {
    let room = Room::new();
    room.add_mod("plugins/a", "register.js", FINE).add_mod("plugins/b", "register.js", FINE);
    room.file(FILE, format!(r#"{{ "name": "mk", "owner": {{ "name": "Example" }}, {plugins} }}"#));
    room
}

fn validate(room: &Room) -> (Report, Vec<String>) {
    let mut document: Document = room.run(&["validate", "--json"]).json();
    let marketplace = document.reports.remove(0);
    assert_eq!((marketplace.kind.as_str(), marketplace.target.as_str()), ("marketplace", "."));
    assert_eq!(document.summary.marketplaces, 1);
    (marketplace, document.reports.into_iter().map(|report| report.target).collect())
}

/// Checks the codes found in a marketplace, each with the text it points at, and the mods that are checked with it.
#[track_caller]
fn check(room: &Room, expected: &[(&str, &str)], mods: &[&str]) {
    let (report, found) = validate(room);
    let text = std::fs::read_to_string(room.at(FILE)).unwrap();
    let at = |finding: &crate::wire::Finding| {
        finding.span.map(|span| text[span.start..span.end].to_owned()).unwrap_or_default()
    };
    let all: Vec<(&str, String)> =
        report.diagnostics.iter().map(|finding| (finding.code.as_str(), at(finding))).collect();
    let all: Vec<(&str, &str)> = all.iter().map(|(code, at)| (*code, at.as_str())).collect();
    assert_eq!(all, expected);
    assert_eq!(found, mods);
    assert_eq!(report.success, !report.diagnostics.iter().any(|finding| finding.severity == "error"));
}

#[test]
fn its_own_plugins_are_checked_in_its_order() {
    let room = room(
        r#""plugins": [{ "name": "b", "source": "./plugins/b/" }, { "name": "a", "source": "./plugins/./a" },
        { "name": "far", "source": { "source": "github", "repo": "example/far" } }]"#,
    );
    check(&room, &[], &["plugins/b", "plugins/a"]);
}

#[test]
fn names_are_taken_once() {
    let room =
        room(r#""plugins": [{ "name": "a", "source": "./plugins/a" }, { "name": "a", "source": "./plugins/b" }]"#);
    check(&room, &[("marketplace-duplicate-name", "\"a\"")], &["plugins/a", "plugins/b"]);
    let (report, _) = validate(&room);
    // The second one is at fault.
    assert_eq!(report.diagnostics[0].span.unwrap().column, 113);
}

#[test]
fn sources_stay_inside() {
    let room = room(
        r#""plugins": [{ "name": "1", "source": "../x" }, { "name": "2", "source": "plugins/a" },
        { "name": "3", "source": "/tmp" }, { "name": "4", "source": "./plugins/../../x" },
        { "name": "5", "source": "./out" }, { "name": "6", "source": "./.claude-plugin/marketplace.json" }]"#,
    );
    symlink("/tmp", room.at("out")).unwrap();
    let sources = ["../x", "plugins/a", "/tmp", "./plugins/../../x", "./out", "./.claude-plugin/marketplace.json"];
    let sources = sources.map(|source| format!("{source:?}"));
    let expected: Vec<(&str, &str)> = sources.iter().map(|source| ("marketplace-source", source.as_str())).collect();
    check(&room, &expected, &[]);
}

#[test]
fn a_plugin_that_is_not_there_is_a_warning() {
    let room = room(r#""plugins": [{ "name": "1", "source": "./plugins/c" }, { "name": "2", "source": "./plugins" }]"#);
    let expected = [("marketplace-missing-plugin", "\"./plugins/c\""), ("marketplace-missing-plugin", "\"./plugins\"")];
    check(&room, &expected, &[]);
    room.run(&["validate", "-q"]).ended(0);
}

#[test]
fn plain_names_stand_below_the_plugin_root() {
    let root = r#""metadata": { "pluginRoot": "./plugins" }, "#;
    check(&room(&format!(r#"{root}"plugins": [{{ "name": "a", "source": "a" }}]"#)), &[], &["plugins/a"]);
    let relative = room(&format!(r#"{root}"plugins": [{{ "name": "a", "source": "./a" }}]"#));
    check(&relative, &[("marketplace-missing-plugin", "\"./a\"")], &[]);
}

#[test]
fn fields_have_their_forms() {
    let room = Room::new();
    let check_text = |text: &str, expected: &[&str]| {
        room.file(FILE, text);
        let expected: Vec<(&str, &str)> = expected.iter().map(|at| ("marketplace-json", *at)).collect();
        check(&room, &expected, &[]);
    };
    check_text("[]", &["[]"]);
    check_text("", &[""]);
    check_text("{ \"name\": \"m\", ", &["{"]);
    check_text("{ 'name': 'm' }", &["'"]);
    check_text("{} // {}", &["/"]);
    check_text("{}", &["{", "{", "{"]);
    check_text(r#"{ "name": 1, "owner": "x", "plugins": {} }"#, &["1", "\"x\"", "{}"]);
    check_text(
        r#"{ "name": "m", "owner": {}, "plugins": [7, {}, { "name": 1, "source": 2 }] }"#,
        &["7", "{", "{", "1", "2"],
    );
}

#[test]
fn deep_nesting_ends() {
    let room = Room::new();
    room.file(FILE, "[".repeat(100_000));
    let (report, _) = validate(&room);
    assert!(report.diagnostics[0].message.contains("depth"), "{report:?}");
}

#[test]
fn a_root_that_is_a_mod_too_is_checked_as_both() {
    let room = room(r#""plugins": [{ "name": "root", "source": "./" }, { "name": "a", "source": "./plugins/a" }]"#);
    room.add_mod(".", "register.js", FINE);
    let document: Document = room.run(&["validate", "--json"]).json();
    let all: Vec<(&str, &str)> =
        document.reports.iter().map(|report| (report.kind.as_str(), report.target.as_str())).collect();
    assert_eq!(all, [("plugin", "."), ("marketplace", "."), ("plugin", "plugins/a")]);
}

#[test]
fn an_entry_stands_for_a_missing_manifest() {
    let room = room(
        r#""plugins": [{ "name": "a", "version": "2.0.0", "source": "./plugins/a", "strict": false, "tags": ["x"] },
        { "name": "b", "source": "./plugins/b" }]"#,
    );
    std::fs::remove_dir_all(room.at("plugins/a/.claude-plugin")).unwrap();
    let document: Document = room.run(&["validate", "--json"]).ended(0).json();
    let names: Vec<_> =
        document.reports.iter().map(|report| (report.name.as_deref(), report.version.as_deref())).collect();
    // The manifest of `b` is there, and counts.
    assert_eq!(names, [(Some("mk"), None), (Some("a"), Some("2.0.0")), (Some("b"), Some("1.0.0"))]);
    // Alone, the folder is no mod that a host loads.
    room.run(&["validate", "plugins/a"]).ended(1);
}

#[test]
fn the_file_stands_for_its_marketplace() {
    let room = room(r#""plugins": [{ "name": "a", "source": "./plugins/a" }]"#);
    let document: Document = room.run(&["validate", FILE, "--json"]).json();
    let all: Vec<&str> = document.reports.iter().map(|report| report.target.as_str()).collect();
    assert_eq!(all, [".", "plugins/a"]);
}

#[test]
fn text_shows_where_and_how_to_write_it() {
    let room = room("\"plugins\": [\n  { \"name\": \"a\", \"source\": \"../a\" }\n]");
    insta::assert_snapshot!(room.run(&["validate", "--quiet"]).ended(1));
}
