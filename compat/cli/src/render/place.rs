//! Lines and columns of a text.

use modgate_validate::report::Span;

/// A text and where its lines start. Lines end at `\n`, `\r\n` or `\r`.
pub(crate) struct Lines<'a> {
    text: &'a str,
    /// First byte of every line; never empty.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Finds the lines of a text.
    pub(crate) fn new(text: &'a str) -> Lines<'a> {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len())
            .filter(|&at| bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n')));
        Lines { text, starts: std::iter::once(0).chain(ends.map(|at| at + 1)).collect() }
    }

    /// The text.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// How many lines there are; at least one.
    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line (counted from 0), without what ends it. Behind the last line: nothing, at the text's end.
    pub(crate) fn bounds(&self, line: usize) -> (usize, usize) {
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let start = self.starts.get(line).copied().unwrap_or(end);
        let kept = self.text[start..end].trim_end_matches(['\r', '\n']).len();
        (start, start + kept)
    }

    /// The line (counted from 0) a byte is in.
    pub(crate) fn line_of(&self, byte: usize) -> usize {
        self.starts.partition_point(|&start| start <= byte) - 1
    }

    /// A part of the text, as the validator describes it. Bytes inside a character or behind the text are moved to
    /// the nearest one before.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let start = self.text.floor_char_boundary(start);
        let end = self.text.floor_char_boundary(end.max(start));
        let ((line, column), (end_line, end_column)) = (self.position(start), self.position(end));
        Span { start: narrow(start), end: narrow(end), line, column, end_line, end_column }
    }

    /// Line and column of a byte, from 1; the column in UTF-16 code units.
    fn position(&self, byte: usize) -> (u32, u32) {
        let line = self.line_of(byte);
        let before = &self.text[self.starts[line]..byte];
        let before = if line == 0 { before.trim_start_matches('\u{feff}') } else { before };
        (narrow(line + 1), narrow(before.chars().map(char::len_utf16).sum::<usize>() + 1))
    }
}

/// Files larger than 4 GiB are never read.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, part: &str, start: (u32, u32), end: (u32, u32)) {
        let at = text.find(part).unwrap();
        let span = Lines::new(text).span(at, at + part.len());
        assert_eq!(&text[span.start as usize..span.end as usize], part);
        assert_eq!(((span.line, span.column), (span.end_line, span.end_column)), (start, end));
    }

    #[test]
    fn counts_as_editors_do() {
        check("abc", "b", (1, 2), (1, 3));
        check("a\nb\r\nc\rd", "d", (4, 1), (4, 2));
        check("a\r\n\r\nb", "b", (3, 1), (3, 2));
        check("'😀' x", "x", (1, 6), (1, 7));
        check("é x", "x", (1, 3), (1, 4));
        check("\u{feff}ab", "b", (1, 2), (1, 3));
        check("ab\ncd", "b\nc", (1, 2), (2, 2));
    }

    #[test]
    fn takes_any_byte() {
        let lines = Lines::new("é\n");
        assert_eq!((lines.span(1, 99).start, lines.span(1, 99).end), (0, 3));
        assert_eq!(lines.span(99, 0).line, 2);
        assert_eq!(Lines::new("").span(0, 0).line, 1);
    }

    #[test]
    fn lines_have_no_ends() {
        let lines = Lines::new("ab\r\nc\rd\n");
        let all: Vec<_> = (0..6).map(|line| lines.bounds(line)).map(|(start, end)| &lines.text()[start..end]).collect();
        assert_eq!(all, ["ab", "c", "d", "", "", ""]);
        assert_eq!(lines.count(), 4);
    }
}
