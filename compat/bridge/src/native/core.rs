//! What stands beneath the mods' own calls: the services of this host, and the session.

use std::sync::{Arc, OnceLock, Weak};

use modgate_engine::{Boxed, Fault, Pulled, Source};
use modgate_harness::session::SessionHandle;
use modgate_services::{Caller, ServiceStream};
use modgate_value::Value;

use super::{Inner, convert, serve};
use crate::chain::{Core, Path, Raised, no_implementation};
use crate::mods::Origin;

/// The core of a native session.
#[derive(Default)]
pub(super) struct NativeCore(OnceLock<Weak<Inner>>);

impl NativeCore {
    pub(super) fn serve(&self, inner: &Arc<Inner>) {
        // Set once, right after it was made.
        let _ = self.0.set(Arc::downgrade(inner));
    }

    fn inner(&self) -> Option<Arc<Inner>> {
        self.0.get().and_then(Weak::upgrade)
    }
}

/// The call on `$` behind an event: some raise an event of the engine's own.
fn call_of(raised: &Raised) -> String {
    match (&*raised.event, raised.input.str_at("tool")) {
        ("tool.call", Some("AskUserQuestion")) => "ui.ask".to_string(),
        ("tool.call", Some("Agent")) => "agent.spawn".to_string(),
        _ => raised.event.to_string(),
    }
}

fn caller(inner: &Inner, raised: &Raised) -> Caller {
    let plugin = inner.mods.plugin(&raised.origin.plugin);
    let mut call_path: Vec<String> = raised.path.events().map(str::to_string).collect();
    call_path.reverse();
    let hook = raised.path.caller().filter(|(name, _)| *name == &*raised.origin.plugin);
    let position = plugin.as_ref().and_then(|plugin| plugin.position_of_hook(hook?.1));
    Caller {
        plugin: raised.origin.plugin.to_string(),
        file: position.map(|position| position.file),
        hash: plugin.as_ref().map(|plugin| plugin.spec.hash.clone()).unwrap_or_default(),
        tier: raised.origin.tier.as_str().to_string(),
        call_path,
        root: plugin.and_then(|plugin| plugin.spec.root.clone()),
        withheld: Arc::from([]),
    }
}

/// A mod's own call of a tool, known by its id for as long as it is open.
struct Asked {
    inner: Arc<Inner>,
    id: String,
}

impl Asked {
    fn begin(inner: &Arc<Inner>, by: (Origin, Path)) -> Asked {
        let id = SessionHandle::new_call_id();
        inner.asked.lock().insert(id.clone(), by);
        Asked { inner: inner.clone(), id }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.inner.asked.lock().remove(&self.id);
    }
}

impl Core for NativeCore {
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async move {
            let Some(inner) = self.inner() else { return Err(no_implementation(&raised.event)) };
            let call = call_of(&raised);
            let is_call = modgate_catalog::event(&raised.event).is_none_or(modgate_catalog::Event::is_call);
            let caller = caller(&inner, &raised);
            let mut input = raised.input;
            let asked = (call == "tool.call").then(|| Asked::begin(&inner, (raised.origin, raised.path.clone())));
            if let Some(asked) = &asked {
                input = input.with("tool_use_id", Value::text(&asked.id));
            }
            let answer = inner.services.call(&caller, &call, input, raised.cancel).await;
            drop(asked);
            inner.desk.shown(&caller.plugin, inner.host.surface.take_changes());
            if call == "prompt.compose"
                && let Ok(value) = &answer
            {
                return Ok(inner.recomposed(value, &raised.path).await);
            }
            match answer {
                Ok(value) if is_call => Ok(Value::object([("value", value)])),
                Ok(value) => Ok(value),
                Err(error) => Err(convert::fault(&error)),
            }
        })
    }

    fn complete(&self, call: &str, input: Value) -> Value {
        let Some(session) = self.inner().and_then(|inner| inner.running.get()) else { return input };
        match call {
            "session.compact" => input.with("messages", serve::conversation(&session)),
            "prompt.compose" => serve::composing(&session, input),
            _ => input,
        }
    }

    fn gives(&self, call: &str, answer: &Value) -> Option<Value> {
        (call == "agent.spawn").then(|| spawned(answer))
    }

    fn settle(self: Arc<Self>, called: Raised, answer: Value) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async move {
            let session = self.inner().and_then(|inner| inner.running.get());
            match session.filter(|_| &*called.event == "session.compact") {
                Some(session) => {
                    serve::compacted(&session, &called, answer).await.map_err(|error| convert::fault(&error))
                }
                None => Ok(answer),
            }
        })
    }

    fn stream(self: Arc<Self>, raised: Raised) -> Result<Box<dyn Source>, Fault> {
        let Some(inner) = self.inner() else { return Err(no_implementation(&raised.event)) };
        let caller = caller(&inner, &raised);
        let _entered = inner.mods.runtime.enter();
        let stream = inner.services.open_stream(&caller, &raised.event, raised.input, raised.cancel);
        Ok(Box::new(Pieces(Some(stream.map_err(|error| convert::fault(&error))?))))
    }
}

/// The answer of the tool `Agent` as the one who started an agent sees it.
fn spawned(answer: &Value) -> Value {
    if let Some(reason) = answer.get("deny").filter(|reason| !reason.is_undefined()) {
        return Value::object([("deny", reason.clone())]);
    }
    let result = answer.get("result").cloned().unwrap_or_default();
    let field = |names: &[&str]| names.iter().find_map(|name| result.get(name).cloned()).unwrap_or_default();
    Value::object([("model", field(&["resolvedModel", "model"])), ("agentId", field(&["agentId"]))])
}

/// A running service, as hooks read it.
struct Pieces(Option<ServiceStream>);

impl Source for Pieces {
    fn pull(&mut self) -> Boxed<'_, Result<Pulled, Fault>> {
        Box::pin(async move {
            let Some(mut stream) = self.0.take() else { return Ok(Pulled::Done(Value::Undefined)) };
            if let Some(piece) = stream.next().await {
                self.0 = Some(stream);
                return Ok(Pulled::Chunk(piece));
            }
            let result = stream.result().await.map_err(|error| convert::fault(&error))?;
            Ok(Pulled::Done(Value::object([("value", result)])))
        })
    }

    fn close(&mut self) {
        self.0 = None;
    }
}
