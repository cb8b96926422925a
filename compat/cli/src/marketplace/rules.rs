//! The rules for marketplaces. Rules for mods are in the validator.

use modgate_validate::Severity;
use modgate_validate::rules::Rule;

/// Rules for marketplaces, sorted by code.
pub(crate) static RULES: [&Rule; 4] = [&DUPLICATE, &JSON, &MISSING, &SOURCE];

pub(super) static DUPLICATE: Rule = Rule {
    code: "marketplace-duplicate-name",
    name: "two plugins of a marketplace have one name",
    severity: Severity::Error,
    page: include_str!("pages/marketplace-duplicate-name.md"),
};

pub(super) static JSON: Rule = Rule {
    code: "marketplace-json",
    name: "marketplace.json cannot be read or has a field of the wrong form",
    severity: Severity::Error,
    page: include_str!("pages/marketplace-json.md"),
};

pub(super) static MISSING: Rule = Rule {
    code: "marketplace-missing-plugin",
    name: "a marketplace offers a plugin that is not there",
    severity: Severity::Warning,
    page: include_str!("pages/marketplace-missing-plugin.md"),
};

pub(super) static SOURCE: Rule = Rule {
    code: "marketplace-source",
    name: "the source of a plugin is no path inside the marketplace",
    severity: Severity::Error,
    page: include_str!("pages/marketplace-source.md"),
};
