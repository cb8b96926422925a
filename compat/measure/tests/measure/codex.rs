//! Reading what Codex left, from rows of its forms.

use serde_json::{Value, json};

use modgate_measure::observe::{CodexTraces, Observation, from_codex};
use modgate_measure::server::Kept;
use modgate_measure::server::script::Lane;
use modgate_measure::{Action, DifferenceKind, findings};

fn said(role: &str, text: &str) -> Value {
    json!({ "type": "message", "role": role, "content": [{ "type": "input_text", "text": text }] })
}

fn call(command: &str) -> Value {
    let arguments = json!({ "cmd": command }).to_string();
    json!({ "type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": "c1" })
}

fn kept(item: usize, asked: Value, input: Vec<Value>) -> Kept {
    Kept {
        method: "POST".into(),
        path: "/v1/responses".into(),
        lane: Some(Lane::Prompt(item)),
        step: 0,
        asked: serde_json::from_value(asked).unwrap(),
        body: json!({ "input": input }),
    }
}

fn seen() -> Observation {
    let asked = json!([{ "tool": "Bash", "id": "c1", "input": { "command": "A" } }]);
    let output = json!({ "type": "function_call_output", "call_id": "c1",
        "output": "Wall time: 0 seconds\nProcess exited with code 0\nOutput:\nout of B\n" });
    let first = vec![said("developer", "be brief"), said("user", "go"), said("developer", "mind the gap")];
    let mut longer = first.clone();
    longer.extend([said("assistant", "on it"), call("A"), said("developer", "beside it"), output.clone()]);
    let mut last = longer.clone();
    last.extend([said("assistant", "done"), said("user", "<hook>go on</hook>")]);
    let requests = [kept(0, asked, first), kept(0, json!([]), longer), kept(0, json!([]), last)];
    let row = |payload: Value| json!({ "type": "response_item", "payload": payload });
    let ran = json!({ "type": "CommandExecution", "id": "c1", "command": ["/bin/bash", "-lc", "B"] });
    let transcript = [
        row(said("user", "go")),
        row(said("assistant", "on it")),
        row(call("A")),
        json!({ "type": "event_msg", "payload": { "type": "item_completed", "item": ran } }),
        row(output),
        row(said("assistant", "done")),
    ];
    let shown = json!({ "type": "command_execution", "command": "/bin/bash -lc 'B'", "status": "completed" });
    let events = [json!({ "type": "typed", "item": 0 }), json!({ "type": "item.completed", "item": shown })];
    let typed = vec!["go".to_owned(), "secret".to_owned()];
    from_codex("codex@0", &CodexTraces { typed, requests: &requests, transcript: &transcript, events: &events })
}

#[test]
fn every_version_of_a_call_is_found_under_the_scripts_name() {
    let seen = seen();
    let call = seen.call("c1").unwrap();
    assert_eq!((&call.asked, &call.history), (&Some(Action::bash("A")), &Some(Action::bash("A"))));
    assert_eq!(call.transcript, Some(Action::bash("A")));
    assert_eq!(call.executed, Some(vec![Action::bash("B")]));
    assert_eq!(call.screen, Some(Action::bash("B")));
    assert_eq!(call.permissions, [], "nobody is asked");
    assert_eq!(call.reading.as_ref().unwrap().text.as_deref(), Some("out of B"));
    assert_eq!(call.context.iter().filter_map(|one| one.text.as_deref()).collect::<Vec<_>>(), ["beside it"]);
    let found = findings(&seen);
    assert_eq!(found.iter().map(|one| one.kind).collect::<Vec<_>>(), [DifferenceKind::ExecutedNotRecorded]);
    assert!(found[0].reason.contains("transcript and history"), "the screen shows what ran: {}", found[0].reason);
}

#[test]
fn prompts_carry_what_hooks_add_and_a_dropped_one_has_no_request() {
    let seen = seen();
    let prompt = &seen.prompts[0];
    assert_eq!((prompt.history.as_deref(), prompt.transcript.as_deref()), (Some("go"), Some("go")));
    let context: Vec<_> = prompt.context.iter().filter_map(|one| one.text.as_deref()).collect();
    assert_eq!(context, ["be brief", "mind the gap", "<hook>go on</hook>"]);
    assert_eq!(prompt.answers, ["on it", "done"]);
    assert!(seen.prompts[1].dropped && !prompt.dropped);
}
