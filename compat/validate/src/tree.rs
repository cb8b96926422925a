//! A module as a table: scopes, names, functions, and for each use of a name the place it is used in.
//!
//! One walk fills it ([`walk`]); everything else asks it. A use is not resolved until somebody asks, because only a
//! few names of a module matter.

mod decl;
mod early;
mod expr;
mod jsx;
mod names;
mod regex;
mod stmt;
mod walk;

use rustc_hash::FxHashMap;
use swc_ecma_ast::{
    ArrowExpr, AssignExpr, BinExpr, CallExpr, Expr, ExprOrSpread, Function, JSXElement, MemberExpr, NewExpr, OptCall,
    Pat, UnaryOp, VarDeclarator,
};

pub(crate) use expr::{is_undefined, key_text, plain, template_text};
pub(crate) use names::Export;
pub(crate) use names::ExportOf;
pub(crate) use stmt::does_nothing;
pub(crate) use walk::build;

pub(crate) type FnId = u32;
pub(crate) type BindId = u32;
pub(crate) type RefId = u32;
pub(crate) type ScopeId = u32;
pub(crate) type LinkId = u32;

/// Everything a walk found out about one file.
#[derive(Default)]
pub(crate) struct Tree<'a> {
    pub(crate) scopes: Vec<Scope>,
    pub(crate) binds: Vec<Bind<'a>>,
    pub(crate) refs: Vec<Ref<'a>>,
    pub(crate) funcs: Vec<Func<'a>>,
    links: Vec<Link<'a>>,
    binds_by_name: FxHashMap<&'a str, Vec<BindId>>,
    refs_by_name: FxHashMap<&'a str, Vec<RefId>>,
    in_scope: FxHashMap<(ScopeId, &'a str), BindId>,
    func_by_start: FxHashMap<u32, FnId>,
    pub(crate) exports: Vec<Export<'a>>,
    /// The first export of each name.
    export_by_name: FxHashMap<&'a str, usize>,
    /// `import(...)`, wherever it stands.
    pub(crate) dynamic_imports: Vec<(u32, u32)>,
    pub(crate) elements: Vec<(&'a JSXElement, LinkId)>,
    /// Object literals whose keys refuse something: where, and in which function.
    pub(crate) denials: Vec<Denial>,
    /// What the parser lets pass although it is an early error.
    pub(crate) early_errors: Vec<(String, u32, u32)>,
    /// The file's functions read `const enum` and `enum` members as literals.
    pub(crate) enums: FxHashMap<(&'a str, String), EnumValue>,
    pub(crate) awaits: Vec<Await<'a>>,
    pub(crate) loops: Vec<Loop>,
    /// `return` statements, by function.
    pub(crate) returns: Vec<(FnId, (u32, u32))>,
}

/// A value an enum member stands for.
#[derive(Clone, Debug)]
pub(crate) enum EnumValue {
    Text(String),
    Number(f64),
}

/// A literal that says no.
pub(crate) struct Denial {
    pub(crate) func: FnId,
    pub(crate) at: (u32, u32),
}

/// An `await` and what it waits for.
pub(crate) struct Await<'a> {
    pub(crate) of: &'a Expr,
    pub(crate) at: (u32, u32),
}

/// A loop, by its extent.
pub(crate) struct Loop {
    pub(crate) at: (u32, u32),
    pub(crate) keyword: (u32, u32),
}

/// A scope; `enter` and `exit` are ticks of the walk, so that "inside" is a comparison.
pub(crate) struct Scope {
    pub(crate) up: Option<ScopeId>,
    pub(crate) func: FnId,
    pub(crate) enter: u32,
    pub(crate) exit: u32,
    holds_names: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BindKind {
    Param,
    Const,
    Let,
    Var,
    Function,
    Class,
    Import,
    Catch,
    Enum,
    Namespace,
}

/// A declared name.
pub(crate) struct Bind<'a> {
    pub(crate) name: &'a str,
    pub(crate) at: (u32, u32),
    pub(crate) scope: ScopeId,
    pub(crate) kind: BindKind,
    /// `x` of `const x = init`, without patterns.
    pub(crate) init: Option<&'a Expr>,
    /// Of a loop: what it goes through.
    pub(crate) each: Option<&'a Expr>,
    /// The function this name is declared as or, for a `const`, bound to.
    pub(crate) func: Option<FnId>,
    pub(crate) import: Option<Import<'a>>,
}

/// What an imported name stands for.
#[derive(Clone, Copy)]
pub(crate) struct Import<'a> {
    pub(crate) source: &'a str,
    pub(crate) what: Imported<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Imported<'a> {
    Name(&'a str),
    Namespace,
}

/// A use of a name (not of a property).
pub(crate) struct Ref<'a> {
    pub(crate) name: &'a str,
    pub(crate) at: (u32, u32),
    pub(crate) scope: ScopeId,
    pub(crate) func: FnId,
    tick: u32,
    /// The place it is used in.
    pub(crate) link: LinkId,
}

/// A function of any kind.
pub(crate) struct Func<'a> {
    pub(crate) node: FnNode<'a>,
    pub(crate) scope: ScopeId,
    /// The place its value is used in.
    pub(crate) link: LinkId,
    pub(crate) params: Vec<&'a Pat>,
    pub(crate) is_async: bool,
    pub(crate) is_generator: bool,
    /// Declared with `function name`, not bound to a `const`.
    pub(crate) is_declaration: bool,
    pub(crate) at: (u32, u32),
    /// Where it (or an arrow function in it) reads `arguments`.
    pub(crate) arguments: Option<(u32, u32)>,
    /// The last function inside it; those between are all inside.
    pub(crate) last: FnId,
    /// Names it calls, as uses.
    pub(crate) calls: Vec<RefId>,
}

