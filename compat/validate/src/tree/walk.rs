//! The walk: scopes, names, functions.

use super::{
    Bind, BindId, BindKind, FnId, FnNode, Func, Import, Imported, Link, LinkId, Ref, Role, Scope, ScopeId, Tree,
};
use crate::syntax::Parsed;
use rustc_hash::FxHashSet;
use swc_common::Span;
use swc_ecma_ast::{
    ArrowExpr, ArrowFunctionBody, FnExpr, Function, FunctionBody, Ident, ImportDecl, ImportPhase, ImportSpecifier,
    ModuleItem, Pat,
};

pub(crate) struct Walker<'a> {
    pub(super) tree: Tree<'a>,
    parsed: &'a Parsed,
    pub(super) compiled: bool,
    tick: u32,
    pub(super) scope: ScopeId,
    pub(super) func: FnId,
    /// The innermost function that has `arguments` of its own.
    own_arguments: FnId,
    pub(super) labels: Vec<&'a str>,
    /// Loops and switches around the current statement, in this function.
    pub(super) loops: u32,
    pub(super) breakable: u32,
    pub(super) private: Vec<FxHashSet<&'a str>>,
    pub(super) home: Home,
    /// Classes around, and whether each has a parent.
    pub(super) derived: Vec<bool>,
}

/// Walks a module.
pub(crate) fn build(parsed: &Parsed) -> Tree<'_> {
    parsed.with_stack(|| {
        let mut walker = Walker::new(parsed);
        for item in &parsed.module().body {
            match item {
                ModuleItem::ModuleDecl(decl) => walker.module_decl(decl),
                ModuleItem::Stmt(stmt) => walker.stmt(stmt),
            }
        }
        walker.leave();
        walker.tree.funcs[0].last = walker.tree.funcs.len() as FnId - 1;
        walker.check_exports();
        walker.check_constants();
        walker.tree
    })
}

