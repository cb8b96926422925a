//! V8 isolates for mods: modules in, functions invoked, values passed, limits kept.
//!
//! The engine knows no event by name. Who uses it gives it the text of a mod's modules and a
//! [`Host`], and is told what the mod registers and calls.

mod cpu;
mod ext;
mod host;
mod inbox;
pub mod inline;
mod isolate;
mod limits;
mod loader;
mod transpile;

pub use cpu::count_own_time;
pub use ext::port::{
    DollarCall, Ended, FailureKind, Fault, HookFailure, InvocationId, NextCall, Position, PromiseId, Registration,
    Thrown,
};
pub use host::{Beneath, Boxed, Host, Limit, Modules, Pulled, Reply, Source};
pub use inbox::Activity;
pub use isolate::{Invoke, Isolate, IsolateSpec, LoadError, Memory, Spares};
pub use limits::Limits;
pub use loader::InnerModule;
pub use transpile::{Compiled, SyntaxError, compile};

/// Initializes V8; to be called once, on the main thread, before the first isolate.
pub fn initialize() {
    // Maglev leaves the check for a termination out of loops whose body only calls built-ins
    // (`for (;;) list.push([].fill(x))`); such a loop could not be ended.
    deno_core::v8_set_flags(vec!["modgate".into(), "--no-maglev".into()]);
    deno_core::JsRuntime::init_platform(None);
}
