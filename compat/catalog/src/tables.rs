//! Tables for the documentation, generated from the catalog so that they cannot part from it.

use std::fmt::Write;

use crate::hosts::{HostProfile, hosts};
use crate::{EventClass, EventKind, EventStatus, events, members};

/// Every event and every member of `$`, with what each host does with it, as Markdown.
pub fn tables_markdown() -> String {
    let mut text = String::new();
    event_table(&mut text);
    member_table(&mut text);
    text
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn host_columns(text: &mut String, first: &str) {
    let specs: Vec<String> = hosts().iter().map(HostProfile::spec).collect();
    let _ = writeln!(text, "| {first} | {} |", specs.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(first.split(" | ").count() + specs.len()));
}

fn event_table(text: &mut String) {
    text.push_str("## Events\n\n`yes`: raised. `loads`: hooks on it load and never run. `no`: refused at load.\n\n");
    host_columns(text, "event | class | since | input | answer");
    for event in events() {
        let class = match (event.class, event.kind) {
            (_, EventKind::Generator) => "stream",
            (EventClass::Engine, _) => "engine",
            (EventClass::Op, _) => "call",
            (EventClass::Classic, _) => "settings hook",
            (EventClass::Noun, _) => "noun",
        };
        let statuses: Vec<_> = hosts().iter().map(|host| status(host.event(event.name))).collect();
        let _ = writeln!(
            text,
            "| `{}` | {class} | {} | `{}` | `{}` | {} |",
            event.name,
            event.since,
            cell(&fields_of(event.input_text)),
            cell(event.answer_text),
            statuses.join(" | ")
        );
    }
    text.push('\n');
}

/// The input without the marks that only the checks need.
fn fields_of(input: &str) -> String {
    input.replace(['!', '^', '~'], "")
}

fn status(status: EventStatus) -> &'static str {
    match status {
        EventStatus::Raised => "yes",
        EventStatus::Registered => "loads",
        EventStatus::Unknown => "no",
    }
}

fn member_table(text: &mut String) {
    text.push_str("## Members of `$`\n\n`yes`: served. `no`: rejects with `no implementation`, or is not there.\n\n");
    host_columns(text, "member | arguments | gives | since");
    for member in members() {
        let served: Vec<_> = hosts().iter().map(|host| if host.serves(member) { "yes" } else { "no" }).collect();
        let _ = writeln!(
            text,
            "| `$.{}` | `{}` | {} | {} | {} |",
            member.call,
            cell(member.args),
            cell(member.returns),
            member.since,
            served.join(" | ")
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_every_column() {
        let text = tables_markdown();
        let columns = |line: &str| line.replace("\\|", "").matches('|').count();
        for table in text.split("## ").skip(1) {
            let rows: Vec<_> = table.lines().filter(|line| line.starts_with('|')).collect();
            assert!(rows.len() > 60);
            for row in &rows {
                assert_eq!(columns(row), columns(rows[0]), "{row}");
            }
        }
    }

    #[test]
    fn rows_say_what_hosts_do() {
        let text = tables_markdown();
        let row = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
        assert!(
            row("| `turn.step`").ends_with("| yes | yes | no | loads | yes |")
                || row("| `turn.step`").contains("loads")
        );
        assert!(row("| `$.fs.ancestors`").contains("| no |"));
        assert_eq!(text.matches("| `$.").count(), members().len());
    }
}
