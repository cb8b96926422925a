//! The static rules, held at load as well: a module that they refuse is never run.

use modgate_validate::{Diagnostic, Files, MemoryFiles, Options, Report, validate};
use modgate_value::Value;

use crate::plugin::Tier;

pub(super) const MANIFEST: &str = ".claude-plugin/plugin.json";

/// What the rules say about a mod that may run.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// Its content's `uses`, as a `plugin.register` hook is given them.
    pub uses: Value,
    /// Warnings.
    pub warnings: Vec<String>,
    /// Environment variables that the source names: no others can be read.
    pub env: Vec<String>,
}

/// Checks a mod for that tier.
///
/// # Errors
/// What refuses it, one `file:line:column: message` each.
pub fn check(files: &dyn Files, tier: Tier) -> Result<Checked, Vec<String>> {
    let tier = match tier {
        Tier::Prepend => modgate_validate::Tier::Prepend,
        Tier::User => modgate_validate::Tier::User,
        Tier::Append => modgate_validate::Tier::Append,
        Tier::Builtin | Tier::Core => modgate_validate::Tier::Builtin,
    };
    let report = validate(files, &Options { tier, ..Options::default() });
    // A folder is installed by its manifest, but loaded without one.
    let has_manifest = files.read(MANIFEST).is_some();
    let refuses = |found: &&Diagnostic| has_manifest || found.code != "manifest-json";
    let refusals: Vec<_> = report.refusals_at_load().filter(refuses).map(line).collect();
    if refusals.is_empty() { Ok(checked(&report)) } else { Err(refusals) }
}

fn line(found: &Diagnostic) -> String {
    match &found.span {
        Some(span) => format!("{}:{}:{}: {}", found.file, span.line, span.column, found.message),
        None => format!("{}: {}", found.file, found.message),
    }
}

fn checked(report: &Report) -> Checked {
    let texts = |names: Vec<&str>| Value::list(names.into_iter().map(Value::text));
    let Some(uses) = report.facts.as_ref().map(|facts| &facts.uses) else { return Checked::default() };
    let (reads, writes) = (names(&uses.env.reads), names(&uses.env.writes));
    let mut fields = vec![
        ("events", texts(uses.events.iter().map(|event| event.name.as_str()).collect())),
        ("calls", texts(uses.calls.iter().map(|call| call.name.as_str()).collect())),
    ];
    if !reads.is_empty() || !writes.is_empty() {
        fields.push(("env", Value::object([("reads", texts(reads.clone())), ("writes", texts(writes))])));
    }
    Checked {
        uses: Value::object(fields),
        warnings: report.diagnostics.iter().map(line).collect(),
        env: reads.into_iter().map(str::to_string).collect(),
    }
}

fn names(named: &[modgate_validate::report::Named]) -> Vec<&str> {
    named.iter().map(|named| named.name.as_str()).collect()
}

/// Checks a mod that is one text.
///
/// # Errors
/// As [`check`].
pub fn check_text(name: &str, source: &str, tier: Tier) -> Result<Checked, Vec<String>> {
    let mut files = MemoryFiles::new();
    files
        .text(".claude-plugin/plugin.json", serde_json::json!({ "name": name, "version": "0.0.0" }).to_string())
        .text("hooks/hooks.json", r#"{ "modules": ["./register.ts"] }"#)
        .text("hooks/register.ts", source);
    check(&files, tier)
}
