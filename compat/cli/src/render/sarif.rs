//! SARIF: one document, its results written as they come.

use std::io::{self, Write};

use modgate_validate::report::Span;
use modgate_validate::rules::Rule;
use serde::Serialize;

use super::{Checked, message};
use crate::discover::Folder;
use crate::rulebook;
use crate::wire::sarif::{
    ArtifactLocation, Configuration, Help, Location, Message, Outcome, PhysicalLocation, Region, ReportingDescriptor,
};

/// Everything up to the first result.
pub(crate) fn head(out: &mut dyn Write) -> io::Result<()> {
    let rules: Vec<ReportingDescriptor> = rulebook::all().into_iter().map(descriptor).collect();
    writeln!(
        out,
        "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\
         \"columnKind\":\"utf16CodeUnits\",\
         \"tool\":{{\"driver\":{{\"name\":\"modgate\",\"semanticVersion\":\"{}\",\"rules\":{}}}}},\"results\":[",
        env!("CARGO_PKG_VERSION"),
        json(&rules),
    )
}

/// The results of one report, with commas between.
pub(crate) fn report(checked: &Checked) -> String {
    let rules = rulebook::all();
    let folder = &checked.folder;
    let results: Vec<String> = checked
        .report
        .diagnostics
        .iter()
        .map(|found| {
            let text = match &found.help {
                Some(help) => format!("{}\n{help}", message(found)),
                None => message(found),
            };
            json(&Outcome {
                rule_id: found.code,
                rule_index: rules.binary_search_by_key(&found.code, |rule| rule.code).ok(),
                level: rulebook::severity(found.severity),
                message: Message { text: &text },
                locations: vec![location(folder, &found.file, found.span, None)],
                related_locations: found
                    .labels
                    .iter()
                    .map(|label| location(folder, &label.at.file, Some(label.at.span), Some(&label.message)))
                    .collect(),
            })
        })
        .collect();
    results.join(",\n")
}

/// Everything behind the last result.
pub(crate) fn tail(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"\n]}]}\n")
}

fn descriptor(rule: &'static Rule) -> ReportingDescriptor<'static> {
    ReportingDescriptor {
        id: rule.code,
        short_description: Message { text: rule.name },
        help: Help { text: rulebook::page(rule), markdown: rulebook::page(rule) },
        default_configuration: Configuration { level: rulebook::severity(rule.severity) },
    }
}

fn location<'a>(folder: &Folder, file: &str, span: Option<Span>, message: Option<&'a str>) -> Location<'a> {
    Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation { uri: uri(&folder.shown_file(file)) },
            region: span.map(|span| Region {
                start_line: span.line,
                start_column: span.column,
                end_line: span.end_line,
                end_column: span.end_column,
            }),
        },
        message: message.map(|text| Message { text }),
    }
}

/// A path as a URI reference: absolute ones as `file:` URIs, in others everything but plain characters encoded.
fn uri(path: &str) -> String {
    if path.starts_with('/')
        && let Ok(url) = url::Url::from_file_path(path)
    {
        return url.into();
    }
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte))
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// The types above hold nothing that JSON cannot.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("hooks/register.ts"), "hooks/register.ts");
        assert_eq!(uri("my mod/é#1.ts"), "my%20mod/%C3%A9%231.ts");
        assert_eq!(uri("../a:b"), "../a%3Ab");
        assert_eq!(uri("/srv/my mod/a.ts"), "file:///srv/my%20mod/a.ts");
    }
}
