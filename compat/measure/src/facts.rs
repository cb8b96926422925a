//! Facts of a host profile beside what was seen: each case says which facts it shows.

use std::fmt::Debug;

use serde::Serialize;

use modgate_catalog::hosts::{Fact, HostProfile};

use crate::observe::{CallSeen, GapKind};
use crate::{Case, MeasureError, Observation};

/// One fact: what the profile says, how it knows, what was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FactSeen {
    /// Name of the case that shows it.
    pub case: String,
    /// Name of the fact, as in the profile.
    pub fact: String,
    /// What the profile says.
    pub profile: String,
    /// `measured`, `documented`, `assumed`.
    pub source: String,
    /// What was seen.
    pub seen: String,
}

impl FactSeen {
    /// Whether profile and reality agree.
    pub fn agrees(&self) -> bool {
        self.profile == self.seen
    }
}

/// The facts a case shows, beside a profile. Fails for a case that names a fact nobody can read off a measurement.
pub fn facts(case: &Case, seen: &Observation, profile: &HostProfile) -> Result<Vec<FactSeen>, MeasureError> {
    case.shows.iter().map(|name| fact(case, name, seen, profile)).collect()
}

fn fact(case: &Case, name: &str, seen: &Observation, profile: &HostProfile) -> Result<FactSeen, MeasureError> {
    let call = seen.calls.first();
    let unknown = || MeasureError::Case {
        path: case.name.clone().into(),
        message: format!("shows the fact {name:?}, which is none that can be read off a measurement"),
    };
    let ((says, source), seen) = match name {
        "rewrite" => (of(&profile.rewrite), rewrite(call)),
        "reroute" => (of(&profile.reroute), rewrite(call)),
        "permission" => (of(&profile.permission), if ran(call) > 0 { "after-mods" } else { "before-mods" }),
        "repeat" => (of(&profile.repeat), if ran(call) > 1 { "again" } else { "first-result" }),
        "failure" => (of(&profile.failure), if ran(call) > 0 { "skip" } else { "refuse" }),
        "deny_after_next" => {
            (of(&profile.deny_after_next), if reads_output(case, call) { "refuse" } else { "withhold" })
        }
        "late_refusal" => (of(&profile.late_refusal), if seen.skipped.is_empty() { "stand" } else { "refuse" }),
        "results" => (of(&profile.results), if fails(call) { "host" } else { "none" }),
        "unknown_event" => {
            let unloaded = seen.gaps.iter().any(|gap| gap.kind == GapKind::Load);
            (of(&profile.unknown_event), if unloaded { "refuse" } else { "ignore" })
        }
        _ => return Err(unknown()),
    };
    let (case, fact, seen) = (case.name.clone(), name.to_owned(), seen.to_owned());
    Ok(FactSeen { case, fact, profile: says, source, seen })
}

/// The fact as the profile's file writes it.
fn of<T: Debug>(fact: &Fact<T>) -> (String, String) {
    let mut word = String::new();
    for letter in format!("{:?}", fact.is).chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.extend(letter.to_lowercase());
    }
    (word, fact.source.to_string())
}

fn ran(call: Option<&CallSeen>) -> usize {
    call.and_then(|call| call.executed.as_ref()).map_or(0, Vec::len)
}

fn rewrite(call: Option<&CallSeen>) -> &'static str {
    let Some((asked, executed)) = call.and_then(|call| call.asked.as_ref().zip(call.executed.as_ref())) else {
        return "unseen";
    };
    let changed = executed.iter().any(|action| !action.same(asked));
    match (changed, call.is_some_and(|call| call.correction.is_some())) {
        (false, _) => "refuse",
        (true, true) => "amend",
        (true, false) => "apply",
    }
}

fn fails(call: Option<&CallSeen>) -> bool {
    call.and_then(|call| call.reading.as_ref()).is_some_and(|reading| reading.is_error)
}

/// Whether the model reads what the tool gave: the first of the words a case looks for.
fn reads_output(case: &Case, call: Option<&CallSeen>) -> bool {
    let reading = call.and_then(|call| call.reading.as_ref());
    case.words.first().is_some_and(|word| reading.is_some_and(|reading| reading.words.contains(word)))
}
