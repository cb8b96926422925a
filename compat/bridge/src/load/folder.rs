//! A mod's folder on disk, as its isolate reads it: only its own files, by relative path.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use modgate_engine::{Compiled, Fault, Modules, compile};
use modgate_folder::DiskFiles;
use modgate_validate::hash::is_pinned;
use modgate_validate::imports::{self, Import};
use modgate_validate::{Entry, Files};
use parking_lot::Mutex;

use super::check::{Checked, MANIFEST, check};
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

const HOOKS: &str = "hooks/hooks.json";

/// A mod's folder.
pub struct Folder {
    /// Its real path.
    pub root: PathBuf,
    root_text: String,
    files: DiskFiles,
    /// The manifest.
    pub manifest: serde_json::Value,
    /// The hooks module, relative to the folder.
    pub entry: String,
    compiled: Mutex<HashMap<String, Compiled>>,
    checked: Mutex<HashMap<Tier, Result<Checked, Vec<String>>>>,
}

impl Folder {
    /// Reads manifest and `hooks.json` of the mod in that folder.
    ///
    /// # Errors
    /// See [`FolderError`].
    pub fn open(path: &Path) -> Result<Arc<Folder>, FolderError> {
        let files = DiskFiles::open(path).map_err(|error| FolderError::Read { path: path.to_path_buf(), error })?;
        let root = files.root().to_path_buf();
        let manifest = read_json(&files, MANIFEST)?.unwrap_or_else(|| serde_json::json!({}));
        let content = |message: &str| FolderError::Content { path: root.join(HOOKS), message: message.to_string() };
        let hooks = read_json(&files, HOOKS)?.ok_or_else(|| content("there is no such file"))?;
        let modules = hooks.get("modules").and_then(serde_json::Value::as_array);
        let [module] = modules.map(Vec::as_slice).unwrap_or_default() else {
            return Err(content("names no hooks module: a mod has \"modules\" with one path"));
        };
        let module = module.as_str().ok_or_else(|| content("\"modules\" holds one path, as text"))?;
        let entry =
            imports::join("hooks", module).ok_or_else(|| content("the hooks module lies outside of the folder"))?;
        Ok(Arc::new(Folder {
            root_text: root.to_string_lossy().into_owned(),
            root,
            files,
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
        self.checked.lock().entry(tier).or_insert_with(|| check(&self.files, tier)).clone()
    }

    /// The text of a file that may be a module.
    fn text(&self, path: &str) -> Result<String, String> {
        // A link is pinned as a link: where it leads has to be pinned too.
        let real = self.files.resolve(path).ok().flatten();
        let real = real.as_deref().and_then(|real| real.strip_prefix(&self.root).ok());
        if !real.is_none_or(|real| is_pinned(&real.to_string_lossy().replace('\\', "/"))) {
            return Err("lies in a folder of version control, which no grant pins".into());
        }
        let entry = self.files.read(path).ok_or("is no file of the mod")?;
        text(entry).map_err(|what| format!("is {what}"))
    }
}

/// The text in an entry, without a byte order mark; or what it is instead.
fn text(entry: Entry) -> Result<String, String> {
    match entry {
        Entry::Text(text) => Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text)),
        Entry::Bytes(_) => Err("no valid UTF-8".into()),
        Entry::TooLarge(bytes) => Err(format!("too large ({bytes} bytes)")),
        Entry::NotAFile(kind) => Err(format!("a {kind}")),
        Entry::Outside => Err("outside of the folder".into()),
    }
}

fn read_json(files: &DiskFiles, name: &str) -> Result<Option<serde_json::Value>, FolderError> {
    let content = |message: String| FolderError::Content { path: files.root().join(name), message };
    let Some(entry) = files.read(name) else { return Ok(None) };
    let text = text(entry).map_err(|what| content(format!("it is {what}")))?;
    serde_json::from_str(&text).map(Some).map_err(|error| content(error.to_string()))
}

impl Modules for Folder {
    fn resolve(&self, specifier: &str, referrer: &str) -> Result<String, Fault> {
        let refused = |why: &str| Err(Fault::hooks(format!("{referrer} imports {specifier:?}{why}")));
        match imports::resolve(&self.files, referrer, specifier) {
            Import::File(path, _) => Ok(path),
            Import::Library | Import::Foreign => {
                refused("; a mod imports its own files by relative path, and claude-code")
            }
            Import::Outside => refused(", which lies outside of the mod's folder"),
            Import::NotCode(_) => refused(", which is no module"),
            Import::Missing(_) => refused(", which is no file of the mod"),
        }
    }

    fn load(&self, path: &str) -> Result<Compiled, Fault> {
        if let Some(compiled) = self.compiled.lock().get(path) {
            return Ok(compiled.clone());
        }
        let text = self.text(path).map_err(|what| Fault::hooks(format!("{path} {what}")))?;
        let compiled = compile(path, &text).map_err(|error| Fault::named("SyntaxError", error.to_string()))?;
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

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Arc<Folder>) {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in [("hooks/hooks.json", r#"{"modules":["./a.ts"]}"#)].iter().chain(files) {
            let file = root.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        let folder = Folder::open(root.path()).unwrap();
        (root, folder)
    }

    #[test]
    fn modules_come_from_what_a_grant_pins_also_through_links() {
        let (root, folder) = folder(&[("hooks/a.ts", "export {}"), (".git/b.ts", "export {}")]);
        std::os::unix::fs::symlink("../.git/b.ts", root.path().join("hooks/link.ts")).unwrap();
        assert!(folder.load("hooks/a.ts").is_ok());
        for path in [".git/b.ts", "hooks/link.ts"] {
            assert!(folder.load(path).unwrap_err().message.contains("version control"), "{path}");
        }
    }

    #[test]
    fn an_import_leads_where_the_rules_say() {
        let (_root, folder) = folder(&[("hooks/a.ts", ""), ("lib/b/index.ts", ""), ("lib/c.json", "{}")]);
        let resolve = |specifier| folder.resolve(specifier, "hooks/a.ts");
        assert_eq!(resolve("../lib/b").unwrap(), "lib/b/index.ts");
        assert_eq!(resolve("./a.js").unwrap(), "hooks/a.ts");
        for specifier in ["../../x", "../lib/c.json", "fs", "./none"] {
            assert!(resolve(specifier).is_err(), "{specifier}");
        }
    }

    #[test]
    fn what_is_no_text_is_no_module() {
        let (root, folder) = folder(&[("hooks/a.ts", "\u{feff}export {}")]);
        std::fs::write(root.path().join("hooks/b.ts"), [0xff, 0xfe]).unwrap();
        assert!(folder.load("hooks/a.ts").is_ok());
        assert_eq!(folder.load("hooks/b.ts").unwrap_err().message, "hooks/b.ts is no valid UTF-8");
        assert_eq!(folder.load("hooks/c.ts").unwrap_err().message, "hooks/c.ts is no file of the mod");
    }
}
