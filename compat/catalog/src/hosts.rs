//! What each host does with the same mod, as data: the profiles in data/hosts.

mod page;
mod read;

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::event::{self, Event};
use crate::member::Member;

pub use page::hosts_markdown;

/// How a fact came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Seen on the real program.
    Measured,
    /// Stated in the host's own public documents or source.
    Documented,
    /// Neither; what is most likely.
    Assumed,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Measured => "measured",
            Source::Documented => "documented",
            Source::Assumed => "assumed",
        })
    }
}

/// A fact with its source.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Fact<T> {
    /// The fact.
    pub is: T,
    /// How it is known.
    pub source: Source,
    /// By which means: a scenario, a suite, a document.
    pub how: String,
}

/// What a changed call does at `tool.call`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rewrite {
    /// It runs in place of the recorded one.
    Apply,
    /// The hook is skipped.
    Refuse,
    /// It runs, and the correction is a record of its own.
    Amend,
}

/// When the permission of a call is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Permission {
    /// On the call as the model made it.
    BeforeMods,
    /// On what the mods passed down.
    AfterMods,
}

/// What an answer to `tool.check` can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckPower {
    /// It is the decision, looser or stricter than the rules.
    Decides,
    /// It may be stricter than the rules and never looser than a deny.
    Tightens,
    /// It is never asked for.
    None,
}

/// What a further call of `next` in one invocation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repeat {
    /// It runs everything beneath once more.
    Again,
    /// It gives the first result.
    FirstResult,
    /// There is no such thing.
    Unsupported,
}

/// What a failing hook does to its dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The mod is skipped; the dispatch goes on without it.
    Skip,
    /// The event is refused.
    Refuse,
}

/// What a deny does when the tool has already run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DenyAfterNext {
    /// The result is kept from the model.
    Withhold,
    /// The hook is skipped.
    Refuse,
}

/// What an answer does that refuses something which can no longer be undone (see [`Event::before_next`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LateRefusal {
    /// The mod is skipped.
    Refuse,
    /// It is given on although it changes nothing.
    Stand,
}

/// What happens to a run that a hook left pending beneath its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pending {
    /// Nobody waits for it.
    Abandoned,
    /// The event settles after it.
    Awaited,
}

/// Where a result that a mod put in place is checked against the tool's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Results {
    /// By the host, where it takes the chain's answer: the model reads an error.
    Host,
    /// Nowhere.
    None,
}

/// What `isError` does in an answer that a mod gives in place of a result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorFlag {
    /// The model is told that the call failed.
    #[default]
    Taken,
    /// Nothing: what the tool said counts, and the result is checked like any other.
    Ignored,
}

/// What registering an event nobody knows does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownEvent {
    /// The module is not loaded.
    Refuse,
    /// It loads; the hook never runs.
    Ignore,
}

/// How much time of its own a hook has, in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budgets {
    /// One hook on one dispatch.
    pub hook_ms: u64,
    /// One `.catch` handler.
    pub catch_ms: u64,
    /// One `prompt.edit` hook.
    pub edit_ms: u64,
    /// All `session.end` hooks together.
    pub session_end_ms: u64,
    /// How it is known.
    pub source: Source,
    /// By which means.
    pub how: String,
}

/// A set of names, with patterns: `*`, `ns.*`, names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Events {
    raised: Vec<String>,
    #[serde(default)]
    unknown: Vec<String>,
    source: Source,
    how: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    served: Vec<String>,
    #[serde(default)]
    refused: Vec<String>,
    source: Source,
    how: String,
}

/// What a host draws.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ui {
    /// Surfaces that may be attached.
    pub surfaces: Vec<String>,
    components: Vec<String>,
    elements: Vec<String>,
    /// How it is known.
    pub source: Source,
    /// By which means.
    pub how: String,
}

/// What a host does with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventStatus {
    /// It is raised.
    Raised,
    /// Hooks on it load and never run.
    Registered,
    /// The host does not know it.
    Unknown,
}

/// One host of one version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostProfile {
    /// `claude-code`.
    pub name: String,
    /// `2.1.332`.
    pub version: String,
    /// For readers.
    pub title: String,
    /// A changed call at `tool.call`.
    pub rewrite: Fact<Rewrite>,
    /// Another tool at `tool.call`.
    pub reroute: Fact<Rewrite>,
    /// Whether a grant can turn what is refused at `tool.call` into recorded corrections and attempts; absent: no.
    pub corrections: Option<Fact<bool>>,
    /// When permission is decided.
    pub permission: Fact<Permission>,
    /// What `tool.check` can do.
    pub check: Fact<CheckPower>,
    /// Events whose rewritten input is what the record holds.
    pub recorded: Fact<Vec<String>>,
    /// A second `next`.
    pub repeat: Fact<Repeat>,
    /// A failing hook.
    pub failure: Fact<Failure>,
    /// A deny at `tool.call` after the tool has run.
    pub deny_after_next: Fact<DenyAfterNext>,
    /// A refusal elsewhere that comes too late.
    pub late_refusal: Fact<LateRefusal>,
    /// A run left pending.
    pub pending: Fact<Pending>,
    /// Where results are checked.
    pub results: Fact<Results>,
    /// `isError` of a result that a mod put in place; absent: it is taken.
    pub error_flag: Option<Fact<ErrorFlag>>,
    /// An event nobody knows.
    pub unknown_event: Fact<UnknownEvent>,
    /// Whether `next.to` exists.
    pub next_to: Fact<bool>,
    /// The tiers, outermost first.
    pub tiers: Fact<Vec<String>>,
    /// Time limits.
    pub budgets: Budgets,
    /// What is drawn.
    pub ui: Ui,
    events: Events,
    members: Members,
}

