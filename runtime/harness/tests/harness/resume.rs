//! Going on from a record, cut anywhere.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::fold::{audit, history, presentation};
use modgate_harness::point::{Assembly, Context, LoggedCall, ToolOutcome};
use modgate_harness::record::{Record, RecordError, read};
use modgate_harness::report::ContributorError;
use modgate_harness::script::RunError;
use modgate_harness::session::{Execution, OpenStep, Progress};
use modgate_harness::{HarnessError, Registry, SessionHandle, SessionPolicy};
use parking_lot::Mutex;
use serde_json::json;

use crate::support::{Place, Wrap, block, codes, cut, failed, go_on, play, results, rows, scenario};

const SCRIPT: &str = r#"
[permissions]
mode = "acceptEdits"
allow = ["Bash(echo *)"]
[files]
"a.txt" = "one\n"
[[prompt]]
text = "first"
[[prompt.step]]
text = "reading"
[[prompt.step.call]]
tool = "Read"
id = "read"
input = { file_path = "a.txt" }
[[prompt.step.call]]
tool = "Bash"
id = "log1"
input = { command = "echo 1 >> log.txt" }
[[prompt.step]]
text = "editing"
[[prompt.step.call]]
tool = "Edit"
id = "edit"
input = { file_path = "a.txt", old_string = "one", new_string = "two" }
[[prompt.step]]
text = "done"
[[prompt]]
command = "/nothing"
[[prompt]]
text = "second"
[[prompt.step]]
[[prompt.step.call]]
tool = "Bash"
id = "log2"
input = { command = "echo 2 >> log.txt" }
[[prompt.step]]
text = "all done"
[[permission]]
call = "Bash"
answer = "allow"
"#;

#[test]
fn a_record_cut_after_any_row_is_finished() {
    let (whole, outcome) = play(SCRIPT, Registry::default(), SessionPolicy::default());
    let total = outcome.rows.len();
    let bytes = std::fs::read(&whole.record).unwrap();
    for kept in 1..total {
        let place = Place::new();
        // The working directory as it was after that row: what ran before it has happened.
        std::fs::write(&place.record, &bytes).unwrap();
        cut(&place.record, kept, b"{\"seq\":");
        let before = outcome.rows[..kept].to_vec();
        replay_files(&place, &before);
        retarget(&place, &whole);
        let resumed = go_on(&place, SCRIPT, Registry::default());
        assert!(Progress::of(&resumed.rows).ended, "cut after row {kept}");
        let done = results(&resumed.rows);
        assert_eq!(done.len(), 4, "cut after row {kept}: every call has one result");
        let interrupted: Vec<&str> =
            done.iter().filter(|one| one.interrupted).map(|one| one.call_id.as_str()).collect();
        let open = Progress::of(&before).unfinished_calls;
        assert_eq!(interrupted, open.iter().map(|call| call.call_id.as_str()).collect::<Vec<_>>());
        assert_eq!(rows(&resumed.rows, "session/resume")[0].data["droppedBytes"], 7);
        let log = place.file("log.txt").unwrap_or_default();
        for (name, line) in [("log1", "1"), ("log2", "2")] {
            let times = log.lines().filter(|one| *one == line).count();
            let expected = usize::from(!interrupted.contains(&name));
            assert_eq!(times, expected, "cut after row {kept}, {name}: {log:?}");
        }
        assert_eq!(rows(&resumed.rows, "turn/end").len(), 2, "cut after row {kept}");
        assert_eq!(read(&place.record).unwrap().rows, resumed.rows);
    }
}

/// Does to the new directory what the rows say was done to the old one.
fn replay_files(place: &Place, before: &[modgate_harness::record::Row]) {
    std::fs::write(place.work.join("a.txt"), "one\n").unwrap();
    for result in results(before) {
        match result.call_id.as_str() {
            "log1" => std::fs::write(place.work.join("log.txt"), "1\n").unwrap(),
            "log2" => {
                let log = place.file("log.txt").unwrap_or_default();
                std::fs::write(place.work.join("log.txt"), log + "2\n").unwrap();
            }
            "edit" => std::fs::write(place.work.join("a.txt"), "two\n").unwrap(),
            _ => {}
        }
    }
}

