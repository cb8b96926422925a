//! Server-sent events, one frame each.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::stream;
use serde_json::Value;

/// A response that streams these events; the name of each is the `type` of its data.
pub(super) fn response(events: Vec<Value>) -> Response {
    let frames = events.into_iter().map(|data| {
        let name = data.get("type").and_then(Value::as_str).unwrap_or("message");
        Ok::<_, Infallible>(format!("event: {name}\ndata: {data}\n\n"))
    });
    let mut response = Response::new(Body::from_stream(stream::iter(frames)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    response
}

/// A failing response that a client does not try again.
pub(super) fn failure(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert("x-should-retry", HeaderValue::from_static("false"));
    response
}

/// Waits as long as the step says.
pub(super) async fn delay(milliseconds: u64) {
    if milliseconds > 0 {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    }
}

/// The status a kind of error has.
pub(super) fn status(code: &str) -> StatusCode {
    let number = match code {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "overloaded_error" => 529,
        _ => 500,
    };
    StatusCode::from_u16(number).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
