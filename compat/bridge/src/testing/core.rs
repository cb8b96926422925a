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
                "session.append" => Ok(appended(&raised.input)),
                "ui.render" => Ok(Value::object([("type", Value::text("engine")), ("ref", Value::from(1))])),
                "ui.invalidate" => {
                    if raised.input.str_at("event") == Some("ui.render") {
                        self.drawings.invalidated(&raised.origin.plugin);
                    }
                    Ok(Value::object([("value", Value::Undefined)]))
                }
                "tool.check" => Ok(Value::object([("decision", Value::text("allow"))])),
                event if event.starts_with("classic.") => Ok(Value::object::<&str>([])),
                event => Err(no_implementation(event)),
            }
        })
    }
}

/// The row as it lands: with its role, marked as the engine's own, and never without content.
fn appended(input: &Value) -> Value {
    let message = input.get("message").cloned().unwrap_or_default();
    let content = match message.get("content") {
        Some(Value::Array(content)) if !content.is_empty() => Value::Array(content.clone()),
        _ => Value::list([Value::object([("type", Value::text("text")), ("text", Value::text("(no content)"))])]),
    };
    let kind = message.get("type").cloned().unwrap_or_default();
    let row =
        Value::object([("type", kind.clone()), ("role", kind), ("isMeta", Value::Bool(true)), ("content", content)]);
    let uuid = input.get("uuid").cloned().unwrap_or_else(|| Value::from(crate::dollar::mint_uuid()));
    Value::object([("message", row), ("uuid", uuid)])
}
