//! One event on its way down and up.

use std::sync::Arc;
use std::time::Instant;

use modgate_catalog::EventKind;
use modgate_engine::{Boxed, Fault, Source};
use modgate_value::Value;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use super::corrected::Corrected;
use super::link::Link;
use super::{Core, Gate, Path, Raised, Seat};
use crate::mods::{Mods, Origin};
use crate::plugin::{Hook, Plugin, Tier};

/// Where a part stands in the chain: a mod's seat, past the last one for the host, and in a stream the hook, counted
/// from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) seat: usize,
    hook: u32,
}

impl Place {
    pub(super) fn seat(seat: usize) -> Place {
        Place { seat, hook: 0 }
    }

    pub(super) fn hook(seat: usize, index: u32) -> Place {
        Place { seat, hook: index.saturating_add(1) }
    }

    /// The registration, where hooks stand alone.
    fn index(self) -> Option<u32> {
        self.hook.checked_sub(1)
    }
}

/// How one mod's part ended, or the host's own.
#[derive(Clone)]
pub(super) struct Ended {
    pub(super) at: Place,
    pub(super) outcome: &'static str,
    pub(super) ms: f64,
    pub(super) received: Value,
    pub(super) returned: Option<Value>,
    /// Why it was passed by.
    pub(super) reason: Option<String>,
}

/// One dispatch.
pub(crate) struct Dispatch {
    pub(super) mods: Arc<Mods>,
    pub(super) event: Arc<str>,
    pub(super) facts: Option<&'static modgate_catalog::Event>,
    pub(super) origin: Origin,
    pub(super) path: Path,
    pub(super) core: Arc<dyn Core>,
    pub(super) cancel: CancellationToken,
    seats: Arc<[Seat]>,
    /// Tiers that are left out: by a `next.to` above, or because of who calls.
    skipped: Vec<Tier>,
    /// What `next.trace` shows: how each mod ended, in the order in which they did.
    pub(super) trace: Arc<Mutex<Vec<Ended>>>,
    /// The mod whose refusal stands.
    pub(super) decided: Arc<Mutex<Option<String>>>,
    /// Corrections of a committed call on their way down.
    pub(super) corrected: Arc<Corrected>,
    /// Mods that may not loosen what is decided beneath them: they changed the call that it is about.
    pub(super) bound: Arc<[String]>,
}

/// What lies beneath a gate.
#[derive(Clone)]
pub struct Rest {
    dispatch: Arc<Dispatch>,
    at: usize,
}

impl Rest {
    /// Goes on with that input.
    pub fn run(self, input: Value) -> Boxed<'static, Result<Value, Fault>> {
        self.dispatch.run(self.at, input)
    }

    /// The same where the mods above are not shown what ran: to them it is the host's own doing, see [`Rest::did`].
    pub fn apart(self) -> Rest {
        Rest { dispatch: self.dispatch.anew(self.dispatch.skipped.clone(), Arc::default()), at: self.at }
    }

    /// Shows the mods above that the host was given `received` and how that ended.
    pub fn did(&self, begun: Instant, received: Value, answer: &Result<Value, Fault>) {
        self.dispatch.hosts_part(Place::seat(self.at.saturating_sub(1)), begun, received, answer);
    }

    /// The mods of the session.
    pub fn mods(&self) -> &Arc<Mods> {
        &self.dispatch.mods
    }
}

impl Dispatch {
    /// A managed mod's calls, and what other mods call because of them, do not pass what persons installed. A table of
    /// elements is made for a mod; that is no call of its.
    pub(crate) fn new(mods: &Arc<Mods>, event: &str, origin: Origin, path: Path, core: Arc<dyn Core>) -> Arc<Dispatch> {
        let is_managed = (origin.tier.is_managed() && event != "ui.resolve") || path.is_managed();
        Arc::new(Dispatch {
            mods: mods.clone(),
            event: Arc::from(event),
            facts: modgate_catalog::event(event),
            origin,
            path,
            core,
            cancel: mods.cancel.child_token(),
            seats: mods.seats(),
            skipped: is_managed.then_some(Tier::User).into_iter().collect(),
            trace: Arc::default(),
            decided: Arc::default(),
            corrected: Arc::default(),
            bound: Arc::from([]),
        })
    }

