//! Checking a tree that a `ui.render` hook answered.

mod diff;
mod hover;
mod progress;
mod site;

use std::collections::HashSet;

use modgate_value::{Map, Value};

use super::kind::is_control;
use super::{Children, Element, Kind, element, image, limits, raster, surface};

/// Why a tree is not drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", if .path.is_empty() { String::new() } else { format!("{}: ", .path) })]
pub struct TreeRefusal {
    /// The way to the node: `Box.children[2].Text`; empty for the root.
    pub path: String,
    /// What is wrong there.
    pub reason: String,
}

/// Checks a tree and gives it as it is drawn.
///
/// `tree` holds nodes `{ type, props?, children? }`, as constructors make them: lists in children are flattened, numbers
/// text. Functions have become `{ "$handler": ... }`; those move from
/// `props` to `press`, by the name of the prop, and so do not show. Nodes that were drawn before (a hook above wraps
/// what `next` gave) are taken with their `press` as they are. `component` is named in
/// refusals, and may have rules of its own.
///
/// # Errors
/// The first thing that the surface cannot draw; nothing of the tree is drawn then.
pub fn check_tree(surface_name: &str, component: &str, tree: &Value) -> Result<Value, TreeRefusal> {
    let refused = |reason: String| TreeRefusal { path: String::new(), reason };
    let Some(elements) = surface(surface_name) else {
        return Err(refused(format!("there is no surface {surface_name:?}")));
    };
    if !matches!(tree, Value::Object(_)) {
        return Err(refused(format!("{component} takes one element, not {}", tree.kind())));
    }
    let mut walk =
        Walk { surface: surface_name, elements, nodes: 0, text: limits().text, keys: HashSet::new(), path: Vec::new() };
    let drawn = walk.node(tree, Place { inline: false, pressed: false, keyed: false, depth: 1 })?;
    match super::component(component).and_then(|component| site::refused(component, surface_name, tree)) {
        Some(reason) => Err(refused(reason)),
        None => Ok(drawn),
    }
}

/// Where a node stands.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Inside text.
    inline: bool,
    /// Inside a Button.
    pressed: bool,
    /// Inside a Box with a key.
    keyed: bool,
    /// How many elements hold it, itself included.
    depth: usize,
}

struct Walk<'tree> {
    surface: &'tree str,
    elements: &'static [&'static str],
    nodes: usize,
    text: usize,
    keys: HashSet<(&'static str, String)>,
    path: Vec<String>,
}

