//! Surface modules (`Client`): one isolate a module, without `$`, and its instances.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use modgate_catalog::elements::{self, check_tree};
use modgate_engine::{
    Beneath, Boxed, DollarCall, Fault, Host, Isolate, IsolateSpec, Limit, Limits, LoadError, Registration, Reply,
    Thrown,
};
use modgate_value::{Map, Value};
use parking_lot::Mutex;
use tokio::sync::OnceCell;

use super::Drawing;
use crate::chain::{Core, Path, Raised};
use crate::mods::{Mods, Origin};
use crate::report::{Report, codes};

/// How long one call into a surface module may take.
const CALL: Duration = Duration::from_secs(1);
/// How often in a row an answer to what an instance posts may make it post again.
const MOST_POSTS: usize = 50;
/// What a surface module may draw.
const ELEMENTS: [&str; 8] = ["Box", "Text", "Button", "Input", "Select", "Link", "Code", "Markdown"];

/// A `Client` as it stands in a tree.
pub(super) struct Wanted {
    pub(super) plugin: String,
    pub(super) module: String,
    pub(super) key: String,
    pub(super) props: Value,
}

/// The Clients of a tree, in document order.
pub(super) fn wanted(tree: &Value) -> Vec<Wanted> {
    let mut found = Vec::new();
    collect(tree, &mut found);
    found
}

fn collect(node: &Value, found: &mut Vec<Wanted>) {
    if let (Some("Client"), Some(props), Some(owner)) = (node.str_at("type"), node.get("props"), node.get("client")) {
        let text = |field: &str| props.str_at(field).unwrap_or_default().to_string();
        found.push(Wanted {
            plugin: owner.str_at("plugin").unwrap_or_default().to_string(),
            module: text("module"),
            key: text("key"),
            props: props.get("props").cloned().unwrap_or_default(),
        });
    }
    for child in node.get("children").and_then(Value::as_array).unwrap_or_default() {
        collect(child, found);
    }
}

/// What a surface says of the place of an instance.
#[derive(Clone)]
pub(super) struct Layout {
    columns: Value,
    rows: Value,
    /// `beneath`, `isWindowFocused`, `isMotionReduced`, where they were told.
    facts: Map,
}

impl Layout {
    pub(super) fn of(viewport: Option<&Value>) -> Layout {
        let cells = |field: &str| viewport.and_then(|viewport| viewport.get(field)).cloned().unwrap_or(Value::from(0));
        Layout { columns: cells("columns"), rows: cells("rows"), facts: Map::new() }
    }

    /// Later instances are told as well.
    pub(super) fn learn(&mut self, facts: &Value) {
        for (name, value) in facts.as_object().into_iter().flatten() {
            self.facts.insert(name.clone(), value.clone());
        }
    }
}

/// A surface module in its isolate.
pub(super) struct SurfaceModule {
    path: String,
    isolate: Result<Isolate, Fault>,
    loaded: OnceCell<Result<(), Fault>>,
    last: AtomicU32,
}

impl SurfaceModule {
    pub(super) fn new(mods: &Arc<Mods>, plugin: &str, path: &str) -> Arc<SurfaceModule> {
        Arc::new(SurfaceModule {
            path: path.to_string(),
            isolate: start(mods, plugin, path),
            loaded: OnceCell::new(),
            last: AtomicU32::new(0),
        })
    }

    async fn isolate(&self) -> Result<&Isolate, Fault> {
        let isolate = self.isolate.as_ref().map_err(Clone::clone)?;
        let load = async {
            isolate.load(&self.path, None).await.map_err(|error| match error {
                LoadError::Threw(thrown) => Fault::hooks(thrown.message),
                other => Fault::hooks(other.to_string()),
            })
        };
        self.loaded.get_or_init(|| load).await.clone().map(|()| isolate)
    }

    async fn ask(&self, verb: &str, args: impl IntoIterator<Item = Value>) -> Result<Value, Fault> {
        let isolate = self.isolate().await?;
        let args = std::iter::once(Value::text(verb)).chain(args).collect();
        match tokio::time::timeout(CALL, isolate.call_kept(super::ENTRY, args)).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(thrown)) => Err(Fault::hooks(thrown.message)),
            Err(_) => Err(Fault::hooks(format!("{verb} took longer than {} ms", CALL.as_millis()))),
        }
    }
}

