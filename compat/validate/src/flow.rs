//! What can happen between the first line of a hook and its answer.

use crate::tree::{FnId, FnNode, Role, Tree, plain};
use swc_common::{Span, Spanned};
use swc_ecma_ast::{ArrowFunctionBody, Expr, IfStmt, Stmt, SwitchStmt, TryStmt};

/// What one pass over a hook's body finds.
#[derive(Default)]
pub(crate) struct Flow {
    /// Ways out of the function without an answer: a bare `return`, or its last brace.
    pub(crate) nothing: Vec<(u32, u32)>,
    /// Denials on a path on which `next` has run.
    pub(crate) late_denials: Vec<(u32, u32)>,
    /// Calls of `next` on a path on which it has run.
    pub(crate) repeats: Vec<(u32, u32)>,
}

struct Pass<'t, 'a> {
    tree: &'t Tree<'a>,
    func: FnId,
    /// Byte offsets of calls of `next` in this very function, in order.
    calls: &'t [(u32, u32)],
    offsets: &'t dyn Fn(Span) -> (u32, u32),
    flow: Flow,
}

/// A jump inside a loop or switch may leave it.
#[derive(Clone, Copy)]
struct State {
    called: bool,
}

/// Follows the statements of a function. `calls` are its own calls of `next`, sorted.
pub(crate) fn of(tree: &Tree<'_>, func: FnId, calls: &[(u32, u32)], offsets: &dyn Fn(Span) -> (u32, u32)) -> Flow {
    let own = tree.func(func);
    let stmts = match own.node {
        FnNode::Function(function) => function.body.as_ref().map(|body| (&*body.stmts, body.span)),
        FnNode::Arrow(arrow) => match &*arrow.body {
            ArrowFunctionBody::FunctionBody(body) => Some((&*body.stmts, body.span)),
            ArrowFunctionBody::Expr(_) => None,
        },
        FnNode::Module | FnNode::Other => None,
    };
    let Some((stmts, span)) = stmts else { return Flow::default() };
    let mut pass = Pass { tree, func, calls, offsets, flow: Flow::default() };
    let mut state = State { called: false };
    if pass.list(stmts, &mut state) {
        let end = offsets(span).1;
        pass.flow.nothing.push((end.saturating_sub(1), end));
    }
    pass.flow
}

impl Pass<'_, '_> {
    /// Can the statements complete, so that what follows them runs?
    fn list(&mut self, stmts: &[Stmt], state: &mut State) -> bool {
        stmts.iter().all(|stmt| self.stmt(stmt, state))
    }

    fn stmt(&mut self, stmt: &Stmt, state: &mut State) -> bool {
        match stmt {
            Stmt::Block(block) => self.list(&block.stmts, state),
            Stmt::Labeled(labeled) => self.stmt(&labeled.body, state) || breaks(&labeled.body),
            Stmt::Return(done) => {
                match &done.arg {
                    Some(value) if !crate::tree::is_undefined(value) => {
                        if state.called {
                            self.denials(value.span());
                        }
                        self.value(value, state);
                    }
                    _ => self.flow.nothing.push((self.offsets)(done.span)),
                }
                false
            }
            Stmt::Throw(_) | Stmt::Break(_) | Stmt::Continue(_) => false,
            Stmt::If(choice) => self.choice(choice, state),
            Stmt::Try(attempt) => self.attempt(attempt, state),
            Stmt::Switch(switch) => self.switch(switch, state),
            Stmt::While(repeat) => self.repeat(&repeat.body, state, always(&repeat.test)),
            Stmt::DoWhile(repeat) => {
                let completes = self.stmt(&repeat.body, state);
                (completes || continues(&repeat.body)) && !always(&repeat.test) || breaks(&repeat.body)
            }
            Stmt::For(repeat) => self.repeat(&repeat.body, state, repeat.test.as_deref().is_none_or(always)),
            Stmt::ForIn(repeat) => self.repeat(&repeat.body, state, false),
            Stmt::ForOf(repeat) => self.repeat(&repeat.body, state, false),
            Stmt::Expr(expr) => {
                self.value(&expr.expr, state);
                true
            }
            Stmt::Decl(swc_ecma_ast::Decl::Var(var)) => {
                for init in var.decls.iter().filter_map(|decl| decl.init.as_deref()) {
                    self.value(init, state);
                }
                true
            }
            _ => true,
        }
    }

    fn choice(&mut self, choice: &IfStmt, state: &mut State) -> bool {
        self.value(&choice.test, state);
        let (mut yes, mut no) = (*state, *state);
        let yes_completes = self.stmt(&choice.cons, &mut yes);
        let no_completes = choice.alt.as_ref().is_none_or(|alt| self.stmt(alt, &mut no));
        state.called = match (yes_completes, no_completes) {
            (true, false) => yes.called,
            (false, true) => no.called,
            _ => yes.called && no.called,
        };
        yes_completes || no_completes
    }

    fn attempt(&mut self, attempt: &TryStmt, state: &mut State) -> bool {
        let before = *state;
        let mut completes = self.list(&attempt.block.stmts, state);
        if let Some(handler) = &attempt.handler {
            let mut caught = before;
            let handled = self.list(&handler.body.stmts, &mut caught);
            state.called = match (completes, handled) {
                (true, false) => state.called,
                (false, true) => caught.called,
                _ => state.called && caught.called,
            };
            completes |= handled;
        }
        match &attempt.finalizer {
            Some(last) => self.list(&last.stmts, state) && completes,
            None => completes,
        }
    }

