//! A session in a directory of its own, and contributors made of closures.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::point::{LoggedCall, ToolLifecycle, ToolOutcome};
use modgate_harness::record::{Row, ToolResultRow};
use modgate_harness::report::ContributorError;
use modgate_harness::script::{RunOptions, RunOutcome, Scenario, resume, run};
use modgate_harness::session::Execution;
use modgate_harness::{Registry, SessionHandle, SessionPolicy};

/// A scratch directory with a working directory and a place for the record.
pub struct Place {
    _scratch: tempfile::TempDir,
    pub work: PathBuf,
    pub record: PathBuf,
}

impl Place {
    pub fn new() -> Place {
        Place::with(tempfile::tempdir().unwrap())
    }

    /// In memory where the system has such a place, for tests that write very many rows. Files there may not be
    /// executable.
    pub fn in_memory() -> Place {
        Place::with(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn with(scratch: tempfile::TempDir) -> Place {
        let root = scratch.path().canonicalize().unwrap();
        let work = root.join("work");
        std::fs::create_dir(&work).unwrap();
        Place { _scratch: scratch, work, record: root.join("record.jsonl") }
    }

    pub fn options(&self, registry: Registry, policy: SessionPolicy) -> RunOptions {
        RunOptions { registry, policy, ..RunOptions::new(&self.record, &self.work) }
    }

    pub fn file(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.work.join(name)).ok()
    }
}

pub fn scenario(text: &str) -> Scenario {
    Scenario::parse(text, "scenario.toml").unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
pub fn block<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(future)
}

/// Plays a scenario and fails where its expectations are not met.
#[track_caller]
pub fn play(text: &str, registry: Registry, policy: SessionPolicy) -> (Place, RunOutcome) {
    let place = Place::new();
    let scenario = scenario(text);
    let outcome = block(run(&scenario, place.options(registry, policy))).unwrap();
    assert_eq!(outcome.mismatches, [], "rows: {:#?}", outcome.rows);
    (place, outcome)
}

pub fn go_on(place: &Place, text: &str, registry: Registry) -> RunOutcome {
    block(resume(&scenario(text), place.options(registry, SessionPolicy::default()))).unwrap()
}

pub fn rows<'a>(rows: &'a [Row], kind: &str) -> Vec<&'a Row> {
    rows.iter().filter(|row| row.kind == kind).collect()
}

pub fn codes(all: &[Row]) -> Vec<String> {
    rows(all, "mod/report").iter().map(|row| row.data["code"].as_str().unwrap().to_owned()).collect()
}

pub fn results(all: &[Row]) -> Vec<ToolResultRow> {
    rows(all, "tool/result").into_iter().map(|row| row.parse().unwrap()).collect()
}

/// Copies every row up to and with that number, as a record cut there would have them.
pub fn cut(record: &Path, rows: usize, extra: &[u8]) {
    let bytes = std::fs::read(record).unwrap();
    let mut kept: Vec<u8> = bytes.split_inclusive(|byte| *byte == b'\n').take(rows).flatten().copied().collect();
    kept.extend_from_slice(extra);
    std::fs::write(record, kept).unwrap();
}

type Outcome = Result<ToolOutcome, ContributorError>;
type Around = dyn Fn(LoggedCall, Execution) -> futures_util::future::BoxFuture<'static, Outcome> + Send + Sync;

/// A [`ToolLifecycle`] made of a closure.
pub struct Wrap(Box<Around>);

impl Wrap {
    pub fn new<F>(around: impl Fn(LoggedCall, Execution) -> F + Send + Sync + 'static) -> Arc<Wrap>
    where
        F: Future<Output = Outcome> + Send + 'static,
    {
        Arc::new(Wrap(Box::new(move |call, execute| Box::pin(around(call, execute)))))
    }
}

#[async_trait]
impl ToolLifecycle for Wrap {
    async fn around(&self, call: &LoggedCall, execute: Execution, _session: &SessionHandle) -> Outcome {
        (self.0)(call.clone(), execute).await
    }
}

/// What an execution that did not happen becomes for a contributor that goes on with the plain call.
pub fn failed(error: impl std::fmt::Display) -> ContributorError {
    ContributorError::new("test-failed", error.to_string())
}
