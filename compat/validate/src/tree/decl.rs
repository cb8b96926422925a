//! Declarations and patterns.

use super::walk::{Home, Walker};
use super::{BindKind, EnumValue, FnId, FnNode, LinkId, Role};
use swc_ecma_ast::{
    Class, ClassMember, Decl, Expr, Ident, Key, Lit, ModuleItem, ObjectPatProp, ParamOrTsParamProp, Pat, PropName,
    TsEnumDecl, TsEnumMemberId, TsModuleDecl, TsModuleName, TsNamespaceBody, TsParamPropParam, UnaryOp, VarDeclKind,
    VarDeclarator,
};

impl<'a> Walker<'a> {
    pub(super) fn decl(&mut self, decl: &'a Decl, up: LinkId) {
        match decl {
            Decl::Class(class) if !class.declare => {
                self.declare_class(&class.ident);
                self.class(&class.class);
            }
            // Without a body it is an overload or a `declare`, which compiling removes.
            Decl::Fn(function) if !function.declare && function.function.body.is_some() => {
                let id = self.tree.funcs.len() as FnId;
                let bind = self.declare(&function.ident, BindKind::Function);
                self.tree.binds[bind as usize].func = Some(id);
                self.function(&function.function, up, true);
            }
            Decl::Var(var) if !var.declare => {
                let kind = match var.kind {
                    VarDeclKind::Var => BindKind::Var,
                    VarDeclKind::Let => BindKind::Let,
                    VarDeclKind::Const => BindKind::Const,
                };
                self.declarators(&var.decls, kind);
            }
            Decl::Using(using) => {
                self.needs_helper("using declarations", using.span);
                self.declarators(&using.decls, BindKind::Const);
            }
            Decl::TsEnum(decl) if !decl.declare => self.ts_enum(decl),
            Decl::TsModule(module) if !module.declare && !module.global => self.ts_module(module),
            _ => {}
        }
    }

    pub(super) fn declarators(&mut self, decls: &'a [VarDeclarator], kind: BindKind) {
        for decl in decls {
            let first = self.tree.binds.len();
            self.pattern(&decl.name, kind);
            let Some(init) = decl.init.as_deref() else { continue };
            if matches!(decl.name, Pat::Ident(_)) {
                let func = self.tree.funcs.len() as FnId;
                let bind = &mut self.tree.binds[first];
                bind.init = Some(init);
                if kind == BindKind::Const && matches!(super::expr::plain(init), Expr::Arrow(_) | Expr::Fn(_)) {
                    bind.func = Some(func);
                }
            }
            self.expr(init, Role::Init(decl), 0);
        }
    }

    /// Declares the names of a pattern and walks its defaults and computed keys.
    pub(super) fn pattern(&mut self, pat: &'a Pat, kind: BindKind) {
        match pat {
            Pat::Ident(ident) => {
                self.declare(&ident.id, kind);
            }
            Pat::Array(array) => array.elems.iter().flatten().for_each(|item| self.pattern(item, kind)),
            Pat::Rest(rest) => self.pattern(&rest.arg, kind),
            Pat::Assign(assign) => {
                self.pattern(&assign.left, kind);
                self.expr(&assign.right, Role::Other("a default value"), 0);
            }
            Pat::Object(object) => {
                for prop in &object.props {
                    match prop {
                        ObjectPatProp::KeyValue(pair) => {
                            self.prop_name(&pair.key);
                            self.pattern(&pair.value, kind);
                        }
                        ObjectPatProp::Assign(assign) => {
                            self.declare(&assign.key.id, kind);
                            if let Some(value) = &assign.value {
                                self.expr(value, Role::Other("a default value"), 0);
                            }
                        }
                        ObjectPatProp::Rest(rest) => self.pattern(&rest.arg, kind),
                    }
                }
            }
            Pat::Expr(expr) => self.expr(expr, Role::Target, 0),
            Pat::Invalid(_) => {}
        }
    }

    /// A pattern that assigns to names which exist already.
    pub(super) fn targets(&mut self, pat: &'a Pat) {
        match pat {
            Pat::Ident(ident) => self.reference(&ident.id.sym, ident.id.span, Role::Target),
            Pat::Array(array) => array.elems.iter().flatten().for_each(|item| self.targets(item)),
            Pat::Rest(rest) => self.targets(&rest.arg),
            Pat::Assign(assign) => {
                self.targets(&assign.left);
                self.expr(&assign.right, Role::Other("a default value"), 0);
            }
            Pat::Object(object) => object.props.iter().for_each(|prop| self.target_prop(prop)),
            Pat::Expr(expr) => self.expr(expr, Role::Target, 0),
            Pat::Invalid(_) => {}
        }
    }

    pub(super) fn target_prop(&mut self, prop: &'a ObjectPatProp) {
        match prop {
            ObjectPatProp::KeyValue(pair) => {
                self.prop_name(&pair.key);
                self.targets(&pair.value);
            }
            ObjectPatProp::Assign(assign) => {
                self.reference(&assign.key.id.sym, assign.key.id.span, Role::Target);
                if let Some(value) = &assign.value {
                    self.expr(value, Role::Other("a default value"), 0);
                }
            }
            ObjectPatProp::Rest(rest) => self.targets(&rest.arg),
        }
    }

    pub(super) fn prop_name(&mut self, key: &'a PropName) {
        if let PropName::Computed(computed) = key {
            self.expr(&computed.expr, Role::Other("a computed key"), 0);
        }
    }

    pub(super) fn declare_class(&mut self, ident: &'a Ident) {
        self.declare(ident, BindKind::Class);
    }

    pub(super) fn declare_namespace(&mut self, ident: &'a Ident) {
        self.declare(ident, BindKind::Namespace);
    }

