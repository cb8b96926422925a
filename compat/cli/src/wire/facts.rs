//! `modgate validate --json`: what a hooks module does. `uses`, `hooks`, `nextTo`, `telemetry`, `clients`,
//! `breaksPromptCache` and `nouns` have the form that `claude plugin validate --json` gives them.

use modgate_validate::report::{self, Facts, HookFact, Literal, Matcher, Named, StateKey};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::report::At;
use crate::render::facts::refuses;

/// A hooks module. Without facts (it was refused before they could be known) only `path` is there.
#[derive(Serialize)]
pub(crate) struct Module<'a> {
    path: &'a str,
    #[serde(flatten)]
    facts: Option<ModuleFacts<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ModuleFacts<'a> {
    uses: Uses<'a>,
    hooks: Vec<Hook<'a>>,
    gating_hooks: Vec<GatingHook<'a>>,
    next_to: Names<'a>,
    telemetry: Names<'a>,
    clients: Names<'a>,
    breaks_prompt_cache: bool,
    nouns: Option<Nouns<'a>>,
    places: Places<'a>,
}

#[derive(Serialize)]
struct Uses<'a> {
    events: Names<'a>,
    calls: Vec<&'a str>,
    env: Access<Names<'a>>,
    state: Access<Vec<State<'a>>>,
    hosts: Reach<'a>,
    commands: Reach<'a>,
    files: Reach<'a>,
}

#[derive(Serialize)]
struct Access<T> {
    reads: T,
    writes: T,
}

#[derive(Serialize)]
struct State<'a> {
    plugin: &'a str,
    key: &'a str,
}

#[derive(Serialize)]
struct Reach<'a> {
    named: Names<'a>,
    unread: Names<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Hook<'a> {
    pattern: &'a str,
    matcher: Option<Accepts<'a>>,
    default_keys: &'a [String],
    is_gate: bool,
    has_catch: bool,
    can_deny: bool,
    at: At<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GatingHook<'a> {
    pattern: &'a str,
    has_catch: bool,
    at: At<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Nouns<'a> {
    adds: Names<'a>,
    adds_unless_there: Names<'a>,
    withholds: Names<'a>,
    replaces: Names<'a>,
}

/// Where what is named above stands first.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Places<'a> {
    events: Vec<Spot<'a>>,
    calls: Vec<Spot<'a>>,
    env_reads: Vec<Spot<'a>>,
    env_writes: Vec<Spot<'a>>,
    state_reads: Vec<Spot<'a>>,
    state_writes: Vec<Spot<'a>>,
    hosts: Vec<Spot<'a>>,
    commands: Vec<Spot<'a>>,
    files: Vec<Spot<'a>>,
    next_to: Vec<Spot<'a>>,
    nouns: Vec<Spot<'a>>,
    telemetry: Vec<Spot<'a>>,
    clients: Vec<Spot<'a>>,
    breaks_prompt_cache: Vec<Spot<'a>>,
}

#[derive(Serialize)]
struct Spot<'a> {
    name: String,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    via: &'a [String],
    at: At<'a>,
}

impl<'a> Module<'a> {
    /// The module at `path`.
    pub(crate) fn new(path: &'a str, facts: Option<&'a Facts>) -> Module<'a> {
        Module { path, facts: facts.map(ModuleFacts::from) }
    }
}

impl<'a> From<&'a Facts> for ModuleFacts<'a> {
    fn from(facts: &'a Facts) -> ModuleFacts<'a> {
        ModuleFacts {
            uses: Uses::from(&facts.uses),
            hooks: facts.hooks.iter().map(Hook::from).collect(),
            gating_hooks: facts.hooks.iter().filter(|hook| refuses(hook)).map(GatingHook::from).collect(),
            next_to: Names(&facts.next_to),
            telemetry: Names(&facts.telemetry),
            clients: Names(&facts.clients),
            breaks_prompt_cache: !facts.breaks_prompt_cache.is_empty(),
            nouns: facts.nouns.as_ref().map(Nouns::from),
            places: Places::from(facts),
        }
    }
}

impl<'a> From<&'a report::Uses> for Uses<'a> {
    fn from(uses: &'a report::Uses) -> Uses<'a> {
        let state =
            |keys: &'a [StateKey]| keys.iter().map(|key| State { plugin: &key.plugin, key: &key.key }).collect();
        let reach = |reach: &'a report::Reach| Reach { named: Names(&reach.named), unread: Names(&reach.unread) };
        Uses {
            events: Names(&uses.events),
            calls: uses.calls.iter().map(|call| call.name.as_str()).collect(),
            env: Access { reads: Names(&uses.env.reads), writes: Names(&uses.env.writes) },
            state: Access { reads: state(&uses.state.reads), writes: state(&uses.state.writes) },
            hosts: reach(&uses.hosts),
            commands: reach(&uses.commands),
            files: reach(&uses.files),
        }
    }
}

