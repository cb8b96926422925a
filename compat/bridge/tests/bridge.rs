//! Mods on the native harness: what holds whatever they do, and what each lifecycle point lets them do.

#[path = "bridge/support.rs"]
mod support;

#[path = "bridge/amend.rs"]
mod amend;
#[path = "bridge/calls.rs"]
mod calls;
#[path = "bridge/codes.rs"]
mod codes;
#[path = "bridge/drawn.rs"]
mod drawn;
#[path = "bridge/fixtures.rs"]
mod fixtures;
#[path = "bridge/hosts.rs"]
mod hosts;
#[path = "bridge/kill.rs"]
mod kill;
#[path = "bridge/native.rs"]
mod native;
#[path = "bridge/natives.rs"]
mod natives;
#[path = "bridge/promises.rs"]
mod promises;
#[path = "bridge/retry.rs"]
mod retry;
#[path = "bridge/suites.rs"]
mod suites;
