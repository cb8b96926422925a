//! A text with its line table: byte offsets to lines and columns.

use crate::report::{Location, Source, Span};
use std::cell::{Cell, OnceCell};
use std::sync::Arc;

/// One file's text. Lines are counted when the first position is asked for.
pub(crate) struct Text {
    pub(crate) path: String,
    pub(crate) text: Arc<str>,
    starts: OnceCell<Vec<u32>>,
    ascii: OnceCell<bool>,
    /// Line, offset and UTF-16 units of the last position asked for: the next one is often behind it, and lines of
    /// bundled code are long.
    last: Cell<(usize, usize, usize)>,
}

const BOM: char = '\u{feff}';

impl Text {
    pub(crate) fn new(path: impl Into<String>, text: String) -> Text {
        Text {
            path: path.into(),
            text: text.into(),
            starts: OnceCell::new(),
            ascii: OnceCell::new(),
            last: Cell::new((0, 0, 0)),
        }
    }

    pub(crate) fn source(&self) -> Source {
        Source { path: self.path.clone(), text: Arc::clone(&self.text) }
    }

    /// The text without a byte order mark, and how many bytes the mark took.
    pub(crate) fn without_mark(&self) -> (&str, u32) {
        match self.text.strip_prefix(BOM) {
            Some(rest) => (rest, BOM.len_utf8() as u32),
            None => (&self.text, 0),
        }
    }

    fn starts(&self) -> &[u32] {
        self.starts.get_or_init(|| {
            let bytes = self.text.as_bytes();
            let mut starts = vec![0];
            for (at, byte) in bytes.iter().enumerate() {
                if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                    starts.push(at as u32 + 1);
                }
            }
            starts
        })
    }

    /// The nearest character boundary at or before this offset.
    fn floor(&self, at: u32) -> usize {
        let mut at = (at as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    fn place(&self, at: usize) -> (u32, u32) {
        let starts = self.starts();
        let line = starts.partition_point(|start| *start as usize <= at) - 1;
        let start = starts[line] as usize;
        if *self.ascii.get_or_init(|| self.text.is_ascii()) {
            return (line as u32 + 1, (at - start) as u32 + 1);
        }
        let (from, units) = match self.last.get() {
            (last_line, last_at, units) if last_line == line && start <= last_at && last_at <= at => (last_at, units),
            _ => (start, 0),
        };
        let between = self.text.get(from..at).unwrap_or_default();
        let between = if from == 0 { between.trim_start_matches(BOM) } else { between };
        let units = units + between.chars().map(char::len_utf16).sum::<usize>();
        self.last.set((line, at, units));
        (line as u32 + 1, units as u32 + 1)
    }

    /// The span of these bytes, moved to character boundaries inside the text.
    pub(crate) fn span(&self, start: u32, end: u32) -> Span {
        let start = self.floor(start);
        let end = self.floor(end).max(start);
        let (line, column) = self.place(start);
        let (end_line, end_column) = self.place(end);
        Span { start: start as u32, end: end as u32, line, column, end_line, end_column }
    }

    pub(crate) fn location(&self, start: u32, end: u32) -> Location {
        Location { file: self.path.clone(), span: self.span(start, end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, token: &str, line: u32, column: u32) {
        let at = text.find(token).unwrap() as u32;
        let text = Text::new("a", text.to_owned());
        let span = text.span(at, at + token.len() as u32);
        assert_eq!((span.line, span.column), (line, column));
        assert_eq!(&text.text[span.start as usize..span.end as usize], token);
    }

    #[test]
    fn counts_lines_at_every_line_end() {
        check("a\nb\r\nc\rd", "d", 4, 1);
        check("a\nb\r\nc\rd", "c", 3, 1);
    }

    #[test]
    fn counts_columns_in_utf16_units() {
        check("é😀x", "x", 1, 4);
    }

    #[test]
    fn positions_may_be_asked_for_in_any_order() {
        let text = Text::new("a", "é1é2é3\nx".to_owned());
        let column = |token: &str| text.span(text.text.find(token).unwrap() as u32, 0).column;
        assert_eq!([column("1"), column("3"), column("2"), column("x"), column("3")], [2, 6, 4, 1, 6]);
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        check("\u{feff}x", "x", 1, 1);
    }

    #[test]
    fn offsets_outside_are_moved_inside() {
        let text = Text::new("a", "é".to_owned());
        assert_eq!((text.span(1, 99).start, text.span(1, 99).end), (0, 2));
    }
}
