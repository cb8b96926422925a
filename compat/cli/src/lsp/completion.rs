//! Suggestions: event names in `on('...')`, namespaces and methods behind `$.`.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, MarkupContent, MarkupKind, Position, Range,
    TextEdit, Uri,
};
use modgate_catalog::{event, events, member_namespaces, members};

use super::hover;
use super::token::{Partial, cursor, partial};
use super::workspace::Workspace;

/// What can stand at the cursor.
pub(super) fn completion(workspace: &Workspace, uri: &Uri, position: Position) -> Vec<CompletionItem> {
    let Some(document) = workspace.document(uri) else { return Vec::new() };
    let cursor = cursor(&document.text, position);
    let Some(partial) = partial(&cursor) else { return Vec::new() };
    let (written, items) = match partial {
        Partial::Event(written) => (written, event_items()),
        Partial::Namespace(written) => (written, namespace_items()),
        Partial::Method(namespace, written) => (written, method_items(namespace)),
    };
    let units: usize = written.chars().map(char::len_utf16).sum();
    let start = Position::new(position.line, position.character.saturating_sub(u32::try_from(units).unwrap_or(0)));
    let edit = |item: CompletionItem| {
        let new_text = item.label.clone();
        let text_edit = Some(CompletionTextEdit::Edit(TextEdit { range: Range::new(start, position), new_text }));
        CompletionItem { text_edit, ..item }
    };
    items.into_iter().map(edit).collect()
}

fn event_items() -> Vec<CompletionItem> {
    let item = |event: &'static modgate_catalog::Event| CompletionItem {
        label: event.name.to_owned(),
        kind: Some(CompletionItemKind::EVENT),
        detail: event.note.map(str::to_owned),
        documentation: Some(markdown(hover::event_page(event))),
        ..CompletionItem::default()
    };
    events().iter().map(item).collect()
}

fn namespace_items() -> Vec<CompletionItem> {
    let item = |namespace: &&str| CompletionItem {
        label: (*namespace).to_owned(),
        kind: Some(CompletionItemKind::MODULE),
        ..CompletionItem::default()
    };
    member_namespaces().iter().map(item).collect()
}

fn method_items(namespace: &str) -> Vec<CompletionItem> {
    let item = |member: &'static modgate_catalog::Member| CompletionItem {
        label: member.method.to_owned(),
        kind: Some(CompletionItemKind::METHOD),
        detail: Some(format!("{} => {}", member.args, member.returns)),
        documentation: member.event.and_then(event).map(|event| markdown(hover::event_page(event))),
        ..CompletionItem::default()
    };
    members().iter().filter(|member| member.namespace == namespace).map(item).collect()
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
}