    /// With mods that may not loosen what is decided beneath them. For a dispatch that nobody shares yet.
    pub(crate) fn binding(mut self: Arc<Self>, bound: Arc<[String]>) -> Arc<Dispatch> {
        if let Some(own) = Arc::get_mut(&mut self) {
            own.bound = bound;
        }
        self
    }

    /// Through those mods alone. For a dispatch that nobody shares yet.
    pub(crate) fn among(mut self: Arc<Self>, names: &[String]) -> Arc<Dispatch> {
        if let Some(own) = Arc::get_mut(&mut self) {
            let is_one =
                |seat: &&Seat| seat.plugin().is_some_and(|plugin| names.iter().any(|name| name == plugin.name()));
            own.seats = own.seats.iter().filter(is_one).cloned().collect();
        }
        self
    }

    /// Through all but that mod. For a dispatch that nobody shares yet.
    pub(crate) fn without(mut self: Arc<Self>, name: &str) -> Arc<Dispatch> {
        if let Some(own) = Arc::get_mut(&mut self) {
            let is_other = |seat: &&Seat| seat.plugin().is_none_or(|plugin| plugin.name() != name);
            own.seats = own.seats.iter().filter(is_other).cloned().collect();
        }
        self
    }

    /// What mods with a grant did to the committed call.
    pub(crate) fn corrected(&self) -> &Arc<Corrected> {
        &self.corrected
    }

    /// The same dispatch from a `next.to` on: what stands between the two tiers is left out, and to the next tier or to
    /// the core also what is left of the own one.
    pub(super) fn skipping(&self, from: Tier, to: Tier) -> Arc<Dispatch> {
        let all = [Tier::Prepend, Tier::User, Tier::Append, Tier::Builtin];
        let is_next = !all.iter().any(|tier| *tier > from && *tier < to);
        let leaves_own = is_next || to == Tier::Core;
        let skipped = all.into_iter().filter(|tier| (*tier > from && *tier < to) || (*tier == from && leaves_own));
        self.anew(self.skipped.iter().copied().chain(skipped).collect(), self.trace.clone())
    }

    fn anew(&self, skipped: Vec<Tier>, trace: Arc<Mutex<Vec<Ended>>>) -> Arc<Dispatch> {
        Arc::new(Dispatch {
            mods: self.mods.clone(),
            event: self.event.clone(),
            facts: self.facts,
            origin: self.origin.clone(),
            path: self.path.clone(),
            core: self.core.clone(),
            cancel: self.cancel.clone(),
            seats: self.seats.clone(),
            skipped,
            trace,
            decided: self.decided.clone(),
            corrected: self.corrected.clone(),
            bound: self.bound.clone(),
        })
    }

    /// Which mod's refusal stands, once the dispatch has ended.
    pub(crate) fn decided(&self) -> Option<String> {
        self.decided.lock().clone()
    }

    pub(super) fn raised(&self, input: Value) -> Raised {
        Raised {
            event: self.event.clone(),
            input,
            origin: self.origin.clone(),
            path: self.path.clone(),
            cancel: self.cancel.clone(),
        }
    }

