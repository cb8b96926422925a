//! Mistakes that refuse a file before it runs and that the parser leaves out: they need names resolved, or the class
//! around a word.

use super::walk::{Home, Walker};
use super::{BindKind, Role, ScopeId};
use rustc_hash::{FxHashMap, FxHashSet};
use swc_common::Span;
use swc_ecma_ast::{
    Class, ClassMember, Expr, Ident, Key, MemberExpr, MemberProp, MethodKind, ObjectLit, Prop, PropOrSpread, UnaryExpr,
};

impl<'a> Walker<'a> {
    /// Two times `__proto__: ...` in one object.
    pub(super) fn check_proto(&mut self, object: &'a ObjectLit) {
        let mut protos = object.props.iter().filter_map(|prop| match prop {
            PropOrSpread::Prop(prop) => match &**prop {
                Prop::KeyValue(pair) if super::expr::key_text(&pair.key) == Some("__proto__") => Some(&pair.key),
                _ => None,
            },
            PropOrSpread::Spread(_) => None,
        });
        if let Some(second) = protos.nth(1) {
            let at = self.at(swc_common::Spanned::span(second));
            self.early("__proto__ is set twice in one object".to_owned(), at);
        }
    }

    /// A `var` that leaves a block which has its name already.
    pub(super) fn check_hoisted(&mut self, ident: &'a Ident, function: ScopeId) {
        let mut scope = self.scope;
        while scope != function {
            let before = self.tree.in_scope.get(&(scope, &*ident.sym)).map(|bind| self.tree.bind(*bind).kind);
            if matches!(before, Some(kind) if kind != BindKind::Catch) {
                let at = self.at(ident.span);
                return self.early(format!("{:?} is declared twice", &*ident.sym), at);
            }
            let Some(up) = self.tree.scopes[scope as usize].up else { return };
            scope = up;
        }
    }

    /// `delete name`: every file is in strict mode.
    pub(super) fn check_delete(&mut self, unary: &'a UnaryExpr) {
        if let Expr::Member(MemberExpr { prop: MemberProp::PrivateName(name), .. }) = super::plain(&unary.arg) {
            let at = self.at(name.span);
            self.early(format!("#{} is private; such members cannot be deleted", &*name.name), at);
        }
        if let Expr::Ident(name) = super::plain(&unary.arg) {
            let at = self.at(name.span);
            self.early(format!("{:?} is a name; only members can be deleted", &*name.sym), at);
        }
    }

    pub(super) fn check_super(&mut self, span: Span, called: bool) {
        let message = match (self.home, called) {
            (Home::Constructor, _) | (Home::Member, false) => return,
            (_, true) => "super() stands in the constructor of a class with a parent, and nowhere else",
            (Home::None, false) => "super is only known in methods and classes",
        };
        let at = self.at(span);
        self.early(message.to_owned(), at);
    }

    /// A class has its prototype already.
    pub(super) fn check_static(&mut self, member: &'a ClassMember) {
        let key = match member {
            ClassMember::Method(method) if method.is_static => &method.key,
            ClassMember::ClassProp(prop) if prop.is_static && !prop.declare => &prop.key,
            _ => return,
        };
        if super::expr::key_text(key) == Some("prototype") {
            let at = self.at(swc_common::Spanned::span(key));
            self.early("a class cannot have a static member named prototype".to_owned(), at);
        }
    }

    /// What needs a helper that compiling would import, and the host does not have.
    pub(super) fn needs_helper(&mut self, what: &str, span: Span) {
        if self.compiled {
            let at = self.at(span);
            self.early(format!("{what} need a helper that the host does not have"), at);
        }
    }

    /// The private names of a class.
    pub(super) fn private_names(&mut self, class: &'a Class) -> FxHashSet<&'a str> {
        let mut known: FxHashMap<&str, (Option<MethodKind>, bool)> = FxHashMap::default();
        for member in &class.body {
            let Some((name, kind, is_static, span)) = private_name(member) else { continue };
            let pair = match (known.get(name), kind) {
                (None, _) => true,
                (Some((Some(before), side)), Some(now)) => {
                    use MethodKind::{Getter, Setter};
                    *side == is_static && matches!((before, now), (Getter, Setter) | (Setter, Getter))
                }
                _ => false,
            };
            if !pair {
                let at = self.at(span);
                self.early(format!("#{name} is declared twice"), at);
            }
            known.insert(name, (kind, is_static));
        }
        known.into_keys().collect()
    }

    /// Compiling TypeScript refuses what would throw when it runs.
    pub(super) fn check_constants(&mut self) {
        if !self.compiled {
            return;
        }
        let is_constant = |name: &str, scope| {
            let bind = self.tree.resolve(name, scope).map(|bind| self.tree.bind(bind).kind);
            bind == Some(BindKind::Const)
        };
        let assigned: Vec<_> = self
            .tree
            .refs
            .iter()
            .filter(|used| matches!(self.tree.link(used.link).role, Role::Target) && is_constant(used.name, used.scope))
            .map(|used| (used.name, used.at))
            .collect();
        for (name, at) in assigned {
            self.early(format!("{name:?} is a constant and cannot be assigned to"), at);
        }
    }
}

/// A private member: its name, what kind of method it is, whether it is static, and where.
fn private_name(member: &ClassMember) -> Option<(&str, Option<MethodKind>, bool, Span)> {
    match member {
        ClassMember::PrivateMethod(method) => {
            Some((&method.key.name, Some(method.kind), method.is_static, method.key.span))
        }
        ClassMember::PrivateProp(prop) => Some((&prop.key.name, None, prop.is_static, prop.key.span)),
        ClassMember::AutoAccessor(accessor) => match &accessor.key {
            Key::Private(key) => Some((&key.name, None, accessor.is_static, key.span)),
            Key::Public(_) => None,
        },
        _ => None,
    }
}
