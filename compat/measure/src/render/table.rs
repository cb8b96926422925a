//! The table of measurements for the documentation.

use std::fmt::Write as _;

use crate::Observation;
use crate::case::Case;
use crate::observe::{Action, CallSeen, PromptSeen, Reading};

/// One measured case, for [`markdown`].
#[derive(Clone, Debug)]
pub struct MeasuredCase {
    /// The case.
    pub case: Case,
    /// What was seen, host by host.
    pub seen: Vec<Observation>,
}

/// The measurements as a Markdown table, one line for each case and host: what ran, what the record holds, what the
/// model reads. Calls of one case stand one after the other.
pub fn markdown(cases: &[MeasuredCase]) -> String {
    let mut out = String::from(
        "| case | host | asked | permission | executed | recorded | the model reads | besides |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for measured in cases {
        for seen in &measured.seen {
            let host = seen.host.split('@').next().unwrap_or_default();
            let name = &measured.case.name;
            let besides = besides(seen);
            if seen.calls.is_empty() {
                row(&mut out, &[name, host, "", "", "", "", "", &besides]);
            }
            for (number, call) in seen.calls.iter().enumerate() {
                let besides = if number == 0 { besides.as_str() } else { "" };
                let [asked, decided, ran, held, reads] = columns(call);
                row(&mut out, &[name, host, &asked, &decided, &ran, &held, &reads, besides]);
            }
        }
    }
    out
}

fn row(out: &mut String, cells: &[&str]) {
    // Writing to a text cannot fail.
    let _ = writeln!(out, "| {} |", cells.join(" | "));
}

fn columns(call: &CallSeen) -> [String; 5] {
    let told = |action: &Option<Action>| action.as_ref().map(short).unwrap_or_default();
    let ran = match call.executed.as_deref() {
        None => "unknown".into(),
        Some([]) => "nothing".into(),
        Some(ran) => ran.iter().map(short).collect::<Vec<_>>().join(", "),
    };
    let decided: Vec<String> = call
        .permissions
        .iter()
        .map(|one| {
            let word = if one.allowed { "allowed" } else { "denied" };
            let who = if one.asked { " by the person" } else { "" };
            format!("{word}{who}: {}", told(&one.about))
        })
        .collect();
    let held = if call.transcript == call.history {
        told(&call.transcript)
    } else {
        format!("{} / {}", told(&call.transcript), told(&call.history))
    };
    let mut reads = call.reading.as_ref().map(reading).unwrap_or_default();
    for context in &call.context {
        let _ = write!(reads, " + {}", reading(context));
    }
    [told(&call.asked), decided.join(", "), ran, held, reads]
}

fn short(action: &Action) -> String {
    let body = match action.input.get("command").and_then(|command| command.as_str()) {
        Some(command) => return format!("`{command}`"),
        None => action.input.to_string(),
    };
    format!("{} `{}`", action.tool, body.replace('|', "\\|"))
}

fn reading(reading: &Reading) -> String {
    let words = reading.words.iter().map(|word| format!("“{word}”")).collect::<Vec<_>>().join(" ");
    match (reading.is_error, words.is_empty()) {
        (true, true) => "an error of the host's".into(),
        (true, false) => format!("error {words}"),
        (false, true) => "the host's words".into(),
        (false, false) => words,
    }
}

/// What is not about one call: prompts that enter otherwise, answers, outputs, tools, skipped hooks.
fn besides(seen: &Observation) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (number, prompt) in seen.prompts.iter().enumerate() {
        parts.extend(prompt_parts(number, prompt));
    }
    if !seen.offered.is_empty() {
        parts.push(format!("offers {}", seen.offered.join(", ")));
    }
    parts.extend(seen.skipped.iter().map(|skip| format!("hook on {} skipped", skip.event)));
    parts.extend(seen.gaps.iter().map(|gap| format!("{} not loaded", gap.name)));
    parts.join("; ")
}

fn prompt_parts(number: usize, prompt: &PromptSeen) -> Vec<String> {
    let mut parts = Vec::new();
    let name = format!("prompt {}", number + 1);
    if prompt.dropped {
        parts.push(format!("{name} dropped"));
    }
    if let Some(text) = prompt.history.as_ref().filter(|text| **text != prompt.typed) {
        parts.push(format!("{name} enters as “{text}”"));
    }
    parts.extend(prompt.context.iter().map(|one| format!("{name} with {}", reading(one))));
    parts.extend(prompt.shown.iter().map(|one| format!("{name} shows {}", reading(one))));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_has_a_line_for_each_call() {
        let call = |id: &str, ran: &str| CallSeen {
            id: id.into(),
            asked: Some(Action::bash("A")),
            executed: Some(vec![Action::bash(ran)]),
            transcript: Some(Action::bash("A")),
            history: Some(Action::bash("A")),
            reading: Some(Reading { is_error: true, text: None, words: vec!["no".into()] }),
            ..CallSeen::default()
        };
        let calls = vec![call("1", "B"), call("2", "A")];
        let seen = vec![Observation { host: "h@1".into(), calls, ..Observation::default() }];
        let table = markdown(&[MeasuredCase { case: Case { name: "c".into(), ..Case::default() }, seen }]);
        let lines: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(
            lines,
            ["| c | h | `A` |  | `B` | `A` | error “no” |  |", "| c | h | `A` |  | `A` | `A` | error “no” |  |"]
        );
    }
}
