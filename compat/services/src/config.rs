//! `$.config`: what a person can set, the fields of the mods' `userConfig` among it.

mod row;

use std::path::PathBuf;

use async_trait::async_trait;
use indexmap::IndexMap;
use modgate_value::Value;
use parking_lot::Mutex;

use crate::context::Context;
use crate::input::Args;
use crate::json_file::JsonFile;
use crate::service::service;
use crate::{Answer, Caller, ServiceError, codes};

pub use row::{ConfigRow, RowError, RowKind};

service! {
    /// Serves `$.config`.
    Config as "config" {
        /// `{key}`; `{label, description?, isHidden}` of one row. What is beneath the event of that name; not on `$`.
        describe;
        /// `[{key, label, description?, kind, value, options?, provider, isLocked}]`.
        list;
        /// `{key, value, ...}`; `{value}`, or `{deny}` where it does not fit or may not be changed.
        set;
    }
}

fn admit(context: &Context, method: &str, args: &Args<'_>) -> Result<(), ServiceError> {
    if method != "list" {
        args.filled_text("key")?;
    }
    context.reach_call()
}

/// The rows of a session. Values set are kept in the user's settings file, where one was named.
#[derive(Debug, Default)]
pub struct ConfigTable {
    rows: Mutex<IndexMap<String, ConfigRow>>,
    file: Option<JsonFile>,
}

impl ConfigTable {
    /// No rows; values are kept in memory.
    pub fn new() -> ConfigTable {
        ConfigTable::default()
    }

    /// No rows; a mod's values are kept in that settings file, under `pluginConfigs.<mod>.options`.
    pub fn with_file(path: impl Into<PathBuf>) -> ConfigTable {
        ConfigTable { rows: Mutex::default(), file: Some(JsonFile::new(path)) }
    }

    /// Adds a row, or replaces the one of its key.
    pub fn add(&self, row: ConfigRow) {
        self.rows.lock().insert(row.key.clone(), row);
    }

    /// Adds the rows of a mod's `userConfig` (the object of the manifest), with the values it has been given.
    ///
    /// # Errors
    /// A field that is not of a known form.
    pub fn add_user_config(
        &self,
        plugin: &str,
        tier: &str,
        fields: &serde_json::Map<String, serde_json::Value>,
        values: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<(), RowError> {
        let rows = fields.iter().map(|(name, field)| ConfigRow::of_field(plugin, tier, name, field, values.get(name)));
        for row in rows.collect::<Result<Vec<_>, _>>()? {
            self.add(row);
        }
        Ok(())
    }

    /// Forgets the rows of a mod, when it is unloaded.
    pub fn forget(&self, plugin: &str) {
        self.rows.lock().retain(|_, row| row.plugin != plugin);
    }

    /// The row of that key.
    pub fn find(&self, key: &str) -> Option<ConfigRow> {
        self.rows.lock().get(key).cloned()
    }

    async fn keep(&self, row: &ConfigRow, value: &Value) -> Result<(), ServiceError> {
        let (Some(file), Some(field)) = (self.file.clone(), row.field()) else { return Ok(()) };
        let (plugin, field, json) = (row.plugin.clone(), field.to_string(), value.to_json_lossy());
        let written = tokio::task::spawn_blocking(move || {
            file.change("config.set", |settings| {
                let mut at = settings;
                for name in ["pluginConfigs", &plugin, "options"] {
                    let next = at.entry(name).or_insert_with(|| serde_json::Map::new().into());
                    at = next.as_object_mut().ok_or_else(|| {
                        let why = format!("{name} in the settings file is no object");
                        ServiceError::failed("config.set", codes::STORE_DAMAGED, why)
                    })?;
                }
                at.insert(field, json);
                Ok(())
            })
        });
        written.await.unwrap_or_else(|error| Err(ServiceError::failed("config.set", codes::IO, error)))
    }
}

#[async_trait]
impl Config for ConfigTable {
    fn members(&self) -> &'static [&'static str] {
        &["describe", "list", "set"]
    }

    async fn describe(&self, _caller: &Caller, input: &Value) -> Answer {
        self.find(input.str_at("key").unwrap_or_default()).map_or_else(
            || unknown("config.describe", input),
            |row| {
                let answer = Value::object([("label", Value::from(row.label)), ("isHidden", Value::from(false))]);
                Ok(match row.description {
                    Some(text) => answer.with("description", Value::from(text)),
                    None => answer,
                })
            },
        )
    }

    async fn list(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::list(self.rows.lock().values().map(ConfigRow::shown)))
    }

    async fn set(&self, _caller: &Caller, input: &Value) -> Answer {
        let Some(row) = self.find(input.str_at("key").unwrap_or_default()) else { return unknown("config.set", input) };
        let value = input.get("value").cloned().unwrap_or_default();
        if let Err(reason) = row.takes(&value) {
            return Ok(Value::object([("deny", Value::from(reason))]));
        }
        self.keep(&row, &value).await?;
        if let Some(row) = self.rows.lock().get_mut(&row.key) {
            row.value = value.clone();
        }
        Ok(Value::object([("value", value)]))
    }
}

fn unknown(call: &str, input: &Value) -> Answer {
    let key = input.str_at("key").unwrap_or_default();
    Err(ServiceError::failed(call, codes::NOT_FOUND, format_args!("no row {key}")))
}
