//! The scenario format.

use modgate_harness::script::{Mismatch, Scenario, check, run};
use modgate_harness::{Registry, SessionPolicy};

use crate::support::{Place, block, play, results, rows, scenario};

/// The error has to point at the first character of the text marked with `^` in the line below it.
#[track_caller]
fn refused(text: &str, message: &str) {
    let mut clean = Vec::new();
    let mut expected = None;
    for line in text.lines() {
        match line.find('^') {
            Some(column) if line.trim_start().starts_with('^') => expected = Some((clean.len(), column + 1)),
            _ => clean.push(line),
        }
    }
    let error = Scenario::parse(&clean.join("\n"), "a.toml").unwrap_err();
    assert_eq!(Some((error.line, error.column)), expected, "{error}");
    assert!(error.message.contains(message), "{error}");
    assert!(error.to_string().starts_with(&format!("a.toml:{}:{}: ", error.line, error.column)));
}

#[test]
fn errors_point_at_the_place() {
    refused("name = \n       ^", "");
    refused("nmae = \"x\"\n^", "nmae");
    refused("[permissions]\nmode = \"yolo\"\n       ^", "yolo");
    refused("[permissions]\nallow = [\"Bash\", \"Read(\"]\n                 ^", "parenthesis");
    refused("[[prompt]]\n^\n", "needs `text`");
    refused("[[prompt]]\ntext = \"a\"\n[[prompt.step]]\ntxt = \"b\"\n^", "txt");
    refused("[[prompt]]\ntext = 7\n       ^", "string");
    refused("[files]\n\"../x\" = \"y\"\n         ^", "working directory");
    refused("[files]\n\"/etc/x\" = \"y\"\n           ^", "working directory");
    refused(
        "[[prompt]]\ntext = \"ü\"\n[[prompt.step]]\n[[prompt.step.call]]\ntool = \"Bash\"\ninput = [1]\n        ^",
        "table",
    );
    refused("[[permission]]\ncall = \"()\"\n       ^\nanswer = \"allow\"", "names no tool");
    refused("[[prompt]]\ntext = \"a\"\n[[prompt.step]]\nchunk_chars = 0\n              ^", "1 or more");
    let twice = "[[prompt]]\ntext = \"a\"\n[[prompt.step]]\n[[prompt.step.call]]\ntool = \"Bash\"\nid = \"x\"\n\
                 [[prompt.step.call]]\ntool = \"Bash\"\nid = \"x\"\n     ^";
    refused(twice, "used twice");
}

const FULL: &str = r##"
name = "everything"
description = "uses every part of the format once"
model = "tester"

[permissions]
mode = "acceptEdits"
allow = ["Bash(cat *)"]
ask = ["Bash(rm *)"]
deny = ["Bash(curl *)"]

[files]
"notes.txt" = "one\n"
"bin/hello" = { content = "#!/bin/sh\necho hello\n", executable = true }

[[prompt]]
text = "do everything"
[[prompt.step]]
thinking = "hm"
text = "Let me see."
chunk_chars = 3
delay_ms = 1
usage = { input_tokens = 10, output_tokens = 4 }
[[prompt.step.call]]
tool = "Bash"
id = "cat"
input = { command = "cat notes.txt" }
[[prompt.step.call]]
tool = "Bash"
id = "rm"
input = { command = "rm notes.txt" }
[[prompt.step.call]]
tool = "Bash"
id = "curl"
input = { command = "curl example.com" }
[[prompt.step]]
[[prompt.step.call]]
tool = "Bash"
id = "hello"
input = { command = "bin/hello" }

[[prompt]]
command = "/unheard"

[[permission]]
call = "Bash(rm *)"
answer = "deny"
message = "keep the notes"

[[permission]]
call = "Bash(bin/hello)"
answer = "allow"

[[answer]]
question = "Sure?"
answer = "yes"
times = 1

[expect]
commands = ["cat notes.txt", "bin/hello"]
tools = ["Bash", "Bash"]
turns = ["answer"]
reports = { total = 1, command-unknown = 1, call-changed = 0 }