/// Writes the cut record anew with the new directory in it; the torn tail stays.
fn retarget(place: &Place, whole: &Place) {
    let text = std::fs::read_to_string(&place.record).unwrap();
    let (lines, torn) = text.rsplit_once('\n').unwrap();
    std::fs::remove_file(&place.record).unwrap();
    let mut record = Record::create(&place.record, Arc::new(std::time::SystemTime::now)).unwrap();
    for line in lines.lines() {
        let line = line.replace(whole.work.to_str().unwrap(), place.work.to_str().unwrap());
        let row: modgate_harness::record::Row = serde_json::from_str(&line).unwrap();
        record.append(&row.kind, row.by, row.data).unwrap();
    }
    drop(record);
    let mut bytes = std::fs::read(&place.record).unwrap();
    bytes.extend_from_slice(torn.as_bytes());
    std::fs::write(&place.record, bytes).unwrap();
}

#[test]
fn what_tools_remember_survives_a_resume() {
    let (place, outcome) = play(SCRIPT, Registry::default(), SessionPolicy::default());
    // Cut right before the edit was committed: the read that allows it is in the record only.
    let edit = rows(&outcome.rows, "tool/call").iter().find(|row| row.data["callId"] == "edit").unwrap().seq;
    std::fs::write(place.work.join("a.txt"), "one\n").unwrap();
    cut(&place.record, edit as usize, b"");
    let resumed = go_on(&place, SCRIPT, Registry::default());
    let edited = results(&resumed.rows).into_iter().find(|one| one.call_id == "edit").unwrap();
    assert!(!edited.is_error, "{}", edited.text);
    assert_eq!(place.file("a.txt").as_deref(), Some("two\n"));
}

#[test]
fn a_finished_record_is_left_alone() {
    let (place, outcome) = play(SCRIPT, Registry::default(), SessionPolicy::default());
    let before = std::fs::read(&place.record).unwrap();
    let again = go_on(&place, SCRIPT, Registry::default());
    assert_eq!(again.rows, outcome.rows);
    assert_eq!(std::fs::read(&place.record).unwrap(), before);
}

#[test]
fn folds_of_a_resumed_record_are_the_folds_of_its_rows() {
    let (place, outcome) = play(SCRIPT, Registry::default(), SessionPolicy::default());
    let rows = read(&place.record).unwrap().rows;
    assert_eq!(history(&rows, None), history(&outcome.rows, None));
    assert_eq!(audit(&rows), audit(&outcome.rows));
    assert_eq!(presentation(&rows), presentation(&outcome.rows));
}

#[test]
fn an_interrupted_call_is_closed_and_never_run_again() {
    let (place, outcome) = play(SCRIPT, Registry::default(), SessionPolicy::default());
    let call = rows(&outcome.rows, "tool/call").iter().find(|row| row.data["callId"] == "log2").unwrap().seq;
    std::fs::write(place.work.join("log.txt"), "").unwrap();
    cut(&place.record, call as usize + 1, b"");
    let contributor = Wrap::new(|call: LoggedCall, execute: Execution| async move {
        assert_ne!(call.id, "log2", "an interrupted call came back");
        execute.run().await.map_err(failed) as Result<ToolOutcome, ContributorError>
    });
    let resumed = go_on(&place, SCRIPT, Registry::builder().tool_lifecycle("watch", contributor).build());
    let result = results(&resumed.rows).into_iter().find(|one| one.call_id == "log2").unwrap();
    assert!(result.interrupted && result.is_error && result.text.contains("not known whether it ran"));
    assert_eq!(place.file("log.txt").as_deref(), Some(""));
    let call = audit(&resumed.rows).calls.into_iter().find(|call| call.call_id == "log2").unwrap();
    assert_eq!(call.executed, None, "nobody knows");
}

