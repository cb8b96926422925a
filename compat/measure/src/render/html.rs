//! One self-contained page: the timelines of the hosts side by side.

mod cells;

use std::fmt::Write as _;

use crate::compare::{Cell, Column, Comparison, Difference, Line, Severity, Side, Verdict};
use crate::observe::{Origin, PromptSeen};

use cells::{call_cell, escape, readings};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The comparison as a page that needs nothing else: no fonts, no scripts, no pictures from elsewhere. It follows the
/// reader's light or dark setting and works without its script, which only filters and jumps.
pub fn html(comparison: &Comparison) -> String {
    let mut page = String::new();
    let title = escape(&comparison.title);
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
    push(
        &mut page,
        &format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <title>{title} · compared</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body style=\"--hosts: {}\">",
            comparison.columns.iter().filter(|column| column.cannot.is_none()).count().max(1)
        ),
    );
    header(&mut page, comparison);
    push(&mut page, "<main id=\"lines\">");
    heads(&mut page, comparison);
    for (at, line) in comparison.lines.iter().enumerate() {
        one_line(&mut page, comparison, at, line);
    }
    push(&mut page, "<p class=\"none\" hidden>Nothing fits the filter.</p>\n</main>");
    rest(&mut page, comparison);
    limits(&mut page, comparison);
    push(&mut page, &format!("<script>\n{SCRIPT}</script>\n</body>\n</html>"));
    page
}

fn push(page: &mut String, text: &str) {
    page.push_str(text);
    page.push('\n');
}

fn header(page: &mut String, comparison: &Comparison) {
    let calls = comparison.lines.iter().filter(|line| matches!(line, Line::Call { .. })).count();
    let hosts = comparison.columns.len();
    let title = escape(&comparison.title);
    push(page, "<header>");
    push(
        page,
        &format!(
            "<h1>{title}</h1>\n<p class=\"sum\">{calls} call{} under {hosts} host{}</p>\n<ul class=\"verdicts\">",
            plural(calls),
            plural(hosts)
        ),
    );
    for (at, column) in comparison.columns.iter().enumerate() {
        verdict(page, column, comparison.reference() == Some(at));
    }
    push(page, "</ul>");
    overview(page, comparison);
    push(
        page,
        "<form class=\"tools\" onsubmit=\"return false\">\
        <label><input type=\"checkbox\" id=\"only\"> only differences</label>\
        <input type=\"search\" id=\"find\" placeholder=\"find a call\" aria-label=\"find a call\">\
        <button type=\"button\" id=\"prev\" title=\"previous difference (k)\">↑</button>\
        <button type=\"button\" id=\"next\" title=\"next difference (j)\">↓</button>\
        <output id=\"place\"></output></form>\n</header>",
    );
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn verdict(page: &mut String, column: &Column, is_reference: bool) {
    let how = match column.origin {
        Some(Origin::Measured) => "measured",
        Some(Origin::Run) => "run under its profile",
        None => "not run",
    };
    let unsafe_count = column.differences.iter().filter(|one| one.severity == Severity::Unsafe).count();
    let shares = column.verdict == Verdict::Unsafe && unsafe_count == 0;
    let found = match (&column.cannot, column.differences.len()) {
        (Some(reason), _) => escape(reason),
        (None, _) if is_reference && unsafe_count == 0 => "the others are compared with it".into(),
        (None, _) if is_reference => format!("{unsafe_count} unsafe; the others are compared with it"),
        (None, 0) if shares => "no difference: as unsafe as the first".into(),
        (None, 0) => "no difference".into(),
        (None, count) if unsafe_count > 0 => format!("{count} difference{}, {unsafe_count} unsafe", plural(count)),
        (None, count) if shares => format!("{count} difference{}; shares what is unsafe", plural(count)),
        (None, count) => format!("{count} difference{}", plural(count)),
    };
    push(
        page,
        &format!(
            "<li class=\"{}\"><b>{}</b> <span class=\"pill\">{}</span><small>{how}</small><span>{found}</span></li>",
            class(column.verdict),
            escape(&column.host),
            column.verdict.word()
        ),
    );
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Same => "same",
        Verdict::Differs => "differs",
        Verdict::Unsafe => "unsafe",
        Verdict::CannotRun => "cannot",
    }
}