impl Walk<'_> {
    fn refuse<T>(&self, reason: impl Into<String>) -> Result<T, TreeRefusal> {
        Err(TreeRefusal { path: self.path.join("."), reason: reason.into() })
    }

    fn count(&mut self) -> Result<(), TreeRefusal> {
        self.nodes += 1;
        if self.nodes > limits().nodes { self.refuse(format!("more than {} nodes", limits().nodes)) } else { Ok(()) }
    }

    fn node(&mut self, node: &Value, place: Place) -> Result<Value, TreeRefusal> {
        let Value::Object(fields) = node else {
            return self.refuse(format!("a node is {}, not an element", node.kind()));
        };
        let Some(name) = node.str_at("type") else { return self.refuse("a node has no type") };
        self.count()?;
        if place.depth > limits().depth {
            return self.refuse(format!("deeper than {}", limits().depth));
        }
        if name == "engine" {
            return self.engine(node, place);
        }
        let Some(element) = element(name) else {
            return self.refuse(format!("{name:?} is not an element; elements come from $.ui.resolve(e)"));
        };
        if !self.elements.contains(&element.name) {
            return self.refuse(format!("{name} is not an element of the {} surface", self.surface));
        }
        if place.inline && !element.inline {
            return self.refuse(format!("{name} inside an inline element"));
        }
        if place.pressed && name == "Link" {
            return self.refuse("Link inside a Button");
        }
        self.path.push(name.to_owned());
        let drawn = self.element(element, fields, place);
        if drawn.is_ok() {
            self.path.pop();
        }
        drawn
    }

    /// What the engine itself draws stands in a tree as a number.
    fn engine(&self, node: &Value, place: Place) -> Result<Value, TreeRefusal> {
        if place.inline {
            return self.refuse("an engine node inside an inline element");
        }
        match node.get("ref") {
            Some(place @ Value::Number(number)) if number.fract() == 0.0 && *number >= 0.0 => {
                Ok(Value::object([("type", Value::text("engine")), ("ref", place.clone())]))
            }
            _ => self.refuse("an engine node without a ref: a whole number that is not negative"),
        }
    }

    fn element(&mut self, element: &'static Element, fields: &Map, place: Place) -> Result<Value, TreeRefusal> {
        let empty = Value::object::<&str>([]);
        let given = match fields.get("props") {
            None | Some(Value::Undefined) => &empty,
            Some(props @ Value::Object(_)) => props,
            Some(other) => return self.refuse(format!("{} props is {}", element.name, other.kind())),
        };
        let was_drawn = fields.get("press").is_some_and(|press| !press.is_undefined());
        let mut press = fields.get("press").and_then(Value::as_object).cloned().unwrap_or_default();
        let mut props = self.props(element, given, was_drawn, &mut press)?;
        let hover = match fields.get("hover").or_else(|| given.get("hover")) {
            Some(hover) if !hover.is_nullish() && element.prop("hover").is_some() => {
                hover::check(element, hover, &props, place.keyed).or_else(|reason| self.refuse(reason))?;
                Some(hover.clone())
            }
            _ => None,
        };
        let children = self.children(element, fields.get("children"), &mut props, place)?;
        self.whole(element, &mut props, &press)?;
        if self.surface != "terminal" && element.name == "Text" {
            weigh(&mut props);
        }
        if element.name == "Progress" {
            if self.surface != "mobile" {
                return Ok(progress::drawn(self.surface, &props));
            }
            props = progress::props(&props);
        }
        let mut name = element.name;
        let mut children = children;
        let mut has_props = fields.get("props").is_some_and(|props| !props.is_undefined()) || !props.is_empty();
        if name == "Link" && !self.opens(&props) {
            // A link to nowhere is just its text.
            name = "Text";
            let shown = props.get("label").or_else(|| props.get("href")).filter(|text| text.as_str() != Some(""));
            children = Some(children.unwrap_or_else(|| shown.into_iter().cloned().collect()));
            props.clear();
            has_props = false;
        }
        let mut drawn = vec![("type", Value::text(name))];
        drawn.extend(has_props.then(|| ("props", Value::from(props))));
        drawn.extend((!press.is_empty()).then(|| ("press", Value::from(press))));
        drawn.extend(hover.map(|hover| ("hover", hover)));
        drawn.extend(children.map(|children| ("children", Value::from(children))));
        // Further fields, such as those that say whose part or module it is, stay as they are.
        let further = fields.iter().filter(|(name, _)| !NODE.contains(&&***name));
        drawn.extend(further.map(|(name, value)| (&**name, value.clone())));
        Ok(Value::object(drawn))
    }

    /// Whether this surface opens the address of a Link. The terminal shows any; the others take https, and http on
    /// this machine, in the form in which a URL is written back.
    fn opens(&self, props: &Map) -> bool {
        let href = props.get("href").and_then(Value::as_str).unwrap_or_default();
        if self.surface == "terminal" { !href.is_empty() } else { is_plain_address(href) }
    }

    /// The props that show; functions go to `press`.
    fn props(
        &self,
        element: &'static Element,
        given: &Value,
        was_drawn: bool,
        press: &mut Map,
    ) -> Result<Map, TreeRefusal> {
        let mut taken = Map::new();
        for (name, value) in given.as_object().into_iter().flatten() {
            if matches!(&**name, "children" | "hover") || (value.is_nullish() && element.strict) || value.is_undefined()
            {
                continue;
            }
            let Some(prop) = element.prop(name) else {
                if element.strict {
                    return self.refuse(format!("{} prop {name:?} is not allowed", element.name));
                }
                continue;
            };
            if prop.kind == Kind::Handler {
                if value.get("$handler").is_none() {
                    return self.refuse(format!("{} {name} must be a function", element.name));
                }
                press.insert(name.clone(), value.clone());
                continue;
            }
            if element.name == "Button" && prop.name == "key" && value.is_nullish() {
                continue;
            }
            match prop.kind.take(value) {
                Ok(Some(value)) => drop(taken.insert(name.clone(), value)),
                Ok(None) => {}
                Err(why) => return self.refuse(format!("{} prop {name:?} {why}", element.name)),
            }
        }
        for prop in element.props.iter().filter(|prop| prop.required && prop.name != "label") {
            let there = taken.contains_key(prop.name) || press.contains_key(prop.name);
            let is_kept = was_drawn && prop.is_handler();
            if !there && !is_kept {
                return self.refuse(format!("{} needs {} ({})", element.name, prop.name, prop.kind.wanted()));
            }
        }
        Ok(taken)
    }

    fn children(
        &mut self,
        element: &'static Element,
        children: Option<&Value>,
        props: &mut Map,
        place: Place,
    ) -> Result<Option<Vec<Value>>, TreeRefusal> {
        let mut flat = Vec::new();
        match children {
            None | Some(Value::Undefined) => {}
            Some(Value::Array(values)) => flat.extend(values.iter().cloned()),
            Some(other) => return self.refuse(format!("{} children is {}", element.name, other.kind())),
        }
        match element.children {
            Children::None if flat.is_empty() => Ok(None),
            Children::None => self.refuse(format!("{} takes no children", element.name)),
            Children::Label => {
                if !props.contains_key("label") {
                    let [Value::String(label)] = flat.as_slice() else {
                        return self.refuse(format!("{} needs a label, or one text as its child", element.name));
                    };
                    let label = Kind::Text.take(&Value::String(label.clone()));
                    let label = label.or_else(|why| self.refuse(format!("{} label {why}", element.name)))?;
                    props.insert("label".into(), label.unwrap_or_default());
                    flat.clear();
                }
                self.label_is_key(props);
                if flat.is_empty() {
                    return Ok(None);
                }
                let inside = Place { inline: true, pressed: true, depth: place.depth + 1, ..place };
                flat.iter()
                    .enumerate()
                    .map(|(at, child)| self.child(at, child, inside))
                    .collect::<Result<_, _>>()
                    .map(Some)
            }
            Children::Any | Children::Inline => {
                if children.is_none_or(Value::is_undefined) {
                    return Ok(None);
                }
                let inside = Place {
                    inline: place.inline || element.children == Children::Inline,
                    pressed: place.pressed,
                    keyed: place.keyed || (element.name == "Box" && props.contains_key("key")),
                    depth: place.depth + 1,
                };
                flat.iter()
                    .enumerate()
                    .map(|(at, child)| self.child(at, child, inside))
                    .collect::<Result<_, _>>()
                    .map(Some)
            }
        }
    }

    /// A button without a key is known by its label; the key comes first among the props.
    fn label_is_key(&self, props: &mut Map) {
        if let Some(label) = props.get("label").filter(|_| !props.contains_key("key")).cloned() {
            props.insert("key".into(), label);
            props.move_index(props.len() - 1, 0);
        }
    }

    fn child(&mut self, at: usize, child: &Value, place: Place) -> Result<Value, TreeRefusal> {
        self.path.push(format!("children[{at}]"));
        let drawn = match child {
            Value::String(text) => self.text(text),
            node => self.node(node, place),
        }?;
        self.path.pop();
        Ok(drawn)
    }

    fn text(&mut self, text: &str) -> Result<Value, TreeRefusal> {
        self.count()?;
        if text.chars().any(is_control) {
            return self.refuse("a text holds a control character (an escape sequence)");
        }
        let length = text.chars().count();
        let kept = length.min(self.text);
        self.text -= kept;
        if kept == length {
            return Ok(Value::text(text));
        }
        let cut: String = text.chars().take(kept).collect();
        Ok(Value::from(if kept == 0 { String::new() } else { cut + " [cut: the drawing is too long]" }))
    }

    /// Rules over all props of one element.
    fn whole(&mut self, element: &'static Element, props: &mut Map, press: &Map) -> Result<(), TreeRefusal> {
        let key = props.get("key").and_then(Value::as_str).map(str::to_owned);
        if element.unique
            && let Some(key) = key
            && !self.keys.insert((element.name, key.clone()))
        {
            return self.refuse(format!("{} {key:?} is drawn twice; each takes its own key", element.name));
        }
        let checked = match element.name {
            "Code" => {
                code(props);
                Ok(())
            }
            "Link" => link(props),
            "Markdown" => markdown(props, press),
            "Raster" => raster::check(props),
            "Image" => image::check(props),
            "Svg" => svg(props),
            _ => Ok(()),
        };
        checked.or_else(|reason| self.refuse(reason))
    }
}

