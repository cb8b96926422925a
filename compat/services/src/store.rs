//! `$.store`: what a mod keeps across sessions.

use std::path::PathBuf;

use async_trait::async_trait;
use modgate_value::Value;
use serde_json::Map;

use crate::context::Context;
use crate::input::Args;
use crate::json_file::JsonFile;
use crate::plain::{as_json, json_size};
use crate::{Answer, ServiceError, codes};

/// How much JSON one mod may keep, in bytes. Per mod, so that one that fills its store stops only itself.
pub const MAX_STORE: usize = 4 << 20;

/// Serves `$.store`. `plugin` is the calling mod; nobody reaches another one's keys.
#[async_trait]
pub trait Store: Send + Sync {
    /// The members served.
    fn members(&self) -> &'static [&'static str];

    /// The value, or undefined.
    async fn get(&self, plugin: &str, key: &str) -> Answer {
        let _ = (plugin, key);
        Err(ServiceError::no_implementation("store.get"))
    }

    /// Keeps a value; a key that is there keeps its place. Gives undefined. Rejects beyond [`MAX_STORE`].
    async fn set(&self, plugin: &str, key: &str, value: serde_json::Value) -> Answer {
        let _ = (plugin, key, value);
        Err(ServiceError::no_implementation("store.set"))
    }

    /// Forgets a key, also one that is not there. Gives undefined.
    async fn delete(&self, plugin: &str, key: &str) -> Answer {
        let _ = (plugin, key);
        Err(ServiceError::no_implementation("store.delete"))
    }

    /// The keys, in the order first set.
    async fn keys(&self, plugin: &str) -> Answer {
        let _ = plugin;
        Err(ServiceError::no_implementation("store.keys"))
    }
}

pub(crate) async fn dispatch(store: &dyn Store, context: &Context, method: &str, input: &Value) -> Answer {
    let args = Args::new(&context.call, input);
    let plugin = context.caller.plugin.as_str();
    context.reach_call()?;
    match method {
        "get" => store.get(plugin, args.filled_text("key")?).await,
        "set" => {
            let (key, value) = (args.filled_text("key")?, as_json(&context.call, input.get("value"))?);
            store.set(plugin, key, value).await
        }
        "delete" => store.delete(plugin, args.filled_text("key")?).await,
        "keys" => store.keys(plugin).await,
        _ => Err(ServiceError::no_implementation(&context.call)),
    }
}

/// All mods' values in one JSON file: `{<plugin>: {<key>: <value>}}`. Several processes may use it at once.
#[derive(Debug, Clone)]
pub struct FileStore {
    file: JsonFile,
}

impl FileStore {
    /// The store in that file, which need not exist. A `.lock` file appears beside it.
    pub fn new(path: impl Into<PathBuf>) -> FileStore {
        FileStore { file: JsonFile::new(path) }
    }

    async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&JsonFile) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let file = self.file.clone();
        let done = tokio::task::spawn_blocking(move || work(&file)).await;
        done.unwrap_or_else(|error| Err(ServiceError::failed("store", codes::IO, error)))
    }
}

#[async_trait]
impl Store for FileStore {
    fn members(&self) -> &'static [&'static str] {
        &["delete", "get", "keys", "set"]
    }

    async fn get(&self, plugin: &str, key: &str) -> Answer {
        let (plugin, key) = (plugin.to_string(), key.to_string());
        self.off_thread(move |file| {
            let mut all = file.read("store.get")?;
            let value = values_of(&mut all, &plugin).and_then(|values| values.get(&key));
            Ok(value.map_or(Value::Undefined, Value::from))
        })
        .await
    }

    async fn set(&self, plugin: &str, key: &str, value: serde_json::Value) -> Answer {
        let (plugin, key) = (plugin.to_string(), key.to_string());
        self.off_thread(move |file| {
            file.change("store.set", |all| {
                let mine = all.entry(plugin).or_insert_with(|| Map::new().into());
                let Some(values) = mine.as_object_mut() else {
                    return Err(ServiceError::failed("store.set", codes::STORE_DAMAGED, "the mod's part is no object"));
                };
                values.insert(key, value);
                if json_size(mine) > MAX_STORE {
                    return Err(ServiceError::too_large("store.set", "the mod's store would be over 4 MiB of JSON"));
                }
                Ok(Value::Undefined)
            })
        })
        .await
    }

    async fn delete(&self, plugin: &str, key: &str) -> Answer {
        let (plugin, key) = (plugin.to_string(), key.to_string());
        self.off_thread(move |file| {
            file.change("store.delete", |all| {
                if let Some(values) = values_of(all, &plugin) {
                    // Not `remove`, which would move the last key to the freed place.
                    values.shift_remove(&key);
                }
                Ok(Value::Undefined)
            })
        })
        .await
    }

    async fn keys(&self, plugin: &str) -> Answer {
        let plugin = plugin.to_string();
        self.off_thread(move |file| {
            let mut all = file.read("store.keys")?;
            let values = values_of(&mut all, &plugin);
            Ok(Value::list(values.into_iter().flat_map(|values| values.keys()).map(|key| Value::from(key.as_str()))))
        })
        .await
    }
}

fn values_of<'a>(
    all: &'a mut Map<String, serde_json::Value>,
    plugin: &str,
) -> Option<&'a mut Map<String, serde_json::Value>> {
    all.get_mut(plugin).and_then(serde_json::Value::as_object_mut)
}
