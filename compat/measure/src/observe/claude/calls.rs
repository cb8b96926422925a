//! The calls: every version of each.

use indexmap::IndexMap;
use serde_json::Value;

use crate::driver::trace::Noted;
use crate::server::script::Lane;

use super::super::text::split_reminders;
use super::super::{Action, CallSeen, PermissionSeen, Reading};
use super::{ClaudeTraces, blocks, result_text};

type Calls = IndexMap<String, CallSeen>;

pub(super) fn calls(traces: &ClaudeTraces) -> Vec<CallSeen> {
    let mut calls = asked(traces);
    histories(traces, &mut calls);
    stored(traces, &mut calls);
    screen(traces, &mut calls);
    let checks = if traces.observed { executions(traces.noted, &mut calls) } else { unobserved(traces, &mut calls) };
    permissions(traces, &checks, &mut calls);
    calls.into_values().collect()
}

/// What the model asked for, as the server sent it.
fn asked(traces: &ClaudeTraces) -> Calls {
    let mut calls = Calls::new();
    for kept in traces.requests {
        let prompt = match kept.lane {
            Some(Lane::Prompt(item)) => Some(item),
            _ => None,
        };
        for call in &kept.asked {
            let id = call.id.clone().unwrap_or_default();
            let asked = Some(Action::new(&call.tool, call.input.clone()));
            calls.entry(id.clone()).or_insert(CallSeen { id, prompt, asked, ..CallSeen::default() });
        }
    }
    calls
}

/// What the model reads. Later requests repeat earlier messages; the last word counts.
fn histories(traces: &ClaudeTraces, calls: &mut Calls) {
    for (_, messages) in traces.histories() {
        for (place, message) in messages.iter().enumerate() {
            for block in blocks(message) {
                let Some(call) = call_of(&block, calls) else { continue };
                if block["type"] == "tool_use" {
                    call.history = action(&block);
                    continue;
                }
                let split = split_reminders(&result_text(&block));
                let mut context = split.reminders;
                context.extend(later_reminders(messages, place));
                call.reading = Some(Reading::new(split.text, block["is_error"] == Value::Bool(true)));
                call.context = context.into_iter().map(|text| Reading::new(text, false)).collect();
            }
        }
    }
}

/// Reminders that come with a result: in its message, and in messages of the system right after it.
fn later_reminders(messages: &[Value], place: usize) -> Vec<String> {
    let with = messages.get(place).into_iter();
    let after = messages.iter().skip(place + 1).take_while(|message| message["role"] == "system");
    let texts = with.chain(after).flat_map(|message| {
        let system = message["role"] == "system";
        let texts = blocks(message).into_iter().filter(|block| block["type"] == "text");
        texts.map(move |block| (system, block["text"].as_str().unwrap_or_default().to_owned())).collect::<Vec<_>>()
    });
    let reminders = texts.flat_map(|(system, text)| {
        let split = split_reminders(&text);
        if system { vec![text] } else { split.reminders }
    });
    reminders.collect()
}

fn stored(traces: &ClaudeTraces, calls: &mut Calls) {
    for row in traces.transcript.iter().filter(|row| row["type"] == "assistant" || row["type"] == "user") {
        for block in blocks(&row["message"]) {
            let Some(call) = call_of(&block, calls) else { continue };
            if block["type"] == "tool_use" {
                call.transcript = action(&block);
            } else {
                let text = split_reminders(&result_text(&block)).text;
                call.stored = Some(Reading::new(text, block["is_error"] == Value::Bool(true)));
            }
        }
    }
}

fn screen(traces: &ClaudeTraces, calls: &mut Calls) {
    for event in traces.events.iter().filter(|event| event["type"] == "assistant") {
        for block in blocks(&event["message"]).iter().filter(|block| block["type"] == "tool_use") {
            if let Some(call) = call_of(block, calls) {
                call.screen = action(block);
            }
        }
    }
}

/// The call a block is about.
fn call_of<'a>(block: &Value, calls: &'a mut Calls) -> Option<&'a mut CallSeen> {
    let field = match block["type"].as_str()? {
        "tool_use" => "id",
        "tool_result" => "tool_use_id",
        _ => return None,
    };
    calls.get_mut(block[field].as_str()?)
}

