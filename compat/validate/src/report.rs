//! What comes out: verdict, diagnostics and facts, as plain data without any output format.

use crate::HostSpec;
use std::sync::Arc;

/// Everything the validator found out about one mod. Every list is in a fixed order; nothing depends on hashing.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// `name` of the manifest, where it is a text (also when the name itself is refused).
    pub name: Option<String>,
    /// `version` of the manifest, where it is a text.
    pub version: Option<String>,
    /// Would the host load it?
    pub verdict: Verdict,
    /// Findings, sorted by file, position, code. Findings about a whole file come before those with a position.
    pub diagnostics: Vec<Diagnostic>,
    /// The hooks module: path relative to the mod's folder. `None` when no `hooks.json` names one.
    pub module: Option<String>,
    /// What the hooks module does and can reach; `None` when there is no module or it is refused before that can be
    /// known.
    pub facts: Option<Facts>,
    /// What the rest of the folder brings along: options and settings hooks.
    pub setup: Setup,
    /// The texts that were read, sorted by path, for source excerpts.
    pub sources: Vec<Source>,
}

/// Would the host load the mod?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It loads.
    Accept,
    /// It does not, or (`strict`) a warning counts as a refusal.
    Refuse,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path relative to the mod's folder, `/` between segments.
    pub path: String,
    /// Its text, exactly as read; spans count from its start.
    pub text: Arc<str>,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The host refuses the mod.
    Error,
    /// It loads, but will surprise its user.
    Warning,
    /// Worth knowing.
    Note,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's code: words with hyphens, stable over versions. `rules::rule(code)` has its page.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, one sentence without a full stop.
    pub message: String,
    /// How to write it instead.
    pub help: Option<String>,
    /// Path relative to the mod's folder.
    pub file: String,
    /// The offending token; `None` when the finding is about the file as a whole (it may not even exist).
    pub span: Option<Span>,
    /// Other places that explain it.
    pub labels: Vec<Label>,
    /// The hosts it is about; empty means every host that was asked for.
    pub hosts: Vec<HostSpec>,
    /// Only an install is refused for it: a host that loads the mod, or runs its tests, does not look.
    pub is_install_only: bool,
}

/// A place that helps to understand a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub at: Location,
    /// What to see there.
    pub message: String,
}

/// A place in a file of the mod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Path relative to the mod's folder.
    pub file: String,
    /// Where in it.
    pub span: Span,
}

/// Part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// First byte, counted from the start of the file (a byte order mark counts).
    pub start: u32,
    /// First byte behind it; never in the middle of a character.
    pub end: u32,
    /// Line of `start`, from 1. Lines end at `\n`, `\r\n` or `\r`, as editors count.
    pub line: u32,
    /// Column of `start`, from 1, in UTF-16 code units: what JavaScript stack traces, editors and SARIF count. A byte
    /// order mark takes no column.
    pub column: u32,
    /// Line of `end`.
    pub end_line: u32,
    /// Column of `end` (the first column behind the span).
    pub end_column: u32,
}

/// A name the source spells, and where it does so first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The event, method, variable, host, command, path or tier.
    pub name: String,
    /// Its first place.
    pub at: Location,
}

/// What a hooks module does and can reach. Only of a module that passed the scan.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Events hooked and `$` members used.
    pub uses: Uses,
    /// Hooks in the order of their registration.
    pub hooks: Vec<HookFact>,
    /// Tiers named by `next.to`, outermost first, unique.
    pub next_to: Vec<Named>,
    /// Nouns an `engine.create` hook changes; `None` when that is not readable off the source.
    pub nouns: Option<Nouns>,
    /// Telemetry streams hooks stand on, sorted.
    pub telemetry: Vec<Named>,
    /// Modules of `Client` elements, relative to the mod's folder.
    pub clients: Vec<Named>,
    /// Places that change the cached start of the prompt from one request to the next.
    pub breaks_prompt_cache: Vec<Named>,
}

