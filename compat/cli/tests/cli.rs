//! The program as a whole: what it prints and how it ends.
//!
//! `fixture` makes folders and runs the program in them; `wire` are the JSON documents, read back into types that
//! refuse unknown keys; the other modules are one command or concern each.

#[path = "cli/fixture.rs"]
mod fixture;
#[path = "cli/wire.rs"]
mod wire;

#[cfg(feature = "engine")]
#[path = "cli/compare.rs"]
mod compare;
#[path = "cli/diff.rs"]
mod diff;
#[path = "cli/explain.rs"]
mod explain;
#[path = "cli/hash.rs"]
mod hash;
#[path = "cli/help.rs"]
mod help;
#[path = "cli/hostile.rs"]
mod hostile;
#[path = "cli/lsp.rs"]
mod lsp;
#[path = "cli/marketplace.rs"]
mod marketplace;
#[cfg(feature = "engine")]
#[path = "cli/planted.rs"]
mod planted;
#[cfg(feature = "engine")]
#[path = "cli/run.rs"]
mod run;
#[cfg(feature = "engine")]
#[path = "cli/tables.rs"]
mod tables;
#[cfg(feature = "engine")]
#[path = "cli/test.rs"]
mod test;
#[path = "cli/trees.rs"]
mod trees;
#[path = "cli/validate.rs"]
mod validate;
#[cfg(feature = "engine")]
#[path = "cli/which_version.rs"]
mod which_version;
