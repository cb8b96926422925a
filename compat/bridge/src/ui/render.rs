//! One run of `ui.render`: which callbacks it left in isolates, what it read, which hooks failed.

use std::sync::Arc;

use modgate_catalog::elements::{check_tree, element};
use modgate_engine::{Boxed, FailureKind, Fault, HookFailure, Position};
use modgate_value::Value;
use parking_lot::Mutex;

use crate::chain::{Core, Raised};

const NO_ELEMENT: &str = "returned something that is not a tree element";
const NOT_DRAWN_HERE: &str = "returned an element it did not draw";
/// How the reason begins where the surface refuses a tree.
const REFUSED: &str = "returned a tree ";

/// Whose callback a control has: the mod and the handle in its isolate.
pub(crate) type Handle = (Arc<str>, u32);

/// A hook that failed while something was drawn.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    /// The mod.
    pub(crate) plugin: String,
    /// What went wrong.
    pub(crate) message: String,
    /// Where.
    pub(crate) position: Option<Position>,
    /// It drew something that the surface refuses; any other failure is one of the hook itself.
    pub(crate) is_refused_tree: bool,
}

/// A value of `$.state` that a drawing shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    plugin: String,
    key: String,
    id: Option<String>,
}

impl Address {
    pub(super) fn of(input: &Value) -> Option<Address> {
        let text = |field: &str| input.str_at(field).map(str::to_string);
        Some(Address { plugin: text("plugin")?, key: text("key")?, id: text("id") })
    }
}

#[derive(Default)]
struct State {
    issued: Vec<Handle>,
    reads: Vec<Address>,
    parts: Vec<String>,
    failures: Vec<Failure>,
}

/// One run of `ui.render`; stands beneath it and hands on to the session's own core.
pub struct Render {
    core: Arc<dyn Core>,
    state: Mutex<State>,
}

impl Render {
    pub(super) fn new(core: Arc<dyn Core>) -> Arc<Render> {
        Arc::new(Render { core, state: Mutex::default() })
    }

    /// A hook of this run asks for that value.
    pub(crate) fn reads(&self, input: Option<&Value>) {
        if let Some(address) = input.and_then(Address::of) {
            self.state.lock().reads.push(address);
        }
    }

    /// A mod failed in it, and what was beneath stands in its place.
    pub(crate) fn failed(&self, plugin: &str, failure: &HookFailure) {
        let message = failure.thrown.message.clone();
        let is_refused_tree = failure.kind == FailureKind::Answer && message.starts_with(REFUSED);
        let mut state = self.state.lock();
        state.parts.push(plugin.to_string());
        let position = failure.thrown.position.clone();
        state.failures.push(Failure { plugin: plugin.to_string(), message, position, is_refused_tree });
    }

    pub(super) fn has_read(&self, address: &Address) -> bool {
        self.state.lock().reads.contains(address)
    }

    pub(super) fn has_part(&self, plugin: &str) -> bool {
        self.state.lock().parts.iter().any(|part| part == plugin)
    }

    pub(super) fn issued(&self) -> Vec<Handle> {
        self.state.lock().issued.clone()
    }

    pub(super) fn failures(&self) -> Vec<Failure> {
        self.state.lock().failures.clone()
    }
}

impl Core for Render {
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        self.core.clone().answer(raised)
    }

    fn render(&self) -> Option<&Render> {
        Some(self)
    }

    fn stand_in(&self) -> Option<&str> {
        self.core.stand_in()
    }
}

/// What the host draws where no mod does.
pub(crate) fn hosts_own() -> Value {
    Value::object([("type", Value::text("engine")), ("ref", Value::from(1))])
}

/// The tree with the host's own drawing wherever it names one.
fn with_hosts_own(node: &Value) -> Value {
    if node.str_at("type") == Some("engine") {
        return hosts_own();
    }
    match (node, node.get("children").and_then(Value::as_array)) {
        (Value::Object(fields), Some(children)) => {
            let mut fields = (**fields).clone();
            fields.insert("children".into(), Value::list(children.iter().map(with_hosts_own)));
            Value::from(fields)
        }
        _ => node.clone(),
    }
}

/// Takes what a mod's hooks answered to `ui.render`, `{tree, handles}`, and gives the tree. `given` is what `next` gave.
///
/// # Errors
/// It is no element, the surface does not draw it, or it holds somebody's control that `next` did not give.
pub(crate) fn leaves(
    core: &dyn Core,
    plugin: &str,
    input: &Value,
    answer: &Value,
    given: &[Value],
) -> Result<Value, Fault> {
    let own = handles(answer.get("handles"));
    let render = core.render();
    if let Some(render) = render {
        let mut state = render.state.lock();
        state.parts.push(plugin.to_string());
        state.issued.extend(own.iter().map(|handle| (Arc::from(plugin), *handle)));
    }
    let tree = answer.get("tree").cloned().unwrap_or_default();
    if tree.as_object().is_none() || tree.str_at("type").is_none() {
        return Err(Fault::hooks(NO_ELEMENT));
    }
    let component = input.str_at("component").unwrap_or_default();
    let surface = input.str_at("surface").unwrap_or_default();
    let mut known = Known { plugin, component, own: &own, given: Vec::new() };
    given.iter().for_each(|tree| known.learn(tree));
    known.check(&tree)?;
    match check_tree(surface, component, &tree) {
        Ok(_) if core.stand_in() == Some(plugin) => Ok(with_hosts_own(&tree)),
        Ok(_) => Ok(tree),
        Err(refusal) => Err(Fault::hooks(format!("{REFUSED}{component} refuses: {refusal}"))),
    }
}

