//! Reading what Claude Code left, from rows of its forms.

use serde_json::{Value, json};

use modgate_measure::driver::Noted;
use modgate_measure::observe::{ClaudeTraces, Observation, PermissionSeen, from_claude_code};
use modgate_measure::server::Kept;
use modgate_measure::server::script::Lane;
use modgate_measure::{Action, DifferenceKind, findings};

fn kept(item: usize, step: usize, asked: Value, messages: Value) -> Kept {
    let tools = json!([{ "name": "Bash" }]);
    Kept {
        method: "POST".into(),
        path: "/v1/messages".into(),
        lane: Some(Lane::Prompt(item)),
        step,
        asked: serde_json::from_value(asked).unwrap(),
        body: json!({ "messages": messages, "tools": tools }),
    }
}

fn use_of(command: &str) -> Value {
    json!({ "type": "tool_use", "id": "c1", "name": "Bash", "input": { "command": command } })
}

fn hook(event: &str, command: &str) -> Noted {
    let input = json!({ "command": command });
    Noted::Hook(json!({ "hook_event_name": event, "tool_name": "Bash", "tool_input": input, "tool_use_id": "c1" }))
}

struct Left {
    typed: Vec<(String, bool)>,
    requests: Vec<Kept>,
    transcript: Vec<Value>,
    events: Vec<Value>,
    noted: Vec<Noted>,
    log: String,
    observed: bool,
}

impl Left {
    /// One prompt, one call of A, with B run in its place.
    fn rewritten() -> Left {
        let asked = json!([{ "tool": "Bash", "id": "c1", "input": { "command": "A" } }]);
        let first = json!([{ "role": "user", "content": [
            { "type": "text", "text": "<system-reminder>\nmind the gap\n</system-reminder>" },
            { "type": "text", "text": "go, changed" },
        ] }]);
        let result = json!({ "type": "tool_result", "tool_use_id": "c1", "is_error": false,
            "content": "out of B\n\n<system-reminder>\nbeside it\n</system-reminder>" });
        let mut longer = first.as_array().unwrap().clone();
        longer.push(json!({ "role": "assistant", "content": [{ "type": "text", "text": "on it" }, use_of("A")] }));
        longer.push(json!({ "role": "user", "content": [result] }));
        Left {
            typed: vec![("go".into(), false)],
            requests: vec![kept(0, 0, asked, first), kept(0, 1, json!([]), longer.into())],
            transcript: vec![
                json!({ "type": "queue-operation", "content": "go" }),
                json!({ "type": "user", "uuid": "u0", "message": { "role": "user", "content": "go, changed" } }),
                json!({ "type": "attachment", "attachment": {} }),
                json!({ "type": "assistant", "message": { "content": [{ "type": "text", "text": "on it" }] } }),
                json!({ "type": "assistant", "message": { "content": [use_of("A")] } }),
                json!({ "type": "user", "message": { "content": [
                    { "type": "tool_result", "tool_use_id": "c1", "content": "out of B" }
                ] } }),
            ],
            events: vec![
                json!({ "type": "typed", "item": 0 }),
                json!({ "type": "system", "subtype": "init" }),
                json!({ "type": "assistant", "message": { "content": [use_of("A")] } }),
                json!({ "type": "answer", "callId": "c1", "tool": "Bash", "input": { "command": "B" }, "allowed": true }),
                json!({ "type": "result", "result": "on it" }),
                json!({ "type": "system", "subtype": "informational", "content": "a closing line" }),
            ],
            noted: vec![hook("PreToolUse", "B"), Noted::Shell("B".into()), hook("PostToolUse", "B")],
            log: String::new(),
            observed: true,
        }
    }

    fn seen(&self) -> Observation {
        let traces = ClaudeTraces {
            typed: self.typed.clone(),
            ids: (0..self.typed.len()).map(|number| format!("u{number}")).collect(),
            requests: &self.requests,
            transcript: &self.transcript,
            events: &self.events,
            noted: &self.noted,
            log: &self.log,
            observed: self.observed,
        };
        from_claude_code("claude-code@0", &traces)
    }
}

#[test]
fn every_version_of_a_call_is_found() {
    let seen = Left::rewritten().seen();
    let call = seen.call("c1").unwrap();
    assert_eq!(call.asked, Some(Action::bash("A")));
    assert_eq!(call.executed, Some(vec![Action::bash("B")]));
    assert_eq!((&call.transcript, &call.history), (&Some(Action::bash("A")), &Some(Action::bash("A"))));
    assert_eq!(call.screen, Some(Action::bash("A")));
    let about = Some(Action::bash("B"));
    assert_eq!(call.permissions, [PermissionSeen { allowed: true, about, asked: true, by: "person".into() }]);
    assert_eq!(call.reading.as_ref().unwrap().text.as_deref(), Some("out of B"));
    assert_eq!(call.context[0].text.as_deref(), Some("beside it"));
    let kinds: Vec<_> = findings(&seen).iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [DifferenceKind::ExecutedNotRecorded, DifferenceKind::PermissionSawOther]);
}

