use serde_json::json;

use super::*;
use crate::{event, member};

fn value(json: serde_json::Value) -> Value {
    Value::from(json)
}

fn next(name: &str, original: serde_json::Value, passed: serde_json::Value) -> Result<Value, Refusal> {
    next_input(event(name).unwrap(), &value(original), &value(passed))
}

fn answered(name: &str, beneath: Option<serde_json::Value>, given: serde_json::Value) -> Result<Value, Refusal> {
    answer(event(name).unwrap(), &Value::object::<&str>([]), beneath.map(value).as_ref(), &value(given))
}

#[test]
fn next_needs_the_argument() {
    let call = event("tool.call").unwrap();
    let original = value(json!({"tool": "Bash", "tool_use_id": "u"}));
    for passed in [Value::Undefined, Value::Null, Value::text("x"), Value::list([])] {
        let refusal = next_input(call, &original, &passed).unwrap_err();
        assert_eq!(refusal.code, Code::NoArgument);
        assert!(refusal.message.starts_with("next() takes the event's argument"), "{refusal}");
    }
}

#[test]
fn a_pinned_field_is_named_with_old_and_new() {
    let e = json!({"tool": "Bash", "tool_use_id": "u", "command": "ls"});
    let refusal = next("tool.call", e.clone(), json!({"tool": "Read", "tool_use_id": "u"})).unwrap_err();
    assert_eq!((refusal.code, refusal.path.as_deref()), (Code::Pinned, Some("tool")));
    assert_eq!((refusal.old, refusal.new), (Some(Value::text("Bash")), Some(Value::text("Read"))));
    assert!(refusal.message.contains("a changed tool ("));
    let gone = next("tool.call", e.clone(), json!({"tool": "Bash"})).unwrap_err();
    assert!(gone.message.contains("a changed tool_use_id"), "{gone}");
    let added = json!({"tool": "Bash", "tool_use_id": "u", "agentId": "a"});
    assert_eq!(next("tool.call", e.clone(), added).unwrap_err().path.as_deref(), Some("agentId"));
    let undefined = value(e.clone()).with("agentId", Value::Undefined);
    assert!(next_input(event("tool.call").unwrap(), &value(e), &undefined).is_ok());
}

#[test]
fn the_row_of_an_append_keeps_its_kind() {
    let e = json!({"message": {"type": "user", "content": [{"type": "text", "text": "a"}]}, "uuid": "u", "origin": {"kind": "engine"}, "door": "d"});
    let pass = |message: serde_json::Value| {
        let mut passed = e.clone();
        passed["message"] = message;
        next("session.append", e.clone(), passed)
    };
    let kept = pass(json!({"content": []})).unwrap();
    assert_eq!(kept.get("message").unwrap().str_at("type"), Some("user"));
    assert_eq!(pass(json!({"type": "system", "content": []})).unwrap_err().path.as_deref(), Some("message.type"));
    assert_eq!(pass(json!({"type": "user", "content": "x"})).unwrap_err().path.as_deref(), Some("message.content"));
}

#[test]
fn props_of_a_component_keep_their_kind() {
    let e = json!({"surface": "terminal", "component": "Pane", "requestId": "p", "props": {"title": "T", "placement": "dock"}});
    let pass = |props: serde_json::Value| {
        let mut passed = e.clone();
        passed["props"] = props;
        next("ui.render", e.clone(), passed)
    };
    assert!(pass(json!({"title": "U", "placement": "dock", "note": "new", "isFocused": "odd"})).is_ok());
    assert_eq!(pass(json!({"title": 5, "placement": "dock"})).unwrap_err().path.as_deref(), Some("props.title"));
    assert_eq!(pass(json!({"placement": "dock"})).unwrap_err().path.as_deref(), Some("props.title"));
    let moved = pass(json!({"title": "T", "placement": "inline"})).unwrap_err();
    assert_eq!((moved.code, moved.path.as_deref()), (Code::Pinned, Some("props.placement")));
    assert!(pass(json!("x")).is_err());
}

