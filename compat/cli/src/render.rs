//! What was found, as text for people, JSON, SARIF or GitHub annotations. One module a format.

pub(crate) mod excerpt;
pub(crate) mod facts;
pub(crate) mod github;
pub(crate) mod json;
pub(crate) mod place;
pub(crate) mod safe;
pub(crate) mod sarif;
pub(crate) mod text;

#[cfg(test)]
mod tests;

use std::io::{self, Write};

use modgate_validate::{Diagnostic, Report, Severity, Verdict};

use crate::cli::{Format, JudgeArgs};
use crate::discover::Folder;
use crate::output::Style;

/// One thing that was checked.
pub(crate) struct Checked {
    /// Its folder.
    pub(crate) folder: Folder,
    /// Is it a marketplace rather than a mod?
    pub(crate) is_marketplace: bool,
    /// What was found.
    pub(crate) report: Report,
}

/// How everything is printed: a head, one piece a report (made in parallel, written in order), a tail.
#[derive(Debug)]
pub(crate) struct Renderer {
    format: Format,
    style: Style,
    judge: JudgeArgs,
    quiet: bool,
    titled: bool,
}

impl Renderer {
    /// For one command.
    pub(crate) fn new(format: Format, style: Style, judge: &JudgeArgs) -> Renderer {
        Renderer { format, style, judge: judge.clone(), quiet: false, titled: false }
    }

    /// Text: leaves out facts, and what has no findings.
    pub(crate) fn quiet(self, quiet: bool) -> Renderer {
        Renderer { quiet, ..self }
    }

    /// Text: names the folder above each report, for where there are several.
    pub(crate) fn titled(self, titled: bool) -> Renderer {
        Renderer { titled, ..self }
    }

    /// What comes before the first report.
    pub(crate) fn head(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            Format::Text | Format::Github => Ok(()),
            Format::Json => json::head(&self.judge, out),
            Format::Sarif => sarif::head(out),
        }
    }

    /// One report. With what stands between reports left to [`Renderer::separator`].
    pub(crate) fn report(&self, checked: &Checked) -> String {
        match self.format {
            Format::Text => text::report(checked, self),
            Format::Github => github::report(checked),
            Format::Json => json::report(checked),
            Format::Sarif => sarif::report(checked),
        }
    }

    /// What stands between two reports that are not empty.
    pub(crate) fn separator(&self) -> &'static str {
        match self.format {
            Format::Text => "\n",
            Format::Github => "",
            Format::Json | Format::Sarif => ",\n",
        }
    }

    /// What comes after the last report.
    pub(crate) fn tail(&self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            Format::Text => text::tail(totals, self.style, out),
            Format::Github => Ok(()),
            Format::Json => json::tail(totals, out),
            Format::Sarif => sarif::tail(out),
        }
    }
}

/// Sums over all that was checked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    /// Mods that were checked.
    pub(crate) mods: usize,
    /// Marketplaces that were checked.
    pub(crate) marketplaces: usize,
    /// Mods and marketplaces that would not load.
    pub(crate) refused: usize,
    /// Errors found.
    pub(crate) errors: usize,
    /// Warnings found.
    pub(crate) warnings: usize,
    /// Notes found.
    pub(crate) notes: usize,
}

impl Totals {
    /// The sums for one.
    pub(crate) fn of(checked: &Checked) -> Totals {
        let count = |severity| checked.report.diagnostics.iter().filter(|found| found.severity == severity).count();
        Totals {
            mods: usize::from(!checked.is_marketplace),
            marketplaces: usize::from(checked.is_marketplace),
            refused: usize::from(checked.report.verdict == Verdict::Refuse),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
        }
    }

    /// Adds the sums of another.
    pub(crate) fn add(&mut self, other: Totals) {
        self.mods += other.mods;
        self.marketplaces += other.marketplaces;
        self.refused += other.refused;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.notes += other.notes;
    }

    /// How many things were checked.
    pub(crate) fn checked(&self) -> usize {
        self.mods + self.marketplaces
    }
}

/// What a finding says, with the hosts it is about where these are not all.
pub(crate) fn message(found: &Diagnostic) -> String {
    if found.hosts.is_empty() {
        return found.message.clone();
    }
    let hosts: Vec<String> = found.hosts.iter().map(ToString::to_string).collect();
    format!("{} (on {})", found.message, hosts.join(", "))
}

/// `1 error`, `2 errors`.
pub(crate) fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
