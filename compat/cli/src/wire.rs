//! What other programs read, as types of its own: the reports' types stay free to change. `docs/validate-json.md`
//! describes them.

pub(crate) mod diff;
pub(crate) mod facts;
pub(crate) mod hash;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod sarif;

/// Grows when a field changes its meaning or goes away; new fields leave it as it is.
pub(crate) const SCHEMA: u32 = 1;
