//! What the program 2.1.332 took and refused, case by case. The files in `measured/` hold its answers to small mods
//! that passed changed input to `next`, answered in many shapes, called `$` with wrong arguments and drew trees.
//!
//! In them `"<undef>"` stands for undefined, `"<fn>"` for a function, `"refused"` for a refusal. `"stands"` marks an answer
//! after which what was beneath stood: it was refused, or said the same. Left out are trees written by hand with numbers
//! or lists among their children (here the check flattens them, there only the constructors do).

use std::collections::BTreeMap;

use modgate_catalog::check::{self, OpContext};
use modgate_catalog::{EventClass, EventStatus, elements, event, matcher, member};
use modgate_value::{Map, Value};
use serde_json::Value as Json;

fn read(json: &Json) -> Value {
    match json {
        Json::String(text) if text == "<undef>" => Value::Undefined,
        Json::Array(values) => Value::list(values.iter().map(read)),
        Json::Object(fields) => {
            Value::from(fields.iter().map(|(key, value)| (key.as_str().into(), read(value))).collect::<Map>())
        }
        plain => Value::from(plain),
    }
}

/// Fails with all differences at once.
fn none(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The lists name what a test may raise and what a mod may call; these are met in other ways.
const ELSEWHERE: [&str; 5] = ["classic.PreToolUse", "engine.create", "plugin.register", "ui.message", "ui.resolve"];
const NO_CALL: [&str; 2] = ["plugin.name", "plugin.root"];

#[test]
fn what_each_version_has() {
    let cases: BTreeMap<String, BTreeMap<String, Vec<String>>> =
        serde_json::from_str(include_str!("measured/versions.json")).unwrap();
    assert_eq!(cases.len(), 2);
    for (version, lists) in &cases {
        let host = modgate_catalog::host(&format!("claude-code@{version}")).unwrap();
        let known: Vec<_> = modgate_catalog::events()
            .iter()
            .filter(|event| event.class != EventClass::Op && !ELSEWHERE.contains(&event.name))
            .filter(|event| host.event(event.name) != EventStatus::Unknown)
            .map(|event| event.name.to_owned())
            .collect();
        assert_eq!(known, lists["events"], "events of {version}");
        let mut served: Vec<_> = modgate_catalog::members()
            .iter()
            .filter(|member| host.serves(member) && !NO_CALL.contains(&member.call))
            .map(|member| member.call.to_owned())
            .collect();
        served.sort();
        assert_eq!(served, lists["members"], "members of {version}");
    }
}

#[test]
fn what_next_takes() {
    let cases: BTreeMap<String, Json> = serde_json::from_str(include_str!("measured/next.json")).unwrap();
    assert!(cases.len() > 90);
    let mut wrong = Vec::new();
    for (name, case) in &cases {
        let event = event(name).unwrap_or_else(|| panic!("no event {name}"));
        let original = read(&case["e"]);
        let mut ask = |passed: &Value, is_taken: bool, what: &str| match check::next_input(event, &original, passed) {
            Ok(_) if !is_taken => wrong.push(format!("{name}: {what} is taken")),
            Err(refusal) if is_taken => wrong.push(format!("{name}: {what}: {refusal}")),
            _ => {}
        };
        for (field, outcome) in case["fields"].as_object().unwrap() {
            for (kind, is_taken) in [("taken", true), ("refused", false)] {
                for value in outcome[kind].as_array().unwrap() {
                    let passed = match value.as_str() {
                        Some("<drop>") => original.without(field),
                        _ => original.with(field, read(value)),
                    };
                    ask(&passed, is_taken, &format!("{field} = {value}"));
                }
            }
            if let Some(dropped) = outcome.get("dropped") {
                let passed = original.without(field);
                ask(&passed, true, &format!("{field} left out"));
                let beneath = check::next_input(event, &original, &passed).unwrap_or_default();
                let is_back = beneath.get(field).is_some();
                assert_eq!(is_back, dropped == "put back", "{name}: {field} is put back");
            }
        }
    }
    none(wrong);
}

#[test]
fn what_a_component_is_told() {
    let cases: BTreeMap<String, Json> = serde_json::from_str(include_str!("measured/props.json")).unwrap();
    // What those of later versions are told was not measured.
    let told: Vec<_> = elements::components().iter().filter(|component| component.props_text != "{}").collect();
    assert_eq!(cases.len(), told.len());
    let render = event("ui.render").unwrap();
    let mut wrong = Vec::new();
    for (component, case) in &cases {
        let original = read(&case["e"]);
        let props = original.get("props").unwrap();
        for (field, outcome) in case["fields"].as_object().unwrap() {
            for (kind, is_taken) in [("taken", true), ("refused", false)] {
                for value in outcome[kind].as_array().unwrap() {
                    let props = match value.as_str() {
                        Some("<drop>") => props.without(field),
                        _ => props.with(field, read(value)),
                    };
                    let passed = original.with("props", props);
                    if check::next_input(render, &original, &passed).is_ok() != is_taken {
                        wrong.push(format!("{component}: {field} = {value} is not {kind}"));
                    }
                }
            }
        }
    }
    none(wrong);
}

#[test]
fn what_is_an_answer() {
    let cases: BTreeMap<String, Json> = serde_json::from_str(include_str!("measured/answers.json")).unwrap();
    assert!(cases.len() > 35);
    let mut wrong = Vec::new();
    for (name, case) in &cases {
        let event = event(name).unwrap_or_else(|| panic!("no event {name}"));
        let (input, beneath) = (read(&case["e"]), read(&case["beneath"]));
        for row in case["cases"].as_array().unwrap() {
            let beneath = (row[0] == "after").then_some(&beneath);
            let got = check::answer(event, &input, beneath, &read(&row[1]));
            match (&row[2], got) {
                (Json::String(text), Ok(_)) if text == "refused" => wrong.push(format!("{name}: {row} is taken")),
                (Json::String(text), Ok(answer)) if text == "stands" && Some(&answer) != beneath => {
                    wrong.push(format!("{name}: {row} is taken as {answer:?}"));
                }
                (Json::String(_), _) => {}
                (expected, Ok(answer)) if answer == read(expected) => {}
                (expected, Ok(answer)) => wrong.push(format!("{name}: {} gives {answer:?}, not {expected}", row[1])),
                (_, Err(refusal)) => wrong.push(format!("{name}: {row}: {refusal}")),
            }
        }
    }
    none(wrong);
}

#[test]
fn what_a_call_takes() {
    let cases: BTreeMap<String, Json> = serde_json::from_str(include_str!("measured/calls.json")).unwrap();
    assert!(cases.len() > 50);
    let context = OpContext { cwd: "/home/me/w", plugin: "p4", tier: "user" };
    let mut wrong = Vec::new();
    for (call, rows) in &cases {
        let (namespace, method) = call.split_once('.').unwrap();
        let member = member(namespace, method).unwrap_or_else(|| panic!("no member {call}"));
        for row in rows.as_array().unwrap() {
            let args: Vec<Value> = row[0].as_array().unwrap().iter().map(read).collect();
            match (&row[1], check::op_input(member, &args, &context)) {
                (Json::String(_), Ok(input)) => wrong.push(format!("{call}: {} is taken: {input:?}", row[0])),
                (Json::String(_), Err(_)) => {}
                (expected, Ok(input)) if input == read(expected) => {}
                (expected, Ok(input)) => wrong.push(format!("{call}: {} gives {input:?}, not {expected}", row[0])),
                (_, Err(refusal)) => wrong.push(format!("{call}: {}: {refusal}", row[0])),
            }
        }
    }
    none(wrong);
}

#[test]
fn what_a_step_gives() {
    let cases: Json = serde_json::from_str(include_str!("measured/steps.json")).unwrap();
    let e = Value::object([("turnId", Value::text("t")), ("index", Value::from(0))]);
    let step = event("turn.step").unwrap();
    let mut wrong = Vec::new();
    for (kind, row) in ["results", "chunks"]
        .into_iter()
        .flat_map(|kind| cases[kind].as_array().unwrap().iter().map(move |row| (kind, row)))
    {
        let value = read(&row[0]);
        let is_taken = match kind {
            "results" => check::step_result(step, &e, &value).is_ok(),
            _ => check::chunk(&value).is_ok(),
        };
        if is_taken != (row[1] == "taken") {
            wrong.push(format!("{kind}: {row}"));
        }
    }
    none(wrong);
}

/// Numbers that JSON has not.
fn number(json: &Json) -> Value {
    match json {
        Json::String(text) if text == "<NaN>" => Value::from(f64::NAN),
        Json::String(text) if text == "<Inf>" => Value::from(f64::INFINITY),
        Json::String(text) if text == "<-0>" => Value::from(-0.0),
        Json::String(text) if text == "<1e21>" => Value::from(1e21),
        Json::String(text) if text == "<big>" => Value::BigInt("10".into()),
        Json::Array(values) => Value::list(values.iter().map(number)),
        Json::Object(fields) if !fields.contains_key("$regexp") => {
            Value::from(fields.iter().map(|(key, value)| (key.as_str().into(), number(value))).collect::<Map>())
        }
        plain => read(plain),
    }
}

#[test]
fn what_a_matcher_selects() {
    let cases: Json = serde_json::from_str(include_str!("measured/matchers.json")).unwrap();
    let values = cases["values"].as_array().unwrap();
    let mut wrong = Vec::new();
    for row in cases["matchers"].as_array().unwrap() {
        let matcher = matcher::parse(&number(&row[0])).unwrap_or_else(|error| panic!("{}: {error}", row[0]));
        for value in values {
            let event = match value.as_str() {
                Some("<none>") => Value::object([("tool", Value::text("Z"))]),
                _ => Value::object([("tool", Value::text("Z")), ("a", number(value))]),
            };
            if matcher.matches(&event) != row[1].as_array().unwrap().contains(value) {
                wrong.push(format!("{} on {value}", row[0]));
            }
        }
    }
    none(wrong);
}

/// The constructors of the isolate, as far as these cases need them.
fn build(surface: &str, node: &Json) -> Value {
    if let Some(raw) = node.get("raw") {
        return read(raw);
    }
    let children = |nodes: &Json| {
        let mut flat = Vec::new();
        nodes.as_array().unwrap().iter().for_each(|node| flatten(build(surface, node), &mut flat));
        Value::from(flat)
    };
    let fragment = |children: Value| {
        let props = Value::object([("flexDirection", Value::text("column"))]);
        Value::object([("type", Value::text("Box")), ("props", props), ("children", children)])
    };
    match node {
        Json::Object(fields) if fields.contains_key("frag") => fragment(children(&fields["frag"])),
        Json::Object(fields) => {
            let name = fields["t"].as_str().unwrap();
            if !elements::surface(surface).unwrap().contains(&name) {
                return fragment(Value::list([]));
            }
            let is_of_jsx = |key: &str| key == "ref" || (key == "key" && name == "Text");
            let given = fields["p"].as_object().unwrap().iter().filter(|(key, _)| !is_of_jsx(key));
            let props = given.map(|(key, value)| {
                let value = match value.as_str() {
                    Some("<fn>") => Value::object([("$handler", Value::from(1))]),
                    _ => read(value),
                };
                (key.as_str(), value)
            });
            Value::object([
                ("type", Value::text(name)),
                ("props", Value::object(props)),
                ("children", children(&fields["c"])),
            ])
        }
        Json::Array(_) => children(node),
        plain => read(plain),
    }
}

/// As constructors do it: lists within lists become one, what draws nothing goes, numbers become text.
fn flatten(value: Value, flat: &mut Vec<Value>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| flatten(value.clone(), flat)),
        Value::Undefined | Value::Null | Value::Bool(_) => {}
        Value::Number(number) => flat.push(Value::from(number.to_string())),
        other => flat.push(other),
    }
}

