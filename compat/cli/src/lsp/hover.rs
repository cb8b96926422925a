//! What the cursor is on: the page of the rule that found something there, or what an event or a member of `$` is.

use std::fmt::Write as _;

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Range, Uri};
use modgate_catalog::{Event, EventKind, Member, event, member};

use super::convert;
use super::token::{cursor, dotted};
use super::workspace::Workspace;
use crate::rulebook;

/// The text to show, if there is something to say.
pub(super) fn hover(workspace: &Workspace, uri: &Uri, position: Position) -> Option<Hover> {
    let document = workspace.document(uri)?;
    let at = |range: Range| range.start <= position && position <= range.end;
    let found: Vec<_> = workspace
        .findings(uri)
        .into_iter()
        .filter_map(|found| Some((found.code, convert::range(found.span?))))
        .filter(|(_, range)| at(*range))
        .collect();
    if let Some((_, range)) = found.first() {
        let mut codes: Vec<&str> = found.iter().map(|(code, _)| *code).collect();
        codes.dedup();
        let pages: Vec<String> = codes.into_iter().filter_map(rule_page).collect();
        return Some(markdown(pages.join("\n\n---\n\n"), Some(*range)));
    }
    let name = dotted(&cursor(&document.text, position));
    let page = match name.strip_prefix("$.") {
        Some(name) => member_page(name.split_once('.').and_then(|(namespace, method)| member(namespace, method))?),
        None => event_page(event(name)?),
    };
    Some(markdown(page, None))
}

fn markdown(value: String, range: Option<Range>) -> Hover {
    Hover { contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }), range }
}

fn rule_page(code: &str) -> Option<String> {
    let rule = rulebook::rule(code)?;
    Some(format!("**{}**: {}\n\n{}", rule.code, rule.name, rulebook::page(rule)))
}

/// What is known about an event.
pub(super) fn event_page(event: &Event) -> String {
    let mut page = format!("**{}**", event.name);
    if let Some(note) = event.note {
        let _ = write!(page, ": {note}");
    }
    let _ = write!(page, "\n\n```ts\ne: {}\nanswer: {}\n```", event.input_text, event.answer_text);
    if event.kind == EventKind::Generator {
        page.push_str("\n\nThe hook is an async generator.");
    }
    if event.gate {
        page.push_str("\n\nAn answer can refuse it.");
    }
    let _ = write!(page, "\n\nSince Claude Code {}.", event.since);
    page
}

fn member_page(member: &Member) -> String {
    let mut page = format!("```ts\n$.{}{} => {}\n```", member.call, member.args, member.returns);
    if let Some(event) = member.event {
        let _ = write!(page, "\n\nRaises `{event}`.");
    }
    let _ = write!(page, "\n\nSince Claude Code {}.", member.since);
    page
}
