//! Statements.

use super::walk::Walker;
use super::{BindKind, Loop, Role};
use swc_common::{Span, Spanned};
use swc_ecma_ast::{
    BinaryOp, Expr, ForHead, Ident, Lit, Prop, PropOrSpread, Stmt, TryStmt, UnaryOp, VarDeclKind, VarDeclOrExpr,
};

impl<'a> Walker<'a> {
    pub(super) fn stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Block(block) => self.block(&block.stmts),
            Stmt::Expr(expr) => {
                // Compiling drops a statement that only reads names: `on`, `void on`, `!on`.
                if !(self.compiled && does_nothing(&expr.expr)) {
                    self.expr(&expr.expr, Role::Statement, 0);
                }
            }
            Stmt::Decl(decl) => self.decl(decl, 0),
            Stmt::Return(done) => {
                let at = self.at(done.span);
                self.tree.returns.push((self.func, at));
                if let Some(value) = &done.arg {
                    let link = self.tree.funcs[self.func as usize].link;
                    self.expr(value, Role::Return(self.func), link);
                }
            }
            Stmt::If(choice) => {
                let known = if self.compiled { constant(&choice.test) } else { None };
                self.expr(&choice.test, Role::Other("a condition"), 0);
                if known != Some(false) {
                    self.nested(&choice.cons);
                }
                if let Some(alt) = &choice.alt
                    && known != Some(true)
                {
                    self.nested(alt);
                }
            }
            Stmt::Labeled(labeled) => {
                if self.labels.contains(&&*labeled.label.sym) {
                    let at = self.at(labeled.label.span);
                    self.early(format!("label {:?} is declared twice", &*labeled.label.sym), at);
                }
                self.labels.push(&labeled.label.sym);
                self.nested(&labeled.body);
                self.labels.pop();
            }
            Stmt::Break(jump) => self.jump(jump.label.as_ref(), self.breakable, "break", jump.span),
            Stmt::Continue(jump) => self.jump(jump.label.as_ref(), self.loops, "continue", jump.span),
            Stmt::Switch(switch) => {
                self.expr(&switch.discriminant, Role::Other("a switch"), 0);
                self.enter();
                self.breakable += 1;
                for case in &switch.cases {
                    if let Some(test) = &case.test {
                        self.expr(test, Role::Other("a case"), 0);
                    }
                    case.cons.iter().for_each(|stmt| self.stmt(stmt));
                }
                self.breakable -= 1;
                self.leave();
            }
            Stmt::Throw(throw) => self.expr(&throw.arg, Role::Other("thrown"), 0),
            Stmt::Try(attempt) => self.attempt(attempt),
            Stmt::With(with) => {
                self.expr(&with.obj, Role::Other("a with statement"), 0);
                self.nested(&with.body);
            }
            Stmt::While(_) | Stmt::DoWhile(_) | Stmt::For(_) | Stmt::ForIn(_) | Stmt::ForOf(_) => self.repeat(stmt),
            Stmt::Empty(_) | Stmt::Debugger(_) => {}
        }
    }

    fn repeat(&mut self, stmt: &'a Stmt) {
        let at = self.at(stmt.span());
        let keyword = (
            at.0,
            at.0 + if matches!(stmt, Stmt::While(_)) {
                5
            } else if matches!(stmt, Stmt::DoWhile(_)) {
                2
            } else {
                3
            },
        );
        self.tree.loops.push(Loop { at, keyword });
        self.enter();
        self.loops += 1;
        self.breakable += 1;
        match stmt {
            Stmt::While(repeat) => {
                self.expr(&repeat.test, Role::Other("a condition"), 0);
                self.nested(&repeat.body);
            }
            Stmt::DoWhile(repeat) => {
                self.nested(&repeat.body);
                self.expr(&repeat.test, Role::Other("a condition"), 0);
            }
            Stmt::For(repeat) => {
                match &repeat.init {
                    Some(VarDeclOrExpr::VarDecl(var)) => {
                        let kind = kind(var.kind);
                        self.declarators(&var.decls, kind);
                    }
                    Some(VarDeclOrExpr::Expr(expr)) => self.expr(expr, Role::Other("a loop head"), 0),
                    None => {}
                }
                if let Some(test) = &repeat.test {
                    self.expr(test, Role::Other("a condition"), 0);
                }
                if let Some(update) = &repeat.update {
                    self.expr(update, Role::Other("a loop head"), 0);
                }
                self.nested(&repeat.body);
            }
            Stmt::ForIn(repeat) => {
                self.head(&repeat.left);
                self.expr(&repeat.right, Role::Other("a for-in loop"), 0);
                self.nested(&repeat.body);
            }
            Stmt::ForOf(repeat) => {
                let first = self.tree.binds.len();
                self.head(&repeat.left);
                if let (ForHead::VarDecl(var), Some(bind)) = (&repeat.left, self.tree.binds.get_mut(first))
                    && matches!(var.decls.as_slice(), [decl] if matches!(decl.name, swc_ecma_ast::Pat::Ident(_)))
                {
                    bind.each = Some(&repeat.right);
                }
                self.expr(&repeat.right, Role::Other("a for-of loop"), 0);
                self.nested(&repeat.body);
            }
            _ => {}
        }
        self.breakable -= 1;
        self.loops -= 1;
        self.leave();
    }

    fn head(&mut self, head: &'a ForHead) {
        match head {
            ForHead::VarDecl(var) => self.declarators(&var.decls, kind(var.kind)),
            ForHead::UsingDecl(using) => {
                self.needs_helper("using declarations", using.span);
                self.declarators(&using.decls, BindKind::Const);
            }
            ForHead::Pat(pat) => self.targets(pat),
        }
    }

    fn attempt(&mut self, attempt: &'a TryStmt) {
        self.block(&attempt.block.stmts);
        if let Some(handler) = &attempt.handler {
            self.enter();
            if let Some(param) = &handler.param {
                // Only the name of a plain one may be taken by a `var`.
                let plain = matches!(param, swc_ecma_ast::Pat::Ident(_));
                self.pattern(param, if plain { BindKind::Catch } else { BindKind::Let });
            }
            handler.body.stmts.iter().for_each(|stmt| self.stmt(stmt));
            self.leave();
        }
        if let Some(last) = &attempt.finalizer {
            self.block(&last.stmts);
        }
    }

    pub(super) fn block(&mut self, stmts: &'a [Stmt]) {
        self.enter();
        stmts.iter().for_each(|stmt| self.stmt(stmt));
        self.leave();
    }

    /// A statement that is the body of another.
    fn nested(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Block(block) => self.block(&block.stmts),
            other => {
                self.enter();
                self.stmt(other);
                self.leave();
            }
        }
    }

    fn jump(&mut self, label: Option<&'a Ident>, around: u32, word: &str, span: Span) {
        let known = label.map_or(around > 0, |label| self.labels.contains(&&*label.sym));
        if !known {
            let at = self.at(span);
            self.early(format!("{word} leads nowhere"), at);
        }
    }
}