#[test]
fn only_next_stores_a_row() {
    let stored = json!({"message": {"type": "user", "content": []}, "uuid": "u"});
    assert!(answered("session.append", Some(stored.clone()), stored.clone()).is_ok());
    assert_eq!(answered("session.append", None, stored.clone()).unwrap_err().code, Code::Answer);
    let changed = json!({"message": {"type": "user", "content": [1]}, "uuid": "u"});
    assert_eq!(answered("session.append", Some(stored.clone()), changed).unwrap_err().path.as_deref(), Some("message"));
    assert!(answered("session.append", Some(stored), json!({"deny": "no"})).is_err());
}

#[test]
fn what_a_mod_notes_down_may_be_denied() {
    let append = event("session.append").unwrap();
    let note = value(json!({"door": "note", "origin": {"kind": "plugin", "name": "m"}, "message": {}}));
    let turn = value(json!({"door": "turn", "origin": {"kind": "plugin", "name": "m"}, "message": {}}));
    let denied = value(json!({"deny": "no", "more": 1}));
    assert_eq!(answer(append, &note, None, &denied).unwrap(), denied);
    assert!(answer(append, &turn, None, &denied).is_err());
    assert!(answer(append, &note, None, &value(json!({"deny": ""}))).is_err());
    let stored = value(json!({"message": {}, "uuid": "u"}));
    assert_eq!(answer(append, &note, Some(&stored), &denied).unwrap_err().code, Code::TooLate);
}

#[test]
fn refusals_that_come_too_late() {
    for (name, beneath, late) in [
        ("agent.spawn", json!({"model": "m"}), json!({"deny": "no"})),
        ("config.set", json!({"value": 1}), json!({"deny": ""})),
        ("prompt.submit", json!({"text": "t"}), json!({"drop": "no"})),
        ("session.compact", json!({"messages": []}), json!({"skip": "no"})),
        ("ui.scroll", json!({}), json!({"deny": "no"})),
        ("env.set", json!({"value": null}), json!({"deny": "no"})),
    ] {
        assert_eq!(answered(name, Some(beneath), late.clone()).unwrap_err().code, Code::TooLate, "{name}");
        assert!(answered(name, None, late).is_ok(), "{name}");
    }
    assert!(answered("tool.call", Some(json!({"result": 1})), json!({"deny": "late"})).is_ok());
    assert!(answered("fs.read", Some(json!({"value": 1})), json!({"deny": "late"})).is_ok());
}

#[test]
fn calls_answer_value_or_deny() {
    let read = event("fs.read").unwrap();
    let ok = |given: &Value| answer(read, &Value::Undefined, None, given).is_ok();
    assert!(ok(&Value::object([("value", Value::Undefined)])));
    assert!(ok(&value(json!({"deny": ""}))));
    for given in [json!({}), json!({"text": 1}), json!({"value": 1, "deny": "d"}), json!({"deny": 5}), json!(null)] {
        assert!(!ok(&value(given.clone())), "{given}");
    }
    // A value is there also when it is undefined; a deny is not.
    assert!(!ok(&Value::object([("value", Value::Undefined), ("deny", Value::text("d"))])));
    assert!(ok(&Value::object([("value", Value::from(1)), ("deny", Value::Undefined)])));
    assert_eq!(answer(read, &Value::Undefined, None, &Value::Undefined).unwrap_err().code, Code::NoAnswer);
}

#[test]
fn context_from_beneath_stays() {
    let beneath = json!({"result": 1, "context": ["one", "two", "two"]});
    let call = |context: serde_json::Value| {
        answered("tool.call", Some(beneath.clone()), json!({"result": 2, "context": context}))
    };
    assert!(call(json!(["two", "mine", "one", "two"])).is_ok());
    assert_eq!(call(json!(["one", "two"])).unwrap_err().old, Some(Value::text("two")));
    assert_eq!(call(json!(["one", "two", ""])).unwrap_err().path.as_deref(), Some("context[2]"));
}

