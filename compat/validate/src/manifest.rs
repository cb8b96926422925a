//! `.claude-plugin/plugin.json`.

pub(crate) mod fields;
mod user_config;

use crate::files::{Entry, Files};
use crate::found::Found;
use crate::json::{self, Json};
use crate::report::OptionFact;
use crate::rules::{manifest_json, types_contract, unreadable_file};
use crate::text::Text;

pub(crate) const PATH: &str = ".claude-plugin/plugin.json";

/// What the manifest says.
#[derive(Default)]
pub(crate) struct Manifest {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) options: Vec<OptionFact>,
    /// State values that the types contract declares: owner and key.
    pub(crate) declared: Vec<(String, String)>,
    /// Further hooks files it names, with the place of the name.
    pub(crate) hooks_files: Vec<(String, (u32, u32))>,
    /// Settings hooks written in the manifest itself.
    pub(crate) inline_hooks: Option<Json>,
    pub(crate) text: Option<Text>,
    /// The types contract, where there is one.
    pub(crate) contract: Option<Text>,
}

/// Reads and checks the manifest.
pub(crate) fn read(files: &dyn Files, found: &mut Found) -> Manifest {
    let text = match files.read(PATH) {
        Some(Entry::Text(text)) => Text::new(PATH, text),
        Some(other) => {
            unreadable_file::report(found, PATH, &other);
            return Manifest::default();
        }
        None => {
            manifest_json::missing(found);
            return Manifest::default();
        }
    };
    let (body, base) = text.without_mark();
    let json = match json::parse(body, base) {
        Ok(json) => json,
        Err(error) => {
            manifest_json::report(found, &text, (error.start, error.end), &error.message);
            return Manifest { text: Some(text), ..Manifest::default() };
        }
    };
    if json.entries().is_none() {
        let message = format!("the manifest is {} and should be an object", json.kind());
        manifest_json::report(found, &text, (json.start, json.end), &message);
        return Manifest { text: Some(text), ..Manifest::default() };
    }
    let mut manifest = Manifest {
        name: json.get("name").and_then(Json::text).map(str::to_owned),
        version: json.get("version").and_then(Json::text).map(str::to_owned),
        ..Manifest::default()
    };
    fields::check(files, found, &text, &json);
    manifest.options = user_config::read(found, &text, &json);
    manifest.hooks_files = fields::hooks_files(found, &text, &json);
    manifest.contract = contract(files, found, &text, &json);
    if let Some(contract) = &manifest.contract {
        manifest.declared = types_contract::check(found, &text, &json, contract);
    }
    if let Some(hooks) = json.entry("hooks").filter(|hooks| hooks.value.entries().is_some()) {
        let at = (hooks.value.start as usize, hooks.value.end as usize);
        manifest.inline_hooks = text.text.get(at.0..at.1).and_then(|part| json::parse(part, at.0 as u32).ok());
    }
    manifest.text = Some(text);
    manifest
}

/// Where the types contract is when the manifest does not say.
const USUAL_CONTRACT: &str = "types/index.d.ts";

fn contract(files: &dyn Files, found: &mut Found, text: &Text, json: &Json) -> Option<Text> {
    let Some(types) = json.get("types") else {
        // The host takes this one without being told.
        return match files.read(USUAL_CONTRACT)? {
            Entry::Text(contract) => Some(Text::new(USUAL_CONTRACT, contract)),
            _ => None,
        };
    };
    let written = types.text()?;
    let path = types_contract::path(found, text, types, written)?;
    match files.read(&path) {
        Some(Entry::Text(contract)) => Some(Text::new(path, contract)),
        Some(other) => {
            unreadable_file::report(found, &path, &other);
            None
        }
        None => {
            crate::rules::manifest_path::missing(found, text, (types.start, types.end), written);
            None
        }
    }
}
