//! One loaded mod: its isolate, its hooks, and the engine's way to it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use modgate_catalog::Event;
use modgate_catalog::matcher::{self, Matcher};
use modgate_catalog::pattern::{self, Pattern};
use modgate_engine::{
    Beneath, DollarCall, Fault, Host, Isolate, Limit, Modules, Position, Registration, Reply, Thrown,
};
use modgate_value::Value;
use parking_lot::{Mutex, RwLock};

use crate::chain::{Link, Path};
use crate::dollar::Within;
use crate::mods::Mods;
use crate::report::{Rejection, Report, codes};
use crate::ui::{Counter, Tables};

/// Where a mod stands: outer tiers have more authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Managed, outermost.
    Prepend,
    /// Installed by a person.
    User,
    /// Managed, beneath what persons installed.
    Append,
    /// Comes with the host.
    Builtin,
    /// The host itself.
    Core,
}

impl Tier {
    /// Its name in mods.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::Prepend => "prepend",
            Tier::User => "user",
            Tier::Append => "append",
            Tier::Builtin => "builtin",
            Tier::Core => "core",
        }
    }

    /// The tier of that name.
    pub fn parse(name: &str) -> Option<Tier> {
        [Tier::Prepend, Tier::User, Tier::Append, Tier::Builtin, Tier::Core]
            .into_iter()
            .find(|tier| tier.as_str() == name)
    }

    /// Whether who runs the machine has put the mod there, not a person who installed it.
    pub fn is_managed(self) -> bool {
        matches!(self, Tier::Prepend | Tier::Append)
    }

    /// Whether a mod of this tier may skip to `target` with `next.to`: only managed tiers, only downwards.
    pub fn may_skip_to(self, target: Tier) -> bool {
        self.is_managed() && self < target
    }
}

/// What is known of a mod before its module runs.
#[derive(Debug, Clone)]
pub struct PluginSpec {
    /// The manifest's name.
    pub name: String,
    /// Its tier.
    pub tier: Tier,
    /// Its folder, where it has one.
    pub root: Option<PathBuf>,
    /// Its content hash.
    pub hash: String,
    /// What `register` gets as its options.
    pub options: Value,
    /// What the module reads, calls and hooks, as `plugin.register` sees it.
    pub uses: Value,
}

/// One hook.
pub(crate) struct Hook {
    pub(crate) index: u32,
    pub(crate) pattern: Pattern,
    pub(crate) text: String,
    pub(crate) matcher: Option<Matcher>,
    pub(crate) position: Option<Position>,
}

impl Hook {
    /// Whether its matcher fits; `facts` is what is known of the event.
    pub(crate) fn matches(&self, facts: Option<&Event>, input: &Value) -> bool {
        let is_owned = facts.is_some_and(|event| event.owner_only);
        let fits = |matcher: &Matcher| if is_owned { matcher.matches_owned(input) } else { matcher.matches(input) };
        self.matcher.as_ref().is_none_or(fits)
    }

    /// Whether it is asked for what another plugin drew: its matcher names that plugin, or it stands on a pattern, with
    /// no matcher at all.
    pub(crate) fn hears_of(&self, owner: &str) -> bool {
        match &self.matcher {
            Some(matcher) => matcher.plugin(owner).unwrap_or(false),
            None => !self.pattern.is_name(),
        }
    }
}

/// Hooks in order of registration.
type Hooks = Arc<[Arc<Hook>]>;

/// A loaded mod.
pub struct Plugin {
    /// What is known of it.
    pub spec: PluginSpec,
    hooks: RwLock<Vec<Arc<Hook>>>,
    by_event: RwLock<HashMap<Arc<str>, Hooks>>,
    isolate: OnceLock<Isolate>,
    modules: OnceLock<Arc<dyn Modules>>,
    is_open: RwLock<bool>,
    pub(crate) mods: Weak<Mods>,
    pub(crate) kit: Mutex<Option<Arc<dyn InnerHost>>>,
    /// What it draws with, where hooks on `ui.resolve` had a hand in it.
    pub(crate) tables: Tables,
    /// Constructors that it and other mods call of one another.
    pub(crate) counter: Counter,
}