/// The fields of a node that are read one by one.
const NODE: [&str; 5] = ["type", "props", "hover", "press", "children"];

fn is_plain_address(href: &str) -> bool {
    let rest = match (href.strip_prefix("https://"), href.strip_prefix("http://")) {
        (Some(rest), _) => rest,
        (None, Some(rest)) if host(rest).split(':').next() == Some("localhost") => rest,
        _ => return false,
    };
    let (host, path) = (host(rest), &rest[host(rest).len()..]);
    let in_host = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-_:[]".contains(&byte);
    let in_path = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte);
    !host.is_empty() && host.bytes().all(in_host) && path.bytes().all(in_path)
}

/// What stands before the path, the query and the fragment.
fn host(rest: &str) -> &str {
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Where type has weights, bold is one of them: each is told with the other.
fn weigh(props: &mut Map) {
    let is_bold = Value::from(true);
    match props.get("weight").and_then(Value::as_str) {
        None if props.get("bold") == Some(&is_bold) => drop(props.insert("weight".into(), Value::text("semibold"))),
        Some("semibold" | "bold") => drop(props.insert("bold".into(), is_bold)),
        Some(_) if props.get("bold") == Some(&is_bold) => drop(props.shift_remove("bold")),
        _ => {}
    }
}

/// What does not read as a diff is shown as it is.
fn code(props: &mut Map) {
    let source = props.get("source").and_then(Value::as_str).unwrap_or_default();
    if props.get("format").and_then(Value::as_str) == Some("diff") && !diff::is_diff(source) {
        props.shift_remove("format");
    }
}

fn link(props: &Map) -> Result<(), String> {
    let href = props.get("href").and_then(Value::as_str).unwrap_or_default();
    if href.chars().count() > limits().href {
        return Err(format!("Link href is longer than {} characters", limits().href));
    }
    Ok(())
}

fn markdown(props: &Map, press: &Map) -> Result<(), String> {
    if !press.is_empty() && !props.contains_key("key") {
        return Err("Markdown with onLinkPress needs a key".into());
    }
    if press.is_empty() && props.contains_key("pressableLinks") {
        return Err("Markdown pressableLinks need onLinkPress".into());
    }
    Ok(())
}

fn svg(props: &Map) -> Result<(), String> {
    let source = props.get("source").and_then(Value::as_str).unwrap_or_default();
    if source.chars().count() > limits().svg {
        return Err(format!("Svg source is longer than {} characters", limits().svg));
    }
    Ok(())
}
