//! To and from JSON.

use std::sync::Arc;

use crate::{Map, Value};

/// A value that JSON cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotJson {
    /// What it is: `bigint` or `cycle`.
    pub what: &'static str,
}

impl From<serde_json::Value> for Value {
    fn from(json: serde_json::Value) -> Value {
        match json {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(value) => Value::Bool(value),
            serde_json::Value::Number(value) => Value::Number(value.as_f64().unwrap_or(f64::NAN)),
            serde_json::Value::String(text) => Value::from(text),
            serde_json::Value::Array(values) => Value::list(values.into_iter().map(Value::from)),
            serde_json::Value::Object(fields) => Value::Object(Arc::new(
                fields.into_iter().map(|(key, value)| (Arc::from(key), Value::from(value))).collect::<Map>(),
            )),
        }
    }
}

impl From<&serde_json::Value> for Value {
    fn from(json: &serde_json::Value) -> Value {
        Value::from(json.clone())
    }
}

impl Value {
    /// As JSON, by the rules of `JSON.stringify`: undefined fields go, undefined in a list and numbers that JSON does
    /// not know become null.
    ///
    /// # Errors
    /// A big integer or a cycle.
    pub fn to_json(&self) -> Result<serde_json::Value, NotJson> {
        Ok(match self {
            Value::Undefined | Value::Null => serde_json::Value::Null,
            Value::Bool(value) => serde_json::Value::Bool(*value),
            Value::Number(value) => number(*value),
            Value::String(text) => serde_json::Value::String(text.to_string()),
            Value::Array(values) => {
                serde_json::Value::Array(values.iter().map(Value::to_json).collect::<Result<_, _>>()?)
            }
            Value::Object(fields) => {
                let mut object = serde_json::Map::new();
                for (key, value) in fields.iter().filter(|(_, value)| !value.is_undefined()) {
                    object.insert(key.to_string(), value.to_json()?);
                }
                serde_json::Value::Object(object)
            }
            Value::BigInt(_) => return Err(NotJson { what: "bigint" }),
            Value::Cycle(_) => return Err(NotJson { what: "cycle" }),
        })
    }

    /// As JSON for people and logs: what JSON cannot hold is named instead of refused.
    pub fn to_json_lossy(&self) -> serde_json::Value {
        match self {
            Value::Array(values) => serde_json::Value::Array(values.iter().map(Value::to_json_lossy).collect()),
            Value::Object(fields) => serde_json::Value::Object(
                fields
                    .iter()
                    .filter(|(_, value)| !value.is_undefined())
                    .map(|(key, value)| (key.to_string(), value.to_json_lossy()))
                    .collect(),
            ),
            Value::BigInt(digits) => serde_json::Value::String(format!("{digits}n")),
            Value::Cycle(_) => serde_json::Value::String("[cycle]".into()),
            plain => plain.to_json().unwrap_or_default(),
        }
    }
}

/// Whole numbers that a double holds exactly stay whole: `1`, not `1.0`.
fn number(value: f64) -> serde_json::Value {
    const EXACT: f64 = 9_007_199_254_740_991.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 53 bits")]
        return serde_json::Value::from(value as i64);
    }
    serde_json::Number::from_f64(value).map_or(serde_json::Value::Null, serde_json::Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_rules() {
        let value = Value::object([
            ("gone", Value::Undefined),
            ("list", Value::list([Value::Undefined, Value::from(f64::NAN), Value::from(2)])),
            ("half", Value::from(0.5)),
        ]);
        assert_eq!(value.to_json().unwrap(), serde_json::json!({"list": [null, null, 2], "half": 0.5}));
        assert_eq!(Value::BigInt("1".into()).to_json(), Err(NotJson { what: "bigint" }));
        assert_eq!(Value::list([Value::Cycle(0)]).to_json_lossy(), serde_json::json!(["[cycle]"]));
    }
}
