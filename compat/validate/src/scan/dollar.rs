//! Following `$`.

use super::{CallSite, Callee, Scan, function_named};
use crate::rules::{arguments_object, dollar_bound, dollar_computed, dollar_handed, dollar_value, shadowed_name};
use crate::tree::{BindId, Called, FnId, LinkId, Ref, Role, plain};
use swc_common::Spanned;
use swc_ecma_ast::{CallExpr, Callee as AstCallee, Expr, MemberExpr, MemberProp, Pat};

impl<'a> Scan<'_, 'a> {
    /// Follows a name that holds `$`. `via` names the function it was handed to; `abroad` says that an import was on
    /// the way, past which only function declarations are followed.
    pub(super) fn dollar(&mut self, unit: usize, bind: BindId, via: Option<&str>, abroad: bool) {
        if !self.handed.insert((unit, bind, abroad)) {
            return;
        }
        let tree = &self.unit(unit).tree;
        for other in tree.shadows(bind) {
            shadowed_name::report(self, unit, bind, other, "$");
        }
        for id in tree.uses(bind) {
            self.use_of_dollar(unit, &tree.refs[id as usize], via, abroad);
        }
    }

    fn use_of_dollar(&mut self, unit: usize, used: &Ref<'a>, via: Option<&str>, abroad: bool) {
        let link = self.unit(unit).tree.link(used.link);
        match link.role {
            Role::Object(member, optional) => self.member_of_dollar(unit, used, member, optional, link.up, via),
            Role::Argument(called, index) => self.hand_dollar(unit, used, called, index, abroad),
            role => dollar_bound::report(self, unit, used.at, role),
        }
    }

    /// `$.noun.method(...)`, or a finding.
    pub(super) fn member_of_dollar(
        &mut self,
        unit: usize,
        used: &Ref<'a>,
        member: &'a MemberExpr,
        optional: bool,
        at: LinkId,
        via: Option<&str>,
    ) {
        let owner = self.unit(unit);
        let MemberProp::Ident(noun) = &member.prop else {
            return dollar_computed::report(self, unit, owner.parsed.offsets(member.prop.span()), None);
        };
        let noun_at = owner.parsed.offsets(noun.span);
        if optional {
            return dollar_computed::optional(self, unit, (used.at.1, noun_at.0));
        }
        let Role::Object(outer, optional) = owner.tree.link(at).role else {
            return dollar_value::noun(self, unit, (used.at.0, noun_at.1), &noun.sym);
        };
        let MemberProp::Ident(method) = &outer.prop else {
            return dollar_computed::report(self, unit, owner.parsed.offsets(outer.prop.span()), Some(&noun.sym));
        };
        let method_at = owner.parsed.offsets(method.span);
        if optional {
            return dollar_computed::optional(self, unit, (noun_at.1, method_at.0));
        }
        let name = format!("{}.{}", noun.sym, method.sym);
        let site = (noun_at.0, method_at.1);
        if &*noun.sym == "plugin" {
            return self.sites.push(CallSite { unit, func: used.func, name, at: site, call: None });
        }
        let above = owner.tree.link(owner.tree.link(at).up);
        match above.role {
            Role::Callee(Called::Plain(call)) => self.call_of_dollar(unit, used, name, site, call, via),
            Role::Callee(Called::Optional(call)) => {
                let open = call
                    .args
                    .first()
                    .map_or(owner.parsed.offsets(call.span).1, |arg| owner.parsed.offsets(arg.span()).0);
                dollar_computed::optional(self, unit, (method_at.1, open));
            }
            _ => dollar_value::method(self, unit, (used.at.0, method_at.1), &name),
        }
    }

    fn call_of_dollar(
        &mut self,
        unit: usize,
        used: &Ref<'a>,
        name: String,
        at: (u32, u32),
        call: &'a CallExpr,
        via: Option<&str>,
    ) {
        self.note_call(unit, &name, at, via);
        self.read_state(unit, used.scope, &name, at, call);
        self.read_reach(unit, used.scope, &name, at, call);
        self.sites.push(CallSite { unit, func: used.func, name, at, call: Some(call) });
    }

    pub(super) fn note_call(&mut self, unit: usize, name: &str, at: (u32, u32), via: Option<&str>) {
        let calls = self.calls.entry(name.to_owned()).or_default();
        calls.at.get_or_insert((unit, at));
        match via {
            None => calls.direct = true,
            Some(via) => {
                calls.via.insert(via.to_owned());
            }
        }
    }

    fn hand_dollar(&mut self, unit: usize, used: &Ref<'a>, called: Called<'a>, index: usize, abroad: bool) {
        let callee = match called {
            Called::Plain(CallExpr { callee: AstCallee::Expr(callee), .. }) => plain(callee),
            _ => return dollar_handed::report(self, unit, used.at),
        };
        let Expr::Ident(name) = callee else { return dollar_handed::report(self, unit, used.at) };
        let (func, imported) = match function_named(self.program, unit, &name.sym, used.scope) {
            Callee::Function { func, abroad } => (func, abroad),
            Callee::Library(what @ ("read" | "update")) => return self.library_call(unit, used, what, called, index),
            Callee::Broken => {
                self.refused = true;
                return;
            }
            other => return dollar_handed::named(self, unit, used.at, &name.sym, other),
        };
        if called.has_spread() {
            return dollar_handed::spread(self, unit, used.at);
        }
        let abroad = abroad || imported;
        if abroad && !self.unit(func.0).tree.func(func.1).is_declaration {
            return dollar_handed::abroad(self, unit, used.at, &name.sym);
        }
        self.receive_dollar(func, index, &name.sym, abroad);
    }

    fn receive_dollar(&mut self, func: (usize, FnId), index: usize, name: &str, abroad: bool) {
        let unit = self.unit(func.0);
        let own = unit.tree.func(func.1);
        let rest = || own.params.last().copied().filter(|last| matches!(last, Pat::Rest(_)));
        if let Some(at) = own.arguments {
            arguments_object::report(self, func.0, at, "$");
        }
        match own.params.get(index).copied().or_else(rest) {
            None => {}
            Some(Pat::Ident(ident)) => {
                if let Some(bind) = unit.tree.resolve(&ident.id.sym, own.scope) {
                    // A function that is called like its parameter counts as a second declaration of that name.
                    if let Some(same) =
                        unit.tree.top(&ident.id.sym).filter(|top| unit.tree.bind(*top).func == Some(func.1))
                    {
                        shadowed_name::report(self, func.0, same, bind, "$");
                    }
                    stacker::maybe_grow(128 * 1024, 4 << 20, || self.dollar(func.0, bind, Some(name), abroad));
                }
            }
            Some(param) => dollar_handed::parameter(self, func.0, unit.parsed.offsets(param.span())),
        }
    }
}