/// What a module reads, calls and changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Event patterns as written, in order of registration, unique.
    pub events: Vec<Named>,
    /// `noun.method`, sorted, unique.
    pub calls: Vec<Call>,
    /// Environment variables.
    pub env: Access<Named>,
    /// State values.
    pub state: Access<StateKey>,
    /// Hosts of `$.http.fetch`.
    pub hosts: Reach,
    /// First words of commands run with `$.process`.
    pub commands: Reach,
    /// Paths given to `$.fs`.
    pub files: Reach,
}

/// A `$` call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// `noun.method`.
    pub name: String,
    /// Functions `$` was handed to on the way to it (those that make this call themselves), sorted, unique; empty when
    /// hooks make it directly.
    pub via: Vec<String>,
    /// Its first place.
    pub at: Location,
}

/// Read and written, each sorted and unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access<T> {
    /// What is read.
    pub reads: Vec<T>,
    /// What is written.
    pub writes: Vec<T>,
}

impl<T> Default for Access<T> {
    fn default() -> Access<T> {
        Access { reads: Vec::new(), writes: Vec::new() }
    }
}

/// Address of a state value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateKey {
    /// The mod that owns it.
    pub plugin: String,
    /// Its key.
    pub key: String,
    /// First place.
    pub at: Location,
}

/// What a capability is used on: what the source names, and where it is not readable off the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Names that can be read off the source, sorted, unique.
    pub named: Vec<Named>,
    /// Calls (`noun.method`) that use one computed at run time, sorted, unique.
    pub unread: Vec<Named>,
}

/// One registered hook.
#[derive(Clone, Debug, PartialEq)]
pub struct HookFact {
    /// The event pattern, as written.
    pub pattern: String,
    /// What it matches; `None` when that is not readable off the source. Without a matcher: an empty `Has`.
    pub matcher: Option<Matcher>,
    /// Matcher keys the host fills in by itself.
    pub default_keys: Vec<String>,
    /// Can an answer to this event stop something? This is a property of the event, not of the hook.
    pub is_gate: bool,
    /// Is there a `.catch` handler?
    pub has_catch: bool,
    /// Does any path of this hook (or its `.catch`) answer with a refusal? False for a gate that never denies.
    pub can_deny: bool,
    /// The pattern's place.
    pub at: Location,
}

/// What a matcher accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum Matcher {
    /// Exactly this value.
    Is(Literal),
    /// One of these.
    AnyOf(Vec<Matcher>),
    /// An object with these fields (in the order of the source), perhaps more.
    Has(Vec<(String, Matcher)>),
    /// A text in which this expression finds something.
    Regex {
        /// The expression between the slashes.
        source: String,
        /// The letters behind them.
        flags: String,
    },
    /// A part that is not readable off the source.
    Unread,
}

/// A scalar in a matcher.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text.
    String(String),
}

/// What an `engine.create` hook does to the nouns of `$`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nouns {
    /// Added.
    pub adds: Vec<Named>,
    /// Added only where the noun is not there yet.
    pub adds_unless_there: Vec<Named>,
    /// Left out of the answer.
    pub withholds: Vec<Named>,
    /// Put in the place of one that exists.
    pub replaces: Vec<Named>,
}

/// What the folder brings along besides the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setup {
    /// `userConfig` of the manifest, in its order.
    pub options: Vec<OptionFact>,
    /// Settings hooks beside the module, in their order.
    pub classic_hooks: Vec<ClassicHook>,
}

/// One option a person can set.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionFact {
    /// Its key.
    pub name: String,
    /// `string`, `number`, `boolean`, `directory`, `file`...
    pub kind: String,
    /// Must it be set?
    pub required: bool,
    /// Is it kept in secure storage?
    pub sensitive: bool,
    /// Its place in the manifest.
    pub at: Location,
}

/// A settings hook, which runs as the person with no `$` in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassicHook {
    /// Its event.
    pub event: String,
    /// Its matcher, where there is one.
    pub matcher: Option<String>,
    /// `command`, `prompt`, `http`...
    pub kind: String,
    /// The command, prompt or address.
    pub does: String,
    /// Its place.
    pub at: Location,
}
