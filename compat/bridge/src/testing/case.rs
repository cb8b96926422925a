//! One test.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use modgate_engine::{Boxed, Compiled, Fault, LoadError, Modules, Position, Pulled, Source, Thrown, compile};
use modgate_value::Value;
use parking_lot::Mutex;
use tokio::sync::OnceCell;

use super::TestOptions;
use super::comparison::{Comparison, place};
use super::core::{Stored, TestCore};
use super::file::{Bench, test_spec};
use super::gate::{Checks, TEST};
use super::kit::{Declared, Inline};
use super::options;
use super::rejections::TestReports;
use crate::chain::Path;
use crate::load;
use crate::mods::{Mods, Origin};
use crate::plugin::{Plugin, PluginSpec, Tier};
use crate::report::{Report, codes};
use crate::ui::{self, Drawings};

/// Something because of which a test did not pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// A stable name: `threw`, `timeout`, `expect`, `stub-answer`, `not-loaded`, `rejection-unhandled`, ...
    pub code: String,
    /// For people.
    pub message: String,
    /// Where in the test file or the mod.
    pub position: Option<Position>,
    /// The stack in terms of the source.
    pub stack: Option<String>,
    /// What was compared, where an expectation did not hold.
    pub comparison: Option<Comparison>,
}

impl Problem {
    pub(super) fn new(code: &str, message: impl Into<String>) -> Problem {
        Problem { code: code.into(), message: message.into(), position: None, stack: None, comparison: None }
    }

    pub(super) fn thrown(code: &str, thrown: &Thrown) -> Problem {
        let message = if thrown.name.is_empty() {
            thrown.message.clone()
        } else {
            format!("{}: {}", thrown.name, thrown.message)
        };
        Problem {
            code: code.into(),
            message,
            position: thrown.position.clone(),
            stack: thrown.stack.clone(),
            comparison: None,
        }
    }

    pub(super) fn load(error: &LoadError) -> Problem {
        match error {
            LoadError::Threw(thrown) => Problem::thrown("not-loaded", thrown),
            other => Problem::new("not-loaded", other.to_string()),
        }
    }
}

/// What came of a test.
#[derive(Debug)]
pub struct CaseResult {
    /// Its title, with the groups around it.
    pub title: String,
    /// Why it did not pass; empty when it did.
    pub problems: Vec<Problem>,
    /// Hooks that the chain skipped meanwhile, and the like.
    pub reports: Vec<Report>,
    /// How long it took, in milliseconds.
    pub ms: f64,
}

/// A test that runs: its mods, and what went wrong beside its body.
pub(super) struct Bout {
    pub(super) mods: Arc<Mods>,
    pub(super) drawings: Arc<Drawings>,
    test: Arc<Plugin>,
    loaded: OnceCell<Result<(), Fault>>,
    declared: Declared,
    folder: Arc<load::Folder>,
    tier: Tier,
    limits: modgate_engine::Limits,
    problems: Mutex<Vec<Problem>>,
    compared: Mutex<Vec<(String, Comparison)>>,
}

impl Bout {
    /// Loads the mods at the first use of `$`: hooks that the test registers before that stand beneath them.
    pub(super) async fn ready(&self) -> Result<(), Fault> {
        self.loaded.get_or_init(|| self.load()).await.clone()
    }

    /// The test's own hooks join first and make a `$` of their own. Then everybody is loaded, `$` is made of all of them,
    /// and each is asked about those that join after it: the managed mods, those that come with the host, the test, the
    /// installed ones.
    async fn load(&self) -> Result<(), Fault> {
        self.names_are_free()?;
        self.mods.seat(self.test.clone());
        // A hook on a call that another mod provides is no mistake yet.
        let _ = self.mods.create().await;
        self.mods.unseat(self.test.name());
        let (mut joined, mut refused) = (Vec::new(), Vec::new());
        for (_, plugin) in self.joining() {
            let seated = match plugin {
                None => self.seat_folder().await,
                Some(plugin) => self.seat_inline(plugin).await,
            };
            match seated {
                Ok(plugin) => joined.push(plugin),
                Err(fault) => refused.push(fault.message),
            }
        }
        if !refused.is_empty() {
            return Err(Fault::hooks(refused.join("\n")));
        }
        self.mods.seat_gate(Tier::Builtin, Arc::new(Checks));
        self.mods.seat(self.test.clone());
        joined.push(self.joined_test());
        self.create().await?;
        joined.sort_by_key(|joined| (joined.tier == Tier::User, joined.is_test, joined.tier));
        let names: Vec<String> = joined.iter().map(|joined| joined.name.clone()).collect();
        for (at, joined) in joined.into_iter().enumerate() {
            self.mods.judged(&joined.name, joined.input, Some(&names[..at])).await?;
        }
        ui::raise(&self.mods).await;
        Ok(())
    }

