//! Expressions.

use super::walk::Walker;
use super::{Await, BindKind, Called, Denial, FnId, LinkId, Role};
use swc_common::Spanned;
use swc_ecma_ast::{
    AssignExpr, AssignTarget, AssignTargetPat, BinaryOp, Callee, Expr, ExprOrSpread, Lit, MemberExpr, MemberProp,
    ObjectLit, OptChainBase, OptChainExpr, Pat, Prop, PropName, PropOrSpread, SimpleAssignTarget, SuperProp, Tpl,
    UnaryOp,
};

/// The expression without parentheses and without what TypeScript adds.
pub(crate) fn plain(mut expr: &Expr) -> &Expr {
    loop {
        expr = match expr {
            Expr::Paren(inner) => &inner.expr,
            Expr::TsAs(inner) => &inner.expr,
            Expr::TsNonNull(inner) => &inner.expr,
            Expr::TsSatisfies(inner) => &inner.expr,
            Expr::TsConstAssertion(inner) => &inner.expr,
            Expr::TsTypeAssertion(inner) => &inner.expr,
            Expr::TsInstantiation(inner) => &inner.expr,
            _ => return expr,
        }
    }
}

/// The text of a template without `${}`.
pub(crate) fn template_text(template: &Tpl) -> Option<String> {
    match template.quasis.as_slice() {
        [only] if template.exprs.is_empty() => only.cooked.as_ref().map(|text| text.to_string_lossy().into_owned()),
        _ => None,
    }
}

impl<'a> Walker<'a> {
    /// Walks an expression that is used as `role` in what `up` stands for.
    pub(super) fn expr(&mut self, expr: &'a Expr, role: Role<'a>, up: LinkId) {
        let expr = plain(expr);
        match expr {
            Expr::Lit(Lit::Regex(regex)) => {
                if let Some(fault) = super::regex::fault(&regex.exp, &regex.flags) {
                    let at = self.at(regex.span);
                    self.early(format!("this regular expression is invalid: {fault}"), at);
                }
                return;
            }
            Expr::Lit(_) | Expr::This(_) => return,
            _ => {}
        }
        let link = self.link(role, up);
        match expr {
            Expr::Ident(ident) => self.reference_at(&ident.sym, ident.span, link),
            Expr::Member(member) => self.member_expr(member, false, link),
            Expr::OptChain(chain) => self.chain(chain, link),
            Expr::Call(call) => {
                let called = Called::Plain(call);
                match &call.callee {
                    Callee::Expr(callee) => self.expr(callee, Role::Callee(called), link),
                    Callee::Import(import) => {
                        let at = self.at(import.span);
                        self.tree.dynamic_imports.push(at);
                    }
                    Callee::Super(word) => self.check_super(word.span, true),
                }
                self.args(called, link);
            }
            Expr::New(call) => {
                let called = Called::New(call);
                self.expr(&call.callee, Role::Callee(called), link);
                self.args(called, link);
            }
            Expr::Fn(function) => {
                self.enter();
                if let Some(ident) = &function.ident {
                    let id = self.tree.funcs.len() as FnId;
                    let bind = self.declare(ident, BindKind::Function);
                    self.tree.binds[bind as usize].func = Some(id);
                }
                self.function(&function.function, link, false);
                self.leave();
            }
            Expr::Arrow(arrow) => self.arrow(arrow, link),
            Expr::Class(class) => {
                self.enter();
                if let Some(ident) = &class.ident {
                    self.declare_class(ident);
                }
                self.class(&class.class);
                self.leave();
            }
            Expr::Object(object) => self.object(object, link),
            Expr::Array(array) => array.elems.iter().flatten().for_each(|item| self.item(item, Role::ArrayItem, link)),
            Expr::Assign(assign) => self.assign(assign, link),
            Expr::Await(wait) => {
                let at = self.at(wait.span);
                self.tree.awaits.push(Await { of: &wait.arg, at });
                self.expr(&wait.arg, Role::Await, link);
            }
            other => self.other(other, link),
        }
    }

