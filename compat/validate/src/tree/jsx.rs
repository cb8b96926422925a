//! JSX.

use super::walk::Walker;
use super::{LinkId, Role};
use swc_ecma_ast::{
    JSXAttrOrSpread, JSXAttrValue, JSXElement, JSXElementChild, JSXElementName, JSXExpr, JSXMemberExpr, JSXObject,
};

impl<'a> Walker<'a> {
    pub(super) fn element(&mut self, element: &'a JSXElement, link: LinkId) {
        self.tree.elements.push((element, link));
        match &element.opening.name {
            // A lower-case name is a string tag, not a use of a name.
            JSXElementName::Ident(ident) if ident.sym.starts_with(|c: char| !c.is_ascii_lowercase()) => {
                self.reference(&ident.sym, ident.span, Role::Other("an element"));
            }
            JSXElementName::JSXMemberExpr(member) => self.jsx_member(member),
            _ => {}
        }
        for attr in &element.opening.attrs {
            match attr {
                JSXAttrOrSpread::SpreadElement(spread) => self.expr(&spread.expr, Role::Spread, 0),
                JSXAttrOrSpread::JSXAttr(attr) => match &attr.value {
                    Some(JSXAttrValue::JSXExprContainer(container)) => self.jsx_expr(&container.expr),
                    Some(JSXAttrValue::JSXElement(inner)) => self.element(inner, 0),
                    Some(JSXAttrValue::JSXFragment(fragment)) => self.children(&fragment.children),
                    _ => {}
                },
            }
        }
        self.children(&element.children);
    }

    pub(super) fn children(&mut self, children: &'a [JSXElementChild]) {
        for child in children {
            match child {
                JSXElementChild::JSXExprContainer(container) => self.jsx_expr(&container.expr),
                JSXElementChild::JSXSpreadChild(spread) => self.expr(&spread.expr, Role::Spread, 0),
                JSXElementChild::JSXElement(element) => self.element(element, 0),
                JSXElementChild::JSXFragment(fragment) => self.children(&fragment.children),
                JSXElementChild::JSXText(_) => {}
            }
        }
    }

    fn jsx_expr(&mut self, expr: &'a JSXExpr) {
        if let JSXExpr::Expr(expr) = expr {
            self.expr(expr, Role::Other("a part of an element"), 0);
        }
    }

    fn jsx_member(&mut self, member: &'a JSXMemberExpr) {
        match &member.obj {
            JSXObject::Ident(ident) => self.reference(&ident.sym, ident.span, Role::Other("an element")),
            JSXObject::JSXMemberExpr(inner) => self.jsx_member(inner),
        }
    }
}
