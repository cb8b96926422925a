//! For a terminal.

use std::fmt::Write as _;

use crate::compare::{Comparison, Difference, Line, Side, Verdict};
use crate::facts::FactSeen;
use crate::observe::{Action, CallSeen};

/// The comparison in lines: one verdict for each host, then what differs, call by call. Nothing but `same` where all
/// agree. No colours, no final line break.
pub fn text(comparison: &Comparison) -> String {
    if comparison.all_same() {
        return "same".into();
    }
    let mut out = String::new();
    let width = comparison.columns.iter().map(|column| column.host.len()).max().unwrap_or_default();
    let reference = comparison.reference();
    for (at, column) in comparison.columns.iter().enumerate() {
        let note = match (&column.cannot, reference == Some(at)) {
            (Some(reason), _) => reason.clone(),
            (None, true) => "the others are compared with it".into(),
            (None, false) => count(column.differences.len()),
        };
        add(&mut out, &format!("{:width$}  {:10}  {note}", column.host, column.verdict.word()));
    }
    for line in &comparison.lines {
        match line {
            Line::Prompt { index, typed, cells } => {
                let cells = cells.iter().map(|cell| (cell.seen.is_some(), cell.differences.as_slice()));
                let cells: Vec<(bool, &[usize])> = cells.collect();
                differing(&mut out, comparison, &format!("prompt {}: {}", index + 1, short(typed)), &cells);
            }
            Line::Call { key, asked, cells } => {
                let asked = asked.as_ref().map(|action| short(&action.to_string())).unwrap_or_default();
                let found: Vec<(bool, &[usize])> =
                    cells.iter().map(|cell| (cell.seen.is_some(), cell.differences.as_slice())).collect();
                if differing(&mut out, comparison, &format!("call {key}: {asked}"), &found) {
                    for (column, cell) in comparison.columns.iter().zip(cells) {
                        let Some(call) = &cell.seen else { continue };
                        add(&mut out, &format!("    {:width$}  {}", column.host, told(call)));
                    }
                }
            }
        }
    }
    rest(&mut out, comparison);
    out.truncate(out.trim_end().len());
    out
}

fn add(out: &mut String, line: &str) {
    // Writing to a text cannot fail.
    let _ = writeln!(out, "{}", line.trim_end());
}

fn count(differences: usize) -> String {
    match differences {
        0 => String::new(),
        1 => "1 difference".into(),
        many => format!("{many} differences"),
    }
}

/// The differences of one line; whether there are any.
fn differing(out: &mut String, comparison: &Comparison, title: &str, cells: &[(bool, &[usize])]) -> bool {
    if cells.iter().all(|(_, differences)| differences.is_empty()) {
        return false;
    }
    add(out, "");
    add(out, title);
    for (column, (_, differences)) in comparison.columns.iter().zip(cells) {
        for difference in differences.iter().filter_map(|at| column.differences.get(*at)) {
            add(out, &format!("  {}", described(&column.host, difference)));
        }
    }
    true
}

fn described(host: &str, one: &Difference) -> String {
    let position = one.position.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
    let severity = match one.severity {
        crate::Severity::Unsafe => " (unsafe)",
        crate::Severity::Differs | crate::Severity::Note => "",
    };
    let mut line = format!("{host}: {}{severity}: {}{position}", one.kind, one.reason);
    let has_values = !one.expected.is_empty() || one.side == Side::Both;
    if has_values {
        let _ = write!(line, " [{} → {}]", short(&one.expected), short(&one.seen));
    }
    line
}

/// What is not about a call or a prompt.
fn rest(out: &mut String, comparison: &Comparison) {
    for column in comparison.columns.iter().filter(|column| column.verdict != Verdict::CannotRun) {
        let about = column.differences.iter().filter(|one| one.call.is_none() && one.prompt.is_none());
        let lines: Vec<String> = about.map(|one| format!("  {}", described(&column.host, one))).collect();
        if !lines.is_empty() {
            add(out, "");
            lines.iter().for_each(|line| add(out, line));
        }
    }
}