    fn other(&mut self, expr: &'a Expr, link: LinkId) {
        match expr {
            Expr::Unary(unary) => {
                if unary.op == UnaryOp::Delete {
                    self.check_delete(unary);
                }
                self.expr(&unary.arg, Role::Unary(unary.op), link);
            }
            Expr::Update(update) => self.expr(&update.arg, Role::Target, link),
            Expr::Bin(binary) => {
                let known = if self.compiled { super::stmt::constant(&binary.left) } else { None };
                self.expr(&binary.left, Role::Binary(binary, true), link);
                let dead = matches!(
                    (binary.op, known),
                    (BinaryOp::LogicalAnd, Some(false)) | (BinaryOp::LogicalOr, Some(true))
                );
                if !dead {
                    self.expr(&binary.right, Role::Binary(binary, false), link);
                }
            }
            Expr::Cond(cond) => {
                let known = if self.compiled { super::stmt::constant(&cond.test) } else { None };
                self.expr(&cond.test, Role::Cond(false), link);
                if known != Some(false) {
                    self.expr(&cond.cons, Role::Cond(true), link);
                }
                if known != Some(true) {
                    self.expr(&cond.alt, Role::Cond(true), link);
                }
            }
            Expr::Seq(seq) => {
                for expr in &seq.exprs {
                    self.expr(expr, Role::Seq, link);
                }
            }
            Expr::Tpl(template) => template.exprs.iter().for_each(|expr| self.expr(expr, Role::Template, link)),
            Expr::TaggedTpl(tagged) => {
                self.expr(&tagged.tag, Role::Tag, link);
                tagged.tpl.exprs.iter().for_each(|expr| self.expr(expr, Role::Template, link));
            }
            Expr::Yield(give) => {
                if let Some(value) = &give.arg {
                    self.expr(value, Role::Other("yielded"), link);
                }
            }
            Expr::SuperProp(prop) => {
                self.check_super(prop.obj.span, false);
                if let SuperProp::Computed(computed) = &prop.prop {
                    self.expr(&computed.expr, Role::Other("a computed key"), 0);
                }
            }
            Expr::JSXElement(element) => self.element(element, link),
            Expr::JSXFragment(fragment) => self.children(&fragment.children),
            Expr::PrivateName(name) => self.private_name(&name.name, name.span),
            _ => {}
        }
    }

    fn member_expr(&mut self, member: &'a MemberExpr, optional: bool, link: LinkId) {
        self.expr(&member.obj, Role::Object(member, optional), link);
        match &member.prop {
            MemberProp::Computed(computed) => self.expr(&computed.expr, Role::Other("a computed key"), 0),
            MemberProp::PrivateName(name) => self.private_name(&name.name, name.span),
            MemberProp::Ident(_) => {}
        }
    }

    fn private_name(&mut self, name: &'a str, span: swc_common::Span) {
        if !self.private.iter().any(|names| names.contains(name)) {
            let at = self.at(span);
            self.early(format!("#{name} is not declared in a class around it"), at);
        }
    }

    fn chain(&mut self, chain: &'a OptChainExpr, link: LinkId) {
        match &*chain.base {
            OptChainBase::Member(member) => self.member_expr(member, chain.optional, link),
            OptChainBase::Call(call) => {
                let called = Called::Optional(call);
                self.expr(&call.callee, Role::Callee(called), link);
                self.args(called, link);
            }
        }
    }

    fn args(&mut self, called: Called<'a>, link: LinkId) {
        for (index, arg) in called.args().iter().enumerate() {
            self.item(arg, Role::Argument(called, index), link);
        }
    }

    fn item(&mut self, item: &'a ExprOrSpread, role: Role<'a>, link: LinkId) {
        let role = if item.spread.is_some() { Role::Spread } else { role };
        self.expr(&item.expr, role, link);
    }