/// A lane for each host, a mark for each line: where in a long session the differences are.
fn overview(page: &mut String, comparison: &Comparison) {
    let lines = comparison.lines.len();
    if lines < 2 {
        return;
    }
    let ran: Vec<(usize, &Column)> =
        comparison.columns.iter().enumerate().filter(|(_, column)| column.cannot.is_none()).collect();
    push(page, "<div class=\"map\"><ol>");
    ran.iter().for_each(|(_, column)| push(page, &format!("<li>{}</li>", escape(&column.host))));
    push(page, "</ol>");
    push(
        page,
        &format!(
            "<svg id=\"map\" viewBox=\"0 0 {lines} {}\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"where the differences are\" style=\"height: {}px\">",
            ran.len() * 10,
            ran.len() * 14
        ),
    );
    for (lane, (at, column)) in ran.into_iter().enumerate() {
        let mut y = String::new();
        let _ = write!(y, "{}", lane * 10 + 1);
        push(page, &format!("<rect class=\"lane\" x=\"0\" y=\"{y}\" width=\"{lines}\" height=\"8\"/>"));
        for (x, line) in comparison.lines.iter().enumerate() {
            if let Some(severity) = worst(column, cell_differences(line, at)) {
                // A single line of a thousand would be thinner than a pixel.
                let width = (lines as f64 / 300.0).max(1.0);
                push(
                    page,
                    &format!(
                        "<rect class=\"{}\" x=\"{x}\" y=\"{y}\" width=\"{width:.2}\" height=\"8\"/>",
                        severity_class(severity)
                    ),
                );
            }
        }
    }
    push(page, "</svg></div>");
}

fn cell_differences(line: &Line, column: usize) -> &[usize] {
    let of = match line {
        Line::Prompt { cells, .. } => cells.get(column).map(|cell| &cell.differences),
        Line::Call { cells, .. } => cells.get(column).map(|cell| &cell.differences),
    };
    of.map_or(&[], Vec::as_slice)
}

fn worst(column: &Column, differences: &[usize]) -> Option<Severity> {
    differences.iter().filter_map(|at| column.differences.get(*at)).map(|one| one.severity).max()
}

fn severity_class(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Differs => "differs",
        Severity::Unsafe => "unsafe",
    }
}

fn heads(page: &mut String, comparison: &Comparison) {
    let ran = comparison.columns.iter().filter(|column| column.cannot.is_none());
    let names = ran.map(|column| format!("<span>{}</span>", escape(&column.host)));
    push(page, &format!("<div class=\"heads\"><span></span>{}</div>", names.collect::<String>()));
}

fn one_line(page: &mut String, comparison: &Comparison, at: usize, line: &Line) {
    let columns = comparison.columns.iter().enumerate();
    let severity = columns.filter_map(|(column_at, column)| worst(column, cell_differences(line, column_at))).max();
    let marked = severity.map_or_else(String::new, |one| format!(" marked {}", severity_class(one)));
    match line {
        Line::Prompt { index, typed, cells } => {
            let once = if severity.is_none() && all_alike(comparison, cells) { " once" } else { "" };
            push(
                page,
                &format!(
                    "<section class=\"line prompt{once}{marked}\" id=\"l{at}\"><h2><i>{}</i> {}</h2>",
                    index + 1,
                    escape(typed)
                ),
            );
            prompt_cells(page, comparison, cells);
            push(page, "</section>");
        }
        Line::Call { key, asked, cells } => {
            let what = asked.as_ref().map(cells::action).unwrap_or_default();
            let agreed = cells::agreed(shown(comparison, cells).map(|(_, cell, _)| cell));
            let plain = if agreed.is_some() { " plain" } else { "" };
            push(
                page,
                &format!(
                    "<section class=\"line call{plain}{marked}\" id=\"l{at}\"><h3 title=\"{}\"><small>asked</small> \
                     {what}</h3>",
                    escape(key)
                ),
            );
            match agreed {
                Some(text) => push(page, &format!("<div class=\"cell quiet all\">{text}</div>")),
                None => {
                    let made = shown(comparison, cells).map(|(column, cell, reference)| {
                        let differences = cell.differences.as_slice();
                        (column, differences, call_cell(column, cell.seen.as_ref(), differences, reference))
                    });
                    page.push_str(&cells::once(made.collect()));
                }
            }
            push(page, "</section>");
        }
    }
}

/// The columns that ran with their cells, and whether the others are compared with one.
fn shown<'a, T>(
    comparison: &'a Comparison,
    cells: &'a [Cell<T>],
) -> impl Iterator<Item = (&'a Column, &'a Cell<T>, bool)> {
    let reference = comparison.reference();
    let columns = comparison.columns.iter().zip(cells).enumerate();
    columns
        .filter(|(_, (column, _))| column.cannot.is_none())
        .map(move |(at, (column, cell))| (column, cell, reference == Some(at)))
}

