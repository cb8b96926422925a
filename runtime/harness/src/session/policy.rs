use serde::{Deserialize, Serialize};

/// What hosts do differently, as values. The harness never asks which host it plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct SessionPolicy {
    /// Where permission is decided.
    pub permission: PermissionOrder,
    /// What happens to arguments changed on the way down.
    pub arguments: ArgumentPolicy,
    /// What a repeated execution gets.
    pub repeat: RepeatPolicy,
    /// How far a contributor may loosen a verdict.
    pub ceiling: Ceiling,
    /// What becomes of runs that a contributor left behind beneath its answer.
    pub pending: PendingRuns,
    /// Whether a replaced result must fit the tool's output shape.
    pub check_results: bool,
    /// Steps after which a turn ends with reason `steps`.
    pub max_steps: u32,
    /// Milliseconds a contributor around a call has to come to an end once the turn was aborted.
    pub abort_grace_ms: u64,
}

impl Default for SessionPolicy {
    /// The native profile: permission first, rewrites refused, one execution a call.
    fn default() -> SessionPolicy {
        SessionPolicy {
            permission: PermissionOrder::BeforeTools,
            arguments: ArgumentPolicy::Refuse,
            repeat: RepeatPolicy::FirstResult,
            ceiling: Ceiling::LiftAsk,
            pending: PendingRuns::Awaited,
            check_results: true,
            max_steps: 100,
            abort_grace_ms: 2_000,
        }
    }
}

/// Where permission is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PermissionOrder {
    /// On the committed call, before any [`crate::point::ToolLifecycle`].
    BeforeTools,
    /// Beneath them, on what they passed down, once for each execution.
    AfterTools,
}

/// What happens to a call that is changed on the way down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArgumentPolicy {
    /// It is refused with a report; nothing runs for that request.
    Refuse,
    /// The changed arguments run while the row keeps the original. Another tool is still refused.
    Apply,
    /// The change becomes a `tool/amend` row, permission is decided again, and the changed call runs.
    Amend,
}

/// What a second execution of one call gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepeatPolicy {
    /// It runs again.
    Run,
    /// It gets the first result, with a report.
    FirstResult,
    /// It runs again as a numbered attempt with a row, a key and a permission decision of its own, up to this many
    /// attempts in all; further ones get the last result, with a report.
    Record {
        /// How many attempts there may be.
        max: u32,
    },
}

/// What becomes of a run that still goes on when its call has been answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PendingRuns {
    /// The call settles after it.
    Awaited,
    /// The call settles at once; the run goes on, and what it gives is lost.
    Abandoned,
}

/// How far a contributor may loosen what rules and mode decided. Tightening is always allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ceiling {
    /// Not at all.
    Tighten,
    /// From ask to allow; a deny stands.
    LiftAsk,
    /// From deny as well.
    LiftDeny,
}
