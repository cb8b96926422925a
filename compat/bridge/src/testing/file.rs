//! One test file: its isolate, and the tests it declares.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use modgate_engine::{Activity, Limits};
use modgate_value::Value;

use super::TestOptions;
use super::case::{CaseResult, Problem, check_load, run_case};
use super::kit::{Declared, Kit};
use super::rejections::{Rejections, TestReports};
use crate::load::{self, Folder};
use crate::mods::Mods;
use crate::plugin::{Plugin, PluginHost, PluginSpec, Tier};

/// What came of a file.
#[derive(Debug)]
pub struct FileResult {
    /// Its path inside the mod's folder.
    pub path: String,
    /// Its tests, in the order in which it declares them.
    pub cases: Vec<CaseResult>,
    /// What is wrong with the file as a whole.
    pub problem: Option<Problem>,
    /// The run was ended before all of its tests were over.
    pub is_stopped: bool,
    /// How long it took, in milliseconds.
    pub ms: f64,
}

impl FileResult {
    /// Whether everything in it passed.
    pub fn passed(&self) -> bool {
        !self.is_stopped && self.problem.is_none() && self.cases.iter().all(|case| case.problems.is_empty())
    }
}

/// The test files of a mod, by path.
pub fn test_files(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    collect(root, root, &mut found);
    found.sort();
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        // Links are not followed: a loop of them would have no end.
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && name != "node_modules" && !name.starts_with('.') {
            collect(root, &path, found);
        } else if kind.is_file()
            && (name.ends_with(".test.ts") || name.ends_with(".test.tsx"))
            && let Ok(inside) = path.strip_prefix(root)
        {
            found.push(inside.to_string_lossy().replace('\\', "/"));
        }
    }
}

/// The isolate of a test file, and what it has declared.
pub(super) struct Bench {
    pub(super) folder: Arc<Folder>,
    pub(super) kit: Arc<Kit>,
    pub(super) host: Arc<PluginHost>,
    /// Holds the isolate for as long as tests run.
    pub(super) first: Arc<Plugin>,
    pub(super) tier: Tier,
    /// Whether a test has loaded the mods.
    pub(super) has_loaded: AtomicBool,
    /// What its tests and the file itself left rejected.
    pub(super) rejections: Arc<Rejections>,
    /// Keeps who is told of what the file does beside its tests.
    _mods: Arc<Mods>,
    /// What runs in the file's isolate and in those of its tests.
    pub(super) activity: Arc<Activity>,
}

impl Bench {
    /// Returns once it is known what the file has left rejected up to now.
    pub(super) async fn flush(&self) {
        if let Some(isolate) = self.first.isolate() {
            isolate.flush().await;
        }
    }
}

pub(super) fn test_spec(folder: &Folder) -> PluginSpec {
    PluginSpec {
        name: "test".into(),
        tier: Tier::Builtin,
        root: Some(folder.root.clone()),
        hash: String::new(),
        options: Value::Undefined,
        uses: Value::Undefined,
    }
}

/// Runs the tests of one file, one after the other.
pub async fn run_file(folder: &Arc<Folder>, path: &str, options: &TestOptions) -> FileResult {
    let begun = Instant::now();
    let mut result =
        FileResult { path: path.to_string(), cases: Vec::new(), problem: None, is_stopped: false, ms: 0.0 };
    match open(folder, path, options).await {
        Err(problem) => result.problem = Some(problem),
        Ok((bench, declared)) => {
            if declared.is_empty() {
                result.problem = Some(Problem::new("no-tests", "the file declares no test"));
            }
            for test in declared.iter().filter(|test| (options.selects)(&test.title)) {
                let case = tokio::select! {
                    biased;
                    () = options.stop.cancelled() => {
                        result.is_stopped = true;
                        break;
                    }
                    case = run_case(&bench, test, options) => case,
                };
                (options.progress)(&case);
                result.cases.push(case);
            }
            let is_unloaded = !bench.has_loaded.load(Ordering::Relaxed) && !result.is_stopped;
            if let (Some(first), true, None) = (declared.first(), is_unloaded, &result.problem) {
                result.problem = check_load(&bench, first, options).await;
            }
            // It may only just have been caused.
            let _ = bench.activity.settled().await;
            bench.flush().await;
            result.cases.extend(left_over(bench.rejections.take()));
        }
    }
    result.ms = begun.elapsed().as_secs_f64() * 1000.0;
    result
}

/// Rejections that nobody handled, as one more entry of the file: only at its end is it known.
fn left_over(problems: Vec<Problem>) -> Option<CaseResult> {
    let title = "at the end of the file: every rejection is handled".to_string();
    (!problems.is_empty()).then(|| CaseResult { title, problems, reports: Vec::new(), ms: 0.0 })
}

async fn open(folder: &Arc<Folder>, path: &str, options: &TestOptions) -> Result<(Bench, Vec<Declared>), Problem> {
    let rejections = Arc::<Rejections>::default();
    let mods =
        Mods::builder(super::core::TestCore::new(Arc::default()), options.policy.clone(), options.runtime.clone())
            .reports(TestReports::new(&rejections))
            .spares(options.spares.clone())
            .build();
    let kit = Arc::new(Kit::default());
    let plugin = Plugin::new(test_spec(folder), Arc::downgrade(&mods));
    *plugin.kit.lock() = Some(kit.clone());
    let host = Arc::new(PluginHost::new(Arc::downgrade(&plugin)));
    let limits = Limits { load: options.load, ..options.limits };
    let inner = vec![load::claude_code(), load::testing_kit()];
    load::seat_isolate(&mods, &plugin, folder.clone(), inner, limits, host.clone())
        .map_err(|error| Problem::new("not-started", error.to_string()))?;
    if let Some(isolate) = plugin.isolate() {
        isolate.load(path, None).await.map_err(|error| Problem::load(&error))?;
        isolate.flush().await;
    }
    let (declared, tier) = kit.declared();
    let activity = mods.activity.clone();
    let bench = Bench {
        folder: folder.clone(),
        kit,
        host,
        first: plugin,
        tier,
        has_loaded: AtomicBool::new(false),
        rejections,
        _mods: mods,
        activity,
    };
    Ok((bench, declared))
}
