//! What one version of a mod can do that another cannot: a comparison of facts, without any output.

mod covers;

use modgate_validate::Report;
use modgate_validate::report::{Call, ClassicHook, Facts, Location, Named, Nouns, OptionFact, Reach, StateKey};

use crate::render::facts::{hook, refuses};

/// What the versions do not have in common.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Difference {
    /// What only the new version can do, with places in the new version.
    pub(crate) more: Vec<Change>,
    /// What only the old version could do, with places in the old version.
    pub(crate) less: Vec<Change>,
}

/// One thing that one of the versions can do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    /// What kind of thing.
    pub(crate) kind: Kind,
    /// Its name, as the source spells it.
    pub(crate) name: String,
    /// Where it stands first.
    pub(crate) at: Location,
}

/// Kinds of things a mod can do, in the order they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Hooks an event.
    Event,
    /// Can refuse what an event is about.
    Refuses,
    /// Calls a member of `$`.
    Call,
    /// Reads an environment variable.
    EnvRead,
    /// Sets one.
    EnvWrite,
    /// Reads a state value.
    StateRead,
    /// Writes one.
    StateWrite,
    /// Sends requests to a host.
    Host,
    /// Runs a command.
    Command,
    /// Uses a file.
    File,
    /// Skips to a tier.
    NextTo,
    /// Adds a noun to `$`.
    NounAdded,
    /// Takes one away.
    NounWithheld,
    /// Replaces one.
    NounReplaced,
    /// Hooks a telemetry stream.
    Telemetry,
    /// Draws with a module of its own on a surface.
    Client,
    /// Changes the cached start of the prompt.
    PromptCache,
    /// Asks a person for a value.
    Option,
    /// Runs a settings hook.
    SettingsHook,
}

impl Kind {
    /// Its name in JSON: stable.
    pub(crate) fn key(self) -> &'static str {
        self.words().0
    }

    /// What a version that can do it does: put the name behind it.
    pub(crate) fn verb(self) -> &'static str {
        self.words().1
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Kind::Event => ("event", "hooks"),
            Kind::Refuses => ("refuses", "can refuse"),
            Kind::Call => ("call", "calls"),
            Kind::EnvRead => ("envRead", "reads the variable"),
            Kind::EnvWrite => ("envWrite", "sets the variable"),
            Kind::StateRead => ("stateRead", "reads the state"),
            Kind::StateWrite => ("stateWrite", "writes the state"),
            Kind::Host => ("host", "sends requests to"),
            Kind::Command => ("command", "runs"),
            Kind::File => ("file", "uses the file"),
            Kind::NextTo => ("nextTo", "skips to the tier"),
            Kind::NounAdded => ("nounAdded", "adds to $ the noun"),
            Kind::NounWithheld => ("nounWithheld", "withholds from $ the noun"),
            Kind::NounReplaced => ("nounReplaced", "replaces on $ the noun"),
            Kind::Telemetry => ("telemetry", "hooks the telemetry stream"),
            Kind::Client => ("client", "draws with the module"),
            Kind::PromptCache => ("promptCache", "changes the cached prompt with"),
            Kind::Option => ("option", "asks for the option"),
            Kind::SettingsHook => ("settingsHook", "runs a settings hook on"),
        }
    }
}

/// Compares two versions. A version without a module does nothing in hooks; the caller makes sure that facts are
/// there otherwise.
pub(crate) fn compare(old: &Report, new: &Report) -> Difference {
    Difference { more: beyond(old, new), less: beyond(new, old) }
}

/// What `new` can do and `old` cannot.
fn beyond(old: &Report, new: &Report) -> Vec<Change> {
    let mut changes = Changes(Vec::new());
    if let Some(facts) = &new.facts {
        changes.facts(old.facts.as_ref(), facts);
    }
    changes.add(
        Kind::Option,
        &new.setup.options,
        |option| !old.setup.options.iter().any(|known| asks(known, option)),
        |option| (option.name.clone(), &option.at),
    );
    let runs = |known: &ClassicHook, hook: &ClassicHook| {
        (&known.event, &known.kind, &known.does) == (&hook.event, &hook.kind, &hook.does)
            && (known.matcher.is_none() || known.matcher == hook.matcher)
    };
    changes.add(
        Kind::SettingsHook,
        &new.setup.classic_hooks,
        |hook| !old.setup.classic_hooks.iter().any(|known| runs(known, hook)),
        |hook| {
            let matcher = hook.matcher.as_deref().map(|matcher| format!(" {matcher}")).unwrap_or_default();
            (format!("{}{matcher}: {} `{}`", hook.event, hook.kind, hook.does), &hook.at)
        },
    );
    changes.0
}

/// Does a person who was asked for `known` give no more when asked for `option`?
fn asks(known: &OptionFact, option: &OptionFact) -> bool {
    (&known.name, &known.kind) == (&option.name, &option.kind)
        && known.required >= option.required
        && known.sensitive >= option.sensitive
}

struct Changes(Vec<Change>);

