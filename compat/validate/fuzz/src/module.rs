//! Any text as a hooks module; the first byte chooses the suffix.
#![no_main]

use libfuzzer_sys::fuzz_target;
use modgate_validate::{Entry, MemoryFiles, Options, validate};

fuzz_target!(init: hook(), |data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let suffix = ["js", "ts", "tsx", "jsx"][usize::from(*first) % 4];
    let entry = String::from_utf8(rest.to_vec()).map_or_else(|error| Entry::Bytes(error.into_bytes()), Entry::Text);
    let mut files = MemoryFiles::new();
    files.text(".claude-plugin/plugin.json", r#"{"name":"probe","types":"./types.d.ts"}"#);
    files.text("types.d.ts", "declare module 'claude-code' { interface PluginState { probe: { k: number } } }");
    files.text("hooks/hooks.json", format!(r#"{{"modules":["./r.{suffix}"]}}"#)).entry(format!("hooks/r.{suffix}"), entry);
    files.text("hooks/lib.js", "export function help($) { return $.fs.read('x') }\nexport * from './r'");
    let hosts = vec!["dsh".parse().expect("a host"), "claude-code@2.1.287".parse().expect("a host")];
    check(&files, &Options { hosts, ..Options::default() });
});

fn check(files: &MemoryFiles, options: &Options) {
    let report = validate(files, options);
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
