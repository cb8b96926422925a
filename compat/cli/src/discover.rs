//! From the paths of the command line to the mods and marketplaces to check.

use std::collections::HashSet;
use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;
use modgate_validate::Report;

use crate::error::Failure;
use crate::marketplace::{self, MARKETPLACE_JSON};

/// Where a mod describes itself.
pub(crate) const PLUGIN_JSON: &str = ".claude-plugin/plugin.json";

/// Files that make a folder a mod.
pub(crate) const MARKERS: [&str; 2] = [PLUGIN_JSON, "hooks/hooks.json"];

/// Folders in which no mods are looked for.
const SKIPPED: [&str; 6] = [".git", ".hg", ".svn", ".jj", ".bzr", "node_modules"];

/// One thing to check.
pub(crate) enum Target {
    /// A mod's folder, and the manifest a marketplace gives it in case it has none.
    Mod(Folder, Option<String>),
    /// A marketplace, already checked; the mods it names are targets of their own.
    Marketplace(Folder, Box<Report>),
}

/// A folder and how to call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder {
    /// Without symbolic links in its path.
    pub(crate) root: PathBuf,
    /// As a person standing in the current folder would write it, with `/` between segments; `.` for that folder.
    pub(crate) shown: String,
}

impl Folder {
    /// A file in it, as a person would write its path.
    pub(crate) fn shown_file(&self, file: &str) -> String {
        match self.shown.as_str() {
            "." => file.to_owned(),
            shown => format!("{}/{file}", shown.trim_end_matches('/')),
        }
    }
}

/// What was found, in the order of the command line and then of names; no folder twice.
#[derive(Default)]
pub(crate) struct Found {
    /// What to check.
    pub(crate) targets: Vec<Target>,
    /// Paths of which nothing came.
    pub(crate) failures: Vec<Failure>,
    seen: HashSet<PathBuf>,
}

/// Looks at every path: a mod, a marketplace, a file in a mod, or (always with `recursive`) a tree to search.
pub(crate) fn discover(paths: &[PathBuf], recursive: bool) -> Found {
    let mut found = Found::default();
    for path in paths {
        if let Err(failure) = found.path(path, recursive) {
            found.failures.push(failure);
        }
    }
    found
}

/// The folder at `path`, which must be a mod's.
pub(crate) fn mod_folder(path: &Path) -> Result<Folder, Failure> {
    let root = fs::canonicalize(path).map_err(|error| Failure::at(path, error))?;
    if !root.is_dir() {
        return Err(Failure::NotAFolder(path.to_owned()));
    }
    if !is_mod(&root) {
        return Err(Failure::NotAMod(path.to_owned()));
    }
    Ok(Folder { root, shown: clean(path) })
}

/// The mod's folder that `file` lies in: the nearest one around it.
pub(crate) fn enclosing_mod(file: &Path) -> Option<PathBuf> {
    file.ancestors().skip(1).find(|folder| is_mod(folder)).map(Path::to_owned)
}

/// Is one of the files there that make a folder a mod? What kind of file it is the validator judges.
pub(crate) fn is_mod(folder: &Path) -> bool {
    MARKERS.iter().any(|marker| fs::symlink_metadata(folder.join(marker)).is_ok())
}

fn is_marketplace(folder: &Path) -> bool {
    fs::symlink_metadata(folder.join(MARKETPLACE_JSON)).is_ok()
}

impl Found {
    fn path(&mut self, path: &Path, recursive: bool) -> Result<(), Failure> {
        let root = fs::canonicalize(path).map_err(|error| Failure::at(path, error))?;
        if !root.is_dir() {
            return self.file(path, &root);
        }
        let count = self.seen.len();
        let shown = clean(path);
        let here = self.folder(&Folder { root: root.clone(), shown: shown.clone() });
        if recursive || !here {
            self.tree(&root, &shown);
        }
        // Found before, through another path, is found as well.
        if !here && count == self.seen.len() && !self.seen.iter().any(|seen| seen.starts_with(&root)) {
            return Err(Failure::NoMod(path.to_owned()));
        }
        Ok(())
    }

