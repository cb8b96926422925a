//! What a mod gets from `$` here, denied cases first.

#[path = "services/support.rs"]
mod support;

#[path = "services/clock_env.rs"]
mod clock_env;
#[path = "services/fs.rs"]
mod fs;
#[path = "services/gates.rs"]
mod gates;
#[path = "services/http.rs"]
mod http;
#[path = "services/mcp.rs"]
#[cfg(feature = "mcp")]
mod mcp;
#[path = "services/model.rs"]
mod model;
#[path = "services/process.rs"]
mod process;
#[path = "services/session.rs"]
mod session;
#[path = "services/settings.rs"]
mod settings;
#[path = "services/state.rs"]
mod state;
#[path = "services/store.rs"]
mod store;
#[path = "services/ui.rs"]
mod ui;
