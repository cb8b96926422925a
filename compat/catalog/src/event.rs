//! Every event a mod can hook.

use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;

use crate::nearest;
use crate::shape::{self, Field, Shape, Types};

/// Who raises an event, and what its answers look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum EventClass {
    /// The engine; the answer has a shape of the event's own.
    #[default]
    Engine,
    /// A call of a mod on `$`; the answer is `{ value }` or `{ deny }`.
    Op,
    /// A settings hook (`classic.*`).
    Classic,
    /// A call on a noun that a mod provides; answered like a call on `$`.
    Noun,
}

/// How a hook answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// With a value or a promise of one.
    Async,
    /// As an async generator.
    Generator,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: &'static str,
    #[serde(default)]
    class: EventClass,
    #[serde(default = "oldest")]
    since: &'static str,
    key: Option<&'static str>,
    #[serde(default)]
    gate: bool,
    #[serde(default)]
    generator: bool,
    #[serde(default)]
    owner: bool,
    budget_ms: Option<u64>,
    input: &'static str,
    answer: Option<&'static str>,
    #[serde(default)]
    before_next: Vec<&'static str>,
    note: Option<&'static str>,
}

fn oldest() -> &'static str {
    OLDEST
}

/// The oldest host version the catalog knows; what has no later version was there.
pub const OLDEST: &str = "2.1.277";

/// One event.
#[derive(Debug)]
pub struct Event {
    /// `tool.call`, `fs.read`, `classic.Stop`, ...
    pub name: &'static str,
    /// What stands before the first dot.
    pub group: &'static str,
    /// Who raises it.
    pub class: EventClass,
    /// How a hook answers it.
    pub kind: EventKind,
    /// The field of its input that says what it is about, where there is one.
    pub primary_key: Option<&'static str>,
    /// Whether an answer can refuse what the event is about.
    pub gate: bool,
    /// Whether only hooks that name the drawing plugin in their matcher see other plugins' events.
    pub owner_only: bool,
    /// A hook's own time where it is not the usual 10 s, in milliseconds.
    pub budget_ms: Option<u64>,
    /// The first version of Claude Code known to have it.
    pub since: &'static str,
    /// What it is, in a sentence.
    pub note: Option<&'static str>,
    /// Fields of an answer that count only while `next` has not been called.
    pub before_next: Vec<&'static str>,
    /// The input, in the shape language.
    pub input_text: &'static str,
    /// The answer, in the shape language.
    pub answer_text: &'static str,
    input: OnceLock<Vec<Field>>,
    answer: OnceLock<Shape>,
}

/// What a hook on a call answers.
const OP_ANSWER: &str = "{ value: present, deny: never } | { deny: string, value: absent }";

impl Event {
    fn new(row: Row) -> Event {
        let name = row.name;
        Event {
            name,
            group: name.split_once('.').map_or(name, |(group, _)| group),
            class: row.class,
            kind: if row.generator { EventKind::Generator } else { EventKind::Async },
            primary_key: row.key,
            gate: row.gate,
            owner_only: row.owner,
            budget_ms: row.budget_ms,
            since: row.since,
            note: row.note,
            before_next: row.before_next,
            input_text: row.input,
            answer_text: row.answer.unwrap_or(OP_ANSWER),
            input: OnceLock::new(),
            answer: OnceLock::new(),
        }
    }

    /// The fields of its input. A name in brackets (`[argument]`) stands for any further field.
    pub fn fields(&self) -> &[Field] {
        // The tests read every text, so an unreadable one never ships; no fields would only mean nothing is checked.
        self.input.get_or_init(|| shape::parse_fields(self.input_text, types()).unwrap_or_default())
    }

    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields().iter().find(|field| field.name == name)
    }

    /// Whether an input may hold a field of that name: it is known, or the event takes further ones.
    pub fn has_field(&self, name: &str) -> bool {
        self.fields().iter().any(|field| field.is_rest() || field.name == name)
    }

    /// What an answer looks like.
    pub fn answer(&self) -> &Shape {
        self.answer.get_or_init(|| shape::parse(self.answer_text, types()).unwrap_or(Shape::Any))
    }

    /// Whether it answers `{ value }` or `{ deny }`.
    pub fn is_call(&self) -> bool {
        matches!(self.class, EventClass::Op | EventClass::Noun)
    }
}

const SOURCES: [(&str, &str); 4] = [
    ("engine", include_str!("../data/events/engine.json")),
    ("classic", include_str!("../data/events/classic.json")),
    ("ops", include_str!("../data/events/ops.json")),
    ("nouns", include_str!("../data/events/nouns.json")),
];

pub(crate) fn types() -> &'static Types {
    static TYPES: LazyLock<Types> = LazyLock::new(|| read_types().unwrap_or_default());
    &TYPES
}

fn read_types() -> serde_json::Result<Types> {
    serde_json::from_str(include_str!("../data/types.json"))
}

fn read(source: &'static str) -> serde_json::Result<Vec<Event>> {
    serde_json::from_str::<Vec<Row>>(source).map(|rows| rows.into_iter().map(Event::new).collect())
}

static EVENTS: LazyLock<Vec<Event>> = LazyLock::new(|| {
    let mut events: Vec<Event> = SOURCES.iter().flat_map(|(_, source)| read(source).unwrap_or_default()).collect();
    events.sort_unstable_by_key(|event| event.name);
    events
});

/// All events, sorted by name.
pub fn events() -> &'static [Event] {
    &EVENTS
}

/// The event of that name. Nouns that mods provide are not in the catalog.
pub fn event(name: &str) -> Option<&'static Event> {
    EVENTS.binary_search_by_key(&name, |event| event.name).ok().map(|at| &EVENTS[at])
}

/// What holds for the calls of every noun that a mod adds: any input, answered `{ value }` or `{ deny }`. Their names
/// are not in the catalog; this event stands for all of them.
pub fn noun_event() -> &'static Event {
    static NOUN: LazyLock<Event> = LazyLock::new(|| {
        Event::new(Row {
            name: "<noun>.<method>",
            class: EventClass::Noun,
            since: oldest(),
            key: None,
            gate: true,
            generator: false,
            owner: false,
            budget_ms: None,
            input: "{ [field]?: any }",
            answer: None,
            before_next: Vec::new(),
            note: Some("A call on a noun that a mod added."),
        })
    });
    &NOUN
}

/// What stands before the dot in the names of events, sorted, each once.
pub fn event_namespaces() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let mut names: Vec<_> = EVENTS.iter().map(|event| event.group).collect();
        names.dedup();
        names
    });
    &NAMES
}

/// The event whose name is most like this one, where one is near enough to be meant.
pub fn nearest_event(name: &str) -> Option<&'static str> {
    nearest(name, EVENTS.iter().map(|event| event.name))
}

#[cfg(test)]
mod tests;
