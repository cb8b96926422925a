//! The lines around a finding, small enough to print whatever the source looks like.

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use modgate_validate::report::Span;

use super::place::Lines;
use super::safe::{is_harmful, shown};

/// Lines shown before the first and after the last line of a finding.
const AROUND: usize = 1;
/// Most lines of the finding itself.
const TALLEST: usize = 4;
/// Bytes shown of a line that is longer.
const WIDEST: usize = 160;
/// Of these, bytes before what the finding is about.
const BEFORE: usize = 60;

/// A few lines of a source, with their name and numbers, and the places to mark in them.
#[derive(Debug)]
pub(crate) struct Excerpt {
    name: String,
    text: String,
    /// Number of the first line shown, from 0.
    first_line: usize,
    /// Column of what the excerpt is about, from 0.
    column: usize,
    marks: Vec<Mark>,
}

/// A place to mark.
#[derive(Debug)]
struct Mark {
    /// Bytes in the source.
    source: (usize, usize),
    /// Bytes in the excerpt, as far as they are known.
    start: Option<usize>,
    end: Option<usize>,
    label: Option<String>,
}

impl Excerpt {
    /// The lines of `span` and around it. `labels` must be inside them ([`Excerpt::has_room_for`]).
    pub(crate) fn new(name: String, lines: &Lines, span: Span, labels: &[(Span, String)]) -> Excerpt {
        let mark = |span: Span, label: Option<String>| {
            let end = (span.end as usize).min(last_byte(lines, span));
            Mark { source: (span.start as usize, end.max(span.start as usize)), start: None, end: None, label }
        };
        let mut marks = vec![mark(span, None)];
        marks.extend(labels.iter().map(|(span, label)| mark(*span, Some(label.clone()))));
        let (first, last) = shown_lines(span, lines.count());
        let mut excerpt = Excerpt {
            name,
            text: String::new(),
            first_line: first,
            column: (span.column as usize).saturating_sub(1),
            marks,
        };
        for line in first..=last {
            excerpt.line(lines, line);
        }
        excerpt
    }

    /// Is `other` in the lines that are shown for `span`?
    pub(crate) fn has_room_for(lines: &Lines, span: Span, other: Span) -> bool {
        let (first, last) = shown_lines(span, lines.count());
        (first..=last).contains(&(other.line as usize).saturating_sub(1)) && other.line == other.end_line
    }

    /// What to underline; the first is what the excerpt is about.
    pub(crate) fn labels(&self) -> impl Iterator<Item = LabeledSpan> + '_ {
        self.marks.iter().enumerate().map(|(index, mark)| {
            let start = mark.start.unwrap_or(self.text.len());
            let span = SourceSpan::from((start, mark.end.unwrap_or(self.text.len()).saturating_sub(start)));
            match index {
                0 => LabeledSpan::new_primary_with_span(mark.label.clone(), span),
                _ => LabeledSpan::new_with_span(mark.label.clone(), span),
            }
        })
    }

    fn line(&mut self, lines: &Lines, line: usize) {
        let (start, end) = lines.bounds(line);
        let focus = self.marks.iter().map(|mark| mark.source.0).find(|at| (start..=end).contains(at));
        let (from, to) = cut(lines.text(), (start, end), focus);
        if from > start {
            self.text.push('…');
        }
        let mut at = from;
        for c in lines.text()[from..to].chars() {
            self.reach(at);
            if !(at == 0 && c == '\u{feff}') {
                self.text.push(if c != '\t' && is_harmful(c) { shown(c) } else { c });
            }
            at += c.len_utf8();
        }
        self.reach(end);
        if to < end {
            self.text.push('…');
        }
        self.text.push('\n');
    }

    /// The source is shown up to this byte: marks that start or end here get their place.
    fn reach(&mut self, source: usize) {
        let here = self.text.len();
        for mark in &mut self.marks {
            if mark.start.is_none() && mark.source.0 <= source {
                mark.start = Some(here);
            }
            if mark.end.is_none() && mark.start.is_some() && mark.source.1 <= source {
                mark.end = Some(here);
            }
        }
    }
}

/// Where the mark of a span ends at the latest: in its last line that is shown.
fn last_byte(lines: &Lines, span: Span) -> usize {
    let line = (span.line as usize).saturating_sub(1);
    match (span.end_line as usize).saturating_sub(1) {
        end if end >= line + TALLEST => lines.bounds(line).1,
        end => lines.bounds(end).1.max(span.start as usize),
    }
}

/// First and last line to show, from 0.
fn shown_lines(span: Span, count: usize) -> (usize, usize) {
    let line = (span.line as usize).saturating_sub(1);
    let end = (span.end_line as usize).saturating_sub(1);
    let end = if end >= line + TALLEST { line } else { end };
    (line.saturating_sub(AROUND), (end + AROUND).min(count.saturating_sub(1)).max(line))
}

/// The part of a line to show: all of it, or a window around the focus.
fn cut(text: &str, (start, end): (usize, usize), focus: Option<usize>) -> (usize, usize) {
    if end - start <= WIDEST {
        return (start, end);
    }
    let wanted = focus.unwrap_or(start).saturating_sub(BEFORE).clamp(start, end - WIDEST);
    let from = text.floor_char_boundary(wanted).max(start);
    (from, text.floor_char_boundary(from + WIDEST).min(end))
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inside = self.text.read_span(span, before, after)?;
        // Without context, the place of the span itself is asked for: it is shown as the source's, not the excerpt's.
        let column = if before + after == 0 { self.column } else { inside.column() };
        let line = inside.line() + self.first_line;
        let (data, span, count) = (inside.data(), *inside.span(), inside.line_count());
        Ok(Box::new(MietteSpanContents::new_named(self.name.clone(), data, span, line, column, count)))
    }
}