fn action(block: &Value) -> Option<Action> {
    Some(Action::new(block["name"].as_str()?, block["input"].clone()))
}

/// A call that is about to be decided and run, as a hook noted it.
#[derive(Debug)]
pub(super) struct Check {
    id: String,
    about: Action,
    /// Whether anything ran under it.
    ran: bool,
    closed: bool,
}

/// Fills in what ran. Command lines of the shell count as they were handed to it; other tools count as the hook after
/// them says.
pub(super) fn executions(noted: &[Noted], calls: &mut Calls) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    calls.values_mut().for_each(|call| call.executed = Some(Vec::new()));
    let run = |calls: &mut Calls, id: &str, action: Action| {
        if let Some(executed) = calls.get_mut(id).and_then(|call| call.executed.as_mut()) {
            executed.push(action);
        }
    };
    for one in noted {
        match one {
            Noted::Shell(line) => {
                let open = |same: bool| {
                    let line = Action::bash(line);
                    checks.iter().rposition(|check| !check.closed && (!same || check.about.same(&line)))
                };
                if let Some(at) = open(true).or_else(|| open(false)) {
                    checks[at].ran = true;
                    run(calls, &checks[at].id, Action::bash(line));
                }
            }
            Noted::Hook(input) => {
                let Some((event, id, action)) = hook(input) else { continue };
                if event == "PreToolUse" {
                    checks.push(Check { id, about: action, ran: false, closed: false });
                } else if let Some(check) = checks.iter_mut().rev().find(|check| check.id == id && !check.closed) {
                    check.closed = true;
                    if !check.ran {
                        check.ran = true;
                        run(calls, &id, action);
                    }
                }
            }
        }
    }
    checks
}

/// Without hooks: what the shell noted belongs to the only call there is; with more of them nobody knows.
fn unobserved(traces: &ClaudeTraces, calls: &mut Calls) -> Vec<Check> {
    if let (1, Some(call)) = (calls.len(), calls.values_mut().next()) {
        let lines = traces.noted.iter().filter_map(|one| match one {
            Noted::Shell(line) => Some(Action::bash(line)),
            Noted::Hook(_) => None,
        });
        let shell = call.asked.as_ref().is_some_and(|asked| asked.tool == "Bash");
        call.executed = shell.then(|| lines.collect());
    }
    Vec::new()
}

fn hook(input: &Value) -> Option<(&str, String, Action)> {
    let text = |field: &str| input[field].as_str();
    let action = Action::new(text("tool_name")?, input["tool_input"].clone());
    Some((text("hook_event_name")?, text("tool_use_id")?.to_owned(), action))
}

/// One decision for each time a call came to be decided. The hook before it shows on which arguments; who was asked,
/// and what the transcript says about it, show how it went.
fn permissions(traces: &ClaudeTraces, checks: &[Check], calls: &mut Calls) {
    let mut answers: Vec<&Value> = traces.events.iter().filter(|event| event["type"] == "answer").collect();
    for check in checks {
        let asked = answers.iter().position(|answer| answer["callId"] == check.id.as_str());
        let asked = asked.map(|at| answers.remove(at));
        let Some(call) = calls.get_mut(&check.id) else { continue };
        let decided = match asked {
            Some(answer) => PermissionSeen {
                allowed: answer["allowed"] == Value::Bool(true),
                about: Some(Action::new(answer["tool"].as_str().unwrap_or_default(), answer["input"].clone())),
                asked: true,
                by: "person".into(),
            },
            None => {
                PermissionSeen { allowed: check.ran, about: Some(check.about.clone()), asked: false, by: String::new() }
            }
        };
        call.permissions.push(decided);
    }
    for answer in answers {
        let Some(call) = answer["callId"].as_str().and_then(|id| calls.get_mut(id)) else { continue };
        call.permissions.push(PermissionSeen {
            allowed: answer["allowed"] == Value::Bool(true),
            about: Some(Action::new(answer["tool"].as_str().unwrap_or_default(), answer["input"].clone())),
            asked: true,
            by: "person".into(),
        });
    }
}
