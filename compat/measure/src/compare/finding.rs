//! What one host shows by itself.

use crate::Observation;
use crate::observe::{Action, CallSeen, GapKind};

use super::{Difference, DifferenceKind, Severity};

/// What one observation shows that a host whose record is the only truth would not: what ran is not what is recorded,
/// a call ran twice, permission saw other arguments, hooks passed over, gaps.
pub fn findings(seen: &Observation) -> Vec<Difference> {
    let mut found = Vec::new();
    for call in &seen.calls {
        executed(call, &mut found);
        permission(call, &mut found);
    }
    for skip in &seen.skipped {
        let event = if skip.event.is_empty() { "a hook" } else { skip.event.as_str() };
        let because = skip.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let reason = format!("the hook of {} on {event} is passed over{because}", skip.name);
        let mut one = Difference::new(DifferenceKind::HookSkipped, Severity::Differs, reason);
        one = one.about(format!("{} {}", skip.name, skip.event).trim_end()).values("runs", "skipped");
        one.position.clone_from(&skip.position);
        one.call.clone_from(&skip.call_id);
        found.push(one);
    }
    for gap in &seen.gaps {
        let (kind, reason) = match gap.kind {
            // No trait of the host: see `Column::limits`.
            GapKind::Limit => continue,
            GapKind::Event => {
                (DifferenceKind::EventNeverRaised, format!("{} hooks {}, which is never raised", gap.name, gap.of))
            }
            GapKind::Member => {
                (DifferenceKind::MemberNotServed, format!("{} calls $.{}, which is not served", gap.name, gap.of))
            }
            GapKind::Load => (DifferenceKind::NotLoaded, format!("{} is not loaded; none of its hooks runs", gap.name)),
        };
        let mut one = Difference::new(kind, Severity::Differs, reason);
        one = one.about(format!("{} {}", gap.name, gap.of).trim_end()).values("there", "missing");
        one.position.clone_from(&gap.position);
        found.push(one);
    }
    found
}

fn executed(call: &CallSeen, found: &mut Vec<Difference>) {
    let readers = [("transcript", &call.transcript), ("history", &call.history), ("screen", &call.screen)];
    let ran = call.executed.as_deref().unwrap_or_default();
    if let [first, .., last] = ran
        && ran.len() > 1 + call.attempts.len()
    {
        let reason = format!("one recorded call ran {} times", ran.len());
        let both = if first.same(last) { format!("{first}, {} times", ran.len()) } else { list(ran) };
        let one = Difference::new(DifferenceKind::RanTwice, Severity::Unsafe, reason);
        found.push(one.call(&call.id).values("once", both));
    }
    // With a correction beside it, or as an attempt of its own, it is recorded.
    let corrected = |action: &Action| call.correction.iter().chain(&call.attempts).any(|one| one.same(action));
    for action in ran {
        let other = readers.iter().filter(|(_, held)| held.as_ref().is_some_and(|held| !held.same(action)));
        let others: Vec<&str> = other.map(|(name, _)| *name).collect();
        if others.is_empty() || corrected(action) {
            continue;
        }
        let held = readers.iter().find(|(name, _)| others.contains(name)).and_then(|(_, held)| held.as_ref());
        let recorded = held.map(|action| action.to_string()).unwrap_or_default();
        let reason = format!("another call ran than {} hold{}", and(&others), if others.len() == 1 { "s" } else { "" });
        let one = Difference::new(DifferenceKind::ExecutedNotRecorded, Severity::Unsafe, reason);
        found.push(one.call(&call.id).values(recorded, action));
        break;
    }
    let [(_, transcript), (_, history), _] = readers;
    if let (Some(transcript), Some(history)) = (transcript, history)
        && !transcript.same(history)
        && !corrected(transcript)
    {
        let reason = "the transcript and the model's history hold different calls";
        let one = Difference::new(DifferenceKind::ReadersDisagree, Severity::Unsafe, reason);
        found.push(one.call(&call.id).values(transcript, history));
    }
}

fn permission(call: &CallSeen, found: &mut Vec<Difference>) {
    let Some(asked) = &call.asked else { return };
    let about = call.permissions.iter().filter_map(|one| one.about.as_ref());
    let Some(other) = about.into_iter().find(|about| !about.same(asked)) else { return };
    if call.correction.iter().chain(&call.attempts).any(|one| one.same(other)) {
        return;
    }
    let reason = "permission was decided on arguments that the model did not ask for and nobody recorded";
    let one = Difference::new(DifferenceKind::PermissionSawOther, Severity::Unsafe, reason);
    found.push(one.call(&call.id).values(asked, other));
}

pub(super) fn list(actions: &[Action]) -> String {
    if actions.is_empty() {
        return "nothing".into();
    }
    actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", then ")
}

fn and(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
