//! The types contract is not self-contained.

use crate::found::Found;
use crate::json::Json;
use crate::syntax;
use crate::text::Text;
use swc_common::Spanned;
use swc_ecma_ast::{
    Decl, Expr, Lit, ModuleDecl, ModuleItem, Stmt, TsModuleName, TsNamespaceBody, TsType, TsTypeElement,
};

rule! {
    /// # What
    ///
    /// The file that `types` of the manifest names does not end in .d.ts, does not parse, imports or references
    /// something, declares something global, or holds more than types.
    ///
    /// # Why
    ///
    /// Other mods are checked against this one file, by itself, so it may only export declarations of its own and
    /// augment the module `claude-code`.
    ///
    /// # Example
    ///
    /// ```js
    /// import type { X } from './x'
    /// interface Shared { x: X }
    /// ```
    ///
    /// # Instead
    ///
    /// Export what it declares, and write everything in the file:
    ///
    /// ```js
    /// export interface MineValue { x: number }
    /// declare module 'claude-code' { interface PluginState { mine: { value: MineValue } } }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "types-contract", Error, "the types contract is not self-contained"
}

/// The path, when `types` names a file a contract may be in.
pub(crate) fn path(found: &mut Found, text: &Text, types: &Json, written: &str) -> Option<String> {
    let at = (types.start, types.end);
    let inside = super::manifest_path::inside(found, text, at, written)?;
    if !written.ends_with(".d.ts") {
        found.at(&RULE, text, at, "types names a declaration file, which ends in .d.ts");
    }
    Some(inside)
}

/// Checks the contract; the state values it declares, as owner and key.
pub(crate) fn check(found: &mut Found, _manifest: &Text, _json: &Json, contract: &Text) -> Vec<(String, String)> {
    for (line, start) in references(&contract.text) {
        found.at(&RULE, contract, (start, start + line.len() as u32), "a reference reaches outside the file");
    }
    for at in imported_types(&contract.text) {
        found.at(&RULE, contract, (at, at + "import".len() as u32), "the contract reaches outside the file");
    }
    let parsed = match syntax::parse(contract) {
        Ok(parsed) => parsed,
        Err(errors) => {
            for error in errors {
                found.at(&RULE, contract, (error.start, error.end), error.message);
            }
            return Vec::new();
        }
    };
    let mut declared = Vec::new();
    parsed.with_stack(|| {
        for item in &parsed.module().body {
            let at = parsed.offsets(item.span());
            match top(item, &mut declared) {
                Ok(()) => {}
                Err(message) => {
                    found.at(&RULE, contract, (at.0, at.1.min(at.0 + 24)), message);
                }
            }
        }
    });
    declared
}

fn references(text: &str) -> impl Iterator<Item = (&str, u32)> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len() as u32;
        let trimmed = line.trim();
        trimmed
            .starts_with("/// <reference")
            .then_some((trimmed, start + (line.len() - line.trim_start().len()) as u32))
    })
}

/// Where `import('...')` stands as a type: outside of comments and texts.
fn imported_types(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let after = match sign {
            '/' if rest.starts_with("//") => rest.find('\n'),
            '/' if rest.starts_with("/*") => rest.get(2..).and_then(|rest| rest.find("*/")).map(|end| end + 4),
            '\'' | '"' | '`' => rest.get(1..).and_then(|rest| rest.find(sign)).map(|end| end + 2),
            _ if sign.is_alphanumeric() || sign == '_' || sign == '$' => {
                let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
                let (name, behind) = rest.split_at(end);
                if name == "import" && behind.trim_start().starts_with('(') {
                    found.push((text.len() - rest.len()) as u32);
                }
                Some(end)
            }
            _ => Some(sign.len_utf8()),
        };
        rest = after.and_then(|after| rest.get(after..)).unwrap_or_default();
    }
    found
}

/// What runs, in a block for the library.
fn runs(item: &ModuleItem) -> bool {
    let decl = match item {
        ModuleItem::Stmt(Stmt::Decl(decl)) => decl,
        ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(export)) => &export.decl,
        _ => return false,
    };
    !matches!(decl, Decl::TsInterface(_) | Decl::TsTypeAlias(_) | Decl::TsModule(_))
}

