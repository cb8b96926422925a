//! The same from a record of the native harness: a fold of its rows and of nothing else.

mod reports;

use std::path::Path;

use serde_json::Value;

use modgate_harness::fold::{Block, Item, Message, Role, audit, history, presentation};
use modgate_harness::record::{
    AssistantMessage, By, CommandRun, PermissionRow, Row, ToolCallRow, ToolResultRow, TurnEndRow, UserDropped,
    UserMessage, kind,
};

use super::text::split_reminders;
use super::{Action, CallSeen, Observation, Origin, PermissionSeen, PromptSeen, Reading, Skip, files};
use crate::MeasureError;
use reports::Sorted;

impl Observation {
    /// What a record says happened. Files are not part of it; see [`Observation::with_files`].
    pub fn from_record(host: &str, rows: &[Row]) -> Observation {
        let Sorted { skipped, gaps, others } = reports::sorted(rows);
        Observation {
            host: host.to_owned(),
            origin: Origin::Run,
            prompts: prompts(rows),
            calls: calls(rows, &others, &skipped),
            offered: offered(rows),
            skipped,
            gaps,
            ..Observation::default()
        }
    }

    /// With the files of a working directory at the end.
    pub fn with_files(mut self, folder: &Path) -> Result<Observation, MeasureError> {
        self.files = files::files_at_the_end(folder)?;
        Ok(self)
    }
}

fn action(value: &Value) -> Option<Action> {
    Some(Action::new(value.get("tool")?.as_str()?, value.get("input")?.clone()))
}

fn calls(rows: &[Row], others: &[Skip], skipped: &[Skip]) -> Vec<CallSeen> {
    let mut seen = Vec::new();
    let items = presentation(rows);
    let audited = audit(rows).calls;
    // Calls that were dropped before they were committed stand in no other row than the model's answer.
    let committed = |id: &str| audited.iter().any(|call| call.call_id == id);
    let mut prompt = None;
    let mut count = 0;
    for row in rows {
        if matches!(row.kind.as_str(), kind::USER_MESSAGE | kind::USER_DROPPED | kind::COMMAND_RUN) && typed(row) {
            prompt = Some(count);
            count += 1;
        }
        match row.kind.as_str() {
            kind::TOOL_CALL => {
                let Some(call) = row.parse::<ToolCallRow>() else { continue };
                let Some(audited) = audited.iter().find(|one| one.call_id == call.call_id) else { continue };
                let at_commit = call.asked.is_some().then(|| Action::new(&call.tool, call.input.clone()));
                let asked = audited.asked.as_ref().and_then(action).filter(|_| call.caller.is_none());
                let mut one = CallSeen {
                    id: call.call_id.clone(),
                    prompt,
                    asked,
                    caller: call.caller.clone(),
                    executed: audited.executed.as_ref().map(|ran| ran.iter().filter_map(action).collect()),
                    transcript: Some(Action::new(&call.tool, call.input.clone())),
                    attempts: audited.attempts.iter().filter_map(|attempt| action(&attempt.call)).collect(),
                    correction: audited.amendments.last().and_then(|amend| action(&amend.call)).or(at_commit),
                    ..CallSeen::default()
                };
                let about = |one: &&Skip| one.call_id.as_ref() == Some(&call.call_id);
                one.mods = skipped.iter().chain(others).filter(about).cloned().collect();
                results(rows, &items, &mut one);
                seen.push(one);
            }
            kind::ASSISTANT_MESSAGE => {
                let answer = row.parse::<AssistantMessage>();
                for call in answer.into_iter().flat_map(|answer| answer.calls).filter(|call| !committed(&call.id)) {
                    let asked = Some(Action::new(call.name, call.input));
                    let executed = Some(Vec::new());
                    seen.push(CallSeen { id: call.id, prompt, asked, executed, ..CallSeen::default() });
                }
            }
            _ => {}
        }
    }
    in_history(rows, &mut seen);
    seen
}

fn results(rows: &[Row], items: &[Item], call: &mut CallSeen) {
    for row in rows.iter().filter(|row| row.text_at("callId") == Some(call.id.as_str())) {
        match row.kind.as_str() {
            kind::PERMISSION_DECISION => {
                let Some(decided) = row.parse::<PermissionRow>() else { continue };
                call.permissions.push(PermissionSeen {
                    allowed: decided.decision == modgate_harness::permission::Decision::Allow,
                    about: Some(Action::new(decided.tool, decided.input)),
                    asked: row.by == By::Person,
                    by: decided.rule.unwrap_or(decided.source),
                });
            }
            kind::TOOL_RESULT => {
                let Some(result) = row.parse::<ToolResultRow>() else { continue };
                call.stored = Some(Reading::new(result.text, result.is_error));
                call.context = result.context.into_iter().map(|text| Reading::new(text, false)).collect();
            }
            _ => {}
        }
    }
    let shown = items.iter().find_map(|item| match item {
        Item::Call { call_id, tool, input, .. } if *call_id == call.id => Some(Action::new(tool, input.clone())),
        _ => None,
    });
    call.screen = shown;
}

