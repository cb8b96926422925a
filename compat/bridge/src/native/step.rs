//! `turn.step`: the model's stream, before it is logged.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use modgate_engine::{Boxed, Fault, Pulled, Source};
use modgate_harness::model::{Chunk, ChunkStream, ModelError, ModelRequest, Usage};
use modgate_harness::point::ModelStep;
use modgate_harness::report::ContributorError;
use modgate_harness::session::{NextRequest, SessionHandle};
use modgate_value::Value;
use parking_lot::Mutex;

use super::{Inner, turn};
use crate::chain::{Core, Path, Raised, no_implementation};
use crate::mods::Origin;

pub(super) struct Steps(pub(super) Arc<Inner>);

#[async_trait]
impl ModelStep for Steps {
    async fn step(
        &self,
        request: ModelRequest,
        next: NextRequest,
        _session: &SessionHandle,
    ) -> Result<ChunkStream, ContributorError> {
        let inner = self.0.clone();
        let error = Arc::new(Mutex::new(None));
        if !inner.mods.hears("turn.step") {
            return next.send(request).await.map_err(|error| ContributorError::new("model-error", error.to_string()));
        }
        let event = event_of(&request);
        let core = Arc::new(StepCore { next, request, error: error.clone() });
        let source = inner.mods.open("turn.step", event, Origin::engine(), Path::default(), core);
        let chunks = stream::unfold(Some((source, inner, error)), |open| async move {
            let (mut source, inner, error) = open?;
            let pulled = source.pull().await;
            inner.desk.flush().await;
            match pulled {
                Ok(Pulled::Chunk(chunk)) => Some((of_mod(&chunk), Some((source, inner, error)))),
                Ok(Pulled::Done(_)) => None,
                Err(fault) => {
                    let known = error.lock().take();
                    let error = known.unwrap_or_else(|| ModelError::new("mods", fault.message));
                    Some((Some(Err(error)), None))
                }
            }
        });
        Ok(Box::pin(chunks.filter_map(std::future::ready)))
    }
}

fn event_of(request: &ModelRequest) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "the number of messages in a conversation")]
    let count = Value::from(request.messages.len() as f64);
    let mut event = Value::object([
        ("turnId", Value::text(&request.turn_id)),
        ("index", Value::from(f64::from(request.step))),
        ("model", Value::text(&request.model)),
        ("messageCount", count),
    ]);
    if let Some(effort) = &request.effort {
        event = event.with("effort", Value::from(effort));
    }
    if let Some(agent) = &request.agent_id {
        event = event.with("agentId", Value::text(agent));
    }
    event
}

/// A mod's chunk as the harness has it; nothing for what it does not know.
fn of_mod(chunk: &Value) -> Option<Result<Chunk, ModelError>> {
    let mut json = chunk.to_json_lossy();
    if json.get("kind").is_none_or(|kind| kind == "engine") {
        return None;
    }
    if json.get("usage").is_some_and(serde_json::Value::is_null) {
        json.as_object_mut()?.remove("usage");
    }
    Some(serde_json::from_value(json).map_err(|error| ModelError::new("bad-chunk", error.to_string())))
}

/// Beneath the mods: the request itself. Each run of it is a request of its own.
struct StepCore {
    next: NextRequest,
    request: ModelRequest,
    /// What the model failed with: a fault has no room for its code.
    error: Arc<Mutex<Option<ModelError>>>,
}

impl Core for StepCore {
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(std::future::ready(Err(no_implementation(&raised.event))))
    }

    fn stream(self: Arc<Self>, raised: Raised) -> Result<Box<dyn Source>, Fault> {
        let mut request = self.request.clone();
        if let Some(model) = raised.input.str_at("model") {
            request.model = model.to_string();
        }
        request.effort = raised.input.get("effort").filter(|effort| !effort.is_nullish()).map(Value::to_json_lossy);
        Ok(Box::new(Answer { core: self, request, open: None, so_far: SoFar::default() }))
    }
}

/// What the answer came to, as the result of the stream.
#[derive(Default)]
struct SoFar {
    text: String,
    uses: Vec<(u32, String, String)>,
    stop_reason: Option<String>,
    usage: Option<Usage>,
}

struct Answer {
    core: Arc<StepCore>,
    request: ModelRequest,
    open: Option<ChunkStream>,
    so_far: SoFar,
}

impl Answer {
    async fn next(&mut self) -> Result<Option<Chunk>, ModelError> {
        if self.open.is_none() {
            self.open = Some(self.core.next.send(self.request.clone()).await?);
        }
        match &mut self.open {
            Some(stream) => stream.next().await.transpose(),
            None => Ok(None),
        }
    }

    fn keep(&mut self, chunk: &Chunk) {
        match chunk {
            Chunk::Text { text, .. } => self.so_far.text.push_str(text),
            Chunk::Tool { index, name, .. } => self.so_far.uses.push((*index, name.clone(), String::new())),
            Chunk::Input { index, json } => {
                if let Some((.., text)) = self.so_far.uses.iter_mut().rfind(|(other, ..)| other == index) {
                    text.push_str(json);
                }
            }
            Chunk::Stop { stop_reason, usage } => {
                self.so_far.stop_reason.clone_from(stop_reason);
                self.so_far.usage = *usage;
            }
            Chunk::Thinking { .. } => {}
        }
    }

    fn result(&self) -> Value {
        let uses = self.so_far.uses.iter().map(|(_, name, json)| {
            let input = serde_json::from_str(json).unwrap_or(serde_json::Value::Object(serde_json::Map::new()));
            Value::object([("name", Value::text(name)), ("input", Value::from(input))])
        });
        Value::object([
            ("turnId", Value::text(&self.request.turn_id)),
            ("index", Value::from(f64::from(self.request.step))),
            ("answer", Value::text(&self.so_far.text)),
            ("toolUses", Value::list(uses)),
            ("stopReason", self.so_far.stop_reason.as_deref().map_or(Value::Null, Value::text)),
            ("usage", self.so_far.usage.map_or(Value::Null, |usage| turn::usage(usage, &self.request.model))),
        ])
    }
}

/// A chunk as mods see it: a stop's usage names the model.
fn to_mod(chunk: &Chunk, model: &str) -> Value {
    let value = Value::from(serde_json::to_value(chunk).unwrap_or_default());
    match chunk {
        Chunk::Stop { usage, .. } => value.with("usage", usage.map_or(Value::Null, |usage| turn::usage(usage, model))),
        _ => value,
    }
}

impl Source for Answer {
    fn pull(&mut self) -> Boxed<'_, Result<Pulled, Fault>> {
        Box::pin(async move {
            match self.next().await {
                Ok(Some(chunk)) => {
                    self.keep(&chunk);
                    Ok(Pulled::Chunk(to_mod(&chunk, &self.request.model)))
                }
                Ok(None) => Ok(Pulled::Done(self.result())),
                Err(error) => {
                    let fault = Fault::hooks(error.to_string());
                    *self.core.error.lock() = Some(error);
                    Err(fault)
                }
            }
        })
    }

    fn close(&mut self) {
        self.open = None;
    }
}
