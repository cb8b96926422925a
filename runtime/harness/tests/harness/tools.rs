//! The tools in a real directory, called as a model calls them.

use modgate_harness::permission::{Mode, Permissions};
use modgate_harness::record::ToolResultRow;
use modgate_harness::script::run;
use modgate_harness::{Registry, SessionPolicy};
use serde_json::{Value, json};

use crate::support::{Place, block, results, scenario};

/// Runs calls one after the other in one session, everything allowed.
fn call_in(place: &Place, calls: &[(&str, Value)]) -> Vec<ToolResultRow> {
    let mut script = json!({
        "permissions": { "mode": "bypassPermissions" },
        "answer": [{ "question": "colour", "answer": "blue" }],
        "prompt": [{ "text": "go", "step": [{}] }],
    });
    let calls = calls.iter().map(|(tool, input)| json!({ "tool": tool, "input": input }));
    script["prompt"][0]["step"][0]["call"] = calls.collect();
    let scenario = scenario(&toml::to_string(&script).unwrap());
    let outcome = block(run(&scenario, place.options(Registry::default(), SessionPolicy::default()))).unwrap();
    results(&outcome.rows)
}

fn call(place: &Place, tool: &str, input: Value) -> ToolResultRow {
    call_in(place, &[(tool, input)]).remove(0)
}

fn bash(command: &str) -> ToolResultRow {
    call(&Place::new(), "Bash", json!({ "command": command }))
}

#[test]
fn bash_gives_both_streams() {
    let result = bash("echo out; echo err >&2");
    let expected = json!({
        "stdout": "out\n", "stderr": "err\n", "interrupted": false, "isImage": false, "noOutputExpected": false,
    });
    assert_eq!((result.result, result.text.as_str(), result.is_error), (expected, "out\nerr", false));
}

#[test]
fn bash_tells_failures_from_answers() {
    let result = bash("echo no; exit 3");
    assert!(result.is_error && result.text.starts_with("Exit code 3") && result.text.contains("no"));
    let result = bash("grep nothing /dev/null");
    assert!(!result.is_error);
    assert_eq!(result.result["returnCodeInterpretation"], "no matches");
    assert!(bash("grep --nonsense x").is_error);
    assert!(bash("kill -9 $$").is_error);
    assert_eq!(bash("true").text, "(no output)");
    assert_eq!(bash("mkdir a && touch a/b").result["noOutputExpected"], true);
    assert_eq!(bash("mkdir a; ls a").result["noOutputExpected"], false);
}

#[test]
fn bash_stops_the_whole_group_when_time_is_up() {
    let place = Place::new();
    let command = "sleep 1000 & echo $! > pid.txt; echo begun; wait";
    let result = call(&place, "Bash", json!({ "command": command, "timeout": 400 }));
    assert!(result.is_error && result.result["interrupted"] == true);
    assert_eq!(result.result["timedOutAfterMs"], 400);
    assert_eq!(result.result["stdout"], "begun\n");
    let pid = place.file("pid.txt").unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    assert!(stat.map_or(true, |stat| stat.contains(") Z ")), "a background process outlived the timeout");
}

#[test]
fn bash_is_not_held_up_by_what_it_leaves_behind() {
    let place = Place::new();
    let result = call(&place, "Bash", json!({ "command": "sleep 1000 & echo $! > pid.txt; echo done" }));
    assert_eq!((result.result["stdout"].as_str(), result.is_error), (Some("done\n"), false));
    let pid = place.file("pid.txt").unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    assert!(stat.map_or(true, |stat| stat.contains(") Z ")), "a background process outlived its call");
}

#[test]
fn bash_cuts_long_output_and_says_so() {
    let result = bash("head -c 1000000 /dev/zero | tr '\\0' x");
    let stdout = result.result["stdout"].as_str().unwrap();
    assert!(stdout.starts_with("xxx") && stdout.contains("cut: 1000000 bytes"));
    assert_eq!(stdout.matches('x').count(), 30_000);
}