    fn switch(&mut self, switch: &SwitchStmt, state: &mut State) -> bool {
        self.value(&switch.discriminant, state);
        let mut falls = true;
        let mut leaves = !switch.cases.iter().any(|case| case.test.is_none());
        for case in &switch.cases {
            let mut inside = *state;
            falls = self.list(&case.cons, &mut inside);
            leaves |= case.cons.iter().any(breaks);
        }
        falls || leaves
    }

    fn repeat(&mut self, body: &Stmt, state: &mut State, endless: bool) -> bool {
        let mut inside = *state;
        self.stmt(body, &mut inside);
        !endless || breaks(body)
    }

    /// An expression that is evaluated here.
    fn value(&mut self, expr: &Expr, state: &mut State) {
        let (from, upto) = (self.offsets)(expr.span());
        let first = self.calls.partition_point(|call| call.0 < from);
        let Some(call) = self.calls.get(first).filter(|call| call.0 < upto) else { return };
        if state.called {
            self.flow.repeats.push(*call);
        }
        if certainly(expr, &|callee| (self.offsets)(callee) == *call) {
            state.called = true;
        }
    }

    fn denials(&mut self, span: Span) {
        let (from, upto) = (self.offsets)(span);
        let first = self.tree.denials.partition_point(|denial| denial.at.0 < from);
        let denials = self.tree.denials[first..].iter().take_while(|denial| denial.at.0 < upto);
        let own = denials.filter(|denial| denial.func == self.func);
        self.flow.late_denials.extend(own.map(|denial| denial.at));
    }
}

/// Does evaluating this always evaluate the call?
fn certainly(expr: &Expr, is_call: &dyn Fn(Span) -> bool) -> bool {
    let inner = |expr: &Expr| certainly(expr, is_call);
    match plain(expr) {
        Expr::Call(call) => {
            let callee = matches!(&call.callee, swc_ecma_ast::Callee::Expr(callee) if is_call(plain(callee).span()) || inner(callee));
            callee || call.args.iter().any(|arg| inner(&arg.expr))
        }
        Expr::Await(wait) => inner(&wait.arg),
        Expr::Yield(give) => give.arg.as_deref().is_some_and(inner),
        Expr::Assign(assign) => inner(&assign.right),
        Expr::Member(member) => inner(&member.obj),
        Expr::Array(array) => array.elems.iter().flatten().any(|item| inner(&item.expr)),
        Expr::Unary(unary) => inner(&unary.arg),
        Expr::Seq(seq) => seq.exprs.iter().any(|expr| inner(expr)),
        Expr::Bin(binary) => inner(&binary.left),
        Expr::Cond(cond) => inner(&cond.test) || (inner(&cond.cons) && inner(&cond.alt)),
        _ => false,
    }
}

fn always(test: &Expr) -> bool {
    matches!(plain(test), Expr::Lit(swc_ecma_ast::Lit::Bool(value)) if value.value)
        || matches!(plain(test), Expr::Lit(swc_ecma_ast::Lit::Num(number)) if number.value != 0.0)
}

/// Does a `break` lead out of this? One inside a nested loop counts too: better no finding than a wrong one.
fn breaks(stmt: &Stmt) -> bool {
    any(stmt, &|stmt| matches!(stmt, Stmt::Break(_)))
}

fn continues(stmt: &Stmt) -> bool {
    any(stmt, &|stmt| matches!(stmt, Stmt::Continue(_)))
}

fn any(stmt: &Stmt, is: &dyn Fn(&Stmt) -> bool) -> bool {
    let list = |stmts: &[Stmt]| stmts.iter().any(|stmt| any(stmt, is));
    is(stmt)
        || match stmt {
            Stmt::Block(block) => list(&block.stmts),
            Stmt::If(choice) => any(&choice.cons, is) || choice.alt.as_ref().is_some_and(|alt| any(alt, is)),
            Stmt::Labeled(labeled) => any(&labeled.body, is),
            Stmt::Try(attempt) => {
                list(&attempt.block.stmts)
                    || attempt.handler.as_ref().is_some_and(|handler| list(&handler.body.stmts))
                    || attempt.finalizer.as_ref().is_some_and(|last| list(&last.stmts))
            }
            Stmt::Switch(switch) => switch.cases.iter().any(|case| list(&case.cons)),
            Stmt::While(repeat) => any(&repeat.body, is),
            Stmt::DoWhile(repeat) => any(&repeat.body, is),
            Stmt::For(repeat) => any(&repeat.body, is),
            Stmt::ForIn(repeat) => any(&repeat.body, is),
            Stmt::ForOf(repeat) => any(&repeat.body, is),
            _ => false,
        }
}

/// Calls of a name in this very function, sorted by place.
pub(crate) fn own_calls(tree: &Tree<'_>, func: FnId, name: &str) -> Vec<(u32, u32)> {
    let refs = tree.refs_named(name).iter().map(|id| &tree.refs[*id as usize]);
    let calls = refs.filter(|used| used.func == func && matches!(tree.link(used.link).role, Role::Callee(_)));
    calls.map(|used| used.at).collect()
}