    /// Goes on at that seat. Boxed, since a mod's `next` comes back here.
    pub(crate) fn run(self: &Arc<Self>, from: usize, input: Value) -> Boxed<'static, Result<Value, Fault>> {
        let dispatch = self.clone();
        Box::pin(async move {
            match dispatch.next_seat(from, &input) {
                Next::Core => dispatch.through_core(input).await,
                Next::Gate(at, gate) => {
                    let rest = Rest { dispatch: dispatch.clone(), at: at + 1 };
                    gate.pass(dispatch.raised(input), rest).await
                }
                Next::Mod(at, plugin, hooks) => dispatch.through(at, plugin, hooks, input).await,
            }
        })
    }

    pub(super) fn next_seat(&self, from: usize, input: &Value) -> Next {
        if self.mods.policy.silent.contains(&*self.event) {
            return Next::Core;
        }
        for (at, seat) in self.seats.iter().enumerate().skip(from) {
            if self.skipped.contains(&seat.tier()) {
                continue;
            }
            match seat {
                Seat::Gate(_, gate) if gate.concerns(&self.event) => return Next::Gate(at, gate.clone()),
                Seat::Gate(..) => {}
                Seat::Mod(plugin) => {
                    let hooks = self.hooks_of(plugin, input);
                    if hooks.iter().any(|hook| hook.matches(self.facts, input)) {
                        return Next::Mod(at, plugin.clone(), hooks);
                    }
                }
            }
        }
        Next::Core
    }

    /// The hooks of a mod that may take part, whether or not their matcher fits.
    fn hooks_of(&self, plugin: &Plugin, input: &Value) -> Vec<Arc<Hook>> {
        let hooks = plugin.hooks_on(&self.event);
        hooks
            .iter()
            .filter(|hook| self.path.is_empty() || !self.path.has(plugin.name(), hook.index))
            .filter(|hook| self.is_visible(plugin, hook, input))
            .cloned()
            .collect()
    }

    /// What one mod drew is shown to another only where its hook asks for it, and what a surface module says never.
    fn is_visible(&self, plugin: &Plugin, hook: &Hook, input: &Value) -> bool {
        if !self.facts.is_some_and(|event| event.owner_only) {
            return true;
        }
        if let Some(owner) = self.core.owner() {
            return owner == plugin.name();
        }
        input.str_at("plugin").is_none_or(|owner| owner == plugin.name() || hook.hears_of(owner))
    }

    async fn through_core(&self, input: Value) -> Result<Value, Fault> {
        let begun = Instant::now();
        let answer = self.core.clone().answer(self.raised(input.clone())).await;
        self.hosts_part(Place::seat(usize::MAX), begun, input, &answer);
        answer
    }

    fn hosts_part(&self, at: Place, begun: Instant, received: Value, answer: &Result<Value, Fault>) {
        let outcome = if answer.is_ok() { "returned" } else { "rejected" };
        self.ended(at, outcome, begun, received, answer.as_ref().ok().cloned());
    }

    async fn through(
        self: Arc<Self>,
        at: usize,
        plugin: Arc<Plugin>,
        hooks: Vec<Arc<Hook>>,
        input: Value,
    ) -> Result<Value, Fault> {
        let begun = Instant::now();
        let (link, ended) = Link::start(&self, Place::seat(at), &plugin, hooks, input.clone(), false);
        // An isolate that goes away says so to every invocation; a sender that was dropped is the same news.
        let ended =
            ended.await.unwrap_or_else(|_| modgate_engine::Ended::Rejected(super::no_implementation(&self.event)));
        let outcome = link.conclude(ended).await;
        let caught = link.was_caught().then_some("caught");
        self.ended(Place::seat(at), caught.unwrap_or(outcome.trace()), begun, input.clone(), outcome.answer());
        outcome.into_result(&self, at, input).await
    }

    /// Remembers for `next.trace` how a part ended.
    pub(super) fn ended(
        &self,
        at: Place,
        outcome: &'static str,
        begun: Instant,
        received: Value,
        returned: Option<Value>,
    ) {
        let ms = begun.elapsed().as_secs_f64() * 1000.0;
        self.trace.lock().push(Ended { at, outcome, ms, received, returned, reason: None });
    }

    /// Remembers the mods that a `next.to` of the mod at `from` passes by.
    pub(super) fn passed_by(&self, from: usize, below: &Dispatch, received: &Value, why: &str) {
        let is_new = |seat: &Seat| below.skipped.contains(&seat.tier()) && !self.skipped.contains(&seat.tier());
        let mut trace = self.trace.lock();
        for (at, seat) in self.seats.iter().enumerate().skip(from + 1).filter(|(_, seat)| is_new(seat)) {
            let Some(plugin) = seat.plugin() else { continue };
            if self.hooks_of(plugin, received).iter().any(|hook| hook.matches(self.facts, received)) {
                let (received, reason) = (received.clone(), Some(why.to_string()));
                trace.push(Ended {
                    at: Place::seat(at),
                    outcome: "skipped",
                    ms: 0.0,
                    received,
                    returned: None,
                    reason,
                });
            }
        }
    }

    /// What is beneath that seat and how it ended, nearest first. A link's index is its place in the whole chain.
    pub(super) fn trace_beneath(&self, at: Place) -> Value {
        let ended = self.trace.lock().clone();
        let mut rows: Vec<Ended> = Vec::new();
        for one in ended.into_iter().filter(|one| one.at > at) {
            rows.retain(|other| other.at != one.at);
            rows.push(one);
        }
        rows.sort_by_key(|one| one.at);
        if &*self.event == "engine.create" {
            // Who else made `$` is nobody's to know.
            rows.retain(|one| one.at.seat == usize::MAX);
        }
        Value::list(rows.into_iter().map(|one| {
            let index = self.count_before(one.at);
            let (plugin, tier) = match self.seats.get(one.at.seat) {
                Some(Seat::Mod(plugin)) => (plugin.name().to_string(), plugin.spec.tier),
                Some(Seat::Gate(..)) | None => ("engine".to_string(), Tier::Core),
            };
            let reason = one.reason.map(|reason| ("reason", Value::text(reason)));
            // Constructors are no data: nothing of a table is shown.
            let shown = |returned| if &*self.event == "ui.resolve" { Value::object::<&str>([]) } else { returned };
            let fields = [
                ("index", Value::from(u32::try_from(index).unwrap_or(u32::MAX))),
                ("plugin", Value::text(plugin)),
                ("tier", Value::text(tier.as_str())),
                ("event", Value::String(self.event.clone())),
                ("outcome", Value::text(one.outcome)),
                ("ms", Value::from(one.ms)),
            ];
            let rest = [("received", one.received), ("returned", one.returned.map(shown).unwrap_or_default())];
            Value::object(fields.into_iter().chain(reason).chain(rest))
        }))
    }

    /// How many parts stand in front of that place, whether or not their matchers fit: of a stream all hooks, else the mods.
    fn count_before(&self, place: Place) -> usize {
        let is_stream = self.facts.is_some_and(|event| event.kind == EventKind::Generator);
        let of_seat = |seat: &Seat| {
            let count = seat.plugin().map_or(0, |plugin| plugin.hooks_on(&self.event).len());
            if is_stream { count } else { count.min(1) }
        };
        let own = self.seats.get(place.seat).and_then(Seat::plugin).zip(place.index()).map_or(0, |(plugin, index)| {
            plugin.hooks_on(&self.event).iter().take_while(|hook| hook.index < index).count()
        });
        self.seats.iter().take(place.seat).map(of_seat).sum::<usize>() + own
    }

    /// The input as it reached the innermost part that ended.
    pub(crate) fn reached(&self) -> Option<Value> {
        self.trace.lock().iter().max_by_key(|one| one.at).map(|one| one.received.clone())
    }

    /// The answer that came from there.
    pub(crate) fn innermost(&self) -> Option<Value> {
        self.trace.lock().iter().max_by_key(|one| one.at).and_then(|one| one.returned.clone())
    }

    /// The mods whose answer was taken, in the order in which they ended: the innermost first.
    pub(crate) fn returned(&self) -> Vec<String> {
        let ended = self.trace.lock().clone();
        let returned = ended.into_iter().filter(|one| one.outcome == "returned");
        returned.filter_map(|one| Some(self.seats.get(one.at.seat)?.plugin()?.name().to_string())).collect()
    }

    /// Opens the streaming event at that seat.
    pub(crate) fn open(self: &Arc<Self>, from: usize, input: Value) -> Box<dyn Source> {
        super::stream::open(self.clone(), Place::seat(from), input)
    }
}

/// Who is next.
pub(super) enum Next {
    Mod(usize, Arc<Plugin>, Vec<Arc<Hook>>),
    Gate(usize, Arc<dyn Gate>),
    Core,
}
