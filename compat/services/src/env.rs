//! `$.env`: variables. Those the host gives, never those of this process.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use modgate_value::Value;
use parking_lot::RwLock;

use crate::context::Context;
use crate::input::Args;
use crate::{Access, Answer, ServiceError};

/// A session's variables, shared by `$.env` and the children of `$.process`.
#[derive(Debug, Clone, Default)]
pub struct Variables(Arc<RwLock<BTreeMap<String, String>>>);

impl Variables {
    /// These variables and no others.
    pub fn new<N: Into<String>, V: Into<String>>(given: impl IntoIterator<Item = (N, V)>) -> Variables {
        let given = given.into_iter().map(|(name, value)| (name.into(), value.into()));
        Variables(Arc::new(RwLock::new(given.collect())))
    }

    /// One of them.
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.read().get(name).cloned()
    }

    /// Sets one, or takes it away.
    pub fn set(&self, name: &str, value: Option<&str>) {
        let mut variables = self.0.write();
        match value {
            Some(value) => variables.insert(name.into(), value.into()),
            None => variables.remove(name),
        };
    }

    /// All of them, as they are now.
    pub fn all(&self) -> BTreeMap<String, String> {
        self.0.read().clone()
    }
}

/// Serves `$.env`.
#[async_trait]
pub trait Env: Send + Sync {
    /// The members served.
    fn members(&self) -> &'static [&'static str];

    /// The variable's value, or undefined.
    async fn get(&self, name: &str) -> Answer {
        let _ = name;
        Err(ServiceError::no_implementation("env.get"))
    }

    /// Sets the variable; without a value takes it away. Gives undefined.
    async fn set(&self, name: &str, value: Option<&str>) -> Answer {
        let _ = (name, value);
        Err(ServiceError::no_implementation("env.set"))
    }
}

#[async_trait]
impl Env for Variables {
    fn members(&self) -> &'static [&'static str] {
        &["get", "set"]
    }

    async fn get(&self, name: &str) -> Answer {
        Ok(Variables::get(self, name).map_or(Value::Undefined, Value::from))
    }

    async fn set(&self, name: &str, value: Option<&str>) -> Answer {
        Variables::set(self, name, value);
        Ok(Value::Undefined)
    }
}

pub(crate) async fn dispatch(env: &dyn Env, context: &Context, method: &str, input: &Value) -> Answer {
    let args = Args::new(&context.call, input);
    let name = args.filled_text("name")?;
    if name.contains(['=', '\0']) {
        return Err(args.bad("name must not contain = or NUL"));
    }
    match method {
        "get" => {
            context.reach(Access::EnvRead(name))?;
            env.get(name).await
        }
        "set" => {
            let value = args.maybe_text("value")?;
            if value.is_some_and(|value| value.contains('\0')) {
                return Err(args.bad("value must not contain NUL"));
            }
            context.reach(Access::EnvWrite(name))?;
            env.set(name, value).await
        }
        _ => Err(ServiceError::no_implementation(&context.call)),
    }
}
