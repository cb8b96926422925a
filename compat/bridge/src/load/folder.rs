//! A mod's folder on disk, as its isolate reads it: only its own files, by relative path.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use modgate_engine::{Compiled, Fault, Modules, compile};
use parking_lot::Mutex;

use super::check::{Checked, check_folder};
use crate::plugin::Tier;

/// Why a folder is no mod.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It cannot be read.
    #[error("{path}: {error}")]
    Read {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A file of it is not what it should be.
    #[error("{path}: {message}")]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
}

/// A mod's folder.
pub struct Folder {
    /// Its real path.
    pub root: PathBuf,
    root_text: String,
    /// The manifest.
    pub manifest: serde_json::Value,
    /// The hooks module, relative to the folder.
    pub entry: String,
    compiled: Mutex<HashMap<String, Compiled>>,
    checked: Mutex<HashMap<Tier, Result<Checked, Vec<String>>>>,
}

const SUFFIXES: [&str; 8] = ["ts", "tsx", "jsx", "js", "mjs", "cjs", "mts", "cts"];

impl Folder {
    /// Reads manifest and `hooks.json` of the mod in that folder.
    ///
    /// # Errors
    /// See [`FolderError`].
    pub fn open(path: &Path) -> Result<Arc<Folder>, FolderError> {
        let root = path.canonicalize().map_err(|error| FolderError::Read { path: path.to_path_buf(), error })?;
        let manifest_path = root.join(".claude-plugin/plugin.json");
        let manifest = if manifest_path.exists() { read_json(&manifest_path)? } else { serde_json::json!({}) };
        let hooks_path = root.join("hooks/hooks.json");
        let hooks = read_json(&hooks_path)?;
        let content = |message: &str| FolderError::Content { path: hooks_path.clone(), message: message.to_string() };
        let modules = hooks.get("modules").and_then(serde_json::Value::as_array);
        let [module] = modules.map(Vec::as_slice).unwrap_or_default() else {
            return Err(content("names no hooks module: a mod has \"modules\" with one path"));
        };
        let module = module.as_str().ok_or_else(|| content("\"modules\" holds one path, as text"))?;
        let entry = join("hooks", module).ok_or_else(|| content("the hooks module lies outside of the folder"))?;
        Ok(Arc::new(Folder {
            root_text: root.to_string_lossy().into_owned(),
            root,
            manifest,
            entry,
            compiled: Mutex::default(),
            checked: Mutex::default(),
        }))
    }

    /// The manifest's name, or the folder's.
    pub fn name(&self) -> String {
        let folder = || self.root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self.manifest.get("name").and_then(serde_json::Value::as_str).map_or_else(folder, str::to_string)
    }

    /// What the static rules say about it in that tier; read once.
    ///
    /// # Errors
    /// What refuses it.
    pub fn checked(&self, tier: Tier) -> Result<Checked, Vec<String>> {
        self.checked.lock().entry(tier).or_insert_with(|| check_folder(&self.root, tier)).clone()
    }

    /// The real file behind a path of the mod; nothing outside of the folder, links resolved.
    fn file(&self, path: &str) -> Option<PathBuf> {
        let real = self.root.join(path).canonicalize().ok()?;
        (real.starts_with(&self.root) && real.is_file()).then_some(real)
    }

    fn find(&self, path: &str) -> Option<String> {
        let exists = |candidate: &str| self.file(candidate).is_some();
        if exists(path) {
            return Some(path.to_string());
        }
        let typescript = |from: &str, to: &str| path.strip_suffix(from).map(|stem| format!("{stem}{to}"));
        let renamed = [(".js", ".ts"), (".js", ".tsx"), (".jsx", ".tsx"), (".mjs", ".mts"), (".cjs", ".cts")];
        let renamed = renamed.iter().filter_map(|(from, to)| typescript(from, to));
        let suffixed = SUFFIXES.iter().map(|suffix| format!("{path}.{suffix}"));
        let index = SUFFIXES.iter().map(|suffix| format!("{}/index.{suffix}", path.trim_end_matches('/')));
        renamed.chain(suffixed).chain(index).find(|candidate| exists(candidate))
    }
}

fn read_json(path: &Path) -> Result<serde_json::Value, FolderError> {
    let text = std::fs::read_to_string(path).map_err(|error| FolderError::Read { path: path.to_path_buf(), error })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    serde_json::from_str(text)
        .map_err(|error| FolderError::Content { path: path.to_path_buf(), message: error.to_string() })
}

/// A relative path seen from a folder of the mod, both with `/`; nothing that leaves the mod.
fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

impl Modules for Folder {
    fn resolve(&self, specifier: &str, referrer: &str) -> Result<String, Fault> {
        if !specifier.starts_with("./") && !specifier.starts_with("../") {
            return Err(Fault::hooks(format!(
                "{referrer} imports {specifier:?}; a mod imports its own files by relative path, and claude-code"
            )));
        }
        let folder = referrer.rsplit_once('/').map_or("", |(folder, _)| folder);
        join(folder, specifier)
            .and_then(|path| self.find(&path))
            .ok_or_else(|| Fault::hooks(format!("{referrer} imports {specifier:?}, which is no file of the mod")))
    }

    fn load(&self, path: &str) -> Result<Compiled, Fault> {
        if let Some(compiled) = self.compiled.lock().get(path) {
            return Ok(compiled.clone());
        }
        let file = self.file(path).ok_or_else(|| Fault::hooks(format!("{path} is no file of the mod")))?;
        let text = std::fs::read_to_string(file).map_err(|error| Fault::hooks(format!("{path}: {error}")))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let compiled = compile(path, text).map_err(|error| Fault::named("SyntaxError", error.to_string()))?;
        self.compiled.lock().insert(path.to_string(), compiled.clone());
        Ok(compiled)
    }

    fn root(&self) -> &str {
        &self.root_text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_stay_inside() {
        assert_eq!(join("hooks", "./a.ts").as_deref(), Some("hooks/a.ts"));
        assert_eq!(join("hooks", "../lib/./a.ts").as_deref(), Some("lib/a.ts"));
        assert_eq!(join("hooks", "../../a.ts"), None);
    }
}
