//! Rows as a person reads them, one after the other, mods' effects and reports in place.

use modgate_harness::record::{By, Row, kind};
use serde_json::Value;

use crate::output::{Paint, Style};
use crate::render::safe::visible;

/// Lines of a result that are shown.
const RESULT_LINES: usize = 12;
/// Characters of a value in a line.
const VALUE_CHARS: usize = 100;

/// Turns rows into text.
pub(crate) struct Transcript {
    style: Style,
}

impl Transcript {
    /// For that output.
    pub(crate) fn new(style: Style) -> Transcript {
        Transcript { style }
    }

    /// The lines of a row; none for rows that only machines read.
    pub(crate) fn row(&mut self, row: &Row) -> String {
        let text = |field: &str| row.text_at(field).unwrap_or_default();
        let list = |field: &str| row.data.get(field).and_then(Value::as_array).cloned().unwrap_or_default();
        match row.kind.as_str() {
            kind::SESSION_START => self.line(0, Paint::Dim, &format!("session in {}", text("cwd"))),
            kind::SESSION_RESUME => self.line(0, Paint::Dim, "the session goes on"),
            kind::SESSION_END => self.line(0, Paint::Dim, &format!("session ended: {}", text("reason"))),
            kind::USER_MESSAGE => {
                let mut shown = format!("\n{}", self.block(0, "> ", Paint::Bold, text("text")));
                if let Some(typed) = row.text_at("typed") {
                    shown += &self.line(2, Paint::Dim, &format!("typed: {typed}"));
                }
                for context in list("context") {
                    shown += &self.block(2, "+ ", Paint::Dim, context.as_str().unwrap_or_default());
                }
                shown
            }
            kind::USER_DROPPED => {
                let dropped = format!("dropped by {}: {}", row.by, text("reason"));
                format!("\n{}{}", self.block(0, "> ", Paint::Bold, text("text")), self.line(2, Paint::Warn, &dropped))
            }
            kind::ASSISTANT_MESSAGE if !text("text").is_empty() => self.block(0, "● ", Paint::Good, text("text")),
            kind::MODEL_ERROR => {
                self.line(0, Paint::Bad, &format!("the model failed: {} {}", text("code"), text("message")))
            }
            kind::TOOL_CALL => self.call(row),
            kind::PERMISSION_DECISION => self.decision(row),
            kind::TOOL_RESULT => self.result(row),
            kind::TOOL_DROP => self.line(4, Paint::Warn, &format!("call dropped: {}", text("reason"))),
            kind::TOOL_AMEND => self.line(
                4,
                Paint::Warn,
                &format!("corrected by {}: {}", row.by, short(row.data.get("effective").unwrap_or(&Value::Null))),
            ),
            kind::COMMAND_START => {
                format!("\n{}", self.line(0, Paint::Bold, &format!("> /{} {}", text("command"), text("args"))))
            }
            kind::COMMAND_RUN => {
                let said = row.text_at("text").or_else(|| row.text_at("error")).unwrap_or_default();
                self.block(2, "", Paint::Plain, said)
            }
            kind::MOD_REPORT => self.report(row),
            kind::MOD_RECEIPT => self.receipt(row),
            kind::TURN_END => {
                let mut shown: String = list("closing")
                    .iter()
                    .map(|line| self.block(2, "— ", Paint::Name, line.as_str().unwrap_or_default()))
                    .collect();
                if !matches!(text("reason"), "answer" | "") {
                    shown += &self.line(2, Paint::Warn, &format!("the turn ended: {}", text("reason")));
                }
                shown
            }
            kind::UI_ASK => self.asked(row),
            other => match other.strip_prefix("ui/") {
                Some(what) => self.shown(what, row),
                None => String::new(),
            },
        }
    }

    fn call(&self, row: &Row) -> String {
        let tool = row.text_at("tool").unwrap_or_default();
        let by = match (&row.by, row.text_at("caller")) {
            (_, Some(caller)) => format!(" by {caller}"),
            (By::Mod(name), None) => format!(" changed by {name}"),
            _ => String::new(),
        };
        let input = row.data.get("input").unwrap_or(&Value::Null);
        let main =
            ["command", "file_path", "pattern"].iter().find_map(|field| input.get(field).and_then(Value::as_str));
        let shown = main.map_or_else(|| short(input), cut);
        self.line(2, Paint::Name, &format!("▸ {tool} {shown}{by}"))
    }

