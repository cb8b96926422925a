//! Rules that only one event has.

use modgate_value::Value;

use super::next::{LEAD, pinned, wrong};
use super::{Code, Refusal, context, defined, tip, vcs};
use crate::elements;
use crate::shape::check_field;

/// What the shape of an input cannot say. `input` is what was passed, with what is put back.
pub(super) fn input(event: &str, original: &Value, passed: &Value, input: Value) -> Result<Value, Refusal> {
    match event {
        "agent.spawn" => absolute_cwd(input),
        "prompt.context" => unique(&input, "blocks", "name")
            .map(|()| context::passed(original, &input))
            .map_err(|name| wrong("blocks", &format!("two blocks named {name} (the context is kept by name)"), None)),
        "prompt.edit" => within_text(input),
        "prompt.fill" if passed.get("mode").is_some_and(Value::is_undefined) || defined(&input, "mode").is_none() => {
            Err(wrong("mode", "a mode that is none of replace, append, insert", passed.get("mode")))
        }
        "prompt.mention" => absolute_path(original, input),
        "session.append" => same_message(original, input),
        "ui.render" => component_props(original, input),
        "ui.tip" => tip::candidates(original, &input),
        "ui.focus" if defined(original, "element").is_some() && defined(&input, "element").is_none() => {
            Err(wrong("element", "no { element } (text that is not empty)", None))
        }
        // What is attached is the engine's: beneath, it is as it was.
        "prompt.submit" => Ok(match original.get("attachments") {
            Some(attachments) => input.without("attachments").with("attachments", attachments.clone()),
            None => input.without("attachments"),
        }),
        _ => Ok(input),
    }
}

/// Another file than the one that was mentioned.
fn absolute_path(original: &Value, input: Value) -> Result<Value, Refusal> {
    let (before, now) = (defined(original, "path"), defined(&input, "path"));
    if before != now && !now.and_then(Value::as_str).is_some_and(is_absolute) {
        return Err(wrong("path", "a path that is not an absolute one", now));
    }
    Ok(input)
}

fn absolute_cwd(input: Value) -> Result<Value, Refusal> {
    match defined(&input, "cwd") {
        Some(cwd) if !cwd.as_str().is_some_and(is_absolute) => {
            Err(wrong("cwd", "a cwd that is not an absolute path", Some(cwd)))
        }
        _ => Ok(input),
    }
}

