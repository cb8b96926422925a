//! `engine.create`: the value of `next(e)` there is `$`, and what the hook returns becomes `$`.

use super::{FnRef, Scan};
use crate::report::{Named, Nouns};
use crate::rules::{create_form, create_value, shadowed_name};
use crate::tree::{BindId, BindKind, FnNode, LinkId, Ref, Role, key_text, plain};
use rustc_hash::FxHashSet;
use swc_common::Spanned;
use swc_ecma_ast::{
    ArrowFunctionBody, CallExpr, Callee, Expr, ObjectLit, ObjectPat, ObjectPatProp, Pat, Prop, PropOrSpread, Stmt,
    VarDeclKind,
};

/// What went wrong with the form: where, and what it is.
type Wrong = ((u32, u32), String);

impl<'a> Scan<'_, 'a> {
    /// What becomes of `next(e)`.
    pub(super) fn created_value(&mut self, unit: usize, used: &Ref<'a>, mut call: LinkId) {
        let tree = &self.unit(unit).tree;
        let mut link = tree.link(call);
        while matches!(link.role, Role::Await) {
            call = link.up;
            link = tree.link(call);
        }
        match link.role {
            Role::Return(_) | Role::ArrowBody(_) | Role::Spread => {}
            Role::Object(member, optional) => self.member_of_dollar(unit, used, member, optional, link.up, None),
            Role::Init(decl) => match &decl.name {
                Pat::Ident(ident) => {
                    let Some(bind) = tree.resolve(&ident.id.sym, used.scope) else { return };
                    if tree.bind(bind).kind == BindKind::Const {
                        self.created(unit, bind);
                    } else {
                        create_value::not_const(self, unit, tree.bind(bind).at);
                    }
                }
                Pat::Object(object) => {
                    for prop in &object.props {
                        if let ObjectPatProp::Rest(rest) = prop
                            && let Pat::Ident(ident) = &*rest.arg
                            && let Some(bind) = tree.resolve(&ident.id.sym, used.scope)
                        {
                            self.created(unit, bind);
                        }
                    }
                }
                _ => create_value::report(self, unit, used.at, Role::Init(decl)),
            },
            role => create_value::report(self, unit, used.at, role),
        }
    }

    /// A name that holds what `next(e)` gave.
    fn created(&mut self, unit: usize, bind: BindId) {
        let tree = &self.unit(unit).tree;
        for other in tree.shadows(bind) {
            shadowed_name::report(self, unit, bind, other, "the value of next(e)");
        }
        for id in tree.uses(bind) {
            let used = &tree.refs[id as usize];
            let link = tree.link(used.link);
            match link.role {
                Role::Object(member, optional) => self.member_of_dollar(unit, used, member, optional, link.up, None),
                Role::Return(_) | Role::ArrowBody(_) | Role::Spread | Role::Init(_) => {}
                role => create_value::report(self, unit, used.at, role),
            }
        }
    }

    /// Checks the form of the mod's `engine.create` hook, and reads what it does off it.
    pub(super) fn create_hooks(&mut self) {
        let creating: Vec<usize> =
            (0..self.hooks.len()).filter(|index| self.hooks[*index].pattern == "engine.create").collect();
        let Some((first, more)) = creating.split_first() else {
            self.nouns = Some(Nouns::default());
            return;
        };
        let (unit, at, func) = (self.hooks[*first].unit, self.hooks[*first].pattern_at, self.hooks[*first].func);
        let second = more.first().map(|index| (self.hooks[*index].unit, self.hooks[*index].pattern_at));
        if let Some((unit, at)) = second {
            return create_form::report(self, unit, at, "a second engine.create hook");
        }
        if let Some(matcher) = self.hooks[*first].matcher_at {
            return create_form::report(self, unit, matcher, "a matcher on the hook");
        }
        let read = Form { scan: self, func, at }.read();
        match read {
            Ok(nouns) => self.nouns = Some(nouns),
            Err((at, what)) => create_form::report(self, func.0, at, &what),
        }
    }
}

/// Reading one hook's form.
struct Form<'f, 's, 'a> {
    scan: &'f Scan<'s, 'a>,
    func: FnRef,
    at: (u32, u32),
}

impl<'a> Form<'_, '_, 'a> {
    fn place(&self, node: &impl Spanned) -> (u32, u32) {
        self.scan.unit(self.func.0).parsed.offsets(node.span())
    }