    fn decision(&self, row: &Row) -> String {
        let text = |field: &str| row.text_at(field).unwrap_or_default();
        let is_plain = text("decision") == "allow" && text("source") != "person" && !text("source").starts_with("mod:");
        if is_plain {
            return String::new();
        }
        let paint = if text("decision") == "deny" { Paint::Warn } else { Paint::Dim };
        self.line(4, paint, &format!("{}: {} ({})", text("source"), text("decision"), text("reason")))
    }

    fn result(&self, row: &Row) -> String {
        let is_error = row.data.get("isError").and_then(Value::as_bool).unwrap_or(false);
        let paint = if is_error { Paint::Bad } else { Paint::Plain };
        let said = row.text_at("denied").or_else(|| row.text_at("text")).unwrap_or_default();
        let lines: Vec<&str> = said.lines().collect();
        let mut shown = self.block(4, "", paint, &lines[..lines.len().min(RESULT_LINES)].join("\n"));
        if lines.len() > RESULT_LINES {
            shown += &self.line(4, Paint::Dim, &format!("… {} more lines", lines.len() - RESULT_LINES));
        }
        if row.data.get("replaced").and_then(Value::as_bool).unwrap_or(false) {
            shown += &self.line(4, Paint::Dim, "(changed by a mod)");
        }
        for context in row.data.get("context").and_then(Value::as_array).into_iter().flatten() {
            shown += &self.block(4, "+ ", Paint::Dim, context.as_str().unwrap_or_default());
        }
        shown
    }

    fn report(&self, row: &Row) -> String {
        let text = |field: &str| row.text_at(field).unwrap_or_default();
        let place = row.text_at("position").map(|place| format!(" at {place}")).unwrap_or_default();
        let mut shown =
            self.line(4, Paint::Warn, &format!("! {} {}{place}: {}", text("code"), name(&row.by), text("message")));
        for change in row.data.get("changes").and_then(Value::as_array).into_iter().flatten() {
            let path = change.get("path").and_then(Value::as_str).unwrap_or_default();
            let of = |side: &str| short(change.get(side).unwrap_or(&Value::Null));
            shown += &self.line(6, Paint::Dim, &format!("{path}: {} → {}", of("old"), of("new")));
        }
        shown
    }

    /// Only what did not work is worth a line.
    fn receipt(&self, row: &Row) -> String {
        let text = |field: &str| row.text_at(field).unwrap_or_default();
        if matches!(text("outcome"), "answered" | "aborted") {
            return String::new();
        }
        let line = format!("{} $.{} {}: {}", name(&row.by), text("call"), text("outcome"), text("message"));
        self.line(4, Paint::Dim, &line)
    }

    fn asked(&self, row: &Row) -> String {
        let question = row.data.get("question").and_then(|question| question.get("question")).and_then(Value::as_str);
        let answer = row.text_at("answer").unwrap_or("(no answer)");
        self.line(4, Paint::Name, &format!("? {}: {} → {answer}", name(&row.by), question.unwrap_or_default()))
    }

    fn shown(&self, what: &str, row: &Row) -> String {
        let text = row.text_at("text").unwrap_or_default();
        match what {
            "status" if text.is_empty() => String::new(),
            "log" if row.text_at("to") == Some("debug") => String::new(),
            "render" => {
                let tree = row.data.get("tree").unwrap_or(&Value::Null);
                self.line(2, Paint::Dim, &format!("[{}] {}", name(&row.by), short(tree)))
            }
            "pane" => {
                self.line(2, Paint::Dim, &format!("[{}] pane {}", name(&row.by), row.text_at("id").unwrap_or_default()))
            }
            _ => self.block(2, &format!("[{}] {what}: ", name(&row.by)), Paint::Name, text),
        }
    }

    fn line(&self, indent: usize, paint: Paint, text: &str) -> String {
        format!("{:indent$}{}\n", "", self.style.paint(paint, &visible(text)))
    }

    /// Text of several lines, the first one marked.
    fn block(&self, indent: usize, mark: &str, paint: Paint, text: &str) -> String {
        let hang = mark.chars().count();
        let marked = text.lines().enumerate().map(|(index, line)| {
            let mark = if index == 0 { mark.to_string() } else { " ".repeat(hang) };
            self.line(indent, paint, &format!("{mark}{line}"))
        });
        marked.collect()
    }
}

fn name(by: &By) -> String {
    match by {
        By::Mod(name) => name.clone(),
        other => other.to_string(),
    }
}

fn short(value: &Value) -> String {
    match value {
        Value::String(text) => cut(text),
        other => cut(&other.to_string()),
    }
}

fn cut(text: &str) -> String {
    let line: String = text.chars().take(VALUE_CHARS).collect();
    if line.len() == text.len() { line } else { format!("{line}…") }
}