fn start(mods: &Arc<Mods>, plugin: &str, path: &str) -> Result<Isolate, Fault> {
    let owner = mods.plugin(plugin).ok_or_else(|| Fault::hooks(format!("{plugin} is not loaded")))?;
    let modules = owner.modules().ok_or_else(|| Fault::hooks(format!("{plugin} has no modules")))?;
    modules.resolve(&format!("./{path}"), "")?;
    let isolate = Isolate::start(IsolateSpec {
        name: format!("{plugin}/{path}"),
        modules,
        inner: vec![crate::load::claude_code()],
        host: Arc::new(SurfaceHost { mods: Arc::downgrade(mods), plugin: plugin.to_string() }),
        limits: Limits { hook: CALL, ..Limits::default() },
        activity: mods.activity.clone(),
        runtime: mods.runtime.clone(),
        spares: mods.spares.clone(),
    })
    .map_err(|error| Fault::hooks(format!("{path} cannot be started: {error}")))?;
    // In the place of a table for `$`: there is none.
    isolate.set_table(Value::Null);
    Ok(isolate)
}

/// What a surface module may ask for: nothing but lines of its console.
struct SurfaceHost {
    mods: std::sync::Weak<Mods>,
    plugin: String,
}

impl Host for SurfaceHost {
    fn registered(&self, _: Registration) -> Result<(), Fault> {
        Err(Fault::named("TypeError", "a surface module has no hooks"))
    }

    fn caught(&self, _: u32) {}

    fn call(&self, call: DollarCall, _: Option<Arc<dyn Beneath>>, reply: Reply) {
        reply.settle(Err(Fault::hooks(format!("a surface module has no $.{}", call.name))));
    }

    fn host(&self, name: &str, _: Vec<Value>, _: Reply) -> Result<Value, Fault> {
        Err(Fault::hooks(format!("{name} is not there for surface modules")))
    }

    /// What is drawn does not depend on it.
    fn rejected(&self, _: u32, thrown: Thrown) {
        self.log("unhandled", thrown.message);
    }

    fn handled(&self, _: u32) {}

    fn log(&self, level: &str, text: String) {
        if let Some(mods) = self.mods.upgrade() {
            mods.log(&self.plugin, level, &text);
        }
    }

    /// The call that is under way fails, and with it the instance.
    fn limit(&self, _: Limit) {}
}

struct State {
    tree: Option<Value>,
    fault: Option<Fault>,
}

/// An instance of a surface module.
pub(crate) struct Client {
    id: u32,
    plugin: String,
    /// By which the drawing names it.
    pub(super) key: String,
    path: String,
    module: Arc<SurfaceModule>,
    state: Mutex<State>,
}

impl Client {
    /// Starts an instance and draws it.
    pub(super) async fn open(
        mods: &Arc<Mods>,
        drawing: &Arc<Drawing>,
        module: Arc<SurfaceModule>,
        wanted: Wanted,
        layout: &Layout,
    ) -> Arc<Client> {
        let id = module.last.fetch_add(1, Ordering::Relaxed) + 1;
        let state = State { tree: None, fault: None };
        let Wanted { plugin, module: path, key, props } = wanted;
        let client = Arc::new(Client { id, plugin, key, path, module, state: Mutex::new(state) });
        let names = elements::surface(&drawing.target.surface).unwrap_or_default();
        let given = Value::object([
            ("plugin", Value::text(&client.plugin)),
            ("names", Value::list(names.iter().map(Value::text))),
            ("props", props),
            ("columns", layout.columns.clone()),
            ("rows", layout.rows.clone()),
        ]);
        let opened = client.module.ask("open", [Value::from(id), given]).await;
        match opened {
            Err(fault) => client.fail(mods, fault),
            Ok(_) if layout.facts.is_empty() => client.frames(mods, drawing).await,
            Ok(_) => client.tell(mods, drawing, "setFacts", Value::from(layout.facts.clone())).await,
        }
        client
    }

    /// Also where it has failed: nothing but another drawing brings it back.
    pub(super) fn is_instance_of(&self, wanted: &Wanted) -> bool {
        (&self.plugin, &self.key, &self.path) == (&wanted.plugin, &wanted.key, &wanted.module)
    }

    /// What it drew last.
    ///
    /// # Errors
    /// It has failed, or drew nothing.
    pub(crate) fn tree(&self) -> Result<Value, Fault> {
        let state = self.state.lock();
        match (&state.fault, &state.tree) {
            (Some(fault), _) => Err(fault.clone()),
            (None, Some(tree)) => Ok(tree.clone()),
            (None, None) => Err(Fault::hooks(format!("the Client {} drew nothing", self.key))),
        }
    }

    /// Ends it: what throws in a surface module is reported, and goes no further.
    fn fail(&self, mods: &Mods, fault: Fault) {
        let message = format!("Client {}: {}", self.path, fault.message);
        mods.report(Report::new(codes::CLIENT, &self.plugin, format!("{message}; the instance has ended")));
        self.state.lock().fault.get_or_insert(Fault::hooks(format!("{}: {message}", self.plugin)));
    }