/// Who answers inner modules (the test kit) that ask for more than `$`.
pub trait InnerHost: Send + Sync {
    /// Answers a question by name.
    ///
    /// # Errors
    /// It is refused.
    fn ask(&self, name: &str, args: Vec<Value>, reply: Reply) -> Result<Value, Fault>;
}

impl Plugin {
    pub(crate) fn new(spec: PluginSpec, mods: Weak<Mods>) -> Arc<Plugin> {
        Arc::new(Plugin {
            spec,
            hooks: RwLock::default(),
            by_event: RwLock::default(),
            isolate: OnceLock::new(),
            modules: OnceLock::new(),
            is_open: RwLock::new(true),
            mods,
            kit: Mutex::new(None),
            tables: Tables::default(),
            counter: Counter::default(),
        })
    }

    pub(crate) fn seat(&self, isolate: Isolate) {
        // Seated once, right after the isolate was started.
        let _ = self.isolate.set(isolate);
    }

    /// Where its modules come from.
    pub(crate) fn comes_from(&self, modules: Arc<dyn Modules>) {
        // Told once, when its isolate is started.
        let _ = self.modules.set(modules);
    }

    /// Its modules, for isolates of its surfaces.
    pub(crate) fn modules(&self) -> Option<Arc<dyn Modules>> {
        self.modules.get().cloned()
    }

    /// Its isolate.
    pub fn isolate(&self) -> Option<&Isolate> {
        self.isolate.get()
    }

    /// No hook may be registered from now on.
    pub(crate) fn close_registration(&self) {
        *self.is_open.write() = false;
    }

    /// Drops every hook: the mod takes part in nothing any more.
    pub(crate) fn clear_hooks(&self) {
        self.hooks.write().clear();
        self.by_event.write().clear();
    }

    /// Its name, its tier.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// The hooks whose pattern selects that event, in order of registration.
    pub(crate) fn hooks_on(&self, event: &Arc<str>) -> Arc<[Arc<Hook>]> {
        if let Some(hooks) = self.by_event.read().get(event) {
            return hooks.clone();
        }
        let hooks: Arc<[Arc<Hook>]> =
            self.hooks.read().iter().filter(|hook| hook.pattern.selects(event)).cloned().collect();
        self.by_event.write().insert(event.clone(), hooks.clone());
        hooks
    }

    /// Every pattern it has hooks on, as written, in order of registration.
    pub fn patterns(&self) -> Vec<String> {
        let mut seen = Vec::new();
        for hook in self.hooks.read().iter() {
            if !seen.contains(&hook.text) {
                seen.push(hook.text.clone());
            }
        }
        seen
    }

    /// Where the first hook with that pattern stands in the mod's source.
    pub fn position_of(&self, pattern: &str) -> Option<Position> {
        self.hooks.read().iter().find(|hook| hook.text == pattern).and_then(|hook| hook.position.clone())
    }

    /// Where the hook of that number stands in the mod's source.
    pub(crate) fn position_of_hook(&self, index: u32) -> Option<Position> {
        self.hooks.read().iter().find(|hook| hook.index == index).and_then(|hook| hook.position.clone())
    }

    fn report(&self, report: Report) {
        if let Some(mods) = self.mods.upgrade() {
            mods.report(report);
        }
    }

    fn add(&self, registration: Registration) -> Result<(), Fault> {
        if !*self.is_open.read() {
            return Err(Fault::named("TypeError", "on() belongs into register()"));
        }
        let pattern = pattern::parse(&registration.pattern).map_err(|error| Fault::hooks(error.to_string()))?;
        let matcher = registration
            .matcher
            .as_ref()
            .map(matcher::parse)
            .transpose()
            .map_err(|error| Fault::hooks(error.to_string()))?;
        let mut hooks = self.hooks.write();
        let is_twice = registration.matcher.is_none()
            && hooks.iter().any(|hook| hook.matcher.is_none() && hook.pattern == pattern);
        if is_twice {
            return Err(Fault::hooks(format!(
                "{} is registered twice without a matcher that tells the two apart",
                registration.pattern
            )));
        }
        hooks.push(Arc::new(Hook {
            index: registration.index,
            pattern,
            text: registration.pattern,
            matcher,
            position: registration.position,
        }));
        drop(hooks);
        self.by_event.write().clear();
        Ok(())
    }
}

