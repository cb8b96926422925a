//! OpenAI Responses: `POST /v1/responses`, streaming or not, with function calls.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use modgate_harness::script::{ScriptedCall, Step};

use super::script::{Asked, Scripted, call_id, pieces};
use super::{Shared, bad_request, sse};

/// Answers a request of the Responses API.
pub(super) async fn responses(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let Ok(body) = serde_json::from_slice::<Value>(&body) else { return bad_request("the body is no JSON") };
    let Some(asked) = read(&body) else { return bad_request("input: a text or a list of items is required") };
    let scripted = shared.script.answer(&asked);
    shared.keep("/v1/responses", Some(&scripted), &body);
    sse::delay(scripted.step.delay_ms).await;
    if let Some(failure) = &scripted.step.error {
        let error = json!({ "error": { "type": failure.code, "code": failure.code, "message": failure.message } });
        return sse::failure(sse::status(&failure.code), &error);
    }
    let model = body.get("model").and_then(Value::as_str).unwrap_or(shared.script.model());
    let shell = asked.tools.iter().any(|name| name == "exec_command");
    let whole = whole(&scripted, model, shell);
    if body.get("stream") == Some(&Value::Bool(true)) {
        return sse::response(events(&whole, scripted.step.chunk_chars));
    }
    axum::Json(whole).into_response()
}

fn read(body: &Value) -> Option<Asked> {
    let input = body.get("input")?;
    let mut said = Vec::new();
    match input {
        Value::String(text) => said.push((0, text.clone())),
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate().filter(|(_, item)| item["role"] == "user") {
                said.push((place, texts(&item["content"]).join("\n")));
            }
        }
        _ => return None,
    }
    let tools = body.get("tools").and_then(Value::as_array).into_iter().flatten();
    let tools = tools.filter_map(|tool| tool.get("name")?.as_str().map(str::to_owned)).collect();
    Some(Asked { said, tools, history: input.clone() })
}

pub(crate) fn texts(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        Value::Array(parts) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// A call of the script under the name and arguments this program's tools have.
fn function_call(call: &ScriptedCall, shell: bool) -> Value {
    let (name, arguments) = match call.input.get("command") {
        Some(command) if shell && call.tool == "Bash" => ("exec_command", json!({ "cmd": command })),
        _ => (call.tool.as_str(), call.input.clone()),
    };
    let id = call_id(call);
    json!({
        "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
        "arguments": arguments.to_string(), "status": "completed",
    })
}

fn items(step: &Step, shell: bool) -> Vec<Value> {
    let mut items = Vec::new();
    if !step.text.is_empty() {
        let content = json!([{ "type": "output_text", "text": step.text, "annotations": [] }]);
        let id = format!("msg_{}", uuid::Uuid::new_v4().simple());
        items.push(json!({
            "type": "message", "id": id, "role": "assistant", "status": "completed", "content": content,
        }));
    }
    items.extend(step.calls.iter().map(|call| function_call(call, shell)));
    items
}

fn whole(scripted: &Scripted, model: &str, shell: bool) -> Value {
    let usage = scripted.step.usage;
    let (input, output) = (usage.input_tokens.max(1), usage.output_tokens.max(1));
    json!({
        "id": format!("resp_{}", uuid::Uuid::new_v4().simple()), "object": "response", "status": "completed",
        "model": model, "output": items(&scripted.step, shell),
        "usage": {
            "input_tokens": input, "input_tokens_details": { "cached_tokens": usage.cache_read_input_tokens },
            "output_tokens": output, "output_tokens_details": { "reasoning_tokens": 0 },
            "total_tokens": input + output,
        },
    })
}

fn events(whole: &Value, size: Option<usize>) -> Vec<Value> {
    let mut begun = whole.clone();
    begun["status"] = "in_progress".into();
    begun["output"] = json!([]);
    begun["usage"] = Value::Null;
    let mut events = vec![json!({ "type": "response.created", "response": begun })];
    for (index, item) in whole["output"].as_array().into_iter().flatten().enumerate() {
        let mut opened = item.clone();
        let id = &item["id"];
        if item["type"] == "message" {
            opened["content"] = json!([]);
            events.push(json!({ "type": "response.output_item.added", "output_index": index, "item": opened }));
            for piece in pieces(&texts(&item["content"]).concat(), size) {
                events.push(json!({
                    "type": "response.output_text.delta", "output_index": index, "content_index": 0, "item_id": id,
                    "delta": piece,
                }));
            }
        } else {
            opened["arguments"] = "".into();
            events.push(json!({ "type": "response.output_item.added", "output_index": index, "item": opened }));
            let arguments = item["arguments"].as_str().unwrap_or_default();
            for piece in pieces(arguments, size) {
                events.push(json!({
                    "type": "response.function_call_arguments.delta", "output_index": index, "item_id": id,
                    "delta": piece,
                }));
            }
        }
        events.push(json!({ "type": "response.output_item.done", "output_index": index, "item": item }));
    }
    events.push(json!({ "type": "response.completed", "response": whole }));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = number.into();
    }
    events
}
