//! One scenario under several hosts: what plays it, and what makes one from the hooks of mods.

pub(crate) mod derive;
pub(crate) mod dry;
pub(crate) mod mcp;
pub(crate) mod play;
pub(crate) mod progress;
mod pulse;
mod sample;
