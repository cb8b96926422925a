//! Plain data as it crosses between isolates, the chain and the hosts.
//!
//! JSON is not enough: an answer may carry `undefined`, `NaN`, `-0`, infinities, big integers and cycles, and all of
//! them have to survive the way from one mod to the next. Everything else is JSON-shaped. Parts are shared
//! ([`std::sync::Arc`]), so handing a large value on costs nothing.

mod json;

pub use json::NotJson;

use std::fmt;
use std::sync::Arc;

/// Keys and values of an object, in the order in which they were set.
pub type Map = indexmap::IndexMap<Arc<str>, Value>;

/// One piece of plain data.
#[derive(Clone, Default)]
pub enum Value {
    /// JavaScript's `undefined`. A field that holds it is present; a field that is missing is not.
    #[default]
    Undefined,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Any number, with `NaN`, `-0` and the infinities.
    Number(f64),
    /// A big integer, as decimal digits with an optional minus sign.
    BigInt(Arc<str>),
    /// Text.
    String(Arc<str>),
    /// A list. Holes have become `undefined`.
    Array(Arc<Vec<Value>>),
    /// A plain object.
    Object(Arc<Map>),
    /// Stands for an enclosing list or object, counted outwards: 0 is the one that directly holds this value.
    Cycle(usize),
}

impl Value {
    /// Text as a value.
    pub fn text(text: impl AsRef<str>) -> Value {
        Value::String(Arc::from(text.as_ref()))
    }

    /// An object of these fields, in this order.
    pub fn object<K: AsRef<str>>(fields: impl IntoIterator<Item = (K, Value)>) -> Value {
        Value::Object(Arc::new(fields.into_iter().map(|(key, value)| (Arc::from(key.as_ref()), value)).collect()))
    }

    /// A list of these values.
    pub fn list(values: impl IntoIterator<Item = Value>) -> Value {
        Value::Array(Arc::new(values.into_iter().collect()))
    }

    /// The field of that name, where this is an object that has it (a field that holds `undefined` counts).
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object().and_then(|fields| fields.get(key))
    }

    /// The text in the field of that name.
    pub fn str_at(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Value::as_str)
    }

    /// The text, where this is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, where this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, where this is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The values, where this is a list.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(values) => Some(values),
            _ => None,
        }
    }

    /// The fields, where this is an object.
    pub fn as_object(&self) -> Option<&Map> {
        match self {
            Value::Object(fields) => Some(fields),
            _ => None,
        }
    }

    /// Whether this is `undefined` or `null`.
    pub fn is_nullish(&self) -> bool {
        matches!(self, Value::Undefined | Value::Null)
    }

    /// Whether this is `undefined`.
    pub fn is_undefined(&self) -> bool {
        matches!(self, Value::Undefined)
    }

    /// This object with one field set (at its place where it exists, else at the end). Anything but an object is
    /// given back as it is.
    #[must_use]
    pub fn with(&self, key: &str, value: Value) -> Value {
        let Value::Object(fields) = self else { return self.clone() };
        let mut fields = Map::clone(fields);
        fields.insert(Arc::from(key), value);
        Value::Object(Arc::new(fields))
    }

    /// This object without that field; the order of the others stays.
    #[must_use]
    pub fn without(&self, key: &str) -> Value {
        let Value::Object(fields) = self else { return self.clone() };
        let mut fields = Map::clone(fields);
        fields.shift_remove(key);
        Value::Object(Arc::new(fields))
    }

    /// What JavaScript's `typeof` says, with `null` and `array` told apart from `object`.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Undefined => "undefined",
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::BigInt(_) => "bigint",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) | Value::Cycle(_) => "object",
        }
    }
}

/// Equality as a reader of the record means it: same kind, same content; `NaN` equals itself, `-0` equals `0`, the
/// order of an object's fields does not count, and a field that holds `undefined` equals a missing one.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Undefined, Value::Undefined) | (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Value::BigInt(a), Value::BigInt(b)) | (Value::String(a), Value::String(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => Arc::ptr_eq(a, b) || a == b,
            (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b) || same_fields(a, b),
            (Value::Cycle(a), Value::Cycle(b)) => a == b,
            _ => false,
        }
    }
}

/// Each value is compared once: comparing both ways would double the work with every level of nesting.
fn same_fields(a: &Map, b: &Map) -> bool {
    a.iter().all(|(key, value)| b.get(key).map_or(value.is_undefined(), |other| value == other))
        && b.iter().all(|(key, value)| value.is_undefined() || a.contains_key(key))
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Undefined => f.write_str("undefined"),
            Value::Null => f.write_str("null"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Number(value) => write!(f, "{value}"),
            Value::BigInt(digits) => write!(f, "{digits}n"),
            Value::String(text) => write!(f, "{text:?}"),
            Value::Array(values) => f.debug_list().entries(values.iter()).finish(),
            Value::Object(fields) => f.debug_map().entries(fields.iter()).finish(),
            Value::Cycle(outwards) => write!(f, "<cycle {outwards}>"),
        }
    }
}

macro_rules! from {
    ($($kind:ty => |$value:ident| $made:expr;)*) => {$(
        impl From<$kind> for Value {
            fn from($value: $kind) -> Value { $made }
        }
    )*};
}
from! {
    bool => |value| Value::Bool(value);
    f64 => |value| Value::Number(value);
    i32 => |value| Value::Number(f64::from(value));
    u32 => |value| Value::Number(f64::from(value));
    &str => |value| Value::text(value);
    String => |value| Value::String(Arc::from(value));
    Arc<str> => |value| Value::String(value);
    Vec<Value> => |value| Value::Array(Arc::new(value));
    Map => |value| Value::Object(Arc::new(value));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_overlooks_order_and_undefined_fields() {
        let a = Value::object([("x", Value::from(1)), ("y", Value::Undefined)]);
        let b = Value::object([("x", Value::from(1))]);
        assert_eq!(a, b);
        assert_eq!(Value::from(f64::NAN), Value::from(f64::NAN));
        assert_ne!(b, Value::object([("x", Value::from(2))]));
        assert_ne!(Value::Null, Value::Undefined);
    }

    #[test]
    fn deep_values_compare_in_time() {
        let deep = || (0..200).fold(Value::Null, |inner, _| Value::object([("a", inner)]));
        assert_eq!(deep(), deep());
        assert_ne!(deep(), Value::object([("a", deep())]));
    }

    #[test]
    fn with_keeps_the_place_of_a_field() {
        let value = Value::object([("a", Value::from(1)), ("b", Value::from(2))]).with("a", Value::from(3));
        let keys: Vec<_> = value.as_object().unwrap().keys().map(|key| key.to_string()).collect();
        assert_eq!(keys, ["a", "b"]);
        assert_eq!(value.get("a"), Some(&Value::from(3)));
        assert_eq!(value.without("a").get("a"), None);
    }
}
