//! What an element looks like while the pointer is over it.

use modgate_value::{Map, Value};

use crate::elements::kind::{is_border, is_color, is_control};
use crate::elements::{Element, Kind};

const TEXT: [&str; 8] =
    ["color", "backgroundColor", "dimColor", "bold", "italic", "underline", "strikethrough", "inverse"];
const BOX: [&str; 9] =
    ["borderStyle", "borderColor", "borderDimColor", "backgroundColor", "display", "top", "left", "right", "bottom"];

/// Checks a `hover`; `props` are those of the element itself, `keyed` says whether a Box with a key is around it.
pub(super) fn check(element: &Element, hover: &Value, props: &Map, keyed: bool) -> Result<(), String> {
    let name = element.name;
    let Some(fields) = hover.as_object() else { return Err(format!("{name} hover must be an object of props")) };
    let scope = fields.get("scope").filter(|scope| !scope.is_undefined());
    if let Some(scope) = scope
        && !is_scope(scope)
    {
        return Err(format!("{name} hover scope is not a string of 1 to 64 characters"));
    }
    let has_own = name == "Box" && props.contains_key("key");
    if scope.is_none() && !keyed && !has_own {
        return Err(format!("{name} hover has no Box with a key around it, and no scope that names its group"));
    }
    let known: &[&str] = if name == "Box" { &BOX } else { &TEXT };
    for (prop, value) in fields.iter().filter(|(prop, value)| &***prop != "scope" && !value.is_undefined()) {
        if !known.contains(&&**prop) {
            return Err(format!("{name} hover prop {prop:?} is not allowed"));
        }
        one(prop, value, props, scope.is_some()).map_err(|why| format!("{name} hover prop {prop:?} {why}"))?;
    }
    Ok(())
}

fn is_scope(scope: &Value) -> bool {
    scope.as_str().is_some_and(|scope| (1..=64).contains(&scope.chars().count()) && !scope.chars().any(is_control))
}

fn one(prop: &str, value: &Value, props: &Map, scoped: bool) -> Result<(), String> {
    let has = |prop: &str, wanted: &str| props.get(prop).and_then(Value::as_str) == Some(wanted);
    match prop {
        "color" | "backgroundColor" | "borderColor" => value
            .as_str()
            .is_some_and(is_color)
            .then_some(())
            .ok_or_else(|| format!("must be {}", Kind::Color.wanted())),
        "borderStyle" if !is_border(value) => Err("must be a border style".into()),
        "borderStyle" if !props.contains_key("borderStyle") => {
            Err("would add a border: give the Box one to restyle".into())
        }
        "borderStyle" => Ok(()),
        "display" if value.as_str() != Some("flex") => {
            Err("would hide it under the pointer: only \"flex\" is taken".into())
        }
        "display" if !has("display", "none") => {
            Err("reveals a Box drawn with display \"none\"; this one is shown".into())
        }
        "display" if props.contains_key("key") && !scoped => {
            Err("needs a keyed Box around it: nobody can point at one that is not shown".into())
        }
        "display" => Ok(()),
        "top" | "left" | "right" | "bottom" => {
            Kind::Number.take(value)?;
            if has("position", "absolute") {
                Ok(())
            } else {
                Err("moves only a Box drawn with position \"absolute\"".into())
            }
        }
        _ => Kind::Bool.take(value).map(drop),
    }
}
