//! The fields of a marketplace, one after the other.

use std::collections::HashMap;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use modgate_validate::Entry;

use super::{Findings, Offer, rules};
use crate::discover;
use crate::render::place::Lines;
use modgate_folder::DiskFiles;

/// Fields of an entry that no manifest has.
const ONLY_HERE: [&str; 4] = ["source", "strict", "category", "tags"];

/// Plain JSON and nothing more.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Reads the marketplace's text and gives the mods it offers out of its folder.
pub(super) fn read(files: &DiskFiles, text: &str, findings: &mut Findings) -> Vec<Offer> {
    // Positions count from the start of the file, so the byte order mark stays counted.
    let skipped = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut reader = Reader { files, lines: Lines::new(text), skipped, findings, offers: Vec::new() };
    match parse_to_ast(&text[skipped..], &CollectOptions::default(), &STRICT) {
        Ok(parsed) => match parsed.value {
            Some(Value::Object(root)) => reader.root(&root),
            Some(other) => reader.json(other.range(), "it must be an object"),
            None => reader.findings.whole_file("it is empty".to_owned()),
        },
        Err(error) => {
            let message = format!("this is not JSON: {}", lower_first(&error.kind().to_string()));
            let range = error.range();
            // What is not closed is reported as everything up to the end of the file.
            let is_open = range.end + skipped == text.len() && range.end > range.start;
            reader.json(if is_open { opening(range) } else { range }, &message);
        }
    }
    reader.offers
}

struct Reader<'a> {
    files: &'a DiskFiles,
    lines: Lines<'a>,
    skipped: usize,
    findings: &'a mut Findings,
    offers: Vec<Offer>,
}

impl Reader<'_> {
    fn root(&mut self, root: &Object) {
        match root.get("name").map(|property| &property.value) {
            Some(Value::StringLit(name)) if !name.value.is_empty() => self.findings.name = Some(name.value.to_string()),
            Some(other) => self.json(other.range(), "`name` must be a text that is not empty"),
            None => self.json(opening(root.range), "`name` is missing"),
        }
        match root.get("owner").map(|property| &property.value) {
            Some(Value::Object(_)) => {}
            Some(other) => self.json(other.range(), "`owner` must be an object with a `name`"),
            None => self.json(opening(root.range), "`owner` is missing: an object with a `name`"),
        }
        let base = root.get_object("metadata").and_then(|metadata| metadata.get_string("pluginRoot"));
        match root.get("plugins").map(|property| &property.value) {
            Some(Value::Array(plugins)) => self.plugins(&plugins.elements, base.map(|base| base.value.as_ref())),
            Some(other) => self.json(other.range(), "`plugins` must be a list"),
            None => self.json(opening(root.range), "`plugins` is missing: the list of what the marketplace offers"),
        }
    }

    fn plugins(&mut self, plugins: &[Value], base: Option<&str>) {
        let mut names: HashMap<String, usize> = HashMap::new();
        for plugin in plugins {
            let Value::Object(entry) = plugin else {
                self.json(plugin.range(), "every plugin must be an object");
                continue;
            };
            match entry.get("name").map(|property| &property.value) {
                Some(Value::StringLit(name)) => {
                    if let Some(line) = names.insert(name.value.to_string(), self.line(name.range)) {
                        let message = format!("the name {:?} is taken by the plugin of line {line}", name.value);
                        self.push(&rules::DUPLICATE, name.range, message, "give every plugin a name of its own");
                    }
                }
                Some(other) => self.json(other.range(), "`name` must be a text"),
                None => self.json(opening(entry.range), "the plugin has no `name`"),
            }
            match entry.get("source").map(|property| &property.value) {
                Some(Value::StringLit(source)) => self.source(entry, &source.value, source.range, base),
                // A place elsewhere: a repository, a package.
                Some(Value::Object(_)) => {}
                Some(other) => self.json(other.range(), "`source` must be a path or an object"),
                None => self.json(opening(entry.range), "the plugin has no `source`"),
            }
        }
    }

    fn source(&mut self, entry: &Object, source: &str, range: Range, base: Option<&str>) {
        let help = "write a path that starts with \"./\" and leads to a folder of the marketplace";
        let full = match (source.starts_with("./"), base) {
            (true, _) => source.to_owned(),
            // With `metadata.pluginRoot`, a plain name is a folder below it.
            (false, Some(base)) if !source.starts_with(['/', '.']) => {
                format!("{}/{source}", base.trim_end_matches('/'))
            }
            _ => {
                let message = format!("the source {source:?} does not start with \"./\"");
                return self.push(&rules::SOURCE, range, message, help);
            }
        };
        let segments: Vec<&str> = full.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
        if segments.contains(&"..") {
            let message = format!("the source {source:?} leaves the folder of the marketplace");
            return self.push(&rules::SOURCE, range, message, help);
        }
        let path = segments.join("/");
        match self.files.resolve(&path) {
            Ok(Some(root)) if root.is_dir() && discover::is_mod(&root) => {
                let manifest = self.manifest(entry);
                self.offers.push(Offer { root, path, manifest });
            }
            Ok(Some(root)) if root.is_dir() => {
                let message = format!(
                    "no mod is in {source:?}: neither .claude-plugin/plugin.json nor hooks/hooks.json is there"
                );
                self.push(
                    &rules::MISSING,
                    range,
                    message,
                    "add .claude-plugin/plugin.json, or take the plugin off the list",
                );
            }
            Ok(Some(_)) => self.push(&rules::SOURCE, range, format!("the source {source:?} is no folder"), help),
            Ok(None) => {
                let message = format!("nothing is at {source:?}");
                self.push(
                    &rules::MISSING,
                    range,
                    message,
                    "check the spelling, and that packaging does not leave the folder out",
                );
            }
            Err(Entry::Outside) => {
                let message = format!("the source {source:?} is a link to outside the marketplace's folder");
                self.push(&rules::SOURCE, range, message, help);
            }
            Err(_) => self.push(&rules::SOURCE, range, format!("the source {source:?} cannot be read"), help),
        }
    }

    /// The entry without the fields that only a marketplace has.
    fn manifest(&self, entry: &Object) -> String {
        let text = &self.lines.text()[self.skipped..];
        let kept = entry.properties.iter().filter(|field| !ONLY_HERE.contains(&field.name.as_str()));
        let fields: Vec<&str> = kept.map(|field| field.text(text)).collect();
        format!("{{ {} }}\n", fields.join(", "))
    }

    fn json(&mut self, range: Range, message: &str) {
        let span = self.lines.span(range.start + self.skipped, range.end + self.skipped);
        self.findings.push(&rules::JSON, Some(span), message.to_owned(), None);
    }

    fn push(&mut self, rule: &modgate_validate::rules::Rule, range: Range, message: String, help: &str) {
        let span = self.lines.span(range.start + self.skipped, range.end + self.skipped);
        self.findings.push(rule, Some(span), message, Some(help.to_owned()));
    }

    fn line(&self, range: Range) -> usize {
        self.lines.span(range.start + self.skipped, range.end + self.skipped).line as usize
    }
}

/// The brace that opens an object: short enough to point at when something is missing in it.
fn opening(range: Range) -> Range {
    Range::new(range.start, range.start + 1)
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