/// A path from the root, of any system: `/x`, `C:\x`, `\\server`.
pub(super) fn is_absolute(path: &str) -> bool {
    let bytes = path.as_bytes();
    matches!(bytes, [b'/' | b'\\', ..])
        || matches!(bytes, [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic())
}

/// Offsets count UTF-16 units, as JavaScript does.
fn within_text(input: Value) -> Result<Value, Refusal> {
    let length = input.str_at("text").map_or(0, |text| text.encode_utf16().count());
    let at = |field| input.get(field).and_then(Value::as_f64).unwrap_or(-1.0);
    #[expect(clippy::cast_precision_loss, reason = "a text has far fewer than 2^53 units")]
    let length = length as f64;
    let ordered = at("start") <= at("end");
    let inside = [at("cursor"), at("start"), at("end")].iter().all(|at| *at <= length);
    if ordered && inside {
        Ok(input)
    } else {
        Err(wrong("cursor", "a { cursor, start, end } outside the text (whole offsets, in order)", None))
    }
}

/// The content may change; what kind of row it is may not. Nothing else is part of a row's message.
fn same_message(original: &Value, input: Value) -> Result<Value, Refusal> {
    let Some(before) = original.get("message") else { return Ok(input) };
    let Some(mut message) = input.get("message").cloned() else { return Ok(input) };
    for field in ["type", "role", "isMeta"] {
        match (defined(before, field), defined(&message, field)) {
            (Some(old), None) => message = message.with(field, old.clone()),
            (old, new) => pinned(&format!("message.{field}"), old, new)?,
        }
    }
    let added: Vec<_> =
        message.as_object().into_iter().flat_map(|fields| fields.iter()).map(|(name, _)| name.clone()).collect();
    let is_own = |name: &str| ["type", "role", "isMeta", "content"].contains(&name) || before.get(name).is_some();
    let message = added.iter().filter(|name| !is_own(name)).fold(message, |message, name| message.without(name));
    Ok(input.with("message", message))
}

/// Props of a component keep their kind, and some their value. What was not there is not asked for.
fn component_props(original: &Value, input: Value) -> Result<Value, Refusal> {
    let component = original.str_at("component").and_then(elements::component);
    let (Some(before), Some(now)) = (original.get("props"), input.get("props")) else { return Ok(input) };
    for field in component.into_iter().flat_map(elements::Component::props) {
        let Some(old) = defined(before, field.name) else { continue };
        if field.pinned {
            pinned(&format!("props.{}", field.name), Some(old), defined(now, field.name))?;
        } else {
            check_field(field, now.get(field.name), &mut "props".to_owned())
                .map_err(|fault| Refusal::fault(Code::Input, LEAD, fault))?;
        }
    }
    // What stands above the prompt is the engine's to measure: beneath, its props are as they were.
    let is_kept = original.str_at("component") == Some("AbovePrompt");
    Ok(if is_kept { input.with("props", before.clone()) } else { input })
}

/// Changes an answer before its shape is checked.
pub(super) fn before(event: &str, input: &Value, beneath: Option<&Value>, answer: &Value) -> Result<Value, Refusal> {
    match event {
        "command.run" => rebuilt_command(beneath, answer),
        "session.append" => kept_row(input, beneath, answer),
        "prompt.submit" => kept_origin(input, answer),
        "turn.step" => same_step(input, answer),
        "prompt.context" => Ok(context::whole(input, beneath, answer)),
        "tool.describe" if defined(input, "isDeferred").is_some() => Ok(completed(input, answer, &["isDeferred"])),
        _ => Ok(answer.clone()),
    }
}

/// Everything but nothing counts; only the known fields stay.
fn rebuilt_command(beneath: Option<&Value>, answer: &Value) -> Result<Value, Refusal> {
    if answer.is_nullish() {
        return Err(Refusal::new(Code::NoAnswer, "returned nothing: a command.run hook answers { text?, context? }"));
    }
    let text = answer.get("text").cloned().unwrap_or_default();
    let below = beneath.and_then(|beneath| defined(beneath, "context"));
    let context = defined(answer, "context").or(below).cloned();
    let reference = answer.get("ref").cloned().unwrap_or_default();
    let mut fields = vec![("text", text)];
    fields.extend(context.map(|context| ("context", context)));
    fields.push(("ref", reference));
    Ok(Value::object(fields))
}

/// Only what `next` gave may be answered: it alone stores a row. What a mod notes down may also be denied.
fn kept_row(input: &Value, beneath: Option<&Value>, answer: &Value) -> Result<Value, Refusal> {
    let Some(beneath) = beneath else {
        let is_note = input.str_at("door") == Some("note")
            && input.get("origin").and_then(|origin| origin.str_at("kind")) == Some("plugin");
        if is_note && answer.str_at("deny").is_some_and(|reason| !reason.is_empty()) {
            return Ok(answer.clone());
        }
        let message = "returned an answer without next(): only next(e) stores the row";
        return Err(Refusal::new(Code::Answer, message));
    };
    for field in ["message", "uuid"] {
        if answer.get(field) != beneath.get(field) {
            let mut refusal =
                Refusal::new(Code::TooLate, format!("returned a changed {field}: the row is stored")).at(field);
            refusal.old = beneath.get(field).cloned();
            refusal.new = answer.get(field).cloned();
            return Err(refusal);
        }
    }
    Ok(answer.clone())
}

fn kept_origin(input: &Value, answer: &Value) -> Result<Value, Refusal> {
    let (before, now) = (defined(input, "origin"), defined(answer, "origin"));
    if now.is_some() && now != before && defined(answer, "drop").is_none() {
        let mut refusal = Refusal::new(Code::Answer, "returned another origin than the prompt came with").at("origin");
        refusal.old = before.cloned();
        refusal.new = now.cloned();
        return Err(refusal);
    }
    Ok(answer.clone())
}

/// A result says which step it is of.
fn same_step(input: &Value, answer: &Value) -> Result<Value, Refusal> {
    for field in ["turnId", "index"] {
        if let Some(before) = defined(input, field)
            && answer.get(field) != Some(before)
        {
            let mut refusal =
                Refusal::new(Code::Answer, format!("returned the result of another step: {field}")).at(field);
            refusal.old = Some(before.clone());
            refusal.new = answer.get(field).cloned();
            return Err(refusal);
        }
    }
    Ok(answer.clone())
}

/// What an answer leaves out stays as the event came with it.
pub(super) fn completed(input: &Value, answer: &Value, fields: &[&str]) -> Value {
    if answer.as_object().is_none() {
        return answer.clone();
    }
    fields.iter().fold(answer.clone(), |answer, field| match defined(&answer, field) {
        Some(_) => answer,
        None => answer.with(field, input.get(field).cloned().unwrap_or_default()),
    })
}

/// Checks and changes an answer whose shape is right.
pub(super) fn after(event: &str, input: &Value, beneath: Option<&Value>, answer: Value) -> Result<Value, Refusal> {
    match event {
        "tool.call" | "tool.run" if defined(&answer, "deny").is_some() => Ok(answer),
        "tool.call" | "tool.run" | "command.run" => kept_context(beneath, answer),
        "tool.check" => Ok(only(&answer, &["decision", "reason", "rule", "hook"])),
        "tool.judge" => Ok(only(&answer, &["decision", "reason"])),
        "agent.report" if answer.str_at("consumed").is_some() => Ok(only(&answer, &["consumed"])),
        "agent.report" => Ok(only(&answer, &["text"])),
        "vcs.diff" => Ok(only(&answer, &["base", "files"])),
        "ui.tip" => tip::chosen(input, &answer),
        "vcs.detect" => vcs::repository(input, &answer),
        "vcs.isolate" => vcs::tree(&answer).map(|()| answer),
        "vcs.list" => answer.as_array().into_iter().flatten().try_for_each(vcs::tree).map(|()| answer),
        "prompt.submit" if defined(&answer, "drop").is_some() => Ok(only(&answer, &["drop"])),
        "config.set" if defined(&answer, "deny").is_some() => Ok(only(&answer, &["deny"])),
        "config.set" => Ok(only(&answer, &["value"])),
        "prompt.context" => unique(&answer, "blocks", "name")
            .map(|()| context::together(beneath.unwrap_or(input), answer))
            .map_err(|name| Refusal::new(Code::Answer, format!("returned two blocks named {name}")).at("blocks")),
        "prompt.compose" => ordered_sections(answer),
        "classic.PreToolUse" => Ok(pre_tool_use(answer)),
        _ => Ok(answer),
    }
}

pub(super) fn only(answer: &Value, fields: &[&'static str]) -> Value {
    Value::object(fields.iter().filter_map(|field| Some((*field, defined(answer, field)?.clone()))))
}

/// Context that hooks beneath added has to stay; its order is free.
fn kept_context(beneath: Option<&Value>, answer: Value) -> Result<Value, Refusal> {
    let list = |value: &Value| defined(value, "context").and_then(Value::as_array).map(<[Value]>::to_vec);
    let mut given = list(&answer).unwrap_or_default();
    for entry in beneath.and_then(list).unwrap_or_default() {
        let Some(at) = given.iter().position(|held| *held == entry) else {
            let mut refusal =
                Refusal::new(Code::Answer, "dropped a context entry that came from beneath next()").at("context");
            refusal.old = Some(entry);
            return Err(refusal);
        };
        given.swap_remove(at);
    }
    Ok(answer)
}

/// The name that two entries of a list share.
fn unique(value: &Value, list: &str, key: &str) -> Result<(), String> {
    let mut seen = std::collections::HashSet::new();
    for entry in value.get(list).and_then(Value::as_array).unwrap_or_default() {
        if let Some(name) = entry.str_at(key)
            && !seen.insert(name)
        {
            return Err(name.to_owned());
        }
    }
    Ok(())
}

/// What all sessions share comes first: it is what a prompt cache can hold.
fn ordered_sections(answer: Value) -> Result<Value, Refusal> {
    unique(&answer, "sections", "id")
        .map_err(|id| Refusal::new(Code::Answer, format!("returned two sections with the id {id}")).at("sections"))?;
    let sections = answer.get("sections").and_then(Value::as_array).unwrap_or_default();
    let scopes: Vec<_> = sections.iter().map(|section| section.str_at("scope")).collect();
    let first_own = scopes.iter().position(|scope| *scope == Some("session")).unwrap_or(scopes.len());
    if scopes[first_own..].contains(&Some("shared")) {
        let message = "returned a shared section after a session one: shared sections come first";
        return Err(Refusal::new(Code::Answer, message).at("sections"));
    }
    Ok(answer)
}

/// `allow: false` says nothing.
fn pre_tool_use(answer: Value) -> Value {
    if answer.get("allow") == Some(&Value::from(false)) { answer.without("allow") } else { answer }
}
