//! The mods of a session.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use modgate_engine::{Activity, Fault, Source, Spares};
use modgate_value::Value;
use parking_lot::RwLock;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::chain::{Core, Dispatch, Gate, Path, Seat};
use crate::nouns::Nouns;
use crate::plugin::{Plugin, Tier};
use crate::policy::{Corrections, Policy};
use crate::report::{Report, ReportSink};

/// Who raised an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// A mod's name, or `engine`.
    pub plugin: Arc<str>,
    /// Its tier.
    pub tier: Tier,
}

impl Origin {
    /// The host itself.
    pub fn engine() -> Origin {
        Origin { plugin: Arc::from("engine"), tier: Tier::Core }
    }

    /// A surface module: what it posts.
    pub(crate) fn client() -> Origin {
        Origin { plugin: Arc::from("client"), tier: Tier::User }
    }

    /// A mod.
    pub fn of(plugin: &Plugin) -> Origin {
        Origin { plugin: Arc::from(plugin.name()), tier: plugin.spec.tier }
    }
}

/// How long mods that are retired are waited for.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Takes lines written with `console`: mod, level, text.
type Log = Box<dyn Fn(&str, &str, &str) + Send + Sync>;

/// The mods of a session, and what stands beneath them.
pub struct Mods {
    seats: RwLock<Arc<[Seat]>>,
    pub(crate) core: Arc<dyn Core>,
    /// How the chain treats what mods try.
    pub policy: Policy,
    pub(crate) reports: Arc<dyn ReportSink>,
    log: Log,
    pub(crate) runtime: Handle,
    /// What runs in the isolates of this session.
    pub activity: Arc<Activity>,
    pub(crate) cwd: String,
    pub(crate) cancel: CancellationToken,
    pub(crate) spares: Option<Arc<Spares>>,
    pub(crate) nouns: RwLock<Nouns>,
    /// Whether a test runs: a hook's answer waits for the calls that it left under way, and a session's end is as long as
    /// any event.
    pub(crate) in_test: bool,
    is_retired: AtomicBool,
    /// By the mod's name.
    corrections: RwLock<BTreeMap<String, Corrections>>,
}

/// Collects what [`Mods`] is made of.
pub struct ModsBuilder {
    core: Arc<dyn Core>,
    policy: Policy,
    reports: Arc<dyn ReportSink>,
    log: Log,
    runtime: Handle,
    activity: Arc<Activity>,
    cwd: String,
    cancel: CancellationToken,
    spares: Option<Arc<Spares>>,
    in_test: bool,
}

impl ModsBuilder {
    /// Counts what runs together with that of others.
    #[must_use]
    pub fn activity(mut self, activity: Arc<Activity>) -> ModsBuilder {
        self.activity = activity;
        self
    }

    /// Where reports go. Without it they are traced.
    #[must_use]
    pub fn reports(mut self, sink: Arc<dyn ReportSink>) -> ModsBuilder {
        self.reports = sink;
        self
    }

    /// Where lines written with `console` go: mod, level, text. Without it they are traced.
    #[must_use]
    pub fn log(mut self, log: impl Fn(&str, &str, &str) + Send + Sync + 'static) -> ModsBuilder {
        self.log = Box::new(log);
        self
    }

    /// The session's working directory.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<String>) -> ModsBuilder {
        self.cwd = cwd.into();
        self
    }

    /// Ends everything that is under way.
    #[must_use]
    pub fn cancel(mut self, token: CancellationToken) -> ModsBuilder {
        self.cancel = token;
        self
    }

    /// Takes the mods' isolates from there.
    #[must_use]
    pub fn spares(mut self, spares: Option<Arc<Spares>>) -> ModsBuilder {
        self.spares = spares;
        self
    }

    /// For a test. A hook's answer waits for the calls that it has left under way, until they end or nothing runs any
    /// more: that gives the order that mods see on a host where all of them run on one thread. Nobody waits for the
    /// process to end, so that hooks on `session.end` have the time of others.
    #[must_use]
    pub fn in_test(mut self) -> ModsBuilder {
        self.in_test = true;
        self
    }

    /// The mods, none of them loaded yet.
    pub fn build(self) -> Arc<Mods> {
        Arc::new(Mods {
            seats: RwLock::new(Arc::from([])),
            core: self.core,
            policy: self.policy,
            reports: self.reports,
            log: self.log,
            runtime: self.runtime,
            activity: self.activity,
            cwd: self.cwd,
            cancel: self.cancel,
            spares: self.spares,
            nouns: RwLock::default(),
            in_test: self.in_test,
            is_retired: AtomicBool::new(false),
            corrections: RwLock::default(),
        })
    }
}

struct Traced;

impl ReportSink for Traced {
    fn report(&self, report: Report) {
        tracing::warn!(code = report.code, plugin = report.plugin, "{}", report.message);
    }
}

impl Mods {
    /// Starts a set of mods over that core.
    pub fn builder(core: Arc<dyn Core>, policy: Policy, runtime: Handle) -> ModsBuilder {
        ModsBuilder {
            core,
            policy,
            reports: Arc::new(Traced),
            log: Box::new(|plugin, level, text| tracing::info!(plugin, level, "{text}")),
            runtime,
            activity: Arc::default(),
            cwd: String::from("/"),
            cancel: CancellationToken::new(),
            spares: None,
            in_test: false,
        }
    }

