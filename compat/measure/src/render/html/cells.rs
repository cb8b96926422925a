//! The cells of the page.

use crate::compare::{Cell, Column};
use crate::observe::{Action, CallSeen, Reading, Skip};

use super::{severity_class, tags, worst};

pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A call in one line: the tool, and its command or arguments.
pub(super) fn action(action: &Action) -> String {
    format!("<em>{}</em> <code>{}</code>", escape(&action.tool), escape(&shortened(&body(action))))
}

/// The same with what differs from another call marked.
fn changed(action: &Action, from: &Action) -> String {
    if action.same(from) {
        return self::action(action);
    }
    let (text, old) = (shortened(&body(action)), shortened(&body(from)));
    let (letters, olds): (Vec<char>, Vec<char>) = (text.chars().collect(), old.chars().collect());
    let head = letters.iter().zip(&olds).take_while(|(one, two)| one == two).count();
    let most = letters.len().min(olds.len()) - head;
    let tail = letters.iter().rev().zip(olds.iter().rev()).take(most).take_while(|(one, two)| one == two).count();
    let part = |from: usize, to: usize| escape(&letters[from..to].iter().collect::<String>());
    let end = letters.len() - tail;
    let marked = format!("{}<mark>{}</mark>{}", part(0, head), part(head, end), part(end, letters.len()));
    format!("<em>{}</em> <code>{marked}</code>", escape(&action.tool))
}

fn body(action: &Action) -> String {
    if let Some(command) = action.input.get("command").and_then(|command| command.as_str()) {
        return command.to_owned();
    }
    let Some(fields) = action.input.as_object() else { return action.input.to_string() };
    let said = |value: &serde_json::Value| match value.as_str() {
        // One call is one line, whatever a text holds.
        Some(text) => text.trim_end_matches('\n').replace('\n', "⏎ "),
        None => value.to_string(),
    };
    // The file is what is looked for first.
    let file = fields.get("file_path").map(said);
    let others = fields.iter().filter(|(name, _)| *name != "file_path");
    let others = others.map(|(name, value)| format!("{name}: {}", said(value)));
    file.into_iter().chain(others).collect::<Vec<_>>().join("  ")
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(400).collect();
    if text.chars().nth(400).is_some() {
        short.push('…');
    }
    short
}

pub(super) fn empty(column: &Column) -> String {
    let reason = column.cannot.as_deref().unwrap_or("not here");
    format!("<div class=\"cell quiet\"><b class=\"host\">{}</b><p>{}</p></div>", escape(&column.host), escape(reason))
}

/// A call under one host as a short rail: decided, ran, recorded, read. A host that did what the reference did is told
/// in one quiet line, unless it is a danger that both share.
pub(super) fn call_cell(column: &Column, seen: Option<&CallSeen>, differences: &[usize], reference: bool) -> String {
    let Some(call) = seen else {
        let mut cell = empty(column);
        cell.insert_str(cell.len() - "</div>".len(), &tags(column, differences));
        return cell;
    };
    let host = escape(&column.host);
    if differences.is_empty() && !reference && !is_changed(call) {
        return format!("<div class=\"cell quiet\"><b class=\"host\">{host}</b><p>same</p></div>\n");
    }
    let mut rail = String::new();
    if let Some(decided) = call.permissions.last() {
        let word = if decided.allowed { "allowed" } else { "denied" };
        let other = decided.about.as_ref().filter(|about| call.asked.as_ref().is_some_and(|asked| !about.same(asked)));
        let about = other.zip(call.asked.as_ref()).map(|(about, asked)| format!(" for {}", changed(about, asked)));
        let by = if decided.asked { " by the person" } else { "" };
        let mark = if other.is_some() { "bad" } else { "ok" };
        rail.push_str(&step(mark, word, &format!("{by}{}", about.unwrap_or_default())));
    }
    rail.push_str(&executions(call));
    rail.push_str(&recorded(call));
    if let Some(reading) = &call.reading {
        let mark = if reading.is_error { "fail" } else { "ok" };
        rail.push_str(&step(mark, "model reads", &told(reading)));
    }
    rail.push_str(&of_mods(call));
    let with = readings("with", &call.context);
    format!(
        "<div class=\"cell\"><b class=\"host\">{host}</b><ol>{rail}</ol>{with}{}</div>\n",
        tags(column, differences)
    )
}

/// The cells of one call, where a host that did the very same as one before it only names that one.
pub(super) fn once(made: Vec<(&Column, &[usize], String)>) -> String {
    let mut known: Vec<(String, &Column)> = Vec::new();
    let mut out = String::new();
    for (column, differences, cell) in made {
        let host = format!("<b class=\"host\">{}</b>", escape(&column.host));
        let body = cell.replacen(&host, "", 1);
        match known.iter().find(|(other, _)| *other == body).filter(|_| body.contains("<ol>")) {
            Some((_, other)) => {
                let worst = worst(column, differences).map_or("note", severity_class);
                let as_other = format!("<p class=\"as {worst}\">as {}</p>", escape(&other.host));
                out.push_str(&format!("<div class=\"cell\">{host}{as_other}</div>\n"));
            }
            None => {
                out.push_str(&cell);
                known.push((body, column));
            }
        }
    }
    out
}

