//! What hosts do differently, as a value that the chain is given.

use std::collections::BTreeSet;
use std::time::Duration;

use modgate_catalog::hosts::{
    DenyAfterNext, Failure, HostProfile, LateRefusal, Pending, Repeat, Results, Rewrite, UnknownEvent,
};

/// How the chain treats what a mod may try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Changed arguments at `tool.call`.
    pub rewrite: Rewrite,
    /// Another tool at `tool.call`.
    pub reroute: Rewrite,
    /// A second `next` of one invocation.
    pub repeat: Repeat,
    /// A hook that fails.
    pub failure: Failure,
    /// A deny after the tool has run.
    pub deny_after_next: DenyAfterNext,
    /// A refusal that comes too late, elsewhere.
    pub late_refusal: LateRefusal,
    /// A run left pending beneath an answer.
    pub pending: Pending,
    /// Where a result in place of a tool's own is checked.
    pub results: Results,
    /// An event nobody knows.
    pub unknown_event: UnknownEvent,
    /// Whether `next.to` works.
    pub next_to: bool,
    /// A hook's own time on one dispatch.
    pub hook: Duration,
    /// Events of the catalog on which no hook runs: whoever raises one reaches what stands beneath the mods.
    pub silent: BTreeSet<&'static str>,
}

/// What a mod may do to a committed call beyond the host's rules, each as a row of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Corrections {
    /// Other arguments or another tool become a recorded correction.
    pub amends: bool,
    /// A further `next` becomes a numbered attempt.
    pub retries: bool,
}

impl From<&HostProfile> for Policy {
    fn from(profile: &HostProfile) -> Policy {
        Policy {
            rewrite: profile.rewrite.is,
            reroute: profile.reroute.is,
            repeat: profile.repeat.is,
            failure: profile.failure.is,
            deny_after_next: profile.deny_after_next.is,
            late_refusal: profile.late_refusal.is,
            pending: profile.pending.is,
            results: profile.results.is,
            unknown_event: profile.unknown_event.is,
            next_to: profile.next_to.is,
            hook: Duration::from_millis(profile.budgets.hook_ms),
            silent: BTreeSet::new(),
        }
    }
}