    pub(super) fn class(&mut self, class: &'a Class) {
        if let Some(parent) = &class.super_class {
            self.expr(parent, Role::Other("a parent class"), 0);
        }
        let names = self.private_names(class);
        self.private.push(names);
        for decorator in &class.decorators {
            self.expr(&decorator.expr, Role::Other("a decorator"), 0);
        }
        self.derived.push(class.super_class.is_some());
        for member in &class.body {
            self.check_static(member);
            self.member(member);
        }
        self.derived.pop();
        self.private.pop();
    }

    fn member(&mut self, member: &'a ClassMember) {
        match member {
            ClassMember::Constructor(constructor) => {
                let outer = self.enter_function(FnNode::Other, 0, Vec::new(), self.at(constructor.span));
                let derived = self.derived.last() == Some(&true);
                self.home = if derived { Home::Constructor } else { Home::Member };
                for param in &constructor.params {
                    match param {
                        ParamOrTsParamProp::Param(param) => self.pattern(&param.pat, BindKind::Param),
                        ParamOrTsParamProp::TsParamProp(prop) => match &prop.param {
                            TsParamPropParam::Ident(ident) => {
                                self.declare(&ident.id, BindKind::Param);
                            }
                            TsParamPropParam::Assign(assign) => {
                                self.pattern(&assign.left, BindKind::Param);
                                self.expr(&assign.right, Role::Other("a default value"), 0);
                            }
                        },
                    }
                }
                self.body(constructor.body.as_ref());
                self.leave_function(outer);
            }
            ClassMember::Method(method) => {
                self.prop_name(&method.key);
                self.method(&method.function);
            }
            ClassMember::PrivateMethod(method) => self.method(&method.function),
            ClassMember::ClassProp(prop) if !prop.declare => {
                self.prop_name(&prop.key);
                self.field(prop.value.as_deref(), prop.span);
            }
            ClassMember::PrivateProp(prop) => self.field(prop.value.as_deref(), prop.span),
            ClassMember::AutoAccessor(accessor) => {
                let at = self.at(accessor.span);
                self.early("accessor fields need a helper that the host does not have".to_owned(), at);
                if let Key::Public(key) = &accessor.key {
                    self.prop_name(key);
                }
                self.field(accessor.value.as_deref(), accessor.span);
            }
            ClassMember::StaticBlock(block) => {
                let outer = self.enter_function(FnNode::Other, 0, Vec::new(), self.at(block.span));
                self.home = Home::Member;
                for stmt in &block.body.stmts {
                    self.stmt(stmt);
                }
                self.leave_function(outer);
            }
            _ => {}
        }
    }

    fn field(&mut self, value: Option<&'a Expr>, span: swc_common::Span) {
        if let Some(value) = value {
            let outer = self.enter_function(FnNode::Other, 0, Vec::new(), self.at(span));
            self.home = Home::Member;
            self.expr(value, Role::Other("a class field"), 0);
            self.leave_function(outer);
        }
    }

    fn ts_enum(&mut self, decl: &'a TsEnumDecl) {
        self.declare(&decl.id, BindKind::Enum);
        let mut next = Some(0.0);
        for member in &decl.members {
            let value = match member.init.as_deref() {
                None => next.map(EnumValue::Number),
                Some(init) => {
                    self.expr(init, Role::Other("an enum value"), 0);
                    enum_value(init)
                }
            };
            next = match value {
                Some(EnumValue::Number(number)) => Some(number + 1.0),
                _ => None,
            };
            let name = match &member.id {
                TsEnumMemberId::Ident(ident) => ident.sym.to_string(),
                TsEnumMemberId::Str(text) => text.value.to_string_lossy().into_owned(),
            };
            if let Some(value) = value {
                self.tree.enums.insert((&decl.id.sym, name), value);
            }
        }
    }

    fn ts_module(&mut self, module: &'a TsModuleDecl) {
        let TsModuleName::Ident(ident) = &module.id else { return };
        self.declare_namespace(ident);
        self.ts_body(module.body.as_ref());
    }

    fn ts_body(&mut self, body: Option<&'a TsNamespaceBody>) {
        let outer = self.enter_function(FnNode::Other, 0, Vec::new(), (0, u32::MAX));
        match body {
            Some(TsNamespaceBody::TsModuleBlock(block)) => {
                for item in &block.body {
                    match item {
                        ModuleItem::Stmt(stmt) => self.stmt(stmt),
                        ModuleItem::ModuleDecl(swc_ecma_ast::ModuleDecl::ExportDecl(export)) => {
                            self.decl(&export.decl, 0)
                        }
                        ModuleItem::ModuleDecl(_) => {}
                    }
                }
            }
            Some(TsNamespaceBody::TsNamespaceDecl(inner)) => {
                self.declare_namespace(&inner.id);
                self.ts_body(Some(&inner.body));
            }
            None => {}
        }
        self.leave_function(outer);
    }
}

fn enum_value(init: &Expr) -> Option<EnumValue> {
    match super::expr::plain(init) {
        Expr::Lit(Lit::Str(text)) => Some(EnumValue::Text(text.value.to_string_lossy().into_owned())),
        Expr::Lit(Lit::Num(number)) => Some(EnumValue::Number(number.value)),
        Expr::Tpl(template) if template.exprs.is_empty() => super::expr::template_text(template).map(EnumValue::Text),
        Expr::Unary(unary) if unary.op == UnaryOp::Minus => match super::expr::plain(&unary.arg) {
            Expr::Lit(Lit::Num(number)) => Some(EnumValue::Number(-number.value)),
            _ => None,
        },
        _ => None,
    }
}
