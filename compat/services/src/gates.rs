//! The four gates, and the receipt a call leaves.

mod access;
mod mask;
mod path;
mod pattern;
mod permissions;
mod policy;
mod receipt;
mod standing;

pub use access::Access;
pub use mask::{mask, mask_text};
pub use path::{PathError, Reached, resolve};
pub use pattern::Places;
pub use permissions::{EnvNames, FsPaths, HttpTargets, Permissions, ProcessRules};
pub use policy::{Grant, GrantsError, Policy, Retry, Rewrite};
pub use receipt::{Gate, Ledger, Outcome, Receipt, ReceiptSink};

pub use standing::free_calls;

pub(crate) use receipt::Draft;
pub(crate) use standing::Standing;
