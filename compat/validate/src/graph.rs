//! The files a hooks module consists of: the module itself and all it imports, directly or not.

use crate::files::{Entry, Files};
use crate::found::Found;
use crate::rules::{import_dynamic, import_foreign, import_missing, syntax_error, unreadable_file};
use crate::syntax::{self, Parsed, SUFFIXES, is_code};
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
        if specifier == "claude-code" {
            return Some(Target::Library);
        }
        if !is_relative(specifier) {
            import_foreign::report(found, &self.loaded[from].text, at, specifier);
            return None;
        }
        let folder = self.loaded[from].text.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let Some(path) = join(folder, specifier) else {
            import_missing::outside(found, &self.loaded[from].text, at, specifier);
            return None;
        };
        let mut odd = None;
        for candidate in candidates(&path, specifier) {
            if let Some(Some(index)) = self.by_path.get(&candidate) {
                return Some(Target::File(*index));
            }
            match self.files.read(&candidate) {
                None | Some(Entry::NotAFile("directory")) => {}
                Some(Entry::NotAFile(kind)) => odd = odd.or(Some(kind)),
                Some(Entry::Outside) => {
                    import_missing::outside(found, &self.loaded[from].text, at, specifier);
                    return None;
                }
                Some(_) if !is_code(&candidate) => {
                    import_missing::suffix(found, &self.loaded[from].text, at, &candidate);
                    return None;
                }
                Some(entry) => return self.take(&candidate, entry, found).map(Target::File),
            }
        }
        import_missing::missing(found, &self.loaded[from].text, at, specifier, odd);
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

pub(crate) fn is_relative(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || specifier.starts_with("./") || specifier.starts_with("../")
}

/// A path relative to the mod's folder; `None` when it leaves it.
pub(crate) fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// What an import may mean, in the order in which it is tried.
fn candidates(path: &str, specifier: &str) -> Vec<String> {
    let mut all = Vec::with_capacity(20);
    let folder = specifier.ends_with('/') || path.is_empty() || specifier.ends_with("..") || specifier == ".";
    if !folder {
        all.push(path.to_owned());
        for (written, real) in
            [(".jsx", &[".tsx"] as &[_]), (".js", &[".ts", ".tsx"]), (".mjs", &[".mts"]), (".cjs", &[".cts"])]
        {
            if let Some(stem) = path.strip_suffix(written) {
                all.extend(real.iter().map(|suffix| format!("{stem}{suffix}")));
            }
        }
    }
    for suffix in SUFFIXES {
        if !folder {
            all.push(format!("{path}{suffix}"));
        }
        let slash = if path.is_empty() { "" } else { "/" };
        all.push(format!("{path}{slash}index{suffix}"));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_without_leaving() {
        assert_eq!(join("hooks", "../lib/./x.ts").as_deref(), Some("lib/x.ts"));
        assert_eq!(join("hooks", "../../x.ts"), None);
        assert_eq!(join("", "."), Some(String::new()));
    }

    #[test]
    fn a_javascript_name_may_stand_for_typescript() {
        assert_eq!(candidates("a.js", "./a.js")[..3], ["a.js", "a.ts", "a.tsx"]);
    }

    #[test]
    fn each_suffix_is_tried_as_a_file_and_then_as_an_index() {
        assert_eq!(candidates("a", "./a")[..4], ["a", "a.ts", "a/index.ts", "a.tsx"]);
    }
}
