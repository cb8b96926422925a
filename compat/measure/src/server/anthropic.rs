//! Anthropic Messages: `POST /v1/messages` (streaming or not) and `POST /v1/messages/count_tokens`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use modgate_harness::script::Step;

use crate::observe::split_reminders;

use super::script::{Asked, Scripted, call_id, pieces, stop_reason};
use super::{Shared, bad_request, sse};

const PATH: &str = "/v1/messages";

/// Answers a request of the Messages API.
pub(super) async fn messages(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let Ok(body) = serde_json::from_slice::<Value>(&body) else { return bad_request("the body is no JSON") };
    let Some(asked) = read(&body) else { return bad_request("messages: a list of messages is required") };
    let scripted = shared.script.answer(&asked);
    shared.keep(PATH, Some(&scripted), &body);
    sse::delay(scripted.step.delay_ms).await;
    let model = body.get("model").and_then(Value::as_str).unwrap_or(shared.script.model());
    let streams = body.get("stream") == Some(&Value::Bool(true));
    match (&scripted.step.error, streams) {
        (Some(failure), false) => sse::failure(sse::status(&failure.code), &error(&failure.code, &failure.message)),
        // What text there is comes first; only a stream can have some before it breaks.
        (Some(failure), true) if scripted.step.text.is_empty() => {
            sse::failure(sse::status(&failure.code), &error(&failure.code, &failure.message))
        }
        (_, true) => sse::response(events(&scripted, model)),
        (None, false) => axum::Json(message(&scripted, model)).into_response(),
    }
}

/// Answers how many tokens a request has: a quarter of its letters, as good a guess as any.
pub(super) async fn count_tokens(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let Ok(parsed) = serde_json::from_slice::<Value>(&body) else { return bad_request("the body is no JSON") };
    shared.keep("/v1/messages/count_tokens", None, &parsed);
    axum::Json(json!({ "input_tokens": body.len().div_ceil(4) })).into_response()
}

fn error(code: &str, message: &str) -> Value {
    json!({ "type": "error", "error": { "type": code, "message": message } })
}

fn read(body: &Value) -> Option<Asked> {
    let messages = body.get("messages")?.as_array()?;
    let mut said = Vec::new();
    for (place, message) in messages.iter().enumerate().filter(|(_, one)| one["role"] == "user") {
        let text = split_reminders(&texts(&message["content"]).join("\n")).text;
        if !text.is_empty() {
            said.push((place, text));
        }
    }
    let tools = body.get("tools").and_then(Value::as_array).into_iter().flatten();
    let tools = tools.filter_map(|tool| tool.get("name")?.as_str().map(str::to_owned)).collect();
    Some(Asked { said, tools, history: history(messages) })
}

/// The history without marks that move from request to request.
fn history(messages: &[Value]) -> Value {
    let mut messages = messages.to_vec();
    for block in messages.iter_mut().filter_map(|message| message["content"].as_array_mut()).flatten() {
        if let Some(block) = block.as_object_mut() {
            block.shift_remove("cache_control");
        }
    }
    Value::Array(messages)
}

/// The texts of a message's content; those inside of results are not said by anybody.
fn texts(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        Value::Array(blocks) => {
            let texts = blocks.iter().filter(|block| block["type"] == "text");
            texts.filter_map(|block| block.get("text")?.as_str()).collect()
        }
        _ => Vec::new(),
    }
}

fn usage(step: &Step) -> Value {
    let usage = step.usage;
    json!({
        "input_tokens": usage.input_tokens.max(1),
        "output_tokens": usage.output_tokens.max(1),
        "cache_read_input_tokens": usage.cache_read_input_tokens,
        "cache_creation_input_tokens": usage.cache_creation_input_tokens,
    })
}

fn content(step: &Step) -> Vec<Value> {
    let mut blocks = Vec::new();
    if !step.thinking.is_empty() {
        blocks.push(json!({ "type": "thinking", "thinking": step.thinking, "signature": "scripted" }));
    }
    if !step.text.is_empty() {
        blocks.push(json!({ "type": "text", "text": step.text }));
    }
    let calls = step.calls.iter();
    blocks.extend(
        calls.map(|call| json!({ "type": "tool_use", "id": call_id(call), "name": call.tool, "input": call.input })),
    );
    blocks
}

fn message(scripted: &Scripted, model: &str) -> Value {
    let step = &scripted.step;
    json!({
        "id": message_id(), "type": "message", "role": "assistant", "model": model, "content": content(step),
        "stop_reason": stop_reason(step), "stop_sequence": null, "usage": usage(step),
    })
}

fn message_id() -> String {
    format!("msg_{}", uuid::Uuid::new_v4().simple())
}

fn events(scripted: &Scripted, model: &str) -> Vec<Value> {
    let step = &scripted.step;
    let mut opened = message(scripted, model);
    opened["content"] = json!([]);
    opened["stop_reason"] = Value::Null;
    let mut events = vec![json!({ "type": "message_start", "message": opened })];
    for (index, block) in content(step).into_iter().enumerate() {
        // A stream that breaks has no calls.
        if step.error.is_some() && block["type"] == "tool_use" {
            break;
        }
        block_events(&mut events, index, &block, step.chunk_chars);
    }
    if let Some(failure) = &step.error {
        events.push(error(&failure.code, &failure.message));
        return events;
    }
    let delta = json!({ "stop_reason": stop_reason(step), "stop_sequence": null });
    let tokens = json!({ "output_tokens": step.usage.output_tokens.max(1) });
    events.push(json!({ "type": "message_delta", "delta": delta, "usage": tokens }));
    events.push(json!({ "type": "message_stop" }));
    events
}

fn block_events(events: &mut Vec<Value>, index: usize, block: &Value, size: Option<usize>) {
    let text = |field: &str| block[field].as_str().unwrap_or_default().to_owned();
    let (start, deltas): (Value, Vec<Value>) = match block["type"].as_str() {
        Some("thinking") => {
            let thinking = pieces(&text("thinking"), size);
            let mut deltas: Vec<Value> =
                thinking.iter().map(|piece| json!({ "type": "thinking_delta", "thinking": piece })).collect();
            deltas.push(json!({ "type": "signature_delta", "signature": text("signature") }));
            (json!({ "type": "thinking", "thinking": "", "signature": "" }), deltas)
        }
        Some("text") => {
            let pieces = pieces(&text("text"), size);
            let deltas = pieces.iter().map(|piece| json!({ "type": "text_delta", "text": piece })).collect();
            (json!({ "type": "text", "text": "" }), deltas)
        }
        _ => {
            let pieces = pieces(&block["input"].to_string(), size);
            let deltas = pieces.iter().map(|piece| json!({ "type": "input_json_delta", "partial_json": piece }));
            let start = json!({ "type": "tool_use", "id": block["id"], "name": block["name"], "input": {} });
            (start, deltas.collect())
        }
    };
    events.push(json!({ "type": "content_block_start", "index": index, "content_block": start }));
    let deltas = deltas.into_iter();
    events.extend(deltas.map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta })));
    events.push(json!({ "type": "content_block_stop", "index": index }));
}