#[test]
fn classic_answers() {
    assert!(answered("classic.Stop", None, json!({"nonsense": 1, "additionalContext": [""]})).is_ok());
    for given in
        [json!({"block": 1}), json!({"additionalContext": "x"}), json!("text"), json!({"preventContinuation": false})]
    {
        assert!(answered("classic.Stop", None, given.clone()).is_err(), "{given}");
    }
    let pre = |given: serde_json::Value| answered("classic.PreToolUse", None, given);
    assert_eq!(pre(json!({"allow": false})).unwrap(), Value::object::<&str>([]));
    assert!(pre(json!({"nonsense": 1})).is_ok() && pre(json!({"allow": true, "deny": "d"})).is_ok());
    assert!(pre(json!({"allow": "x"})).is_err() && pre(json!({"ask": 5})).is_err());
}

#[test]
fn chunks_of_a_step() {
    for good in [
        json!({"kind": "text", "index": 0, "text": "x"}),
        json!({"kind": "thinking", "index": 0, "text": "hm"}),
        json!({"kind": "tool", "index": 1, "id": "u", "name": "Bash"}),
        json!({"kind": "input", "index": 1, "json": "{}"}),
        json!({"kind": "stop", "stopReason": "end_turn", "usage": null}),
        json!({"kind": "engine", "ref": 1}),
    ] {
        assert!(chunk(&value(good.clone())).is_ok(), "{good}");
    }
    for bad in [
        json!(5),
        json!({"kind": "nope"}),
        json!({"kind": "tool", "index": 1, "name": "Bash"}),
        json!({"kind": "input", "index": 1, "text": "{}"}),
        json!({"kind": "stop", "index": 1}),
        json!({"kind": "text", "index": 0}),
    ] {
        assert_eq!(chunk(&value(bad.clone())).unwrap_err().code, Code::Chunk, "{bad}");
    }
    assert!(spawn_chunk(&value(json!({"stream": "stderr", "text": "x"}))).is_ok());
    assert!(spawn_chunk(&value(json!({"stream": "in", "text": "x"}))).is_err());
}

#[test]
fn results_of_a_step() {
    let step = event("turn.step").unwrap();
    let whole =
        json!({"turnId": "t", "index": 0, "answer": "a", "toolUses": [], "stopReason": "end_turn", "usage": null});
    let e = value(json!({"turnId": "t", "index": 0}));
    assert_eq!(step_result(step, &e, &value(whole.clone())).unwrap(), Some(value(whole.clone())));
    assert_eq!(step_result(step, &e, &Value::Undefined).unwrap(), None);
    assert!(step_result(step, &e, &value(json!({"turnId": "t", "index": 0, "answer": "a"}))).is_err());
    let other = value(whole).with("index", Value::from(1));
    assert_eq!(step_result(step, &e, &other).unwrap_err().path.as_deref(), Some("index"));
    let e = json!({"turnId": "t", "index": 0, "model": "m", "effort": "high", "messageCount": 1});
    let set = |field: &str, to: serde_json::Value| {
        let mut passed = e.clone();
        passed[field] = to;
        next("turn.step", e.clone(), passed)
    };
    assert!(set("model", json!("other")).is_ok() && set("effort", json!("low")).is_ok());
    assert!(
        set("model", json!("")).is_err() && set("effort", json!("huge")).is_err() && set("index", json!(5)).is_err()
    );
}

