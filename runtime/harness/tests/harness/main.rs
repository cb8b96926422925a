//! Tests of the harness from outside, by topic.
//!
//! `record`: chain, torn tails, lock. `folds`: what the three readers make of rows. `lifecycle`: order and rules of
//! the contributors. `execution`: one logged call under every policy. `tools`: the tools in a real directory.
//! `permission`: rules, modes, shell commands. `scenarios`: the scenario format. `resume`: going on from a record.
//! `promises`: what holds whatever contributors do. `stopping`: aborts, long and
//! crowded sessions. `kill`: SIGKILL at random moments.

mod execution;
mod folds;
mod kill;
mod lifecycle;
mod permission;
mod probe;
mod promises;
mod record;
mod resume;
mod scenarios;
mod stopping;
mod support;
mod tools;
