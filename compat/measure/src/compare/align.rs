//! Hosts side by side, aligned by prompt and call.

use std::collections::HashMap;

use serde::Serialize;

use crate::Observation;
use crate::observe::{Action, CallSeen, GapKind, Origin, PromptSeen};

use super::values::keyed;
use super::{Difference, Severity, compare, findings};

/// What came of running a scenario under one host.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It ran.
    Ran(Box<Observation>),
    /// It cannot run there, and why.
    CannotRun(String),
}

/// One host with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct HostRun {
    /// `claude-code@2.1.332`.
    pub host: String,
    /// What came of it.
    pub outcome: Outcome,
}

impl HostRun {
    /// A host that ran.
    pub fn ran(observation: Observation) -> HostRun {
        HostRun { host: observation.host.clone(), outcome: Outcome::Ran(Box::new(observation)) }
    }

    /// A host that cannot.
    pub fn cannot(host: impl Into<String>, reason: impl Into<String>) -> HostRun {
        HostRun { host: host.into(), outcome: Outcome::CannotRun(reason.into()) }
    }
}

/// What to make of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As the first host, and nothing is unsafe.
    Same,
    /// Other outcomes.
    Differs,
    /// Something happens that nobody decided or that the record does not hold.
    Unsafe,
    /// The scenario cannot run there.
    CannotRun,
}

impl Verdict {
    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Differs => "differs",
            Verdict::Unsafe => "unsafe",
            Verdict::CannotRun => "cannot run",
        }
    }
}

/// One host in a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// The host.
    pub host: String,
    /// Measured or run; absent where it cannot run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// What to make of it.
    pub verdict: Verdict,
    /// Why it cannot run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cannot: Option<String>,
    /// Where it parts from the first host that ran. For that host: what it shows by itself.
    pub differences: Vec<Difference>,
    /// What the host does and the harness that played it does not, so that nothing can be said about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Limit>,
}

/// Something a mod relies on that could not be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// The mod.
    #[serde(rename = "mod")]
    pub name: String,
    /// The event.
    pub of: String,
    /// `file:line:column` in the mod.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

/// What one host has in one line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cell<T> {
    /// What was seen; absent where there was nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<T>,
    /// Places in the column's list of differences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<usize>,
}

/// One line of the comparison: a prompt or a call, with a cell for each column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "line", rename_all = "camelCase")]
pub enum Line {
    /// Something that was typed.
    Prompt {
        /// Place in the script, from 0.
        index: usize,
        /// As typed.
        typed: String,
        /// One cell for each column.
        cells: Vec<Cell<PromptSeen>>,
    },
    /// A call.
    Call {
        /// What calls are aligned by.
        key: String,
        /// As the model asked, or the mod that made it.
        asked: Option<Action>,
        /// One cell for each column.
        cells: Vec<Cell<CallSeen>>,
    },
}

/// Hosts side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Name of the scenario.
    pub title: String,
    /// The hosts, in the order they were given. The first that ran is what the others are compared with.
    pub columns: Vec<Column>,
    /// Prompts and calls in order.
    pub lines: Vec<Line>,
}

impl Comparison {
    /// Whether all hosts agree and none is unsafe.
    pub fn all_same(&self) -> bool {
        self.columns.iter().all(|column| column.verdict == Verdict::Same)
    }

    /// Place of the host the others are compared with.
    pub fn reference(&self) -> Option<usize> {
        self.columns.iter().position(|column| column.cannot.is_none())
    }
}

/// Puts hosts side by side. The first one that ran is what the others are compared with.
pub fn align(title: impl Into<String>, runs: &[HostRun]) -> Comparison {
    let seen: Vec<Option<&Observation>> = runs
        .iter()
        .map(|run| match &run.outcome {
            Outcome::Ran(seen) => Some(seen.as_ref()),
            Outcome::CannotRun(_) => None,
        })
        .collect();
    let reference = seen.iter().position(Option::is_some);
    let first = reference.and_then(|at| seen[at]);
    let columns: Vec<Column> =
        runs.iter().enumerate().map(|(at, run)| column(run, first, reference == Some(at))).collect();
    let lines = lines(&seen, &columns);
    Comparison { title: title.into(), columns, lines }
}

