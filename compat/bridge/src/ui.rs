//! Drawing: `ui.render` raised and its trees checked, what a person does with what was drawn, surface modules.
//!
//! A drawing is one component on one surface, for one request. [`Drawings`] keeps those of a session, draws them again
//! when something they read was written, and brings presses, texts and choices through the chain to the callback of the
//! mod that drew the control. Callbacks never leave their isolates; in a tree a control is `press: {plugin, handle}`.

mod act;
mod client;
mod drawing;
mod drawings;
mod lend;
mod render;
mod resolve;

pub(crate) use act::{Act, Deed};
pub(crate) use drawing::{Drawing, Target};
pub(crate) use drawings::Drawings;
pub(crate) use lend::{Counter, ask};
pub use render::Render;
pub(crate) use render::{Failure, hosts_own, leaves};
pub(crate) use resolve::{Tables, check_input, raise, resolve};

/// The function of the bootstrap that answers for drawings: the first one that an isolate keeps.
pub(crate) const ENTRY: u32 = 0;
