//! Values that differ without a name of their own.

use std::collections::BTreeSet;

use crate::Observation;
use crate::observe::{CallSeen, PromptSeen, Reading};

use super::finding::list;
use super::{Difference, DifferenceKind, Severity};

/// The calls of two observations in pairs: by id for the model's own, by mod and place for those of mods.
pub(super) fn pairs<'a>(
    one: &'a Observation,
    two: &'a Observation,
) -> Vec<(String, Option<&'a CallSeen>, Option<&'a CallSeen>)> {
    let mut pairs: Vec<(String, Option<&CallSeen>, Option<&CallSeen>)> =
        keyed(one).into_iter().map(|(key, call)| (key, Some(call), None)).collect();
    let places: std::collections::HashMap<String, usize> =
        pairs.iter().enumerate().map(|(at, (key, ..))| (key.clone(), at)).collect();
    for (key, call) in keyed(two) {
        match places.get(&key) {
            Some(at) => pairs[*at].2 = Some(call),
            None => pairs.push((key, None, Some(call))),
        }
    }
    pairs
}

/// Calls with the key they are aligned by.
pub(super) fn keyed(seen: &Observation) -> Vec<(String, &CallSeen)> {
    let mut counts: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    let key = |call: &'_ CallSeen, number: usize| match (&call.asked, &call.caller) {
        (None, Some(caller)) => format!("{caller} {number}"),
        _ => call.id.clone(),
    };
    let mut keyed = Vec::new();
    for call in &seen.calls {
        let count = counts.entry(call.caller.as_deref().unwrap_or_default()).or_default();
        *count += 1;
        keyed.push((key(call, *count), call));
    }
    keyed
}

pub(super) fn calls(expected: &Observation, seen: &Observation, found: &mut Vec<Difference>) {
    for (key, one, two) in pairs(expected, seen) {
        match (one, two) {
            (Some(one), Some(two)) => call(one, two, found),
            (one, two) => {
                let (there, missing) =
                    if two.is_none() { (&expected.host, &seen.host) } else { (&seen.host, &expected.host) };
                let reason = format!("the call is made under {there}, not under {missing}");
                let what = |call: Option<&CallSeen>| {
                    let asked = call.and_then(|call| call.asked.as_ref().or(call.transcript.as_ref()));
                    asked.map_or_else(|| "no call".to_owned(), ToString::to_string)
                };
                let one_difference = Difference::new(DifferenceKind::CallMissing, Severity::Differs, reason);
                found.push(one_difference.call(&key).values(what(one), what(two)));
            }
        }
    }
}

fn call(one: &CallSeen, two: &CallSeen, found: &mut Vec<Difference>) {
    let mut explained =
        found.iter().any(|other| other.call.as_deref() == Some(two.id.as_str()) && explains(other.kind));
    if let (Some(expected), Some(seen)) = (&one.executed, &two.executed) {
        let same = expected.len() == seen.len() && expected.iter().zip(seen).all(|(one, two)| one.same(two));
        if !same && !explained {
            let runs_only_here = expected.is_empty() && one.reading.is_some();
            let (severity, reason) = if runs_only_here {
                (Severity::Unsafe, "it ran here and was stopped there")
            } else {
                (Severity::Differs, "other things ran")
            };
            let difference = Difference::new(DifferenceKind::OtherExecution, severity, reason);
            found.push(difference.call(&two.id).values(list(expected), list(seen)));
        }
        // What differs after that comes from it.
        explained |= !same;
    }
    if let (Some(expected), Some(seen)) = (one.permissions.last(), two.permissions.last())
        && expected.allowed != seen.allowed
    {
        let word = |allowed: bool| if allowed { "allowed" } else { "denied" };
        let severity = if seen.allowed { Severity::Unsafe } else { Severity::Differs };
        let difference =
            Difference::new(DifferenceKind::OtherDecision, severity, "the permission was decided otherwise");
        found.push(difference.call(&two.id).values(word(expected.allowed), word(seen.allowed)));
    }
    if explained {
        return;
    }
    if let (Some(expected), Some(seen)) = (&one.reading, &two.reading)
        && !same_reading(expected, seen)
    {
        let reason = "the model reads something else as the result";
        let difference = Difference::new(DifferenceKind::OtherResult, Severity::Differs, reason);
        found.push(difference.call(&two.id).values(told(expected), told(seen)));
    }
    if !same_readings(&one.context, &two.context) {
        let reason = "the model gets other reminders with the result";
        let difference = Difference::new(DifferenceKind::OtherContext, Severity::Differs, reason);
        found.push(difference.call(&two.id).values(all_told(&one.context), all_told(&two.context)));
    }
}

