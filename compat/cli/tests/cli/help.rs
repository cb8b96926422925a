//! The command line itself: help, versions, wrong use, colours, a reader that goes away.

use std::process::Stdio;

use crate::fixture::{Ran, Room};

const FINE: &str = "export function register(on) {\n  on('session.start', async ($, e, next) => next(e))\n}\n";

/// Those that need no engine, and those that do where it is there.
fn commands() -> Vec<&'static str> {
    let with_engine: &[&str] =
        if cfg!(feature = "engine") { &["run", "log", "test", "compare", "measure"] } else { &[] };
    ["validate", "explain", "diff", "hash", "lsp"].iter().chain(with_engine).copied().collect()
}

#[test]
fn help_lists_commands_and_exit_codes() {
    let ran = Room::new().run(&["--help"]);
    let (_, shown) = ran.ended(0).out.split_once("Commands:\n").unwrap();
    let listed = |name: &str| shown.lines().any(|line| line.starts_with(&format!("  {name} ")));
    for command in commands() {
        assert!(listed(command), "{command}\n{ran}");
    }
    assert!(ran.out.ends_with("Exit codes: 0 fine, 1 findings, 2 wrong use or a failure of the program itself.\n"));
}

#[test]
fn no_command_is_wrong_use() {
    let ran = Room::new().run(&[]);
    ran.ended(2);
    assert!(ran.err.contains("Usage: modgate"), "{ran}");
}

#[test]
fn every_command_has_examples_that_parse() {
    for command in commands() {
        let ran = Room::new().run(&[command, "--help"]);
        let (_, examples) = ran.ended(0).out.split_once("Examples:").unwrap();
        let lines = examples.lines().filter(|line| line.trim_start().starts_with("modgate "));
        assert!(lines.clone().count() >= 2, "{command}");
        for line in lines {
            // What stands behind two spaces is what the example does; what stands behind a pipe is another program.
            let call = line.trim().split("  ").next().unwrap().split(['|', '>']).next().unwrap();
            let words: Vec<&str> = call.split_whitespace().skip(1).chain(["--help"]).collect();
            Room::new().run(&words).ended(0);
        }
    }
}

#[test]
fn version_is_one_line() {
    let ran = Room::new().run(&["--version"]);
    assert_eq!(ran.ended(0).out, format!("modgate {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_use_is_told_on_standard_error() {
    for arguments in [
        &["unknown"][..],
        &["validate", "--format", "xml"],
        &["validate", "--json", "--sarif"],
        &["validate", "--host", "dsh@latest"],
        &["validate", "--host", "nobody"],
        &["lsp", "--host", "claude-code@1.0.0"],
        &["validate", "--tier", "top"],
        &["diff", "only-one"],
        &["hash"],
    ] {
        let ran = Room::new().run(arguments);
        ran.ended(2);
        assert!(ran.out.is_empty() && ran.err.starts_with("error: "), "{ran}");
    }
}

#[test]
fn failures_have_codes_and_help() {
    let room = Room::new();
    room.file("empty/notes.md", "").file("file.txt", "");
    let runs = [
        room.run(&["validate", "nowhere"]),
        room.run(&["validate", "empty"]),
        room.run(&["validate", "file.txt"]),
        room.run(&["diff", "empty", "empty"]),
        room.run(&["hash", "file.txt"]),
        room.run(&["explain", "marketplace-sorce"]),
        room.run(&["explain", "42"]),
    ];
    let all: Vec<String> = runs.iter().map(|ran| ran.ended(2).to_string()).collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn colours_only_when_asked_for() {
    let room = Room::with_mod(FINE);
    let colored = |arguments: &[&str], variables: &[(&str, &str)]| {
        let output = room.command(arguments).envs(variables.iter().copied()).output().unwrap();
        Ran::new(&room, output).ended(0).out.contains('\u{1b}')
    };
    assert!(!colored(&["validate", "guard"], &[("TERM", "xterm")]), "standard output is no terminal");
    assert!(colored(&["validate", "guard", "--color", "always"], &[]));
    assert!(colored(&["--color", "always", "validate", "guard"], &[]));
    assert!(!colored(&["validate", "guard", "--color", "never"], &[]));
    assert!(!colored(&["validate", "guard"], &[("NO_COLOR", "1"), ("TERM", "xterm")]));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let room = Room::new();
    for number in 0..200 {
        room.add_mod(&format!("m{number}"), "register.js", FINE);
    }
    let mut child = room.command(&["validate"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ran = Ran::new(&room, child.wait_with_output().unwrap());
    assert_eq!(ran.ended(0).err, "");
}