#[test]
fn questions_become_a_tool_call() {
    let ask = member("ui", "ask").unwrap();
    let context = OpContext { cwd: "/w", plugin: "m", tier: "user" };
    let input = |args: serde_json::Value| {
        let args: Vec<Value> = value(args).as_array().unwrap().to_vec();
        op_input(ask, &args, &context)
    };
    let labels = |input: &Value| -> Vec<String> {
        let questions = input.get("questions").unwrap().as_array().unwrap();
        let options = questions[0].get("options").unwrap().as_array().unwrap();
        options.iter().map(|option| option.str_at("label").unwrap().to_owned()).collect()
    };
    let bare = input(json!(["Sure?"])).unwrap();
    assert_eq!(bare.as_object().unwrap().keys().map(|key| &**key).collect::<Vec<_>>(), ["tool", "questions"]);
    assert_eq!((bare.str_at("tool"), labels(&bare)), (Some("AskUserQuestion"), vec!["Yes".into(), "No".into()]));
    assert_eq!(labels(&input(json!(["Sure?", ["Go"]])).unwrap()), ["Go", "Yes"]);
    let object =
        input(json!(["Sure?", {"options": ["a", "b"], "header": "a header too long", "multiSelect": true}])).unwrap();
    let question = &object.get("questions").unwrap().as_array().unwrap()[0];
    assert_eq!(
        (question.str_at("header"), question.get("multiSelect")),
        (Some("a header too"), Some(&Value::from(true)))
    );
    for args in [json!([""]), json!([]), json!(["Sure?", ["1", "2", "3", "4", "5"]])] {
        assert!(input(args).unwrap_err().message.contains("ui.ask"));
    }
    let given = |answer: serde_json::Value| op_result(ask, &bare, &value(answer));
    assert_eq!(given(json!({"result": {"answers": {"Sure?": "Go"}}})).unwrap(), Value::text("Go"));
    assert!(given(json!({"deny": "not now"})).unwrap_err().message.ends_with("not now"));
    assert!(given(json!({"result": {"answers": {}}})).is_err());
    assert!(given(json!({"result": "x", "isError": true})).is_err());
}

#[test]
fn what_a_call_gives() {
    let gives = |namespace: &str, method: &str, answer: serde_json::Value| {
        op_result(member(namespace, method).unwrap(), &Value::Undefined, &value(answer))
    };
    assert_eq!(gives("fs", "read", json!({"value": "x"})).unwrap(), Value::text("x"));
    assert_eq!(gives("store", "set", json!({"value": "x"})).unwrap(), Value::Undefined);
    assert_eq!(gives("ui", "toast", json!({"deny": "quiet"})).unwrap(), Value::Undefined);
    let denied = gives("fs", "read", json!({"deny": "not that file"})).unwrap_err();
    assert_eq!((denied.code, denied.message.as_str()), (Code::Denied, "$.fs.read: not that file"));
    assert_eq!(gives("tool", "call", json!({"deny": "no"})).unwrap(), value(json!({"deny": "no"})));
    assert_eq!(gives("config", "set", json!({"deny": "no"})).unwrap(), value(json!({"deny": "no"})));
    assert_eq!(op_output(member("clock", "sleep").unwrap(), Value::from(1)), Value::Undefined);
}

#[test]
fn json_is_what_may_be_stored() {
    let set = |stored: Value| {
        let context = OpContext { cwd: "/w", plugin: "m", tier: "user" };
        op_input(member("store", "set").unwrap(), &[Value::text("k"), stored], &context)
    };
    let input = set(Value::object([("gone", Value::Undefined), ("n", Value::from(f64::NAN))])).unwrap();
    assert_eq!(input.get("value").unwrap().to_json().unwrap(), json!({"n": null}));
    for stored in [Value::Undefined, Value::BigInt("1".into()), Value::list([Value::Cycle(0)])] {
        assert!(set(stored).unwrap_err().message.contains("store.set"));
    }
}

fn input(call: &str, args: serde_json::Value) -> Result<serde_json::Value, Refusal> {
    let (namespace, method) = call.split_once('.').unwrap();
    let args: Vec<Value> = args.as_array().unwrap().iter().map(Value::from).collect();
    let context = OpContext { cwd: "/w/x", plugin: "m", tier: "user" };
    op_input(member(namespace, method).unwrap(), &args, &context).map(|input| input.to_json().unwrap())
}

#[test]
fn paths_are_resolved() {
    for (path, resolved) in [
        ("a/../b/", "/w/x/b"),
        ("/a/./b/../c", "/a/c"),
        ("//server/x", "/server/x"),
        ("/../..", "/"),
        ("C:\\a", "/w/x/C:\\a"),
    ] {
        assert_eq!(input("fs.exists", json!([path])).unwrap(), json!({"path": resolved}), "{path}");
    }
}