/// Every loop's history, main one first.
fn histories(rows: &[Row]) -> Vec<Message> {
    let mut loops: Vec<Option<&str>> = vec![None];
    for agent in rows.iter().filter(|row| row.kind == kind::SUBAGENT_START).filter_map(|row| row.text_at("agentId")) {
        loops.push(Some(agent));
    }
    loops.into_iter().flat_map(|agent| history(rows, agent)).collect()
}

fn in_history(rows: &[Row], calls: &mut [CallSeen]) {
    for block in histories(rows).into_iter().flat_map(|message| message.content) {
        match block {
            Block::ToolUse { id, name, input } => {
                if let Some(call) = calls.iter_mut().find(|call| call.id == id) {
                    call.history = Some(Action::new(name, input));
                }
            }
            Block::ToolResult { tool_use_id, content, is_error } => {
                if let Some(call) = calls.iter_mut().find(|call| call.id == tool_use_id) {
                    call.reading = Some(Reading::new(split_reminders(&content).text, is_error));
                }
            }
            Block::Text { .. } => {}
        }
    }
}

/// Whether the script typed it: prompts of mods are no items of the script.
fn typed(row: &Row) -> bool {
    row.data.pointer("/origin/index").is_some_and(|index| !index.is_null())
}

fn prompts(rows: &[Row]) -> Vec<PromptSeen> {
    let mut prompts: Vec<PromptSeen> = Vec::new();
    let said: Vec<String> = histories(rows).into_iter().filter(|one| one.role == Role::User).flat_map(texts).collect();
    // Rows that mods put in while a command runs; its own row comes after them.
    let (mut is_running, mut put) = (false, Vec::new());
    for row in rows {
        if let Some(mut prompt) = typed(row).then(|| new_prompt(row, &said)).flatten() {
            if std::mem::take(&mut is_running) {
                prompt.context.splice(0..0, std::mem::take(&mut put));
            }
            prompts.push(prompt);
            continue;
        }
        is_running |= row.kind == kind::COMMAND_START;
        if row.kind == kind::SESSION_APPEND && row.text_at("role") == Some("user") && row.text_at("agentId").is_none() {
            let reading = Reading::new(row.text_at("text").unwrap_or_default(), false);
            match prompts.last_mut().filter(|_| !is_running) {
                Some(prompt) => prompt.context.push(reading),
                None => put.push(reading),
            }
            continue;
        }
        let Some(prompt) = prompts.last_mut() else { continue };
        match row.kind.as_str() {
            kind::ASSISTANT_MESSAGE if row.text_at("agentId").is_none() => {
                prompt.answers.extend(row.text_at("text").filter(|text| !text.is_empty()).map(str::to_owned));
            }
            kind::TURN_END => {
                let closing = row.parse::<TurnEndRow>().map(|end| end.closing).unwrap_or_default();
                prompt.shown.extend(closing.into_iter().map(|text| Reading::new(text, false)));
            }
            _ => {}
        }
    }
    prompts
}

fn texts(message: Message) -> Vec<String> {
    let texts = message.content.into_iter().filter_map(|block| match block {
        Block::Text { text } => Some(text),
        _ => None,
    });
    texts.collect()
}

fn new_prompt(row: &Row, said: &[String]) -> Option<PromptSeen> {
    let readings = |texts: Vec<String>| texts.into_iter().map(|text| Reading::new(text, false)).collect();
    match row.kind.as_str() {
        kind::USER_MESSAGE => {
            let message: UserMessage = row.parse()?;
            let history = said.iter().find(|text| **text == message.text).cloned();
            Some(PromptSeen {
                typed: message.typed.unwrap_or_else(|| message.text.clone()),
                history,
                transcript: Some(message.text),
                context: readings(message.context),
                ..PromptSeen::default()
            })
        }
        kind::USER_DROPPED => {
            let dropped: UserDropped = row.parse()?;
            let shown = readings(vec![dropped.reason]);
            Some(PromptSeen { typed: dropped.text, dropped: true, shown, ..PromptSeen::default() })
        }
        kind::COMMAND_RUN => {
            let run: CommandRun = row.parse()?;
            let typed = format!("/{} {}", run.command, run.args).trim_end().to_owned();
            // What a command prints is told to the model as well.
            let told = run.text.clone().into_iter().chain(run.context).collect();
            let shown = run.text.into_iter().map(|text| Reading::new(text, false));
            let shown = shown.chain(run.error.into_iter().map(|text| Reading::new(text, true))).collect();
            Some(PromptSeen { typed, command: true, shown, context: readings(told), ..PromptSeen::default() })
        }
        _ => None,
    }
}

fn offered(rows: &[Row]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for row in rows.iter().filter(|row| row.kind == kind::REQUEST_HEADER && row.text_at("agentId").is_none()) {
        for name in row.data["tools"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if name.starts_with("mcp__") && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}
