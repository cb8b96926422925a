//! Values that can be read off the source.

use super::Unit;
use crate::tree::{BindKind, EnumValue, ScopeId, key_text, plain, template_text};
use swc_ecma_ast::{Expr, Lit, MemberProp, Prop, PropOrSpread, Tpl};

/// A text written in place: a string, a template without `${}`, and in compiled files a member of an `enum`.
pub(crate) fn literal_text(unit: &Unit<'_>, expr: &Expr) -> Option<String> {
    match plain(expr) {
        Expr::Lit(Lit::Str(text)) => Some(text.value.to_string_lossy().into_owned()),
        Expr::Tpl(template) => template_text(template),
        Expr::Member(_) => match enum_member(unit, expr) {
            Some(EnumValue::Text(text)) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// What `Name.Member` stands for, where `Name` is an enum of the file.
pub(crate) fn enum_member(unit: &Unit<'_>, expr: &Expr) -> Option<EnumValue> {
    let Expr::Member(member) = plain(expr) else { return None };
    let Expr::Ident(object) = plain(&member.obj) else { return None };
    let key = match &member.prop {
        MemberProp::Ident(ident) => ident.sym.to_string(),
        MemberProp::Computed(computed) => match plain(&computed.expr) {
            Expr::Lit(Lit::Str(text)) => text.value.to_string_lossy().into_owned(),
            _ => return None,
        },
        MemberProp::PrivateName(_) => return None,
    };
    unit.tree.enums.get(&(&*object.sym, key)).cloned()
}

/// How a text begins, and whether that is all of it.
pub(crate) struct Known {
    pub(crate) text: String,
    pub(crate) whole: bool,
}

/// Constants may name constants this many times.
const LONGEST: u32 = 16;

/// Longer texts name nothing anybody reads.
const LONGEST_TEXT: usize = 1 << 16;

/// The text an expression has, or the beginning of it that the source shows: literals, templates, and `const` names
/// bound to such.
pub(crate) fn known_text(unit: &Unit<'_>, scope: ScopeId, expr: &Expr) -> Option<Known> {
    known(unit, scope, expr, 0)
}

fn known(unit: &Unit<'_>, scope: ScopeId, expr: &Expr, depth: u32) -> Option<Known> {
    if depth > LONGEST {
        return None;
    }
    match plain(expr) {
        Expr::Ident(ident) => {
            let bind = unit.tree.bind(unit.tree.resolve(&ident.sym, scope)?);
            let init = bind.init.filter(|_| bind.kind == BindKind::Const)?;
            known(unit, bind.scope, init, depth + 1)
        }
        Expr::Tpl(template) => template_known(unit, scope, template, depth),
        other => literal_text(unit, other).map(|text| Known { text, whole: true }),
    }
}

fn template_known(unit: &Unit<'_>, scope: ScopeId, template: &Tpl, depth: u32) -> Option<Known> {
    let mut text = String::new();
    for (index, quasi) in template.quasis.iter().enumerate() {
        text.push_str(&quasi.cooked.as_ref()?.to_string_lossy());
        let Some(part) = template.exprs.get(index) else { break };
        let Some(part) = known(unit, scope, part, depth + 1) else { return Some(Known { text, whole: false }) };
        text.push_str(&part.text);
        if !part.whole || text.len() > LONGEST_TEXT {
            return Some(Known { text, whole: false });
        }
    }
    Some(Known { text, whole: true })
}

/// The value of a property written out in an object literal; the last of equal ones.
pub(crate) fn property<'a>(expr: &'a Expr, name: &str) -> Option<&'a Expr> {
    let Expr::Object(object) = plain(expr) else { return None };
    object.props.iter().rev().find_map(|prop| match prop {
        PropOrSpread::Prop(prop) => match &**prop {
            Prop::KeyValue(pair) if key_text(&pair.key) == Some(name) => Some(&*pair.value),
            _ => None,
        },
        PropOrSpread::Spread(_) => None,
    })
}

/// Is the same-named property there as `{ name }`?
pub(crate) fn shorthand<'a>(expr: &'a Expr, name: &str) -> Option<&'a swc_ecma_ast::Ident> {
    let Expr::Object(object) = plain(expr) else { return None };
    object.props.iter().rev().find_map(|prop| match prop {
        PropOrSpread::Prop(prop) => match &**prop {
            Prop::Shorthand(ident) if &*ident.sym == name => Some(ident),
            _ => None,
        },
        PropOrSpread::Spread(_) => None,
    })
}