/// The engine's way to a mod. Holds it weakly: the isolate belongs to the plugin, not the other way round.
pub(crate) struct PluginHost {
    plugin: RwLock<Weak<Plugin>>,
    /// Tells the isolates of the process apart.
    number: u64,
}

/// The last number given.
static LAST: AtomicU64 = AtomicU64::new(0);

impl PluginHost {
    pub(crate) fn new(plugin: Weak<Plugin>) -> PluginHost {
        PluginHost { plugin: RwLock::new(plugin), number: LAST.fetch_add(1, Ordering::Relaxed) }
    }

    /// Speaks for that plugin from now on: the isolate of a test file serves one test after the other.
    pub(crate) fn serve(&self, plugin: &Arc<Plugin>) {
        *self.plugin.write() = Arc::downgrade(plugin);
    }

    fn plugin(&self) -> Option<Arc<Plugin>> {
        self.plugin.read().upgrade()
    }
}

impl Host for PluginHost {
    fn registered(&self, registration: Registration) -> Result<(), Fault> {
        self.plugin().map_or(Ok(()), |plugin| plugin.add(registration))
    }

    fn caught(&self, _index: u32) {
        // The isolate asks the handlers itself.
    }

    fn call(&self, call: DollarCall, within: Option<Arc<dyn Beneath>>, reply: Reply) {
        let Some(plugin) = self.plugin() else { return };
        let Some(mods) = plugin.mods.upgrade() else { return };
        let link = within.as_ref().and_then(|beneath| beneath.as_any().downcast_ref::<Link>());
        if let Some(link) = link {
            link.calls(&call.name, call.args.first());
        }
        let path = match (link, call.hook) {
            (Some(link), Some(hook)) => link.path_of(hook),
            _ => Path::outside(&plugin),
        };
        let within = Within { path, open: link.filter(|_| mods.in_test).map(Link::begin_call) };
        crate::dollar::call(&mods, &plugin, call, within, reply);
    }

    fn host(&self, name: &str, args: Vec<Value>, reply: Reply) -> Result<Value, Fault> {
        let Some(plugin) = self.plugin() else { return Err(Fault::hooks("the mod was unloaded")) };
        if name == "ui.resolve" {
            return crate::ui::resolve(&plugin, &args);
        }
        if let Some(answer) = crate::ui::ask(&plugin, name, &args) {
            return answer;
        }
        let kit = plugin.kit.lock().clone();
        match kit {
            Some(kit) => kit.ask(name, args, reply),
            None => Err(Fault::hooks(format!("{name} is not there for mods"))),
        }
    }

    fn rejected(&self, rejection: u32, thrown: Thrown) {
        let Some(plugin) = self.plugin() else { return };
        if let Some(mods) = plugin.mods.upgrade() {
            let key = (self.number, rejection);
            mods.reports.rejected(Rejection { key, plugin: plugin.name().to_string(), thrown });
        }
    }

    fn handled(&self, rejection: u32) {
        if let Some(mods) = self.plugin().and_then(|plugin| plugin.mods.upgrade()) {
            mods.reports.handled((self.number, rejection));
        }
    }

    fn log(&self, level: &str, text: String) {
        let Some(plugin) = self.plugin() else { return };
        if level == "thrown" {
            let message = format!("{}: the function threw: {text}", plugin.name());
            plugin.report(Report::new(codes::CALLBACK, plugin.name(), message));
        } else if let Some(mods) = plugin.mods.upgrade() {
            mods.log(plugin.name(), level, &text);
        }
    }

    fn limit(&self, limit: Limit) {
        let Some(plugin) = self.plugin() else { return };
        let name = plugin.name();
        let (code, message) = match limit {
            Limit::Spinning { times } => (
                codes::SPINNING,
                format!("{name} ran without a pause for longer than it may and was ended ({times} times)"),
            ),
            Limit::Heap => (codes::HEAP, format!("{name} filled its heap")),
            Limit::Buffers => (codes::BUFFERS, format!("{name} asked for more array buffers than it may have")),
            Limit::Unloaded => {
                plugin.clear_hooks();
                (codes::UNLOADED, format!("{name} was unloaded; the session goes on without it"))
            }
        };
        plugin.report(Report::new(code, name, message));
    }
}
