//! `register` and the functions it hands `on` to.

use super::{Callee, FnRef, Scan, function_named};
use crate::rules::{arguments_object, on_elsewhere, register_export, registration_kept, shadowed_name};
use crate::tree::{Called, ExportOf, LinkId, Ref, Role, plain};
use swc_common::Spanned;
use swc_ecma_ast::{BinaryOp, CallExpr, Callee as AstCallee, Expr, MemberProp, Pat, UnaryOp};

impl<'a> Scan<'_, 'a> {
    /// The exported `register`, or a finding that says why there is none.
    pub(super) fn register_function(&mut self, main: usize) -> Option<FnRef> {
        let tree = &self.unit(main).tree;
        let Some(export) = tree.export_named("register") else {
            let like = tree.exports.iter().find(|export| matches!(export.name, "*" | "default"));
            register_export::missing(self, main, like.map(|export| (export.name, export.at)));
            return None;
        };
        let at = export.at;
        let (ExportOf::Local(local) | ExportOf::Declared(local)) = export.of else {
            register_export::elsewhere(self, main, at);
            return None;
        };
        match function_named(self.program, main, local, 0) {
            Callee::Function { func, abroad: false } => return Some(func),
            Callee::Reassigned(at) => register_export::reassigned(self, main, at),
            Callee::Function { .. } | Callee::NotExported(_) => register_export::elsewhere(self, main, at),
            _ => {
                let bind = tree.top(local).map(|id| tree.bind(id));
                let own = bind.map_or(at, |bind| bind.at);
                register_export::no_function(self, main, own, bind.map(|bind| bind.kind));
            }
        }
        None
    }

    /// Follows a function whose parameter at `index` holds `on`.
    pub(super) fn registrar(&mut self, func: FnRef, index: usize) {
        if !self.registrars.insert((func.0, func.1, index)) {
            return;
        }
        let tree = &self.unit(func.0).tree;
        let own = tree.func(func.1);
        if let Some(at) = own.arguments {
            arguments_object::report(self, func.0, at, "on");
            return;
        }
        let rest = || own.params.last().copied().filter(|last| matches!(last, Pat::Rest(_)));
        let Some(param) = own.params.get(index).copied().or_else(rest) else { return };
        let Pat::Ident(ident) = param else {
            let at = self.unit(func.0).parsed.offsets(param.span());
            on_elsewhere::parameter(self, func.0, at);
            return;
        };
        let Some(bind) = tree.resolve(&ident.id.sym, own.scope) else { return };
        for other in tree.shadows(bind) {
            shadowed_name::report(self, func.0, bind, other, "on");
        }
        for id in tree.uses(bind) {
            self.use_of_on(func, &tree.refs[id as usize]);
        }
    }

    fn use_of_on(&mut self, holder: FnRef, used: &Ref<'a>) {
        let link = self.unit(holder.0).tree.link(used.link);
        match link.role {
            Role::Callee(Called::Plain(call)) => {
                let catch = self.registration_value(holder, used, link.up);
                self.registration(holder, used, call, catch);
            }
            Role::Argument(called, index) => self.hand_on(holder, used, called, index, link.up),
            _ => on_elsewhere::report(self, holder.0, used.at),
        }
    }

    fn hand_on(&mut self, holder: FnRef, used: &Ref<'a>, called: Called<'a>, index: usize, call_link: LinkId) {
        let callee = match called {
            Called::Plain(CallExpr { callee: AstCallee::Expr(callee), .. }) => plain(callee),
            _ => return on_elsewhere::report(self, holder.0, used.at),
        };
        let Expr::Ident(name) = callee else { return on_elsewhere::handed(self, holder.0, used.at, None) };
        if called.has_spread() {
            return on_elsewhere::report(self, holder.0, used.at);
        }
        match function_named(self.program, holder.0, &name.sym, used.scope) {
            Callee::Function { func, .. } => {
                self.check_kept(holder, used, call_link, &format!("{}(on)", name.sym));
                stacker::maybe_grow(128 * 1024, 4 << 20, || self.registrar(func, index));
            }
            Callee::Broken => self.refused = true,
            other => on_elsewhere::handed(self, holder.0, used.at, Some((&name.sym, other))),
        }
    }

    /// What becomes of the value of `on(...)`: the `.catch` call, where there is one.
    fn registration_value(&mut self, holder: FnRef, used: &Ref<'a>, call_link: LinkId) -> Option<&'a CallExpr> {
        let unit = self.unit(holder.0);
        let call = unit.tree.link(call_link);
        let Role::Object(member, optional) = call.role else {
            self.check_kept(holder, used, call_link, "on(...)");
            return None;
        };
        let at = unit.parsed.offsets(member.prop.span());
        let caught = !optional && matches!(&member.prop, MemberProp::Ident(name) if &*name.sym == "catch");
        let outer = unit.tree.link(call.up);
        let Role::Callee(Called::Plain(catch)) = outer.role else {
            registration_kept::member(self, holder.0, at);
            return None;
        };
        if !caught {
            registration_kept::member(self, holder.0, at);
            return None;
        }
        if let Role::Object(member, _) = unit.tree.link(outer.up).role {
            registration_kept::second(self, holder.0, unit.parsed.offsets(member.prop.span()));
        } else {
            self.check_kept(holder, used, outer.up, "on(...).catch(...)");
        }
        Some(catch)
    }

    /// The value may be dropped, awaited or returned by the function that was handed `on`; nothing else.
    fn check_kept(&mut self, holder: FnRef, used: &Ref<'a>, mut at: LinkId, what: &str) {
        let unit = self.unit(holder.0);
        let tree = &unit.tree;
        // Compiling TypeScript leaves nothing of an array, an object or a test that nobody uses but what it holds.
        let mut unwrapped = false;
        let dropped = loop {
            let link = tree.link(at);
            match link.role {
                Role::Statement => break true,
                Role::ArrayItem | Role::ObjectValue | Role::Unary(UnaryOp::Bang | UnaryOp::TypeOf)
                    if unit.parsed.compiled =>
                {
                    unwrapped = true;
                    at = link.up;
                }
                Role::Unary(UnaryOp::Void) if unwrapped => at = link.up,
                Role::Binary(binary, true) if unit.parsed.compiled && binary.op.may_short_circuit() => {
                    unwrapped = true;
                    if !crate::tree::does_nothing(&binary.right) {
                        break false;
                    }
                    at = link.up;
                }
                _ if unwrapped => break false,
                Role::Return(func) | Role::ArrowBody(func) => break func == holder.1,
                Role::Await | Role::Unary(UnaryOp::Void) | Role::Cond(true) | Role::Seq => at = link.up,
                Role::Binary(binary, false)
                    if matches!(
                        binary.op,
                        BinaryOp::LogicalAnd | BinaryOp::LogicalOr | BinaryOp::NullishCoalescing
                    ) =>
                {
                    at = link.up;
                }
                _ => break false,
            }
        };
        if !dropped {
            registration_kept::report(self, holder.0, used.at, what);
        }
    }
}