    /// The test has made its `$` already; it is asked again only where another mod has a say.
    async fn create(&self) -> Result<(), Fault> {
        let event = Arc::from("engine.create");
        let plugins = self.mods.plugins();
        let mut others = plugins.iter().filter(|plugin| plugin.name() != TEST);
        if others.any(|plugin| !plugin.hooks_on(&event).is_empty()) {
            return self.mods.create().await;
        }
        self.mods.share()
    }

    /// Everybody has a name of their own; some are the engine's.
    fn names_are_free(&self) -> Result<(), Fault> {
        let own = self.folder.name();
        if own == TEST || self.declared.plugins.iter().any(|plugin| plugin.name == own) {
            return Err(Fault::hooks(format!("test: {own} is loaded twice")));
        }
        let beside = self.declared.plugins.iter().map(|plugin| plugin.name.as_str());
        match std::iter::once(own.as_str()).chain(beside).find(|name| matches!(*name, "core" | "engine")) {
            Some(name) => Err(Fault::hooks(format!("{name}: {}", not_loaded("the name is the engine's own")))),
            None => Ok(()),
        }
    }

    /// The mod under test and the plugins beside it, by tier; within one the mod under test is first.
    fn joining(&self) -> Vec<(&Tier, Option<&Inline>)> {
        let beside = self.declared.plugins.iter().map(|plugin| (&plugin.tier, Some(plugin)));
        let mut joining: Vec<_> = std::iter::once((&self.tier, None)).chain(beside).collect();
        joining.sort_by_key(|(tier, _)| **tier);
        joining
    }

    fn joined_test(&self) -> Joined {
        let events = self.test.patterns().into_iter().map(Value::from);
        let uses = Value::object([("events", Value::list(events)), ("calls", Value::list([]))]);
        let spec = PluginSpec { uses, root: None, ..self.test.spec.clone() };
        Joined { is_test: true, ..Joined::new(&spec, None, TEXT_ENTRY) }
    }

    async fn seat_folder(&self) -> Result<Joined, Fault> {
        let name = self.folder.name();
        let named = |why: String| Fault::hooks(format!("{name}: {}", not_loaded(&why)));
        let values =
            options::values(&self.folder.manifest, &self.declared.options).map_err(|fault| named(fault.message))?;
        let checked = self.bench_check().map_err(|why| named(why.join("; ")))?;
        let spec = PluginSpec {
            name: name.clone(),
            tier: self.tier,
            root: Some(self.folder.root.clone()),
            hash: String::new(),
            options: values,
            uses: checked.uses,
        };
        let version = self.folder.manifest.get("version").and_then(serde_json::Value::as_str);
        let joined = Joined::new(&spec, version, &self.folder.entry);
        self.seat(spec, self.folder.clone(), &self.folder.entry).await.map_err(|error| named(error.reason()))?;
        Ok(joined)
    }

    fn bench_check(&self) -> Result<load::Checked, Vec<String>> {
        self.folder.checked(self.tier)
    }

    async fn seat_inline(&self, plugin: &Inline) -> Result<Joined, Fault> {
        let refused = |why: String| Fault::hooks(format!("{}: {}", plugin.name, not_loaded(&why)));
        let checked =
            load::check_text(&plugin.name, &plugin.source, plugin.tier).map_err(|why| refused(why.join("; ")))?;
        let spec = PluginSpec {
            name: plugin.name.clone(),
            tier: plugin.tier,
            root: None,
            hash: String::new(),
            options: Value::object::<&str>([]),
            uses: checked.uses,
        };
        let joined = Joined::new(&spec, None, TEXT_ENTRY);
        let text = Text { root: format!("/{}", plugin.name), source: plugin.source.clone() };
        self.seat(spec, Arc::new(text), TEXT_ENTRY).await.map_err(|error| refused(error.reason()))?;
        Ok(joined)
    }

    async fn seat(&self, spec: PluginSpec, modules: Arc<dyn Modules>, entry: &str) -> Result<(), load::ModError> {
        let plugin = load::load(&self.mods, spec, modules, entry, self.limits).await?;
        self.mods.seat(plugin);
        Ok(())
    }

