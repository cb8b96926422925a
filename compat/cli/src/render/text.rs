//! For people: diagnostics with the source around them, then facts, one line a kind, then the verdict.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::io;

use miette::{GraphicalReportHandler, LabeledSpan, SourceCode};
use modgate_validate::report::{Label, Location};
use modgate_validate::{Diagnostic, Severity, Verdict};

use super::excerpt::Excerpt;
use super::place::Lines;
use super::safe::visible;
use super::{Checked, Renderer, Totals, counted, facts, message};
use crate::cli::JudgeArgs;
use crate::output::{Paint, Style};

/// One report.
pub(crate) fn report(checked: &Checked, renderer: &Renderer) -> String {
    let Renderer { style, quiet, .. } = *renderer;
    let found = &checked.report.diagnostics;
    if quiet && found.is_empty() && checked.report.verdict == Verdict::Accept {
        return String::new();
    }
    let mut text = String::new();
    if renderer.titled {
        text = style.paint(Paint::Bold, &format!("── {}", visible(&checked.folder.shown))) + "\n\n";
    }
    let mut findings = Findings::new(checked, style);
    for diagnostic in found {
        findings.draw(diagnostic, &mut text);
    }
    if !quiet {
        facts::lines(checked, style, &mut text);
    }
    text.push_str(&verdict(checked, style, &renderer.judge));
    text
}

/// Draws findings; keeps the lines of every source it needed.
pub(crate) struct Findings<'a> {
    checked: &'a Checked,
    handler: GraphicalReportHandler,
    lines: HashMap<&'a str, Lines<'a>>,
}

impl<'a> Findings<'a> {
    /// For the findings of one mod.
    pub(crate) fn new(checked: &'a Checked, style: Style) -> Findings<'a> {
        Findings { checked, handler: style.handler(), lines: HashMap::new() }
    }

    /// Draws one, with an empty line behind it.
    pub(crate) fn draw(&mut self, diagnostic: &'a Diagnostic, text: &mut String) {
        let at = diagnostic.span.map(|span| Location { file: diagnostic.file.clone(), span });
        let (near, far): (Vec<&Label>, Vec<&Label>) =
            diagnostic.labels.iter().partition(|label| at.as_ref().is_some_and(|at| self.fits(at, &label.at)));
        let view = self.view(diagnostic, at.as_ref(), &near);
        self.add(&view, text);
        for label in far {
            let view = self.elsewhere(label);
            self.add(&view, text);
        }
        text.push('\n');
    }

    fn add(&self, view: &View, text: &mut String) {
        let mut drawn = String::new();
        // Writing into a String cannot fail.
        let _ = self.handler.render_report(&mut drawn, view);
        text.push_str(drawn.trim_matches('\n'));
        text.push('\n');
    }

    fn view(&mut self, found: &'a Diagnostic, at: Option<&Location>, near: &[&Label]) -> View {
        let excerpt = at.and_then(|at| self.excerpt(at, near));
        let shown = visible(&self.checked.folder.shown_file(&found.file)).into_owned();
        let mut message = visible(&message(found)).into_owned();
        if excerpt.is_none() {
            let place = at.map(|at| format!(":{}:{}", at.span.line, at.span.column)).unwrap_or_default();
            message = format!("{shown}{place}: {message}");
        }
        View {
            code: Some(found.code),
            severity: severity(found.severity),
            message,
            help: found.help.as_deref().map(|help| visible(help).into_owned()),
            excerpt,
        }
    }

    /// A place that the excerpt of the finding does not show.
    fn elsewhere(&mut self, label: &'a Label) -> View {
        let excerpt = self.excerpt(&label.at, &[]);
        let message = visible(&label.message).into_owned();
        View { code: None, severity: miette::Severity::Advice, message, help: None, excerpt }
    }

    fn fits(&mut self, at: &Location, other: &Location) -> bool {
        at.file == other.file
            && self.lines(&at.file).is_some_and(|lines| Excerpt::has_room_for(lines, at.span, other.span))
    }

    fn excerpt(&mut self, at: &Location, near: &[&Label]) -> Option<Excerpt> {
        let name = visible(&self.checked.folder.shown_file(&at.file)).into_owned();
        let labels: Vec<_> = near.iter().map(|label| (label.at.span, visible(&label.message).into_owned())).collect();
        self.lines(&at.file).map(|lines| Excerpt::new(name, lines, at.span, &labels))
    }

    fn lines(&mut self, file: &str) -> Option<&Lines<'a>> {
        let source = self.checked.report.sources.iter().find(|source| source.path == file)?;
        Some(self.lines.entry(&source.path).or_insert_with(|| Lines::new(&source.text)))
    }
}

