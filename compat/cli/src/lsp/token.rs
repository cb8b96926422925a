//! What the cursor is on, as far as a line of text tells. Good enough to suggest and explain; findings come from the
//! validator, which parses.

use lsp_types::Position;

use crate::render::place::Lines;

/// A line and the cursor in it.
pub(super) struct Cursor<'a> {
    /// The line, without what ends it.
    pub(super) line: &'a str,
    /// Byte in the line.
    pub(super) at: usize,
}

/// Finds the cursor in a text.
pub(super) fn cursor<'a>(text: &'a str, position: Position) -> Cursor<'a> {
    let (start, end) = Lines::new(text).bounds(position.line as usize);
    let line = &text[start..end];
    let mut units = 0;
    let at = line.char_indices().find_map(|(at, c)| {
        let here = units;
        units += c.len_utf16();
        (here >= position.character as usize).then_some(at)
    });
    Cursor { line, at: at.unwrap_or(line.len()) }
}

/// What can be completed before the cursor: the kind of name, and the part that is written already.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Partial<'a> {
    /// An event name, in the first argument of `on`.
    Event(&'a str),
    /// A namespace, behind `$.`.
    Namespace(&'a str),
    /// A method of a namespace.
    Method(&'a str, &'a str),
}

/// Looks at what stands before the cursor.
pub(super) fn partial<'a>(cursor: &Cursor<'a>) -> Option<Partial<'a>> {
    let before = &cursor.line[..cursor.at];
    let word = |text: &'a str, also: &'static str| {
        let start = text.rfind(|c: char| !(is_word(c) || also.contains(c))).map_or(0, |at| at + char_len(text, at));
        (&text[..start], &text[start..])
    };
    let (head, name) = word(before, ".*!");
    if let Some(head) = head.strip_suffix(['\'', '"', '`'])
        && let Some(head) = head.trim_end().strip_suffix('(')
        && head.trim_end().strip_suffix("on").is_some_and(|head| !head.ends_with(|c| is_word(c) || c == '.'))
    {
        return Some(Partial::Event(name));
    }
    let (head, last) = word(before, "");
    let head = head.strip_suffix('.')?;
    if is_dollar(head) {
        return Some(Partial::Namespace(last));
    }
    let (head, namespace) = word(head, "");
    (!namespace.is_empty() && is_dollar(head.strip_suffix('.')?)).then_some(Partial::Method(namespace, last))
}

/// The dotted name the cursor is in or behind: `tool.call`, `$.fs.read`.
pub(super) fn dotted<'a>(cursor: &Cursor<'a>) -> &'a str {
    let is_part = |c: char| is_word(c) || c == '.';
    let start = cursor.line[..cursor.at].rfind(|c| !is_part(c)).map_or(0, |at| at + char_len(cursor.line, at));
    let end = cursor.line[cursor.at..].find(|c| !is_part(c)).map_or(cursor.line.len(), |at| cursor.at + at);
    cursor.line[start..end].trim_matches('.')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn is_dollar(head: &str) -> bool {
    head.strip_suffix('$').is_some_and(|head| !head.ends_with(|c| is_word(c) || c == '.'))
}

fn char_len(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` is the cursor.
    fn at(text: &str) -> Cursor<'_> {
        let (line, _) = text.split_once('#').unwrap_or((text, ""));
        Cursor { line, at: text.find('|').unwrap_or(line.len()) }
    }

    #[track_caller]
    fn check(before: &str, expected: Option<Partial>) {
        assert_eq!(partial(&at(before)), expected, "{before}");
    }

    #[test]
    fn knows_what_is_being_written() {
        check("  on('", Some(Partial::Event("")));
        check("  on(\"tool.c", Some(Partial::Event("tool.c")));
        check("on( '!ui.", Some(Partial::Event("!ui.")));
        check("await $.", Some(Partial::Namespace("")));
        check("await $.f", Some(Partial::Namespace("f")));
        check("($.fs.re", Some(Partial::Method("fs", "re")));
        check("é$.fs.", None);
        check("button('", None);
        check("x.on('", None);
        check("a.$.f", None);
        check("x$.f", None);
        check("$", None);
        check("", None);
        check("foo.bar", None);
        check("$.fs.read.x", None);
    }

    #[test]
    fn finds_the_name_around_the_cursor() {
        let line = "on('tool.call', ($) => $.fs.read('x'))";
        let name = |at: usize| dotted(&Cursor { line, at });
        assert_eq!(name(4), "tool.call");
        assert_eq!(name(13), "tool.call");
        assert_eq!(name(25), "$.fs.read");
        assert_eq!(name(3), "on".trim_start_matches("on"));
        assert_eq!(name(line.len()), "");
    }

    #[test]
    fn counts_as_the_protocol_does() {
        let text = "a\r\n'😀' x\nz";
        let found = cursor(text, Position::new(1, 5));
        assert_eq!(&found.line[found.at..], "x");
        assert_eq!(cursor(text, Position::new(1, 99)).at, "'😀' x".len());
        assert_eq!(cursor(text, Position::new(99, 0)).line, "");
    }
}
