use serde_json::json;

use crate::observe::{Gap, GapKind, PermissionSeen, PromptSeen, Reading, Skip};
use crate::{Action, CallSeen, Observation};

use super::*;

/// A call of A that ran as `ran` and is recorded as A.
fn host(name: &str, ran: &[&str]) -> Observation {
    let a = Action::bash("./note A");
    let call = CallSeen {
        id: "call_1_1_1".into(),
        prompt: Some(0),
        asked: Some(a.clone()),
        executed: Some(ran.iter().map(|one| Action::bash(one)).collect()),
        transcript: Some(a.clone()),
        history: Some(a.clone()),
        screen: Some(a),
        reading: Some(Reading::new("ran", false)),
        ..CallSeen::default()
    };
    let prompts = vec![PromptSeen { typed: "go".into(), history: Some("go".into()), ..PromptSeen::default() }];
    Observation { host: name.into(), prompts, calls: vec![call], ..Observation::default() }
}

fn names(differences: &[Difference]) -> Vec<&'static str> {
    differences.iter().map(|one| one.kind.name()).collect()
}

#[test]
fn hosts_that_agree_have_no_difference() {
    assert_eq!(compare(&host("one", &["./note A"]), &host("two", &["./note A"])), []);
    // Two hosts with the same danger agree as well, and are unsafe both.
    let dangerous = [HostRun::ran(host("one", &["./note B"])), HostRun::ran(host("two", &["./note B"]))];
    assert_eq!(compare(&host("one", &["./note B"]), &host("two", &["./note B"])), []);
    let verdicts: Vec<_> = align("t", &dangerous).columns.iter().map(|one| one.verdict).collect();
    assert_eq!(verdicts, [Verdict::Unsafe, Verdict::Unsafe]);
    let comparison = align("t", &[HostRun::ran(host("one", &["./note A"])), HostRun::ran(host("two", &["./note A"]))]);
    assert!(comparison.all_same());
}

#[test]
fn a_rewrite_that_runs_is_named_once_and_explains_the_rest() {
    let mut rewritten = host("two", &["./note B"]);
    rewritten.calls[0].reading = Some(Reading::new("ran B", false));
    let differences = compare(&host("one", &["./note A"]), &rewritten);
    assert_eq!(names(&differences), ["executed≠recorded"]);
    let one = &differences[0];
    assert_eq!((one.expected.as_str(), one.seen.as_str()), ("Bash `./note A`", "Bash `./note B`"));
    assert_eq!((one.severity, one.side), (Severity::Unsafe, Side::Seen));
    assert!(one.reason.contains("transcript, history and screen"), "{}", one.reason);
}

#[test]
fn seen_from_the_other_side_it_is_no_danger() {
    let differences = compare(&host("one", &["./note B"]), &host("two", &["./note A"]));
    assert_eq!(names(&differences), ["executed≠recorded"]);
    assert_eq!((differences[0].severity, differences[0].side), (Severity::Differs, Side::Expected));
    assert!(differences[0].reason.starts_with("only under one"));
}

#[test]
fn a_correction_in_the_history_is_a_record() {
    let mut amended = host("two", &["./note B"]);
    amended.calls[0].correction = Some(Action::bash("./note B"));
    let about = Some(Action::bash("./note B"));
    amended.calls[0].permissions = vec![PermissionSeen { allowed: true, about, asked: false, by: String::new() }];
    assert_eq!(findings(&amended), []);
    assert_eq!(names(&compare(&host("one", &["./note A"]), &amended)), ["other execution"]);
}

#[test]
fn running_twice_is_named_with_what_ran() {
    let differences = compare(&host("one", &["./note A"]), &host("two", &["./note A", "./note A"]));
    assert_eq!(names(&differences), ["ran twice"]);
    assert_eq!(differences[0].seen, "Bash `./note A`, 2 times");
}

#[test]
fn an_attempt_with_a_record_of_its_own_is_no_second_run_of_one_call() {
    let mut retried = host("two", &["./note A", "./note B"]);
    retried.calls[0].attempts = vec![Action::bash("./note B")];
    assert_eq!(findings(&retried), []);
    retried.calls[0].executed = Some(vec![Action::bash("./note A"); 3]);
    assert_eq!(names(&findings(&retried)), ["ran twice"], "a third run has no record");
}

#[test]
fn permission_on_other_arguments_is_named() {
    let mut two = host("two", &["./note A"]);
    let about = Some(Action::bash("./note B"));
    two.calls[0].permissions = vec![PermissionSeen { allowed: true, about, asked: true, by: "person".into() }];
    let mut one = host("one", &["./note A"]);
    assert_eq!(compare(&one, &two), [], "nobody noted what the first host decided on");
    let about = Some(Action::bash("./note A"));
    one.calls[0].permissions = vec![PermissionSeen { allowed: true, about, asked: true, by: "person".into() }];
    assert_eq!(names(&compare(&one, &two)), ["permission saw other arguments"]);
}

