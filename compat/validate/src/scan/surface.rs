//! What stands in the files besides calls: `Client` modules, dynamic imports, early errors, telemetry hooks.

use super::literal::{literal_text, property};
use super::{Scan, Unit};
use crate::graph::Graph;
use crate::imports::{is_relative, join};
use crate::report::{Literal, Matcher};
use crate::rules::{client_module, syntax_error, telemetry_stream};
use crate::syntax::is_code;
use crate::tree::{Called, Role, plain};
use swc_common::Spanned;
use swc_ecma_ast::{Expr, JSXAttrName, JSXAttrOrSpread, JSXAttrValue, JSXElement, JSXElementName, JSXExpr};

/// Streams a telemetry hook can stand on.
pub(crate) const STREAMS: [&str; 2] = ["anthropic", "collector"];

impl<'a> Scan<'_, 'a> {
    pub(super) fn surfaces_and_imports(&mut self) {
        for index in 0..self.program.units.len() {
            let Some(unit) = &self.program.units[index] else {
                self.refused = true;
                continue;
            };
            if !unit.tree.dynamic_imports.is_empty() {
                self.refused = true;
                Graph::report_dynamic_imports(unit.text, &unit.tree.dynamic_imports, self.found);
            }
            for (message, start, end) in &unit.tree.early_errors {
                self.refused = true;
                syntax_error::early(self.found, unit.text, (*start, *end), message);
            }
            for (element, _) in &unit.tree.elements {
                if matches!(&element.opening.name, JSXElementName::Ident(name) if &*name.sym == "Client") {
                    self.client_element(index, element);
                }
            }
            for id in unit.tree.refs_named("h") {
                let used = &unit.tree.refs[*id as usize];
                if let Role::Callee(Called::Plain(call)) = unit.tree.link(used.link).role
                    && let [tag, rest @ ..] = call.args.as_slice()
                    && matches!(plain(&tag.expr), Expr::Ident(name) if &*name.sym == "Client")
                {
                    let module = rest.first().and_then(|props| property(&props.expr, "module"));
                    let at = unit.parsed.offsets(tag.span());
                    self.client(index, at, module.map(|module| (module, unit.parsed.offsets(module.span()))));
                }
            }
        }
    }

    fn client_element(&mut self, index: usize, element: &'a JSXElement) {
        let unit = self.unit(index);
        let at = unit.parsed.offsets(element.opening.name.span());
        let module = element.opening.attrs.iter().find_map(|attr| match attr {
            JSXAttrOrSpread::JSXAttr(attr) if matches!(&attr.name, JSXAttrName::Ident(name) if &*name.sym == "module") => attr.value.as_ref(),
            _ => None,
        });
        match module {
            Some(JSXAttrValue::JSXExprContainer(container)) => match &container.expr {
                JSXExpr::Expr(expr) => self.client(index, at, Some((expr, unit.parsed.offsets(expr.span())))),
                JSXExpr::JSXEmptyExpr(_) => client_module::no_module(self, index, at),
            },
            Some(JSXAttrValue::Str(text)) => {
                let path = text.value.to_string_lossy().into_owned();
                self.client_path(index, unit.parsed.offsets(text.span), &path);
            }
            _ => client_module::no_module(self, index, at),
        }
    }

    fn client(&mut self, index: usize, at: (u32, u32), module: Option<(&'a Expr, (u32, u32))>) {
        let Some((module, module_at)) = module else { return client_module::no_module(self, index, at) };
        match literal_text(self.unit(index), module) {
            Some(path) => self.client_path(index, module_at, &path),
            None => client_module::not_literal(self, index, module_at),
        }
    }

    fn client_path(&mut self, index: usize, at: (u32, u32), path: &str) {
        if !is_relative(path) {
            return client_module::not_relative(self, index, at, path);
        }
        let folder = self.unit(index).text.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let Some(joined) = join(folder, path) else { return client_module::outside(self, index, at, path) };
        if !is_code(&joined) {
            return client_module::suffix(self, index, at, path);
        }
        let named = self.named(&joined, index, at);
        self.clients.entry(joined).or_insert(named);
    }

    pub(super) fn telemetry_hooks(&mut self) {
        for index in 0..self.hooks.len() {
            let hook = &self.hooks[index];
            if !matches!(hook.pattern.as_str(), "telemetry.log" | "telemetry.mark" | "telemetry.*") {
                continue;
            }
            let (unit, at) = (hook.unit, hook.matcher_at.unwrap_or(hook.pattern_at));
            let to = match &hook.fact.matcher {
                Some(Matcher::Has(fields)) => fields.iter().find(|(key, _)| key == "to").map(|(_, to)| to.clone()),
                _ => None,
            };
            let streams = match to.as_ref().map(stream_names) {
                None => STREAMS.map(str::to_owned).to_vec(),
                Some(Some(streams)) => streams,
                Some(None) => {
                    telemetry_stream::unread(self, unit, at);
                    continue;
                }
            };
            for stream in streams {
                if !STREAMS.contains(&stream.as_str()) {
                    telemetry_stream::unknown(self, unit, at, &stream);
                    continue;
                }
                if stream == "anthropic" {
                    telemetry_stream::reserved(self, unit, at, to.is_some());
                }
                let named = self.named(&stream, unit, at);
                self.telemetry.entry(stream).or_insert(named);
            }
        }
    }
}

fn stream_names(to: &Matcher) -> Option<Vec<String>> {
    match to {
        Matcher::Is(Literal::String(name)) => Some(vec![name.clone()]),
        Matcher::AnyOf(any) => any.iter().map(stream_names).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        _ => None,
    }
}

/// Names a surface module's component: `default`, or its capitalized exports.
pub(crate) fn components(unit: &Unit<'_>) -> (bool, Vec<String>) {
    let exports = &unit.tree.exports;
    let default = exports.iter().any(|export| export.name == "default");
    let capital = |name: &str| name.starts_with(|first: char| first.is_ascii_uppercase());
    (default, exports.iter().filter(|export| capital(export.name)).map(|export| export.name.to_owned()).collect())
}
