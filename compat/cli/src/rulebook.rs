//! All rules: those for mods, those for marketplaces, and the one of `modgate diff`.

use modgate_validate::Severity;
use modgate_validate::rules::{self, Rule};

use crate::marketplace;

/// What `modgate diff` reports for everything a new version can do that the old one could not.
pub(crate) static CAN_DO_MORE: Rule = Rule {
    code: "can-do-more",
    name: "a new version can do what the old one could not",
    severity: Severity::Warning,
    page: include_str!("rulebook/can-do-more.md"),
};

/// Every rule, sorted by code.
pub(crate) fn all() -> Vec<&'static Rule> {
    let mut all: Vec<&Rule> = rules::rules().to_vec();
    all.extend(marketplace::RULES);
    all.push(&CAN_DO_MORE);
    all.sort_by_key(|rule| rule.code);
    all
}

/// The rule with this code.
pub(crate) fn rule(code: &str) -> Option<&'static Rule> {
    rules::rule(code).or_else(|| all().into_iter().find(|rule| rule.code == code))
}

/// The rule's page in Markdown. Pages that were written as comments begin every line with a space.
pub(crate) fn page(rule: &Rule) -> String {
    let is_indented = rule.page.lines().all(|line| line.is_empty() || line.starts_with(' '));
    let line = |line: &'static str| if is_indented { line.strip_prefix(' ').unwrap_or(line) } else { line };
    let lines: Vec<&str> = rule.page.lines().map(line).collect();
    lines.join("\n").trim().to_owned()
}

/// How a rule's severity is called in every output.
pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
