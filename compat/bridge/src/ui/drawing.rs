//! One drawing: what it is asked for with, and what stands drawn.

use std::sync::Arc;

use modgate_catalog::elements::{self, check_tree};
use modgate_engine::Fault;
use modgate_value::Value;
use parking_lot::Mutex;

use super::client::{Client, Layout};
use super::drawings::Drawings;
use super::render::{Handle, Render};
use crate::chain::Path;
use crate::mods::{Mods, Origin};

/// What a drawing is asked for with.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// Whose controls bare keys name.
    pub(crate) plugin: String,
    /// `terminal`, `desktop`, ...
    pub(crate) surface: String,
    /// `Pane`, ...
    pub(crate) component: String,
    /// Tells drawings of one component apart.
    pub(crate) request_id: String,
    /// `{columns, rows}`, where the surface has been measured.
    pub(crate) viewport: Option<Value>,
    /// The component's props.
    pub(crate) props: Value,
}

impl Target {
    /// Reads `{plugin?, surface, component, requestId, viewport?, props}`.
    pub(crate) fn read(value: &Value) -> Target {
        let text = |field: &str| value.str_at(field).unwrap_or_default().to_string();
        Target {
            plugin: text("plugin"),
            surface: text("surface"),
            component: text("component"),
            request_id: text("requestId"),
            viewport: value.get("viewport").filter(|viewport| !viewport.is_undefined()).cloned(),
            props: value.get("props").cloned().unwrap_or_default(),
        }
    }

    /// Whether both ask for the same place.
    pub(super) fn is_place_of(&self, other: &Target) -> bool {
        (&self.surface, &self.component, &self.request_id) == (&other.surface, &other.component, &other.request_id)
    }

    /// Refuses what no surface draws.
    pub(super) fn check(&self) -> Result<(), Fault> {
        if elements::surface(&self.surface).is_none() {
            return Err(Fault::hooks(format!("there is no surface {:?}", self.surface)));
        }
        if elements::component(&self.component).is_none() {
            return Err(Fault::hooks(format!("{:?} is no component", self.component)));
        }
        Ok(())
    }

    fn input(&self, props: Value) -> Value {
        let text = |text: &str| Value::text(text);
        let mut fields = vec![
            ("surface", text(&self.surface)),
            ("component", text(&self.component)),
            ("requestId", text(&self.request_id)),
        ];
        fields.extend(self.viewport.clone().map(|viewport| ("viewport", viewport)));
        fields.push(("props", props));
        Value::object(fields)
    }
}

/// What stands drawn.
pub(super) struct Drawn {
    props: Value,
    /// As the surface draws it, or why nothing stands there.
    pub(super) tree: Result<Value, Fault>,
    pub(super) render: Arc<Render>,
    pub(super) is_dirty: bool,
    pub(super) clients: Vec<Arc<Client>>,
    pub(super) layout: Layout,
}

/// One component on one surface, for one request.
pub(crate) struct Drawing {
    /// Names it to whoever acts on it.
    pub(crate) id: u32,
    /// What it was asked for with; the props may be others by now.
    pub(crate) target: Target,
    /// Drawn again when something changes; otherwise it stands as it was raised.
    pub(super) is_mounted: bool,
    pub(super) state: Mutex<Drawn>,
    /// One run at a time.
    turn: tokio::sync::Mutex<()>,
}

impl Drawing {
    pub(super) fn new(id: u32, target: Target, is_mounted: bool, mods: &Mods) -> Arc<Drawing> {
        let state = Drawn {
            props: target.props.clone(),
            tree: Err(Fault::hooks("nothing is drawn yet")),
            render: Render::new(mods.core.clone()),
            is_dirty: false,
            clients: Vec::new(),
            layout: Layout::of(target.viewport.as_ref()),
        };
        Arc::new(Drawing { id, target, is_mounted, state: Mutex::new(state), turn: tokio::sync::Mutex::default() })
    }

    /// The tree that stands.
    pub(crate) fn tree(&self) -> Result<Value, Fault> {
        self.state.lock().tree.clone()
    }

    pub(super) fn clients(&self) -> Vec<Arc<Client>> {
        self.state.lock().clients.clone()
    }

