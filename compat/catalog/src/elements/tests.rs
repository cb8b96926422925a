use serde_json::json;

use super::*;
use modgate_value::Value;

fn draw(surface: &str, tree: serde_json::Value) -> Result<Value, TreeRefusal> {
    check_tree(surface, "Pane", &Value::from(tree))
}

#[test]
fn the_source_can_be_read() {
    let tables = read().unwrap();
    let names: std::collections::BTreeSet<_> = tables.components.iter().map(|component| component.name).collect();
    assert_eq!(names.len(), tables.components.len());
    for component in &tables.components {
        shape::parse_fields(component.props_text, types())
            .unwrap_or_else(|error| panic!("{}: {error}", component.name));
        assert!(component.surfaces.iter().all(|name| surface(name).is_some()), "{}", component.name);
    }
    for (name, elements) in &tables.surfaces {
        for listed in elements {
            assert!(tables.elements.iter().any(|element| element.name == *listed), "{name}: {listed}");
        }
    }
    for change in &tables.changes {
        let element = tables.elements.iter().find(|element| element.name == change.element).unwrap();
        assert!(change.prop.as_deref().is_none_or(|prop| element.prop(prop).is_some()), "{change:?}");
    }
    let raised: Vec<_> = tables.elements.iter().filter_map(|element| element.raises).collect();
    assert!(raised.iter().all(|name| crate::event(name).is_some()));
}

#[test]
fn functions_leave_the_props() {
    let tree = json!({"type": "Box", "children": [
        {"type": "Button", "props": {"onPress": {"$handler": 7}}, "children": ["Go"]},
        {"type": "Input", "props": {"key": "i", "onInput": {"$handler": 8}, "onSubmit": {"$handler": 9}}},
    ]});
    let drawn = draw("terminal", tree).unwrap();
    let found = controls(&drawn);
    assert_eq!(
        found.iter().map(|control| (control.element, control.key)).collect::<Vec<_>>(),
        [("Button", "Go"), ("Input", "i")]
    );
    assert_eq!(found[0].props.to_json().unwrap(), json!({"key": "Go", "label": "Go"}));
    assert_eq!(found[1].handler("onSubmit"), Some(&Value::from(json!({"$handler": 9}))));
    assert_eq!(found[1].handler("onPress"), None);
}

#[test]
fn a_drawn_tree_can_be_wrapped() {
    let inner = draw(
        "desktop",
        json!({"type": "Box", "props": {"key": "k"}, "children": [
            {"type": "Text", "props": {"bold": true}, "children": ["a"]},
            {"type": "Button", "props": {"label": "Go", "onPress": {"$handler": 7}}},
        ]}),
    )
    .unwrap();
    let outer =
        Value::object([("type", Value::text("Box")), ("children", Value::list([Value::text("above"), inner.clone()]))]);
    let drawn = check_tree("desktop", "Pane", &outer).unwrap();
    assert_eq!(drawn.get("children").unwrap().as_array().unwrap()[1], inner);
    assert_eq!(controls(&drawn).len(), 1);
}

#[test]
fn refusals_name_the_place() {
    let refusal =
        draw("terminal", json!({"type": "Box", "children": ["x", {"type": "Text", "children": [{"type": "Box"}]}]}))
            .unwrap_err();
    assert_eq!(refusal.path, "Box.children[1].Text.children[0]");
    assert_eq!(refusal.to_string(), "Box.children[1].Text.children[0]: Box inside an inline element");
    assert!(draw("moon", json!({"type": "Box"})).unwrap_err().reason.contains("no surface"));
    for tree in [json!("text"), json!(5), json!(null), json!([])] {
        assert!(draw("terminal", tree).unwrap_err().reason.contains("one element"));
    }
}

#[test]
fn handlers_have_to_be_functions() {
    let button = |props: serde_json::Value| draw("terminal", json!({"type": "Button", "props": props}));
    assert!(button(json!({"label": "x", "onPress": 5})).unwrap_err().reason.contains("must be a function"));
    assert!(button(json!({"label": "x"})).unwrap_err().reason.contains("needs onPress"));
    assert!(button(json!({"onPress": {"$handler": 1}})).unwrap_err().reason.contains("label"));
    assert!(
        draw("terminal", json!({"type": "Box", "props": {"onPress": {"$handler": 1}}}))
            .unwrap_err()
            .reason
            .contains("not allowed")
    );
}

#[test]
fn trees_are_bounded() {
    let many = |count: usize| json!({"type": "Box", "children": vec![json!({"type": "Box"}); count]});
    assert!(draw("terminal", many(limits().nodes - 1)).is_ok());
    assert!(draw("terminal", many(limits().nodes)).unwrap_err().reason.contains("more than 20000 nodes"));
    let long = draw("terminal", json!({"type": "Text", "children": ["x".repeat(99_999), "yz", "more"]})).unwrap();
    let texts: Vec<_> = long
        .get("children")
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect();
    assert_eq!(texts[0].len(), 99_999);
    assert!(texts[1].starts_with("y [cut"), "{}", texts[1]);
    assert_eq!(texts[2], "");
}

#[test]
fn tables_are_complete() {
    assert_eq!(surfaces().collect::<Vec<_>>(), ["desktop", "mobile", "terminal", "vscode"]);
    assert!(surface("terminal").unwrap().contains(&"Raster") && !surface("mobile").unwrap().contains(&"Raster"));
    assert_eq!(
        element("Button").unwrap().prop("onPress").map(|prop| (prop.required, prop.is_handler())),
        Some((true, true))
    );
    assert!(component("AbovePrompt").is_some());
    assert_eq!(nearest_component("AbovePromt"), Some("AbovePrompt"));
    let pane = component("Pane").unwrap();
    assert!(pane.props().iter().any(|field| field.name == "placement" && field.pinned));
}