#[test]
fn what_runs_here_and_was_stopped_there_is_unsafe() {
    let stopped = host("one", &[]);
    let differences = compare(&stopped, &host("two", &["./note A"]));
    assert_eq!((names(&differences), differences[0].severity), (vec!["other execution"], Severity::Unsafe));
    assert_eq!((differences[0].expected.as_str(), differences[0].seen.as_str()), ("nothing", "Bash `./note A`"));
    let differences = compare(&host("two", &["./note A"]), &stopped);
    assert_eq!(differences[0].severity, Severity::Differs);
}

#[test]
fn gaps_and_skips_carry_mod_and_position() {
    let mut two = host("two", &["./note A"]);
    let position = Some("register.ts:2:3".to_owned());
    two.skipped =
        vec![Skip { name: "m".into(), event: "tool.call".into(), position: position.clone(), ..Skip::default() }];
    let gap = |kind, of: &str| Gap { kind, name: "m".into(), of: of.into(), position: position.clone() };
    two.gaps = vec![gap(GapKind::Event, "ui.render"), gap(GapKind::Member, "mcp.call"), gap(GapKind::Load, "")];
    let differences = compare(&host("one", &["./note A"]), &two);
    assert_eq!(names(&differences), ["hook skipped", "event never raised", "member not served", "mod not loaded"]);
    let of: Vec<_> = differences.iter().map(|one| one.of.as_deref().unwrap()).collect();
    assert_eq!(of, ["m tool.call", "m ui.render", "m mcp.call", "m"]);
    assert!(differences.iter().all(|one| one.position == position));
}

#[test]
fn a_skip_is_the_same_where_only_one_host_says_at_which_call() {
    let skip = |call_id: Option<&str>| Skip {
        name: "m".into(),
        event: "tool.call".into(),
        call_id: call_id.map(str::to_owned),
        ..Skip::default()
    };
    let (mut one, mut two) = (host("one", &["./note A"]), host("two", &["./note A"]));
    one.skipped = vec![skip(Some("call_1_1_1"))];
    two.skipped = vec![skip(None)];
    assert_eq!(compare(&one, &two), []);
    two.skipped.push(skip(None));
    assert_eq!(names(&compare(&one, &two)), ["hook skipped"], "the second one is not there");
}

#[test]
fn texts_are_compared_by_the_words_looked_for() {
    let (mut one, mut two) = (host("one", &["./note A"]), host("two", &["./note A"]));
    one.calls[0].reading = Some(Reading::new("refused: not today", true));
    two.calls[0].reading = Some(Reading::new("The tool said no (not today).", true));
    assert_eq!(names(&compare(&one, &two)), ["other result"]);
    let words = ["not today".to_owned()];
    one.look_for(&words);
    two.look_for(&words);
    assert_eq!(compare(&one, &two), []);
    two.calls[0].reading = Some(Reading { is_error: false, ..two.calls[0].reading.clone().unwrap() });
    assert_eq!(names(&compare(&one, &two)), ["other result"]);
}

#[test]
fn prompts_answers_files_and_tools_are_compared() {
    let (mut one, mut two) = (host("one", &["./note A"]), host("two", &["./note A"]));
    two.prompts[0].history = None;
    two.prompts[0].dropped = true;
    two.prompts[0].answers = vec!["other".into()];
    two.prompts[0].shown = vec![Reading::new("line", false)];
    two.offered = vec!["mcp__m__t".into()];
    one.files.insert("a".into(), "1".into());
    let differences = compare(&one, &two);
    assert_eq!(names(&differences), ["other prompt", "other answer", "other output", "other tools", "other file"]);
    assert_eq!((differences[0].expected.as_str(), differences[0].seen.as_str()), ("go", "dropped"));
    assert_eq!((differences[4].expected.as_str(), differences[4].seen.as_str()), ("\"1\"", "no file"));
}

#[test]
fn calls_are_aligned_by_id_and_a_missing_one_is_said() {
    let one = host("one", &["./note A"]);
    let mut two = host("two", &["./note A"]);
    two.calls[0].id = "call_1_1_2".into();
    assert_eq!(names(&compare(&one, &two)), ["call missing", "call missing"]);
    let comparison = align("t", &[HostRun::ran(one), HostRun::cannot("three", "no"), HostRun::ran(two)]);
    let keys: Vec<&str> = comparison
        .lines
        .iter()
        .filter_map(|line| match line {
            Line::Call { key, .. } => Some(key.as_str()),
            Line::Prompt { .. } => None,
        })
        .collect();
    assert_eq!(keys, ["call_1_1_1", "call_1_1_2"]);
    let verdicts: Vec<_> = comparison.columns.iter().map(|one| one.verdict).collect();
    assert_eq!(verdicts, [Verdict::Same, Verdict::CannotRun, Verdict::Differs]);
}

#[test]
fn names_are_what_programs_read() {
    let differences = compare(&host("one", &["./note A"]), &host("two", &["./note B"]));
    let value = serde_json::to_value(&differences).unwrap();
    assert_eq!(value[0]["kind"], json!("executed≠recorded"));
    assert_eq!(value[0]["severity"], json!("unsafe"));
}
