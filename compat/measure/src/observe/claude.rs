//! Reading what Claude Code left: requests, transcript, printed events, notes of its shell and hooks, its log.

mod calls;
mod prompts;

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::driver::trace::Noted;
use crate::server::Kept;
use crate::server::script::Lane;

use super::{Gap, GapKind, Observation, Origin, Skip};

/// Everything one run left.
#[derive(Debug)]
pub struct ClaudeTraces<'a> {
    /// What was typed, and whether it was a command.
    pub typed: Vec<(String, bool)>,
    /// The ids that were given to it.
    pub ids: Vec<String>,
    /// The requests.
    pub requests: &'a [Kept],
    /// The rows of the transcript.
    pub transcript: &'a [Value],
    /// What was printed, with answers between it.
    pub events: &'a [Value],
    /// What shell and hooks noted.
    pub noted: &'a [Noted],
    /// The program's log.
    pub log: &'a str,
    /// Whether hooks noted calls. Without them only a single call of the shell can be told from what the shell noted.
    pub observed: bool,
}

impl ClaudeTraces<'_> {
    /// Requests of the main loop and of nested ones, with their messages.
    fn histories(&self) -> impl DoubleEndedIterator<Item = (&Kept, &[Value])> {
        self.requests.iter().filter(|kept| kept.lane.is_some()).map(|kept| {
            let messages = kept.body["messages"].as_array().map_or(&[][..], Vec::as_slice);
            (kept, messages)
        })
    }
}

/// What was seen. Files are not part of the traces; the caller adds them.
pub fn from_claude_code(host: &str, traces: &ClaudeTraces) -> Observation {
    let (skipped, gaps) = log(traces.log);
    Observation {
        host: host.to_owned(),
        origin: Origin::Measured,
        prompts: prompts::prompts(traces),
        calls: calls::calls(traces),
        offered: offered(traces),
        skipped,
        gaps,
        ..Observation::default()
    }
}

static FOREIGN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\bmcp__[A-Za-z0-9_-]+").ok());

/// Tools the model was told about that come from mods or servers; their names have a prefix. Some stand in a message
/// only, to be looked up when they are needed.
fn offered(traces: &ClaudeTraces) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let main = traces.histories().filter(|(kept, _)| matches!(kept.lane, Some(Lane::Prompt(_))));
    for (kept, messages) in main {
        let tools = kept.body["tools"].as_array().into_iter().flatten();
        let mut texts: Vec<String> = tools.filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect();
        let said = messages.iter().filter(|message| message["role"] != "assistant").flat_map(blocks);
        texts.extend(said.filter_map(|block| block["text"].as_str().map(str::to_owned)));
        for name in texts.iter().flat_map(|text| FOREIGN.as_ref().into_iter().flat_map(|one| one.find_iter(text))) {
            if !names.iter().any(|known| known == name.as_str()) {
                names.push(name.as_str().to_owned());
            }
        }
    }
    names
}

// The log is the only place that says so; the patterns are as short as they can be.
static FAILED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"hook failed: ([^:\s]+): .*\(([a-z]+\.[A-Za-z.]+); (skipped|kept)").ok());
static REASON: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\] ([^:\s]+): ([a-z]+\.[A-Za-z.]+) hook skipped: (.*)$").ok());
static UNLOADED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\] ([^:\s]+): hooks module did not load").ok());

fn log(text: &str) -> (Vec<Skip>, Vec<Gap>) {
    let (mut skipped, mut gaps) = (Vec::<Skip>::new(), Vec::new());
    for line in text.lines() {
        let found = |pattern: &'static LazyLock<Option<Regex>>| pattern.as_ref().and_then(|one| one.captures(line));
        if let Some(found) = found(&FAILED) {
            skipped.push(Skip { name: found[1].into(), event: found[2].into(), ..Skip::default() });
        } else if let Some(found) = found(&REASON) {
            let of = skipped.iter_mut().rev().find(|skip| skip.name == found[1] && skip.event == found[2]);
            if let Some(skip) = of {
                skip.reason = Some(found[3].to_owned());
            }
        } else if let Some(found) = found(&UNLOADED) {
            gaps.push(Gap { kind: GapKind::Load, name: found[1].into(), of: String::new(), position: None });
        }
    }
    (skipped, gaps)
}

/// The blocks of a message, whether it is one text or a list.
fn blocks(message: &Value) -> Vec<Value> {
    match &message["content"] {
        Value::String(text) => vec![serde_json::json!({ "type": "text", "text": text })],
        Value::Array(blocks) => blocks.clone(),
        _ => Vec::new(),
    }
}

/// The text of a result block.
fn result_text(block: &Value) -> String {
    match &block["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text")?.as_str()).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_says_which_hooks_were_passed_over() {
        let text = "\
2026-01-01T00:00:00.000Z [ERROR] hook failed: probe: errorKind=Error errorChars=7 (tool.call; skipped; x)
2026-01-01T00:00:00.000Z [ERROR] probe: tool.call hook skipped: threw Error: planned
2026-01-01T00:00:00.000Z [ERROR] hook failed: probe: errorKind=Error errorChars=7 (tool.call; skipped; x)
2026-01-01T00:00:00.000Z [ERROR] other: hooks module did not load: y";
        let (skipped, gaps) = log(text);
        let seen: Vec<_> = skipped.iter().map(|one| (one.name.as_str(), one.event.as_str())).collect();
        assert_eq!(seen, [("probe", "tool.call"), ("probe", "tool.call")]);
        assert_eq!(skipped[0].reason.as_deref(), Some("threw Error: planned"));
        assert_eq!((gaps.len(), gaps[0].name.as_str()), (1, "other"));
    }
}
