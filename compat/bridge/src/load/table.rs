//! The table from which an isolate builds `$`.

use std::collections::BTreeMap;

use modgate_catalog::{Member, MemberKind};
use modgate_value::Value;

use crate::plugin::Plugin;

/// A method that a mod added to `$`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedMethod {
    /// The noun.
    pub noun: String,
    /// The method.
    pub method: String,
}

fn kind(kind: MemberKind) -> &'static str {
    match kind {
        MemberKind::Property => "value",
        MemberKind::Async | MemberKind::Handle => "async",
        MemberKind::Sync => "void",
        MemberKind::Stream => "stream",
    }
}

/// What stands in place of a property: the mod's own name and folder. Of a call, the arguments whose keys are read.
fn value(plugin: &Plugin, member: &Member) -> Value {
    match member.call {
        "plugin.name" => Value::text(plugin.name()),
        "plugin.root" => plugin.spec.root.as_ref().map_or(Value::Undefined, |root| Value::text(root.to_string_lossy())),
        _ if member.reads.is_empty() => Value::Undefined,
        _ => Value::list(member.reads.iter().map(|at| Value::from(*at))),
    }
}

/// `[[namespace, [[method, kind, value]]]]`: the catalog's members, and those that mods added.
pub(crate) fn dollar_table(plugin: &Plugin, added: &[AddedMethod]) -> Value {
    let mut nouns: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for member in modgate_catalog::members() {
        // Answered in the isolate, at once; to the catalog it is a property.
        let kind = if member.call == "ui.resolve" { "sync" } else { kind(member.kind) };
        let row = [Value::text(member.method), Value::text(kind), value(plugin, member)];
        nouns.entry(member.namespace).or_default().push(Value::list(row));
    }
    for AddedMethod { noun, method } in added {
        let row = [Value::text(method), Value::text("async"), Value::Undefined];
        nouns.entry(noun).or_default().push(Value::list(row));
    }
    Value::list(nouns.into_iter().map(|(noun, members)| Value::list([Value::text(noun), Value::list(members)])))
}