fn severity(severity: Severity) -> miette::Severity {
    match severity {
        Severity::Error => miette::Severity::Error,
        Severity::Warning => miette::Severity::Warning,
        Severity::Note => miette::Severity::Advice,
    }
}

/// A finding as miette draws it.
#[derive(Debug)]
struct View {
    code: Option<&'static str>,
    severity: miette::Severity,
    message: String,
    help: Option<String>,
    excerpt: Option<Excerpt>,
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for View {}

impl miette::Diagnostic for View {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.map(|code| Box::new(code) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.excerpt.as_ref().map(|excerpt| Box::new(excerpt.labels()) as Box<dyn Iterator<Item = LabeledSpan>>)
    }
}

fn verdict(checked: &Checked, style: Style, judge: &JudgeArgs) -> String {
    let totals = Totals::of(checked);
    let mut name = match (&checked.report.name, &checked.report.version) {
        (Some(name), Some(version)) => format!("{} {}", visible(name), visible(version)),
        (Some(name), None) => visible(name).into_owned(),
        (None, _) if checked.is_marketplace => "the marketplace".to_owned(),
        (None, _) => "the mod".to_owned(),
    };
    let _ = write!(name, " in {}", visible(&checked.folder.shown));
    let hosts: Vec<String> = judge.hosts.iter().map(ToString::to_string).collect();
    let on = if hosts.is_empty() { String::new() } else { format!(" on {}", hosts.join(", ")) };
    let counts = counts(&totals);
    let behind = if counts.is_empty() { String::new() } else { format!(": {counts}") };
    match checked.report.verdict {
        Verdict::Accept => {
            style.paint(Paint::Good, "✔ ") + &style.paint(Paint::Bold, &name) + &format!(" would load{on}{behind}\n")
        }
        Verdict::Refuse => {
            let strict = if totals.errors == 0 { " (--strict)" } else { "" };
            style.paint(Paint::Bad, "✘ ")
                + &style.paint(Paint::Bold, &name)
                + &format!(" would not load{on}{behind}{strict}\n")
        }
    }
}

fn counts(totals: &Totals) -> String {
    let all = [(totals.errors, "error"), (totals.warnings, "warning"), (totals.notes, "note")];
    let some: Vec<String> =
        all.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| counted(count, word)).collect();
    some.join(", ")
}

/// A line with sums, where more than one thing was checked.
pub(crate) fn tail(totals: &Totals, style: Style, out: &mut dyn io::Write) -> io::Result<()> {
    if totals.checked() < 2 {
        return Ok(());
    }
    let what = match (totals.mods, totals.marketplaces) {
        (mods, 0) => counted(mods, "mod"),
        (mods, marketplaces) => format!("{} and {}", counted(mods, "mod"), counted(marketplaces, "marketplace")),
    };
    let counts = counts(totals);
    let behind = if counts.is_empty() { String::new() } else { format!("; {counts}") };
    let line = match totals.refused {
        0 => style.paint(Paint::Good, "✔ ") + &format!("{what}, all would load{behind}"),
        refused => style.paint(Paint::Bad, "✘ ") + &format!("{what}, {refused} would not load{behind}"),
    };
    writeln!(out, "\n{line}")
}