impl<'a> Walker<'a> {
    fn new(parsed: &'a Parsed) -> Walker<'a> {
        let span = parsed.offsets(parsed.module().span);
        let mut walker = Walker {
            tree: Tree::default(),
            parsed,
            compiled: parsed.compiled,
            tick: 0,
            scope: 0,
            func: 0,
            own_arguments: 0,
            labels: Vec::new(),
            loops: 0,
            breakable: 0,
            private: Vec::new(),
            home: Home::None,
            derived: Vec::new(),
        };
        walker.tree.links.push(Link { role: Role::Root, up: 0 });
        walker.tree.scopes.push(Scope { up: None, func: 0, enter: 0, exit: u32::MAX, holds_names: false });
        walker.tree.funcs.push(Func {
            node: FnNode::Module,
            scope: 0,
            link: 0,
            params: Vec::new(),
            is_async: true,
            is_generator: false,
            is_declaration: false,
            at: (span.0, u32::MAX),
            arguments: None,
            last: 0,
            calls: Vec::new(),
        });
        walker
    }

    pub(super) fn at(&self, span: Span) -> (u32, u32) {
        self.parsed.offsets(span)
    }

    pub(super) fn root(&self) -> LinkId {
        0
    }

    pub(super) fn link(&mut self, role: Role<'a>, up: LinkId) -> LinkId {
        self.tree.links.push(Link { role, up });
        self.tree.links.len() as LinkId - 1
    }

    pub(super) fn early(&mut self, message: String, at: (u32, u32)) {
        self.tree.early_errors.push((message, at.0, at.1));
    }

    fn next_tick(&mut self) -> u32 {
        self.tick += 1;
        self.tick
    }

    pub(super) fn enter(&mut self) {
        let enter = self.next_tick();
        self.tree.scopes.push(Scope {
            up: Some(self.scope),
            func: self.func,
            enter,
            exit: u32::MAX,
            holds_names: false,
        });
        self.scope = self.tree.scopes.len() as ScopeId - 1;
    }

    pub(super) fn leave(&mut self) {
        let exit = self.next_tick();
        let scope = &mut self.tree.scopes[self.scope as usize];
        scope.exit = exit;
        self.scope = scope.up.unwrap_or(0);
    }

    pub(super) fn reference(&mut self, name: &'a str, span: Span, role: Role<'a>) {
        let link = self.link(role, 0);
        self.reference_at(name, span, link);
    }

    pub(super) fn reference_at(&mut self, name: &'a str, span: Span, link: LinkId) {
        let at = self.at(span);
        let tick = self.next_tick();
        let id = self.tree.refs.len() as u32;
        self.tree.refs.push(Ref { name, at, scope: self.scope, func: self.func, tick, link });
        self.tree.refs_by_name.entry(name).or_default().push(id);
        if matches!(self.tree.link(link).role, Role::Callee(_)) {
            self.tree.funcs[self.func as usize].calls.push(id);
        }
        if name == "arguments" {
            self.tree.funcs[self.own_arguments as usize].arguments.get_or_insert(at);
        }
    }

    pub(super) fn declare(&mut self, ident: &'a Ident, kind: BindKind) -> BindId {
        let scope = if kind == BindKind::Var { self.tree.funcs[self.func as usize].scope } else { self.scope };
        if kind == BindKind::Var && scope != self.scope {
            self.check_hoisted(ident, scope);
        }
        self.declare_in(ident, kind, scope)
    }

    fn declare_in(&mut self, ident: &'a Ident, kind: BindKind, scope: ScopeId) -> BindId {
        let name: &'a str = &ident.sym;
        let at = self.at(ident.span);
        let id = self.tree.binds.len() as BindId;
        self.tree.binds.push(Bind { name, at, scope, kind, init: None, each: None, func: None, import: None });
        self.tree.binds_by_name.entry(name).or_default().push(id);
        self.tree.scopes[scope as usize].holds_names = true;
        match self.tree.in_scope.get(&(scope, name)).copied() {
            None => {
                self.tree.in_scope.insert((scope, name), id);
            }
            Some(before) => {
                let before_kind = self.tree.bind(before).kind;
                if !self.may_repeat(before_kind, kind, scope) {
                    self.early(format!("{name:?} is declared twice"), at);
                }
                if kind == BindKind::Function && before_kind == BindKind::Function {
                    self.tree.in_scope.insert((scope, name), id);
                }
            }
        }
        id
    }

    fn may_repeat(&self, before: BindKind, now: BindKind, scope: ScopeId) -> bool {
        use BindKind::{Catch, Class, Enum, Function, Import, Namespace, Param, Var};
        let top = scope == 0;
        match (before, now) {
            (Var, Var) | (Param | Catch, Var) | (Param, Function) => true,
            (Function, Function) if !self.compiled => !top && self.tree.funcs[self.func as usize].scope == scope,
            (Function, Var) => !top,
            (Var, Function) | (Function, Function) => !top || self.compiled,
            (Enum | Namespace | Function | Class, Enum | Namespace) => true,
            // Compiling TypeScript makes one thing of them, or drops one that is a type.
            (Import, Enum | Namespace) | (Namespace, _) => self.compiled,
            _ => false,
        }
    }

    pub(super) fn import(&mut self, import: &'a ImportDecl) {
        if import.type_only {
            return;
        }
        if import.phase != ImportPhase::Evaluation {
            let at = self.at(import.span);
            self.early("an import is evaluated; there is no import defer or import source".to_owned(), at);
        }
        let source = import.src.value.as_str().unwrap_or_default();
        for specifier in &import.specifiers {
            let (local, what) = match specifier {
                ImportSpecifier::Named(named) if named.is_type_only => continue,
                ImportSpecifier::Named(named) => {
                    let imported = named.imported.as_ref().map_or(&*named.local.sym, super::names::export_name);
                    (&named.local, Imported::Name(imported))
                }
                ImportSpecifier::Default(default) => (&default.local, Imported::Name("default")),
                ImportSpecifier::Namespace(all) => (&all.local, Imported::Namespace),
            };
            let id = self.declare(local, BindKind::Import);
            self.tree.binds[id as usize].import = Some(Import { source, what });
        }
    }

    pub(super) fn default_function(&mut self, function: &'a FnExpr) -> FnId {
        let id = self.tree.funcs.len() as FnId;
        if let Some(ident) = &function.ident {
            let bind = self.declare(ident, BindKind::Function);
            self.tree.binds[bind as usize].func = Some(id);
        }
        self.function(&function.function, 0, true);
        id
    }

    /// A method, getter or setter, of an object or a class.
    pub(super) fn method(&mut self, function: &'a Function) {
        self.function_at_home(function, 0, false, Home::Member);
    }

    /// `function` in any form with a body of statements.
    pub(super) fn function(&mut self, function: &'a Function, link: LinkId, declaration: bool) {
        self.function_at_home(function, link, declaration, Home::None);
    }

    fn function_at_home(&mut self, function: &'a Function, link: LinkId, declaration: bool, home: Home) {
        let params: Vec<&'a Pat> = function.params.iter().map(|param| &param.pat).collect();
        let outer = self.enter_function(FnNode::Function(function), link, params, self.at(function.span));
        self.home = home;
        let own = &mut self.tree.funcs[self.func as usize];
        own.is_async = function.is_async;
        own.is_generator = function.is_generator;
        own.is_declaration = declaration;
        for param in &function.params {
            self.pattern(&param.pat, BindKind::Param);
        }
        self.body(function.body.as_ref());
        self.leave_function(outer);
    }

    pub(super) fn body(&mut self, body: Option<&'a FunctionBody>) {
        for stmt in body.iter().flat_map(|body| &body.stmts) {
            self.stmt(stmt);
        }
    }

    pub(super) fn arrow(&mut self, arrow: &'a ArrowExpr, link: LinkId) {
        let params: Vec<&'a Pat> = arrow.params.iter().collect();
        let own_arguments = self.own_arguments;
        let outer = self.enter_function(FnNode::Arrow(arrow), link, params, self.at(arrow.span));
        self.own_arguments = own_arguments;
        let own = &mut self.tree.funcs[self.func as usize];
        own.is_async = arrow.is_async;
        own.is_generator = arrow.is_generator;
        for param in &arrow.params {
            self.pattern(param, BindKind::Param);
        }
        match &*arrow.body {
            ArrowFunctionBody::FunctionBody(body) => {
                for stmt in &body.stmts {
                    self.stmt(stmt);
                }
            }
            ArrowFunctionBody::Expr(expr) => self.expr(expr, Role::ArrowBody(self.func), link),
        }
        self.leave_function(outer);
    }

    /// Begins a function; what it gives back ends it.
    pub(super) fn enter_function(
        &mut self,
        node: FnNode<'a>,
        link: LinkId,
        params: Vec<&'a Pat>,
        at: (u32, u32),
    ) -> Outer<'a> {
        let outer = Outer {
            func: self.func,
            own_arguments: self.own_arguments,
            labels: std::mem::take(&mut self.labels),
            loops: std::mem::take(&mut self.loops),
            breakable: std::mem::take(&mut self.breakable),
            home: self.home,
        };
        if !matches!(node, FnNode::Arrow(_)) {
            self.home = Home::None;
        }
        let id = self.tree.funcs.len() as FnId;
        self.tree.funcs.push(Func {
            node,
            scope: 0,
            link,
            params,
            is_async: false,
            is_generator: false,
            is_declaration: false,
            at,
            arguments: None,
            last: 0,
            calls: Vec::new(),
        });
        self.tree.func_by_start.entry(at.0).or_insert(id);
        self.func = id;
        self.own_arguments = id;
        self.enter();
        self.tree.funcs[id as usize].scope = self.scope;
        outer
    }

