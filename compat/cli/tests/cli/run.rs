//! `modgate run` and `modgate log`: sessions, their records, and what is refused before anything is written.

use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::fixture::{Ran, Room};

const PASSES: &str = "export function register(on) {
  on('tool.call', async ($, e, next) => { $.ui.log(`saw ${e.command}`); return next(e) })
}
";

const REWRITES: &str = "export function register(on) {
  on('tool.call', async ($, e, next) => next({ ...e, command: 'echo other' }))
}
";

const SESSION: &str = "[permissions]
allow = [\"Bash\"]
[[prompt]]
text = \"go\"
[[prompt.step]]
[[prompt.step.call]]
tool = \"Bash\"
input = { command = \"echo one >> out.txt; echo one\" }
[[prompt.step]]
text = \"done\"
[expect.files]
\"out.txt\" = \"one\\n\"
";

fn room() -> Room {
    let room = Room::new();
    room.add_mod("watch", "register.js", PASSES);
    room.add_mod("change", "register.js", REWRITES);
    room.file("session.toml", SESSION);
    std::fs::create_dir(room.at("work")).unwrap();
    room
}

fn command(room: &Room, arguments: &[&str]) -> Command {
    let mut command = room.command(arguments);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
}

fn run(room: &Room, arguments: &[&str]) -> Ran {
    Ran::new(room, command(room, arguments).output().unwrap())
}

const PLAY: [&str; 8] = ["run", "watch", "--scenario", "session.toml", "--workdir", "work", "--log", "s.jsonl"];

#[test]
fn a_session_is_a_transcript_with_a_record_behind_it() {
    let room = room();
    let ran =
        run(&room, &["run", "watch", "change", "--scenario", "session.toml", "--workdir", "work", "--log", "s.jsonl"]);
    ran.ended(0);
    for line in [
        "> go",
        "  ▸ Bash echo one >> out.txt; echo one",
        "  [watch] log: saw echo one >> out.txt; echo one",
        "    ! call-rewritten change at hooks/register.js:2:3: change passed other arguments to next (command); \
         the call is logged, so the hook was skipped and the call went on as it was",
        "      $.command: echo one >> out.txt; echo one → echo other",
        "    one",
        "● done",
        "2 mods, 1 call, 0 refused, 0 lost, 1 report",
    ] {
        assert!(ran.out.lines().any(|shown| shown == line), "{line:?} is missing\n{ran}");
    }
    assert_eq!(std::fs::read_to_string(room.at("work/out.txt")).unwrap(), "one\n");
    let verified = run(&room, &["log", "verify", "s.jsonl"]);
    assert!(verified.ended(0).out.starts_with("s.jsonl: "), "{verified}");
    let shown = run(&room, &["log", "show", "s.jsonl"]);
    let (transcript, _) = ran.out.rsplit_once("\n\n").unwrap();
    assert_eq!(shown.ended(0).out.trim_end(), transcript, "the record shows what was shown");
    let history = run(&room, &["log", "history", "s.jsonl"]);
    assert!(history.ended(0).out.contains("] Bash {\"command\":\"echo one >> out.txt; echo one\"}"), "{history}");
    let audit = run(&room, &["log", "audit", "s.jsonl"]);
    assert!(audit.ended(0).out.contains("ran 1, done"), "{audit}");
}

#[test]
fn rows_are_lines_of_json_with_a_summary_at_the_end() {
    let room = room();
    let ran = run(&room, &["run", "watch", "--scenario", "session.toml", "--json"]);
    let mut lines: Vec<Value> = ran.ended(0).out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.pop().unwrap();
    let summary = serde_json::json!({ "mods": 1, "calls": 1, "refused": 0, "lost": 0, "reports": 0 });
    assert_eq!((&last["summary"], &last["missed"]), (&summary, &serde_json::json!([])));
    assert!(lines.iter().enumerate().all(|(seq, row)| row["seq"] == seq));
    assert_eq!(
        (lines[0]["kind"].as_str(), lines[lines.len() - 1]["kind"].as_str()),
        (Some("session/start"), Some("session/end"))
    );
}

#[test]
fn what_was_expected_and_did_not_happen_is_a_finding() {
    let room = room();
    room.file("session.toml", SESSION.replace("\"one\\n\"", "\"two\\n\""));
    let ran = run(&room, &PLAY);
    assert!(ran.ended(1).out.contains("not as expected: "), "{ran}");
}

/// Each of these is told once, with its code, and leaves everything as it was.
#[test]
fn what_cannot_begin_writes_nothing() {
    let room = room();
    room.file("bad.toml", "[permissions]\nallow = 7\n");
    room.file("grants.toml", "[[grant]]\nmod = \"a\"\n");
    room.file("old.jsonl", "{}\n");
    room.file("empty/readme.md", "nothing");
    let cases: [(&[&str], &str); 9] = [
        (&["run", "nowhere", "--scenario", "session.toml"], "path-missing"),
        (&["run", "empty", "--scenario", "session.toml"], "not-a-mod"),
        (&["run", "watch", "--scenario", "nowhere.toml"], "scenario-unreadable"),
        (&["run", "watch", "--scenario", "bad.toml"], "scenario-invalid"),
        (&["run", "watch", "--scenario", "session.toml", "--grants", "grants.toml"], "grants-invalid"),
        (&["run", "watch", "--scenario", "session.toml", "--host", "nobody"], "no-such-host"),
        (&["run", "watch", "--scenario", "session.toml", "--workdir", "nowhere"], "session-workdir"),
        (&["run", "watch", "--scenario", "session.toml", "--workdir", "work", "--log", "old.jsonl"], "record-exists"),
        (&["run", "watch", "--scenario", "session.toml", "--resume", "old.jsonl"], "record-malformed"),
    ];
    for (arguments, code) in cases {
        let mut arguments = arguments.to_vec();
        if !arguments.contains(&"--log") && !arguments.contains(&"--resume") {
            arguments.extend(["--log", "new.jsonl"]);
        }
        let ran = run(&room, &arguments);
        ran.ended(2);
        assert_eq!(ran.err.matches(code).count(), 1, "{arguments:?}\n{ran}");
        assert!(!room.at("new.jsonl").exists(), "{arguments:?} left a record");
        assert_eq!(std::fs::read_dir(room.at("work")).unwrap().count(), 0, "{arguments:?} worked");
    }
    assert_eq!(std::fs::read_to_string(room.at("old.jsonl")).unwrap(), "{}\n");
    let bad = run(&room, &["run", "watch", "--scenario", "bad.toml"]);
    assert!(bad.err.contains("bad.toml:2:9"), "{bad}");
}

#[test]
fn a_refused_mod_is_shown_and_never_run() {
    let room = room();
    room.add_mod("escape", "register.js", "import { x } from '../../outside.js'\nexport function register(on) { on('session.start', async ($, e, next) => next(e)) }\n");
    let alone = run(&room, &["run", "escape", "--scenario", "session.toml", "--workdir", "work", "--log", "s.jsonl"]);
    assert!(alone.ended(2).err.contains("escape/hooks/register.js:1:19"), "{alone}");
    assert!(!room.at("s.jsonl").exists() && !room.at("work/out.txt").exists());
    let beside =
        run(&room, &["run", "escape", "watch", "--scenario", "session.toml", "--workdir", "work", "--log", "s.jsonl"]);
    beside.ended(1);
    assert!(beside.out.contains("! mod-not-loaded escape at hooks/register.js:1:19"), "{beside}");
    assert!(beside.out.contains("[watch] log: saw"), "{beside}");
    assert!(beside.out.contains("1 mod, 1 call"), "{beside}");
}

#[test]
fn a_module_that_throws_is_left_out() {
    let room = room();
    room.add_mod("throws", "register.js", "export function register(on) {\n  throw new RangeError('not today')\n}\n");
    let ran = run(&room, &["run", "throws", "watch", "--scenario", "session.toml"]);
    assert!(ran.out.contains("! mod-not-loaded throws at hooks/register.js:2:9"), "{ran}");
    assert!(ran.out.contains("RangeError: not today"), "{ran}");
}

#[test]
fn a_damaged_record_is_told_with_its_line() {
    let room = room();
    run(&room, &PLAY).ended(0);
    let text = std::fs::read_to_string(room.at("s.jsonl")).unwrap();
    room.file("s.jsonl", text.replacen("\"text\":\"go\"", "\"text\":\"no\"", 1));
    for what in ["verify", "show", "audit", "history"] {
        let ran = run(&room, &["log", what, "s.jsonl"]);
        assert!(ran.ended(2).err.contains("record-chain"), "{ran}");
    }
    run(&room, &["log", "verify", "nowhere.jsonl"]).ended(2);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_session_and_the_record_goes_on() {
    let room = room();
    let long = SESSION.replace("echo one >> out.txt; echo one", "echo one >> out.txt; sleep 60");
    room.file("session.toml", &long);
    let child = command(&room, &PLAY).stdout(std::process::Stdio::piped()).spawn().unwrap();
    while !std::fs::read_to_string(room.at("work/out.txt")).is_ok_and(|text| !text.is_empty()) {
        std::thread::sleep(Duration::from_millis(5));
    }
    // SAFETY: sends a signal to the child that was started above and is not yet waited for.
    unsafe { libc::kill(child.id().try_into().unwrap(), libc::SIGINT) };
    let stopped = Ran::new(&room, child.wait_with_output().unwrap());
    assert!(stopped.ended(0).out.contains("stopped"), "{stopped}");
    run(&room, &["log", "verify", "s.jsonl"]).ended(0);
    let record = std::fs::read_to_string(room.at("s.jsonl")).unwrap();
    assert!(record.lines().last().unwrap().contains("session/end"), "{record}");
    run(&room, &["run", "watch", "--scenario", "session.toml", "--resume", "s.jsonl"]).ended(0);
    assert_eq!(std::fs::read_to_string(room.at("work/out.txt")).unwrap(), "one\n", "the command ran again");
}
