//! One test.

use std::sync::Arc;
use std::time::Instant;

use modgate_engine::{Boxed, Compiled, Fault, LoadError, Modules, Position, Pulled, Source, Thrown, compile};
use modgate_value::Value;
use parking_lot::Mutex;
use tokio::sync::OnceCell;

use super::TestOptions;
use super::core::TestCore;
use super::file::{Bench, test_spec};
use super::gate::Checks;
use super::kit::{Declared, Inline};
use super::options;
use crate::chain::Path;
use crate::load;
use crate::mods::{Mods, Origin};
use crate::plugin::{Plugin, PluginSpec, Tier};
use crate::report::{Collected, Report, codes};

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
}

impl Problem {
    pub(super) fn new(code: &str, message: impl Into<String>) -> Problem {
        Problem { code: code.into(), message: message.into(), position: None, stack: None }
    }

    fn thrown(code: &str, thrown: &Thrown) -> Problem {
        let message =
            if thrown.name.is_empty() { thrown.message.clone() } else { format!("{}: {}", thrown.name, thrown.message) };
        Problem { code: code.into(), message, position: thrown.position.clone(), stack: thrown.stack.clone() }
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
    test: Arc<Plugin>,
    loaded: OnceCell<Result<(), Fault>>,
    declared: Declared,
    folder: Arc<load::Folder>,
    tier: Tier,
    limits: modgate_engine::Limits,
    problems: Mutex<Vec<Problem>>,
}

impl Bout {
    /// Loads the mods at the first use of `$`: hooks that the test registers before that stand beneath them.
    async fn ready(&self) -> Result<(), Fault> {
        self.loaded.get_or_init(|| self.load()).await.clone()
    }

    async fn load(&self) -> Result<(), Fault> {
        let name = self.folder.name();
        let loading = async {
            let values = options::values(&self.folder.manifest, &self.declared.options)?;
            let spec = PluginSpec {
                name: name.clone(),
                tier: self.tier,
                root: Some(self.folder.root.clone()),
                hash: String::new(),
                options: values,
                uses: Value::Undefined,
            };
            self.seat(spec, self.folder.clone(), &self.folder.entry).await?;
            for plugin in &self.declared.plugins {
                self.seat_inline(plugin).await?;
            }
            Ok(())
        };
        let result: Result<(), Fault> = loading.await;
        self.mods.seat_gate(Tier::Builtin, Arc::new(Checks));
        self.mods.seat(self.test.clone());
        if let Err(fault) = &result {
            self.problems.lock().push(Problem::new("not-loaded", fault.message.clone()));
        }
        result
    }

    async fn seat_inline(&self, plugin: &Inline) -> Result<(), Fault> {
        let spec = PluginSpec {
            name: plugin.name.clone(),
            tier: plugin.tier,
            root: None,
            hash: String::new(),
            options: Value::object::<&str>([]),
            uses: Value::Undefined,
        };
        let text = Text { root: format!("/{}", plugin.name), source: plugin.source.clone() };
        self.seat(spec, Arc::new(text), TEXT_ENTRY).await
    }

    async fn seat(&self, spec: PluginSpec, modules: Arc<dyn Modules>, entry: &str) -> Result<(), Fault> {
        let plugin = load::load(&self.mods, spec, modules, entry, self.limits)
            .await
            .map_err(|error| Fault::hooks(error.to_string()))?;
        self.mods.seat(plugin);
        Ok(())
    }

    pub(super) async fn raise(&self, event: &str, input: Value) -> Result<Value, Fault> {
        self.ready().await?;
        self.mods.raise(event, input).await
    }

    pub(super) fn open(self: &Arc<Self>, event: String, input: Value) -> Box<dyn Source> {
        Box::new(Opening { bout: self.clone(), event, input: Some(input), source: None })
    }

    pub(super) async fn mount(&self, _target: Value) -> Result<Value, Fault> {
        self.ready().await?;
        Err(Fault::hooks("drawings cannot be mounted yet"))
    }

    pub(super) async fn act(&self, _id: Value, verb: &str, _fields: Value) -> Result<Value, Fault> {
        Err(Fault::hooks(format!("drawings cannot {verb} yet")))
    }

    /// Something failed where the chain would only skip a hook.
    pub(super) fn fault(&self, kind: &str, error: &Value, event: Option<&str>) {
        let name = error.str_at("name").unwrap_or("Error");
        let message = error.str_at("message").unwrap_or_default();
        let at = event.map(|event| format!(" (in a hook on {event})")).unwrap_or_default();
        let mut problem = Problem::new(kind, format!("{name}: {message}{at}"));
        problem.stack = error.str_at("stack").map(str::to_string);
        self.problems.lock().push(problem);
    }
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

/// Runs one test in mods of its own.
pub(super) async fn run_case(bench: &Bench, declared: &Declared, options: &TestOptions) -> CaseResult {
    let begun = Instant::now();
    let reports = Arc::new(Collected::default());
    let mods = Mods::builder(TestCore::new(), options.policy.clone(), options.runtime.clone())
        .reports(reports.clone())
        .cwd(bench.folder.root.to_string_lossy())
        .build();
    let test = Plugin::new(test_spec(&bench.folder), Arc::downgrade(&mods));
    *test.kit.lock() = Some(bench.kit.clone());
    if let Some(isolate) = bench.first.isolate() {
        test.seat(isolate.clone());
    }
    bench.host.serve(&test);
    let bout = Arc::new(Bout {
        mods,
        test,
        loaded: OnceCell::new(),
        declared: declared.clone(),
        folder: bench.folder.clone(),
        tier: bench.tier,
        limits: options.limits,
        problems: Mutex::default(),
    });
    bench.kit.serve(Some(bout.clone()));
    let mut problems = Vec::new();
    if let Some(isolate) = bench.first.isolate() {
        match tokio::time::timeout(declared.timeout, isolate.call_kept(declared.body, Vec::new())).await {
            Ok(Ok(_)) => {}
            Ok(Err(thrown)) => problems.push(Problem::thrown("threw", &thrown)),
            Err(_) => {
                let message = format!("did not end within {} ms", declared.timeout.as_millis());
                problems.push(Problem::new("timeout", message));
            }
        }
    }
    bench.kit.serve(None);
    let reports = reports.take();
    problems.extend(std::mem::take(&mut *bout.problems.lock()));
    problems.extend(reports.iter().filter_map(problem_of));
    dedup(&mut problems);
    CaseResult { title: declared.title.clone(), problems, reports, ms: begun.elapsed().as_secs_f64() * 1000.0 }
}

/// Reports that fail a test although the chain goes on: a stub's wrong answer, a rejection nobody handled.
fn problem_of(report: &Report) -> Option<Problem> {
    let code = match report.code {
        codes::ANSWER if report.plugin == "test" => "stub-answer",
        codes::UNHANDLED => "rejection-unhandled",
        _ => return None,
    };
    Some(Problem { position: report.position.clone(), ..Problem::new(code, report.message.clone()) })
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
