//! The fields of the manifest and their types.

use crate::files::Files;
use crate::found::Found;
use crate::json::{Entry, Json, Value};
use crate::rules::{manifest_field, manifest_name, manifest_path, manifest_unknown};
use crate::text::Text;

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Address,
    Object,
    Texts,
    Bool,
    /// A path, or a list of paths, inside the folder.
    Paths,
    /// The same, each ending in `.md`.
    Documents,
    /// Servers by name, or a path to a file of such.
    Servers,
    /// Objects in a list, or names too.
    Objects,
    Dependencies,
    /// An object; anything else is only warned about.
    ObjectAdvised,
    /// A path to a JSON file, a list of such and of objects, or (true) one object.
    Parts(bool),
    /// Checked elsewhere, or free.
    Any,
}

/// Every field the host reads, sorted.
const FIELDS: [(&str, Kind); 29] = [
    ("$schema", Kind::Text),
    ("agents", Kind::Documents),
    ("author", Kind::Object),
    ("channels", Kind::Objects),
    ("commands", Kind::Paths),
    ("defaultEnabled", Kind::Bool),
    ("dependencies", Kind::Dependencies),
    ("description", Kind::Text),
    ("displayName", Kind::Text),
    ("engines", Kind::Any),
    ("experimental", Kind::ObjectAdvised),
    ("homepage", Kind::Address),
    ("hooks", Kind::Any),
    ("icon", Kind::Any),
    ("keywords", Kind::Texts),
    ("license", Kind::Text),
    ("lspServers", Kind::Parts(true)),
    ("mcpServers", Kind::Servers),
    ("monitors", Kind::Parts(false)),
    ("name", Kind::Any),
    ("network", Kind::Any),
    ("outputStyles", Kind::Paths),
    ("repository", Kind::Text),
    ("settings", Kind::Object),
    ("skills", Kind::Paths),
    ("themes", Kind::Paths),
    ("types", Kind::Text),
    ("userConfig", Kind::Any),
    ("version", Kind::Text),
];

/// Of those, what says something about the mod and changes nothing in it.
const FOR_READERS: [&str; 7] =
    ["author", "description", "displayName", "homepage", "keywords", "license", "repository"];

/// Also read, but not of interest: `workflows` is a list of paths that only newer hosts look at.
const WORKFLOWS: &str = "workflows";

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().map(|(name, _)| *name).chain([WORKFLOWS])
}

pub(super) fn check(files: &dyn Files, found: &mut Found, text: &Text, json: &Json) {
    manifest_name::check(found, text, json);
    for entry in json.entries().unwrap_or_default() {
        let kind = FIELDS.iter().find(|(name, _)| *name == entry.key).map(|(_, kind)| *kind);
        match kind {
            Some(kind) => {
                let count = found.count();
                field(files, found, text, entry, kind);
                if FOR_READERS.contains(&entry.key.as_str()) {
                    found.install_only_since(count);
                }
            }
            None if entry.key == WORKFLOWS => field(files, found, text, entry, Kind::Paths),
            None => manifest_unknown::report(found, text, entry),
        }
    }
    if let Some(author) = json.get("author").filter(|author| author.entries().is_some()) {
        let count = found.count();
        match author.get("name") {
            Some(name) if name.text().is_some() => {}
            Some(name) => manifest_field::wrong(found, text, "author.name", name, "a text"),
            None => manifest_field::missing(found, text, (author.start, author.end), "author.name"),
        }
        found.install_only_since(count);
    }
}

fn field(files: &dyn Files, found: &mut Found, text: &Text, entry: &Entry, kind: Kind) {
    let value = &entry.value;
    let key = entry.key.as_str();
    match kind {
        Kind::Any => {}
        Kind::Servers => servers(files, found, text, key, value),
        Kind::Parts(object) => parts(files, found, text, key, value, object),
        Kind::ObjectAdvised if value.entries().is_some() => {}
        Kind::ObjectAdvised => manifest_field::advised(found, text, key, value, "an object"),
        Kind::Objects | Kind::Dependencies => items(found, text, key, value, kind == Kind::Dependencies),
        Kind::Text if value.text().is_some() => {}
        Kind::Address if value.text().is_some_and(|address| url::Url::parse(address).is_ok()) => {}
        Kind::Address if value.text().is_some() => {
            manifest_field::wrong(found, text, key, value, "an address such as https://example.com")
        }
        Kind::Text | Kind::Address => manifest_field::wrong(found, text, key, value, "a text"),
        Kind::Object if value.entries().is_some() => {}
        Kind::Object => manifest_field::wrong(found, text, key, value, "an object"),
        Kind::Bool if value.bool().is_some() => {}
        Kind::Bool => manifest_field::wrong(found, text, key, value, "true or false"),
        Kind::Texts => match value.list() {
            None => manifest_field::wrong(found, text, key, value, "a list of texts"),
            Some(items) => {
                for item in items.iter().filter(|item| item.text().is_none()) {
                    manifest_field::wrong(found, text, key, item, "a text");
                }
            }
        },
        Kind::Paths | Kind::Documents => paths(files, found, text, key, value, kind),
    }
}