    /// Lets what is under way come to rest; from then on every call on `$` is refused. Comes back once mods that went on
    /// have seen that.
    pub(crate) async fn retire(&self) {
        // One that does not come to rest is told in the middle of it.
        let _ = tokio::time::timeout(LAST_WORDS, self.activity.settled()).await;
        self.is_retired.store(true, Ordering::Release);
        // One that goes on whatever it is told is ended with its isolate.
        let _ = tokio::time::timeout(LAST_WORDS, async {
            let _ = self.activity.settled().await;
            for plugin in self.plugins() {
                if let Some(isolate) = plugin.isolate() {
                    isolate.flush().await;
                }
            }
        })
        .await;
    }

    pub(crate) fn is_retired(&self) -> bool {
        self.is_retired.load(Ordering::Acquire)
    }

    pub(crate) fn report(&self, report: Report) {
        self.reports.report(report);
    }

    pub(crate) fn log(&self, plugin: &str, level: &str, text: &str) {
        (self.log)(plugin, level, text);
    }

    /// Seats a mod: beneath those of its tier that are seated already.
    pub fn seat(&self, plugin: Arc<Plugin>) {
        self.insert(plugin.spec.tier, Seat::Mod(plugin));
    }

    /// Seats a gate of the host's own beneath every mod of that tier and those above it.
    pub fn seat_gate(&self, beneath: Tier, gate: Arc<dyn Gate>) {
        self.insert(beneath, Seat::Gate(beneath, gate));
    }

    fn insert(&self, tier: Tier, seat: Seat) {
        let mut seats = self.seats.write();
        let at = seats.iter().position(|other| other.tier() > tier).unwrap_or(seats.len());
        let mut list = seats.to_vec();
        list.insert(at, seat);
        *seats = Arc::from(list);
    }

    /// Takes a mod out.
    pub fn unseat(&self, name: &str) {
        let mut seats = self.seats.write();
        let list: Vec<_> =
            seats.iter().filter(|seat| seat.plugin().is_none_or(|plugin| plugin.name() != name)).cloned().collect();
        *seats = Arc::from(list);
    }

    pub(crate) fn seats(&self) -> Arc<[Seat]> {
        self.seats.read().clone()
    }

    /// The loaded mods, outermost first.
    pub fn plugins(&self) -> Vec<Arc<Plugin>> {
        self.seats().iter().filter_map(|seat| seat.plugin().cloned()).collect()
    }

    /// The mod of that name.
    pub fn plugin(&self, name: &str) -> Option<Arc<Plugin>> {
        self.plugins().into_iter().find(|plugin| plugin.name() == name)
    }

    /// Lets a mod correct committed calls.
    pub fn permit(&self, name: &str, corrections: Corrections) {
        self.corrections.write().insert(name.to_string(), corrections);
    }

    /// What that mod may do to committed calls beyond the host's rules.
    pub fn corrections(&self, name: &str) -> Corrections {
        self.corrections.read().get(name).copied().unwrap_or_default()
    }

    /// What any mod may do of that kind.
    pub fn all_corrections(&self) -> Corrections {
        self.corrections.read().values().fold(Corrections::default(), |all, one| Corrections {
            amends: all.amends || one.amends,
            retries: all.retries || one.retries,
        })
    }

    /// Whether any mod has a hook on that event, and the host runs it.
    pub fn hears(&self, event: &str) -> bool {
        if self.policy.silent.contains(event) {
            return false;
        }
        let event = Arc::from(event);
        self.seats().iter().any(|seat| seat.plugin().is_some_and(|plugin| !plugin.hooks_on(&event).is_empty()))
    }

    /// Dispatches an event that the host raises.
    ///
    /// # Errors
    /// What the core rejects with.
    pub async fn raise(self: &Arc<Self>, event: &str, input: Value) -> Result<Value, Fault> {
        self.raise_over(event, input, Origin::engine(), Path::default(), self.core.clone()).await
    }

    /// The same with an origin, on a path of calls, over a core of its own.
    ///
    /// # Errors
    /// What that core rejects with.
    pub async fn raise_over(
        self: &Arc<Self>,
        event: &str,
        input: Value,
        origin: Origin,
        path: Path,
        core: Arc<dyn Core>,
    ) -> Result<Value, Fault> {
        let answer = Dispatch::new(self, event, origin, path, core).run(0, input).await?;
        // Who wrote the text is between the mods.
        Ok(if event == "turn.complete" { answer.without("by") } else { answer })
    }

    /// Opens a streaming event.
    pub fn open(
        self: &Arc<Self>,
        event: &str,
        input: Value,
        origin: Origin,
        path: Path,
        core: Arc<dyn Core>,
    ) -> Box<dyn Source> {
        Dispatch::new(self, event, origin, path, core).open(0, input)
    }

    /// A hook's own time on an event.
    pub(crate) fn budget(&self, event: Option<&modgate_catalog::Event>) -> Duration {
        match event {
            Some(event) if event.name == "engine.create" => Duration::ZERO,
            Some(event) if event.name == "session.end" && self.in_test => self.policy.hook,
            Some(event) => event.budget_ms.map_or(self.policy.hook, Duration::from_millis),
            None => self.policy.hook,
        }
    }
}
