//! The native harness: a session over an append-only record, with typed lifecycle points for contributors.
//!
//! It knows neither mods nor JavaScript. A contributor is any implementation of the traits in [`point`], collected in
//! a [`Registry`] that never changes afterwards. A [`Session`] drives prompt, turn, steps and calls in the order of
//! those points, and appends to the [`record`] before it acts. What anybody sees afterwards is a [`fold`] of it.
//!
//! [`script`] replaces model and person by a scenario file; [`tools`] and [`permission`] are what a step works with.

mod error;
mod registry;

pub mod fold;
pub mod model;
pub mod permission;
pub mod person;
pub mod point;
pub mod prompt;
pub mod record;
pub mod report;
pub mod script;
pub mod session;
pub mod tools;

pub use error::HarnessError;
pub use registry::{Named, Registry, RegistryBuilder};
pub use session::{Session, SessionBuilder, SessionHandle, SessionPolicy};
