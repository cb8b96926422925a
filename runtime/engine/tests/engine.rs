//! The engine, driven by a host that answers with what it was given. One binary: each links V8.

#[path = "engine/fixture.rs"]
mod fixture;
#[path = "engine/hooks.rs"]
mod hooks;
#[path = "engine/limits.rs"]
mod limits;
#[path = "engine/modules.rs"]
mod modules;
#[path = "engine/spares.rs"]
mod spares;
