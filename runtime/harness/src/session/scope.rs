use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

type Slots = HashMap<TypeId, Arc<dyn Any + Send + Sync>>;

/// State with an owner and a lifetime: at most one value of a type, dropped by the harness at the boundary.
#[derive(Clone, Default)]
pub struct Scope {
    slots: Arc<Mutex<Slots>>,
}

impl Scope {
    /// Puts a value in, in place of an earlier one of the same type.
    pub fn put<T: Any + Send + Sync>(&self, value: T) -> Arc<T> {
        let value = Arc::new(value);
        self.slots.lock().insert(TypeId::of::<T>(), value.clone());
        value
    }

    /// The value of that type.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let slot = self.slots.lock().get(&TypeId::of::<T>()).cloned();
        slot.and_then(|value| value.downcast().ok())
    }

    /// The value of that type, made if there is none.
    pub fn get_or<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut slots = self.slots.lock();
        let slot = slots.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(make())).clone();
        // The slot of a type holds that type and nothing else.
        slot.downcast().unwrap_or_else(|_| unreachable!("slot of another type"))
    }

    pub(super) fn clear(&self) {
        self.slots.lock().clear();
    }
}

/// The scopes of one loop.
#[derive(Clone, Default)]
pub(super) struct LoopScopes {
    pub(super) turn: Scope,
    pub(super) step: Scope,
}

/// The scopes of a session.
#[derive(Default)]
pub(super) struct Scopes {
    pub(super) session: Scope,
    loops: Mutex<HashMap<Option<String>, LoopScopes>>,
}

impl Scopes {
    pub(super) fn of(&self, agent_id: Option<&str>) -> LoopScopes {
        self.loops.lock().entry(agent_id.map(str::to_owned)).or_default().clone()
    }

    /// Drops a finished loop's scopes.
    pub(super) fn forget(&self, agent_id: &str) {
        self.loops.lock().remove(&Some(agent_id.to_owned()));
    }
}
