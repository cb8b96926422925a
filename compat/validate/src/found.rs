//! Where findings are collected.

use crate::HostSpec;
use crate::report::{Diagnostic, Label, Severity};
use crate::rules::Rule;
use crate::text::Text;

/// The findings so far.
#[derive(Default)]
pub(crate) struct Found {
    list: Vec<Diagnostic>,
}

/// A finding that may still be added to.
pub(crate) struct Adding<'f>(&'f mut Diagnostic);

impl Found {
    /// A finding at these bytes.
    pub(crate) fn at(&mut self, rule: &Rule, text: &Text, at: (u32, u32), message: impl Into<String>) -> Adding<'_> {
        let adding = self.of(rule, &text.path, message);
        adding.0.span = Some(text.span(at.0, at.1));
        adding
    }

    /// A finding about a file as a whole.
    pub(crate) fn of(&mut self, rule: &Rule, file: &str, message: impl Into<String>) -> Adding<'_> {
        let index = self.list.len();
        self.list.push(Diagnostic {
            code: rule.code,
            severity: rule.severity,
            message: message.into(),
            help: None,
            file: file.to_owned(),
            span: None,
            labels: Vec::new(),
            hosts: Vec::new(),
            is_install_only: crate::ONLY_BEFORE_INSTALL.contains(&rule.code),
        });
        Adding(&mut self.list[index])
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    /// What was found since there were that many is looked at before an install alone.
    pub(crate) fn install_only_since(&mut self, count: usize) {
        self.list.iter_mut().skip(count).for_each(|found| found.is_install_only = true);
    }

    pub(crate) fn append(&mut self, mut other: Found) {
        self.list.append(&mut other.list);
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.list.iter().any(|found| found.severity == Severity::Error)
    }

    pub(crate) fn has_errors_in(&self, file: &str) -> bool {
        self.list.iter().any(|found| found.severity == Severity::Error && found.file == file)
    }

    /// Sorted by file, position, code; each finding once.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        let place = |found: &Diagnostic| found.span.map(|span| (span.start, span.end));
        self.list.sort_by(|a, b| (&a.file, place(a), a.code, &a.message).cmp(&(&b.file, place(b), b.code, &b.message)));
        self.list.dedup_by(|later, kept| {
            let same = (&later.file, place(later), later.code) == (&kept.file, place(kept), kept.code);
            if same && later.message == kept.message {
                kept.hosts.append(&mut later.hosts);
            }
            same && later.message == kept.message
        });
        self.list
    }
}

impl Adding<'_> {
    /// Where it is, when that was worked out before.
    pub(crate) fn place(&mut self, span: crate::report::Span) {
        self.0.span = Some(span);
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    pub(crate) fn label(self, text: &Text, at: (u32, u32), message: impl Into<String>) -> Self {
        self.0.labels.push(Label { at: text.location(at.0, at.1), message: message.into() });
        self
    }

    pub(crate) fn severity(self, severity: Severity) -> Self {
        self.0.severity = severity;
        self
    }

    /// Only an install is refused for it.
    pub(crate) fn install_only(self) -> Self {
        self.0.is_install_only = true;
        self
    }

    pub(crate) fn host(self, host: HostSpec) -> Self {
        self.0.hosts.push(host);
        self
    }
}