[expect.files]
"notes.txt" = "one\n"
"bin/hello" = { contains = "echo" }
"none" = { absent = true }

[[expect.row]]
kind = "permission/decision"
count = 4
[[expect.row]]
kind = "permission/decision"
by = "person"
data = { callId = "rm", decision = "deny" }

[[expect.result]]
call = "cat"
contains = "one"
is_error = false
runs = 1
[[expect.result]]
call = "rm"
contains = "keep the notes"
is_error = true
runs = 0
[[expect.result]]
call = "curl"
contains = "Bash(curl *)"
runs = 0
[[expect.result]]
call = "hello"
contains = "hello"
"##;

#[test]
fn every_part_of_the_format_works() {
    let (_, outcome) = play(FULL, Registry::default(), SessionPolicy::default());
    let answer = rows(&outcome.rows, "assistant/message")[0];
    assert_eq!(answer.data["text"], "Let me see.");
    assert_eq!(answer.data["thinking"], "hm");
    assert_eq!(answer.data["model"], "tester");
    assert_eq!(answer.data["usage"]["output_tokens"], 4);
    assert_eq!(results(&outcome.rows).len(), 4);
}

/// Each change makes exactly the expectation it is about fail.
#[test]
fn every_expectation_can_fail() {
    let changes = [
        ("commands = [\"cat notes.txt\"", "commands = [\"cat other.txt\"", "commands"),
        ("tools = [\"Bash\"", "tools = [\"Read\"", "tools"),
        ("turns = [\"answer\"]", "turns = [\"error\"]", "turns"),
        ("total = 1", "total = 2", "reports `total`"),
        ("call-changed = 0", "call-changed = 1", "reports `call-changed`"),
        (
            "\"notes.txt\" = \"one\\n\"\n\"bin/hello\" = { contains",
            "\"notes.txt\" = \"two\"\n\"bin/hello\" = { contains",
            "file notes.txt",
        ),
        ("contains = \"echo\"", "contains = \"nope\"", "file bin/hello"),
        ("\"none\" = { absent = true }", "\"none\" = \"x\"", "file none"),
        ("\"none\" =", "\"notes2.txt\" = \"x\"\n\"none\" =", "file notes2.txt"),
        ("count = 4", "count = 5", "rows `permission/decision`"),
        ("decision = \"deny\" }", "decision = \"allow\" }", "rows `permission/decision`"),
        ("contains = \"one\"", "contains = \"two\"", "result of cat"),
        ("is_error = false", "is_error = true", "result of cat"),
        ("is_error = true\nruns = 0", "is_error = true\nruns = 1", "result of rm"),
        ("call = \"hello\"\n", "call = \"never\"\n", "result of never"),
    ];
    for (from, to, what) in changes {
        assert!(FULL.contains(from), "{from}");
        let changed = scenario(&FULL.replacen(from, to, 1));
        let place = Place::new();
        let outcome = block(run(&changed, place.options(Registry::default(), SessionPolicy::default()))).unwrap();
        let about: Vec<&Mismatch> = outcome.mismatches.iter().collect();
        assert_eq!(about.len(), 1, "{to}: {about:?}");
        assert!(about[0].what.contains(what), "{to}: {}", about[0]);
    }
}

#[test]
fn a_scenario_survives_being_written() {
    let scenario = scenario(FULL);
    let written = toml::to_string(&scenario).unwrap();
    assert_eq!(Scenario::parse(&written, "written.toml").unwrap(), scenario);
}

#[test]
fn entries_are_used_as_often_as_they_say() {
    let text = r#"
        [[prompt]]
        text = "go"
        [[prompt.step]]
        [[prompt.step.call]]
        tool = "Bash"
        id = "a"
        input = { command = "touch a" }
        [[prompt.step.call]]
        tool = "Bash"
        id = "b"
        input = { command = "touch b" }
        [[permission]]
        call = "Bash(touch *)"
        answer = "allow"
        times = 1
        [[permission]]
        call = "Bash"
        answer = "deny"
        [expect.files]
        "a" = ""
        "b" = { absent = true }
    "#;
    play(text, Registry::default(), SessionPolicy::default());
}