    pub(super) async fn raise(&self, event: &str, input: Value) -> Result<Value, Fault> {
        self.ready().await?;
        if event == "ui.render" {
            return self.render(input).await;
        }
        if event == "session.append" {
            let core = Stored::new(self.mods.core.clone(), &input);
            return self.mods.raise_over(event, input, Origin::engine(), Path::default(), core).await;
        }
        let input = if event == "skill.prompt" { of_a_skill(input) } else { input };
        self.mods.raise(event, input).await
    }

    pub(super) fn open(self: &Arc<Self>, event: String, input: Value) -> Box<dyn Source> {
        Box::new(Opening { bout: self.clone(), event, input: Some(input), source: None })
    }

    pub(super) fn problem(&self, problem: Problem) {
        self.problems.lock().push(problem);
    }

    /// The body is about to throw the error of that message.
    pub(super) fn compared(&self, message: String, parts: &Value) {
        if let Some(comparison) = Comparison::read(parts) {
            self.compared.lock().push((message, comparison));
        }
    }

    fn comparison_of(&self, thrown: &Thrown) -> Option<Comparison> {
        let mut compared = self.compared.lock();
        let at = compared.iter().position(|(message, _)| *message == thrown.message)?;
        Some(compared.swap_remove(at).1)
    }

    /// Something failed where the chain would only skip a hook.
    pub(super) fn fault(&self, kind: &str, error: &Value, event: Option<&str>) {
        let name = error.str_at("name").unwrap_or("Error");
        let message = error.str_at("message").unwrap_or_default();
        let at = event.map(|event| format!(" (in a hook on {event})")).unwrap_or_default();
        let mut problem = Problem::new(kind, format!("{name}: {message}{at}"));
        problem.stack = error.str_at("stack").map(str::to_string);
        problem.position = problem.stack.as_deref().and_then(|stack| place(stack, &self.folder.root.to_string_lossy()));
        problem.comparison = error.get("comparison").and_then(Comparison::read);
        self.problems.lock().push(problem);
    }
}

/// A mod of a test, and what the others are told when they are asked about it.
struct Joined {
    name: String,
    tier: Tier,
    is_test: bool,
    input: Value,
}

/// What else a mod may bring; a test loads its hooks alone.
const COMPONENTS: [&str; 11] = [
    "hooks",
    "mcpServers",
    "lspServers",
    "monitors",
    "skills",
    "commands",
    "agents",
    "outputStyles",
    "themes",
    "workflows",
    "bin",
];

impl Joined {
    fn new(spec: &PluginSpec, version: Option<&str>, entry: &str) -> Joined {
        let root = spec.root.as_ref().map_or_else(|| format!("/{}", spec.name), |root| root.to_string_lossy().into());
        let module = Value::object([("path", Value::text(entry))]);
        let provides = std::iter::once(("modules", Value::list([module])))
            .chain(COMPONENTS.into_iter().map(|component| (component, Value::list([]))));
        let fields = [
            ("name", Value::text(&spec.name)),
            ("tier", Value::text(spec.tier.as_str())),
            ("root", Value::text(root)),
            ("version", version.map_or(Value::Undefined, Value::text)),
            ("provenance", Value::text(format!("{}@claude-plugin-test", spec.name))),
            ("uses", spec.uses.clone()),
            ("provides", Value::object(provides)),
            ("unread", Value::list([])),
        ];
        let input = Value::object(fields.into_iter().filter(|(_, value)| !value.is_undefined()));
        Joined { name: spec.name.clone(), tier: spec.tier, is_test: false, input }
    }
}

/// What the engine says of a skill that a test makes up.
fn of_a_skill(mut input: Value) -> Value {
    for (field, value) in [("frontmatter", Value::object::<&str>([])), ("source", Value::text("built-in"))] {
        if input.get(field).is_none() {
            input = input.with(field, value);
        }
    }
    input
}

fn not_loaded(why: &str) -> String {
    format!("hooks module did not load: {why}")
}

/// The one module of a plugin that is given as text.
const TEXT_ENTRY: &str = "register.ts";

struct Text {
    root: String,
    source: String,
}

impl Modules for Text {
    fn resolve(&self, specifier: &str, _referrer: &str) -> Result<String, Fault> {
        Err(Fault::hooks(format!("a plugin written out in a test imports nothing, not {specifier:?}")))
    }

    fn load(&self, path: &str) -> Result<Compiled, Fault> {
        compile(path, &self.source).map_err(|error| Fault::named("SyntaxError", error.to_string()))
    }

    fn root(&self) -> &str {
        &self.root
    }
}

/// A stream that waits for the mods to be loaded.
struct Opening {
    bout: Arc<Bout>,
    event: String,
    input: Option<Value>,
    source: Option<Box<dyn Source>>,
}

