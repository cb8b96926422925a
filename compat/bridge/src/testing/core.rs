//! What stands beneath a test's own stubs: nothing, but for what the engine itself keeps.

use std::sync::Arc;

use modgate_engine::{Boxed, Fault};
use modgate_services::state::{Address, SessionState};
use modgate_services::{Caller, Policy as Grants, Services};
use modgate_value::Value;

use super::gate::{TEST, denied};
use crate::chain::{Core, Raised, no_implementation};
use crate::ui::{Drawings, hosts_own};

/// The core of a test.
pub(super) struct TestCore {
    services: Services,
    state: Arc<SessionState>,
    drawings: Arc<Drawings>,
}

impl TestCore {
    pub(super) fn new(drawings: Arc<Drawings>) -> Arc<TestCore> {
        let state = Arc::new(SessionState::default());
        let services = Services::builder("/").policy(Grants::allow_all()).state(state.clone()).build();
        Arc::new(TestCore { services, state, drawings })
    }
}

impl Core for TestCore {
    /// Nothing is drawn that could be scrolled or given the focus; `$.ui.mount` does that to what it drew.
    fn takes(&self, call: &str) -> bool {
        !matches!(call, "ui.focus" | "ui.scroll")
    }

    /// There is no box to type into: filled or not, it stays empty.
    fn gives(&self, call: &str, answer: &Value) -> Option<Value> {
        let filled = || answer.get("isFilled").cloned().unwrap_or_default();
        (call == "prompt.fill")
            .then(|| Value::object([("isFilled", filled()), ("text", Value::text("")), ("cursor", Value::from(0))]))
    }

    fn settle(self: Arc<Self>, called: Raised, answer: Value) -> Boxed<'static, Result<Value, Fault>> {
        let denied = (&*called.event == "tool.call").then(|| denied(&answer)).flatten();
        Box::pin(std::future::ready(Ok(denied.unwrap_or(answer))))
    }

    fn stand_in(&self) -> Option<&str> {
        Some(TEST)
    }

    fn previous(&self, address: &Value) -> Value {
        let text = |key: &str| address.str_at(key).unwrap_or_default().to_string();
        let id = address.str_at("id").map(str::to_string);
        self.state.peek(&Address { plugin: text("plugin"), key: text("key"), id }).value.unwrap_or_default()
    }

    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async move {
            match &*raised.event {
                "state.get" | "state.set" => {
                    let caller = Caller::new(raised.origin.plugin.as_ref(), "test");
                    let event = raised.event.to_string();
                    let called = self.services.call(&caller, &event, raised.input.clone(), raised.cancel).await;
                    let value = called.map_err(|error| Fault::named(error.name, error.message))?;
                    if event == "state.set" && value.get("isSet").and_then(Value::as_bool) == Some(true) {
                        self.drawings.wrote(&raised.input);
                    }
                    Ok(Value::object([("value", value)]))
                }
                "session.append" => appended(&raised.input),
                "ui.render" => Ok(hosts_own()),
                "ui.invalidate" => {
                    if raised.input.str_at("event") == Some("ui.render") {
                        self.drawings.invalidated(&raised.origin.plugin);
                    }
                    Ok(Value::object([("value", Value::Undefined)]))
                }
                event => Err(no_implementation(event)),
            }
        })
    }
}

/// A mod's row as it lands: marked as the engine's own. It carries text and nothing else.
fn appended(input: &Value) -> Result<Value, Fault> {
    let message = input.get("message").cloned().unwrap_or_default();
    let mut content = Vec::new();
    for block in message.get("content").and_then(Value::as_array).unwrap_or_default() {
        content.push(text_of(block).ok_or_else(|| {
            let kind = block.str_at("type").unwrap_or("nameless");
            Fault::hooks(format!("$.session.append: refused: a {kind} block that a mod may not write"))
        })?);
    }
    if message.str_at("type") == Some("system") && content.len() != 1 {
        return Err(Fault::hooks("$.session.append: refused: a notice is one text block"));
    }
    let content = ("content", Value::list(content));
    let kind = ("type", message.get("type").cloned().unwrap_or_default());
    let row = match message.str_at("type") {
        Some("system") => Value::object([kind, ("name", Value::text("informational")), content]),
        _ => Value::object([kind.clone(), ("role", kind.1), ("isMeta", Value::Bool(true)), content]),
    };
    let uuid = input.get("uuid").cloned().unwrap_or_else(|| Value::from(crate::dollar::mint_uuid()));
    Ok(Value::object([("message", row), ("uuid", uuid)]))
}

/// A block of text, with nothing else in it.
fn text_of(block: &Value) -> Option<Value> {
    let text = block.str_at("text").filter(|text| block.str_at("type") == Some("text") && !text.is_empty())?;
    Some(Value::object([("type", Value::text("text")), ("text", Value::text(text))]))
}

/// What stands beneath a row that the engine stores.
pub(super) struct Stored {
    core: Arc<dyn Core>,
    /// The message as it was raised.
    raised: Value,
}

impl Stored {
    pub(super) fn new(core: Arc<dyn Core>, row: &Value) -> Arc<Stored> {
        Arc::new(Stored { core, raised: row.get("message").cloned().unwrap_or_default() })
    }
}

impl Core for Stored {
    /// The row as it arrives. Of content that a mod has put in its place, the text lands, and it is never without.
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        if &*raised.event != "session.append" {
            return self.core.clone().answer(raised);
        }
        let field = |name: &str| raised.input.get(name).cloned().unwrap_or_default();
        let (mut message, uuid) = (field("message"), field("uuid"));
        if let Some(blocks) = message.get("content").and_then(Value::as_array)
            && message.get("content") != self.raised.get("content")
        {
            let mut content: Vec<Value> = blocks.iter().filter_map(text_of).collect();
            if content.is_empty() {
                content.push(Value::object([("type", Value::text("text")), ("text", Value::text("(no content)"))]));
            }
            message = message.with("content", Value::list(content));
        }
        Box::pin(std::future::ready(Ok(Value::object([("message", message), ("uuid", uuid)]))))
    }
}
