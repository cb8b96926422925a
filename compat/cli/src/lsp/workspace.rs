//! The documents the editor has open, and what was found in their mods.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use lsp_types::{PublishDiagnosticsParams, Uri};
use modgate_validate::{Diagnostic, Entry, Files, Options, Report, validate};

use super::convert;
use crate::discover::{enclosing_mod, slashed};
use crate::marketplace::{self, MARKETPLACE_JSON};
use modgate_folder::{DiskFiles, LARGEST};

/// Everything the server knows.
pub(super) struct Workspace {
    options: Options,
    /// By path, without symbolic links.
    documents: BTreeMap<PathBuf, Document>,
    /// What was found, by what was checked.
    checked: BTreeMap<Place, Checked>,
    /// What to check again.
    stale: BTreeSet<Place>,
}

/// What is in one of the editor's buffers.
pub(super) struct Document {
    uri: Uri,
    version: i32,
    /// The buffer's text.
    pub(super) text: String,
    /// What it is checked with.
    place: Option<Place>,
}

/// Something that is checked as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// The mod in a folder.
    Mod(PathBuf),
    /// The marketplace in a folder, without the mods it offers.
    Marketplace(PathBuf),
}

impl Place {
    /// The place a file belongs to.
    fn of(path: &Path) -> Option<Place> {
        match path.ancestors().nth(2) {
            Some(root) if path.ends_with(MARKETPLACE_JSON) => Some(Place::Marketplace(root.to_owned())),
            _ => enclosing_mod(path).map(Place::Mod),
        }
    }

    fn root(&self) -> &Path {
        match self {
            Place::Mod(root) | Place::Marketplace(root) => root,
        }
    }
}

struct Checked {
    report: Report,
    /// Paths in the mod for which the editor shows findings.
    shown: BTreeSet<String>,
}

impl Workspace {
    /// Nothing is open.
    pub(super) fn new(options: Options) -> Workspace {
        Workspace { options, documents: BTreeMap::new(), checked: BTreeMap::new(), stale: BTreeSet::new() }
    }

    /// A buffer was opened or has a new text.
    pub(super) fn open(&mut self, uri: Uri, version: i32, text: String) {
        if let Some(path) = convert::path(&uri) {
            let path = real(&path);
            let place = Place::of(&path);
            self.stale.extend(place.clone());
            self.documents.insert(path, Document { uri, version, text, place });
        }
    }

    /// A buffer was closed: what is on disk counts again.
    pub(super) fn close(&mut self, uri: &Uri) {
        if let Some(document) = convert::path(uri).and_then(|path| self.documents.remove(&real(&path))) {
            self.stale.extend(document.place);
        }
    }

    /// Files changed that may not be open.
    pub(super) fn disk_changed(&mut self) {
        for (path, document) in &mut self.documents {
            // A folder becomes a mod when its manifest is saved.
            document.place = Place::of(path);
            self.stale.extend(document.place.clone());
        }
    }

    /// Checks what is stale, and gives what the editor should show now.
    pub(super) fn refresh(&mut self) -> Vec<PublishDiagnosticsParams> {
        let mut messages = Vec::new();
        for place in std::mem::take(&mut self.stale) {
            // Said also when there is nothing to show: old findings must go.
            let mut files = self.checked.remove(&place).map(|checked| checked.shown).unwrap_or_default();
            let open: Vec<String> = self.open_in(&place).collect();
            let report = if open.is_empty() { None } else { self.check(&place) };
            files.extend(open);
            let found = report.as_ref().map(|report| report.diagnostics.as_slice()).unwrap_or_default();
            let shown: BTreeSet<String> = found.iter().map(|found| found.file.clone()).collect();
            files.extend(shown.iter().cloned());
            for file in &files {
                let in_file: Vec<&Diagnostic> = found.iter().filter(|found| found.file == *file).collect();
                messages.extend(self.message(place.root(), file, &in_file));
            }
            if let Some(report) = report {
                self.checked.insert(place, Checked { report, shown });
            }
        }
        messages
    }

    /// Paths, relative to a place's folder, of the buffers that belong to it.
    fn open_in<'a>(&'a self, place: &'a Place) -> impl Iterator<Item = String> + 'a {
        let inside = move |path: &Path| path.strip_prefix(place.root()).map(slashed).ok();
        self.documents
            .iter()
            .filter(|(_, document)| document.place.as_ref() == Some(place))
            .filter_map(move |(path, _)| inside(path))
    }

    fn check(&self, place: &Place) -> Option<Report> {
        match place {
            Place::Mod(root) => {
                let disk = DiskFiles::open(root).ok()?;
                Some(validate(&Overlay { disk, documents: &self.documents }, &self.options))
            }
            Place::Marketplace(root) => {
                let document = self.documents.get(&root.join(MARKETPLACE_JSON));
                Some(marketplace::check_text(root, document.map(|document| document.text.as_str())).report)
            }
        }
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
        let place = self.documents.get(&path).and_then(|document| document.place.as_ref());
        let Some((place, checked)) = place.and_then(|place| self.checked.get_key_value(place)) else {
            return Vec::new();
        };
        let inside = path.strip_prefix(place.root()).map(slashed).unwrap_or_default();
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