/// What hosts do and could not be played: a line for each host that has some, nothing where there is none.
pub fn limits(comparison: &Comparison) -> String {
    let line = |column: &crate::compare::Column| {
        let mut events: Vec<&str> = column.limits.iter().map(|limit| limit.of.as_str()).collect();
        events.sort_unstable();
        events.dedup();
        let hooked = if events.len() == 1 { "the hook on it" } else { "the hooks on them" };
        (!events.is_empty()).then(|| {
            format!("{} raises {}; that is not played here, so {hooked} did not run", column.host, events.join(", "))
        })
    };
    comparison.columns.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

fn told(call: &CallSeen) -> String {
    let ran = match call.executed.as_deref() {
        None => "nobody knows what ran".into(),
        Some([]) => "ran nothing".into(),
        Some(ran) => format!("ran {}", ran.iter().map(Action::to_string).collect::<Vec<_>>().join(", then ")),
    };
    let decided = call.permissions.last().map(|one| if one.allowed { "allowed" } else { "denied" });
    let held = call.transcript.as_ref().map(|held| format!("recorded {held}"));
    let parts = decided.map(str::to_owned).into_iter().chain([ran]).chain(held);
    parts.map(|part| short(&part)).collect::<Vec<_>>().join(" · ")
}

fn short(text: &str) -> String {
    let mut line: String = text.chars().take(120).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(120).is_some() {
        line.push('…');
    }
    line
}

/// Profile and reality side by side, one fact a line, with the case that shows it.
pub fn facts(facts: &[FactSeen]) -> String {
    let width =
        |field: fn(&FactSeen) -> &str| facts.iter().map(|fact| field(fact).chars().count()).max().unwrap_or_default();
    let (fact, profile, seen) = (width(|one| &one.fact), width(|one| &one.profile), width(|one| &one.seen));
    let mut out = String::new();
    for one in facts {
        let mark = if one.agrees() { "agrees" } else { "DIFFERS" };
        add(
            &mut out,
            &format!(
                "{:fact$}  profile {:profile$}  seen {:seen$}  {mark:7}  {} ({})",
                one.fact, one.profile, one.seen, one.case, one.source
            ),
        );
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{HostRun, align};
    use crate::{Action, CallSeen, Observation};

    fn host(name: &str, ran: &str) -> Observation {
        let a = Action::bash("./note A");
        let call = CallSeen {
            id: "call_1_1_1".into(),
            asked: Some(a.clone()),
            executed: Some(vec![Action::bash(ran)]),
            transcript: Some(a.clone()),
            history: Some(a),
            ..CallSeen::default()
        };
        Observation { host: name.into(), calls: vec![call], ..Observation::default() }
    }

    #[test]
    fn hosts_that_agree_print_nothing_but_same() {
        let runs = [HostRun::ran(host("native@1", "./note A")), HostRun::ran(host("dsh@2", "./note A"))];
        assert_eq!(text(&align("t", &runs)), "same");
    }

    #[test]
    fn a_difference_is_told_with_its_call() {
        let runs = [
            HostRun::ran(host("native@1", "./note A")),
            HostRun::ran(host("claude-code@2", "./note B")),
            HostRun::cannot("codex@3", "it has no mods"),
        ];
        let expected = "\
native@1       same        the others are compared with it
claude-code@2  unsafe      1 difference
codex@3        cannot run  it has no mods

call call_1_1_1: Bash `./note A`
  claude-code@2: executed≠recorded (unsafe): another call ran than transcript and history hold [Bash `./note A` → Bash `./note B`]
    native@1       ran Bash `./note A` · recorded Bash `./note A`
    claude-code@2  ran Bash `./note B` · recorded Bash `./note A`";
        assert_eq!(text(&align("t", &runs)), expected);
    }
}
