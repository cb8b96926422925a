//! What was typed and what became of it.

use crate::server::script::Lane;

use super::super::text::split_reminders;
use super::super::{PromptSeen, Reading};
use super::{ClaudeTraces, blocks};

pub(super) fn prompts(traces: &ClaudeTraces) -> Vec<PromptSeen> {
    let new = |(text, command): &(String, bool)| PromptSeen {
        typed: text.clone(),
        command: *command,
        ..PromptSeen::default()
    };
    let mut prompts: Vec<PromptSeen> = traces.typed.iter().map(new).collect();
    for item in 0..prompts.len() {
        let (own, context) = history(traces, item);
        prompts[item].history = own.filter(|_| !prompts[item].command);
        prompts[item].dropped = !prompts[item].command && prompts[item].history.is_none();
        // What a command left for the model comes with the prompt after it.
        let of = if item > 0 && prompts[item - 1].command { item - 1 } else { item };
        prompts[of].context.extend(context);
    }
    transcript(traces, &mut prompts);
    shown(traces, &mut prompts);
    prompts
}

/// The last message of the person in the first request that answers the prompt: its last text without reminders, and
/// everything else that stands there.
fn history(traces: &ClaudeTraces, item: usize) -> (Option<String>, Vec<Reading>) {
    let first = traces.histories().find(|(kept, _)| kept.lane == Some(Lane::Prompt(item)));
    let messages = first.map_or(&[][..], |(_, messages)| messages);
    let place = messages.iter().rposition(|message| message["role"] == "user").unwrap_or_default();
    let (mut own, mut context) = (None, Vec::new());
    for message in messages.iter().skip(place) {
        for block in blocks(message).iter().filter(|block| block["type"] == "text") {
            let text = block["text"].as_str().unwrap_or_default();
            let split = split_reminders(text);
            context.extend(split.reminders);
            if message["role"] == "system" {
                context.push(text.to_owned());
            } else if !split.text.is_empty() {
                context.extend(own.replace(split.text));
            }
        }
    }
    (own, context.into_iter().map(|text| Reading::new(text, false)).collect())
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
            Some("user") if typed.is_some() && !prompt.command => {
                prompt.transcript = Some(texts.collect::<Vec<_>>().join("\n"))
            }
            Some("assistant") => prompt.answers.extend(texts),
            _ => {}
        }
    }
}

/// What a person is shown beside calls and answers: notices, outputs of commands, results of turns without a model.
fn shown(traces: &ClaudeTraces, prompts: &mut [PromptSeen]) {
    let (mut typed, mut current) = (None, None);
    for event in traces.events {
        let text = match event["type"].as_str() {
            Some("typed") => {
                typed = event["item"].as_u64().map(|item| item as usize);
                continue;
            }
            // What belongs to a turn may be printed after its result, when the next prompt is typed already.
            Some("system") if event["subtype"] == "init" => {
                current = typed;
                continue;
            }
            Some("system") => event["content"].as_str(),
            Some("result") => {
                current = typed;
                event["result"].as_str()
            }
            Some("user") => event["message"]["content"].as_str().filter(|text| text.starts_with('<')),
            _ => None,
        };
        let prompt = current.and_then(|at: usize| prompts.get_mut(at));
        if let (Some(prompt), Some(text)) = (prompt, text.filter(|text| !text.is_empty())) {
            // A turn's result repeats what was shown.
            let known = prompt.answers.iter().any(|answer| answer == text)
                || prompt.shown.iter().any(|shown| shown.text.as_deref() == Some(text));
            if !known {
                prompt.shown.push(Reading::new(text, false));
            }
        }
    }
}
