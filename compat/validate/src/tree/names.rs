//! What a module exports.

use super::{FnId, Tree};
use swc_ecma_ast::{DefaultDecl, ExportSpecifier, Expr, ModuleDecl, ModuleExportName, NamedExport};

use super::walk::Walker;

/// One exported name.
pub(crate) struct Export<'a> {
    /// The name others import; `*` for `export * from`.
    pub(crate) name: &'a str,
    pub(crate) of: ExportOf<'a>,
    pub(crate) at: (u32, u32),
}

/// What is behind it.
#[derive(Clone, Copy)]
pub(crate) enum ExportOf<'a> {
    /// A name of this file.
    Local(&'a str),
    /// Declared in the export itself: `export function f`, `export const f = ...`.
    Declared(&'a str),
    /// `export default` with a function that may have no name.
    Function(FnId),
    /// `export default` with any other expression.
    Value,
    /// `export { name } from`.
    From(&'a str, &'a str),
    /// `export * from`, `export * as name from`.
    All(&'a str),
}

pub(crate) fn export_name(name: &ModuleExportName) -> &str {
    match name {
        ModuleExportName::Ident(ident) => &ident.sym,
        ModuleExportName::Str(text) => text.value.as_str().unwrap_or_default(),
    }
}

impl<'a> Walker<'a> {
    pub(super) fn module_decl(&mut self, decl: &'a ModuleDecl) {
        match decl {
            ModuleDecl::Import(import) => self.import(import),
            ModuleDecl::ExportDecl(export) => {
                let first = self.tree.binds.len();
                self.decl(&export.decl, self.root());
                self.exports_since(first);
            }
            ModuleDecl::ExportNamed(named) if !named.type_only => self.export_named(named),
            ModuleDecl::ExportDefaultDecl(export) => {
                let at = self.at(export.span);
                let of = match &export.decl {
                    DefaultDecl::Fn(function) => ExportOf::Function(self.default_function(function)),
                    DefaultDecl::Class(class) => {
                        if let Some(ident) = &class.ident {
                            self.declare_class(ident);
                        }
                        self.class(&class.class);
                        ExportOf::Value
                    }
                    DefaultDecl::TsInterfaceDecl(_) => return,
                };
                self.export("default", of, at);
            }
            ModuleDecl::ExportDefaultExpr(export) => {
                let at = self.at(export.span);
                let func = self.tree.funcs.len() as FnId;
                let root = self.root();
                self.expr(&export.expr, super::Role::Other("the default export"), root);
                let of = match super::expr::plain(&export.expr) {
                    Expr::Ident(ident) => ExportOf::Local(&ident.sym),
                    Expr::Arrow(_) | Expr::Fn(_) => ExportOf::Function(func),
                    _ => ExportOf::Value,
                };
                self.export("default", of, at);
            }
            ModuleDecl::ExportAll(all) if !all.type_only => {
                let at = self.at(all.span);
                self.export("*", ExportOf::All(all.src.value.as_str().unwrap_or_default()), at);
            }
            ModuleDecl::TsExportAssignment(export) => {
                let root = self.root();
                self.expr(&export.expr, super::Role::Other("an export assignment"), root);
            }
            ModuleDecl::TsImportEquals(import) if !import.is_type_only => self.declare_namespace(&import.id),
            _ => {}
        }
    }

    fn export_named(&mut self, named: &'a NamedExport) {
        let source = named.src.as_ref().map(|src| src.value.as_str().unwrap_or_default());
        for specifier in &named.specifiers {
            match specifier {
                ExportSpecifier::Named(name) if !name.is_type_only => {
                    let at = self.at(name.span);
                    let local = export_name(&name.orig);
                    let of = source.map_or(ExportOf::Local(local), |source| ExportOf::From(source, local));
                    if source.is_none()
                        && let ModuleExportName::Ident(ident) = &name.orig
                    {
                        // An exported name is a use: it may be changed from outside.
                        self.reference(&ident.sym, ident.span, super::Role::Other("an export"));
                    }
                    self.export(name.exported.as_ref().map_or(local, export_name), of, at);
                }
                ExportSpecifier::Namespace(all) => {
                    let at = self.at(all.span);
                    self.export(export_name(&all.name), ExportOf::All(source.unwrap_or_default()), at);
                }
                _ => {}
            }
        }
    }

    fn exports_since(&mut self, first: usize) {
        for id in first..self.tree.binds.len() {
            let bind = &self.tree.binds[id];
            if bind.scope == 0 {
                let (name, at) = (bind.name, bind.at);
                self.export(name, ExportOf::Declared(name), at);
            }
        }
    }

    fn export(&mut self, name: &'a str, of: ExportOf<'a>, at: (u32, u32)) {
        let index = self.tree.exports.len();
        if *self.tree.export_by_name.entry(name).or_insert(index) != index && name != "*" {
            self.early(format!("{name:?} is exported twice"), at);
        }
        self.tree.exports.push(Export { name, of, at });
    }
}

impl<'a> Tree<'a> {
    pub(crate) fn export_named(&self, name: &str) -> Option<&Export<'a>> {
        self.export_by_name.get(name).map(|index| &self.exports[*index])
    }
}
