//! The middleware chain: one dispatch through the seats of a session.

mod corrected;
mod dispatch;
mod link;
mod stream;
mod verdict;

use std::sync::Arc;

use modgate_engine::{Boxed, Fault, Source};
use modgate_value::Value;
use tokio_util::sync::CancellationToken;

use crate::mods::Origin;
use crate::plugin::{Plugin, Tier};

pub(crate) use corrected::Corrected;
pub(crate) use dispatch::Dispatch;
pub use dispatch::Rest;
pub(crate) use link::{Link, OpenCall};
pub(crate) use verdict::without_success;

/// An event as it reaches the core.
#[derive(Clone)]
pub struct Raised {
    /// Its name.
    pub event: Arc<str>,
    /// Its input, as the mods left it.
    pub input: Value,
    /// Who raised it.
    pub origin: Origin,
    /// The hooks on whose calls it was raised.
    pub path: Path,
    /// Ends when nobody wants the answer any more.
    pub cancel: CancellationToken,
}

/// What stands beneath every mod.
pub trait Core: Send + Sync + 'static {
    /// Answers an event.
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>>;

    /// What lies at the address that a `state.set` is about to write: the hooks are shown it.
    fn previous(&self, _address: &Value) -> Value {
        Value::Undefined
    }

    /// The input of a mod's call with what only the host knows of it: the conversation that is to be shortened, what
    /// a prompt is composed for.
    fn complete(&self, _call: &str, input: Value) -> Value {
        input
    }

    /// Takes the answer of a mod's call once every hook has had its say, where it is what counts.
    fn settle(self: Arc<Self>, _called: Raised, answer: Value) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(std::future::ready(Ok(answer)))
    }

    /// Answers a streaming event.
    ///
    /// # Errors
    /// There is nobody to stream.
    fn stream(self: Arc<Self>, raised: Raised) -> Result<Box<dyn Source>, Fault> {
        Err(no_implementation(&raised.event))
    }

    /// The run of `ui.render` that it stands beneath.
    #[doc(hidden)]
    fn render(&self) -> Option<&crate::ui::Render> {
        None
    }

    /// Whether a call of a mod becomes an event at all.
    fn takes(&self, _call: &str) -> bool {
        true
    }

    /// What a call gives, where the host makes something else of its event's answer.
    fn gives(&self, _call: &str, _answer: &Value) -> Option<Value> {
        None
    }

    /// The plugin whose hooks stand for the host: what they draw as the host's is.
    fn stand_in(&self) -> Option<&str> {
        None
    }

    /// Whose event it is, where the event's input does not say so.
    fn owner(&self) -> Option<&str> {
        None
    }
}

/// The rejection of an event that nobody answers.
pub fn no_implementation(event: &str) -> Fault {
    Fault::hooks(format!("no implementation for {event}")).with_code("no-implementation")
}

/// A step of the host's own between mods.
pub trait Gate: Send + Sync + 'static {
    /// Whether it has a part in that event.
    fn concerns(&self, event: &str) -> bool;
    /// Takes the event; `rest` is what lies beneath.
    fn pass(self: Arc<Self>, raised: Raised, rest: Rest) -> Boxed<'static, Result<Value, Fault>>;
}

/// A place in the chain.
#[derive(Clone)]
pub(crate) enum Seat {
    Mod(Arc<Plugin>),
    Gate(Tier, Arc<dyn Gate>),
}

impl Seat {
    pub(crate) fn tier(&self) -> Tier {
        match self {
            Seat::Mod(plugin) => plugin.spec.tier,
            Seat::Gate(tier, _) => *tier,
        }
    }

    pub(crate) fn plugin(&self) -> Option<&Arc<Plugin>> {
        match self {
            Seat::Mod(plugin) => Some(plugin),
            Seat::Gate(..) => None,
        }
    }
}

/// The hooks from which calls were made on the way to an event, innermost first. They are left out of it: nothing
/// recurses. As on 2.1.332, a mod that calls while none of its hooks runs (from a timer, a control, what it left under
/// way) is left out with all of them.
#[derive(Clone, Default)]
pub struct Path(Option<Arc<Node>>);

/// Stands for all hooks of a mod.
const EVERY_HOOK: u32 = u32::MAX;

struct Node {
    plugin: Arc<str>,
    tier: Tier,
    hook: u32,
    event: Arc<str>,
    above: Path,
}

impl Path {
    fn with(&self, plugin: &Plugin, hook: u32, event: &Arc<str>) -> Path {
        Path(Some(Arc::new(Node {
            plugin: Arc::from(plugin.name()),
            tier: plugin.spec.tier,
            hook,
            event: event.clone(),
            above: self.clone(),
        })))
    }

    /// The path of a call that a mod makes while none of its hooks runs: all of them are left out.
    pub(crate) fn outside(plugin: &Plugin) -> Path {
        Path::default().with(plugin, EVERY_HOOK, &Arc::from(""))
    }

    fn has(&self, plugin: &str, hook: u32) -> bool {
        self.nodes().any(|node| (node.hook == hook || node.hook == EVERY_HOOK) && &*node.plugin == plugin)
    }

    fn nodes(&self) -> impl Iterator<Item = &Node> {
        std::iter::successors(self.0.as_deref(), |node| node.above.0.as_deref())
    }

    /// The events on the way, innermost first.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.nodes().filter(|node| node.hook != EVERY_HOOK).map(|node| &*node.event)
    }

    /// The hook that made the call: its mod, and its number there.
    pub(crate) fn caller(&self) -> Option<(&str, u32)> {
        self.nodes().next().filter(|node| node.hook != EVERY_HOOK).map(|node| (&*node.plugin, node.hook))
    }

    /// Whether a managed mod made one of the calls.
    fn is_managed(&self) -> bool {
        self.nodes().any(|node| node.tier.is_managed())
    }

    /// Whether the event was raised by the host itself, not by a mod.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}
