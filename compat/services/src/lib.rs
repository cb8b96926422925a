//! What `$` serves natively: one trait a namespace, four gates before every call, one receipt after it.
//!
//! A host builds a [`Services`] from what it has ([`Services::builder`]) and hands every `$` call to
//! [`Services::call`], streaming ones to [`Services::open_stream`]. A namespace it did not supply, and a member its
//! implementation does not list, reject with `no implementation for <namespace>.<method>`.
//!
//! Every call passes four gates, in this order, and leaves a [`Receipt`] whatever happens:
//!
//! 1. provenance: the caller says which mod, with which content hash;
//! 2. trust: that content hash has a grant (calls in [`free_calls`] need none);
//! 3. visibility: the member was not withheld from this mod's `$`;
//! 4. execution: grant, host limits and requirements all cover this path, command, host, variable, model or server.
//!
//! This crate knows no JavaScript, no chain and no event: the bridge runs the hooks above a call and comes here for
//! what is beneath them.

mod caller;
mod context;
mod error;
mod gates;
mod input;
mod json_file;
mod plain;
mod service;
mod services;
mod stream;

pub mod agent;
pub mod audio;
pub mod clock;
pub mod command;
pub mod config;
pub mod env;
pub mod fs;
pub mod http;
pub mod mcp;
pub mod model;
pub mod native;
pub mod process;
pub mod prompt;
pub mod served;
pub mod session;
pub mod settings;
pub mod state;
pub mod store;
pub mod telemetry;
pub mod tool;
pub mod turn;
pub mod ui;

pub use caller::Caller;
pub use error::{ErrorKind, ServiceError, codes};
pub use gates::{
    Access, EnvNames, FsPaths, Gate, Grant, GrantsError, HttpTargets, Ledger, Outcome, PathError, Permissions, Places,
    Policy, ProcessRules, Reached, Receipt, ReceiptSink, Retry, Rewrite, free_calls, mask, mask_text, resolve,
};
pub use native::{Beginning, NativeHost};
pub use served::{host_served, served};
pub use services::{Builder, Services};
pub use stream::ServiceStream;

/// What a call gives: the answer, or why it rejects.
pub type Answer = Result<modgate_value::Value, ServiceError>;
