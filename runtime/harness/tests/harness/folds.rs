//! What the three readers make of rows.

use modgate_harness::fold::{Block, Item, Message, Role, audit, history, presentation};
use modgate_harness::record::{By, Row, ToolCallRow};
use proptest::prelude::*;
use serde_json::{Value, json};

fn record(rows: Vec<(&str, By, Value)>) -> Vec<Row> {
    let row = |(seq, (kind, by, data)): (usize, (&str, By, Value))| Row {
        seq: seq as u64,
        time: "2026-01-01T00:00:00.000Z".into(),
        kind: kind.into(),
        by,
        prev: String::new(),
        data,
    };
    rows.into_iter().enumerate().map(row).collect()
}

fn user(text: &str) -> (&'static str, By, Value) {
    ("user/message", By::Person, json!({ "turnId": "t", "text": text, "origin": { "kind": "composer" } }))
}

fn answer(text: &str, calls: Value) -> (&'static str, By, Value) {
    let data = json!({ "turnId": "t", "step": 0, "text": text, "calls": calls, "usage": {}, "model": "m" });
    ("assistant/message", By::Model, data)
}

fn call(id: &str, command: &str) -> (&'static str, By, Value) {
    let input = json!({ "command": command });
    let data = json!({ "callId": id, "tool": "Bash", "input": input, "turnId": "t", "step": 0, "revision": 1 });
    ("tool/call", By::Model, data)
}

fn result(id: &str, text: &str, executed: &[&str]) -> (&'static str, By, Value) {
    let executed: Vec<Value> =
        executed.iter().map(|command| json!({ "tool": "Bash", "input": { "command": command } })).collect();
    let data = json!({
        "callId": id, "tool": "Bash", "isError": false, "text": text, "result": {}, "executed": executed,
    });
    ("tool/result", By::Tool("Bash".into()), data)
}

fn text(text: &str) -> Block {
    Block::Text { text: text.into() }
}

#[test]
fn results_follow_the_answer_that_asked() {
    let asked = json!([
        { "id": "a", "name": "Bash", "input": { "command": "model's own" } },
        { "id": "b", "name": "Bash", "input": {} },
        { "id": "dropped", "name": "Bash", "input": {} },
    ]);
    let rows = record(vec![
        user("go"),
        answer("working", asked),
        call("a", "one"),
        result("a", "1", &["one"]),
        call("b", "two"),
        result("b", "2", &["two"]),
        answer("done", json!([])),
    ]);
    let used = |id: &str, command: &str| Block::ToolUse {
        id: id.into(),
        name: "Bash".into(),
        input: json!({ "command": command }),
    };
    let came = |id: &str, content: &str| Block::ToolResult {
        tool_use_id: id.into(),
        content: content.into(),
        is_error: false,
    };
    let expected = vec![
        Message { role: Role::User, content: vec![text("go")] },
        Message { role: Role::Assistant, content: vec![text("working"), used("a", "one"), used("b", "two")] },
        Message { role: Role::User, content: vec![came("a", "1"), came("b", "2")] },
        Message { role: Role::Assistant, content: vec![text("done")] },
    ];
    assert_eq!(history(&rows, None), expected);
    // As the Messages API spells it.
    let wire = serde_json::to_value(&history(&rows, None)[2].content[0]).unwrap();
    assert_eq!(wire, json!({ "type": "tool_result", "tool_use_id": "a", "content": "1", "is_error": false }));
}

#[test]
fn an_amended_call_is_seen_three_ways() {
    let effective = json!({ "tool": "Bash", "input": { "command": "B" } });
    let original = json!({ "tool": "Bash", "input": { "command": "A" } });
    let amend = json!({ "callId": "a", "original": original, "effective": effective });
    let rows = record(vec![
        user("go"),
        answer("", json!([{ "id": "a", "name": "Bash", "input": { "command": "A" } }])),
        call("a", "A"),
        ("tool/amend", By::Mod("fixer".into()), amend),
        result("a", "ran", &["B"]),
    ]);
    let messages = history(&rows, None);
    assert!(matches!(&messages[1].content[0], Block::ToolUse { input, .. } if input["command"] == "A"));
    let Block::Text { text } = &messages[2].content[1] else { panic!("{messages:?}") };
    assert!(text.contains("mod:fixer") && text.contains("\"B\""), "{text}");

    let audit = audit(&rows);
    assert_eq!(audit.calls[0].committed, original);
    assert_eq!(audit.calls[0].amendments[0].call, effective);
    assert_eq!(audit.calls[0].amendments[0].by, "mod:fixer");
    assert_eq!(audit.entries.len(), rows.len());

    let shown = presentation(&rows).into_iter().find_map(|item| match item {
        Item::Call { input, amended, runs, .. } => Some((input, amended, runs)),
        _ => None,
    });
    assert_eq!(shown, Some((json!({ "command": "B" }), true, Some(1))));
}