#[test]
fn bash_keeps_its_directory_inside_the_working_directory() {
    let place = Place::new();
    std::fs::create_dir(place.work.join("sub")).unwrap();
    let cd = |dir: &str| ("Bash", json!({ "command": format!("cd {dir}") }));
    let pwd = ("Bash", json!({ "command": "pwd -P; echo $X" }));
    let done =
        call_in(&place, &[cd("sub"), pwd.clone(), ("Bash", json!({ "command": "X=1" })), pwd.clone(), cd("/"), pwd]);
    let work = place.work.to_str().unwrap();
    assert_eq!(done[1].result["stdout"], format!("{work}/sub\n\n"));
    assert_eq!(done[3].result["stdout"], format!("{work}/sub\n\n"), "variables do not stay");
    assert!(done[4].result["stderr"].as_str().unwrap().contains("left the working directory"));
    assert_eq!(done[5].result["stdout"], format!("{work}\n\n"));
}

#[test]
fn arguments_have_to_fit() {
    let place = Place::new();
    let cases = [
        ("Bash", json!({})),
        ("Bash", json!({ "command": 7 })),
        ("Bash", json!({ "command": "true", "shell": "zsh" })),
        ("Read", json!({ "file_path": "" })),
        ("TodoWrite", json!({ "todos": [{ "content": "x", "status": "later", "activeForm": "x" }] })),
        ("AskUserQuestion", json!({ "questions": [] })),
    ];
    for (result, (tool, input)) in call_in(&place, &cases).iter().zip(&cases) {
        assert!(result.is_error && result.text.contains("do not fit"), "{tool} {input}: {}", result.text);
    }
}

#[test]
fn read_numbers_lines_and_takes_a_part() {
    let place = Place::new();
    std::fs::write(place.work.join("a.txt"), "one\ntwo\nthree\n").unwrap();
    let result = call(&place, "Read", json!({ "file_path": "a.txt", "offset": 2, "limit": 1 }));
    let path = place.work.join("a.txt");
    let expected = json!({ "type": "text", "file": {
        "filePath": path, "content": "two", "numLines": 1, "startLine": 2, "totalLines": 3,
    }});
    assert_eq!((result.result, result.text.as_str()), (expected, "     2\ttwo"));
}

#[test]
fn read_refuses_what_is_no_text_file() {
    let place = Place::new();
    std::fs::write(place.work.join("bin"), [0xff, 0xfe, 0x00]).unwrap();
    nix::unistd::mkfifo(&place.work.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    for (name, part) in
        [("bin", "not text"), ("pipe", "not a regular file"), (".", "a directory"), ("none", "not exist")]
    {
        let result = call(&Place::new(), "Read", json!({ "file_path": place.work.join(name) }));
        assert!(result.is_error && result.text.contains(part), "{name}: {}", result.text);
    }
}

#[test]
fn a_file_is_read_before_it_is_changed() {
    let place = Place::new();
    std::fs::write(place.work.join("a.txt"), "one\n").unwrap();
    let edit = ("Edit", json!({ "file_path": "a.txt", "old_string": "one", "new_string": "two" }));
    let write = ("Write", json!({ "file_path": "a.txt", "content": "three\n" }));
    let read = ("Read", json!({ "file_path": "a.txt" }));
    let outside = ("Bash", json!({ "command": "echo changed > a.txt" }));
    let done = call_in(&place, &[edit.clone(), write.clone(), read, edit, write.clone(), outside, write]);
    let failed: Vec<bool> = done.iter().map(|one| one.is_error).collect();
    assert_eq!(failed, [true, true, false, false, false, false, true]);
    assert!(done[0].text.contains("not been read"));
    assert!(done[6].text.contains("changed since"));
    assert_eq!(place.file("a.txt").as_deref(), Some("changed\n"));
    let hunk = json!([{ "oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-one", "+two"] }]);
    assert_eq!(done[3].result["structuredPatch"], hunk);
    assert_eq!(done[3].result["originalFile"], "one\n");
    assert_eq!((&done[4].result["type"], &done[4].result["originalFile"]), (&json!("update"), &json!("two\n")));
}

