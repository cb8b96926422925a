//! What came of tests, for people.

use std::io::{self, Write};

use modgate_compat::Report;
use modgate_compat::testing::{CaseResult, Comparison, Problem};
use modgate_engine::Position;

use super::{Outcome, Totals, duration};
use crate::output::{Paint, Style};
use crate::render::safe::visible;

/// Draws outcomes.
pub(crate) struct Text {
    /// Colours and width.
    pub(crate) style: Style,
    /// Name passed tests too?
    pub(crate) verbose: bool,
}

impl Text {
    /// One file and its tests.
    pub(crate) fn file(&self, outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
        let result = &outcome.result;
        let failed = result.cases.iter().filter(|case| !case.problems.is_empty()).count();
        let place = shown_file(outcome, &result.path);
        let count = match (failed, result.cases.len()) {
            (0, 1) => "1 test".to_owned(),
            (0, all) => format!("{all} tests"),
            (failed, all) => format!("{failed} of {all} failed"),
        };
        let stopped = if result.is_stopped { ", not run to its end" } else { "" };
        let line = format!("{count}{stopped}, {}", duration(result.ms));
        writeln!(out, "{} {}  {}", self.mark(result.passed()), visible(&place), self.style.paint(Paint::Dim, &line))?;
        if let Some(problem) = &result.problem {
            self.problem(outcome, problem, out)?;
        }
        result.cases.iter().try_for_each(|case| self.case(outcome, case, out))
    }

    fn case(&self, outcome: &Outcome, case: &CaseResult, out: &mut dyn Write) -> io::Result<()> {
        let passed = case.problems.is_empty();
        if passed && !self.verbose {
            return Ok(());
        }
        let time = self.style.paint(Paint::Dim, &duration(case.ms));
        writeln!(out, "  {} {}  {time}", self.mark(passed), visible(&case.title))?;
        if passed {
            return Ok(());
        }
        for problem in &case.problems {
            self.problem(outcome, problem, out)?;
        }
        for report in &case.reports {
            writeln!(out, "      {}", self.style.paint(Paint::Warn, &visible(&skipped(outcome, report))))?;
        }
        Ok(())
    }

    fn mark(&self, passed: bool) -> String {
        if passed { self.style.paint(Paint::Good, "✓") } else { self.style.paint(Paint::Bad, "✗") }
    }

    fn problem(&self, outcome: &Outcome, problem: &Problem, out: &mut dyn Write) -> io::Result<()> {
        let place = problem.position.as_ref().map(|position| shown_place(outcome, position)).unwrap_or_default();
        let head = match problem.code.as_str() {
            "threw" | "expect" if !place.is_empty() => place,
            code if place.is_empty() => code.to_owned(),
            code => format!("{place}  {code}"),
        };
        writeln!(out, "    {}", self.style.paint(Paint::Bold, &visible(&head)))?;
        match &problem.comparison {
            Some(comparison) => self.comparison(comparison, out),
            None => lines(&problem.message, |line| writeln!(out, "      {line}")),
        }
    }

    fn comparison(&self, comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
        if let Some(note) = &comparison.note {
            lines(note, |line| writeln!(out, "      {line}"))?;
        }
        lines(&comparison.call, |line| writeln!(out, "      {line}"))?;
        if let Some(diff) = &comparison.diff {
            writeln!(out, "      {}", self.style.paint(Paint::Good, "- expected"))?;
            writeln!(out, "      {}", self.style.paint(Paint::Bad, "+ received"))?;
            return lines(diff, |line| {
                let painted = match line.as_bytes().first() {
                    Some(b'-') => self.style.paint(Paint::Good, line),
                    Some(b'+') => self.style.paint(Paint::Bad, line),
                    _ => line.to_owned(),
                };
                writeln!(out, "      {painted}")
            });
        }
        if let Some(expected) = &comparison.expected {
            self.side("expected", Paint::Good, expected, out)?;
        }
        self.side("received", Paint::Bad, &comparison.received, out)
    }

    fn side(&self, name: &str, paint: Paint, text: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut name = format!("{name}: ");
        lines(text, |line| {
            writeln!(out, "      {name}{}", self.style.paint(paint, line))?;
            name = " ".repeat(name.len());
            Ok(())
        })
    }

    /// The sums, and the slowest tests where they are asked for.
    pub(crate) fn tail(&self, outcomes: &[Outcome], slowest: usize, ms: f64, out: &mut dyn Write) -> io::Result<()> {
        if slowest > 0 {
            self.slowest(outcomes, slowest, out)?;
        }
        let totals = Totals::of(outcomes);
        let mut parts = vec![self.style.paint(Paint::Good, &format!("{} passed", totals.passed))];
        for (count, what) in
            [(totals.failed, "failed"), (totals.broken, "broken"), (totals.stopped, "not run to the end")]
        {
            if count > 0 {
                let files = if what == "failed" {
                    ""
                } else if count == 1 {
                    "file "
                } else {
                    "files "
                };
                parts.push(self.style.paint(Paint::Bad, &format!("{count} {files}{what}")));
            }
        }
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let of = format!("{} of {}, {}", count(totals.files, "file"), count(totals.mods, "mod"), duration(ms));
        writeln!(out, "\n{}  {}", parts.join(", "), self.style.paint(Paint::Dim, &of))
    }

    fn slowest(&self, outcomes: &[Outcome], most: usize, out: &mut dyn Write) -> io::Result<()> {
        let mut all: Vec<_> =
            outcomes.iter().flat_map(|one| one.result.cases.iter().map(move |case| (one, case))).collect();
        all.sort_by(|(_, a), (_, b)| b.ms.total_cmp(&a.ms));
        writeln!(out, "\n{}", self.style.paint(Paint::Bold, "slowest"))?;
        for (outcome, case) in all.into_iter().take(most) {
            let place = shown_file(outcome, &outcome.result.path);
            writeln!(out, "  {:>8}  {}  {}", duration(case.ms), visible(&place), visible(&case.title))?;
        }
        Ok(())
    }
}

/// Gives each line, harmless for a terminal.
fn lines(text: &str, mut each: impl FnMut(&str) -> io::Result<()>) -> io::Result<()> {
    text.lines().try_for_each(|line| each(&visible(line)))
}

fn shown_file(outcome: &Outcome, file: &str) -> String {
    match outcome.target.as_str() {
        "." => file.to_owned(),
        target => format!("{}/{file}", target.trim_end_matches('/')),
    }
}

fn shown_place(outcome: &Outcome, position: &Position) -> String {
    format!("{}:{}:{}", shown_file(outcome, &position.file), position.line, position.column)
}

/// A hook that took no part, and why.
fn skipped(outcome: &Outcome, report: &Report) -> String {
    let event = report.event.as_ref().map(|event| format!(" on {event}")).unwrap_or_default();
    let place = match &report.position {
        // Places in a plugin written out in the test are in no file.
        Some(position) if report.plugin == outcome.name => format!(" at {}", shown_place(outcome, position)),
        _ => String::new(),
    };
    format!("{}: {}{event}{place}: {}", report.code, report.plugin, report.message)
}
