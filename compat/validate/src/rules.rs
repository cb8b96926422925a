//! The rules: one file each, all of them in one sorted table.
//!
//! Codes are words with hyphens, such as `dollar-bound`. They are stable: a rule may learn to find more, but its code
//! keeps its meaning, and the code of a rule that went away is not used again.

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

/// A rule whose page is the comment above its name.
macro_rules! rule {
    ($(#[doc = $page:literal])+ $rule:ident = $code:literal, $severity:ident, $name:literal) => {
        pub(crate) static $rule: $crate::rules::Rule = $crate::rules::Rule {
            code: $code,
            name: $name,
            severity: $crate::report::Severity::$severity,
            page: concat!($($page, "\n"),+),
        };
    };
}

pub(crate) mod arguments_object;
pub(crate) mod band_dropped;
pub(crate) mod catch_form;
pub(crate) mod client_module;
pub(crate) mod create_form;
pub(crate) mod create_value;
pub(crate) mod deny_after_next;
pub(crate) mod dollar_bound;
pub(crate) mod dollar_computed;
pub(crate) mod dollar_handed;
pub(crate) mod dollar_value;
pub(crate) mod env_literal;
pub(crate) mod event_literal;
pub(crate) mod event_twice;
pub(crate) mod event_unknown;
pub(crate) mod gate_falls_through;
pub(crate) mod gate_without_catch;
pub(crate) mod hook_function;
pub(crate) mod hook_generator;
pub(crate) mod hooks_json;
pub(crate) mod hooks_misspelt;
pub(crate) mod hooks_module;
pub(crate) mod host_lacks;
pub(crate) mod import_dynamic;
pub(crate) mod import_foreign;
pub(crate) mod import_missing;
pub(crate) mod manifest_field;
pub(crate) mod manifest_json;
pub(crate) mod manifest_name;
pub(crate) mod manifest_path;
pub(crate) mod manifest_unknown;
pub(crate) mod matcher_form;
pub(crate) mod matcher_never;
pub(crate) mod missing_global;
pub(crate) mod module_state;
pub(crate) mod next_bound;
pub(crate) mod next_to;
pub(crate) mod next_to_tier;
pub(crate) mod on_elsewhere;
pub(crate) mod own_wait;
pub(crate) mod post_log_rewrite;
pub(crate) mod prompt_cache;
pub(crate) mod register_export;
pub(crate) mod registration_arguments;
pub(crate) mod registration_kept;
pub(crate) mod settings_hook;
pub(crate) mod settings_hooks_beside;
pub(crate) mod shadowed_name;
pub(crate) mod shell_text;
pub(crate) mod state_literal;
pub(crate) mod state_owner;
pub(crate) mod state_undeclared;
pub(crate) mod syntax_error;
pub(crate) mod telemetry_stream;
pub(crate) mod types_contract;
pub(crate) mod unknown_matcher_field;
pub(crate) mod unknown_member;
pub(crate) mod unreadable_file;
pub(crate) mod user_config;

/// Every rule, sorted by code.
pub fn rules() -> &'static [&'static Rule] {
    RULES
}

/// The rule with this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.binary_search_by(|rule| rule.code.cmp(code)).ok().map(|index| RULES[index])
}

static RULES: &[&Rule] = &[
    &arguments_object::RULE,
    &band_dropped::RULE,
    &catch_form::RULE,
    &client_module::RULE,
    &create_form::RULE,
    &create_value::RULE,
    &deny_after_next::RULE,
    &dollar_bound::RULE,
    &dollar_computed::RULE,
    &dollar_handed::RULE,
    &dollar_value::RULE,
    &env_literal::RULE,
    &event_literal::RULE,
    &event_twice::RULE,
    &event_unknown::RULE,
    &gate_falls_through::RULE,
    &gate_without_catch::RULE,
    &hook_function::RULE,
    &hook_generator::RULE,
    &hooks_json::RULE,
    &hooks_misspelt::RULE,
    &hooks_module::RULE,
    &host_lacks::RULE,
    &import_dynamic::RULE,
    &import_foreign::RULE,
    &import_missing::RULE,
    &manifest_field::RULE,
    &manifest_json::RULE,
    &manifest_name::RULE,
    &manifest_path::RULE,
    &manifest_unknown::RULE,
    &matcher_form::RULE,
    &matcher_never::RULE,
    &missing_global::RULE,
    &module_state::RULE,
    &next_bound::RULE,
    &next_to::RULE,
    &next_to_tier::RULE,
    &on_elsewhere::RULE,
    &own_wait::RULE,
    &post_log_rewrite::RULE,
    &prompt_cache::RULE,
    &register_export::RULE,
    &registration_arguments::RULE,
    &registration_kept::RULE,
    &settings_hook::RULE,
    &settings_hooks_beside::RULE,
    &shadowed_name::RULE,
    &shell_text::RULE,
    &state_literal::RULE,
    &state_owner::RULE,
    &state_undeclared::RULE,
    &syntax_error::RULE,
    &telemetry_stream::RULE,
    &types_contract::RULE,
    &unknown_matcher_field::RULE,
    &unknown_member::RULE,
    &unreadable_file::RULE,
    &user_config::RULE,
];

#[cfg(test)]
mod tests;
