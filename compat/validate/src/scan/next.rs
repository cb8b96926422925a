//! Following `next`, as far as the host does: inside the hook that receives it.

use super::{FnRef, Scan};
use crate::rules::{create_value, next_bound, next_to, shadowed_name};
use crate::tree::{BindId, Called, LinkId, Ref, Role, key_text, plain};
use swc_common::Spanned;
use swc_ecma_ast::{
    AssignTarget, CallExpr, Expr, Lit, MemberExpr, MemberProp, ObjectPat, ObjectPatProp, Pat, PropName,
    SimpleAssignTarget,
};

/// Tiers a dispatch can be continued at, outermost first.
pub(crate) const TIERS: [&str; 4] = ["user", "append", "builtin", "core"];

impl<'a> Scan<'_, 'a> {
    /// Follows a hook's `next`. In an `engine.create` hook (`created`) what it gives is `$`.
    pub(super) fn next(&mut self, func: FnRef, bind: BindId, created: bool) {
        if !self.continued.insert((func.0, bind, created)) {
            return;
        }
        let tree = &self.unit(func.0).tree;
        for other in tree.shadows(bind) {
            shadowed_name::report(self, func.0, bind, other, "next");
        }
        for id in tree.uses(bind) {
            let used = &tree.refs[id as usize];
            self.use_of_next(func.0, used, created);
        }
    }

    fn use_of_next(&mut self, unit: usize, used: &Ref<'a>, created: bool) {
        let link = self.unit(unit).tree.link(used.link);
        match link.role {
            Role::Object(member, optional) => self.member_of_next(unit, used, member, optional, link.up),
            Role::Init(decl) => match &decl.name {
                Pat::Ident(_) => next_bound::report(self, unit, used.at),
                Pat::Object(object) => self.next_pattern(unit, object),
                _ => {}
            },
            Role::Assigned(assign) => {
                let member = matches!(&assign.left, AssignTarget::Simple(SimpleAssignTarget::Member(_)));
                if !member {
                    next_bound::report(self, unit, used.at);
                }
            }
            Role::Callee(Called::Plain(_)) if created => self.created_value(unit, used, link.up),
            _ if created => create_value::next_elsewhere(self, unit, used.at),
            _ => {}
        }
    }

    fn member_of_next(&mut self, unit: usize, used: &Ref<'a>, member: &'a MemberExpr, optional: bool, at: LinkId) {
        let owner = self.unit(unit);
        let prop_at = owner.parsed.offsets(member.prop.span());
        let to = match &member.prop {
            MemberProp::Ident(name) => &*name.sym == "to",
            MemberProp::PrivateName(_) => false,
            MemberProp::Computed(computed) => {
                let harmless =
                    matches!(plain(&computed.expr), Expr::Lit(Lit::Str(text)) if text.value.as_str() != Some("to"));
                if !harmless {
                    next_bound::computed(self, unit, prop_at);
                }
                return;
            }
        };
        if !to {
            return;
        }
        if optional {
            return next_to::optional(self, unit, (used.at.1, prop_at.0));
        }
        match owner.tree.link(at).role {
            Role::Callee(Called::Plain(call)) => self.tier(unit, prop_at, call),
            _ => next_to::value(self, unit, (used.at.0, prop_at.1)),
        }
    }

    fn tier(&mut self, unit: usize, at: (u32, u32), call: &'a CallExpr) {
        let [_, tier, ..] = call.args.as_slice() else { return next_to::count(self, unit, at) };
        if call.args[0].spread.is_some() {
            return next_to::count(self, unit, at);
        }
        let tier_at = self.unit(unit).parsed.offsets(tier.span());
        let name = match plain(&tier.expr) {
            Expr::Lit(Lit::Str(text)) if tier.spread.is_none() => text.value.to_string_lossy().into_owned(),
            _ => return next_to::tier_literal(self, unit, tier_at),
        };
        if call.args.len() > 2 {
            return next_to::count(self, unit, at);
        }
        if !TIERS.contains(&name.as_str()) {
            return next_to::tier_unknown(self, unit, tier_at, &name);
        }
        let named = self.named(&name, unit, tier_at);
        self.next_to.entry(name).or_insert(named);
    }

    /// `const { signal } = next`, or such a parameter.
    pub(super) fn next_pattern(&mut self, unit: usize, object: &'a ObjectPat) {
        for prop in &object.props {
            match prop {
                ObjectPatProp::Rest(rest) => {
                    let at = self.unit(unit).parsed.offsets(rest.span);
                    next_bound::rest(self, unit, at);
                }
                ObjectPatProp::Assign(assign) if &*assign.key.id.sym == "to" => {
                    let at = self.unit(unit).parsed.offsets(assign.key.id.span);
                    next_to::value(self, unit, at);
                }
                ObjectPatProp::Assign(_) => {}
                ObjectPatProp::KeyValue(pair) => {
                    let at = self.unit(unit).parsed.offsets(pair.key.span());
                    match (&pair.key, key_text(&pair.key)) {
                        (PropName::Ident(_), Some("to")) => next_to::value(self, unit, at),
                        (PropName::Ident(_), _) => {}
                        _ => next_bound::computed(self, unit, at),
                    }
                }
            }
        }
    }
}
