use serde_json::json;

use super::*;

fn hit(matcher: serde_json::Value, event: serde_json::Value) -> bool {
    matches(&Value::from(matcher), &Value::from(event)).unwrap()
}

fn re(source: &str) -> serde_json::Value {
    json!({"$regexp": {"source": source, "flags": ""}})
}

#[test]
fn texts_lists_and_regular_expressions_on_the_tool() {
    for (matcher, hits, misses) in [
        (json!({"tool": "Bash"}), vec!["Bash"], vec!["bash", "BashX", "Read"]),
        (json!({"tool": ["Bash", "Read"]}), vec!["Bash", "Read"], vec!["bash"]),
        (json!({"tool": re("ash")}), vec!["Bash", "bash", "BashX"], vec!["Read"]),
        (json!({"tool": re("^mcp__x__")}), vec!["mcp__x__go"], vec!["a_mcp__x__go"]),
        (json!({"tool": ["Glob", re("^Gr")]}), vec!["Glob", "Grep"], vec!["Bash"]),
        (json!({"tool": []}), vec![], vec!["", "Bash"]),
        (json!({"tool": ""}), vec![""], vec!["Bash"]),
        (json!({}), vec!["", "Bash"], vec![]),
    ] {
        for tool in hits {
            assert!(hit(matcher.clone(), json!({ "tool": tool })), "{matcher} {tool}");
        }
        for tool in misses {
            assert!(!hit(matcher.clone(), json!({ "tool": tool })), "{matcher} {tool}");
        }
    }
}

#[test]
fn every_field_has_to_match() {
    let matcher = json!({"tool": "Bash", "command": "ls"});
    assert!(hit(matcher.clone(), json!({"tool": "Bash", "command": "ls", "more": 1})));
    assert!(!hit(matcher.clone(), json!({"tool": "Bash", "command": "ls -l"})));
    assert!(!hit(matcher, json!({"tool": "Bash"})));
}

#[test]
fn numbers_booleans_and_null_are_strict() {
    assert!(hit(json!({"limit": 3}), json!({"limit": 3})));
    assert!(!hit(json!({"limit": 3}), json!({"limit": "3"})));
    assert!(!hit(json!({"limit": "3"}), json!({"limit": 3})));
    assert!(hit(json!({"limit": [1, 2]}), json!({"limit": 2})));
    assert!(hit(json!({"limit": re("^3$")}), json!({"limit": 3})));
    assert!(hit(json!({"limit": re("^3$")}), json!({"limit": "3"})));
    assert!(hit(json!({"flag": false}), json!({"flag": false})));
    assert!(!hit(json!({"flag": true}), json!({"flag": "true"})));
    assert!(!hit(json!({"flag": false}), json!({})));
    assert!(hit(json!({"gone": null}), json!({"gone": null})));
    assert!(!hit(json!({"gone": null}), json!({})));
    let nan = Value::object([("limit", Value::from(f64::NAN))]);
    assert!(!matches(&nan, &nan).unwrap(), "NaN is not equal to itself");
}

#[test]
fn nested_objects_and_lists() {
    let deep = json!({"opts": {"deep": {"a": 1}}});
    assert!(hit(deep.clone(), json!({"opts": {"deep": {"a": 1, "b": 2}}})));
    assert!(!hit(deep.clone(), json!({"opts": {"deep": {"a": 2}}})));
    assert!(!hit(deep, json!({"opts": "x"})));
    assert!(hit(json!({"opts": {"name": re("^n")}}), json!({"opts": {"name": "no"}})));
    for list in [json!(["a", "b"]), json!("a"), json!(["a"]), json!(["z", "b"])] {
        assert!(hit(json!({"list": ["a", "b"]}), json!({ "list": list })), "{list}");
    }
    assert!(!hit(json!({"list": ["a"]}), json!({"list": ["b"]})));
}

#[test]
fn flags_of_a_regular_expression() {
    let matcher = json!({"command": {"$regexp": {"source": "rm", "flags": "i"}}});
    assert!(hit(matcher.clone(), json!({"command": "sudo RM -f"})));
    assert!(!hit(matcher, json!({"command": "ls"})));
}

#[test]
fn what_is_no_matcher_is_refused() {
    let text = |value: Value| parse(&value).unwrap_err().to_string();
    for value in [Value::text("Bash"), Value::Null, Value::list([]), Value::from(re("Bash"))] {
        assert!(text(value).contains("plain object"));
    }
    let at = |value: Value| text(Value::object([("tool", value)]));
    assert!(at(Value::Undefined).starts_with("matcher at tool "));
    assert!(at(Value::BigInt("1".into())).contains("not bigint"));
    assert!(at(Value::list([Value::text("a"), Value::Undefined])).starts_with("matcher at tool[1] "));
    let flagged = |flags: &str| at(Value::from(json!({"$regexp": {"source": "x", "flags": flags}})));
    assert!(flagged("g").contains("RegExp with the g flag"));
    assert!(flagged("iy").contains("RegExp with the y flag"));
    assert!(at(Value::from(re("("))).contains("is no RegExp"));
}

#[test]
fn depth_is_limited() {
    let nest = |levels: usize| (0..levels).fold(Value::from(1), |inner, _| Value::object([("a", inner)]));
    assert!(parse(&nest(MAX_DEPTH)).is_ok());
    assert_eq!(parse(&nest(MAX_DEPTH + 1)).unwrap_err(), MatcherError::Deep);
}

#[test]
fn the_plugin_field_opens_other_plugins_events() {
    let plugin = |matcher| parse(&Value::from(matcher)).unwrap().plugin("drawer");
    assert_eq!(plugin(json!({"plugin": "drawer"})), Some(true));
    assert_eq!(plugin(json!({"plugin": "*"})), Some(true));
    assert_eq!(plugin(json!({"plugin": "other"})), Some(false));
    assert_eq!(plugin(json!({"element": "x"})), None);
}

/// Seen in 2.1.332: `*` is any plugin, and none, for events of drawings; for `state.get` it is a name like any other.
#[test]
fn any_plugin_is_one_of_drawings_alone() {
    for any in [json!({"plugin": "*"}), json!({"plugin": ["other", "*"]})] {
        let any = parse(&Value::from(any)).unwrap();
        for event in [json!({"plugin": "drawer"}), json!({"element": "x"})] {
            let event = Value::from(event);
            assert!(any.matches_owned(&event) && !any.matches(&event), "{event:?}");
        }
    }
}
