//! The model servers, asked by a client of our own.

use serde_json::{Value, json};

use modgate_harness::script::Scenario;
use modgate_measure::server::ModelServer;
use modgate_measure::server::script::{Lane, SILENCE};

const SCRIPT: &str = r#"
    [[prompt]]
    text = "go"
    [[prompt.step]]
    text = "on it"
    thinking = "hm"
    chunk_chars = 4
    usage = { input_tokens = 7, output_tokens = 3 }
    [[prompt.step.call]]
    tool = "Bash"
    input = { command = "./note A" }
    [[prompt.step.call]]
    tool = "Read"
    id = "mine"
    input = { file_path = "a" }
    [[prompt.step]]
    text = "done"

    [[prompt]]
    text = "fail"
    [[prompt.step]]
    error = { code = "overloaded_error", message = "busy" }
    [[prompt.step]]
    text = "half"
    error = { code = "api_error", message = "broke" }
"#;

async fn server() -> ModelServer {
    ModelServer::start(&Scenario::parse(SCRIPT, "test").unwrap()).await.unwrap()
}

async fn post(server: &ModelServer, path: &str, body: Value) -> (u16, String) {
    let answer = reqwest::Client::new().post(format!("{}{path}", server.url())).json(&body).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

fn events(stream: &str) -> Vec<Value> {
    let frames = stream.split("\n\n").filter(|frame| !frame.is_empty());
    let events = frames.map(|frame| {
        let (name, data) = frame.split_once('\n').unwrap();
        let data: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(data["type"], name.strip_prefix("event: ").unwrap());
        data
    });
    events.collect()
}

fn messages(stream: bool, said: &[(&str, Value)]) -> Value {
    let messages: Vec<Value> = said.iter().map(|(role, content)| json!({ "role": role, "content": content })).collect();
    let tools = json!([{ "name": "Bash", "input_schema": { "type": "object" } }]);
    json!({ "model": "some-model", "max_tokens": 10, "stream": stream, "messages": messages, "tools": tools })
}

/// What a client of the Messages API makes of a stream.
fn assembled(events: &[Value]) -> Value {
    let mut message = events[0]["message"].clone();
    let mut json = String::new();
    for event in events {
        let at = event["index"].as_u64().unwrap_or_default() as usize;
        match event["type"].as_str().unwrap() {
            "content_block_start" => {
                json.clear();
                message["content"].as_array_mut().unwrap().push(event["content_block"].clone());
                assert_eq!(message["content"].as_array().unwrap().len(), at + 1);
            }
            "content_block_delta" => {
                let (delta, block) = (&event["delta"], &mut message["content"][at]);
                let field = match delta["type"].as_str().unwrap() {
                    "text_delta" => "text",
                    "thinking_delta" => "thinking",
                    "signature_delta" => "signature",
                    _ => {
                        json.push_str(delta["partial_json"].as_str().unwrap());
                        continue;
                    }
                };
                let text = format!("{}{}", block[field].as_str().unwrap(), delta[field].as_str().unwrap());
                block[field] = text.into();
            }
            "content_block_stop" if message["content"][at]["type"] == "tool_use" => {
                message["content"][at]["input"] = serde_json::from_str(&json).unwrap();
            }
            "message_delta" => message["stop_reason"] = event["delta"]["stop_reason"].clone(),
            _ => {}
        }
    }
    message
}

#[tokio::test]
async fn messages_stream_and_come_whole_with_the_same_content() {
    let server = server().await;
    let ask = |stream| messages(stream, &[("user", json!("go"))]);
    let (status, stream) = post(&server, "/v1/messages", ask(true)).await;
    assert_eq!(status, 200);
    let events = events(&stream);
    assert_eq!(events.first().unwrap()["type"], "message_start");
    assert_eq!(events.last().unwrap()["type"], "message_stop");
    let streamed = assembled(&events);
    // The same history is the same request: it is answered by the same step.
    let (_, whole) = post(&server, "/v1/messages?beta=true", ask(false)).await;
    let whole: Value = serde_json::from_str(&whole).unwrap();
    for field in ["content", "model", "role", "stop_reason", "usage"] {
        assert_eq!(streamed[field], whole[field], "{field}");
    }
    assert_eq!(whole["stop_reason"], "tool_use");
    assert_eq!(whole["model"], "some-model");
    assert_eq!(whole["usage"]["input_tokens"], 7);
    let content = whole["content"].as_array().unwrap();
    let kinds: Vec<&str> = content.iter().map(|block| block["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["thinking", "text", "tool_use", "tool_use"]);
    assert_eq!(
        content[2],
        json!({ "type": "tool_use", "id": "call_1_1_1", "name": "Bash", "input": { "command": "./note A" } })
    );
    assert_eq!(content[3]["id"], "mine");
}

#[tokio::test]
async fn the_next_step_answers_a_longer_history_and_requests_are_kept() {
    let server = server().await;
    post(&server, "/v1/messages", messages(false, &[("user", json!("go"))])).await;
    let result = json!([{ "type": "tool_result", "tool_use_id": "call_1_1_1", "content": "ran" }]);
    let longer = [("user", json!("go")), ("assistant", json!("on it")), ("user", result)];
    let (_, text) = post(&server, "/v1/messages", messages(false, &longer)).await;
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&answer["content"][0]["text"], &answer["stop_reason"]), (&json!("done"), &json!("end_turn")));
    let kept = server.kept();
    assert_eq!(
        kept.iter().map(|one| (one.lane.clone(), one.step)).collect::<Vec<_>>(),
        [(Some(Lane::Prompt(0)), 0), (Some(Lane::Prompt(0)), 1)]
    );
    assert_eq!(kept[0].asked.len(), 2);
    assert_eq!(kept[1].body["messages"][2]["content"][0]["content"], "ran");
}

#[tokio::test]
async fn tokens_are_counted_and_requests_aside_move_nothing() {
    let server = server().await;
    let (status, text) = post(&server, "/v1/messages/count_tokens", json!({ "messages": [] })).await;
    assert_eq!(status, 200);
    assert!(serde_json::from_str::<Value>(&text).unwrap()["input_tokens"].as_u64().unwrap() > 0);
    let title = json!({ "model": "m", "messages": [{ "role": "user", "content": "a title, please" }] });
    let (_, text) = post(&server, "/v1/messages", title).await;
    assert!(text.contains(SILENCE));
    let (_, text) = post(&server, "/v1/messages", messages(false, &[("user", json!("go"))])).await;
    assert!(text.contains("on it"));
    assert_eq!(server.kept().iter().filter(|kept| kept.lane.is_some()).count(), 1);
}

#[tokio::test]
async fn failures_have_their_status_and_a_stream_may_break_off() {
    let server = server().await;
    server.begin(1);
    let (status, text) = post(&server, "/v1/messages", messages(true, &[("user", json!("fail"))])).await;
    assert_eq!(status, 529);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["error"]["type"], "overloaded_error");
    let (status, stream) = post(&server, "/v1/messages", messages(true, &[("user", json!("fail again"))])).await;
    let events = events(&stream);
    assert_eq!(status, 200);
    assert_eq!(events.last().unwrap()["error"], json!({ "type": "api_error", "message": "broke" }));
    assert!(!events.iter().any(|event| event["type"] == "message_stop"));
}