#[test]
fn prompts_carry_what_entered_and_what_was_shown() {
    let seen = Left::rewritten().seen();
    let prompt = &seen.prompts[0];
    assert_eq!((prompt.history.as_deref(), prompt.transcript.as_deref()), (Some("go, changed"), Some("go, changed")));
    assert_eq!(prompt.context[0].text.as_deref(), Some("mind the gap"));
    assert_eq!(prompt.answers, ["on it"]);
    let shown: Vec<_> = prompt.shown.iter().filter_map(|one| one.text.as_deref()).collect();
    assert_eq!(shown, ["a closing line"], "the result repeats the answer and is left out");
    assert!(!prompt.dropped);
}

#[test]
fn a_repeated_run_is_two_executions_with_a_decision_each() {
    let mut left = Left::rewritten();
    left.events.retain(|event| event["type"] != "answer");
    let once = [hook("PreToolUse", "A"), Noted::Shell("A".into()), hook("PostToolUse", "A")];
    left.noted = once.iter().chain(&once).cloned().collect();
    let seen = left.seen();
    let call = seen.call("c1").unwrap();
    assert_eq!(call.executed, Some(vec![Action::bash("A"), Action::bash("A")]));
    assert_eq!(call.permissions.len(), 2);
    assert!(call.permissions.iter().all(|one| one.allowed && !one.asked));
}

#[test]
fn a_call_that_was_stopped_ran_nothing_and_is_denied() {
    let mut left = Left::rewritten();
    left.events.retain(|event| event["type"] != "answer");
    left.noted = vec![hook("PreToolUse", "A")];
    let seen = left.seen();
    let call = seen.call("c1").unwrap();
    assert_eq!(call.executed, Some(Vec::new()));
    let about = Some(Action::bash("A"));
    assert_eq!(call.permissions, [PermissionSeen { allowed: false, about, asked: false, by: String::new() }]);
    // A hook that denies by itself leaves nothing to decide.
    left.noted.clear();
    assert_eq!(left.seen().call("c1").unwrap().permissions, []);
}

#[test]
fn other_tools_count_as_the_hook_after_them_says() {
    let mut left = Left::rewritten();
    let write = |event: &str| {
        let input = json!({ "file_path": "a", "content": "x" });
        Noted::Hook(json!({ "hook_event_name": event, "tool_name": "Write", "tool_input": input, "tool_use_id": "c1" }))
    };
    left.noted = vec![write("PreToolUse"), write("PostToolUse")];
    let ran = left.seen().call("c1").unwrap().executed.clone().unwrap();
    assert_eq!(ran, [Action::new("Write", json!({ "file_path": "a", "content": "x" }))]);
}

#[test]
fn a_prompt_without_a_request_was_dropped_and_late_lines_stay_with_their_turn() {
    let mut left = Left::rewritten();
    left.typed = vec![("go".into(), false), ("secret".into(), false)];
    // The closing line of the first turn is printed when the second prompt is typed already.
    left.events.insert(5, json!({ "type": "typed", "item": 1 }));
    left.events.push(json!({ "type": "system", "subtype": "init" }));
    left.events.push(json!({ "type": "result", "result": "dropped: not this one" }));
    let seen = left.seen();
    let shown: Vec<Vec<_>> =
        seen.prompts.iter().map(|prompt| prompt.shown.iter().filter_map(|one| one.text.clone()).collect()).collect();
    assert_eq!(shown, [vec!["a closing line"], vec!["dropped: not this one"]]);
    assert_eq!((seen.prompts[0].dropped, seen.prompts[1].dropped), (false, true));
}

#[test]
fn what_a_command_leaves_for_the_model_belongs_to_the_command() {
    let mut left = Left::rewritten();
    left.typed = vec![("/greet".into(), true), ("go".into(), false)];
    let said = json!([{ "role": "user", "content": [
        { "type": "text", "text": "greeted somebody" },
        { "type": "text", "text": "go" },
    ] }]);
    left.requests = vec![kept(1, 0, json!([]), said)];
    let seen = left.seen();
    assert_eq!(seen.prompts[0].context[0].text.as_deref(), Some("greeted somebody"));
    assert_eq!((seen.prompts[1].history.as_deref(), seen.prompts[1].context.len()), (Some("go"), 0));
    assert!(!seen.prompts[0].dropped);
}

#[test]
fn tools_of_mods_are_found_in_the_list_and_in_messages() {
    let mut left = Left::rewritten();
    left.requests[0].body["tools"] = json!([{ "name": "Bash" }, { "name": "mcp__m__one" }]);
    let reminder = "<system-reminder>\nto be loaded:\nWebFetch\nmcp__m__two\n</system-reminder>";
    left.requests[0].body["messages"][0]["content"][0]["text"] = reminder.into();
    assert_eq!(left.seen().offered, ["mcp__m__one", "mcp__m__two"]);
}

#[test]
fn without_hooks_only_a_single_call_is_told() {
    let mut left = Left::rewritten();
    left.observed = false;
    left.noted = vec![Noted::Shell("B".into())];
    assert_eq!(left.seen().call("c1").unwrap().executed, Some(vec![Action::bash("B")]));
    let two = json!([
        { "tool": "Bash", "id": "c1", "input": { "command": "A" } },
        { "tool": "Bash", "id": "c2", "input": { "command": "C" } },
    ]);
    left.requests[0].asked = serde_json::from_value(two).unwrap();
    assert_eq!(left.seen().call("c1").unwrap().executed, None, "nobody knows");
}