/// The handles of a list.
fn handles(list: Option<&Value>) -> Vec<u32> {
    list.and_then(Value::as_array).unwrap_or_default().iter().filter_map(handle).collect()
}

/// A handle as it stands in a tree.
pub(super) fn handle(value: &Value) -> Option<u32> {
    let number = value.as_f64()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and within range: checked")]
    (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number)).then_some(number as u32)
}

/// The fields that say whose an element is.
const OWNERS: [&str; 4] = ["press", "client", "raster", "image"];

/// The element that such a mark belongs to; anywhere else it says nothing.
fn element_of(field: &str) -> &'static str {
    match field {
        "client" => "Client",
        "raster" => "Raster",
        _ => "Image",
    }
}

/// Which marks of ownership may stand in a tree.
struct Known<'a> {
    plugin: &'a str,
    component: &'a str,
    own: &'a [u32],
    given: Vec<(&'static str, Value)>,
}

impl Known<'_> {
    fn learn(&mut self, node: &Value) {
        for field in OWNERS {
            if let Some(mark) = node.get(field) {
                self.given.push((field, mark.clone()));
            }
        }
        for child in node.get("children").and_then(Value::as_array).unwrap_or_default() {
            self.learn(child);
        }
    }

    fn check(&self, node: &Value) -> Result<(), Fault> {
        self.check_props(node)?;
        for field in OWNERS {
            let Some(mark) = node.get(field).filter(|mark| !mark.is_undefined()) else { continue };
            if field != "press" && node.str_at("type") != Some(element_of(field)) {
                continue;
            }
            if !self.is_own(field, mark) && !self.given.iter().any(|(other, given)| *other == field && given == mark) {
                let kind = node.str_at("type").unwrap_or("?");
                return Err(Fault::hooks(format!("{NOT_DRAWN_HERE} ({kind}); it may keep those that next gave it")));
            }
        }
        for child in node.get("children").and_then(Value::as_array).unwrap_or_default() {
            if !matches!(child, Value::String(_) | Value::Object(_) | Value::Array(_)) {
                return Err(Fault::hooks(NO_ELEMENT));
            }
            self.check(child)?;
        }
        Ok(())
    }

    /// Constructors leave out what is not given; where a mod wrote an element as data, it is a value like any other.
    fn check_props(&self, node: &Value) -> Result<(), Fault> {
        let element = node.str_at("type").and_then(element).filter(|element| element.strict);
        let props = node.get("props").and_then(Value::as_object).into_iter().flatten();
        match element.zip(props.into_iter().find(|(_, value)| value.is_nullish())) {
            None => Ok(()),
            Some((element, (prop, value))) => {
                let why = format!("{} prop {prop:?} is {}", element.name, value.kind());
                Err(Fault::hooks(format!("{REFUSED}{} refuses: {why}", self.component)))
            }
        }
    }

    fn is_own(&self, field: &str, mark: &Value) -> bool {
        let is_ours = mark.str_at("plugin") == Some(self.plugin);
        let is_fresh = || mark.get("handle").and_then(handle).is_some_and(|handle| self.own.contains(&handle));
        is_ours && (field != "press" || is_fresh())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    struct Nothing;

    impl Core for Nothing {
        fn answer(self: Arc<Self>, _raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
            Box::pin(std::future::ready(Ok(Value::Undefined)))
        }
    }

    /// What `own` drew in a Pane, where it keeps callback 1 and `next` gave a Button of another mod.
    fn left(tree: serde_json::Value) -> Result<Value, String> {
        let input = Value::from(json!({"surface": "terminal", "component": "Pane"}));
        let answer = Value::from(json!({"tree": tree, "handles": [1]}));
        let given = [Value::from(json!({"type": "Box", "children": [button("other", 5)]}))];
        leaves(&Nothing, "own", &input, &answer, &given).map_err(|fault| fault.message)
    }

    fn button(plugin: &str, handle: u32) -> serde_json::Value {
        json!({"type": "Button", "props": {"key": "b", "label": "L"}, "press": {"plugin": plugin, "handle": handle}})
    }

    #[test]
    fn own_controls_and_those_that_next_gave_stand() {
        for tree in [button("own", 1), button("other", 5), json!({"type": "Box", "children": [button("other", 5)]})] {
            assert_eq!(left(tree.clone()), Ok(Value::from(tree)));
        }
        for tree in [button("own", 2), button("own", 5), button("other", 1), button("third", 5)] {
            assert!(left(tree).unwrap_err().starts_with(NOT_DRAWN_HERE));
        }
    }

    #[test]
    fn what_is_no_element_is_the_hooks_own_failure() {
        for tree in [json!("text"), json!(5), json!(null), json!([]), json!({}), json!({"type": 5})] {
            assert_eq!(left(tree), Err(NO_ELEMENT.into()));
        }
        for child in [json!(null), json!(5), json!(true)] {
            assert_eq!(left(json!({"type": "Box", "children": [child]})), Err(NO_ELEMENT.into()));
        }
    }

    #[test]
    fn what_the_surface_refuses_is_told_apart() {
        let trees = [
            json!({"type": "Box", "props": {"zIndex": 1}}),
            json!({"type": "Text", "props": {"bold": null}, "children": ["x"]}),
            json!({"type": "Box", "children": [{}]}),
        ];
        for tree in trees {
            let why = left(tree).unwrap_err();
            assert!(why.starts_with("returned a tree Pane refuses: "), "{why}");
        }
        // A Code leaves out what is not given.
        let code = json!({"type": "Code", "props": {"source": "x"}});
        assert_eq!(left(code.clone()), Ok(Value::from(code)));
    }
}