/// Without what is left empty, and without what is beneath the drawing.
fn bare(node: &Value) -> Value {
    let Value::Object(fields) = node else { return node.clone() };
    let kept = fields.iter().filter(|(key, value)| {
        let is_empty = match value {
            Value::Array(values) => values.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            _ => false,
        };
        &***key != "press" && !(is_empty && ["children", "props"].contains(&&***key))
    });
    Value::object(kept.map(|(key, value)| {
        let value = match value {
            Value::Array(values) if &**key == "children" => Value::list(values.iter().map(bare)),
            other => other.clone(),
        };
        (key.to_string(), value)
    }))
}

#[test]
fn what_is_drawn() {
    let cases: Vec<(String, Json, Json)> = serde_json::from_str(include_str!("measured/trees.json")).unwrap();
    assert!(cases.len() > 1000);
    let mut wrong = Vec::new();
    for (surface, node, expected) in &cases {
        let tree = build(surface, node);
        match (expected, elements::check_tree(surface, "Pane", &tree)) {
            (Json::String(_), Ok(drawn)) => wrong.push(format!("{surface}: {node} is drawn: {drawn:?}")),
            (Json::String(_), Err(_)) => {}
            (expected, Ok(drawn)) if bare(&drawn) == bare(&read(expected)) => {}
            (expected, Ok(drawn)) => wrong.push(format!("{surface}: {node} draws {drawn:?}, not {expected}")),
            (_, Err(refusal)) => wrong.push(format!("{surface}: {node}: {refusal}")),
        }
    }
    none(wrong);
}
