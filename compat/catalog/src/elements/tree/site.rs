//! What a component itself asks of a tree: some draw a few elements only, and the dialog of a question stays whole.

use modgate_value::Value;

use super::super::Component;

/// The dialog that a tree may only stand around.
const DIALOG: &str = "AskUserQuestion";
/// Rows that may stand above it.
const ROWS: usize = 12;
/// Props that would move or cover it, on any Box.
const MOVING: [&str; 9] = ["position", "top", "left", "right", "bottom", "width", "height", "minWidth", "minHeight"];
/// Props that would hide it, on the Boxes that hold it.
const HIDING: [&str; 2] = ["display", "overflow"];

/// What the component refuses, if anything.
pub(super) fn refused(component: &Component, surface: &str, tree: &Value) -> Option<String> {
    if !component.draws.is_empty()
        && let Some(name) = foreign(tree, &component.draws)
    {
        let drawn = component.draws.join(", ");
        return Some(format!("{name} in a {}, which draws only {drawn}: take it out", component.name));
    }
    if component.name == DIALOG { dialog(surface, tree) } else { None }
}

fn children(node: &Value) -> &[Value] {
    node.get("children").and_then(Value::as_array).unwrap_or_default()
}

/// An element that is not among those. What the engine drew is not looked into, and a Progress is drawn with others.
fn foreign(node: &Value, draws: &[&str]) -> Option<String> {
    let name = node.str_at("type")?;
    if !["engine", "Progress"].contains(&name) && !draws.contains(&name) {
        return Some(name.to_string());
    }
    children(node).iter().find_map(|child| foreign(child, draws))
}

/// What a walk around the dialog has found so far.
#[derive(Default)]
struct Around {
    dialogs: usize,
    is_below: bool,
    rows: usize,
}

fn dialog(surface: &str, tree: &Value) -> Option<String> {
    let mut around = Around::default();
    if let Some(why) = around.walk(surface, tree) {
        return Some(why);
    }
    if around.dialogs != 1 {
        return Some(format!("{} engine nodes; {DIALOG} is drawn by exactly one", around.dialogs));
    }
    if around.is_below {
        return Some("draws below the dialog".into());
    }
    (around.rows > ROWS).then(|| format!("more than {ROWS} rows around the dialog"))
}

impl Around {
    fn walk(&mut self, surface: &str, node: &Value) -> Option<String> {
        if let Some(text) = node.as_str() {
            self.is_below |= self.dialogs > 0;
            self.rows += text.lines().count();
            return None;
        }
        let name = node.str_at("type")?;
        if name == "engine" {
            self.dialogs += 1;
            return None;
        }
        self.is_below |= self.dialogs > 0;
        if name == "Markdown" && surface == "terminal" {
            return Some("Markdown around the dialog (its rows are not bounded there)".into());
        }
        let has = |prop: &&str| node.get("props").and_then(|props| props.get(prop)).is_some();
        if name == "Box"
            && let Some(prop) = MOVING.iter().find(|prop| has(prop))
        {
            return Some(format!("Box prop {prop:?} around the dialog"));
        }
        let before = self.dialogs;
        let refused = children(node).iter().find_map(|child| self.walk(surface, child));
        if refused.is_none()
            && self.dialogs > before
            && let Some(prop) = HIDING.iter().find(|prop| has(prop))
        {
            return Some(format!("engine node under a Box with prop {prop:?}"));
        }
        refused
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::elements::check_tree;
    use modgate_value::Value;

    fn refusal(surface: &str, component: &str, tree: serde_json::Value) -> Option<String> {
        check_tree(surface, component, &Value::from(tree)).err().map(|refusal| refusal.reason)
    }

    fn around(props: serde_json::Value, children: serde_json::Value) -> Option<String> {
        refusal("terminal", "AskUserQuestion", json!({"type": "Box", "props": props, "children": children}))
    }

    #[test]
    fn a_component_draws_what_it_names() {
        let link = json!({"type": "Box", "children": [{"type": "Link", "props": {"href": "https://a.example/"}}]});
        assert_eq!(refusal("terminal", "StatusLine", link.clone()), None);
        assert_eq!(refusal("terminal", "Pane", link.clone()), None);
        let why = refusal("terminal", "Backdrop", link).unwrap();
        assert_eq!(why, "Link in a Backdrop, which draws only Box, Text, Svg: take it out");
        let progress = json!({"type": "Progress", "props": {"label": "x"}});
        assert_eq!(refusal("terminal", "StatusLine", progress), None);
    }

    #[test]
    fn a_question_is_drawn_once_with_nothing_below() {
        let engine = json!({"type": "engine", "ref": 0});
        let text = json!({"type": "Text", "children": ["x"]});
        assert_eq!(around(json!({"padding": 1, "borderStyle": "round"}), json!([text, engine])), None);
        let none = around(json!({}), json!([text])).unwrap();
        assert!(none.starts_with("0 engine nodes"), "{none}");
        let two = around(json!({}), json!([engine, engine])).unwrap();
        assert!(two.starts_with("2 engine nodes"), "{two}");
        for below in [json!([engine, text]), json!([engine, "x"]), json!([{"type": "Box", "children": [engine]}, text])]
        {
            assert_eq!(around(json!({"flexDirection": "row"}), below), Some("draws below the dialog".into()));
        }
    }

    #[test]
    fn a_question_is_not_moved_hidden_or_pushed_away() {
        let engine = json!({"type": "engine", "ref": 0});
        for (prop, value) in [("height", json!(5)), ("minHeight", json!(5)), ("width", json!(50)), ("top", json!(1))] {
            let why = around(json!({prop: value}), json!([engine])).unwrap();
            assert_eq!(why, format!("Box prop {prop:?} around the dialog"));
        }
        for (prop, value) in [("display", "flex"), ("overflow", "hidden")] {
            let why = around(json!({prop: value}), json!([engine])).unwrap();
            assert_eq!(why, format!("engine node under a Box with prop {prop:?}"));
        }
        let hidden = json!({"type": "Box", "props": {"display": "none"}, "children": ["x"]});
        assert_eq!(around(json!({}), json!([hidden, engine])), None);
        let long = json!({"type": "Text", "children": ["a\n".repeat(100)]});
        assert_eq!(around(json!({}), json!([long, engine])), Some("more than 12 rows around the dialog".into()));
        let markdown = json!({"type": "Markdown", "props": {"text": "x"}});
        let tree = json!({"type": "Box", "children": [markdown, engine]});
        assert!(refusal("terminal", "AskUserQuestion", tree.clone()).unwrap().starts_with("Markdown around"));
        assert_eq!(refusal("desktop", "AskUserQuestion", tree), None);
    }
}