fn column(run: &HostRun, first: Option<&Observation>, is_first: bool) -> Column {
    let host = run.host.clone();
    let seen = match &run.outcome {
        Outcome::Ran(seen) => seen,
        Outcome::CannotRun(reason) => {
            let cannot = Some(reason.clone());
            return Column {
                host,
                origin: None,
                verdict: Verdict::CannotRun,
                cannot,
                differences: Vec::new(),
                limits: Vec::new(),
            };
        }
    };
    let differences = match first {
        Some(first) if !is_first => compare(first, seen),
        // What the first host shows by itself is stated, and is a difference only where it is a danger.
        _ => findings(seen),
    };
    // A danger stays one where the first host shares it.
    let dangers = findings(seen);
    let worst = differences.iter().chain(&dangers).map(|one| one.severity).max();
    let verdict = match worst {
        Some(Severity::Unsafe) => Verdict::Unsafe,
        _ if differences.is_empty() || is_first => Verdict::Same,
        _ => Verdict::Differs,
    };
    Column { host, origin: Some(seen.origin), verdict, cannot: None, differences, limits: limits(seen) }
}

fn limits(seen: &Observation) -> Vec<Limit> {
    let gaps = seen.gaps.iter().filter(|gap| gap.kind == GapKind::Limit);
    gaps.map(|gap| Limit { name: gap.name.clone(), of: gap.of.clone(), position: gap.position.clone() }).collect()
}

fn lines(seen: &[Option<&Observation>], columns: &[Column]) -> Vec<Line> {
    let longest = seen.iter().flatten().map(|one| one.prompts.len()).max().unwrap_or_default();
    let calls = call_lines(seen, columns);
    let mut lines = Vec::new();
    let mut rest = calls;
    for index in 0..longest {
        lines.push(prompt_line(index, seen, columns));
        let (mine, others) = rest.into_iter().partition(|(prompt, _)| *prompt == Some(index));
        rest = others;
        let mine: Vec<(Option<usize>, Line)> = mine;
        lines.extend(mine.into_iter().map(|(_, line)| line));
    }
    lines.extend(rest.into_iter().map(|(_, line)| line));
    lines
}

fn prompt_line(index: usize, seen: &[Option<&Observation>], columns: &[Column]) -> Line {
    let mut typed = String::new();
    let cells = seen.iter().zip(columns).map(|(seen, column)| {
        let prompt = seen.and_then(|seen| seen.prompts.get(index)).cloned();
        if let Some(prompt) = &prompt
            && typed.is_empty()
        {
            typed.clone_from(&prompt.typed);
        }
        let about = column.differences.iter().enumerate().filter(|(_, one)| one.prompt == Some(index));
        Cell { seen: prompt, differences: about.map(|(at, _)| at).collect() }
    });
    let cells = cells.collect();
    Line::Prompt { index, typed, cells }
}

fn call_lines(seen: &[Option<&Observation>], columns: &[Column]) -> Vec<(Option<usize>, Line)> {
    let keyed: Vec<Vec<(String, &CallSeen)>> = seen.iter().map(|one| one.map(keyed).unwrap_or_default()).collect();
    let by_key: Vec<HashMap<&str, &CallSeen>> =
        keyed.iter().map(|calls| calls.iter().map(|(key, call)| (key.as_str(), *call)).collect()).collect();
    let about: Vec<HashMap<&str, Vec<usize>>> = columns.iter().map(by_call).collect();
    let mut order: Vec<&str> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for (key, _) in keyed.iter().flatten() {
        if known.insert(key.as_str()) {
            order.push(key);
        }
    }
    let line = |key: &str| {
        let calls: Vec<Option<&CallSeen>> = by_key.iter().map(|calls| calls.get(key).copied()).collect();
        let first = calls.iter().flatten().next();
        let asked = first.and_then(|call| call.asked.clone().or_else(|| call.transcript.clone()));
        let prompt = first.and_then(|call| call.prompt);
        let cells = calls.iter().zip(&about).map(|(call, about)| {
            let id = call.map_or(key, |call| call.id.as_str());
            let mut differences = about.get(id).cloned().unwrap_or_default();
            if id != key {
                differences.extend(about.get(key).into_iter().flatten());
            }
            Cell { seen: call.cloned(), differences }
        });
        (prompt, Line::Call { key: key.to_owned(), asked, cells: cells.collect() })
    };
    order.into_iter().map(line).collect()
}

fn by_call(column: &Column) -> HashMap<&str, Vec<usize>> {
    let mut about: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, difference) in column.differences.iter().enumerate() {
        if let Some(call) = &difference.call {
            about.entry(call.as_str()).or_default().push(at);
        }
    }
    about
}
