//! The rules: one file each, all of them in one sorted table.

use crate::report::Severity;

/// A rule, as data.
#[derive(Debug)]
pub struct Rule {
    /// Words with hyphens, stable over versions: what diagnostics carry.
    pub code: &'static str,
    /// One line: what it finds.
    pub name: &'static str,
    /// How much a finding matters, unless the finding says otherwise.
    pub severity: Severity,
    /// The page for people, in Markdown, with the headings What, Why, Example, Instead, Source.
    pub page: &'static str,
}

/// Every rule, sorted by code.
pub fn rules() -> &'static [&'static Rule] {
    RULES
}

/// The rule with this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.binary_search_by(|rule| rule.code.cmp(code)).ok().map(|index| RULES[index])
}

static RULES: &[&Rule] = &[];
