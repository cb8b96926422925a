//! What was typed and what became of it.

use serde_json::Value;

use crate::server::script::Lane;

use super::super::text::split_reminders;
use super::super::{PromptSeen, Reading};
use super::{ClaudeTraces, blocks};

pub(super) fn prompts(traces: &ClaudeTraces) -> Vec<PromptSeen> {
    let mut prompts: Vec<PromptSeen> = traces
        .typed
        .iter()
        .map(|(text, command)| PromptSeen { typed: text.clone(), command: *command, ..PromptSeen::default() })
        .collect();
    for (item, prompt) in prompts.iter_mut().enumerate() {
        history(traces, item, prompt);
        prompt.dropped = !prompt.command && prompt.history.is_none();
    }
    transcript(traces, &mut prompts);
    shown(traces, &mut prompts);
    prompts
}

/// The last message of the person in the first request that answers the prompt: its last text without reminders.
fn history(traces: &ClaudeTraces, item: usize, prompt: &mut PromptSeen) {
    let first = traces.histories().find(|(kept, _)| kept.lane == Some(Lane::Prompt(item)));
    let Some((_, messages)) = first else { return };
    let Some(place) = messages.iter().rposition(|message| message["role"] == "user") else { return };
    for message in &messages[place..] {
        let system = message["role"] == "system";
        for block in blocks(message).iter().filter(|block| block["type"] == "text") {
            let text = block["text"].as_str().unwrap_or_default();
            let split = split_reminders(text);
            prompt.context.extend(split.reminders.into_iter().map(|text| Reading::new(text, false)));
            if system {
                prompt.context.push(Reading::new(text, false));
            } else if !split.text.is_empty() {
                prompt.history = Some(split.text);
            }
        }
    }
}

/// The row that has the id of what was typed, and the answers up to the next one.
fn transcript(traces: &ClaudeTraces, prompts: &mut [PromptSeen]) {
    let mut current = None;
    for row in traces.transcript {
        let typed = row["uuid"].as_str().and_then(|uuid| traces.ids.iter().position(|id| id == uuid));
        current = typed.or(current);
        let Some(prompt) = current.and_then(|at| prompts.get_mut(at)) else { continue };
        let texts = blocks(&row["message"]).into_iter().filter(|block| block["type"] == "text");
        let texts = texts.filter_map(|block| block["text"].as_str().map(str::to_owned));
        match row["type"].as_str() {
            Some("user") if typed.is_some() => prompt.transcript = Some(texts.collect::<Vec<_>>().join("\n")),
            Some("assistant") => prompt.answers.extend(texts),
            _ => {}
        }
    }
}

/// What a person is shown beside calls and answers: notices, outputs of commands, results of turns without a model.
fn shown(traces: &ClaudeTraces, prompts: &mut [PromptSeen]) {
    let mut current = None;
    for event in traces.events {
        let text = match event["type"].as_str() {
            Some("typed") => {
                current = event["item"].as_u64().map(|item| item as usize);
                continue;
            }
            Some("system") => event["content"].as_str(),
            Some("result") => event["result"].as_str(),
            Some("user") => event["message"]["content"].as_str().filter(|text| text.starts_with('<')),
            _ => None,
        };
        let prompt = current.and_then(|at: usize| prompts.get_mut(at));
        if let (Some(prompt), Some(text)) = (prompt, text.filter(|text| !text.is_empty())) {
            // A turn's result repeats the answer.
            if !prompt.answers.iter().any(|answer| answer == text) {
                prompt.shown.push(Reading::new(text, event["is_error"] == Value::Bool(true)));
            }
        }
    }
}
