//! `hooks/hooks.json`: the hooks module and settings hooks.

mod entries;

pub(crate) use entries::guards;

use crate::files::{Entry, Files};
use crate::found::Found;
use crate::imports::join;
use crate::json::{self, Json};
use crate::report::ClassicHook;
use crate::rules::{hooks_json, hooks_misspelt, hooks_module, settings_hook, settings_hooks_beside, unreadable_file};
use crate::syntax::is_code;
use crate::text::Text;

pub(crate) const PATH: &str = "hooks/hooks.json";

/// What the hooks files say.
#[derive(Default)]
pub(crate) struct HooksFiles {
    /// The hooks module: its path, and what is there.
    pub(crate) module: Option<(String, Entry)>,
    /// A module is named, whether or not it can be loaded.
    pub(crate) named: Option<String>,
    pub(crate) classic: Vec<ClassicHook>,
    pub(crate) texts: Vec<Text>,
}

/// Reads `hooks/hooks.json`, where there is one, and the files the manifest names.
pub(crate) fn read(
    files: &dyn Files,
    found: &mut Found,
    named: &[(String, (u32, u32))],
    manifest: Option<&Text>,
) -> HooksFiles {
    let mut all = HooksFiles::default();
    let more = named.iter().filter(|(path, _)| path != PATH).map(|(path, at)| (path.as_str(), Some(*at)));
    for (path, at) in std::iter::once((PATH, None)).chain(more) {
        match (files.read(path), at, manifest) {
            (Some(Entry::Text(text)), ..) => {
                let text = Text::new(path, text);
                file(files, found, &text, &mut all);
                all.texts.push(text);
            }
            (Some(other), ..) => unreadable_file::report(found, path, &other),
            (None, Some(at), Some(text)) => crate::rules::manifest_path::missing(found, text, at, path),
            (None, ..) => {}
        }
    }
    all
}

fn file(files: &dyn Files, found: &mut Found, text: &Text, all: &mut HooksFiles) {
    // Unlike the manifest, this file is read without removing a byte order mark.
    let json = match json::parse(&text.text, 0) {
        Ok(json) => json,
        Err(error) => return hooks_json::report(found, text, (error.start, error.end), &error.message),
    };
    let Some(entries) = json.entries() else {
        let message = format!("the file is {} and should be an object", json.kind());
        return hooks_json::report(found, text, (json.start, json.end), &message);
    };
    if let Some(given) = json.get("description").filter(|given| given.text().is_none()) {
        let message = format!("description is {} and should be a text", given.kind());
        hooks_json::report(found, text, (given.start, given.end), &message);
    }
    let modules = json.entry("modules");
    let has_modules = modules.is_some_and(|modules| modules.value.list().is_none_or(|list| !list.is_empty()));
    if json.get("hooks").is_none() && !has_modules {
        let at = modules.map_or((json.start, json.start + 1), |modules| (modules.start, modules.end));
        hooks_json::report(found, text, at, "the file names neither modules nor hooks");
    }
    if let Some(modules) = modules {
        module(files, found, text, &modules.value, all);
    }
    for entry in entries {
        hooks_misspelt::check(found, text, entry);
        settings_hook::outside(found, text, entry);
    }
    if let Some(hooks) = json.entry("hooks") {
        let before = all.classic.len();
        entries::read(found, text, &hooks.value, &mut all.classic);

        if all.named.is_some() && all.classic.len() > before {
            settings_hooks_beside::report(found, text, (hooks.start, hooks.end), all.classic.len() - before);
        }
    }
    if found.has_errors_in(&text.path) {
        // The host takes nothing from such a file, so the module is not read either.
        all.module = None;
    }
}

/// Settings hooks in the manifest.
pub(crate) fn inline(found: &mut Found, text: &Text, hooks: &Json, all: &mut HooksFiles) {
    for wrapped in hooks.entries().unwrap_or_default().iter().filter(|entry| entry.key == "hooks") {
        if wrapped.value.entries().is_some_and(|events| events.iter().any(|event| guards(&event.key))) {
            let message = "hooks of the manifest holds events, and hooks is none".to_owned();
            settings_hook::malformed(found, text, (wrapped.start, wrapped.end), true, message);
        }
    }
    entries::read(found, text, hooks, &mut all.classic);
}

fn module(files: &dyn Files, found: &mut Found, text: &Text, modules: &Json, all: &mut HooksFiles) {
    let Some(list) = modules.list() else {
        return hooks_module::report(
            found,
            text,
            (modules.start, modules.end),
            format!("modules is {} and should be a list with one path", modules.kind()),
        );
    };
    for item in list.iter().filter(|item| item.text().is_none()) {
        hooks_module::report(
            found,
            text,
            (item.start, item.end),
            format!("a module is named by {}, not by a path", item.kind()),
        );
    }
    if let Some(second) = list.get(1) {
        hooks_module::report(
            found,
            text,
            (second.start, second.end),
            "a mod has one hooks module; this is a second one",
        );
    }
    let Some(first) = list.first() else { return };
    let Some(written) = first.text() else { return };
    let at = (first.start, first.end);
    if let Some(before) = &all.named {
        return hooks_module::report(
            found,
            text,
            at,
            format!("a mod has one hooks module, and {before} is named already"),
        );
    }
    if hooks_module::odd_on_windows(written) {
        return hooks_module::report(
            found,
            text,
            at,
            "the path holds a backslash, a colon, a short name or a name that ends in a dot or space, which opens other files on other systems",
        );
    }
    let folder = text.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = if written.starts_with('/') { None } else { join(folder, written) };
    let Some(path) = path else {
        return hooks_module::report(found, text, at, format!("{written:?} is outside the mod's folder"));
    };
    all.named = Some(path.clone());
    let entry = files.read(&path);
    let wrong = match &entry {
        None => format!("there is no file {path}"),
        Some(Entry::NotAFile(kind)) => format!("{path} is no regular file but a {kind}"),
        Some(Entry::Outside) => format!("{path} is a link that leaves the mod's folder"),
        Some(_) if !is_code(&path) => {
            format!("{path} is not named like code: .ts, .tsx, .jsx, .js, .mjs, .cjs, .mts or .cts")
        }
        Some(_) => {
            all.module = entry.filter(|_| list.len() == 1).map(|entry| (path, entry));
            return;
        }
    };
    hooks_module::report(found, text, at, wrong);
}
