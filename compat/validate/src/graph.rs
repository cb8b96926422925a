//! The files a hooks module consists of: the module itself and all it imports, directly or not.

use crate::files::{Entry, Files};
use crate::found::Found;
use crate::imports::{self, Import};
use crate::rules::{import_dynamic, import_foreign, import_missing, syntax_error, unreadable_file};
use crate::syntax::{self, Parsed};
use crate::text::Text;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use swc_ecma_ast::{ExportSpecifier, ImportSpecifier, ModuleDecl, ModuleItem, Str};

/// A file of the module.
pub(crate) struct File {
    pub(crate) text: Text,
    pub(crate) parsed: Option<Parsed>,
    /// What its imports lead to, by specifier.
    pub(crate) targets: FxHashMap<String, Target>,
}

/// Where an import leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A file of the mod, by index.
    File(usize),
    /// `claude-code`.
    Library,
}

/// Files by path; each is read once, however many ask for it.
pub(crate) struct Graph<'f> {
    files: &'f dyn Files,
    pub(crate) loaded: Vec<File>,
    by_path: FxHashMap<String, Option<usize>>,
    waiting: VecDeque<usize>,
}

impl<'f> Graph<'f> {
    pub(crate) fn new(files: &'f dyn Files) -> Graph<'f> {
        Graph { files, loaded: Vec::new(), by_path: FxHashMap::default(), waiting: VecDeque::new() }
    }

    /// Loads a file that exists and everything it imports. `None` when it cannot be read.
    pub(crate) fn load(&mut self, path: &str, entry: Entry, found: &mut Found) -> Option<usize> {
        let index = self.take(path, entry, found);
        while let Some(next) = self.waiting.pop_front() {
            self.follow(next, found);
        }
        index
    }

    fn take(&mut self, path: &str, entry: Entry, found: &mut Found) -> Option<usize> {
        if let Some(known) = self.by_path.get(path) {
            return *known;
        }
        let text = match entry {
            Entry::Text(text) => Text::new(path, text),
            other => {
                unreadable_file::report(found, path, &other);
                self.by_path.insert(path.to_owned(), None);
                return None;
            }
        };
        let parsed = match syntax::parse(&text) {
            Ok(parsed) => Some(parsed),
            Err(errors) => {
                syntax_error::report(found, &text, errors);
                None
            }
        };
        let index = self.loaded.len();
        self.loaded.push(File { text, parsed, targets: FxHashMap::default() });
        self.by_path.insert(path.to_owned(), Some(index));
        self.waiting.push_back(index);
        Some(index)
    }

    fn follow(&mut self, index: usize, found: &mut Found) {
        let file = &self.loaded[index];
        let Some(parsed) = &file.parsed else { return };
        let requests: Vec<(String, (u32, u32))> = parsed
            .module()
            .body
            .iter()
            .filter_map(request)
            .map(|source| (source.value.to_string_lossy().into_owned(), parsed.offsets(source.span)))
            .collect();
        for (specifier, at) in requests {
            if self.loaded[index].targets.contains_key(&specifier) {
                continue;
            }
            if let Some(target) = self.resolve(index, &specifier, at, found) {
                self.loaded[index].targets.insert(specifier, target);
            }
        }
    }

    fn resolve(&mut self, from: usize, specifier: &str, at: (u32, u32), found: &mut Found) -> Option<Target> {
        let (files, by_path) = (self.files, &self.by_path);
        // What is there is known of a file that was read: its text is not needed again.
        let mut read = |path: &str| match by_path.contains_key(path) {
            true => Some(Entry::Text(String::new())),
            false => files.read(path),
        };
        let text = &self.loaded[from].text;
        match imports::resolve_by(&mut read, &text.path, specifier) {
            Import::Library => return Some(Target::Library),
            Import::File(path, entry) => return self.take(&path, entry, found).map(Target::File),
            Import::Foreign => import_foreign::report(found, text, at, specifier),
            Import::Outside => import_missing::outside(found, text, at, specifier),
            Import::NotCode(path) => import_missing::suffix(found, text, at, &path),
            Import::Missing(odd) => import_missing::missing(found, text, at, specifier, odd),
        }
        None
    }

    pub(crate) fn report_dynamic_imports(text: &Text, imports: &[(u32, u32)], found: &mut Found) {
        for at in imports {
            import_dynamic::report(found, text, *at);
        }
    }
}

/// The specifier of a declaration that is still there when types are gone.
fn request(item: &ModuleItem) -> Option<&Str> {
    let ModuleItem::ModuleDecl(decl) = item else { return None };
    match decl {
        ModuleDecl::Import(import) => {
            let only_type =
                |specifier: &ImportSpecifier| matches!(specifier, ImportSpecifier::Named(named) if named.is_type_only);
            let types = import.type_only || (!import.specifiers.is_empty() && import.specifiers.iter().all(only_type));
            (!types).then_some(&*import.src)
        }
        ModuleDecl::ExportNamed(named) => {
            let only_type =
                |specifier: &ExportSpecifier| matches!(specifier, ExportSpecifier::Named(named) if named.is_type_only);
            let types = named.type_only || (!named.specifiers.is_empty() && named.specifiers.iter().all(only_type));
            if types { None } else { named.src.as_deref() }
        }
        ModuleDecl::ExportAll(all) if !all.type_only => Some(&all.src),
        _ => None,
    }
}
