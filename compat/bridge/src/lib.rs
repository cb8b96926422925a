//! Mods on a host: the middleware chain, calls on `$`, what hosts do differently, and what is refused.
//!
//! [`Mods`] holds the loaded mods of a session, outermost first, and dispatches events through them. Beneath every mod
//! stands a [`Core`]: the native harness, or a test's own stubs. What hosts do differently is a [`Policy`], a value;
//! nothing here asks for a host's name.

pub mod chain;
mod dollar;
pub mod load;
mod mods;
pub mod native;
mod nouns;
mod plugin;
mod policy;
mod report;
pub mod testing;
mod ui;

pub use chain::{Core, Gate, Path, Raised, Rest};
pub use mods::{Mods, ModsBuilder, Origin};
pub use plugin::{Plugin, PluginSpec, Tier};
pub use policy::{Corrections, Policy};
pub use report::{Change, Collected, Report, ReportSink, codes};