    fn read(&self) -> Result<Nouns, Wrong> {
        let own = self.scan.unit(self.func.0).tree.func(self.func.1);
        let at = if own.at.1 == u32::MAX { self.at } else { (own.at.0, own.at.0 + 1) };
        let next = match own.params.get(2) {
            Some(Pat::Ident(ident)) => &*ident.id.sym,
            _ => return Err((at, "no next parameter".to_owned())),
        };
        let (stmts, value): (&[Stmt], Option<&Expr>) = match own.node {
            FnNode::Arrow(arrow) => match &*arrow.body {
                ArrowFunctionBody::Expr(value) => (&[], Some(value)),
                ArrowFunctionBody::FunctionBody(body) => (&body.stmts, None),
            },
            FnNode::Function(function) => (function.body.as_ref().map(|body| &*body.stmts).unwrap_or_default(), None),
            _ => return Err((at, "no body".to_owned())),
        };
        let (before, value) = match (value, stmts.split_last()) {
            (Some(value), _) => (stmts, value),
            (None, Some((Stmt::Return(last), before))) => match &last.arg {
                Some(value) => (before, &**value),
                None => return Err((self.place(last), "a return without a value".to_owned())),
            },
            (None, last) => {
                let at = last.map_or(at, |(last, _)| self.place(last));
                return Err((at, "a last statement that is not the return".to_owned()));
            }
        };
        self.one_return()?;
        let bound = before.iter().find_map(|stmt| self.binding(stmt, next));
        let mut nouns = Nouns::default();
        if let Some((Pat::Object(pattern), _)) = bound {
            self.withheld(pattern, &mut nouns)?;
        }
        self.answer(plain(value), next, bound.map(|(pat, _)| pat), at, &mut nouns)?;
        if let Some((pat, _)) = bound {
            self.other_uses(pat)?;
        }
        Ok(nouns)
    }

    fn one_return(&self) -> Result<(), Wrong> {
        let tree = &self.scan.unit(self.func.0).tree;
        let returns = tree.returns.iter().filter(|(func, _)| *func == self.func.1);
        match returns.map(|(_, at)| *at).rev().nth(1) {
            Some(at) => Err((at, "a return that is not the one last statement of the hook".to_owned())),
            None => Ok(()),
        }
    }

    /// `const name = await next(e)`.
    fn binding(&self, stmt: &'a Stmt, next: &str) -> Option<(&'a Pat, &'a Expr)> {
        let Stmt::Decl(swc_ecma_ast::Decl::Var(var)) = stmt else { return None };
        if var.kind != VarDeclKind::Const {
            return None;
        }
        var.decls.iter().find_map(|decl| {
            let init = decl.init.as_deref().filter(|init| is_next(init, next))?;
            Some((&decl.name, init))
        })
    }

    fn withheld(&self, pattern: &'a ObjectPat, nouns: &mut Nouns) -> Result<(), Wrong> {
        for prop in &pattern.props {
            let (name, at) = match prop {
                ObjectPatProp::Assign(assign) if assign.value.is_none() => {
                    (assign.key.id.sym.to_string(), self.place(&assign.key.id))
                }
                ObjectPatProp::KeyValue(pair) => match key_text(&pair.key) {
                    Some(key) => (key.to_owned(), self.place(&pair.key)),
                    None => return Err((self.place(&pair.key), "a computed key".to_owned())),
                },
                ObjectPatProp::Rest(_) => continue,
                ObjectPatProp::Assign(assign) => return Err((self.place(assign), "a default value".to_owned())),
            };
            nouns.withholds.push(self.scan.named(&name, self.func.0, at));
        }
        Ok(())
    }

    fn answer(
        &self,
        value: &'a Expr,
        next: &str,
        bound: Option<&Pat>,
        at: (u32, u32),
        nouns: &mut Nouns,
    ) -> Result<(), Wrong> {
        if self.is_beneath(value, next, bound) {
            return Ok(());
        }
        let Expr::Object(object) = value else {
            return Err((
                self.place(value),
                "a return of something else than an object or what next(e) gave".to_owned(),
            ));
        };
        let spreads = |prop: &PropOrSpread| matches!(prop, PropOrSpread::Spread(spread) if self.is_beneath(plain(&spread.expr), next, bound));
        if !object.props.iter().any(spreads) && !object.props.iter().any(|prop| matches!(prop, PropOrSpread::Spread(_)))
        {
            let what = match bound {
                None => "a next parameter the hook never calls for its answer",
                Some(_) => "a return without a spread of what next(e) gave",
            };
            return Err((at, what.to_owned()));
        }
        self.parts(object, next, bound, nouns)
    }