/// Another set of contributors than the one a step was prepared with.
struct Fingerprint(&'static str);

#[async_trait]
impl Context for Fingerprint {
    async fn assemble(&self, assembly: &mut Assembly, _: &SessionHandle) -> Result<(), ContributorError> {
        assembly.fingerprints.push(self.0.into());
        Ok(())
    }
}

#[test]
fn calls_prepared_under_another_snapshot_are_refused() {
    let registry = |print| Registry::builder().context("mods", Arc::new(Fingerprint(print))).build();
    let (place, outcome) = play(SCRIPT, registry("v1"), SessionPolicy::default());
    let answer = rows(&outcome.rows, "assistant/message")[0].seq as usize;
    std::fs::write(place.work.join("log.txt"), "").unwrap();
    cut(&place.record, answer + 1, b"");
    let resumed = go_on(&place, SCRIPT, registry("v2"));
    assert_eq!(codes(&resumed.rows)[..2], ["call-stale", "call-stale"]);
    assert_eq!(rows(&resumed.rows, "tool/drop").len(), 2);
    assert!(!place.file("log.txt").unwrap().contains('1'));
}

#[test]
fn the_person_does_not_answer_twice() {
    let text = r#"
        [[prompt]]
        text = "go"
        [[prompt.step]]
        [[prompt.step.call]]
        tool = "Bash"
        id = "one"
        input = { command = "rm -f x" }
        [[prompt.step]]
        [[prompt.step.call]]
        tool = "Bash"
        id = "two"
        input = { command = "rm -f y" }
        [[permission]]
        call = "Bash(rm *)"
        answer = "allow"
        times = 1
        [[expect.result]]
        call = "one"
        runs = 1
        [[expect.result]]
        call = "two"
        is_error = true
        runs = 0
    "#;
    let (place, outcome) = play(text, Registry::default(), SessionPolicy::default());
    let first = rows(&outcome.rows, "tool/result")[0].seq as usize;
    cut(&place.record, first + 1, b"");
    assert_eq!(go_on(&place, text, Registry::default()).mismatches, []);
}

#[test]
fn what_cannot_be_resumed_says_why() {
    let place = Place::new();
    let resume = |place: &Place| {
        let options = place.options(Registry::default(), SessionPolicy::default());
        block(modgate_harness::script::resume(&scenario(SCRIPT), options)).unwrap_err()
    };
    assert_eq!(resume(&place).code(), "record-io");
    std::fs::write(&place.record, "").unwrap();
    assert!(matches!(resume(&place), RunError::Session(HarnessError::NoSession { .. })));
    std::fs::write(&place.record, "nonsense\n").unwrap();
    let RunError::Session(HarnessError::Record(error)) = resume(&place) else { panic!() };
    assert!(matches!(error, RecordError::Malformed { line: 1, .. }));
}

#[test]
fn progress_says_where_a_turn_stands() {
    let (_, outcome) = play(SCRIPT, Registry::default(), SessionPolicy::default());
    let seen = Mutex::new(Vec::new());
    for kept in 0..outcome.rows.len() {
        let open = Progress::of(&outcome.rows[..kept]).open;
        let step = open.map(|open| match open.step {
            OpenStep::Request { step } => format!("request {step}"),
            OpenStep::Calls { calls, .. } => format!("calls {}", calls.len()),
            OpenStep::Answered => "answered".into(),
        });
        let mut seen = seen.lock();
        if seen.last() != Some(&step) {
            seen.push(step);
        }
    }
    let seen: Vec<Option<String>> = seen.into_inner();
    let names: Vec<&str> = seen.iter().map(|step| step.as_deref().unwrap_or("none")).collect();
    let expected = [
        "none",
        "request 0",
        "calls 2",
        "calls 1",
        "request 1",
        "calls 1",
        "request 2",
        "answered",
        "none",
        "request 0",
        "calls 1",
        "request 1",
        "answered",
        "none",
    ];
    assert_eq!(names, expected);
    assert_eq!(json!(Progress::of(&outcome.rows).next_script), 3);
}
