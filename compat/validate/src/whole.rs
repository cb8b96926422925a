//! One mod from beginning to end.

use crate::files::{Entry, Files};
use crate::found::Found;
use crate::graph::Graph;
use crate::hooks_file::{self, HooksFiles};
use crate::manifest::{self, Manifest};
use crate::report::{Facts, Report, Setup, Severity, Source, Verdict};
use crate::rules::client_module;
use crate::scan::{Program, Scan, components};
use crate::{Options, text};

/// Checks one mod. Its folder is the root of `files`.
pub fn validate(files: &dyn Files, options: &Options) -> Report {
    let mut found = Found::default();
    let manifest = manifest::read(files, &mut found);
    let mut hooks = hooks_file::read(files, &mut found, &manifest.hooks_files, manifest.text.as_ref());
    if let (Some(inline), Some(text)) = (&manifest.inline_hooks, &manifest.text) {
        hooks_file::inline(&mut found, text, inline, &mut hooks);
    }
    let module = hooks.named.clone();
    let mut sources: Vec<Source> = Vec::new();
    let facts = match hooks.module.take() {
        Some((path, entry)) => module_facts(files, &mut found, &manifest, options, &path, entry, &mut sources),
        None => None,
    };
    finish(found, options, manifest, hooks, module, facts, sources)
}

fn module_facts(
    files: &dyn Files,
    found: &mut Found,
    manifest: &Manifest,
    options: &Options,
    path: &str,
    entry: Entry,
    sources: &mut Vec<Source>,
) -> Option<Facts> {
    let mut before = Found::default();
    let mut graph = Graph::new(files);
    let main = graph.load(path, entry, &mut before);
    // A file that is missing or does not parse leaves the module without facts.
    let broken = before.has_errors();
    found.append(before);
    let facts = main.filter(|main| graph.loaded[*main].parsed.is_some()).and_then(|main| {
        let program = Program::new(&graph.loaded);
        let mut scan = Scan::new(&program, found, manifest.name.as_deref(), &manifest.declared, options);
        scan.run(main)
    });
    let facts = facts.filter(|_| !broken);
    sources.extend(graph.loaded.iter().map(|file| file.text.source()));
    if let Some(facts) = &facts {
        surfaces(files, found, facts, sources);
    }
    facts
}

/// Surface modules are files of their own, under the same rules for imports.
fn surfaces(files: &dyn Files, found: &mut Found, facts: &Facts, sources: &mut Vec<Source>) {
    for client in &facts.clients {
        let entry = match files.read(&client.name) {
            None | Some(Entry::NotAFile(_) | Entry::Outside) => {
                client_module::missing(found, client);
                continue;
            }
            Some(entry) => entry,
        };
        let mut graph = Graph::new(files);
        if let Some(main) = graph.load(&client.name, entry, found) {
            let program = Program::new(&graph.loaded);
            for unit in program.units.iter().flatten() {
                Graph::report_dynamic_imports(unit.text, &unit.tree.dynamic_imports, found);
            }
            if let Some(unit) = &program.units[main] {
                let (default, capitalized) = components(unit);
                if !default && capitalized.len() != 1 {
                    client_module::no_component(found, client, &capitalized);
                }
            }
        }
        for file in &graph.loaded {
            if !sources.iter().any(|source| source.path == file.text.path) {
                sources.push(file.text.source());
            }
        }
    }
}

fn finish(
    found: Found,
    options: &Options,
    manifest: Manifest,
    hooks: HooksFiles,
    module: Option<String>,
    facts: Option<Facts>,
    mut sources: Vec<Source>,
) -> Report {
    let diagnostics = found.finish();
    let least = if options.strict { Severity::Warning } else { Severity::Error };
    let refused = diagnostics.iter().any(|found| found.severity <= least);
    let texts = manifest.text.iter().chain(&manifest.contract).chain(&hooks.texts);
    sources.extend(texts.map(text::Text::source));
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Report {
        name: manifest.name,
        version: manifest.version,
        verdict: if refused { Verdict::Refuse } else { Verdict::Accept },
        diagnostics,
        module,
        facts,
        setup: Setup { options: manifest.options, classic_hooks: hooks.classic },
        sources,
    }
}
