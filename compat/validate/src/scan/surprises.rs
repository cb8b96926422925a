//! What loads and still surprises: the questions the rules about it ask.

use super::{FnRef, Scan};
use crate::HostSpec;
use crate::flow;
use crate::report::{Literal, Matcher};
use crate::rules::{
    band_dropped, deny_after_next, gate_falls_through, gate_without_catch, host_lacks, matcher_form, matcher_never,
    missing_global, module_state, next_to_tier, own_wait, post_log_rewrite, prompt_cache, shell_text,
    unknown_matcher_field, unknown_member,
};
use crate::tree::{FnId, Role, plain};
use modgate_catalog::hosts::HostProfile;
use rustc_hash::FxHashSet;
use swc_common::Spanned;
use swc_ecma_ast::{Expr, Lit, Pat, PropOrSpread};

impl Scan<'_, '_> {
    pub(super) fn surprises(&mut self) {
        let hosts = self.hosts_asked();
        self.own_commands();
        for index in 0..self.hooks.len() {
            self.hook_surprises(index, &hosts);
        }
        for site in self.sites.clone() {
            unknown_member::check(self, &site);
            shell_text::check(self, &site);
        }
        for unit in 0..self.program.units.len() {
            if self.program.units[unit].is_some() {
                missing_global::check(self, unit);
                module_state::check(self, unit);
            }
        }
        next_to_tier::check(self);
        for (host, spec) in hosts {
            host_lacks::check(self, host, &spec);
        }
    }

