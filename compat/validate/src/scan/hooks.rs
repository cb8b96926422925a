//! Registrations: `on(event, matcher?, hook)`, and the functions they name.

use super::{Callee, FnRef, Hook, Scan, function_named, literal_text};
use crate::known;
use crate::report::{HookFact, Matcher};
use crate::rules::{
    arguments_object, catch_form, event_literal, event_twice, event_unknown, hook_function, hook_generator,
    registration_arguments,
};
use crate::tree::{Called, Ref, ScopeId, plain};
use modgate_catalog::pattern::Pattern;
use rustc_hash::FxHashMap;
use swc_common::Spanned;
use swc_ecma_ast::{CallExpr, Expr, Pat};

/// What a function is registered as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum As {
    Hook,
    Catch,
}

impl As {
    pub(crate) fn word(self) -> &'static str {
        match self {
            As::Hook => "the hook",
            As::Catch => "the .catch handler",
        }
    }
}

impl<'a> Scan<'_, 'a> {
    pub(super) fn registration(
        &mut self,
        holder: FnRef,
        used: &Ref<'a>,
        call: &'a CallExpr,
        catch: Option<&'a CallExpr>,
    ) {
        let unit = holder.0;
        if Called::Plain(call).has_spread() {
            return registration_arguments::spread(self, unit, used.at);
        }
        let (event, matcher, hook) = match call.args.as_slice() {
            [event, hook] => (&event.expr, None, &hook.expr),
            [event, matcher, hook] => (&event.expr, Some(&*matcher.expr), &hook.expr),
            args => return registration_arguments::count(self, unit, used.at, args.len()),
        };
        let event_at = self.unit(unit).parsed.offsets(event.span());
        let Some(written) = literal_text(self.unit(unit), event) else {
            return event_literal::report(self, unit, event_at, event);
        };
        let pattern = match modgate_catalog::pattern::parse(&written) {
            Ok(pattern) => pattern,
            Err(error) => return event_unknown::report(self, unit, event_at, &error),
        };
        let func = self.function_given(unit, used.scope, hook, As::Hook);
        if let Some(func) = func {
            hook_generator::check(self, unit, func, &pattern, &written, hook, As::Hook);
            self.hook_body(func, &written);
        }
        let catch_func = catch.and_then(|catch| self.catch_function(unit, used, catch, &pattern, &written));
        self.keep_hook(holder, used, &written, event_at, &pattern, matcher, func, catch.is_some(), catch_func);
    }

    fn catch_function(
        &mut self,
        unit: usize,
        used: &Ref<'a>,
        catch: &'a CallExpr,
        pattern: &Pattern,
        event: &str,
    ) -> Option<FnRef> {
        let at = self.unit(unit).parsed.offsets(catch.span());
        if pattern.name() == Some("engine.create") {
            catch_form::on_create(self, unit, at);
            return None;
        }
        let [handler] = catch.args.as_slice() else {
            catch_form::count(self, unit, at, catch.args.len());
            return None;
        };
        let func = self.function_given(unit, used.scope, &handler.expr, As::Catch)?;
        hook_generator::check(self, unit, func, pattern, event, &handler.expr, As::Catch);
        self.hook_body(func, event);
        Some(func)
    }

    /// A function written in place or named; a finding when it is neither.
    fn function_given(&mut self, unit: usize, scope: ScopeId, expr: &'a Expr, given: As) -> Option<FnRef> {
        let owner = self.unit(unit);
        let at = owner.parsed.offsets(expr.span());
        let func = match plain(expr) {
            Expr::Arrow(arrow) => owner.tree.func_at(owner.parsed.offsets(arrow.span).0),
            Expr::Fn(function) => owner.tree.func_at(owner.parsed.offsets(function.function.span).0),
            Expr::Ident(ident) => {
                return match function_named(self.program, unit, &ident.sym, scope) {
                    Callee::Function { func, .. } => Some(func),
                    Callee::Broken => {
                        self.refused = true;
                        None
                    }
                    other => {
                        hook_function::named(self, unit, at, &ident.sym, other, given);
                        None
                    }
                };
            }
            _ => None,
        };
        if func.is_none() {
            hook_function::report(self, unit, at, given);
        }
        func.map(|func| (unit, func))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one registration, each read by its own rule")]
    fn keep_hook(
        &mut self,
        holder: FnRef,
        used: &Ref<'a>,
        written: &str,
        event_at: (u32, u32),
        pattern: &Pattern,
        matcher: Option<&'a Expr>,
        func: Option<FnRef>,
        has_catch: bool,
        catch: Option<FnRef>,
    ) {
        let unit = holder.0;
        let read = matcher.map(|matcher| self.read_matcher(unit, used.scope, matcher));
        let fact_matcher = match &read {
            None => Some(Matcher::Has(Vec::new())),
            Some(Matcher::Unread) => None,
            Some(read) => Some(read.clone()),
        };
        let fact = HookFact {
            pattern: written.to_owned(),
            default_keys: known::default_keys(pattern, fact_matcher.as_ref(), matcher.is_some()),
            matcher: fact_matcher,
            is_gate: known::is_gate(pattern, written),
            has_catch,
            can_deny: false,
            at: self.unit(unit).text.location(event_at.0, event_at.1),
        };
        let Some(func) = func else { return };
        let matcher_at = matcher.map(|matcher| self.unit(unit).parsed.offsets(matcher.span()));
        self.hooks.push(Hook {
            unit,
            func,
            catch,
            pattern: written.to_owned(),
            pattern_at: event_at,
            matcher_at,
            matcher,
            read: pattern.clone(),
            fact,
        });
    }

    /// The parameters of a hook, and what becomes of them.
    fn hook_body(&mut self, func: FnRef, event: &str) {
        let unit = self.unit(func.0);
        let own = unit.tree.func(func.1);
        if let Some(at) = own.arguments {
            arguments_object::report(self, func.0, at, "$");
        }
        let created = event == "engine.create";
        for (index, param) in own.params.iter().enumerate() {
            let at = unit.parsed.offsets(param.span());
            match (index, param) {
                (_, Pat::Rest(_)) => hook_function::rest(self, func.0, at),
                (0, Pat::Ident(ident)) => {
                    if let Some(bind) = unit.tree.resolve(&ident.id.sym, own.scope) {
                        self.dollar(func.0, bind, None, false);
                    }
                }
                (0, _) => hook_function::dollar_pattern(self, func.0, at),
                (_, Pat::Assign(_)) => hook_function::default_value(self, func.0, at),
                (2, Pat::Ident(ident)) => {
                    if let Some(bind) = unit.tree.resolve(&ident.id.sym, own.scope) {
                        self.next(func, bind, created);
                    }
                }
                (2, Pat::Object(object)) => self.next_pattern(func.0, object),
                _ => {}
            }
        }
    }

    /// A name is registered once without a matcher; a pattern once altogether.
    pub(super) fn check_twice(&mut self) {
        let mut first: FxHashMap<String, usize> = FxHashMap::default();
        for index in 0..self.hooks.len() {
            let hook = &self.hooks[index];
            let name = !hook.pattern.contains('*') && !hook.pattern.starts_with('!');
            if name && hook.matcher_at.is_some() {
                continue;
            }
            match first.get(&hook.pattern) {
                Some(before) => event_twice::report(self, *before, index),
                None => {
                    first.insert(hook.pattern.clone(), index);
                }
            }
        }
    }
}