/// Why a host spec names no profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// No host of that name.
    #[error("no host is called {name:?}; known are {known}")]
    Name {
        /// The name.
        name: String,
        /// The known ones.
        known: String,
    },
    /// The host is known, the version is not.
    #[error("no profile of {name} is of version {version:?}; there are {known}")]
    Version {
        /// The host.
        name: String,
        /// The version.
        version: String,
        /// Its known versions.
        known: String,
    },
}

static HOSTS: LazyLock<Vec<HostProfile>> = LazyLock::new(|| read::all().unwrap_or_default());

/// All profiles, by name, older versions of a host first.
pub fn hosts() -> &'static [HostProfile] {
    &HOSTS
}

/// The profile of a spec: `claude-code@2.1.287`, or `claude-code` for the newest version.
///
/// # Errors
/// A name or version that has no profile.
pub fn host(spec: &str) -> Result<&'static HostProfile, HostError> {
    let (name, version) = spec.split_once('@').map_or((spec, None), |(name, version)| (name, Some(version)));
    let of_name: Vec<_> = HOSTS.iter().filter(|host| host.name == name).collect();
    let Some(newest) = of_name.last() else {
        let mut known: Vec<_> = HOSTS.iter().map(|host| host.name.as_str()).collect();
        known.dedup();
        return Err(HostError::Name { name: name.into(), known: known.join(", ") });
    };
    let Some(version) = version else { return Ok(newest) };
    of_name.iter().find(|host| host.version == version).copied().ok_or_else(|| HostError::Version {
        name: name.into(),
        version: version.into(),
        known: of_name.iter().map(|host| host.version.as_str()).collect::<Vec<_>>().join(", "),
    })
}

fn listed(names: &[String], name: &str) -> bool {
    names.iter().any(|listed| match listed.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => listed == name,
    })
}

impl HostProfile {
    /// `claude-code@2.1.332`.
    pub fn spec(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }

    /// Whether a grant can turn a refused rewrite or repetition into a recorded one.
    pub fn corrects(&self) -> bool {
        self.corrections.as_ref().is_some_and(|fact| fact.is)
    }

    /// What it does with an event. Calls on `$` are raised where the member is served.
    pub fn event(&self, name: &str) -> EventStatus {
        let Some(event) = event::event(name) else { return EventStatus::Unknown };
        if !self.knows(event.since) || listed(&self.events.unknown, name) {
            return EventStatus::Unknown;
        }
        let raised = if event.class == event::EventClass::Op {
            self.serves_call(name, event.since)
        } else {
            listed(&self.events.raised, name)
        };
        if raised { EventStatus::Raised } else { EventStatus::Registered }
    }

    /// How the list of events is known.
    pub fn events_source(&self) -> (Source, &str) {
        (self.events.source, &self.events.how)
    }

    /// All events in one status, in order of their names.
    pub fn events_that_are(&self, status: EventStatus) -> impl Iterator<Item = &'static Event> {
        event::events().iter().filter(move |event| self.event(event.name) == status)
    }

    /// Whether it serves a member of `$`.
    pub fn serves(&self, member: &Member) -> bool {
        self.serves_call(member.call, member.since)
    }

    fn serves_call(&self, call: &str, since: &str) -> bool {
        self.knows(since) && listed(&self.members.served, call) && !listed(&self.members.refused, call)
    }

    /// How the list of members is known.
    pub fn members_source(&self) -> (Source, &str) {
        (self.members.source, &self.members.how)
    }

    /// Whether it draws a component: `AbovePrompt`, `Pane`, ...
    pub fn draws(&self, component: &str) -> bool {
        listed(&self.ui.components, component)
    }

    /// Whether its trees may hold an element: `Box`, `Button`, ...
    pub fn has_element(&self, element: &str) -> bool {
        listed(&self.ui.elements, element)
    }

    /// The versions of the catalog are those of Claude Code; other hosts say by name what they have.
    fn knows(&self, since: &str) -> bool {
        self.name != "claude-code" || compare_versions(since, &self.version).is_le()
    }
}

/// Compares versions by their numbers: 2.1.99 is older than 2.1.287.
pub fn compare_versions(a: &str, b: &str) -> std::cmp::Ordering {
    let parts = |version: &str| -> Vec<u64> {
        version.split(['.', '-']).map(|part| part.parse().unwrap_or_default()).collect()
    };
    parts(a).cmp(&parts(b))
}

#[cfg(test)]
mod tests;