impl Changes {
    fn add<T>(
        &mut self,
        kind: Kind,
        items: &[T],
        is_new: impl Fn(&T) -> bool,
        shown: impl Fn(&T) -> (String, &Location),
    ) {
        for item in items.iter().filter(|item| is_new(item)) {
            let (name, at) = shown(item);
            let change = Change { kind, name, at: at.clone() };
            // Two hooks can look the same and differ in what the source does not show.
            if !self.0.iter().any(|known| (known.kind, &known.name) == (change.kind, &change.name)) {
                self.0.push(change);
            }
        }
    }

    fn facts(&mut self, old: Option<&Facts>, new: &Facts) {
        let hooks = old.map(|old| old.hooks.as_slice()).unwrap_or_default();
        self.add(Kind::Event, &new.hooks, |found| !covers::hook(hooks, found), |found| (hook(found), &found.at));
        let (refusing, refused): (Vec<_>, Vec<_>) = (
            hooks.iter().filter(|found| refuses(found)).cloned().collect(),
            new.hooks.iter().filter(|found| refuses(found)).cloned().collect(),
        );
        self.add(Kind::Refuses, &refused, |found| !covers::hook(&refusing, found), |found| (hook(found), &found.at));
        let calls: &[Call] = old.map(|old| old.uses.calls.as_slice()).unwrap_or_default();
        self.add(
            Kind::Call,
            &new.uses.calls,
            |call| !calls.iter().any(|known| known.name == call.name),
            |call| (format!("$.{}", call.name), &call.at),
        );
        self.named(Kind::EnvRead, old.map(|old| &old.uses.env.reads), &new.uses.env.reads);
        self.named(Kind::EnvWrite, old.map(|old| &old.uses.env.writes), &new.uses.env.writes);
        self.state(Kind::StateRead, old.map(|old| &old.uses.state.reads), &new.uses.state.reads);
        self.state(Kind::StateWrite, old.map(|old| &old.uses.state.writes), &new.uses.state.writes);
        self.reach(Kind::Host, "http.", old.map(|old| &old.uses.hosts), &new.uses.hosts, &new.uses.calls);
        self.reach(Kind::Command, "process.", old.map(|old| &old.uses.commands), &new.uses.commands, &new.uses.calls);
        self.reach(Kind::File, "fs.", old.map(|old| &old.uses.files), &new.uses.files, &new.uses.calls);
        self.named(Kind::NextTo, old.map(|old| &old.next_to), &new.next_to);
        self.nouns(old, new);
        self.named(Kind::Telemetry, old.map(|old| &old.telemetry), &new.telemetry);
        self.named(Kind::Client, old.map(|old| &old.clients), &new.clients);
        self.named(Kind::PromptCache, old.map(|old| &old.breaks_prompt_cache), &new.breaks_prompt_cache);
    }

    /// A version whose changes to `$` cannot be read off its source could make any.
    fn nouns(&mut self, old: Option<&Facts>, new: &Facts) {
        let none = Nouns::default();
        let old = match old.map(|old| old.nouns.as_ref()) {
            Some(None) => return,
            Some(Some(old)) => old,
            None => &none,
        };
        let Some(nouns) = &new.nouns else {
            let makers: Vec<_> = new.hooks.iter().filter(|hook| hook.pattern == "engine.create").collect();
            return self.add(
                Kind::NounReplaced,
                &makers,
                |_| true,
                |hook| ("anything (computed)".to_owned(), &hook.at),
            );
        };
        self.named(Kind::NounAdded, Some(&old.adds), &nouns.adds);
        self.named(Kind::NounAdded, Some(&old.adds_unless_there), &nouns.adds_unless_there);
        self.named(Kind::NounWithheld, Some(&old.withholds), &nouns.withholds);
        self.named(Kind::NounReplaced, Some(&old.replaces), &nouns.replaces);
    }

    fn named(&mut self, kind: Kind, old: Option<&Vec<Named>>, new: &[Named]) {
        let old = old.map(Vec::as_slice).unwrap_or_default();
        self.add(
            kind,
            new,
            |named| !old.iter().any(|known| known.name == named.name),
            |named| (named.name.clone(), &named.at),
        );
    }

    fn state(&mut self, kind: Kind, old: Option<&Vec<StateKey>>, new: &[StateKey]) {
        let old = old.map(Vec::as_slice).unwrap_or_default();
        let is_new = |key: &StateKey| !old.iter().any(|known| (&known.plugin, &known.key) == (&key.plugin, &key.key));
        self.add(kind, new, is_new, |key| (format!("{}.{}", key.plugin, key.key), &key.at));
    }

    fn reach(&mut self, kind: Kind, namespace: &str, old: Option<&Reach>, new: &Reach, calls: &[Call]) {
        let none = Reach::default();
        let old = old.unwrap_or(&none);
        let computed = |name: &str| old.unread.iter().any(|known| known.name == name);
        // A call that took computed names could be given any; the named ones add nothing then. Which call a name was
        // given to is not known, so all calls of the namespace must have been open before.
        let open = calls.iter().filter(|call| call.name.starts_with(namespace)).all(|call| computed(&call.name));
        self.add(
            kind,
            &new.named,
            |named| !open && !old.named.iter().any(|known| known.name == named.name),
            |named| (named.name.clone(), &named.at),
        );
        self.add(
            kind,
            &new.unread,
            |call| !computed(&call.name),
            |call| (format!("anything (computed by $.{})", call.name), &call.at),
        );
    }
}

#[cfg(test)]
mod tests;
