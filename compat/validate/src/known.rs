//! What the catalog says, in the terms of the validator.

use crate::report::{Literal, Matcher};
use modgate_catalog::event::{EventKind, events};
use modgate_catalog::pattern::Pattern;

/// Events on which the host fills in matcher keys: those of a drawing.
const DRAWING: [&str; 5] = ["ui.focus", "ui.input", "ui.press", "ui.render", "ui.select"];

/// Components that belong to the mod that draws them.
const OWN_COMPONENTS: [&str; 2] = ["AbovePrompt", "Pane"];

/// Can an answer to an event this pattern selects stop something? Calls of nouns that mods provide can be denied.
pub(crate) fn is_gate(pattern: &Pattern, written: &str) -> bool {
    let mut any = false;
    for event in events().iter().filter(|event| pattern.selects(event.name)) {
        any = true;
        if event.gate {
            return true;
        }
    }
    // A namespace of `$` may get calls of mods beside those known.
    let prefix = written.strip_suffix(".*").unwrap_or_default();
    !any || modgate_catalog::member_namespaces().contains(&prefix)
}

/// Does a hook on exactly this event stream its answer?
pub(crate) fn streams(pattern: &Pattern) -> bool {
    pattern.name().and_then(modgate_catalog::event).is_some_and(|event| event.kind == EventKind::Generator)
}

/// Matcher keys the host fills in by itself, in its order.
pub(crate) fn default_keys(pattern: &Pattern, matcher: Option<&Matcher>, written: bool) -> Vec<String> {
    let fields = match matcher {
        Some(Matcher::Has(fields)) if written || pattern.is_name() => fields,
        _ => return Vec::new(),
    };
    let has = |key: &str| fields.iter().any(|(name, _)| name == key);
    let drawn: Vec<&str> = DRAWING.into_iter().filter(|event| pattern.selects(event)).collect();
    if drawn.is_empty() {
        return Vec::new();
    }
    let component = fields.iter().find(|(name, _)| name == "component").map(|(_, matcher)| matcher);
    let own = drawn.iter().any(|event| *event != "ui.render") || component.is_none_or(may_be_own);
    let mut keys = Vec::new();
    if own && !has("plugin") {
        keys.push("plugin".to_owned());
    }
    if component.is_none() {
        keys.push("component".to_owned());
    }
    keys
}

/// Is this a key that the host fills in for one of these events?
pub(crate) fn fills_in(key: &str, events: &[&modgate_catalog::Event]) -> bool {
    matches!(key, "plugin" | "component") && events.iter().any(|event| DRAWING.contains(&event.name))
}

fn may_be_own(component: &Matcher) -> bool {
    match component {
        Matcher::Is(Literal::String(name)) => OWN_COMPONENTS.contains(&name.as_str()),
        Matcher::AnyOf(any) => any.iter().any(may_be_own),
        Matcher::Regex { .. } | Matcher::Unread => true,
        Matcher::Is(_) | Matcher::Has(_) => false,
    }
}
