//! What stands beneath a test's own stubs: nothing, but for what the engine itself keeps.

use std::sync::Arc;

use modgate_engine::{Boxed, Fault};
use modgate_services::state::{Address, SessionState};
use modgate_services::{Caller, Policy as Grants, Services};
use modgate_value::Value;

use crate::chain::{Core, Raised, no_implementation};
use crate::ui::Drawings;

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
                "ui.render" => Ok(Value::object([("type", Value::text("engine")), ("ref", Value::from(1))])),
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

/// The row as it lands: marked as the engine's own, of which none is without content. It carries text and nothing else.
fn appended(input: &Value) -> Result<Value, Fault> {
    let message = input.get("message").cloned().unwrap_or_default();
    let text = |text: &str| Value::object([("type", Value::text("text")), ("text", Value::text(text))]);
    let mut content = Vec::new();
    for block in message.get("content").and_then(Value::as_array).unwrap_or_default() {
        match block.str_at("text").filter(|text| block.str_at("type") == Some("text") && !text.is_empty()) {
            Some(held) => content.push(text(held)),
            None => {
                let kind = block.str_at("type").unwrap_or("nameless");
                return Err(Fault::hooks(format!(
                    "$.session.append: refused: a {kind} block that a mod may not write"
                )));
            }
        }
    }
    let is_note = input.str_at("door") == Some("note")
        && input.get("origin").and_then(|origin| origin.str_at("kind")) == Some("plugin");
    if is_note && message.str_at("type") == Some("system") && content.len() != 1 {
        return Err(Fault::hooks("$.session.append: refused: a notice is one text block"));
    }
    if content.is_empty() && !is_note {
        content.push(text("(no content)"));
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
