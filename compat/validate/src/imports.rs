//! Where an import leads. The rules and the loader of an engine ask here, so that what was checked is what runs.

use crate::files::{Entry, Files};
use crate::syntax::{SUFFIXES, is_code};

/// Where an import leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Import {
    /// `claude-code`, which the host brings.
    Library,
    /// A module of the mod: its path, and what is there (not always a readable text).
    File(String, Entry),
    /// Neither a relative path nor `claude-code`.
    Foreign,
    /// Out of the mod's folder.
    Outside,
    /// A file of the mod that is no module, as its suffix says.
    NotCode(String),
    /// Nowhere; where something odd (a FIFO, a loop of links) stands in the way, what it is.
    Missing(Option<&'static str>),
}

/// Where `specifier` leads in the module at `from`, a path in the mod's folder.
pub fn resolve(files: &dyn Files, from: &str, specifier: &str) -> Import {
    resolve_by(&mut |path| files.read(path), from, specifier)
}

/// The same for one who has read some of the files already.
pub(crate) fn resolve_by(read: &mut dyn FnMut(&str) -> Option<Entry>, from: &str, specifier: &str) -> Import {
    if specifier == "claude-code" {
        return Import::Library;
    }
    if !is_relative(specifier) {
        return Import::Foreign;
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let Some(path) = join(folder, specifier) else { return Import::Outside };
    let mut odd = None;
    for candidate in candidates(&path, specifier) {
        match read(&candidate) {
            None | Some(Entry::NotAFile("directory")) => {}
            Some(Entry::NotAFile(kind)) => odd = odd.or(Some(kind)),
            Some(Entry::Outside) => return Import::Outside,
            Some(_) if !is_code(&candidate) => return Import::NotCode(candidate),
            Some(entry) => return Import::File(candidate, entry),
        }
    }
    Import::Missing(odd)
}

pub(crate) fn is_relative(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || specifier.starts_with("./") || specifier.starts_with("../")
}

/// `relative` as seen from `folder`, both with `/`: a path in the mod's folder, or `None` when it leaves that.
pub fn join(folder: &str, relative: &str) -> Option<String> {
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