#[test]
fn a_prompt_nobody_scripted_is_an_error_of_its_turn() {
    use modgate_harness::prompt::{Origin, Prompt};
    use modgate_harness::script::ScriptedModel;
    let place = Place::new();
    let model =
        std::sync::Arc::new(ScriptedModel::new(&scenario("[[reply]]\nto = \"known\"\n[[reply.step]]\ntext = \"hi\"")));
    let ends = block(async {
        let builder = modgate_harness::SessionBuilder::new(Registry::default(), model);
        let mut session = builder.create(&place.record, &place.work).await.unwrap();
        for text in ["known", "unknown to it", "else"] {
            session.prompt(Prompt { text: text.into(), context: vec![], origin: Origin::composer() }).await.unwrap();
        }
        session.end("other").await.unwrap()
    });
    let reasons: Vec<&str> = rows(&ends, "turn/end").iter().map(|row| row.data["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["answer", "answer", "error"]);
    assert_eq!(rows(&ends, "model/error")[0].data["code"], "script-exhausted");
}

#[test]
fn files_that_cannot_be_written_are_named() {
    let place = Place::new();
    std::fs::write(place.work.join("a"), "a file where a folder is needed").unwrap();
    let text = scenario("[files]\n\"a/b\" = \"x\"");
    let error = block(run(&text, place.options(Registry::default(), SessionPolicy::default()))).unwrap_err();
    assert_eq!(error.code(), "scenario-file");
    assert!(!place.record.exists());
}

#[test]
fn the_checker_reads_rows_and_files_alone() {
    let (place, outcome) = play(FULL, Registry::default(), SessionPolicy::default());
    assert_eq!(check(&scenario(FULL), &outcome.rows, &place.work), []);
    let without: Vec<_> = outcome.rows.iter().filter(|row| row.kind != "tool/result").cloned().collect();
    assert_eq!(check(&scenario(FULL), &without, &place.work).len(), 6);
}

#[test]
fn nothing_is_written_where_the_places_are_wrong() {
    let with_files = scenario("[files]\n\"a\" = \"x\"");
    let refused = |options| block(run(&with_files, options)).unwrap_err().code();
    let place = Place::new();
    let options = || place.options(Registry::default(), SessionPolicy::default());
    let no_folder = modgate_harness::script::RunOptions { workdir: place.work.join("none"), ..options() };
    assert_eq!(refused(no_folder), "session-workdir");
    let no_place = modgate_harness::script::RunOptions { record: place.work.join("none/record"), ..options() };
    assert_eq!(refused(no_place), "record-io");
    std::fs::write(&place.record, "precious").unwrap();
    assert_eq!(refused(options()), "record-exists");
    assert_eq!(std::fs::read_dir(&place.work).unwrap().count(), 0);
    assert_eq!(std::fs::read_to_string(&place.record).unwrap(), "precious");
}

#[test]
fn a_policy_is_data() {
    use modgate_harness::session::{ArgumentPolicy, Ceiling, PermissionOrder, RepeatPolicy};
    let text = "permission = \"after-tools\"\narguments = \"apply\"\nceiling = \"lift-deny\"\nmax-steps = 7\n\
                [repeat]\nrecord = { max = 3 }\n";
    let policy: SessionPolicy = toml::from_str(text).unwrap();
    let expected = SessionPolicy {
        permission: PermissionOrder::AfterTools,
        arguments: ArgumentPolicy::Apply,
        ceiling: Ceiling::LiftDeny,
        repeat: RepeatPolicy::Record { max: 3 },
        max_steps: 7,
        ..SessionPolicy::default()
    };
    assert_eq!(policy, expected);
    assert!(toml::from_str::<SessionPolicy>("arguments = \"maybe\"").is_err());
    assert!(toml::from_str::<SessionPolicy>("argument = \"apply\"").is_err());
}
