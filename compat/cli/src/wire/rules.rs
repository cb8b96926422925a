//! `modgate explain --json`.

use modgate_validate::rules::Rule;
use serde::Serialize;

use super::SCHEMA;
use crate::rulebook;

/// Some rules.
#[derive(Serialize)]
pub(crate) struct Rules<'a> {
    schema: u32,
    rules: Vec<WireRule<'a>>,
}

#[derive(Serialize)]
struct WireRule<'a> {
    code: &'a str,
    severity: &'static str,
    name: &'a str,
    page: String,
}

impl<'a> Rules<'a> {
    /// These.
    pub(crate) fn new(rules: &[&'a Rule]) -> Rules<'a> {
        let rule = |rule: &&'a Rule| WireRule {
            code: rule.code,
            severity: rulebook::severity(rule.severity),
            name: rule.name,
            page: rulebook::page(rule),
        };
        Rules { schema: SCHEMA, rules: rules.iter().map(rule).collect() }
    }
}
