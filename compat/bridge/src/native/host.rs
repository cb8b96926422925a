//! A host profile as the values a session goes by: for the chain, for the harness, for `$`, for events.

use std::time::Duration;

use modgate_catalog::hosts::{CheckPower, EventStatus, HostProfile, Pending, Permission, Repeat, Results, Rewrite};
use modgate_harness::SessionPolicy;
use modgate_harness::session::{ArgumentPolicy, Ceiling, PendingRuns, PermissionOrder, RepeatPolicy};

use crate::policy::{Corrections, Policy};

/// Attempts of one call where a grant lets a mod retry.
const ATTEMPTS: u32 = 3;

/// What the chain goes by. A hook has `hook` of its own time.
pub(super) fn chain(profile: &HostProfile, hook: Duration) -> Policy {
    let never = profile.events_that_are(EventStatus::Registered).chain(profile.events_that_are(EventStatus::Unknown));
    Policy { hook, silent: never.map(|event| event.name).collect(), ..Policy::from(profile) }
}

/// Calls on `$` that the host does not have.
pub(super) fn lacks(profile: &HostProfile) -> impl Iterator<Item = &'static str> {
    let members = modgate_catalog::members().iter();
    members.filter(|member| !profile.serves(member)).map(|member| member.call)
}

/// What the harness goes by. `corrections` are those that grants allow to any mod of the session; the chain holds the
/// others back.
pub(super) fn session(profile: &HostProfile, corrections: Corrections) -> SessionPolicy {
    SessionPolicy {
        permission: match profile.permission.is {
            Permission::AfterMods => PermissionOrder::AfterTools,
            Permission::BeforeMods => PermissionOrder::BeforeTools,
        },
        arguments: match profile.rewrite.is {
            Rewrite::Apply => ArgumentPolicy::Apply,
            Rewrite::Amend => ArgumentPolicy::Amend,
            Rewrite::Refuse if corrections.amends => ArgumentPolicy::Amend,
            Rewrite::Refuse => ArgumentPolicy::Refuse,
        },
        repeat: match profile.repeat.is {
            Repeat::Again => RepeatPolicy::Run,
            _ if corrections.retries => RepeatPolicy::Record { max: ATTEMPTS },
            Repeat::FirstResult | Repeat::Unsupported => RepeatPolicy::FirstResult,
        },
        ceiling: match profile.check.is {
            CheckPower::Tightens | CheckPower::None => Ceiling::LiftAsk,
            CheckPower::Decides => Ceiling::LiftDeny,
        },
        pending: match profile.pending.is {
            Pending::Awaited => PendingRuns::Awaited,
            Pending::Abandoned => PendingRuns::Abandoned,
        },
        check_results: profile.results.is == Results::Host,
        ..SessionPolicy::default()
    }
}