/// Whether a finding says by itself why the executions differ.
fn explains(kind: DifferenceKind) -> bool {
    matches!(kind, DifferenceKind::ExecutedNotRecorded | DifferenceKind::RanTwice)
}

pub(super) fn prompts(expected: &Observation, seen: &Observation, found: &mut Vec<Difference>) {
    let nothing = PromptSeen::default();
    for index in 0..expected.prompts.len().max(seen.prompts.len()) {
        let one = expected.prompts.get(index).unwrap_or(&nothing);
        let two = seen.prompts.get(index).unwrap_or(&nothing);
        prompt(index, one, two, found);
    }
}

fn prompt(index: usize, one: &PromptSeen, two: &PromptSeen, found: &mut Vec<Difference>) {
    let mut add = |kind, reason: &str, expected: String, seen: String| {
        found.push(Difference::new(kind, Severity::Differs, reason).prompt(index).values(expected, seen));
    };
    let entered = |prompt: &PromptSeen| match (&prompt.history, prompt.dropped) {
        (Some(text), _) => text.clone(),
        (None, true) => "dropped".into(),
        (None, false) => "not sent".into(),
    };
    let stored = |prompt: &PromptSeen| prompt.transcript.clone().unwrap_or_else(|| "not stored".into());
    if entered(one) != entered(two) {
        add(DifferenceKind::OtherPrompt, "the model gets another prompt", entered(one), entered(two));
    } else if one.transcript.is_some() && two.transcript.is_some() && one.transcript != two.transcript {
        add(DifferenceKind::OtherPrompt, "the prompt is stored otherwise", stored(one), stored(two));
    }
    if !same_readings(&one.context, &two.context) {
        let reason = "the model gets other reminders with the prompt";
        add(DifferenceKind::OtherContext, reason, all_told(&one.context), all_told(&two.context));
    }
    if one.answers != two.answers {
        let reason = "the model's answers are stored otherwise";
        add(DifferenceKind::OtherAnswer, reason, one.answers.join(" | "), two.answers.join(" | "));
    }
    if !same_readings(&one.shown, &two.shown) {
        add(DifferenceKind::OtherShown, "a person is shown something else", all_told(&one.shown), all_told(&two.shown));
    }
}

pub(super) fn rest(expected: &Observation, seen: &Observation, found: &mut Vec<Difference>) {
    if expected.offered != seen.offered {
        let difference =
            Difference::new(DifferenceKind::OtherTools, Severity::Differs, "the model is offered other tools of mods");
        found.push(difference.values(expected.offered.join(", "), seen.offered.join(", ")));
    }
    let names: BTreeSet<&String> = expected.files.keys().chain(seen.files.keys()).collect();
    for name in names {
        let (one, two) = (expected.files.get(name), seen.files.get(name));
        if one != two {
            let content = |file: Option<&String>| file.map_or_else(|| "no file".to_owned(), |text| format!("{text:?}"));
            let difference =
                Difference::new(DifferenceKind::OtherFile, Severity::Differs, "the file differs at the end");
            found.push(difference.about(name.as_str()).values(content(one), content(two)));
        }
    }
}

/// Two texts say the same: with words looked for on both sides, by those; else letter by letter.
fn same_reading(one: &Reading, two: &Reading) -> bool {
    one.is_error == two.is_error
        && match (&one.text, &two.text) {
            (Some(one_text), Some(two_text)) if one.words.is_empty() && two.words.is_empty() => one_text == two_text,
            _ => one.words == two.words,
        }
}

fn same_readings(one: &[Reading], two: &[Reading]) -> bool {
    one.len() == two.len() && one.iter().zip(two).all(|(one, two)| same_reading(one, two))
}

fn told(reading: &Reading) -> String {
    let text =
        if reading.words.is_empty() { reading.text.clone().unwrap_or_default() } else { reading.words.join(", ") };
    if reading.is_error { format!("error: {text}") } else { text }
}

fn all_told(readings: &[Reading]) -> String {
    if readings.is_empty() { "none".into() } else { readings.iter().map(told).collect::<Vec<_>>().join(" | ") }
}