#[tokio::test]
async fn what_is_no_request_is_refused() {
    let server = server().await;
    assert_eq!(post(&server, "/v1/messages", json!({})).await.0, 400);
    assert_eq!(post(&server, "/v1/responses", json!({})).await.0, 400);
    let raw = reqwest::Client::new().post(format!("{}/v1/messages", server.url())).body("{").send().await.unwrap();
    assert_eq!(raw.status().as_u16(), 400);
    let (status, text) = post(&server, "/v1/elsewhere", json!({ "a": 1 })).await;
    assert_eq!((status, text.contains("/v1/elsewhere")), (404, true));
    assert_eq!(server.kept().last().unwrap().body, json!({ "a": 1 }), "it is kept all the same");
}

fn responses(stream: bool, input: Value) -> Value {
    let tools = json!([{ "type": "function", "name": "exec_command" }]);
    json!({ "model": "some-model", "stream": stream, "input": input, "tools": tools })
}

#[tokio::test]
async fn responses_stream_and_come_whole_with_the_same_items() {
    let server = server().await;
    let said = json!([{ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "go" }] }]);
    let (_, stream) = post(&server, "/v1/responses", responses(true, said.clone())).await;
    let events = events(&stream);
    assert_eq!(events.first().unwrap()["type"], "response.created");
    let numbers: Vec<u64> = events.iter().map(|event| event["sequence_number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (0..events.len() as u64).collect::<Vec<_>>());
    let completed = &events.last().unwrap()["response"];
    let done: Vec<&Value> = events
        .iter()
        .filter(|event| event["type"] == "response.output_item.done")
        .map(|event| &event["item"])
        .collect();
    assert_eq!(completed["output"].as_array().unwrap().iter().collect::<Vec<_>>(), done);
    let text: String = events
        .iter()
        .filter_map(|event| {
            event["type"].as_str().filter(|kind| kind.ends_with("text.delta")).and(event["delta"].as_str())
        })
        .collect();
    assert_eq!(text, "on it");
    let (_, whole) = post(&server, "/v1/responses", responses(false, said)).await;
    let whole: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!(whole["output"][1]["name"], "exec_command", "the shell has the name this program gives it");
    assert_eq!(whole["output"][1]["arguments"], "{\"cmd\":\"./note A\"}");
    assert_eq!(whole["output"][1]["call_id"], "call_1_1_1");
    assert_eq!(whole["output"][2]["name"], "Read");
    assert_eq!(whole["usage"]["total_tokens"], 10);
}
