//! Reading what Codex left: requests, its session file, printed events, notes of hooks.

use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::driver::trace::Noted;
use crate::server::Kept;
use crate::server::script::Lane;

use super::{Action, CallSeen, Observation, Origin, PermissionSeen, PromptSeen, Reading};

/// Everything one run left.
#[derive(Debug)]
pub struct CodexTraces<'a> {
    /// What was typed.
    pub typed: Vec<String>,
    /// The requests.
    pub requests: &'a [Kept],
    /// The rows of the session file.
    pub transcript: &'a [Value],
    /// What was printed.
    pub events: &'a [Value],
    /// What hooks noted.
    pub noted: &'a [Noted],
}

/// What was seen. Files are not part of the traces; the caller adds them.
pub fn from_codex(host: &str, traces: &CodexTraces) -> Observation {
    Observation {
        host: host.to_owned(),
        origin: Origin::Measured,
        prompts: prompts(traces),
        calls: calls(traces),
        ..Observation::default()
    }
}

/// Its shell under the name the script has for it.
fn action(item: &Value) -> Option<Action> {
    let name = item["name"].as_str()?;
    let arguments = item["arguments"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let arguments = arguments.unwrap_or_default();
    Some(match arguments["cmd"].as_str() {
        Some(command) if name == "exec_command" => Action::bash(command),
        _ => Action::new(name, arguments),
    })
}

/// What the tool gave, without the lines its shell puts before it.
fn reading(item: &Value) -> Reading {
    let text = match &item["output"] {
        Value::String(text) => text.clone(),
        other => other["content"].as_str().map_or_else(|| other.to_string(), str::to_owned),
    };
    let given = text.split_once("\nOutput:\n").map_or(text.as_str(), |(_, output)| output);
    Reading::new(given.trim_end(), false)
}

fn calls(traces: &CodexTraces) -> Vec<CallSeen> {
    let mut calls: IndexMap<String, CallSeen> = IndexMap::new();
    for kept in traces.requests {
        let prompt = match kept.lane {
            Some(Lane::Prompt(item)) => Some(item),
            _ => None,
        };
        for call in &kept.asked {
            let id = call.id.clone().unwrap_or_default();
            let asked = Some(Action::new(&call.tool, call.input.clone()));
            let executed = Some(Vec::new());
            calls.entry(id.clone()).or_insert(CallSeen { id, prompt, asked, executed, ..CallSeen::default() });
        }
    }
    for item in traces.requests.iter().flat_map(|kept| kept.body["input"].as_array().into_iter().flatten()) {
        let Some(call) = item["call_id"].as_str().and_then(|id| calls.get_mut(id)) else { continue };
        match item["type"].as_str() {
            Some("function_call") => call.history = action(item),
            Some("function_call_output") => call.reading = Some(reading(item)),
            _ => {}
        }
    }
    for row in traces.transcript {
        session_row(&row["payload"], &mut calls);
    }
    for event in traces.events.iter().filter(|event| event["type"] == "item.completed") {
        screen(&event["item"], &mut calls);
    }
    permissions(traces.noted, &mut calls);
    calls.into_values().collect()
}

fn session_row(payload: &Value, calls: &mut IndexMap<String, CallSeen>) {
    let item = &payload["item"];
    if let Some(call) = payload["call_id"].as_str().and_then(|id| calls.get_mut(id)) {
        match payload["type"].as_str() {
            Some("function_call") => call.transcript = action(payload),
            Some("function_call_output") => call.stored = Some(reading(payload)),
            _ => {}
        }
    }
    if payload["type"] == "item_completed" && item["type"] == "CommandExecution" {
        let ran = item["command"].as_array().and_then(|words| words.last()?.as_str()).map(Action::bash);
        let call = item["id"].as_str().and_then(|id| calls.get_mut(id));
        if let (Some(executed), Some(ran)) = (call.and_then(|call| call.executed.as_mut()), ran) {
            executed.push(ran);
        }
    }
}

/// The printed item has no id of the call; it is the first one that ran this and is not shown yet.
fn screen(item: &Value, calls: &mut IndexMap<String, CallSeen>) {
    let Some(line) = item["command"].as_str().filter(|_| item["type"] == "command_execution") else { return };
    let shown = |call: &&mut CallSeen| {
        let ran = call.executed.iter().flatten().next_back().and_then(|action| action.input["command"].as_str());
        call.screen.is_none() && ran.is_some_and(|command| line.contains(command))
    };
    if let Some(call) = calls.values_mut().find(shown) {
        call.screen = call.executed.iter().flatten().next_back().cloned();
    }
}

/// What its hook before a tool is told, and whether it ran. With `approval_policy = "never"` nothing else decides.
fn permissions(noted: &[Noted], calls: &mut IndexMap<String, CallSeen>) {
    for one in noted {
        let Noted::Hook(input) = one else { continue };
        if input["hook_event_name"] != "PreToolUse" {
            continue;
        }
        let Some(call) = input["tool_use_id"].as_str().and_then(|id| calls.get_mut(id)) else { continue };
        let allowed = call.executed.as_ref().is_some_and(|ran| !ran.is_empty());
        let tool = input["tool_name"].as_str().unwrap_or_default();
        let about = Some(Action::new(tool, json!({ "command": input["tool_input"]["command"] })));
        call.permissions.push(PermissionSeen { allowed, about, asked: false, by: String::new() });
    }
}

fn prompts(traces: &CodexTraces) -> Vec<PromptSeen> {
    let mut prompts: Vec<PromptSeen> = Vec::new();
    for (item, typed) in traces.typed.iter().enumerate() {
        let mut prompt = PromptSeen { typed: typed.clone(), ..PromptSeen::default() };
        let first = traces.requests.iter().find(|kept| kept.lane == Some(Lane::Prompt(item)));
        let items = first.and_then(|kept| kept.body["input"].as_array()).map_or(&[][..], Vec::as_slice);
        let place = items.iter().rposition(|item| item["role"] == "user" && message_text(item) == *typed);
        prompt.history = place.map(|place| message_text(&items[place]));
        // What hooks add stands around the prompt in messages of its own.
        let since =
            items.iter().rposition(|item| item["role"] == "assistant" || item["type"] == "function_call_output");
        let around = items.iter().skip(since.map_or(0, |at| at + 1)).filter(|item| item["type"] == "message");
        let around = around.map(message_text).filter(|text| text != typed);
        prompt.context = around.map(|text| Reading::new(text, false)).collect();
        prompt.dropped = first.is_none();
        prompts.push(prompt);
    }
    transcript(traces, &mut prompts);
    shown(traces, &mut prompts);
    prompts
}

fn transcript(traces: &CodexTraces, prompts: &mut [PromptSeen]) {
    let mut current = None;
    for payload in traces.transcript.iter().filter(|row| row["type"] == "response_item").map(|row| &row["payload"]) {
        let text = message_text(payload);
        match payload["role"].as_str() {
            Some("user") => {
                let next = current.map_or(0, |at: usize| at + 1);
                if prompts.get(next).is_some_and(|prompt| prompt.typed == text) {
                    prompts[next].transcript = Some(text);
                    current = Some(next);
                }
            }
            Some("assistant") => {
                if let Some(prompt) = current.and_then(|at| prompts.get_mut(at)) {
                    prompt.answers.push(text);
                }
            }
            _ => {}
        }
    }
}

fn shown(traces: &CodexTraces, prompts: &mut [PromptSeen]) {
    let mut current = None;
    for event in traces.events {
        if event["type"] == "typed" {
            current = event["item"].as_u64().map(|item| item as usize);
        }
        let text = event["item"]["message"].as_str().or(event["error"]["message"].as_str());
        if let (Some(prompt), Some(text)) = (current.and_then(|at| prompts.get_mut(at)), text) {
            prompt.shown.push(Reading::new(text, true));
        }
    }
}

fn message_text(item: &Value) -> String {
    crate::server::message_texts(&item["content"]).join("\n")
}
