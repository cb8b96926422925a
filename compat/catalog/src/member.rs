//! Everything on `$`.

mod takes;

use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;

use crate::event::{self, Event};
use crate::nearest;

pub(crate) use takes::{Default as TakeDefault, Rule, Source, Take};

/// What a member gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum MemberKind {
    /// A plain value, there at once.
    Property,
    /// A promise.
    #[default]
    Async,
    /// Nothing, at once; a refusal is swallowed.
    Sync,
    /// A handle with `cancel`, at once; a refused argument throws.
    Handle,
    /// An async iterable with a `result`.
    Stream,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    call: &'static str,
    #[serde(default)]
    kind: MemberKind,
    event: Option<&'static str>,
    args: &'static str,
    returns: &'static str,
    #[serde(default)]
    takes: Vec<&'static str>,
    #[serde(default)]
    only: Vec<&'static str>,
    #[serde(default)]
    reads: Vec<u32>,
    #[serde(default)]
    void: bool,
    #[serde(default)]
    holds: bool,
    #[serde(default)]
    writes: bool,
    since: Option<&'static str>,
}

/// One member of `$`.
#[derive(Debug)]
pub struct Member {
    /// `fs.read`.
    pub call: &'static str,
    /// `fs`.
    pub namespace: &'static str,
    /// `read`.
    pub method: &'static str,
    /// What it gives.
    pub kind: MemberKind,
    /// Its arguments, for readers: `(path: string, options?: { as? })`.
    pub args: &'static str,
    /// What it gives, for readers.
    pub returns: &'static str,
    /// The event a call raises.
    pub event: Option<&'static str>,
    /// The first version of Claude Code known to have it.
    pub since: &'static str,
    /// Whether a call gives undefined whatever the event is answered with.
    pub void: bool,
    /// Whether it rejects inside the hooks of the turn it would wait for.
    pub holds: bool,
    /// It is refused while something is drawn.
    pub writes: bool,
    /// The keys its one argument may have, where others are refused.
    pub only: Vec<&'static str>,
    /// The arguments whose keys are read whatever they are: null there is a `TypeError`, and so is a first one that is
    /// missing.
    pub reads: Vec<u32>,
    takes_text: Vec<&'static str>,
    takes: OnceLock<Vec<Take>>,
}

impl Member {
    fn new(row: Row) -> Member {
        let call = row.call;
        let (namespace, method) = call.split_once('.').unwrap_or((call, ""));
        Member {
            call,
            namespace,
            method,
            kind: row.kind,
            args: row.args,
            returns: row.returns,
            event: Some(row.event.unwrap_or(call)).filter(|event| !event.is_empty()),
            since: row.since.unwrap_or(event::OLDEST),
            void: row.void || row.kind == MemberKind::Sync,
            holds: row.holds,
            writes: row.writes,
            only: row.only,
            reads: row.reads,
            takes_text: row.takes,
            takes: OnceLock::new(),
        }
    }

    /// The event a call raises, with all that is known of it.
    pub fn raises(&self) -> Option<&'static Event> {
        self.event.and_then(event::event)
    }

    pub(crate) fn takes(&self) -> &[Take] {
        // The tests read every rule, so an unreadable one never ships.
        self.takes.get_or_init(|| self.takes_text.iter().filter_map(|text| takes::parse(text).ok()).collect())
    }
}

const SOURCE: &str = include_str!("../data/members.json");

fn read() -> serde_json::Result<Vec<Member>> {
    serde_json::from_str::<Vec<Row>>(SOURCE).map(|rows| rows.into_iter().map(Member::new).collect())
}

static MEMBERS: LazyLock<Vec<Member>> = LazyLock::new(|| read().unwrap_or_default());

/// All members, sorted by name.
pub fn members() -> &'static [Member] {
    &MEMBERS
}

/// The member of that name in that namespace.
pub fn member(namespace: &str, method: &str) -> Option<&'static Member> {
    MEMBERS
        .binary_search_by(|member| (member.namespace, member.method).cmp(&(namespace, method)))
        .ok()
        .map(|at| &MEMBERS[at])
}

/// All namespaces of `$` and of events, sorted: what a mod may not add as a noun of its own.
pub fn namespaces() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let mut names: Vec<_> = MEMBERS.iter().map(|member| member.namespace).collect();
        names.extend(event::event_namespaces());
        names.sort_unstable();
        names.dedup();
        names
    });
    &NAMES
}

/// The namespaces of `$`, sorted.
pub fn member_namespaces() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let mut names: Vec<_> = MEMBERS.iter().map(|member| member.namespace).collect();
        names.dedup();
        names
    });
    &NAMES
}

/// The member most like this one, where one is near enough to be meant: `("fs", "reed")` gives `fs.read`.
pub fn nearest_member(namespace: &str, method: &str) -> Option<&'static str> {
    let same_namespace = MEMBERS.iter().filter(|member| member.namespace == namespace);
    if let Some(found) = nearest(method, same_namespace.map(|member| member.method)) {
        return member(namespace, found).map(|member| member.call);
    }
    nearest(&format!("{namespace}.{method}"), MEMBERS.iter().map(|member| member.call))
}

#[cfg(test)]
mod tests;