    pub(super) fn leave_function(&mut self, outer: Outer<'a>) {
        self.leave();
        self.tree.funcs[self.func as usize].last = self.tree.funcs.len() as FnId - 1;
        self.func = outer.func;
        self.own_arguments = outer.own_arguments;
        self.labels = outer.labels;
        self.loops = outer.loops;
        self.breakable = outer.breakable;
        self.home = outer.home;
    }

    fn check_exports(&mut self) {
        // TypeScript may export a type by its bare name, and a type is no declaration here.
        if self.compiled {
            return;
        }
        let missing: Vec<_> = self
            .tree
            .exports
            .iter()
            .filter_map(|export| match export.of {
                super::ExportOf::Local(name) if export.name != "default" && self.tree.top(name).is_none() => {
                    Some((name, export.at))
                }
                _ => None,
            })
            .collect();
        for (name, at) in missing {
            self.early(format!("{name:?} is exported but not declared"), at);
        }
    }
}

/// What a function's walk sets aside.
pub(super) struct Outer<'a> {
    func: FnId,
    own_arguments: FnId,
    labels: Vec<&'a str>,
    loops: u32,
    breakable: u32,
    home: Home,
}

/// What `super` means in a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    None,
    /// Members of the parent.
    Member,
    /// In the constructor of a class with a parent: the parent's constructor too.
    Constructor,
}