#[test]
fn arguments_that_are_refused() {
    for (call, argument) in [
        ("session.messages", json!({"last": 4097})),
        ("session.messages", json!({"after": ""})),
        ("session.messages", json!({"last": 1, "after": "u"})),
        ("session.messages", json!({"after": "u", "as": "api"})),
        ("command.register", json!({"name": "n", "description": "d", "aliases": ["n"]})),
        ("command.register", json!({"name": "n", "description": "d", "aliases": ["a", "a"]})),
        ("command.register", json!({"name": "n", "description": "d", "aliases": ["a b"]})),
        ("command.register", json!({"name": "n", "description": "d", "isHidden": null})),
        ("tool.register", json!({"name": "n", "description": "d", "isDeferred": "no"})),
        ("settings.read", json!({"key": null})),
        ("session.send", json!({"to": {"sessionId": "s", "agentId": "a"}, "text": "t"})),
        ("ui.blit", json!({"requestId": "r", "key": "k", "cells": "AAAA", "source": {}})),
        ("process.run", json!(["", "a"])),
        ("process.spawn", json!({"argv": ["a"], "env": {"A": 1}})),
        ("fs.ancestors", json!({"names": ["a/../b.md"]})),
        ("vcs.isolate", json!({"name": "a//b", "from": "/x", "for": "agent", "base": "head"})),
    ] {
        assert_eq!(input(call, json!([argument])).unwrap_err().code, Code::Argument, "{call} {argument}");
    }
    assert!(input("session.messages", json!([{"last": 1, "as": "api"}])).is_ok());
    assert!(input("command.register", json!([{"name": "n", "description": "d", "aliases": ["a", "b"]}])).is_ok());
    assert!(input("fs.ancestors", json!([{"names": ["a/b.MD", ".md"]}])).is_ok());
}

#[test]
fn notes_become_rows() {
    let append = |message: serde_json::Value| {
        let context = OpContext { cwd: "/w", plugin: "m", tier: "user" };
        op_input(member("session", "append").unwrap(), &[value(json!({ "message": message }))], &context)
    };
    let text = json!([{"type": "text", "text": "x"}]);
    let user = append(json!({"type": "user", "role": "assistant", "content": text})).unwrap().to_json().unwrap();
    assert_eq!(user["message"], json!({"type": "user", "role": "user", "isMeta": true, "content": text}));
    assert_eq!((&user["door"], &user["origin"]["name"]), (&json!("note"), &json!("m")));
    let system = append(json!({"type": "system", "content": text})).unwrap().to_json().unwrap();
    assert_eq!(system["message"], json!({"type": "system", "content": text}));
    assert!(append(json!({"type": "user", "content": []})).is_ok());
    for wrong in [
        json!({"type": "assistant", "content": text}),
        json!({"type": "user", "content": "x"}),
        json!({"type": "user", "content": ["x"]}),
        json!(null),
    ] {
        assert!(append(wrong.clone()).unwrap_err().message.contains("session.append"), "{wrong}");
    }
}

#[test]
fn the_prompt_of_an_agent_may_be_missing_still() {
    let e = json!({"name": "w", "model": "a", "fork": false});
    assert!(next("agent.spawn", e.clone(), json!({"name": "w", "model": "b", "fork": false})).is_ok());
    let emptied = next("agent.spawn", e, json!({"name": "w", "model": "a", "fork": false, "prompt": ""})).unwrap_err();
    assert_eq!(emptied.path.as_deref(), Some("prompt"));
    let e = json!({"name": "w", "model": "a", "fork": false, "prompt": "p"});
    assert!(next("agent.spawn", e, json!({"name": "w", "model": "a", "fork": false})).is_err());
    let run = json!({"command": "c", "origin": {"kind": "composer"}});
    assert!(next("command.run", run.clone(), run).is_err());
}
