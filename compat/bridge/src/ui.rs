//! Drawing: `ui.render` raised and its trees checked, what a person does with what was drawn, surface modules.
//!
//! A drawing is one component on one surface, for one request. [`Drawings`] keeps those of a session, draws them again
//! when something they read was written, and brings presses, texts and choices through the chain to the callback of the
//! mod that drew the control. Callbacks never leave their isolates; in a tree a control is `press: {plugin, handle}`.

mod act;
mod client;
mod drawing;
mod drawings;
mod render;

use modgate_catalog::elements;
use modgate_engine::Fault;
use modgate_value::Value;

pub(crate) use act::{Act, Deed};
pub(crate) use drawing::{Drawing, Target};
pub(crate) use drawings::Drawings;
pub use render::Render;
pub(crate) use render::{Failure, leaves};

/// The function of the bootstrap that answers for drawings: the first one that an isolate keeps.
pub(crate) const ENTRY: u32 = 0;

/// The names of the elements that `$.ui.resolve` gives for a surface and a component.
pub(crate) fn resolve(plugin: &str, asked: &[Value]) -> Result<Value, Fault> {
    let text = |index: usize| asked.get(index).and_then(Value::as_str);
    let refused =
        |what: String| Err(Fault::hooks(format!("{plugin}: $.ui.resolve takes what ui.render is given: {what}")));
    let Some(names) = text(0).and_then(elements::surface) else {
        return refused("e.surface names the surface".into());
    };
    match text(1) {
        Some(name) if elements::component(name).is_some() => Ok(Value::list(names.iter().map(Value::text))),
        name => {
            let near = name.and_then(elements::nearest_component).map(|near| format!("; the nearest is {near}"));
            refused(format!("{:?} is no component{}", name.unwrap_or_default(), near.unwrap_or_default()))
        }
    }
}
