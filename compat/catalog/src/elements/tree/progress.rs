//! Progress is drawn with Boxes and Texts on every surface but mobile, which draws it itself.

use modgate_value::{Map, Value};

/// How much is done, from 0 to 1; nothing where that is not known.
fn share(props: &Map) -> Option<f64> {
    let number = |name: &str| props.get(name).and_then(Value::as_f64).filter(|number| number.is_finite());
    let most = if props.contains_key("max") { number("max") } else { Some(1.0) };
    number("value").zip(most).filter(|(_, most)| *most > 0.0).map(|(value, most)| (value / most).clamp(0.0, 1.0))
}

/// What a surface that draws it is told.
pub(super) fn props(props: &Map) -> Map {
    let told = [
        ("label", props.get("label").cloned()),
        ("value", share(props).map(Value::from)),
        ("color", props.get("color").cloned()),
    ];
    told.into_iter().filter_map(|(name, value)| Some((name.into(), value?))).collect()
}

/// The nodes a Progress stands for.
pub(super) fn drawn(surface: &str, props: &Map) -> Value {
    let label = props.get("label").cloned().unwrap_or_default();
    let Some(share) = share(props) else { return caption(label, "Running\u{2026}".into()) };
    let percent = format!("{}%", (share * 100.0).round());
    let height = Value::from(if surface == "terminal" { 1.0 } else { 0.3 });
    let color = props.get("color").cloned().unwrap_or_else(|| Value::text("suggestion"));
    let bar =
        node("Box", [("width", Value::text(&percent)), ("height", height.clone()), ("backgroundColor", color)], None);
    let track =
        [("width", Value::text("100%")), ("height", height), ("backgroundColor", Value::text("userMessageBackground"))];
    node(
        "Box",
        [("flexDirection", Value::text("column")), ("width", Value::text("100%"))],
        Some(vec![caption(label, percent), node("Box", track, Some(vec![bar]))]),
    )
}

fn caption(label: Value, state: String) -> Value {
    let state = node("Text", [("dimColor", Value::from(true))], Some(vec![Value::from(state)]));
    node("Text", [], Some(vec![label, Value::text(" "), state]))
}

fn node<const N: usize>(name: &str, props: [(&str, Value); N], children: Option<Vec<Value>>) -> Value {
    let mut fields = vec![("type", Value::text(name))];
    fields.extend((N > 0).then(|| ("props", Value::object(props))));
    fields.extend(children.map(|children| ("children", Value::from(children))));
    Value::object(fields)
}