impl<'a> From<&'a report::Nouns> for Nouns<'a> {
    fn from(nouns: &'a report::Nouns) -> Nouns<'a> {
        Nouns {
            adds: Names(&nouns.adds),
            adds_unless_there: Names(&nouns.adds_unless_there),
            withholds: Names(&nouns.withholds),
            replaces: Names(&nouns.replaces),
        }
    }
}

impl<'a> From<&'a HookFact> for Hook<'a> {
    fn from(hook: &'a HookFact) -> Hook<'a> {
        Hook {
            pattern: &hook.pattern,
            matcher: hook.matcher.as_ref().map(Accepts),
            default_keys: &hook.default_keys,
            is_gate: hook.is_gate,
            has_catch: hook.has_catch,
            can_deny: hook.can_deny,
            at: At::from(&hook.at),
        }
    }
}

impl<'a> From<&'a HookFact> for GatingHook<'a> {
    fn from(hook: &'a HookFact) -> GatingHook<'a> {
        GatingHook { pattern: &hook.pattern, has_catch: hook.has_catch, at: At::from(&hook.at) }
    }
}

impl<'a> From<&'a Facts> for Places<'a> {
    fn from(facts: &'a Facts) -> Places<'a> {
        let uses = &facts.uses;
        let nouns = facts
            .nouns
            .iter()
            .flat_map(|nouns| [&nouns.adds, &nouns.adds_unless_there, &nouns.withholds, &nouns.replaces]);
        Places {
            events: spots([&uses.events]),
            calls: uses
                .calls
                .iter()
                .map(|call| Spot { name: call.name.clone(), via: &call.via, at: At::from(&call.at) })
                .collect(),
            env_reads: spots([&uses.env.reads]),
            env_writes: spots([&uses.env.writes]),
            state_reads: state_spots(&uses.state.reads),
            state_writes: state_spots(&uses.state.writes),
            hosts: spots([&uses.hosts.named, &uses.hosts.unread]),
            commands: spots([&uses.commands.named, &uses.commands.unread]),
            files: spots([&uses.files.named, &uses.files.unread]),
            next_to: spots([&facts.next_to]),
            nouns: spots(nouns),
            telemetry: spots([&facts.telemetry]),
            clients: spots([&facts.clients]),
            breaks_prompt_cache: spots([&facts.breaks_prompt_cache]),
        }
    }
}

fn spots<'a>(lists: impl IntoIterator<Item = &'a Vec<Named>>) -> Vec<Spot<'a>> {
    let spot = |named: &'a Named| Spot { name: named.name.clone(), via: &[], at: At::from(&named.at) };
    lists.into_iter().flatten().map(spot).collect()
}

fn state_spots(keys: &[StateKey]) -> Vec<Spot<'_>> {
    let name = |key: &StateKey| format!("{}.{}", key.plugin, key.key);
    keys.iter().map(|key| Spot { name: name(key), via: &[], at: At::from(&key.at) }).collect()
}

/// Only the names.
struct Names<'a>(&'a [Named]);

impl Serialize for Names<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|named| &named.name))
    }
}

/// `{"is": ...}`, `{"anyOf": [...]}`, `{"has": {...}}`, `{"regex": ..., "flags": ...}`, or null where it is not readable.
struct Accepts<'a>(&'a Matcher);

impl Serialize for Accepts<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if *self.0 == Matcher::Unread {
            return to.serialize_unit();
        }
        let mut map = to.serialize_map(None)?;
        match self.0 {
            Matcher::Unread => {}
            Matcher::Is(literal) => map.serialize_entry("is", &Scalar(literal))?,
            Matcher::AnyOf(all) => map.serialize_entry("anyOf", &AnyOf(all))?,
            Matcher::Has(fields) => map.serialize_entry("has", &Has(fields))?,
            Matcher::Regex { source, flags } => {
                map.serialize_entry("regex", source)?;
                map.serialize_entry("flags", flags)?;
            }
        }
        map.end()
    }
}

struct AnyOf<'a>(&'a [Matcher]);

impl Serialize for AnyOf<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(Some(self.0.len()))?;
        self.0.iter().try_for_each(|matcher| list.serialize_element(&Accepts(matcher)))?;
        list.end()
    }
}

struct Has<'a>(&'a [(String, Matcher)]);

impl Serialize for Has<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, matcher)| (name, Accepts(matcher))))
    }
}

/// A number that is whole is written without a fraction, as JavaScript does.
struct Scalar<'a>(&'a Literal);

impl Serialize for Scalar<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        /// Above it, neighbouring numbers are further apart than 1.
        const WHOLE: f64 = 9_007_199_254_740_992.0;
        match self.0 {
            Literal::Null => to.serialize_unit(),
            Literal::Bool(value) => to.serialize_bool(*value),
            Literal::String(value) => to.serialize_str(value),
            #[expect(clippy::cast_possible_truncation, reason = "it is whole and in range")]
            Literal::Number(value) if value.fract() == 0.0 && value.abs() <= WHOLE => to.serialize_i64(*value as i64),
            Literal::Number(value) => to.serialize_f64(*value),
        }
    }
}
