//! One scenario under several hosts: what plays it, and what makes one from the hooks of mods.

pub(crate) mod derive;
pub(crate) mod dry;
pub(crate) mod play;
mod sample;
