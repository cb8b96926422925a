//! The paths of surface modules: written relative to the file at hand, they are read far from it.
//!
//! `<Client module="./board.tsx">` in `hooks/draw.tsx` names `hooks/board.tsx`, the path from the mod's folder. Only what
//! is called `Client` is looked at, and only text: a mod with any other path is refused before it gets here.

use swc_ecma_ast::{
    CallExpr, Callee, Expr, ExprOrSpread, JSXAttrName, JSXAttrOrSpread, JSXAttrValue, JSXElementName, JSXExpr,
    JSXOpeningElement, Lit, MemberProp, Module, Prop, PropName, PropOrSpread, Str,
};
use swc_ecma_visit::{Visit, VisitMut, VisitMutWith, VisitWith};

const ELEMENT: &str = "Client";
const PROP: &str = "module";

/// Whether there is anything for [`Surfaces`] to do.
pub(super) fn has_surfaces(module: &Module) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn visit_call_expr(&mut self, call: &CallExpr) {
            self.0 |= is_client_call(call).is_some();
            call.visit_children_with(self);
        }
    }
    let mut finder = Finder(false);
    module.visit_with(&mut finder);
    finder.0
}

/// Writes the paths as seen from the mod's folder.
pub(super) struct Surfaces<'a> {
    /// The folder of the file, with `/`; empty for the mod's own.
    pub(super) folder: &'a str,
}

impl Surfaces<'_> {
    fn rewrite(&self, text: &mut Str) {
        if let Some(path) = text.value.as_str().and_then(|path| joined(self.folder, path)) {
            text.value = path.into();
            text.raw = None;
        }
    }

    fn rewrite_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Lit(Lit::Str(text)) => self.rewrite(text),
            Expr::Tpl(template) if template.exprs.is_empty() => {
                let [part] = template.quasis.as_slice() else { return };
                let cooked = part.cooked.as_ref().and_then(|cooked| cooked.as_str().map(str::to_string));
                let mut text = Str { span: template.span, value: cooked.unwrap_or_default().into(), raw: None };
                self.rewrite(&mut text);
                *expr = Expr::Lit(Lit::Str(text));
            }
            Expr::Paren(inner) => self.rewrite_expr(&mut inner.expr),
            _ => {}
        }
    }
}

impl VisitMut for Surfaces<'_> {
    fn visit_mut_jsx_opening_element(&mut self, element: &mut JSXOpeningElement) {
        element.visit_mut_children_with(self);
        let is_client = match &element.name {
            JSXElementName::Ident(name) => &*name.sym == ELEMENT,
            JSXElementName::JSXMemberExpr(member) => &*member.prop.sym == ELEMENT,
            JSXElementName::JSXNamespacedName(_) => false,
        };
        if !is_client {
            return;
        }
        for attribute in &mut element.attrs {
            let JSXAttrOrSpread::JSXAttr(attribute) = attribute else { continue };
            if !matches!(&attribute.name, JSXAttrName::Ident(name) if &*name.sym == PROP) {
                continue;
            }
            match &mut attribute.value {
                Some(JSXAttrValue::Str(text)) => self.rewrite(text),
                Some(JSXAttrValue::JSXExprContainer(container)) => {
                    if let JSXExpr::Expr(expr) = &mut container.expr {
                        self.rewrite_expr(expr);
                    }
                }
                _ => {}
            }
        }
    }

    fn visit_mut_call_expr(&mut self, call: &mut CallExpr) {
        call.visit_mut_children_with(self);
        let Some(at) = is_client_call(call) else { return };
        let Some(ExprOrSpread { spread: None, expr }) = call.args.get_mut(at) else { return };
        let Expr::Object(object) = &mut **expr else { return };
        for prop in &mut object.props {
            let PropOrSpread::Prop(prop) = prop else { continue };
            let Prop::KeyValue(pair) = &mut **prop else { continue };
            let is_module = match &pair.key {
                PropName::Ident(name) => &*name.sym == PROP,
                PropName::Str(name) => name.value.as_str() == Some(PROP),
                _ => false,
            };
            if is_module {
                self.rewrite_expr(&mut pair.value);
            }
        }
    }
}

/// Which argument of a call holds the props of a `Client`: `Client(props)`, `T.Client(props)`, `h(Client, props)`.
fn is_client_call(call: &CallExpr) -> Option<usize> {
    let Callee::Expr(callee) = &call.callee else { return None };
    if is_client(callee) {
        return Some(0);
    }
    let is_factory = matches!(&**callee, Expr::Ident(name) if &*name.sym == "h");
    let first = call.args.first().filter(|first| first.spread.is_none())?;
    let is_named = || matches!(&*first.expr, Expr::Lit(Lit::Str(name)) if name.value.as_str() == Some(ELEMENT));
    (is_factory && (is_client(&first.expr) || is_named())).then_some(1)
}

fn is_client(expr: &Expr) -> bool {
    match expr {
        Expr::Ident(name) => &*name.sym == ELEMENT,
        Expr::Member(member) => matches!(&member.prop, MemberProp::Ident(name) if &*name.sym == ELEMENT),
        Expr::Paren(inner) => is_client(&inner.expr),
        _ => false,
    }
}

/// A relative path seen from the mod's folder; nothing for one that is not relative, or leaves the mod.
fn joined(folder: &str, path: &str) -> Option<String> {
    if !path.starts_with("./") && !path.starts_with("../") {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::compile;

    #[test]
    fn paths_of_surface_modules_are_those_from_the_folder() {
        let source = r#"
            export const a = (T, Client) => [<Client module="./b.tsx" />, <T.Client module={'../b.tsx'} />, Client({ module: './c.tsx' }),
            h(T.Client, { module: `./d/e.tsx` }), <T.Other module="./f.tsx" />, <Client module="g.tsx" />]"#;
        let code = compile("hooks/a.tsx", source).unwrap().code;
        let paths: Vec<_> = code.split('"').filter(|part| part.ends_with(".tsx")).collect();
        assert_eq!(paths, ["hooks/b.tsx", "b.tsx", "hooks/c.tsx", "hooks/d/e.tsx", "./f.tsx", "g.tsx"], "{code}");
        let plain = compile("a.js", "export const a = (T) => T.Client({ module: './b.js' })").unwrap().code;
        assert!(plain.contains("\"b.js\""), "{plain}");
    }
}