#[test]
fn write_makes_folders_and_keeps_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let result = call(&place, "Write", json!({ "file_path": "deep/er/a.txt", "content": "x" }));
    assert_eq!((&result.result["type"], &result.result["originalFile"]), (&json!("create"), &Value::Null));
    assert_eq!(place.file("deep/er/a.txt").as_deref(), Some("x"));

    let place = Place::new();
    let script = place.work.join("run.sh");
    std::fs::write(&script, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o750)).unwrap();
    std::os::unix::fs::symlink("run.sh", place.work.join("link")).unwrap();
    let read = ("Read", json!({ "file_path": "link" }));
    let done = call_in(&place, &[read, ("Write", json!({ "file_path": "link", "content": "new" }))]);
    assert!(!done[1].is_error, "{}", done[1].text);
    assert_eq!(std::fs::metadata(&script).unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(std::fs::read_to_string(&script).unwrap(), "new", "a link stays a link");
    assert!(place.work.join("link").is_symlink());
}

#[test]
fn multi_edit_does_all_or_nothing() {
    let place = Place::new();
    std::fs::write(place.work.join("a.txt"), "one two\n").unwrap();
    let read = ("Read", json!({ "file_path": "a.txt" }));
    let edits = |second: &str| {
        let edits = json!([
            { "old_string": "one", "new_string": "1" }, { "old_string": second, "new_string": "2" },
        ]);
        ("MultiEdit", json!({ "file_path": "a.txt", "edits": edits }))
    };
    let done = call_in(&place, &[read.clone(), edits("three")]);
    assert!(done[1].is_error && done[1].text.contains("edit 2"), "{}", done[1].text);
    assert_eq!(place.file("a.txt").as_deref(), Some("one two\n"));
    std::fs::remove_file(&place.record).unwrap();
    let done = call_in(&place, &[read, edits("two")]);
    assert!(!done[1].is_error);
    assert_eq!(place.file("a.txt").as_deref(), Some("1 2\n"));
}

fn tree() -> Place {
    let place = Place::new();
    for (name, text) in [
        ("src/a.rs", "fn alpha() {}\nfn beta() {}\n"),
        ("src/deep/b.rs", "fn Alpha() {}\n"),
        ("notes.md", "alpha\n"),
        (".hidden", "alpha\n"),
        ("target/c.rs", "fn alpha() {}\n"),
        (".gitignore", "target\n"),
    ] {
        let path = place.work.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(name.len() as u64);
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    }
    place
}

#[test]
fn glob_finds_the_newest_first_and_leaves_ignored_files_out() {
    let place = tree();
    let work = place.work.to_str().unwrap().to_owned();
    let result = call(&place, "Glob", json!({ "pattern": "**/*.rs" }));
    assert_eq!(result.result["filenames"], json!([format!("{work}/src/deep/b.rs"), format!("{work}/src/a.rs")]));
    assert_eq!((&result.result["numFiles"], &result.result["truncated"]), (&json!(2), &json!(false)));
    std::fs::remove_file(&place.record).unwrap();
    let result = call(&place, "Glob", json!({ "pattern": "*.rs", "path": "src" }));
    assert_eq!(result.result["filenames"], json!([format!("{work}/src/a.rs")]), "one star stays in its folder");
}