/// What mods had refused or limited, with the place in their source.
fn of_mods(call: &CallSeen) -> String {
    let one = |skip: &Skip| {
        let place = skip.position.as_ref().map(|at| format!(" <code>{}</code>", escape(at))).unwrap_or_default();
        let what = skip.reason.as_ref().or(skip.code.as_ref()).map(|text| escape(&shortened(text))).unwrap_or_default();
        step("fail", &escape(&skip.name), &format!("{what}{place}"))
    };
    call.mods.iter().map(one).collect()
}

/// What to say of a call that went as asked under every host; nothing where there is more to see.
pub(super) fn agreed<'a>(mut cells: impl Iterator<Item = &'a Cell<CallSeen>>) -> Option<String> {
    let first = cells.next()?;
    let plain = |cell: &Cell<CallSeen>| cell.differences.is_empty() && cell.seen.as_ref().is_some_and(is_plain);
    if !plain(first) || !cells.all(plain) {
        return None;
    }
    let reading = first.seen.as_ref().and_then(|call| call.reading.as_ref()).map(told).unwrap_or_default();
    Some(format!("<p>ran as asked <small>model reads</small> {reading}</p>"))
}

fn is_plain(call: &CallSeen) -> bool {
    let as_asked = call.executed.as_ref().is_some_and(|ran| ran.len() == 1) && !is_changed(call);
    as_asked
        && call.context.is_empty()
        && call.mods.is_empty()
        && call.reading.as_ref().is_some_and(|reading| !reading.is_error)
}

/// Whether something else ran than was asked for, or more than once: worth a look even where the first host does it too.
fn is_changed(call: &CallSeen) -> bool {
    let ran = call.executed.as_deref().unwrap_or_default();
    ran.len() > 1 || ran.iter().zip(&call.asked).any(|(ran, asked)| !ran.same(asked))
}

fn step(mark: &str, label: &str, text: &str) -> String {
    format!("<li class=\"{mark}\"><small>{label}</small> {text}</li>")
}

fn executions(call: &CallSeen) -> String {
    let Some(ran) = &call.executed else { return step("note", "ran", "nobody knows") };
    if ran.is_empty() {
        return step("none", "ran", "nothing");
    }
    let one = |(number, action): (usize, &Action)| {
        let other = call.asked.as_ref().filter(|asked| !action.same(asked));
        let mark = if other.is_some() || number > 0 { "bad" } else { "ok" };
        let label = if ran.len() > 1 { format!("ran, {}", number + 1) } else { "ran".into() };
        let text = other.map_or_else(|| self::action(action), |asked| changed(action, asked));
        step(mark, &label, &text)
    };
    ran.iter().enumerate().map(one).collect()
}

/// What transcript and history hold, where something else ran; a correction where the history states one.
fn recorded(call: &CallSeen) -> String {
    let last = call.executed.as_ref().and_then(|ran| ran.last());
    let mut steps = String::new();
    for (label, held) in [("transcript", &call.transcript), ("history", &call.history)] {
        let other = held.as_ref().zip(last).filter(|(held, last)| !held.same(last));
        if let Some((held, _)) = other {
            let mark = if call.correction.is_some() { "ok" } else { "bad" };
            steps.push_str(&step(mark, label, &action(held)));
        }
    }
    if let Some(correction) = &call.correction {
        steps.push_str(&step("ok", "correction", &action(correction)));
    }
    steps
}

fn told(reading: &Reading) -> String {
    let failed = if reading.is_error { "an error " } else { "" };
    let text = match &reading.text {
        Some(text) => format!("<q>{}</q>", escape(&shortened(text))),
        None if reading.words.is_empty() && reading.is_error => "of the host's own".to_owned(),
        None if reading.words.is_empty() => "the host's own words".to_owned(),
        None => reading.words.iter().map(|word| format!("<q>{}</q>", escape(word))).collect::<Vec<_>>().join(" "),
    };
    format!("{failed}{text}")
}

/// Reminders and outputs, one line each.
pub(super) fn readings(label: &str, readings: &[Reading]) -> String {
    let lines =
        readings.iter().map(|reading| format!("<p class=\"with\"><small>{label}</small> {}</p>", told(reading)));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_is_marked() {
        let html = changed(&Action::bash("./note B --all"), &Action::bash("./note A --all"));
        assert_eq!(html, "<em>Bash</em> <code>./note <mark>B</mark> --all</code>");
        let longer = changed(&Action::bash("aab"), &Action::bash("ab"));
        assert_eq!(longer, "<em>Bash</em> <code>a<mark>a</mark>b</code>");
        assert_eq!(changed(&Action::bash("a"), &Action::bash("a")), "<em>Bash</em> <code>a</code>");
    }

    #[test]
    fn arguments_are_told_by_name_and_the_file_first() {
        let input = serde_json::json!({ "content": "one\ntwo\n", "file_path": "a.txt", "limit": 3 });
        let written = super::action(&Action::new("Write", input));
        assert_eq!(written, "<em>Write</em> <code>a.txt  content: one⏎ two  limit: 3</code>");
    }

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("<img src='x' onerror=\"y\">&"), "&lt;img src=&#39;x&#39; onerror=&quot;y&quot;&gt;&amp;");
    }
}