    /// The surface module under that key; without one the only module of the drawing.
    pub(crate) fn client(&self, key: Option<&str>) -> Result<Arc<Client>, Fault> {
        let clients = self.clients();
        let found = match (key, clients.as_slice()) {
            (Some(key), clients) => clients.iter().find(|client| client.key == key),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let problem = || match key {
            Some(key) => format!("no Client keyed {key:?} is drawn in this {}", self.target.component),
            None => format!("this {} holds {} Clients: say which, by its key", self.target.component, clients.len()),
        };
        found.cloned().ok_or_else(|| Fault::hooks(problem()))
    }

    /// Raises `ui.render` and lets what it gives stand. Gives the answer as the mods left it.
    pub(super) async fn draw(
        self: &Arc<Self>,
        mods: &Arc<Mods>,
        drawings: &Drawings,
        props: Option<Value>,
    ) -> Result<Value, Fault> {
        let _turn = self.turn.lock().await;
        let render = Render::new(mods.core.clone());
        let (input, before) = {
            let mut state = self.state.lock();
            state.is_dirty = false;
            if let Some(props) = props {
                state.props = props;
            }
            let before = std::mem::replace(&mut state.render, render.clone());
            (self.target.input(state.props.clone()), before)
        };
        let answer = mods.raise_over("ui.render", input, Origin::engine(), Path::default(), render.clone()).await;
        render.is_over();
        let tree = self.judge(&render, answer.as_ref());
        drawings.failed(render.failures().into_iter().filter(|failure| !failure.is_refused_tree));
        self.state.lock().tree = tree.clone();
        let kept = render.issued();
        drop_handles(mods, before.issued().into_iter().filter(|handle| !kept.contains(handle)));
        if self.is_mounted {
            self.seat_clients(mods, drawings, &tree).await;
        }
        answer
    }

    /// What of an answer stands on the surface.
    fn judge(&self, render: &Render, answer: Result<&Value, &Fault>) -> Result<Value, Fault> {
        let Target { plugin, surface, component, .. } = &self.target;
        let failures = render.failures();
        if let Some(refused) = failures.iter().find(|failure| failure.is_refused_tree && failure.plugin == *plugin) {
            let why = &refused.message;
            return Err(Fault::hooks(format!(
                "{plugin} drew nothing on the {surface} surface: its hook was skipped, it {why}"
            )));
        }
        check_tree(surface, component, answer.map_err(Clone::clone)?)
            .map_err(|refusal| Fault::hooks(format!("{component} on the {surface} surface: {refusal}")))
    }

    /// Instances stay with their key and module; new ones start, those that are gone end.
    async fn seat_clients(self: &Arc<Self>, mods: &Arc<Mods>, drawings: &Drawings, tree: &Result<Value, Fault>) {
        let Ok(tree) = tree else { return };
        let mut left = self.clients();
        let mut seated = Vec::new();
        for wanted in super::client::wanted(tree) {
            let at = left.iter().position(|client| client.is_instance_of(&wanted));
            let client = match at {
                Some(at) => {
                    let client = left.swap_remove(at);
                    client.tell(mods, self, "setProps", wanted.props).await;
                    client
                }
                None => {
                    let layout = self.state.lock().layout.clone();
                    let module = drawings.module(mods, &wanted.plugin, &wanted.module);
                    Client::open(mods, self, module, wanted, &layout).await
                }
            };
            seated.push(client);
        }
        for client in left {
            client.close().await;
        }
        self.state.lock().clients = seated;
    }

    /// Lets one surface module hear something: that of the key, or the only one.
    ///
    /// # Errors
    /// There is no such module.
    pub(crate) async fn tell(
        self: &Arc<Self>,
        mods: &Arc<Mods>,
        key: Option<&str>,
        verb: &str,
        value: Value,
    ) -> Result<(), Fault> {
        self.client(key)?.tell(mods, self, verb, value).await;
        Ok(())
    }

    /// Whether it holds a surface module.
    pub(crate) fn has_clients(&self) -> bool {
        !self.clients().is_empty()
    }

    /// Lets every surface module hear it.
    pub(crate) async fn tell_all(self: &Arc<Self>, mods: &Arc<Mods>, verb: &str, value: Value) {
        for client in self.clients() {
            client.tell(mods, self, verb, value.clone()).await;
        }
    }

    /// Tells every surface module, also those that come later, something about the surface.
    pub(crate) async fn tell_fact(self: &Arc<Self>, mods: &Arc<Mods>, name: &str, value: Option<&Value>) {
        let facts = Value::object([(name, value.cloned().unwrap_or_default())]);
        self.state.lock().layout.learn(&facts);
        self.tell_all(mods, "setFacts", facts).await;
    }

    /// Nothing of it runs any more.
    pub(super) async fn end(&self, mods: &Arc<Mods>) {
        let (clients, render) = {
            let mut state = self.state.lock();
            (std::mem::take(&mut state.clients), state.render.clone())
        };
        for client in clients {
            client.close().await;
        }
        drop_handles(mods, render.issued());
    }
}

/// Tells isolates that callbacks of drawings that are gone will not be asked for.
fn drop_handles(mods: &Arc<Mods>, handles: impl IntoIterator<Item = Handle>) {
    let mut by_plugin: Vec<(Arc<str>, Vec<Value>)> = Vec::new();
    for (plugin, handle) in handles {
        match by_plugin.iter_mut().find(|(name, _)| *name == plugin) {
            Some((_, list)) => list.push(Value::from(handle)),
            None => by_plugin.push((plugin, vec![Value::from(handle)])),
        }
    }
    for (name, list) in by_plugin {
        let plugin = mods.plugin(&name);
        if let Some(isolate) = plugin.as_ref().and_then(|plugin| plugin.isolate()).cloned() {
            modgate_engine::inline::spawn(&mods.runtime, async move {
                // An isolate that is gone has dropped them already.
                let _ = isolate.call_kept(super::ENTRY, vec![Value::text("drop"), Value::from(list)]).await;
            });
        }
    }
}