#[test]
fn attempts_are_numbered_and_told() {
    let attempt = json!({
        "callId": "a", "attempt": 2, "tool": "Bash", "input": { "command": "A" }, "idempotencyKey": "a#2",
        "previous": { "isError": true, "text": "busy" },
    });
    let rows = record(vec![
        user("go"),
        answer("", json!([{ "id": "a", "name": "Bash", "input": {} }])),
        call("a", "A"),
        ("tool/attempt", By::Mod("retrier".into()), attempt),
        result("a", "ran", &["A", "A"]),
    ]);
    let Block::Text { text } = &history(&rows, None)[2].content[1] else { panic!() };
    assert!(text.contains("attempt 2"));
    assert_eq!(audit(&rows).calls[0].attempts.len(), 1);
    let runs = presentation(&rows).into_iter().find_map(|item| match item {
        Item::Call { runs, amended, .. } => Some((runs, amended)),
        _ => None,
    });
    assert_eq!(runs, Some((Some(2), false)));
}

#[test]
fn the_screen_shows_refusals_and_what_a_person_decided() {
    let decision = |decision: &str| {
        json!({ "callId": "a", "attempt": 1, "decision": decision, "verdict": "ask", "source": "person",
            "reason": "because", "tool": "Bash", "input": {} })
    };
    let rows = record(vec![
        ("permission/decision", By::Harness, decision("allow")),
        ("permission/decision", By::Person, decision("allow")),
        ("permission/decision", By::Harness, decision("deny")),
        ("mod/report", By::Mod("m".into()), json!({ "code": "c", "message": "m" })),
        ("ui/toast", By::Mod("m".into()), json!({ "text": "hi" })),
        ("request/header", By::Harness, json!({})),
        ("future/kind", By::Harness, json!({ "x": 1 })),
    ]);
    let items = presentation(&rows);
    assert_eq!(items.len(), 4, "{items:?}");
    assert!(matches!(&items[3], Item::Ui { name, by, .. } if name == "toast" && by == "mod:m"));
}

/// Rows as a session could have written them, and rows no session would write.
fn any_row() -> impl Strategy<Value = (&'static str, By, Value)> {
    let id = prop::sample::select(vec!["a", "b", "c"]);
    let word = prop::sample::select(vec!["A", "B", ""]);
    prop_oneof![
        word.clone().prop_map(user),
        (word.clone(), id.clone())
            .prop_map(|(text, id)| answer(text, json!([{ "id": id, "name": "Bash", "input": {} }]))),
        (id.clone(), word.clone()).prop_map(|(id, word)| call(id, word)),
        (id.clone(), word.clone()).prop_map(|(id, word)| result(id, word, &[word])),
        (id, word).prop_map(|(id, word)| {
            let call = |word: &str| json!({ "tool": "Bash", "input": { "command": word } });
            let data = json!({ "callId": id, "original": call("A"), "effective": call(word) });
            ("tool/amend", By::Mod("m".into()), data)
        }),
        prop::sample::select(modgate_harness::record::kind::ALL.to_vec()).prop_map(|kind| (
            kind,
            By::Harness,
            json!({ "callId": "a", "text": 7 })
        )),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn folds_take_any_rows(rows in prop::collection::vec(any_row(), 0..12)) {
        let rows = record(rows);
        let messages = history(&rows, None);
        prop_assert!(messages.iter().all(|message| !message.content.is_empty()));
        prop_assert_eq!(audit(&rows).entries.len(), rows.len());
        let calls = presentation(&rows).into_iter().filter(|item| matches!(item, Item::Call { .. })).count();
        let ids: std::collections::HashSet<_> =
            rows.iter().filter(|row| row.kind == "tool/call").filter_map(Row::parse::<ToolCallRow>).map(|call| call.call_id).collect();
        prop_assert!(calls >= ids.len());
    }

    #[test]
    fn a_fold_of_more_rows_begins_like_the_fold_of_fewer(rows in prop::collection::vec(any_row(), 0..12), cut in 0..12_usize) {
        let rows = record(rows);
        let cut = cut.min(rows.len());
        let (fewer, more) = (audit(&rows[..cut]).entries, audit(&rows).entries);
        prop_assert_eq!(&fewer[..], &more[..cut]);
    }

    #[test]
    fn committed_and_shown_agree_where_nobody_amended(commands in prop::collection::vec("[a-z ]{0,6}", 0..5)) {
        let ids: Vec<String> = (0..commands.len()).map(|n| format!("call{n}")).collect();
        let mut rows = vec![user("go")];
        for (id, command) in ids.iter().zip(&commands) {
            rows.push(answer("", json!([{ "id": id, "name": "Bash", "input": {} }])));
            rows.push(call(id, command));
            rows.push(result(id, "x", &[command]));
        }
        let rows = record(rows);
        let said: Vec<String> = history(&rows, None).into_iter().flat_map(|message| message.content)
            .filter_map(|block| if let Block::ToolUse { input, .. } = block { Some(input["command"].as_str().unwrap().to_owned()) } else { None })
            .collect();
        let shown: Vec<String> = presentation(&rows).into_iter()
            .filter_map(|item| if let Item::Call { input, .. } = item { Some(input["command"].as_str().unwrap().to_owned()) } else { None })
            .collect();
        let ran: Vec<String> = audit(&rows).calls.into_iter().flat_map(|call| call.executed.unwrap())
            .map(|one| one["input"]["command"].as_str().unwrap().to_owned())
            .collect();
        prop_assert_eq!(&said, &commands);
        prop_assert_eq!(&shown, &commands);
        prop_assert_eq!(&ran, &commands);
    }
}