    /// A file stands for the mod or marketplace it belongs to.
    fn file(&mut self, path: &Path, real: &Path) -> Result<(), Failure> {
        let marketplace = real.ancestors().nth(2).filter(|_| real.ends_with(MARKETPLACE_JSON));
        let root = match marketplace {
            Some(root) => root.to_owned(),
            None => enclosing_mod(real).ok_or_else(|| Failure::NoModAround(path.to_owned()))?,
        };
        let folder = Folder { shown: relative_to_here(&root), root };
        match marketplace {
            Some(_) => self.marketplace(&folder),
            None => self.push_mod(folder, None),
        }
        Ok(())
    }

    /// Takes a folder that is a mod, a marketplace or both. False when it is neither.
    fn folder(&mut self, folder: &Folder) -> bool {
        let (is_mod, is_marketplace) = (is_mod(&folder.root), is_marketplace(&folder.root));
        if is_mod {
            self.push_mod(folder.clone(), None);
        }
        if is_marketplace {
            self.marketplace(folder);
        }
        is_mod || is_marketplace
    }

    fn push_mod(&mut self, folder: Folder, manifest: Option<String>) {
        if self.seen.insert(folder.root.clone()) {
            self.targets.push(Target::Mod(folder, manifest));
        }
    }

    fn marketplace(&mut self, folder: &Folder) {
        // Not the folder itself, which may be a mod too.
        if !self.seen.insert(folder.root.join(MARKETPLACE_JSON)) {
            return;
        }
        let checked = marketplace::check(&folder.root);
        self.targets.push(Target::Marketplace(folder.clone(), Box::new(checked.report)));
        for source in checked.mods {
            let shown = match source.path.as_str() {
                "" => folder.shown.clone(),
                path => folder.shown_file(path),
            };
            self.push_mod(Folder { root: source.root, shown }, Some(source.manifest));
        }
    }

    /// Takes every mod and marketplace below `root`.
    fn tree(&mut self, root: &Path, shown: &str) {
        let walk = WalkBuilder::new(root)
            .standard_filters(false)
            .sort_by_file_name(std::ffi::OsStr::cmp)
            .filter_entry(|entry| !entry.file_name().to_str().is_some_and(|name| SKIPPED.contains(&name)))
            .build();
        let top = Folder { root: root.to_owned(), shown: shown.to_owned() };
        for entry in walk.skip(1) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.failures.push(unreadable(root, error));
                    continue;
                }
            };
            if entry.file_type().is_some_and(|kind| kind.is_dir()) {
                let inside = entry.path().strip_prefix(root).map(slashed).unwrap_or_default();
                self.folder(&Folder { root: entry.path().to_owned(), shown: top.shown_file(&inside) });
            }
        }
    }
}

/// The walker wraps the path and the system's error in each other.
fn unreadable(root: &Path, error: ignore::Error) -> Failure {
    fn path(error: &ignore::Error) -> Option<PathBuf> {
        match error {
            ignore::Error::WithPath { path, .. } => Some(path.clone()),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path(err),
            _ => None,
        }
    }
    let path = path(&error).unwrap_or_else(|| root.to_owned());
    let text = error.to_string();
    Failure::PathUnreadable { path, why: error.into_io_error().unwrap_or_else(|| std::io::Error::other(text)) }
}

/// The path as typed, without `./` in front and `/` behind.
fn clean(path: &Path) -> String {
    let kept: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
    if kept.as_os_str().is_empty() { ".".to_owned() } else { slashed(&kept) }
}

fn relative_to_here(path: &Path) -> String {
    let here = env::current_dir().and_then(fs::canonicalize).ok();
    match here.as_deref().and_then(|here| path.strip_prefix(here).ok()) {
        Some(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        Some(inside) => slashed(inside),
        None => slashed(path),
    }
}

/// The path with `/` between segments, on every system.
pub(crate) fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace(std::path::MAIN_SEPARATOR, "/") }
}
