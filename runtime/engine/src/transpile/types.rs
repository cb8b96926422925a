//! Imports and exports that are types although they do not say so as a whole: nothing is left of them.

use std::collections::HashSet;

use swc_ecma_ast::{
    Decl, ExportSpecifier, Id, ImportSpecifier, Module, ModuleDecl, ModuleExportName, ModuleItem, Pat, Stmt,
};

/// Marks imports of nothing but types, and exports of types that the module declares itself.
pub(super) fn mark(module: &mut Module) {
    let mut types = HashSet::new();
    let mut values = HashSet::new();
    for item in &module.body {
        match item {
            ModuleItem::Stmt(Stmt::Decl(declared)) => declare(declared, &mut types, &mut values),
            ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(export)) => declare(&export.decl, &mut types, &mut values),
            _ => {}
        }
    }
    for item in &mut module.body {
        match item {
            ModuleItem::ModuleDecl(ModuleDecl::Import(import)) => {
                let is_type =
                    |part: &ImportSpecifier| matches!(part, ImportSpecifier::Named(part) if part.is_type_only);
                import.type_only |= !import.specifiers.is_empty() && import.specifiers.iter().all(is_type);
            }
            ModuleItem::ModuleDecl(ModuleDecl::ExportNamed(export)) if export.src.is_none() => {
                for part in &mut export.specifiers {
                    if let ExportSpecifier::Named(part) = part
                        && let ModuleExportName::Ident(name) = &part.orig
                    {
                        part.is_type_only |= types.contains(&name.to_id()) && !values.contains(&name.to_id());
                    }
                }
            }
            _ => {}
        }
    }
}

/// What one declaration names; a type and a value may share a name.
fn declare(declared: &Decl, types: &mut HashSet<Id>, values: &mut HashSet<Id>) {
    match declared {
        Decl::TsInterface(interface) => drop(types.insert(interface.id.to_id())),
        Decl::TsTypeAlias(alias) => drop(types.insert(alias.id.to_id())),
        Decl::Class(class) => drop(values.insert(class.ident.to_id())),
        Decl::Fn(function) => drop(values.insert(function.ident.to_id())),
        Decl::TsEnum(made) => drop(values.insert(made.id.to_id())),
        Decl::Var(variables) => {
            values.extend(variables.decls.iter().filter_map(|variable| match &variable.name {
                Pat::Ident(name) => Some(name.to_id()),
                _ => None,
            }));
        }
        _ => {}
    }
}
