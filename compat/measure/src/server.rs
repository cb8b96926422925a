//! A model server on loopback that plays a scenario's model: Anthropic Messages and OpenAI Responses.
//!
//! It listens on 127.0.0.1 only and keeps every request. Which step of the script answers a request is decided by
//! [`script`]; the two protocols only dress it.

mod anthropic;
mod responses;
pub mod script;
mod sse;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use parking_lot::Mutex;
use serde::Serialize;
use serde_json::{Value, json};

use modgate_harness::script::{Scenario, ScriptedCall};

use crate::MeasureError;
pub(crate) use responses::texts as message_texts;
use script::{Lane, Script, Scripted};

/// A request as it was kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kept {
    /// `POST`.
    pub method: String,
    /// Path without the query.
    pub path: String,
    /// Which loop it belongs to; absent for requests that no step of the script answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lane: Option<Lane>,
    /// The step that answered, from 0.
    pub step: usize,
    /// The calls the answer asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<ScriptedCall>,
    /// The body; null where it is no JSON.
    pub body: Value,
}

pub(crate) struct Shared {
    pub(crate) script: Script,
    kept: Mutex<Vec<Kept>>,
}

impl Shared {
    pub(crate) fn keep(&self, path: &str, scripted: Option<&Scripted>, body: &Value) {
        let kept = Kept {
            method: "POST".into(),
            path: path.into(),
            lane: scripted.and_then(|one| one.lane.clone()),
            step: scripted.map_or(0, |one| one.number),
            asked: scripted.map(|one| one.step.calls.clone()).unwrap_or_default(),
            body: body.clone(),
        };
        self.kept.lock().push(kept);
    }
}

/// The running server. It stops when it is dropped.
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<()>,
}

impl ModelServer {
    /// Listens on a free port of 127.0.0.1.
    pub async fn start(scenario: &Scenario) -> Result<ModelServer, MeasureError> {
        let place = "127.0.0.1:0";
        let listener = tokio::net::TcpListener::bind(place).await.map_err(MeasureError::io(place, "listen on"))?;
        let address = listener.local_addr().map_err(MeasureError::io(place, "listen on"))?;
        let shared = Arc::new(Shared { script: Script::new(scenario), kept: Mutex::default() });
        let router = Router::new()
            .route("/v1/messages", post(anthropic::messages))
            .route("/v1/messages/count_tokens", post(anthropic::count_tokens))
            .route("/v1/responses", post(responses::responses))
            .fallback(unknown)
            .with_state(shared.clone());
        // A server that ends early shows as refused connections in the program that is measured.
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap_or_default() });
        Ok(ModelServer { address, shared, task })
    }

    /// `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Says which prompt or command of the script is typed next, from 0.
    pub fn begin(&self, item: usize) {
        self.shared.script.begin(item);
    }

    /// Every request so far, in order.
    pub fn kept(&self) -> Vec<Kept> {
        self.shared.kept.lock().clone()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn unknown(State(shared): State<Arc<Shared>>, method: Method, uri: Uri, body: Bytes) -> Response {
    let kept = Kept {
        method: method.to_string(),
        // What was meant for elsewhere has a host in place of a path.
        path: if uri.path().is_empty() { uri.to_string() } else { uri.path().to_owned() },
        lane: None,
        step: 0,
        asked: Vec::new(),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    };
    shared.kept.lock().push(kept);
    let message = format!("nothing is served at {}", uri.path());
    let error = json!({ "type": "error", "error": { "type": "not_found_error", "message": message } });
    (StatusCode::NOT_FOUND, axum::Json(error)).into_response()
}

pub(crate) fn bad_request(message: &str) -> Response {
    let error = json!({ "type": "error", "error": { "type": "invalid_request_error", "message": message } });
    (StatusCode::BAD_REQUEST, axum::Json(error)).into_response()
}