fn kind(kind: VarDeclKind) -> BindKind {
    match kind {
        VarDeclKind::Var => BindKind::Var,
        VarDeclKind::Let => BindKind::Let,
        VarDeclKind::Const => BindKind::Const,
    }
}

/// Evaluating it has no effect, whatever the names in it hold.
pub(crate) fn does_nothing(expr: &Expr) -> bool {
    match super::expr::plain(expr) {
        Expr::Ident(_) | Expr::Lit(_) | Expr::Fn(_) | Expr::Arrow(_) | Expr::This(_) => true,
        Expr::Unary(unary) => {
            matches!(unary.op, UnaryOp::Void | UnaryOp::Bang | UnaryOp::TypeOf) && does_nothing(&unary.arg)
        }
        Expr::Bin(binary) => {
            let plain = matches!(
                binary.op,
                BinaryOp::EqEqEq
                    | BinaryOp::NotEqEq
                    | BinaryOp::LogicalAnd
                    | BinaryOp::LogicalOr
                    | BinaryOp::NullishCoalescing
            );
            plain && does_nothing(&binary.left) && does_nothing(&binary.right)
        }
        Expr::Cond(cond) => does_nothing(&cond.test) && does_nothing(&cond.cons) && does_nothing(&cond.alt),
        Expr::Seq(seq) => seq.exprs.iter().all(|expr| does_nothing(expr)),
        Expr::Array(array) => {
            array.elems.iter().flatten().all(|item| item.spread.is_none() && does_nothing(&item.expr))
        }
        Expr::Object(object) => object.props.iter().all(|prop| match prop {
            PropOrSpread::Prop(prop) => match &**prop {
                Prop::Shorthand(_) => true,
                Prop::KeyValue(pair) => !pair.key.is_computed() && does_nothing(&pair.value),
                _ => false,
            },
            PropOrSpread::Spread(_) => false,
        }),
        _ => false,
    }
}

/// The truth of a literal.
pub(super) fn constant(test: &Expr) -> Option<bool> {
    match super::expr::plain(test) {
        Expr::Lit(Lit::Bool(value)) => Some(value.value),
        Expr::Lit(Lit::Num(number)) => Some(number.value != 0.0 && !number.value.is_nan()),
        Expr::Lit(Lit::Null(_)) => Some(false),
        Expr::Unary(unary) if unary.op == UnaryOp::Bang => constant(&unary.arg).map(|value| !value),
        _ => None,
    }
}