    fn parts(&self, object: &'a ObjectLit, next: &str, bound: Option<&Pat>, nouns: &mut Nouns) -> Result<(), Wrong> {
        let is_spread = |prop: &PropOrSpread| matches!(prop, PropOrSpread::Spread(_));
        let spread_at = object.props.iter().position(is_spread);
        let mut names = FxHashSet::default();
        for (index, prop) in object.props.iter().enumerate() {
            let prop = match prop {
                PropOrSpread::Spread(spread) if self.is_beneath(plain(&spread.expr), next, bound) => continue,
                PropOrSpread::Spread(spread) => {
                    return Err((self.place(&*spread.expr), "a spread of anything but what next(e) gave".to_owned()));
                }
                PropOrSpread::Prop(prop) => &**prop,
            };
            let (name, at) = self.noun(prop)?;
            if nouns.withholds.iter().any(|withheld| withheld.name == name) {
                return Err((at, format!("{name} both withheld and written")));
            }
            if !names.insert(name.clone()) {
                return Err((at, format!("the key {name} written twice")));
            }
            let named = self.scan.named(&name, self.func.0, at);
            let known = modgate_catalog::member_namespaces().contains(&name.as_str());
            let list: &mut Vec<Named> = match spread_at {
                Some(spread) if index < spread => &mut nouns.adds_unless_there,
                _ if known => &mut nouns.replaces,
                _ => &mut nouns.adds,
            };
            list.push(named);
        }
        Ok(())
    }

    fn noun(&self, prop: &'a Prop) -> Result<(String, (u32, u32)), Wrong> {
        match prop {
            Prop::Shorthand(ident) => Ok((ident.sym.to_string(), self.place(ident))),
            Prop::KeyValue(pair) => {
                let Some(key) = key_text(&pair.key) else {
                    return Err((self.place(&pair.key), "a computed key".to_owned()));
                };
                if key == "__proto__" {
                    return Err((self.place(&pair.key), "a __proto__ key".to_owned()));
                }
                let value = plain(&pair.value);
                let fits =
                    matches!(value, Expr::Object(_) | Expr::Call(_) | Expr::New(_) | Expr::Member(_) | Expr::Await(_))
                        || matches!(value, Expr::Ident(name) if &*name.sym != "undefined");
                if fits {
                    Ok((key.to_owned(), self.place(&pair.key)))
                } else {
                    Err((
                        self.place(value),
                        format!("the value of {key}, which is not an object, a name, a member or a call"),
                    ))
                }
            }
            other => Err((self.place(other), "a member that is written as a method or accessor".to_owned())),
        }
    }

    fn is_beneath(&self, value: &Expr, next: &str, bound: Option<&Pat>) -> bool {
        let Expr::Ident(name) = value else { return is_next(value, next) };
        match bound {
            Some(Pat::Ident(ident)) => ident.id.sym == name.sym,
            Some(Pat::Object(object)) => object.props.iter().any(|prop| {
                matches!(prop, ObjectPatProp::Rest(rest) if matches!(&*rest.arg, Pat::Ident(ident) if ident.id.sym == name.sym))
            }),
            _ => false,
        }
    }

    /// Beside the return, the value is only called on.
    fn other_uses(&self, pat: &Pat) -> Result<(), Wrong> {
        let tree = &self.scan.unit(self.func.0).tree;
        let name = match pat {
            Pat::Ident(ident) => &ident.id.sym,
            Pat::Object(object) => match object.props.last() {
                Some(ObjectPatProp::Rest(rest)) => match &*rest.arg {
                    Pat::Ident(ident) => &ident.id.sym,
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        let Some(bind) = tree
            .binds
            .iter()
            .position(|bind| bind.name == &**name && tree.scopes[bind.scope as usize].func == self.func.1)
        else {
            return Ok(());
        };
        for id in tree.uses(bind as BindId) {
            let used = &tree.refs[id as usize];
            let mut link = tree.link(used.link);
            if matches!(link.role, Role::Spread) {
                link = tree.link(link.up);
            }
            let fits = match link.role {
                Role::Object(..) => true,
                Role::Return(func) | Role::ArrowBody(func) => func == self.func.1,
                _ => false,
            };
            if !fits {
                return Err((
                    used.at,
                    format!("a use of {name} other than in the return or as {name}.noun.method(...)"),
                ));
            }
        }
        Ok(())
    }
}

/// `next(e)` or `await next(e)`.
fn is_next(expr: &Expr, next: &str) -> bool {
    match plain(expr) {
        Expr::Await(wait) => is_next(&wait.arg, next),
        Expr::Call(CallExpr { callee: Callee::Expr(callee), .. }) => {
            matches!(plain(callee), Expr::Ident(name) if &*name.sym == next)
        }
        _ => false,
    }
}