fn top(item: &ModuleItem, declared: &mut Vec<(String, String)>) -> Result<(), &'static str> {
    let ModuleItem::ModuleDecl(decl) = item else {
        let ModuleItem::Stmt(Stmt::Decl(decl)) = item else { return Ok(()) };
        return match decl {
            Decl::TsModule(module) if !module.global && is_library(&module.id) => {
                if let Some(TsNamespaceBody::TsModuleBlock(block)) = &module.body {
                    if block.body.iter().any(|item| matches!(item, ModuleItem::ModuleDecl(ModuleDecl::Import(_)))) {
                        return Err("the contract reaches outside the file");
                    }
                    if block.body.iter().any(runs) {
                        return Err("a contract holds types and nothing that runs");
                    }
                    block.body.iter().for_each(|item| states(item, declared));
                }
                Ok(())
            }
            Decl::TsModule(_) => Err("only the module claude-code may be augmented"),
            _ => Err("a declaration without export would be global in the programs of others"),
        };
    };
    match decl {
        ModuleDecl::Import(_) | ModuleDecl::ExportAll(_) | ModuleDecl::TsImportEquals(_) => {
            Err("the contract reaches outside the file")
        }
        ModuleDecl::ExportNamed(named) if named.src.is_some() => Err("the contract reaches outside the file"),
        ModuleDecl::ExportNamed(named) if named.type_only => Ok(()),
        ModuleDecl::ExportDecl(export) if matches!(export.decl, Decl::TsInterface(_) | Decl::TsTypeAlias(_)) => Ok(()),
        _ => Err("a contract exports types and interfaces, and nothing else"),
    }
}

fn is_library(id: &TsModuleName) -> bool {
    matches!(id, TsModuleName::Str(name) if name.value.as_str() == Some("claude-code"))
}

/// Keys of `interface PluginState { owner: { key: ... } }`.
fn states(item: &ModuleItem, declared: &mut Vec<(String, String)>) {
    let decl = match item {
        ModuleItem::Stmt(Stmt::Decl(decl)) => decl,
        ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(export)) => &export.decl,
        _ => return,
    };
    let Decl::TsInterface(interface) = decl else { return };
    if &*interface.id.sym != "PluginState" {
        return;
    }
    for (owner, of) in members(&interface.body.body) {
        let TsType::TsTypeLit(keys) = of else { continue };
        declared.extend(members(&keys.members).map(|(key, _)| (owner.to_owned(), key.to_owned())));
    }
}

fn members(all: &[TsTypeElement]) -> impl Iterator<Item = (&str, &TsType)> {
    all.iter().filter_map(|member| {
        let TsTypeElement::TsPropertySignature(property) = member else { return None };
        let name = match &*property.key {
            Expr::Ident(ident) => &*ident.sym,
            Expr::Lit(Lit::Str(text)) => text.value.as_str()?,
            _ => return None,
        };
        Some((name, &*property.type_ann.as_ref()?.type_ann))
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn what_reaches_outside() {
        check(
            "types-contract",
            r#"
    //- /.claude-plugin/plugin.json
    { "name": "mine", "types": "./types.d.ts" }
    //- /types.d.ts
    /// <reference types="node" />
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ types-contract
    import type { X } from './x'
    ^^^^^^^^^^^^^^^^^^^^^^^^ types-contract
    interface Shared { x: 1 }
    ^^^^^^^^^^^^^^^^^^^^^^^^ types-contract
    declare global {}
    ^^^^^^^^^^^^^^^^^ types-contract
    export interface MineValue { x: 1 }
    declare module 'claude-code' { interface PluginState { mine: { a: 1 } } }
    "#,
        );
    }

    #[test]
    fn types_and_nothing_else() {
        check(
            "types-contract",
            r#"
    //- /.claude-plugin/plugin.json
    { "name": "mine", "types": "./types.d.ts" }
    //- /types.d.ts
    // import('here') is a comment
    export type A = typeof import('x')
    //                     ^^^^^^ types-contract
    export interface B { import: 'import(', c: A }
    export declare const d: 1
    ^^^^^^^^^^^^^^^^^^^^^^^^ types-contract
    export enum E { F }
    ^^^^^^^^^^^^^^^^^^^ types-contract
    export {}
    ^^^^^^^^^ types-contract
    declare module 'claude-code' { class G {} }
    ^^^^^^^^^^^^^^^^^^^^^^^^ types-contract
    declare module "claude-code" { export interface PluginState { mine: { a: 1 } } }
    "#,
        );
    }

    #[test]
    fn it_is_a_declaration_file() {
        check(
            "types-contract",
            r#"
    //- /.claude-plugin/plugin.json
    { "name": "mine", "types": "./types.ts" }
                               ^^^^^^^^^^^^ types-contract
    //- /types.ts
    export interface MineValue {}
    "#,
        );
    }
}
