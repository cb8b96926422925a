//! What of a call's arguments does not go together.

use modgate_value::{Map, Value};

use super::{Refusal, defined, refused};
use crate::member::Member;

/// Checks arguments, and the input made of them, that are each right by themselves.
pub(super) fn check(member: &Member, args: &[Value], input: &Map) -> Result<(), Refusal> {
    let has = |field: &str| input.contains_key(field);
    let why = match member.call {
        "audio.play" if input.get("shouldLoop") == Some(&Value::from(true)) && !has_signal(args) => {
            "shouldLoop needs options.signal: the clip repeats until it aborts"
        }
        "command.register" if repeats(input) => "an alias is neither the name nor another alias",
        "session.messages" if has("last") && has("after") => "takes { last } or { after }, not both",
        "session.messages" if has("after") && has("as") => "takes { after } for rows, not with { as: 'api' }",
        "settings.read" if !is_text_or_missing(args, "key") => "takes { key } as a string",
        "tool.call" => match input.get("tool").and_then(Value::as_str).and_then(instead) {
            Some(other) => other,
            None => return Ok(()),
        },
        "ui.blit" if has("cells") == has("source") => {
            "takes { requestId, key, cells } or { requestId, key, source }, one of them"
        }
        "ui.invalidate" if args.get(1).is_some_and(is_no_options) => "takes options as an object",
        "ui.notify" if args.get(1).is_some_and(|options| *options != Value::Null && is_no_options(options)) => {
            "takes options as an object"
        }
        "ui.scroll" if input.get("to").is_some_and(|to| to.as_str().is_some()) && !has("in") => {
            "takes { in } beside a place that every site has"
        }
        _ => return Ok(()),
    };
    Err(refused(member, why))
}

/// How a mod gets what it may not run as a tool.
fn instead(tool: &str) -> Option<&'static str> {
    match tool {
        "Agent" | "Task" => Some("starts no agent: $.agent.spawn does"),
        "AskUserQuestion" => Some("asks nobody: $.ui.ask does"),
        "Workflow" => Some("runs no workflow"),
        _ => None,
    }
}

fn has_signal(args: &[Value]) -> bool {
    args.get(1).and_then(|options| defined(options, "signal")).is_some()
}

fn is_no_options(options: &Value) -> bool {
    !options.is_undefined() && options.as_object().is_none()
}

fn is_text_or_missing(args: &[Value], key: &str) -> bool {
    args.first().and_then(|argument| defined(argument, key)).is_none_or(|held| held.as_str().is_some())
}

fn repeats(input: &Map) -> bool {
    let aliases = input.get("aliases").and_then(Value::as_array).unwrap_or_default();
    let name = input.get("name");
    aliases.iter().enumerate().any(|(at, alias)| Some(alias) == name || aliases[..at].contains(alias))
}
