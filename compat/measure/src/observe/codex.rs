//! Reading what Codex left: requests, its session file, printed events. Its non-interactive mode asks
//! nobody about a call, so that no decision is seen.

use indexmap::IndexMap;
use serde_json::Value;

use crate::server::Kept;
use crate::server::script::Lane;

use super::{Action, CallSeen, Observation, Origin, PromptSeen, Reading};

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
    for kept in traces.requests {
        context(kept.body["input"].as_array().map_or(&[][..], Vec::as_slice), &mut calls);
    }
    for row in traces.transcript {
        session_row(&row["payload"], &mut calls);
    }
    for event in traces.events.iter().filter(|event| event["type"] == "item.completed") {
        screen(&event["item"], &mut calls);
    }
    calls.into_values().collect()
}

/// Messages between a call and its output belong to the call.
fn context(items: &[Value], calls: &mut IndexMap<String, CallSeen>) {
    for (place, item) in items.iter().enumerate().filter(|(_, item)| item["type"] == "function_call_output") {
        let Some(call) = item["call_id"].as_str().and_then(|id| calls.get_mut(id)) else { continue };
        let before = items[..place].iter().rev().take_while(|item| item["type"] == "message");
        let mut said: Vec<Reading> = before
            .filter(|item| item["role"] != "assistant")
            .map(|item| Reading::new(message_text(item), false))
            .collect();
        said.reverse();
        call.context = said;
    }
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

fn prompts(traces: &CodexTraces) -> Vec<PromptSeen> {
    let mut prompts: Vec<PromptSeen> = Vec::new();
    for (item, typed) in traces.typed.iter().enumerate() {
        let mut prompt = PromptSeen { typed: typed.clone(), ..PromptSeen::default() };
        let mine = traces.requests.iter().filter(|kept| kept.lane == Some(Lane::Prompt(item)));
        let items = |kept: &'_ Kept| kept.body["input"].as_array().cloned().unwrap_or_default();
        let first = mine.clone().next().map(items);
        let whole = mine.clone().next_back().map(items).unwrap_or_default();
        let place = whole.iter().rposition(|item| item["role"] == "user" && message_text(item) == *typed);
        prompt.history = place.map(|_| typed.clone());
        // What hooks add stands beside the prompt, or after an answer that was not the last word.
        let earlier = first.as_deref().unwrap_or_default();
        let since = earlier.iter().rposition(|item| item["role"] == "assistant").map_or(0, |at| at + 1);
        let beside = |item: &&Value| item["type"] == "message" && item["role"] != "assistant";
        let mut said: Vec<String> = earlier.iter().skip(since).filter(beside).map(message_text).collect();
        let pairs = whole.windows(2).skip(earlier.len().saturating_sub(1));
        let after = pairs.filter(|pair| pair[0]["role"] == "assistant" && beside(&&pair[1]));
        said.extend(after.map(|pair| message_text(&pair[1])));
        said.retain(|text| text != typed);
        prompt.context = said.into_iter().map(|text| Reading::new(text, false)).collect();
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
                let found = prompts.iter().skip(next).position(|prompt| prompt.typed == text);
                if let Some(at) = found.map(|at| at + next) {
                    prompts[at].transcript = Some(text);
                    current = Some(at);
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
