//! The four gates, and the receipt a call leaves.

mod access;
mod mask;
mod path;
mod pattern;
mod permissions;
mod policy;
mod receipt;

pub use access::Access;
pub use mask::{mask, mask_text};
pub use path::{PathError, Reached, resolve};
pub use pattern::Places;
pub use permissions::{EnvNames, FsPaths, HttpTargets, Permissions, ProcessRules};
pub use policy::{Grant, GrantsError, Policy, Rewrite, free_calls};
pub use receipt::{Gate, Ledger, Outcome, Receipt, ReceiptSink};

pub(crate) use policy::Standing;
pub(crate) use receipt::Draft;
