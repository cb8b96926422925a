//! A folder on disk, and the facts of a report under the names that the real validator gives them.

use modgate_validate::report::{Facts, Literal, Matcher, Named};
use modgate_validate::{Entry, Files};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// A folder on disk, read as the program would.
pub struct Folder(pub PathBuf);

impl Files for Folder {
    fn read(&self, path: &str) -> Option<Entry> {
        let path = self.0.join(path);
        let meta = std::fs::metadata(&path).ok()?;
        if meta.is_dir() {
            return Some(Entry::NotAFile("directory"));
        }
        let real = path.canonicalize().ok()?;
        if !real.starts_with(self.0.canonicalize().ok()?) {
            return Some(Entry::Outside);
        }
        match String::from_utf8(std::fs::read(real).ok()?) {
            Ok(text) => Some(Entry::Text(text)),
            Err(error) => Some(Entry::Bytes(error.into_bytes())),
        }
    }
}

pub fn names(list: &[Named]) -> Value {
    list.iter().map(|named| named.name.as_str()).collect()
}

pub fn uses(facts: &Facts) -> Value {
    let uses = &facts.uses;
    let state = |keys: &[modgate_validate::report::StateKey]| -> Value {
        keys.iter().map(|state| json!({ "plugin": state.plugin, "key": state.key })).collect()
    };
    json!({
        "events": names(&uses.events),
        "calls": uses.calls.iter().map(|call| call.name.as_str()).collect::<Value>(),
        "env": { "reads": names(&uses.env.reads), "writes": names(&uses.env.writes) },
        "state": { "reads": state(&uses.state.reads), "writes": state(&uses.state.writes) },
        "hosts": { "named": names(&uses.hosts.named), "unread": names(&uses.hosts.unread) },
    })
}

pub fn hooks(facts: &Facts) -> Value {
    let hook = |hook: &modgate_validate::report::HookFact| {
        json!({
            "pattern": hook.pattern,
            "matcher": hook.matcher.as_ref().map_or(Value::Null, matcher),
            "defaultKeys": hook.default_keys,
            "isGate": hook.is_gate,
            "hasCatch": hook.has_catch,
        })
    };
    facts.hooks.iter().map(hook).collect()
}

fn matcher(of: &Matcher) -> Value {
    match of {
        Matcher::Is(Literal::Null) => json!({ "is": null }),
        Matcher::Is(Literal::Bool(value)) => json!({ "is": value }),
        Matcher::Is(Literal::Number(number)) if number.fract() == 0.0 => json!({ "is": *number as i64 }),
        Matcher::Is(Literal::Number(number)) => json!({ "is": number }),
        Matcher::Is(Literal::String(text)) => json!({ "is": text }),
        Matcher::AnyOf(any) => json!({ "anyOf": any.iter().map(matcher).collect::<Value>() }),
        Matcher::Has(fields) => {
            let fields: Map<String, Value> = fields.iter().map(|(key, of)| (key.clone(), matcher(of))).collect();
            json!({ "has": fields })
        }
        Matcher::Regex { source, flags } => json!({ "regex": source, "flags": flags }),
        Matcher::Unread => Value::Null,
    }
}

pub fn nouns(facts: &Facts) -> Value {
    facts.nouns.as_ref().map_or(Value::Null, |nouns| {
        json!({
            "adds": names(&nouns.adds),
            "addsUnlessThere": names(&nouns.adds_unless_there),
            "withholds": names(&nouns.withholds),
            "replaces": names(&nouns.replaces),
        })
    })
}
