//! Facts for people, one line a kind.

use std::fmt::Write as _;

use modgate_validate::report::{
    Access, Call, ClassicHook, Facts, HookFact, Literal, Matcher, Named, OptionFact, Reach, StateKey,
};

use super::Checked;
use super::safe::visible;
use crate::output::{Paint, Style};

/// Columns for the kind: the longest, and a space.
const KIND: usize = 10;

/// Writes the facts of a mod, with an empty line behind them.
pub(crate) fn lines(checked: &Checked, style: Style, text: &mut String) {
    if checked.is_marketplace {
        return;
    }
    let mut list = List { style, text };
    let report = &checked.report;
    let module = report.module.as_deref().unwrap_or("none; only settings hooks, skills and the like can work");
    list.line("module", &[module.to_owned()]);
    if let Some(facts) = &report.facts {
        list.facts(facts);
    }
    list.line("options", &report.setup.options.iter().map(option).collect::<Vec<_>>());
    list.line("settings", &report.setup.classic_hooks.iter().map(classic).collect::<Vec<_>>());
    text.push('\n');
}

struct List<'a> {
    style: Style,
    text: &'a mut String,
}

impl List<'_> {
    /// A line, unless there is nothing to say.
    fn line(&mut self, kind: &str, items: &[String]) {
        if !items.is_empty() {
            let kind = self.style.paint(Paint::Dim, &format!("{kind:<width$}", width = KIND));
            let _ = writeln!(self.text, "  {kind}{}", visible(&items.join(", ")));
        }
    }

    fn facts(&mut self, facts: &Facts) {
        let or_nothing = |items: Vec<String>| if items.is_empty() { vec!["nothing".to_owned()] } else { items };
        self.line("hooks", &or_nothing(facts.hooks.iter().map(hook_with_defaults).collect()));
        self.line("refuses", &facts.hooks.iter().filter(|hook| refuses(hook)).map(refusal).collect::<Vec<_>>());
        self.line("calls", &or_nothing(facts.uses.calls.iter().map(call).collect()));
        self.line("env", &access(&facts.uses.env, |named| named.name.clone()));
        self.line("state", &access(&facts.uses.state, state));
        self.line("hosts", &reach(&facts.uses.hosts));
        self.line("commands", &reach(&facts.uses.commands));
        self.line("files", &reach(&facts.uses.files));
        self.line("next.to", &names(&facts.next_to));
        self.line("nouns", &nouns(facts));
        self.line("telemetry", &names(&facts.telemetry));
        self.line("clients", &names(&facts.clients));
        self.line("cache", &facts.breaks_prompt_cache.iter().map(cache).collect::<Vec<_>>());
    }
}

/// A hook that can stop something. One on an event that could, but which never denies, is not.
pub(crate) fn refuses(hook: &HookFact) -> bool {
    hook.is_gate && hook.can_deny
}

/// `tool.call{tool=Edit|Write}`.
pub(crate) fn hook(hook: &HookFact) -> String {
    match &hook.matcher {
        None => format!("{}{{?}}", hook.pattern),
        Some(Matcher::Has(fields)) if fields.is_empty() => hook.pattern.clone(),
        Some(accepted) => format!("{}{}", hook.pattern, matcher(accepted)),
    }
}

/// The same, with the matcher keys the host fills in.
fn hook_with_defaults(found: &HookFact) -> String {
    match found.default_keys.as_slice() {
        [] => hook(found),
        keys => format!("{} ({} filled in)", hook(found), keys.join(", ")),
    }
}

fn refusal(found: &HookFact) -> String {
    format!("{} {}", hook(found), if found.has_catch { "with .catch" } else { "without .catch" })
}

fn matcher(accepted: &Matcher) -> String {
    match accepted {
        Matcher::Is(literal) => scalar(literal),
        Matcher::AnyOf(all) => all.iter().map(matcher).collect::<Vec<_>>().join("|"),
        Matcher::Has(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, value)| match value {
                    Matcher::Has(_) => format!("{name}{}", matcher(value)),
                    _ => format!("{name}={}", matcher(value)),
                })
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        Matcher::Regex { source, flags } => format!("/{source}/{flags}"),
        Matcher::Unread => "?".to_owned(),
    }
}

fn scalar(literal: &Literal) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Number(value) => value.to_string(),
        Literal::String(value) => value.clone(),
    }
}

fn call(call: &Call) -> String {
    match call.via.as_slice() {
        [] => format!("$.{}", call.name),
        via => format!("$.{} (via {})", call.name, via.join(", ")),
    }
}

fn state(key: &StateKey) -> String {
    format!("{}.{}", key.plugin, key.key)
}

fn names(named: &[Named]) -> Vec<String> {
    named.iter().map(|named| named.name.clone()).collect()
}

fn access<T>(access: &Access<T>, name: impl Fn(&T) -> String) -> Vec<String> {
    let part = |word: &str, items: &[T]| -> Option<String> {
        let names: Vec<String> = items.iter().map(&name).collect();
        (!names.is_empty()).then(|| format!("{word} {}", names.join(", ")))
    };
    let parts: Vec<String> =
        [part("reads", &access.reads), part("writes", &access.writes)].into_iter().flatten().collect();
    if parts.is_empty() { parts } else { vec![parts.join("; ")] }
}

fn reach(reach: &Reach) -> Vec<String> {
    let mut parts = names(&reach.named);
    parts.extend(reach.unread.iter().map(|call| format!("computed by $.{}", call.name)));
    parts
}

fn nouns(facts: &Facts) -> Vec<String> {
    let Some(nouns) = &facts.nouns else { return vec!["changes computed in engine.create".to_owned()] };
    let parts = [
        ("adds", &nouns.adds),
        ("adds unless there", &nouns.adds_unless_there),
        ("withholds", &nouns.withholds),
        ("replaces", &nouns.replaces),
    ];
    parts
        .into_iter()
        .flat_map(|(word, named)| named.iter().map(move |named| format!("{word} {}", named.name)))
        .collect()
}

fn cache(place: &Named) -> String {
    format!(
        "{} changes the cached prompt ({}:{}:{})",
        place.name, place.at.file, place.at.span.line, place.at.span.column
    )
}

fn option(option: &OptionFact) -> String {
    let mut about = vec![option.kind.as_str()];
    about.extend(option.required.then_some("required"));
    about.extend(option.sensitive.then_some("sensitive"));
    format!("{} ({})", option.name, about.join(", "))
}

fn classic(hook: &ClassicHook) -> String {
    let matcher = hook.matcher.as_deref().map(|matcher| format!(" {matcher}")).unwrap_or_default();
    format!("{}{matcher}: {} `{}`", hook.event, hook.kind, hook.does)
}
