//! One row of the configuration.

use modgate_value::Value;
use serde_json::{Map, Value as Json};

/// What a row holds.
#[derive(Debug, Clone, PartialEq)]
pub enum RowKind {
    /// `true` or `false`.
    Boolean,
    /// One of these texts.
    Choice(Vec<String>),
    /// Text; several, where the field says so.
    Text {
        /// Whether the value is a list of texts.
        is_list: bool,
    },
    /// A number within bounds.
    Number {
        /// The smallest.
        min: Option<f64>,
        /// The largest.
        max: Option<f64>,
    },
}

/// One thing a person can set.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfigRow {
    /// `<mod>.<field>`, or the id of a row of the host's own.
    pub key: String,
    /// What a person reads.
    pub label: String,
    /// More about it.
    pub description: Option<String>,
    /// What it holds.
    pub kind: RowKind,
    /// The value now; undefined where there is none.
    pub value: Value,
    /// The mod it belongs to, or `core`.
    pub plugin: String,
    /// That mod's tier.
    pub tier: String,
    /// Whether a trusted source owns the value.
    pub is_locked: bool,
    /// Whether the value is a secret: never shown, and set only by a person.
    pub is_sensitive: bool,
}

/// A field of `userConfig` that is not of a known form.
#[derive(Debug, thiserror::Error)]
#[error("userConfig.{field}: {why}")]
pub struct RowError {
    /// Which field.
    pub field: String,
    /// What is wrong.
    pub why: String,
}

impl ConfigRow {
    /// The row of one field of a manifest's `userConfig`.
    pub(super) fn of_field(
        plugin: &str,
        tier: &str,
        name: &str,
        field: &Json,
        value: Option<&Json>,
    ) -> Result<ConfigRow, RowError> {
        let wrong = |why: &str| RowError { field: name.into(), why: why.into() };
        let field = field.as_object().ok_or_else(|| wrong("is no object"))?;
        let text = |name: &str| field.get(name).and_then(Json::as_str).map(str::to_string);
        let row = ConfigRow {
            key: format!("{plugin}.{name}"),
            label: text("title").unwrap_or_else(|| name.into()),
            description: text("description"),
            kind: kind(field).map_err(|why| wrong(&why))?,
            value: Value::Undefined,
            plugin: plugin.into(),
            tier: tier.into(),
            is_locked: false,
            is_sensitive: field.get("sensitive").and_then(Json::as_bool).unwrap_or(false),
        };
        // A stored value that does not fit any more counts as unset.
        let stored = value.map(Value::from).filter(|value| row.fits(value).is_ok());
        let value = stored.or_else(|| field.get("default").map(Value::from)).unwrap_or_default();
        Ok(ConfigRow { value, ..row })
    }

    /// The field's name, where this is a field of a mod.
    pub(super) fn field(&self) -> Option<&str> {
        self.key.strip_prefix(self.plugin.as_str())?.strip_prefix('.')
    }

    /// As `config.list` shows it.
    pub(super) fn shown(&self) -> Value {
        let (kind, options) = match &self.kind {
            RowKind::Boolean => ("boolean", None),
            RowKind::Choice(options) => ("choice", Some(options)),
            RowKind::Text { .. } => ("text", None),
            RowKind::Number { .. } => ("number", None),
        };
        let provider = [("plugin", Value::from(self.plugin.as_str())), ("tier", Value::from(self.tier.as_str()))];
        let mut row = Value::object([
            ("key", Value::from(self.key.as_str())),
            ("label", Value::from(self.label.as_str())),
            ("kind", Value::from(kind)),
            ("value", if self.is_sensitive { Value::Undefined } else { self.value.clone() }),
            ("provider", Value::object(provider)),
            ("isLocked", Value::from(self.is_locked)),
        ]);
        if let Some(description) = &self.description {
            row = row.with("description", Value::from(description.as_str()));
        }
        if let Some(options) = options {
            row = row.with("options", Value::list(options.iter().map(|option| Value::from(option.as_str()))));
        }
        row
    }

    /// Whether a mod may set this value; why not, otherwise.
    pub(super) fn takes(&self, value: &Value) -> Result<(), String> {
        if self.is_locked {
            return Err(format!("{} is set by a trusted source", self.key));
        }
        if self.is_sensitive {
            return Err(format!("{} is a secret; only a person sets it", self.key));
        }
        self.fits(value)
    }

    fn fits(&self, value: &Value) -> Result<(), String> {
        let fits = match &self.kind {
            RowKind::Boolean => value.as_bool().is_some(),
            RowKind::Choice(options) => value.as_str().is_some_and(|text| options.iter().any(|option| option == text)),
            RowKind::Text { is_list: false } => value.as_str().is_some(),
            RowKind::Text { is_list: true } => {
                value.as_array().is_some_and(|texts| texts.iter().all(|text| text.as_str().is_some()))
            }
            RowKind::Number { min, max } => value.as_f64().is_some_and(|number| {
                number.is_finite() && min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
            }),
        };
        if fits { Ok(()) } else { Err(format!("{} does not take {value:?}", self.key)) }
    }
}

fn kind(field: &Map<String, Json>) -> Result<RowKind, String> {
    let number = |name: &str| field.get(name).and_then(Json::as_f64);
    let options = field.get("options").and_then(Json::as_array).map(|options| {
        // An option is a text, or an object with a value.
        let texts = options.iter().filter_map(|option| option.as_str().or_else(|| option.get("value")?.as_str()));
        texts.map(str::to_string).collect()
    });
    match field.get("type").and_then(Json::as_str) {
        Some("boolean") => Ok(RowKind::Boolean),
        Some("number") => Ok(RowKind::Number { min: number("min"), max: number("max") }),
        Some("string" | "directory" | "file") => Ok(match options {
            Some(options) => RowKind::Choice(options),
            None => RowKind::Text { is_list: field.get("multiple").and_then(Json::as_bool).unwrap_or(false) },
        }),
        Some(other) => Err(format!("type {other} is not known")),
        None => Err("has no type".into()),
    }
}
