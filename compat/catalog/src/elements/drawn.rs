//! Reading a drawn tree.

use modgate_value::Value;

/// One element of a drawn tree that a person can act on.
#[derive(Debug, Clone, PartialEq)]
pub struct Control<'tree> {
    /// `Button`, `Input`, `Select`, `Markdown`.
    pub element: &'tree str,
    /// Its key.
    pub key: &'tree str,
    /// Its props, as drawn.
    pub props: &'tree Value,
    /// Its functions: prop name to `{ "$handler": ... }`.
    pub press: &'tree Value,
}

impl Control<'_> {
    /// The marker of one of its functions.
    pub fn handler(&self, prop: &str) -> Option<&Value> {
        self.press.get(prop)
    }
}

/// All controls of a drawn tree, in document order.
pub fn controls(tree: &Value) -> Vec<Control<'_>> {
    let mut found = Vec::new();
    collect(tree, &mut found);
    found
}

fn collect<'tree>(node: &'tree Value, found: &mut Vec<Control<'tree>>) {
    if let (Some(element), Some(props), Some(press)) = (node.str_at("type"), node.get("props"), node.get("press")) {
        found.push(Control { element, key: props.str_at("key").unwrap_or_default(), props, press });
    }
    for child in node.get("children").and_then(Value::as_array).unwrap_or_default() {
        collect(child, found);
    }
}
