//! Environment variables and state values: names that must be written out.

use super::{Scan, literal_text};
use crate::report::StateKey;
use crate::rules::{env_literal, state_literal, state_owner, state_undeclared};
use crate::scan::literal::property;
use crate::tree::{BindKind, Called, Imported, Ref, ScopeId, plain};
use swc_common::Spanned;
use swc_ecma_ast::{CallExpr, Callee as AstCallee, Expr, ExprOrSpread};

/// Plugin, key, and where they are spelled.
type Address = (String, String, (u32, u32));

/// Constants may name constants this many times.
const LONGEST: u32 = 16;

impl<'a> Scan<'_, 'a> {
    pub(super) fn read_state(&mut self, unit: usize, scope: ScopeId, name: &str, at: (u32, u32), call: &'a CallExpr) {
        match name {
            "env.get" | "env.set" => self.variable(unit, name, at, call),
            "state.get" | "state.set" => {
                let source = call.args.first();
                match source.and_then(|source| self.reference(unit, scope, source, false)) {
                    Some(key) => self.state(unit, name, key),
                    None => state_literal::call(self, unit, self.place(unit, source, at), name),
                }
            }
            _ => {}
        }
    }

    fn place(&self, unit: usize, arg: Option<&ExprOrSpread>, otherwise: (u32, u32)) -> (u32, u32) {
        arg.map_or(otherwise, |arg| self.unit(unit).parsed.offsets(arg.span()))
    }

    fn variable(&mut self, unit: usize, name: &str, at: (u32, u32), call: &'a CallExpr) {
        let arg = call.args.first();
        let place = self.place(unit, arg, at);
        let text = arg.filter(|arg| arg.spread.is_none()).and_then(|arg| literal_text(self.unit(unit), &arg.expr));
        let Some(text) = text else { return env_literal::report(self, unit, place, name) };
        let named = self.named(&text, unit, place);
        let list = if name == "env.get" { &mut self.env_reads } else { &mut self.env_writes };
        list.entry(text).or_insert(named);
    }

    /// The address an expression stands for: `{ plugin, key }` written out, or a `const` that holds one. With
    /// `atoms`, what the library made of one counts as well.
    fn reference(&self, unit: usize, scope: ScopeId, source: &ExprOrSpread, atoms: bool) -> Option<Address> {
        if source.spread.is_some() { None } else { self.address(unit, scope, &source.expr, atoms, 0) }
    }

    fn address(&self, unit: usize, scope: ScopeId, expr: &Expr, atoms: bool, depth: u32) -> Option<Address> {
        let owner = self.unit(unit);
        match plain(expr) {
            object @ Expr::Object(_) => {
                let plugin = literal_text(owner, property(object, "plugin")?)?;
                let key = literal_text(owner, property(object, "key")?)?;
                Some((plugin, key, owner.parsed.offsets(object.span())))
            }
            Expr::Ident(ident) if depth < LONGEST => {
                let bind = owner.tree.bind(owner.tree.resolve(&ident.sym, scope)?);
                let init = bind.init.filter(|_| bind.kind == BindKind::Const)?;
                self.address(unit, bind.scope, init, atoms, depth + 1)
            }
            Expr::Call(call) if atoms && depth < LONGEST => {
                let AstCallee::Expr(callee) = &call.callee else { return None };
                let made = self.library_name(unit, scope, callee)?;
                let first = call.args.first().filter(|arg| arg.spread.is_none())?;
                match made {
                    "atom" => self.address(unit, scope, &first.expr, false, depth + 1),
                    "memberOf" => self.address(unit, scope, &first.expr, true, depth + 1),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// All addresses a source of the library reads: a derived value has several.
    fn sources(&self, unit: usize, scope: ScopeId, expr: &Expr, depth: u32) -> Option<Vec<Address>> {
        if let Some(one) = self.address(unit, scope, expr, true, depth) {
            return Some(vec![one]);
        }
        let owner = self.unit(unit);
        match plain(expr) {
            Expr::Ident(ident) if depth < LONGEST => {
                let bind = owner.tree.bind(owner.tree.resolve(&ident.sym, scope)?);
                let init = bind.init.filter(|_| bind.kind == BindKind::Const)?;
                self.sources(unit, bind.scope, init, depth + 1)
            }
            Expr::Call(call) if depth < LONGEST => {
                let AstCallee::Expr(callee) = &call.callee else { return None };
                if self.library_name(unit, scope, callee)? != "derive" {
                    return None;
                }
                let first = call.args.first().filter(|arg| arg.spread.is_none())?;
                match plain(&first.expr) {
                    Expr::Array(array) => {
                        let mut all = Vec::new();
                        for item in &array.elems {
                            let item = item.as_ref().filter(|item| item.spread.is_none())?;
                            all.extend(self.sources(unit, scope, &item.expr, depth + 1)?);
                        }
                        Some(all)
                    }
                    other => self.sources(unit, scope, other, depth + 1),
                }
            }
            _ => None,
        }
    }

    /// The name `claude-code` exports this one under.
    fn library_name(&self, unit: usize, scope: ScopeId, callee: &Expr) -> Option<&'a str> {
        let Expr::Ident(ident) = plain(callee) else { return None };
        let tree = &self.unit(unit).tree;
        let import = tree.bind(tree.resolve(&ident.sym, scope)?).import?;
        match import.what {
            Imported::Name(name) if import.source == "claude-code" => Some(name),
            _ => None,
        }
    }

    /// `read($, source)` and `update($, target, change)`.
    pub(super) fn library_call(&mut self, unit: usize, used: &Ref<'a>, what: &str, called: Called<'a>, index: usize) {
        if index != 0 || called.has_spread() {
            return state_literal::order(self, unit, used.at, what);
        }
        let source = called.args().get(1);
        let place = self.place(unit, source, used.at);
        let Some(keys) = source.and_then(|source| self.sources(unit, used.scope, &source.expr, 0)) else {
            return state_literal::source(self, unit, place, what);
        };
        for (plugin, key, at) in keys {
            self.state(unit, "state.get", (plugin.clone(), key.clone(), at));
            if what == "update" {
                self.state(unit, "state.set", (plugin, key, at));
            }
        }
        self.note_call(unit, "state.get", used.at, None);
        if what == "update" {
            self.note_call(unit, "state.set", used.at, None);
        }
    }

    /// Atoms count as read where they are made.
    pub(super) fn library_atoms(&mut self) {
        for unit in 0..self.program.units.len() {
            let Some(owner) = &self.program.units[unit] else { continue };
            let locals = owner.tree.binds.iter().filter_map(|bind| {
                let import = bind.import.filter(|import| import.source == "claude-code")?;
                matches!(import.what, Imported::Name("atom" | "derive" | "memberOf"))
                    .then_some((bind.name, import.what))
            });
            for (local, what) in locals.collect::<Vec<_>>() {
                for id in owner.tree.refs_named(local) {
                    let used = &owner.tree.refs[*id as usize];
                    if let crate::tree::Role::Callee(Called::Plain(call)) = owner.tree.link(used.link).role {
                        self.atom(unit, used, what, call);
                    }
                }
            }
        }
    }

    fn atom(&mut self, unit: usize, used: &Ref<'a>, what: Imported<'a>, call: &'a CallExpr) {
        let AstCallee::Expr(callee) = &call.callee else { return };
        if self.library_name(unit, used.scope, callee).is_none() {
            return;
        }
        let Imported::Name(name) = what else { return };
        let first = call.args.first().filter(|arg| arg.spread.is_none());
        let place = self.place(unit, first, used.at);
        let keys = first.and_then(|first| match name {
            "atom" => self.reference(unit, used.scope, first, false).map(|key| vec![key]),
            "derive" => match plain(&first.expr) {
                Expr::Array(array) => array.elems.iter().try_fold(Vec::new(), |mut all, item| {
                    let item = item.as_ref().filter(|item| item.spread.is_none())?;
                    all.extend(self.sources(unit, used.scope, &item.expr, 0)?);
                    Some(all)
                }),
                other => self.sources(unit, used.scope, other, 0),
            },
            _ => self.sources(unit, used.scope, &first.expr, 0),
        });
        match keys {
            None => state_literal::source(self, unit, place, name),
            Some(keys) => keys.into_iter().for_each(|key| self.state(unit, "state.get", key)),
        }
    }

    fn state(&mut self, unit: usize, call: &str, (plugin, key, at): Address) {
        let own = self.owner == Some(plugin.as_str());
        if own && !self.declared.iter().any(|(owner, known)| *owner == plugin && *known == key) {
            state_undeclared::report(self, unit, at, &plugin, &key);
        }
        if !own && call == "state.set" {
            state_owner::report(self, unit, at, &plugin, &key);
        }
        let fact = StateKey { plugin: plugin.clone(), key: key.clone(), at: self.unit(unit).text.location(at.0, at.1) };
        let list = if call == "state.get" { &mut self.state_reads } else { &mut self.state_writes };
        list.entry((plugin, key)).or_insert(fact);
    }
}
