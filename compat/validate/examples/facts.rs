//! Prints verdict and facts of each folder given, one JSON object a line, with the keys of the real validator's report:
//! what `scripts/compare-validate` compares.

#![allow(clippy::disallowed_methods, reason = "tests and examples read folders")]

#[path = "../tests/support/peer.rs"]
mod peer;

use modgate_validate::{Options, Severity, validate};
use peer::{Folder, hooks, names, nouns, uses};
use serde_json::{Value, json};

fn main() {
    for folder in std::env::args_os().skip(1) {
        let report = validate(&Folder(folder.clone().into()), &Options::default());
        let facts = report.facts.as_ref();
        let found = |severity: Severity| -> Value {
            let of = report.diagnostics.iter().filter(|found| found.severity == severity);
            of.map(|found| {
                let place = found.span.map_or_else(String::new, |span| format!(":{}:{}", span.line, span.column));
                format!("{} {}{place}: {}", found.code, found.file, found.message)
            })
            .collect()
        };
        let line = json!({
            "folder": folder.to_string_lossy(),
            "success": report.is_accepted(),
            "uses": facts.map(uses),
            "hooks": facts.map(hooks),
            "nextTo": facts.map(|facts| names(&facts.next_to)),
            "telemetry": facts.map(|facts| names(&facts.telemetry)),
            "clients": facts.map(|facts| names(&facts.clients)),
            "nouns": facts.map(nouns),
            "via": facts.map(|facts| facts.uses.calls.iter().map(|call| json!([call.name, call.via])).collect::<Value>()),
            "errors": found(Severity::Error),
            "warnings": found(Severity::Warning),
        });
        println!("{line}");
    }
}
