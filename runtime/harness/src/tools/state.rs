use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use crate::record::digest;

/// What tools remember over calls: files as last seen, the task list, the shell's directory.
///
/// Every change is also collected, to be stored with the call's result; a resumed session merges those rows and
/// remembers the same.
#[derive(Clone, Default)]
pub struct ToolState {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    all: Map<String, Value>,
    changed: Map<String, Value>,
}

impl ToolState {
    fn set(&self, group: &str, key: &str, value: Value) {
        let mut inner = self.inner.lock();
        let inner = &mut *inner;
        for map in [&mut inner.all, &mut inner.changed] {
            let slot = map.entry(group).or_insert_with(|| json!({}));
            if let Some(group) = slot.as_object_mut() {
                group.insert(key.to_owned(), value.clone());
            }
        }
    }

    fn get(&self, group: &str, key: &str) -> Option<Value> {
        self.inner.lock().all.get(group)?.get(key).cloned()
    }

    /// Remembers a file's content as seen by the model.
    pub fn saw(&self, path: &Path, content: &[u8]) {
        self.set("files", &path.to_string_lossy(), Value::String(digest(content)));
    }

    /// Whether the file was seen, and whether it still has that content.
    pub fn seen(&self, path: &Path, content: &[u8]) -> Seen {
        match self.get("files", &path.to_string_lossy()) {
            Some(Value::String(hash)) if hash == digest(content) => Seen::Current,
            Some(_) => Seen::Stale,
            None => Seen::Never,
        }
    }

    /// The task list.
    pub fn todos(&self) -> Value {
        self.get("lists", "todos").unwrap_or_else(|| json!([]))
    }

    /// Replaces the task list.
    pub fn set_todos(&self, todos: Value) {
        self.set("lists", "todos", todos);
    }

    /// The shell's directory, where a command changed it.
    pub fn shell_dir(&self) -> Option<PathBuf> {
        self.get("shell", "cwd").and_then(|value| value.as_str().map(PathBuf::from))
    }

    /// Remembers the shell's directory.
    pub fn set_shell_dir(&self, path: &Path) {
        self.set("shell", "cwd", Value::String(path.to_string_lossy().into_owned()));
    }

    /// What changed since the last time, for the result's row; `null` where nothing did.
    pub(crate) fn take_changes(&self) -> Value {
        let changed = std::mem::take(&mut self.inner.lock().changed);
        if changed.is_empty() { Value::Null } else { Value::Object(changed) }
    }

    /// Takes over what a row stored.
    pub(crate) fn merge(&self, stored: &Value) {
        let Some(groups) = stored.as_object() else { return };
        for (group, entries) in groups {
            for (key, value) in entries.as_object().into_iter().flatten() {
                self.set(group, key, value.clone());
            }
        }
        self.inner.lock().changed.clear();
    }
}

/// What the model knows of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It never read it.
    Never,
    /// It read another content.
    Stale,
    /// It read what is there.
    Current,
}
