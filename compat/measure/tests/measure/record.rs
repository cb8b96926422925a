//! The same from records of the native harness.

use std::path::Path;

use modgate_harness::script::{RunOptions, Scenario, run};
use modgate_measure::{Action, Case, Measured, Observation, compare, findings};

const SCENARIO: &str = r##"
    name = "t"
    [permissions]
    allow = ["Bash(./note A)"]
    deny = ["Bash(./note C)"]
    [files."note"]
    executable = true
    content = "#!/bin/sh\necho \"$1\" >> ran.log\necho \"ran $1\"\n"
    [[permission]]
    call = "Bash(./note B)"
    answer = "allow"
    [[prompt]]
    text = "go"
    [[prompt.step]]
    text = "on it"
    [[prompt.step.call]]
    tool = "Bash"
    input = { command = "./note A" }
    [[prompt.step]]
    [[prompt.step.call]]
    tool = "Bash"
    input = { command = "./note B" }
    [[prompt.step.call]]
    tool = "Bash"
    input = { command = "./note C" }
    [[prompt.step]]
    text = "done"
    [[prompt]]
    text = "thanks"
    [[prompt.step]]
    text = "welcome"
"##;

async fn native(folder: &Path) -> Observation {
    let scenario = Scenario::parse(SCENARIO, "test").unwrap();
    let work = folder.join("work");
    std::fs::create_dir(&work).unwrap();
    let outcome = run(&scenario, RunOptions::new(folder.join("record.jsonl"), &work)).await.unwrap();
    Observation::from_record("native@0", &outcome.rows).with_files(&work).unwrap().relative_to(&work)
}

#[tokio::test]
async fn a_native_session_shows_one_version_of_every_call() {
    let folder = tempfile::tempdir().unwrap();
    let seen = native(folder.path()).await;
    assert_eq!(findings(&seen), []);
    let ids: Vec<&str> = seen.calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["call_1_1_1", "call_1_2_1", "call_1_2_2"]);
    for (call, (letter, runs)) in seen.calls.iter().zip([("A", 1), ("B", 1), ("C", 0)]) {
        let action = Action::bash(&format!("./note {letter}"));
        assert_eq!(call.asked, Some(action.clone()));
        assert_eq!((&call.transcript, &call.history), (&Some(action.clone()), &Some(action.clone())));
        assert_eq!(call.executed, Some(vec![action.clone(); runs]));
        assert_eq!(call.prompt, Some(0));
        let decided = call.permissions.last().unwrap();
        assert_eq!((decided.allowed, decided.about.as_ref()), (runs == 1, Some(&action)));
        assert_eq!(decided.asked, letter == "B");
        let reading = call.reading.as_ref().unwrap();
        assert_eq!(reading.is_error, runs == 0);
        assert_eq!(reading.text.as_deref().unwrap().contains(&format!("ran {letter}")), runs == 1);
    }
    assert_eq!(seen.files["ran.log"], "A\nB\n");
}

#[tokio::test]
async fn prompts_and_answers_are_those_of_the_script() {
    let folder = tempfile::tempdir().unwrap();
    let seen = native(folder.path()).await;
    let prompts: Vec<_> = seen.prompts.iter().map(|one| (one.typed.as_str(), one.history.as_deref())).collect();
    assert_eq!(prompts, [("go", Some("go")), ("thanks", Some("thanks"))]);
    assert_eq!(seen.prompts[0].answers, ["on it", "done"]);
    assert_eq!(seen.prompts[1].answers, ["welcome"]);
}

#[tokio::test]
async fn two_runs_of_one_scenario_agree() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(compare(&native(one.path()).await, &native(two.path()).await), []);
}

/// Where a mod changes nothing, the native harness and the real program have to agree, all the way through.
#[tokio::test]
async fn without_a_change_native_and_real_agree() {
    for name in ["pass", "deny-rule"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods-fixtures/measure").join(name);
        let case = Case::read(&folder).unwrap();
        let measured = Measured::read(&Measured::path(&folder, "claude-code@2.1.332")).unwrap().observation;
        let room = tempfile::tempdir().unwrap();
        let work = room.path().join("work");
        std::fs::create_dir(&work).unwrap();
        let outcome = run(&case.scenario, RunOptions::new(room.path().join("record.jsonl"), &work)).await.unwrap();
        let native = Observation::from_record("native@0", &outcome.rows).with_files(&work).unwrap();
        let mut native = native.relative_to(&work);
        native.look_for(&case.words);
        assert_eq!(compare(&measured, &native), [], "{name}");
        assert_eq!(compare(&native, &measured), [], "{name}");
    }
}