/// A list of objects; `names` stand in it too.
fn items(found: &mut Found, text: &Text, key: &str, value: &Json, names: bool) {
    let Some(items) = value.list() else { return manifest_field::wrong(found, text, key, value, "a list") };
    let fits = |item: &Json| item.entries().is_some() || names && item.text().is_some();
    for item in items.iter().filter(|item| !fits(item)) {
        manifest_field::wrong(found, text, key, item, if names { "a name or an object" } else { "an object" });
    }
}

fn parts(files: &dyn Files, found: &mut Found, text: &Text, key: &str, value: &Json, object: bool) {
    match &value.value {
        Value::String(written) => {
            if !written.ends_with(".json") {
                manifest_path::suffix(found, text, (value.start, value.end), written, ".json");
            }
            path(files, found, text, key, value, Kind::Paths);
        }
        Value::Array(items) => items.iter().for_each(|item| parts(files, found, text, key, item, true)),
        Value::Object(_) if object => {}
        _ if object => manifest_field::wrong(found, text, key, value, "a path, a list or an object"),
        _ => manifest_field::wrong(found, text, key, value, "a path or a list"),
    }
}

fn paths(files: &dyn Files, found: &mut Found, text: &Text, key: &str, value: &Json, kind: Kind) {
    match &value.value {
        Value::String(_) => path(files, found, text, key, value, kind),
        Value::Array(items) => items.iter().for_each(|item| path(files, found, text, key, item, kind)),
        Value::Object(_) if key == "commands" => {}
        _ => manifest_field::wrong(found, text, key, value, "a path or a list of paths"),
    }
}

fn path(files: &dyn Files, found: &mut Found, text: &Text, key: &str, value: &Json, kind: Kind) {
    let Some(written) = value.text() else {
        return manifest_field::wrong(found, text, key, value, "a path");
    };
    let at = (value.start, value.end);
    if kind == Kind::Documents && !written.ends_with(".md") {
        manifest_path::suffix(found, text, at, written, ".md");
    }
    if let Some(inside) = manifest_path::inside(found, text, at, written)
        && !inside.is_empty()
        && files.read(&inside).is_none()
    {
        manifest_path::missing(found, text, at, written);
    }
}

fn servers(files: &dyn Files, found: &mut Found, text: &Text, key: &str, value: &Json) {
    match &value.value {
        Value::String(_) => path(files, found, text, key, value, Kind::Paths),
        Value::Array(items) => items.iter().for_each(|item| servers(files, found, text, key, item)),
        Value::Object(entries) => {
            for server in entries {
                let reached = ["command", "url"].iter().any(|way| server.value.get(way).and_then(Json::text).is_some());
                if !reached {
                    manifest_field::wrong(
                        found,
                        text,
                        &server.key,
                        &server.value,
                        "an object with a command or an url",
                    );
                }
            }
        }
        _ => manifest_field::wrong(found, text, key, value, "an object or a path"),
    }
}

/// Hooks files the manifest names.
pub(super) fn hooks_files(found: &mut Found, text: &Text, json: &Json) -> Vec<(String, (u32, u32))> {
    let Some(hooks) = json.get("hooks") else { return Vec::new() };
    let named: &[Json] = match &hooks.value {
        Value::String(_) => std::slice::from_ref(hooks),
        Value::Array(items) => items,
        Value::Object(_) => return Vec::new(),
        _ => {
            manifest_field::wrong(found, text, "hooks", hooks, "a path, a list of paths or an object");
            return Vec::new();
        }
    };
    let mut files = Vec::new();
    for item in named {
        let at = (item.start, item.end);
        match item.text() {
            Some(written) => files.extend(manifest_path::inside(found, text, at, written).map(|path| (path, at))),
            None if item.entries().is_some() => {}
            None => manifest_field::wrong(found, text, "hooks", item, "a path"),
        }
    }
    files
}

#[cfg(test)]
mod tests {
    #[test]
    fn fields_are_sorted() {
        assert!(super::FIELDS.is_sorted_by_key(|(name, _)| *name));
    }
}
