//! The documents the editor has open, and what was found in their mods.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use lsp_types::{PublishDiagnosticsParams, Uri};
use modgate_validate::{Diagnostic, Entry, Files, Options, Report, validate};

use super::convert;
use crate::discover::{enclosing_mod, slashed};
use crate::disk::{DiskFiles, LARGEST};

/// Everything the server knows.
pub(super) struct Workspace {
    options: Options,
    /// By path, without symbolic links.
    documents: BTreeMap<PathBuf, Document>,
    /// By the mod's folder.
    mods: BTreeMap<PathBuf, Checked>,
    /// Folders of mods to check again.
    stale: BTreeSet<PathBuf>,
}

/// What is in one of the editor's buffers.
pub(super) struct Document {
    uri: Uri,
    version: i32,
    /// The buffer's text.
    pub(super) text: String,
    /// Folder of the mod it belongs to.
    root: Option<PathBuf>,
}

struct Checked {
    report: Report,
    /// Paths in the mod for which the editor shows findings.
    shown: BTreeSet<String>,
}

impl Workspace {
    /// Nothing is open.
    pub(super) fn new(options: Options) -> Workspace {
        Workspace { options, documents: BTreeMap::new(), mods: BTreeMap::new(), stale: BTreeSet::new() }
    }

    /// A buffer was opened or has a new text.
    pub(super) fn open(&mut self, uri: Uri, version: i32, text: String) {
        if let Some(path) = convert::path(&uri) {
            let path = real(&path);
            let root = enclosing_mod(&path);
            self.stale.extend(root.clone());
            self.documents.insert(path, Document { uri, version, text, root });
        }
    }

    /// A buffer was closed: what is on disk counts again.
    pub(super) fn close(&mut self, uri: &Uri) {
        if let Some(document) = convert::path(uri).and_then(|path| self.documents.remove(&real(&path))) {
            self.stale.extend(document.root);
        }
    }

    /// Files changed that may not be open.
    pub(super) fn disk_changed(&mut self) {
        for (path, document) in &mut self.documents {
            // A folder becomes a mod when its manifest is saved.
            document.root = enclosing_mod(path);
            self.stale.extend(document.root.clone());
        }
    }

    /// Checks what is stale, and gives what the editor should show now.
    pub(super) fn refresh(&mut self) -> Vec<PublishDiagnosticsParams> {
        let mut messages = Vec::new();
        for root in std::mem::take(&mut self.stale) {
            let report = if self.open_in(&root).next().is_some() { self.check(&root) } else { None };
            let before = self.mods.remove(&root).map(|checked| checked.shown).unwrap_or_default();
            let Some(report) = report else {
                messages.extend(before.iter().filter_map(|file| self.message(&root, file, &[])));
                continue;
            };
            let mut by_file: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
            for file in &before {
                by_file.entry(file).or_default();
            }
            // Said also when there is nothing to show: old findings must go.
            let open: Vec<String> = self.open_in(&root).collect();
            for file in &open {
                by_file.entry(file).or_default();
            }
            for found in &report.diagnostics {
                by_file.entry(&found.file).or_default().push(found);
            }
            messages.extend(by_file.iter().filter_map(|(file, found)| self.message(&root, file, found)));
            let shown = report.diagnostics.iter().map(|found| found.file.clone()).collect();
            self.mods.insert(root, Checked { report, shown });
        }
        messages
    }

    /// Paths, relative to a mod's folder, of the buffers that belong to it.
    fn open_in<'a>(&'a self, root: &'a Path) -> impl Iterator<Item = String> + 'a {
        let inside = move |path: &Path| path.strip_prefix(root).map(slashed).ok();
        self.documents
            .iter()
            .filter(|(_, document)| document.root.as_deref() == Some(root))
            .filter_map(move |(path, _)| inside(path))
    }

    fn check(&self, root: &Path) -> Option<Report> {
        let disk = DiskFiles::open(root).ok()?;
        Some(validate(&Overlay { disk, documents: &self.documents }, &self.options))
    }

    fn message(&self, root: &Path, file: &str, found: &[&Diagnostic]) -> Option<PublishDiagnosticsParams> {
        let document = self.documents.get(&real(&root.join(file)));
        let uri = |file: &str| match self.documents.get(&real(&root.join(file))) {
            Some(document) => Some(document.uri.clone()),
            None => convert::uri(&root.join(file)),
        };
        Some(PublishDiagnosticsParams {
            uri: uri(file)?,
            diagnostics: found.iter().map(|found| convert::diagnostic(found, &uri)).collect(),
            version: document.map(|document| document.version),
        })
    }

    /// The buffer at a place.
    pub(super) fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(&real(&convert::path(uri)?))
    }

    /// What was found in the file of a buffer.
    pub(super) fn findings(&self, uri: &Uri) -> Vec<&Diagnostic> {
        let Some(path) = convert::path(uri).map(|path| real(&path)) else { return Vec::new() };
        let root = self.documents.get(&path).and_then(|document| document.root.as_ref());
        let Some((root, checked)) = root.and_then(|root| self.mods.get_key_value(root)) else { return Vec::new() };
        let inside = path.strip_prefix(root).map(slashed).unwrap_or_default();
        checked.report.diagnostics.iter().filter(|found| found.file == inside).collect()
    }
}

/// The path without symbolic links, also of a file that is not saved yet.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path)
        .or_else(|error| match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) => fs::canonicalize(folder).map(|folder| folder.join(name)),
            _ => Err(error),
        })
        .unwrap_or_else(|_| path.to_owned())
}

/// Buffers where there are some, the disk elsewhere.
struct Overlay<'a> {
    disk: DiskFiles,
    documents: &'a BTreeMap<PathBuf, Document>,
}

impl Files for Overlay<'_> {
    fn read(&self, path: &str) -> Option<Entry> {
        let place = match self.disk.resolve(path) {
            Ok(Some(real)) => real,
            // Not saved yet.
            Ok(None) => self.disk.root().join(path),
            Err(entry) => return Some(entry),
        };
        match self.documents.get(&place) {
            Some(document) if document.text.len() as u64 > LARGEST => Some(Entry::TooLarge(document.text.len() as u64)),
            Some(document) => Some(Entry::Text(document.text.clone())),
            None => self.disk.read(path),
        }
    }
}