/// Whether a prompt became the same under every host that ran.
fn all_alike(comparison: &Comparison, cells: &[Cell<PromptSeen>]) -> bool {
    let mut bodies = shown(comparison, cells).map(|(_, cell, _)| cell.seen.as_ref().map(prompt_body));
    let first = bodies.next().flatten();
    first.is_some() && bodies.all(|body| body == first)
}

/// What a prompt became: once for all hosts where it became the same, else what the first host did and what differs.
fn prompt_cells(page: &mut String, comparison: &Comparison, cells: &[Cell<PromptSeen>]) {
    let mut first = None;
    let mut made = Vec::new();
    for (column, cell, _) in shown(comparison, cells) {
        let body = cell.seen.as_ref().map(prompt_body);
        let tags = tags(column, &cell.differences);
        let is_same = first.is_some() && first == body && tags.is_empty();
        made.push((column, body.clone(), tags, is_same));
        first = first.or(body);
    }
    if let [(_, Some(body), tags, _), rest @ ..] = made.as_slice()
        && tags.is_empty()
        && rest.iter().all(|(.., is_same)| *is_same)
    {
        return push(page, &format!("<div class=\"cell quiet every\">{body}</div>"));
    }
    for (column, body, tags, is_same) in made {
        let host = escape(&column.host);
        match body {
            None => push(page, &cells::empty(column)),
            Some(_) if is_same => {
                push(page, &format!("<div class=\"cell quiet\"><b class=\"host\">{host}</b><p>same</p></div>"));
            }
            Some(body) => push(page, &format!("<div class=\"cell\"><b class=\"host\">{host}</b>{body}{tags}</div>")),
        }
    }
}

fn prompt_body(prompt: &PromptSeen) -> String {
    let mut parts = String::new();
    let entered = match (&prompt.history, prompt.dropped, prompt.command) {
        (Some(text), ..) if *text != prompt.typed => format!("<p>enters as <q>{}</q></p>", escape(text)),
        (Some(_), ..) => "<p>enters as typed</p>".into(),
        (None, true, _) => "<p class=\"bad\">dropped</p>".into(),
        (None, false, true) => "<p>command</p>".into(),
        (None, false, false) => String::new(),
    };
    parts.push_str(&entered);
    parts.push_str(&readings("with", &prompt.context));
    parts.push_str(&readings("shows", &prompt.shown));
    parts
}

/// The named differences of a cell, each with its reason beneath.
pub(super) fn tags(column: &Column, differences: &[usize]) -> String {
    let found = differences.iter().filter_map(|at| column.differences.get(*at));
    found.map(tag).collect()
}

fn tag(one: &Difference) -> String {
    let values = if one.expected.is_empty() && one.side != Side::Both {
        String::new()
    } else {
        format!("<p><s>{}</s> → <b>{}</b></p>", escape(&one.expected), escape(&one.seen))
    };
    let position = one.position.as_ref().map(|at| format!(" <code>{}</code>", escape(at))).unwrap_or_default();
    format!(
        "<details class=\"tag {}\"><summary>{}</summary><p>{}{position}</p>{values}</details>",
        severity_class(one.severity),
        one.kind,
        escape(&one.reason)
    )
}

/// What is about neither a call nor a prompt: skipped hooks, gaps, files, tools.
fn rest(page: &mut String, comparison: &Comparison) {
    let other = |one: &Difference| one.call.is_none() && one.prompt.is_none();
    if !comparison.columns.iter().any(|column| column.differences.iter().any(other)) {
        return;
    }
    push(page, "<section class=\"rest\"><h2>Beside the calls</h2>");
    for column in &comparison.columns {
        let found: Vec<&Difference> = column.differences.iter().filter(|one| other(one)).collect();
        if found.is_empty() {
            continue;
        }
        push(page, &format!("<h3>{}</h3><ul>", escape(&column.host)));
        for one in found {
            let of = one.of.as_ref().map(|of| format!("<code>{}</code> ", escape(of))).unwrap_or_default();
            push(page, &format!("<li>{of}{}</li>", tag(one)));
        }
        push(page, "</ul>");
    }
    push(page, "</section>");
}

/// What could not be played, which is no difference.
fn limits(page: &mut String, comparison: &Comparison) {
    let told = super::limits(comparison);
    if told.is_empty() {
        return;
    }
    push(page, "<section class=\"rest limits\"><h2>Not played</h2><ul>");
    told.lines().for_each(|line| push(page, &format!("<li>{}</li>", escape(line))));
    push(page, "</ul></section>");
}

#[cfg(test)]
mod tests;