    fn hook_surprises(&mut self, index: usize, hosts: &[(&'static HostProfile, HostSpec)]) {
        let hook = &self.hooks[index];
        let (func, gate, event) = (hook.func, hook.fact.is_gate, hook.pattern.clone());
        let can_deny = self.can_deny(func) || hook.catch.is_some_and(|catch| self.can_deny(catch));
        self.hooks[index].fact.can_deny = can_deny;
        let flow = self.flow(func);
        if gate {
            deny_after_next::check(self, func.0, &flow.late_denials);
        }
        if !self.unit(func.0).tree.func(func.1).is_generator {
            gate_falls_through::check(self, func.0, &flow.nothing, gate, &event);
        }
        gate_without_catch::check(self, index);
        matcher_form::check(self, index);
        matcher_never::check(self, index);
        unknown_matcher_field::check(self, index);
        band_dropped::check(self, index);
        own_wait::check(self, func);
        prompt_cache::check(self, index);
        for (host, spec) in hosts {
            post_log_rewrite::check(self, index, host, spec, &flow.repeats);
        }
    }

    /// A hook that is the body of a command the mod registers itself stops nothing: it is no gate.
    fn own_commands(&mut self) {
        let registered: FxHashSet<String> =
            self.sites.iter().filter(|site| site.name == "command.register").filter_map(command_name).collect();
        for index in 0..self.hooks.len() {
            let hook = &self.hooks[index];
            let names = match &hook.fact.matcher {
                Some(Matcher::Has(fields)) if hook.pattern == "command.run" => {
                    fields.iter().find(|(key, _)| key == "command")
                }
                _ => None,
            };
            let own = names.is_some_and(|(_, names)| all_among(names, &registered));
            if own && !self.uses_next(hook.func) && hook.catch.is_none_or(|catch| !self.uses_next(catch)) {
                self.hooks[index].fact.is_gate = false;
            }
        }
    }

    /// Profiles of the hosts that were asked for; names without one were refused before.
    fn hosts_asked(&self) -> Vec<(&'static HostProfile, HostSpec)> {
        let profile =
            |spec: &HostSpec| modgate_catalog::hosts::host(&spec.to_string()).ok().map(|host| (host, spec.clone()));
        self.options.hosts.iter().filter_map(profile).collect()
    }

    fn next_name(&self, func: FnRef) -> Option<&str> {
        match self.unit(func.0).tree.func(func.1).params.get(2) {
            Some(Pat::Ident(ident)) => Some(&ident.id.sym),
            _ => None,
        }
    }

    fn flow(&self, func: FnRef) -> flow::Flow {
        let unit = self.unit(func.0);
        let calls = self.next_name(func).map(|name| flow::own_calls(&unit.tree, func.1, name)).unwrap_or_default();
        unit.parsed.with_stack(|| flow::of(&unit.tree, func.1, &calls, &|span| unit.parsed.offsets(span)))
    }

    /// Does the function use the `next` it is given?
    pub(crate) fn uses_next(&self, func: FnRef) -> bool {
        let tree = &self.unit(func.0).tree;
        match tree.func(func.1).params.get(2) {
            None => false,
            Some(Pat::Ident(ident)) => {
                tree.resolve(&ident.id.sym, tree.func(func.1).scope).is_some_and(|bind| !tree.uses(bind).is_empty())
            }
            Some(_) => true,
        }
    }

    /// Does any path of the function, or of those it calls, hold a refusal?
    fn can_deny(&self, func: FnRef) -> bool {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![func];
        while let Some((unit, func)) = waiting.pop() {
            if !seen.insert((unit, func)) {
                continue;
            }
            let tree = &self.unit(unit).tree;
            let own = tree.func(func);
            let first = tree.denials.partition_point(|denial| denial.at.0 < own.at.0);
            if tree.denials[first..]
                .iter()
                .take_while(|denial| denial.at.0 < own.at.1)
                .any(|denial| tree.is_within(denial.func, func))
            {
                return true;
            }
            for inner in func..=own.last {
                for id in &tree.func(inner as FnId).calls {
                    let used = &tree.refs[*id as usize];
                    if let super::Callee::Function { func, .. } =
                        super::function_named(self.program, unit, used.name, used.scope)
                    {
                        waiting.push(func);
                    }
                }
            }
        }
        false
    }

    /// Does this mod add a noun of that name itself?
    pub(crate) fn adds_noun(&self, noun: &str) -> bool {
        let nouns = self.nouns.iter().flat_map(|nouns| nouns.adds.iter().chain(&nouns.adds_unless_there));
        nouns.into_iter().any(|named| named.name == noun)
    }

    /// Arguments of `next` that are not the event as it came.
    pub(crate) fn changed_arguments(&self, func: FnRef) -> Vec<(u32, u32)> {
        let unit = self.unit(func.0);
        let own = unit.tree.func(func.1);
        let (Some(Pat::Ident(event)), Some(Pat::Ident(next))) = (own.params.get(1), own.params.get(2)) else {
            return Vec::new();
        };
        let Some(bind) = unit.tree.resolve(&next.id.sym, own.scope) else { return Vec::new() };
        let calls = unit.tree.uses(bind).into_iter().filter_map(|id| {
            match unit.tree.link(unit.tree.refs[id as usize].link).role {
                Role::Callee(called) => called.args().first(),
                _ => None,
            }
        });
        let same = |expr: &Expr| {
            match plain(expr) {
            Expr::Ident(name) => name.sym == event.id.sym,
            Expr::Object(object) => object.props.iter().all(|prop| matches!(prop, PropOrSpread::Spread(spread) if matches!(plain(&spread.expr), Expr::Ident(name) if name.sym == event.id.sym))),
            // A variable may hold anything; only what is written out is judged.
            Expr::Call(_) | Expr::Await(_) | Expr::Member(_) | Expr::Cond(_) => true,
            _ => false,
        }
        };
        calls
            .filter(|arg| matches!(plain(&arg.expr), Expr::Object(_)) && !same(&arg.expr))
            .map(|arg| unit.parsed.offsets(arg.span()))
            .collect()
    }
}

/// The name a registration spells in its own object.
fn command_name(site: &super::CallSite<'_>) -> Option<String> {
    let arg = &site.call?.args.first()?.expr;
    let Expr::Object(object) = plain(arg) else { return None };
    if object.props.iter().any(|prop| matches!(prop, PropOrSpread::Spread(_))) {
        return None;
    }
    match plain(super::property(arg, "name")?) {
        Expr::Lit(Lit::Str(name)) => Some(name.value.to_string_lossy().into_owned()),
        _ => None,
    }
}

fn all_among(names: &Matcher, registered: &FxHashSet<String>) -> bool {
    match names {
        Matcher::Is(Literal::String(name)) => registered.contains(name),
        Matcher::AnyOf(any) => !any.is_empty() && any.iter().all(|name| all_among(name, registered)),
        _ => false,
    }
}
