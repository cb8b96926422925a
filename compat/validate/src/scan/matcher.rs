//! Reading a matcher off the source.

use super::literal::enum_member;
use super::{Scan, Unit};
use crate::report::{Literal, Matcher};
use crate::tree::{BindKind, EnumValue, ScopeId, key_text, plain, template_text};
use swc_ecma_ast::{Expr, Lit, ObjectLit, Prop, PropName, PropOrSpread, UnaryOp};

/// Deeper matchers are not read, and refused when they are registered.
pub(crate) const DEEPEST: u32 = 8;

struct Reader<'u, 'a> {
    unit: &'u Unit<'a>,
    /// A matcher deeper than the host reads counts as unread as a whole.
    too_deep: bool,
}

impl<'a> Scan<'_, 'a> {
    pub(super) fn read_matcher(&self, unit: usize, scope: ScopeId, expr: &'a Expr) -> Matcher {
        let mut reader = Reader { unit: self.unit(unit), too_deep: false };
        let matcher = reader.value(expr, scope, 0, 0);
        if reader.too_deep { Matcher::Unread } else { matcher }
    }
}

impl Reader<'_, '_> {
    fn value(&mut self, expr: &Expr, scope: ScopeId, depth: u32, names: u32) -> Matcher {
        if depth > DEEPEST {
            self.too_deep = true;
            return Matcher::Unread;
        }
        match plain(expr) {
            Expr::Lit(lit) => literal(lit),
            Expr::Tpl(template) => {
                template_text(template).map_or(Matcher::Unread, |text| Matcher::Is(Literal::String(text)))
            }
            Expr::Array(array) => {
                let mut any = Vec::with_capacity(array.elems.len());
                for item in &array.elems {
                    any.push(match item {
                        Some(item) if item.spread.is_none() => self.value(&item.expr, scope, depth + 1, names),
                        _ => Matcher::Unread,
                    });
                }
                Matcher::AnyOf(any)
            }
            Expr::Object(object) => self.object(object, scope, depth, names),
            Expr::Ident(ident) => self.constant(&ident.sym, scope, depth, names),
            Expr::Member(_) => match enum_member(self.unit, expr) {
                Some(EnumValue::Text(text)) => Matcher::Is(Literal::String(text)),
                Some(EnumValue::Number(number)) => Matcher::Is(Literal::Number(number)),
                None => Matcher::Unread,
            },
            // Compiling writes these as the literals they are.
            Expr::Unary(unary) if self.unit.parsed.compiled => match (unary.op, plain(&unary.arg)) {
                (UnaryOp::Plus, Expr::Lit(Lit::Num(number))) => Matcher::Is(Literal::Number(number.value)),
                (UnaryOp::Bang, Expr::Lit(Lit::Num(number))) => Matcher::Is(Literal::Bool(number.value == 0.0)),
                (UnaryOp::Bang, Expr::Lit(Lit::Bool(value))) => Matcher::Is(Literal::Bool(!value.value)),
                _ => Matcher::Unread,
            },
            _ => Matcher::Unread,
        }
    }

    fn object(&mut self, object: &ObjectLit, scope: ScopeId, depth: u32, names: u32) -> Matcher {
        let mut fields: Vec<(String, Matcher)> = Vec::new();
        for prop in &object.props {
            let PropOrSpread::Prop(prop) = prop else { return Matcher::Unread };
            let (key, value) = match &**prop {
                Prop::Shorthand(ident) => (ident.sym.to_string(), self.constant(&ident.sym, scope, depth + 1, names)),
                Prop::KeyValue(pair) => {
                    let Some(key) = key(&pair.key) else { return Matcher::Unread };
                    (key, self.value(&pair.value, scope, depth + 1, names))
                }
                Prop::Method(method) => {
                    let Some(key) = key(&method.key) else { return Matcher::Unread };
                    (key, Matcher::Unread)
                }
                _ => return Matcher::Unread,
            };
            if key == "__proto__" {
                return Matcher::Unread;
            }
            match fields.iter_mut().find(|(known, _)| *known == key) {
                Some(field) => field.1 = value,
                None => fields.push((key, value)),
            }
        }
        Matcher::Has(fields)
    }

    /// A `const` at the top of the file. What could be changed must not be used for anything else.
    fn constant(&mut self, name: &str, scope: ScopeId, depth: u32, names: u32) -> Matcher {
        let tree = &self.unit.tree;
        let Some(id) = tree.resolve(name, scope) else { return Matcher::Unread };
        let bind = tree.bind(id);
        if let (BindKind::Const, Some(each)) = (bind.kind, bind.each) {
            return texts_of(each).map_or(Matcher::Unread, Matcher::AnyOf);
        }
        let (BindKind::Const, Some(init), 0) = (bind.kind, bind.init, bind.scope) else { return Matcher::Unread };
        let scalar = matches!(plain(init), Expr::Lit(lit) if !matches!(lit, Lit::Regex(_)))
            || matches!(plain(init), Expr::Tpl(_) | Expr::Ident(_));
        let exported =
            tree.exports.iter().any(|export| matches!(export.of, crate::tree::ExportOf::Declared(own) if own == name));
        if names > 16 || (!scalar && (tree.mentions(name) > 2 || exported)) {
            return Matcher::Unread;
        }
        self.value(init, 0, depth, names + 1)
    }
}

/// What a loop goes through, where it is a list of texts written in its head.
fn texts_of(list: &Expr) -> Option<Vec<Matcher>> {
    let Expr::Array(array) = plain(list) else { return None };
    let text = |item: &swc_ecma_ast::ExprOrSpread| match plain(&item.expr) {
        Expr::Lit(Lit::Str(text)) if item.spread.is_none() => {
            Some(Matcher::Is(Literal::String(text.value.to_string_lossy().into_owned())))
        }
        _ => None,
    };
    array.elems.iter().map(|item| text(item.as_ref()?)).collect()
}

fn key(key: &PropName) -> Option<String> {
    match key {
        PropName::Num(number) => Some(number_text(number.value)),
        other => key_text(other).map(str::to_owned),
    }
}

fn number_text(number: f64) -> String {
    // Keys of objects are small whole numbers in practice; others print as they would in JavaScript closely enough.
    format!("{number}")
}

fn literal(lit: &Lit) -> Matcher {
    match lit {
        Lit::Str(text) => Matcher::Is(Literal::String(text.value.to_string_lossy().into_owned())),
        Lit::Bool(value) => Matcher::Is(Literal::Bool(value.value)),
        Lit::Null(_) => Matcher::Is(Literal::Null),
        Lit::Num(number) => Matcher::Is(Literal::Number(number.value)),
        Lit::Regex(regex) => Matcher::Regex { source: regex.exp.to_string(), flags: regex.flags.to_string() },
        Lit::BigInt(_) | Lit::JSXText(_) => Matcher::Unread,
    }
}
