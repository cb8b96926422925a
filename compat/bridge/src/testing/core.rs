//! What stands beneath a test's own stubs: nothing, but for what the engine itself keeps.

use std::sync::Arc;

use modgate_engine::{Boxed, Fault};
use modgate_services::state::SessionState;
use modgate_services::{Caller, Policy as Grants, Services};
use modgate_value::Value;

use crate::chain::{Core, Raised, no_implementation};

/// The core of a test.
pub(super) struct TestCore {
    services: Services,
}

impl TestCore {
    pub(super) fn new() -> Arc<TestCore> {
        let services = Services::builder("/").policy(Grants::allow_all()).state(Arc::new(SessionState::default())).build();
        Arc::new(TestCore { services })
    }
}

impl Core for TestCore {
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async move {
            match &*raised.event {
                "state.get" | "state.set" => {
                    let caller = Caller::new(raised.origin.plugin.as_ref(), "test");
                    let event = raised.event.to_string();
                    self.services
                        .call(&caller, &event, raised.input, raised.cancel)
                        .await
                        .map(|value| Value::object([("value", value)]))
                        .map_err(|error| Fault::named(error.name, error.message))
                }
                "tool.check" => Ok(Value::object([("decision", Value::text("allow"))])),
                event if event.starts_with("classic.") => Ok(Value::object::<&str>([])),
                event => Err(no_implementation(event)),
            }
        })
    }
}