    fn object(&mut self, object: &'a ObjectLit, link: LinkId) {
        self.check_proto(object);
        for prop in &object.props {
            let prop = match prop {
                PropOrSpread::Spread(spread) => {
                    self.expr(&spread.expr, Role::Spread, link);
                    continue;
                }
                PropOrSpread::Prop(prop) => &**prop,
            };
            self.note_denial(prop);
            match prop {
                Prop::Shorthand(ident) => {
                    let place = self.link(Role::ObjectValue, link);
                    self.reference_at(&ident.sym, ident.span, place);
                }
                Prop::KeyValue(pair) => {
                    self.prop_name(&pair.key);
                    self.expr(&pair.value, Role::ObjectValue, link);
                }
                Prop::Assign(assign) => self.expr(&assign.value, Role::Other("a default value"), link),
                Prop::Getter(getter) => {
                    self.prop_name(&getter.key);
                    self.method(&getter.function);
                }
                Prop::Setter(setter) => {
                    self.prop_name(&setter.key);
                    self.method(&setter.function);
                }
                Prop::Method(method) => {
                    self.prop_name(&method.key);
                    self.method(&method.function);
                }
            }
        }
    }

    fn note_denial(&mut self, prop: &'a Prop) {
        let denies = match prop {
            Prop::Shorthand(ident) => matches!(&*ident.sym, "deny" | "refuse"),
            Prop::KeyValue(pair) => match key_text(&pair.key) {
                Some("deny" | "refuse") => !is_undefined(&pair.value),
                Some("decision" | "permissionDecision" | "behavior") => {
                    matches!(plain(&pair.value), Expr::Lit(Lit::Str(text)) if matches!(text.value.as_str(), Some("deny" | "block")))
                        || !matches!(plain(&pair.value), Expr::Lit(_))
                }
                _ => false,
            },
            _ => false,
        };
        if denies {
            let at = self.at(prop.span());
            self.tree.denials.push(Denial { func: self.func, at });
        }
    }

    fn assign(&mut self, assign: &'a AssignExpr, link: LinkId) {
        match &assign.left {
            AssignTarget::Simple(SimpleAssignTarget::Ident(ident)) => {
                self.reference(&ident.id.sym, ident.id.span, Role::Target)
            }
            AssignTarget::Simple(SimpleAssignTarget::Member(member)) => {
                let place = self.link(Role::Target, 0);
                self.member_expr(member, false, place);
            }
            AssignTarget::Simple(SimpleAssignTarget::OptChain(chain)) => {
                let place = self.link(Role::Target, 0);
                self.chain(chain, place);
            }
            AssignTarget::Simple(SimpleAssignTarget::Paren(inner)) => self.expr(&inner.expr, Role::Target, 0),
            AssignTarget::Simple(SimpleAssignTarget::TsAs(inner)) => self.expr(&inner.expr, Role::Target, 0),
            AssignTarget::Simple(SimpleAssignTarget::TsNonNull(inner)) => self.expr(&inner.expr, Role::Target, 0),
            AssignTarget::Simple(SimpleAssignTarget::TsSatisfies(inner)) => self.expr(&inner.expr, Role::Target, 0),
            AssignTarget::Simple(SimpleAssignTarget::TsTypeAssertion(inner)) => self.expr(&inner.expr, Role::Target, 0),
            AssignTarget::Simple(_) => {}
            AssignTarget::Pat(AssignTargetPat::Array(array)) => {
                array.elems.iter().flatten().for_each(|pat: &'a Pat| self.targets(pat));
            }
            AssignTarget::Pat(AssignTargetPat::Object(object)) => {
                object.props.iter().for_each(|prop| self.target_prop(prop));
            }
            AssignTarget::Pat(AssignTargetPat::Invalid(_)) => {}
        }
        self.expr(&assign.right, Role::Assigned(assign), link);
    }
}

/// The key where it is written out.
pub(crate) fn key_text(key: &PropName) -> Option<&str> {
    match key {
        PropName::Ident(ident) => Some(&ident.sym),
        PropName::Str(text) => text.value.as_str(),
        _ => None,
    }
}

pub(crate) fn is_undefined(expr: &Expr) -> bool {
    matches!(plain(expr), Expr::Ident(ident) if &*ident.sym == "undefined")
}
