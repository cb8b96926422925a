//! Which function a name stands for.

use super::{FnRef, Program};
use crate::graph::Target;
use crate::tree::{BindKind, ExportOf, Imported, Role, ScopeId};

/// What a name stands for where a function is expected.
pub(crate) enum Callee<'a> {
    /// A function declared at the top of a file; `abroad` when the way to it went through an import.
    Function { func: FnRef, abroad: bool },
    /// A local declaration of the same name hides the top-level function.
    Hidden((u32, u32)),
    /// The name is assigned to.
    Reassigned((u32, u32)),
    /// Not a function of the mod's files.
    Unknown,
    /// Imported from this file of the mod, which has no such function.
    NotExported(&'a str),
    /// A name of `claude-code`.
    Library(&'a str),
    /// An import that did not resolve; that is reported where it stands.
    Broken,
}

/// Imports may lead through this many files before we stop believing them.
const LONGEST: u32 = 64;

/// The function a name refers to where it is used.
pub(crate) fn function_named<'a>(program: &Program<'a>, unit: usize, name: &str, scope: ScopeId) -> Callee<'a> {
    let Some(owner) = program.units.get(unit).and_then(Option::as_ref) else { return Callee::Broken };
    let tree = &owner.tree;
    let Some(id) = tree.resolve(name, scope) else { return Callee::Unknown };
    let bind = tree.bind(id);
    if bind.scope != 0 {
        let top = tree.top(name).map(|top| tree.bind(top));
        let hides = top.is_some_and(|top| top.func.is_some() || top.import.is_some());
        return if hides { Callee::Hidden(bind.at) } else { Callee::Unknown };
    }
    if let Some(import) = bind.import {
        return match (owner.targets.get(import.source), import.what) {
            (Some(Target::Library), Imported::Name(what)) => Callee::Library(what),
            (Some(Target::File(file)), Imported::Name(what)) => match exported_function(program, *file, what, 0) {
                Some(func) => Callee::Function { func, abroad: true },
                None if program.units[*file].is_none() => Callee::Broken,
                None => Callee::NotExported(import.source),
            },
            (None, _) => Callee::Broken,
            _ => Callee::Unknown,
        };
    }
    let Some(func) = bind.func.filter(|_| matches!(bind.kind, BindKind::Function | BindKind::Const)) else {
        return Callee::Unknown;
    };
    let uses = tree.uses(id);
    let assigned = uses
        .into_iter()
        .map(|id| &tree.refs[id as usize])
        .find(|used| matches!(tree.link(used.link).role, Role::Target));
    match assigned {
        Some(used) => Callee::Reassigned(used.at),
        None => Callee::Function { func: (unit, func), abroad: false },
    }
}

/// The function a file exports by this name, its own or one it passes on.
pub(crate) fn exported_function(program: &Program<'_>, unit: usize, name: &str, depth: u32) -> Option<FnRef> {
    let owner = program.units.get(unit).and_then(Option::as_ref)?;
    if depth > LONGEST {
        return None;
    }
    let tree = &owner.tree;
    let follow = |source: &str, name: &str| match owner.targets.get(source) {
        Some(Target::File(file)) => exported_function(program, *file, name, depth + 1),
        _ => None,
    };
    let Some(export) = tree.export_named(name) else {
        return tree.exports.iter().find_map(|export| match export.of {
            ExportOf::All(source) if export.name == "*" && name != "default" => follow(source, name),
            _ => None,
        });
    };
    match export.of {
        ExportOf::Local(local) | ExportOf::Declared(local) => {
            let bind = tree.bind(tree.top(local)?);
            let fits = matches!(bind.kind, BindKind::Function | BindKind::Const);
            bind.func.filter(|_| fits).map(|func| (unit, func))
        }
        ExportOf::Function(func) => Some((unit, func)),
        ExportOf::From(source, imported) => follow(source, imported),
        ExportOf::Value | ExportOf::All(_) => None,
    }
}