#[derive(Clone, Copy)]
pub(crate) enum FnNode<'a> {
    /// The module itself.
    Module,
    Function(&'a Function),
    Arrow(&'a ArrowExpr),
    Other,
}

/// What a value is used as.
#[derive(Clone, Copy)]
pub(crate) enum Role<'a> {
    Root,
    Statement,
    /// `value.name`; optional when `?.` leads to it.
    Object(&'a MemberExpr, bool),
    Callee(Called<'a>),
    Argument(Called<'a>, usize),
    ArrowBody(FnId),
    Return(FnId),
    Init(&'a VarDeclarator),
    Assigned(&'a AssignExpr),
    /// `value = ...`, `value++`, a destructuring target.
    Target,
    ObjectValue,
    ArrayItem,
    Spread,
    Template,
    Tag,
    Await,
    Unary(UnaryOp),
    Binary(&'a BinExpr, bool),
    /// A test (false) or one of the two values of `? :`.
    Cond(bool),
    /// In a list with commas.
    Seq,
    /// Anything else, named.
    Other(&'static str),
}

/// The three kinds of call.
#[derive(Clone, Copy)]
pub(crate) enum Called<'a> {
    Plain(&'a CallExpr),
    Optional(&'a OptCall),
    New(&'a NewExpr),
}

impl<'a> Called<'a> {
    pub(crate) fn args(self) -> &'a [ExprOrSpread] {
        match self {
            Called::Plain(call) => &call.args,
            Called::Optional(call) => &call.args,
            Called::New(call) => call.args.as_deref().unwrap_or_default(),
        }
    }

    pub(crate) fn has_spread(self) -> bool {
        self.args().iter().any(|arg| arg.spread.is_some())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Link<'a> {
    pub(crate) role: Role<'a>,
    pub(crate) up: LinkId,
}

impl<'a> Tree<'a> {
    pub(crate) fn link(&self, id: LinkId) -> Link<'a> {
        self.links[id as usize]
    }

    pub(crate) fn bind(&self, id: BindId) -> &Bind<'a> {
        &self.binds[id as usize]
    }

    pub(crate) fn func(&self, id: FnId) -> &Func<'a> {
        &self.funcs[id as usize]
    }

    /// The function whose text begins at this byte.
    pub(crate) fn func_at(&self, start: u32) -> Option<FnId> {
        self.func_by_start.get(&start).copied()
    }

    /// The declaration a name refers to when used in this scope.
    pub(crate) fn resolve(&self, name: &str, scope: ScopeId) -> Option<BindId> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = &self.scopes[id as usize];
            if scope.holds_names
                && let Some(found) = self.in_scope.get(&(id, name))
            {
                return Some(*found);
            }
            at = scope.up;
        }
        None
    }

    /// The declaration at the top of the file.
    pub(crate) fn top(&self, name: &str) -> Option<BindId> {
        self.in_scope.get(&(0, name)).copied()
    }

    /// Uses of this declaration, in the order of the text.
    pub(crate) fn uses(&self, bind: BindId) -> Vec<RefId> {
        let declared = self.bind(bind);
        let scope = &self.scopes[declared.scope as usize];
        let all = self.refs_by_name.get(declared.name).map(Vec::as_slice).unwrap_or_default();
        let from = all.partition_point(|id| self.refs[*id as usize].tick < scope.enter);
        let upto = all.partition_point(|id| self.refs[*id as usize].tick < scope.exit);
        let own = |id: &RefId| self.resolve(declared.name, self.refs[*id as usize].scope) == Some(bind);
        all[from..upto].iter().copied().filter(own).collect()
    }

    /// Other declarations of the same name in the same scope or in scopes inside it.
    pub(crate) fn shadows(&self, bind: BindId) -> Vec<BindId> {
        let declared = self.bind(bind);
        let outer = &self.scopes[declared.scope as usize];
        let all = self.binds_by_name.get(declared.name).map(Vec::as_slice).unwrap_or_default();
        // Declarations are listed in the order of the walk, and so are the scopes they stand in, save for `var`,
        // which belongs to an outer scope: a little room in front covers it.
        let inside = |id: &BindId| {
            let scope = &self.scopes[self.bind(*id).scope as usize];
            *id != bind && outer.enter <= scope.enter && scope.exit <= outer.exit
        };
        let from = all.partition_point(|id| *id < bind);
        all[from..]
            .iter()
            .copied()
            .take_while(|id| self.bind(*id).at.0 <= self.func(outer.func).at.1.max(declared.at.1))
            .filter(inside)
            .collect()
    }

    /// How often the file declares or uses this name, properties aside.
    pub(crate) fn mentions(&self, name: &str) -> usize {
        let binds = self.binds_by_name.get(name).map_or(0, Vec::len);
        binds + self.refs_by_name.get(name).map_or(0, Vec::len)
    }

    pub(crate) fn refs_named(&self, name: &str) -> &[RefId] {
        self.refs_by_name.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Is this function the other one, or declared inside it?
    pub(crate) fn is_within(&self, inner: FnId, outer: FnId) -> bool {
        outer <= inner && inner <= self.func(outer).last
    }
}
