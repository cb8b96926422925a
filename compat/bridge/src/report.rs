//! Structured lines that say what was refused, skipped or limited, and why.

use std::sync::Arc;

use modgate_engine::{Position, Thrown};
use modgate_value::Value;
use parking_lot::Mutex;

/// Stable codes. Each has its place in `docs/report-codes.md`.
pub mod codes {
    macro_rules! codes {
        ($($(#[$doc:meta])* $name:ident = $code:literal;)*) => {
            $($(#[$doc])* pub const $name: &str = $code;)*
            /// Every code of this crate.
            pub const ALL: &[&str] = &[$($code),*];
        };
    }
    codes! {
        /// A hook threw; its mod was skipped on that dispatch.
        THREW = "hook-threw";
        /// A hook used up its own time; its mod was skipped on that dispatch.
        TIMEOUT = "hook-timeout";
        /// A hook answered what the event does not take; its mod was skipped on that dispatch.
        ANSWER = "hook-answer";
        /// A `.catch` handler was asked in a hook's place.
        CAUGHT = "hook-caught";
        /// A logged call was to run with other arguments.
        REWRITTEN = "call-rewritten";
        /// A logged call was to go to another tool.
        REROUTED = "call-rerouted";
        /// `next` was called again; it gave the first result.
        REPEATED = "next-repeated";
        /// `next` was called after its dispatch had settled.
        LATE = "next-late";
        /// A result was refused because the tool had already run.
        DENIED_LATE = "denied-late";
        /// Script that did not pause was ended.
        SPINNING = "limit-spinning";
        /// The mod's heap is full; it was unloaded.
        HEAP = "limit-heap";
        /// Array buffers would take more than they may.
        BUFFERS = "limit-buffers";
        /// The mod was unloaded because of its limits.
        UNLOADED = "mod-unloaded";
        /// A call on `$` failed and nobody waits for it.
        CALL_FAILED = "call-failed";
        /// The mod was not loaded.
        NOT_LOADED = "mod-not-loaded";
        /// A hook stands on an event that this host never raises.
        NEVER_RAISED = "event-never-raised";
        /// The host that is played raises the event; this harness does not.
        NOT_PLAYED = "event-not-played";
        /// A surface module failed; its instance has ended.
        CLIENT = "client-failed";
        /// A function given to a timer, to `$.clock` or to an element threw.
        CALLBACK = "callback-threw";
        /// The callback of an element used up its own time.
        CALLBACK_TIMEOUT = "callback-timeout";
        /// A promise was rejected and nobody handled it.
        UNHANDLED = "rejection-unhandled";
    }
}

/// One refused change.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Where, as `command` or `edits[0].new_string`.
    pub path: String,
    /// The value there.
    pub old: Value,
    /// The value that was refused.
    pub new: Value,
}

/// What was refused, skipped or limited.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// A code of [`codes`].
    pub code: &'static str,
    /// For people: what happened, and what was done instead.
    pub message: String,
    /// The mod.
    pub plugin: String,
    /// The event that was being dispatched.
    pub event: Option<String>,
    /// Where in the mod's source.
    pub position: Option<Position>,
    /// The tool call it is about.
    pub call_id: Option<String>,
    /// What was to be changed.
    pub changes: Vec<Change>,
}

impl Report {
    /// A report about a mod.
    pub fn new(code: &'static str, plugin: impl Into<String>, message: impl Into<String>) -> Report {
        Report {
            code,
            message: message.into(),
            plugin: plugin.into(),
            event: None,
            position: None,
            call_id: None,
            changes: Vec::new(),
        }
    }

    /// The same, at that place in the mod's source.
    #[must_use]
    pub fn at(mut self, position: Option<Position>) -> Report {
        self.position = position;
        self
    }

    /// The same, about a dispatch of that event with that input.
    #[must_use]
    pub fn on(mut self, event: &str, input: &Value) -> Report {
        self.event = Some(event.to_string());
        self.call_id = input.str_at("tool_use_id").map(str::to_string);
        self
    }
}

/// A promise of a mod that was rejected while nobody handles it.
#[derive(Debug, Clone)]
pub struct Rejection {
    /// The isolate, and its number there.
    pub key: (u64, u32),
    /// The mod.
    pub plugin: String,
    /// What it was rejected with.
    pub thrown: Thrown,
}

/// Where reports go.
pub trait ReportSink: Send + Sync + 'static {
    /// Takes one report.
    fn report(&self, report: Report);

    /// Takes a rejection. Who does not wait for somebody to handle it reports it at once.
    fn rejected(&self, rejection: Rejection) {
        let Rejection { plugin, thrown, .. } = rejection;
        let what = if thrown.name.is_empty() { thrown.message } else { format!("{}: {}", thrown.name, thrown.message) };
        let message = format!("{plugin}: nobody handled a rejection: {what}");
        self.report(Report::new(codes::UNHANDLED, plugin, message).at(thrown.position));
    }

    /// Somebody handles that rejection now.
    fn handled(&self, _key: (u64, u32)) {}
}

/// Keeps reports in memory.
#[derive(Default)]
pub struct Collected(Mutex<Vec<Report>>);

impl Collected {
    /// Takes what has come in.
    pub fn take(&self) -> Vec<Report> {
        std::mem::take(&mut self.0.lock())
    }
}

impl ReportSink for Collected {
    fn report(&self, report: Report) {
        self.0.lock().push(report);
    }
}

impl<S: ReportSink + ?Sized> ReportSink for Arc<S> {
    fn report(&self, report: Report) {
        (**self).report(report);
    }

    fn rejected(&self, rejection: Rejection) {
        (**self).rejected(rejection);
    }

    fn handled(&self, key: (u64, u32)) {
        (**self).handled(key);
    }
}

/// Every path at which two values differ, deepest first where both are containers of one kind.
pub(crate) fn changes(old: &Value, new: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    differ("", Some(old), Some(new), &mut found);
    found
}

fn differ(path: &str, old: Option<&Value>, new: Option<&Value>, found: &mut Vec<Change>) {
    let undefined = Value::Undefined;
    let (before, after) = (old.unwrap_or(&undefined), new.unwrap_or(&undefined));
    if before == after {
        return;
    }
    match (before, after) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            for key in keys {
                let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
                differ(&path, a.get(key), b.get(key), found);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            for index in 0..a.len().max(b.len()) {
                differ(&format!("{path}[{index}]"), a.get(index), b.get(index), found);
            }
        }
        _ => found.push(Change { path: path.to_string(), old: before.clone(), new: after.clone() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_path_is_named() {
        let json = |text: &str| Value::from(serde_json::from_str::<serde_json::Value>(text).unwrap());
        let old = json(r#"{"a":1,"list":[{"x":1},2],"gone":true}"#);
        let new = json(r#"{"a":1,"list":[{"x":2},2,3],"new":null}"#);
        let found: Vec<_> = changes(&old, &new).into_iter().map(|change| change.path).collect();
        assert_eq!(found, ["list[0].x", "list[2]", "gone", "new"]);
        assert!(changes(&old, &old).is_empty());
    }
}