    fn has_failed(&self) -> bool {
        self.state.lock().fault.is_some()
    }

    /// Lets it hear something, and draws what changed by it. An instance that has failed hears nothing.
    pub(super) async fn tell(&self, mods: &Arc<Mods>, drawing: &Arc<Drawing>, verb: &str, value: Value) {
        if self.has_failed() {
            return;
        }
        match self.module.ask("tell", [Value::from(self.id), Value::text(verb), value]).await {
            Ok(_) => self.frames(mods, drawing).await,
            Err(fault) => self.fail(mods, fault),
        }
    }

    /// Runs the callback of a control that it drew.
    pub(super) async fn act(&self, mods: &Arc<Mods>, drawing: &Arc<Drawing>, handle: u32, event: Value) {
        match self.module.ask("act", [Value::from(self.id), Value::from(handle), event]).await {
            Ok(_) => self.frames(mods, drawing).await,
            Err(fault) => self.fail(mods, fault),
        }
    }

    /// Draws until it rests. What it posts goes to its mod, whose answer may be new props.
    async fn frames(&self, mods: &Arc<Mods>, drawing: &Arc<Drawing>) {
        for _ in 0..MOST_POSTS {
            let posted = match self.frame(drawing).await {
                Ok(posted) => posted,
                Err(fault) => return self.fail(mods, fault),
            };
            let Some(data) = posted else { return };
            if !self.post_once(mods, drawing, Origin::client(), data).await {
                return;
            }
        }
        self.fail(mods, Fault::hooks("it posts again whenever it is answered"));
    }

    async fn frame(&self, drawing: &Drawing) -> Result<Option<Value>, Fault> {
        let frame = self.module.ask("frame", [Value::from(self.id)]).await?;
        if let Some(tree) = frame.get("tree") {
            let Drawing { target, .. } = drawing;
            let refused = |why: String| Fault::hooks(format!("returned a tree that the surface refuses: {why}"));
            let drawn = check_tree(&target.surface, "Client", tree).map_err(|refusal| refused(refusal.to_string()))?;
            foreign(&drawn).map_or(Ok(()), |name| Err(refused(format!("{name} is not there for surface modules"))))?;
            self.state.lock().tree = Some(drawn);
        }
        if frame.get("tooLarge").is_some() {
            return Err(Fault::hooks("it posted more than may be sent"));
        }
        Ok(frame.get("post").cloned())
    }

    /// Sends what was posted as if by the instance, and draws what comes of the answer.
    pub(crate) async fn post(&self, mods: &Arc<Mods>, drawing: &Arc<Drawing>, data: Value) {
        if !self.has_failed() && self.post_once(mods, drawing, Origin::engine(), data).await {
            self.frames(mods, drawing).await;
        }
    }

    /// Whether the instance has heard an answer.
    async fn post_once(&self, mods: &Arc<Mods>, drawing: &Drawing, origin: Origin, data: Value) -> bool {
        let target = &drawing.target;
        let input = Value::object([
            ("surface", Value::text(&target.surface)),
            ("component", Value::text(&target.component)),
            ("requestId", Value::text(&target.request_id)),
            ("element", Value::text(&self.key)),
            ("module", Value::text(&self.path)),
            ("data", data),
        ]);
        let core = Arc::new(Posted(self.plugin.clone()));
        let answer = mods.raise_over("ui.message", input, origin, Path::default(), core).await;
        let Some(props) =
            answer.ok().and_then(|answer| answer.get("props").cloned()).filter(|props| !props.is_undefined())
        else {
            return false;
        };
        match self.module.ask("tell", [Value::from(self.id), Value::text("setProps"), props]).await {
            Ok(_) => true,
            Err(fault) => {
                self.fail(mods, fault);
                false
            }
        }
    }

    pub(super) fn plugin(&self) -> &str {
        &self.plugin
    }

    pub(super) async fn close(&self) {
        // One that failed to load has nothing to end.
        let _ = self.module.ask("close", [Value::from(self.id)]).await;
    }
}

/// An element that a surface module may not draw.
fn foreign(node: &Value) -> Option<String> {
    let name = node.str_at("type")?;
    if !ELEMENTS.contains(&name) {
        return Some(name.to_string());
    }
    node.get("children").and_then(Value::as_array).unwrap_or_default().iter().find_map(foreign)
}

/// Beneath `ui.message`: nobody else has an answer. Only the mod whose module posted it is asked.
struct Posted(String);

impl Core for Posted {
    fn answer(self: Arc<Self>, _: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async { Ok(Value::object::<&str>([])) })
    }

    fn owner(&self) -> Option<&str> {
        Some(&self.0)
    }
}
