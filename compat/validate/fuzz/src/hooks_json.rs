//! Any bytes as hooks.json.
#![no_main]

use libfuzzer_sys::fuzz_target;
use modgate_validate::{Entry, MemoryFiles, Options, validate};

fuzz_target!(init: hook(), |data: &[u8]| {
    let mut files = MemoryFiles::new();
    let entry = String::from_utf8(data.to_vec()).map_or_else(|error| Entry::Bytes(error.into_bytes()), Entry::Text);
    files.text(".claude-plugin/plugin.json", r#"{"name":"probe"}"#).entry("hooks/hooks.json", entry);
    files.text("hooks/r.js", "export function register(on) {}");
    check(&files);
});

fn check(files: &MemoryFiles) {
    let report = validate(files, &Options::default());
    for found in &report.diagnostics {
        let Some(span) = found.span else { continue };
        let source = report.sources.iter().find(|source| source.path == found.file).expect("a finding is in a file that was read");
        assert!(source.text.get(span.start as usize..span.end as usize).is_some());
    }
}

/// Panics inside the parser are caught and become a finding; all others end the run.
fn hook() {
    std::panic::set_hook(Box::new(|info| {
        if !info.location().is_some_and(|at| at.file().contains("swc_")) {
            eprintln!("{info}");
            std::process::abort();
        }
    }));
}