impl Source for Opening {
    fn pull(&mut self) -> Boxed<'_, Result<Pulled, Fault>> {
        Box::pin(async move {
            if let Some(input) = self.input.take() {
                self.bout.ready().await?;
                let mods = &self.bout.mods;
                self.source = Some(mods.open(&self.event, input, Origin::engine(), Path::default(), mods.core.clone()));
            }
            match &mut self.source {
                Some(source) => source.pull().await,
                None => Ok(Pulled::Done(Value::Undefined)),
            }
        })
    }

    fn close(&mut self) {
        if let Some(source) = &mut self.source {
            source.close();
        }
    }
}

/// The mods of one test, none of them loaded yet.
fn prepare(bench: &Bench, declared: &Declared, options: &TestOptions, reports: &Arc<TestReports>) -> Arc<Bout> {
    let drawings = Arc::new(Drawings::default());
    let mods = Mods::builder(TestCore::new(drawings.clone()), options.policy.clone(), options.runtime.clone())
        .reports(reports.clone())
        .spares(options.spares.clone())
        .activity(bench.activity.clone())
        .cwd(bench.folder.root.to_string_lossy())
        .in_test()
        .build();
    let test = Plugin::new(test_spec(&bench.folder), Arc::downgrade(&mods));
    *test.kit.lock() = Some(bench.kit.clone());
    if let Some(isolate) = bench.first.isolate() {
        test.seat(isolate.clone());
    }
    bench.host.serve(&test);
    Arc::new(Bout {
        mods,
        drawings,
        test,
        loaded: OnceCell::new(),
        declared: declared.clone(),
        folder: bench.folder.clone(),
        tier: bench.tier,
        limits: options.limits,
        problems: Mutex::default(),
        compared: Mutex::default(),
    })
}

/// Loads the mod as that test would, for files whose tests never use `$`. Gives why it does not load.
pub(super) async fn check_load(bench: &Bench, declared: &Declared, options: &TestOptions) -> Option<Problem> {
    let bout = prepare(bench, declared, options, &TestReports::new(&bench.rejections));
    bout.ready().await.err().map(|fault| Problem::new("not-loaded", fault.message))
}

/// Runs one test in mods of its own.
pub(super) async fn run_case(bench: &Bench, declared: &Declared, options: &TestOptions) -> CaseResult {
    let begun = Instant::now();
    let reports = TestReports::new(&bench.rejections);
    bench.rejections.during(Some(&declared.title));
    let bout = prepare(bench, declared, options, &reports);
    bench.kit.serve(Some(bout.clone()));
    let mut problems = Vec::new();
    if let Some(isolate) = bench.first.isolate() {
        match tokio::time::timeout(declared.timeout, isolate.call_kept(declared.body, Vec::new())).await {
            Ok(Ok(_)) => {}
            Ok(Err(thrown)) => {
                let comparison = bout.comparison_of(&thrown);
                problems.push(Problem { comparison, ..Problem::thrown("threw", &thrown) });
            }
            Err(_) => {
                let message = format!("did not end within {} ms", declared.timeout.as_millis());
                problems.push(Problem::new("timeout", message));
            }
        }
    }
    // What a mod does from here on belongs to no test.
    bout.mods.retire().await;
    bench.kit.serve(None);
    bench.has_loaded.fetch_or(bout.loaded.initialized(), Ordering::Relaxed);
    bout.drawings.end(&bout.mods).await;
    bench.flush().await;
    bench.host.serve(&bench.first);
    bench.rejections.during(None);
    let reports = reports.collected.take();
    problems.extend(std::mem::take(&mut *bout.problems.lock()));
    problems.extend(reports.iter().filter_map(problem_of));
    dedup(&mut problems);
    CaseResult { title: declared.title.clone(), problems, reports, ms: begun.elapsed().as_secs_f64() * 1000.0 }
}

/// A report that fails a test although the chain goes on: a stub's wrong answer.
fn problem_of(report: &Report) -> Option<Problem> {
    let is_stub = report.code == codes::ANSWER && report.plugin == TEST;
    is_stub
        .then(|| Problem { position: report.position.clone(), ..Problem::new("stub-answer", report.message.clone()) })
}

/// The same failure seen twice: a failed expectation in a stub also rejects the call that the body awaits.
fn dedup(problems: &mut Vec<Problem>) {
    let mut seen: Vec<String> = Vec::new();
    problems.retain(|problem| {
        let is_new = !seen.contains(&problem.message);
        seen.push(problem.message.clone());
        is_new
    });
}