#[test]
fn grep_in_its_modes() {
    let cases = [
        (json!({ "pattern": "alpha" }), json!({ "numFiles": 3, "filenames": [".hidden", "notes.md", "src/a.rs"] })),
        (json!({ "pattern": "alpha", "glob": "*.rs" }), json!({ "filenames": ["src/a.rs"] })),
        (
            json!({ "pattern": "alpha", "type": "rust", "-i": true }),
            json!({ "filenames": ["src/a.rs", "src/deep/b.rs"] }),
        ),
        (
            json!({ "pattern": "^fn", "output_mode": "count", "path": "src" }),
            json!({ "numMatches": 3, "content": "src/a.rs:2\nsrc/deep/b.rs:1" }),
        ),
        (
            json!({ "pattern": "beta", "output_mode": "content" }),
            json!({ "content": "src/a.rs:2:fn beta() {}", "numLines": 1 }),
        ),
        (
            json!({ "pattern": "beta", "output_mode": "content", "-B": 1, "-n": false }),
            json!({ "content": "src/a.rs-fn alpha() {}\nsrc/a.rs:fn beta() {}" }),
        ),
        (
            json!({ "pattern": "al..a", "output_mode": "content", "-o": true, "path": "notes.md" }),
            json!({ "content": "notes.md:1:alpha" }),
        ),
        (
            json!({ "pattern": "alpha", "head_limit": 1, "offset": 1 }),
            json!({ "filenames": ["notes.md"], "appliedLimit": 1, "appliedOffset": 1 }),
        ),
        (
            json!({ "pattern": "\\{\\}\\nfn", "multiline": true, "output_mode": "count" }),
            json!({ "content": "src/a.rs:1" }),
        ),
    ];
    for (input, expected) in cases {
        let result = call(&tree(), "Grep", input.clone());
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&result.result[key], value, "{input}: {key}");
        }
    }
    assert!(call(&tree(), "Grep", json!({ "pattern": "(" })).is_error);
    assert!(call(&tree(), "Grep", json!({ "pattern": "x", "path": "none" })).is_error);
    assert_eq!(call(&tree(), "Grep", json!({ "pattern": "nowhere" })).text, "No matches found.");
}

#[test]
fn todos_are_replaced_and_remembered() {
    let todo = |content: &str, status: &str| json!({ "content": content, "status": status, "activeForm": content });
    let first = json!([todo("a", "pending")]);
    let second = json!([todo("a", "completed"), todo("b", "pending")]);
    let calls = [("TodoWrite", json!({ "todos": first })), ("TodoWrite", json!({ "todos": second }))];
    let done = call_in(&Place::new(), &calls);
    assert_eq!(done[0].result, json!({ "oldTodos": [], "newTodos": first }));
    assert_eq!(done[1].result, json!({ "oldTodos": first, "newTodos": second }));
}

#[test]
fn questions_are_answered_or_not() {
    let question = |text: &str| {
        let options = json!([{ "label": "blue", "description": "" }, { "label": "red", "description": "" }]);
        json!({ "questions": [{ "question": text, "header": "c", "multiSelect": false, "options": options }] })
    };
    let asked = question("Which colour?");
    let done = call_in(&Place::new(), &[("AskUserQuestion", asked.clone()), ("AskUserQuestion", question("Why?"))]);
    assert_eq!(done[0].result, json!({ "questions": asked["questions"], "answers": { "Which colour?": "blue" } }));
    assert!(done[1].is_error);
}

#[test]
fn every_output_fits_its_own_schema() {
    let place = tree();
    let calls = [
        ("Bash", json!({ "command": "true" })),
        ("Read", json!({ "file_path": "notes.md" })),
        ("Write", json!({ "file_path": "new", "content": "x" })),
        ("Edit", json!({ "file_path": "notes.md", "old_string": "alpha", "new_string": "omega" })),
        ("MultiEdit", json!({ "file_path": "notes.md", "edits": [{ "old_string": "omega", "new_string": "x" }] })),
        ("Glob", json!({ "pattern": "*" })),
        ("Grep", json!({ "pattern": "x" })),
        ("TodoWrite", json!({ "todos": [] })),
    ];
    let tools = modgate_harness::tools::standard();
    for (result, (name, _)) in call_in(&place, &calls).iter().zip(&calls) {
        assert!(!result.is_error, "{name}: {}", result.text);
        let tool = tools.iter().find(|tool| tool.spec().name == *name).unwrap();
        tool.shape().output(&result.result).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(tool.shape().output(&json!("text")).is_err(), "{name} takes anything for a result");
    }
}

#[test]
fn every_tool_is_allowed_under_bypass() {
    let permissions = Permissions { mode: Mode::BypassPermissions, rules: Vec::new() };
    for tool in modgate_harness::tools::standard() {
        let spec = tool.spec();
        let verdict = permissions.decide(&spec.name, spec.effect, &json!({}), std::path::Path::new("/"));
        assert_eq!(verdict.decision, modgate_harness::permission::Decision::Allow, "{}", spec.name);
    }
}
