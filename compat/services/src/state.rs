//! `$.state`: what mods share during a session.

use std::collections::HashMap;

use async_trait::async_trait;
use modgate_value::Value;
use parking_lot::Mutex;

use crate::context::Context;
use crate::input::Args;
use crate::plain::{as_json, json_size};
use crate::{Answer, ServiceError, codes};

/// How much JSON one mod may keep in a session, in bytes. It lies outside the mod's own heap limit.
pub const MAX_STATE: usize = 16 << 20;

/// How long one value may be as JSON, in UTF-16 units.
pub const MAX_VALUE: usize = 4 << 20;

/// Where a value lies.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    /// The mod that owns it.
    pub plugin: String,
    /// Its name.
    pub key: String,
    /// The member of a family; the family itself without.
    pub id: Option<String>,
}

/// A value with the number of writes that landed there; version 0 and no value where none did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Versioned {
    /// The value.
    pub value: Option<Value>,
    /// Grows by one with every write that lands.
    pub version: u64,
}

/// What became of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// False only when another write came first and the caller had named a version.
    pub is_set: bool,
    /// The version now.
    pub version: u64,
}

/// Serves `$.state`. Everybody reads; only the owner writes (checked before these are called).
#[async_trait]
pub trait State: Send + Sync {
    /// The members served.
    fn members(&self) -> &'static [&'static str];

    /// What lies there.
    async fn get(&self, address: &Address) -> Result<Versioned, ServiceError> {
        let _ = address;
        Err(ServiceError::no_implementation("state.get"))
    }

    /// Writes, where a version is named only if it is still that one. `size` is the length of the value's JSON.
    async fn set(
        &self,
        address: Address,
        value: Value,
        size: usize,
        if_version: Option<u64>,
    ) -> Result<Written, ServiceError> {
        let _ = (address, value, size, if_version);
        Err(ServiceError::no_implementation("state.set"))
    }
}

pub(crate) async fn dispatch(state: &dyn State, context: &Context, method: &str, input: &Value) -> Answer {
    let args = Args::new(&context.call, input);
    let (plugin, key) = (args.filled_text("plugin")?, args.filled_text("key")?);
    let id = args.maybe_text("id")?.map(str::to_string);
    let address = Address { plugin: plugin.into(), key: key.into(), id };
    match method {
        "get" => {
            let found = state.get(&address).await?;
            let version = ("version", number(found.version));
            // Where nothing was written, the value is there as well: undefined.
            Ok(Value::object([("value", found.value.unwrap_or_default()), version]))
        }
        "set" => {
            if plugin != context.caller.plugin {
                let why = format!("{} may not write the state of {plugin}", context.caller.plugin);
                return Err(ServiceError::failed(&context.call, codes::NOT_OWNER, why));
            }
            let if_version = args.maybe_number("ifVersion")?.map(|version| whole(&args, version)).transpose()?;
            let json = as_json(&context.call, input.get("value"))?;
            let length = json.to_string().encode_utf16().count();
            if length > MAX_VALUE {
                return Err(args.bad(format!("value is {length} characters of JSON; {MAX_VALUE} are the most")));
            }
            let written = state.set(address, Value::from(&json), json_size(&json), if_version).await?;
            Ok(Value::object([("isSet", Value::from(written.is_set)), ("version", number(written.version))]))
        }
        _ => Err(ServiceError::no_implementation(&context.call)),
    }
}

fn whole(args: &Args<'_>, version: f64) -> Result<u64, ServiceError> {
    if version < 0.0 || version.fract() != 0.0 {
        return Err(args.bad("ifVersion must be a whole number, not negative"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and not negative")]
    Ok(version as u64)
}

fn number(version: u64) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "nobody writes 2^53 times")]
    Value::from(version as f64)
}

/// A session's state in memory. Ends with the session.
#[derive(Debug, Default)]
pub struct SessionState(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    values: HashMap<Address, (Value, usize, u64)>,
    /// Bytes of JSON by mod.
    sizes: HashMap<String, usize>,
}

impl SessionState {
    /// What lies there, for hosts that show it or put `previous` on a write's event.
    pub fn peek(&self, address: &Address) -> Versioned {
        let kept = self.0.lock();
        let found = kept.values.get(address);
        found.map_or_else(Versioned::default, |(value, _, version)| Versioned {
            value: Some(value.clone()),
            version: *version,
        })
    }
}

#[async_trait]
impl State for SessionState {
    fn members(&self) -> &'static [&'static str] {
        &["get", "set"]
    }

    async fn get(&self, address: &Address) -> Result<Versioned, ServiceError> {
        Ok(self.peek(address))
    }

    async fn set(
        &self,
        address: Address,
        value: Value,
        size: usize,
        if_version: Option<u64>,
    ) -> Result<Written, ServiceError> {
        let mut kept = self.0.lock();
        let (old_size, version) = kept.values.get(&address).map_or((0, 0), |(_, size, version)| (*size, *version));
        if if_version.is_some_and(|wanted| wanted != version) {
            return Ok(Written { is_set: false, version });
        }
        // Names count as well: empty values under endless ids would fill the memory too.
        let name = if version == 0 { address.key.len() + address.id.as_ref().map_or(0, String::len) + 64 } else { 0 };
        let total = kept.sizes.entry(address.plugin.clone()).or_default();
        let new_total = *total + name + size - old_size;
        if new_total > MAX_STATE {
            return Err(ServiceError::too_large("state.set", "the mod's state would be over 16 MiB of JSON"));
        }
        *total = new_total;
        kept.values.insert(address, (value, size, version + 1));
        Ok(Written { is_set: true, version: version + 1 })
    }
}
