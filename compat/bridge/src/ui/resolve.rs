//! `ui.resolve`: which elements a mod draws with.
//!
//! It is raised for each mod, surface and component once everybody is loaded, all at once, and only where another mod
//! has a hook that takes part; `$.ui.resolve` then reads what came of it. A table crosses isolates as data: by name, the
//! surface's own constructor (its name as text), a fragment (no text), or a function of a mod (`{plugin, number}`).

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::join_all;
use modgate_catalog::elements;
use modgate_engine::{Boxed, Fault};
use modgate_value::Value;
use parking_lot::RwLock;

use crate::chain::{Core, Dispatch, Path, Raised};
use crate::mods::{Mods, Origin};
use crate::plugin::Plugin;

const EVENT: &str = "ui.resolve";

/// The surfaces in the order in which the event is raised.
const SURFACES: [&str; 4] = ["terminal", "desktop", "mobile", "vscode"];

/// A table that hooks had a hand in.
#[derive(Clone)]
struct Table {
    id: u32,
    data: Value,
}

/// The tables of one mod, by surface and component. Those that no hook touched are not among them.
#[derive(Default)]
pub(crate) struct Tables(RwLock<HashMap<(&'static str, &'static str), Table>>);

/// Numbers of tables: an isolate serves one test after the other, so they are never used again.
static LAST: AtomicU32 = AtomicU32::new(0);

impl Tables {
    fn put(&self, surface: &'static str, component: &'static str, data: Value) {
        let id = LAST.fetch_add(1, Ordering::Relaxed);
        self.0.write().insert((surface, component), Table { id, data });
    }

    fn get(&self, surface: &'static str, component: &'static str) -> Option<Table> {
        self.0.read().get(&(surface, component)).cloned()
    }
}

/// What `$.ui.resolve` gives for a surface and a component: `{names}`, or `{id, table}` where hooks made it.
///
/// # Errors
/// There is no such surface or component.
pub(crate) fn resolve(plugin: &Plugin, asked: &[Value]) -> Result<Value, Fault> {
    let text = |index: usize| asked.get(index).and_then(Value::as_str);
    let name = plugin.name();
    let refused =
        |what: String| Err(Fault::hooks(format!("{name}: $.ui.resolve takes what ui.render is given: {what}")));
    let Some((surface, offered)) = text(0).and_then(offered) else {
        return refused("e.surface names the surface".into());
    };
    let Some(component) = text(1).and_then(elements::component) else {
        return refused(no_component(text(1)));
    };
    Ok(match plugin.tables.get(surface, component.name) {
        None => Value::object([("names", Value::list(offered.iter().map(Value::text)))]),
        Some(Table { id, data }) => Value::object([("id", Value::from(id)), ("table", data)]),
    })
}

fn offered(surface: &str) -> Option<(&'static str, &'static [&'static str])> {
    let surface = SURFACES.into_iter().find(|known| *known == surface)?;
    Some((surface, elements::table(surface)?))
}

fn no_component(name: Option<&str>) -> String {
    let near = name.and_then(elements::nearest_component).map(|near| format!("; the nearest is {near}"));
    format!("{:?} is no component{}", name.unwrap_or_default(), near.unwrap_or_default())
}

/// What a hook passes on: any surface and component there are. The table stays that of the draw it was raised for.
///
/// # Errors
/// The input names none.
pub(crate) fn check_input(input: &Value) -> Result<(), Fault> {
    if input.str_at("surface").and_then(offered).is_none() {
        return Err(Fault::hooks("next() takes what ui.render is given: e.surface names the surface"));
    }
    match input.str_at("component") {
        Some(name) if elements::component(name).is_some() => Ok(()),
        name => Err(Fault::hooks(format!("next() takes what ui.render is given: {}", no_component(name)))),
    }
}

/// Raises the event for every mod, where others have hooks on it.
pub(crate) async fn raise(mods: &Arc<Mods>) {
    if !mods.hears(EVENT) {
        return;
    }
    let event = Arc::from(EVENT);
    let plugins = mods.plugins();
    let mut raised = Vec::new();
    for plugin in &plugins {
        let hooks: Vec<_> = plugins
            .iter()
            .filter(|other| other.name() != plugin.name())
            .flat_map(|other| other.hooks_on(&event).to_vec())
            .collect();
        for (surface, offered) in SURFACES.into_iter().filter_map(offered) {
            for component in elements::components() {
                let input =
                    Value::object([("surface", Value::text(surface)), ("component", Value::text(component.name))]);
                if hooks.iter().any(|hook| hook.matches(None, &input)) {
                    raised.push(one(mods, plugin, (surface, component.name), offered, input));
                }
            }
        }
    }
    join_all(raised).await;
}

async fn one(
    mods: &Arc<Mods>,
    plugin: &Plugin,
    (surface, component): (&'static str, &'static str),
    offered: &'static [&'static str],
    input: Value,
) {
    let core = Arc::new(Offer(offered));
    let dispatch = Dispatch::new(mods, EVENT, Origin::of(plugin), Path::default(), core).without(plugin.name());
    // What nobody could make anything of is the surface's own table.
    if let Ok(table) = dispatch.run(0, input).await {
        plugin.tables.put(surface, component, table);
    }
}

/// The surface's own table, beneath every mod.
struct Offer(&'static [&'static str]);

impl Core for Offer {
    fn answer(self: Arc<Self>, _raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        let table = Value::object(self.0.iter().map(|name| (*name, Value::text(name))));
        Box::pin(std::future::ready(Ok(table)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(surface: &str, component: &str) -> Result<(), String> {
        let input = Value::object([("surface", Value::text(surface)), ("component", Value::text(component))]);
        check_input(&input).map_err(|fault| fault.message)
    }

    #[test]
    fn the_surfaces_are_those_of_the_catalog() {
        let mut known = SURFACES;
        known.sort_unstable();
        assert_eq!(elements::surfaces().collect::<Vec<_>>(), known);
    }

    #[test]
    fn what_may_be_passed_on() {
        assert_eq!(passed("mobile", "Spinner"), Ok(()));
        assert!(passed("paper", "Pane").unwrap_err().contains("e.surface names the surface"));
        let near = passed("terminal", "Pain").unwrap_err();
        assert!(near.contains("\"Pain\" is no component; the nearest is Pane"), "{near}");
        assert!(check_input(&Value::object([("surface", Value::text("terminal"))])).is_err());
        assert!(check_input(&Value::Null).is_err());
    }

    #[test]
    fn tables_are_numbered_and_kept_by_place() {
        let tables = Tables::default();
        assert!(tables.get("terminal", "Pane").is_none());
        tables.put("terminal", "Pane", Value::text("first"));
        tables.put("desktop", "Pane", Value::text("second"));
        let [first, second] = ["terminal", "desktop"].map(|surface| tables.get(surface, "Pane").unwrap());
        assert_eq!((first.data, second.data), (Value::text("first"), Value::text("second")));
        assert_ne!(first.id, second.id);
        assert!(tables.get("terminal", "Spinner").is_none());
    }
}
