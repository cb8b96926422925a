//! Many test files at once, with results in the order in which the files were given.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use super::TestOptions;
use super::case::Problem;
use super::file::{FileResult, run_file};
use crate::load::Folder;

/// A test file to run.
#[derive(Clone)]
pub struct Job {
    /// The mod.
    pub folder: Arc<Folder>,
    /// The file, by its path in the mod's folder.
    pub file: String,
}

/// A job that is over.
pub struct Done {
    /// Its place in the list of jobs.
    pub index: usize,
    /// What came of it.
    pub result: FileResult,
}

/// Runs the jobs, `at_once` of them at a time, and hands over each result as soon as those before it are handed over.
///
/// Jobs begin in the order of the list, but for files that allow a test more than the usual time: those begin first, so
/// that what they wait for is over when the rest is. Has the run been stopped meanwhile, a job that did not
/// begin has a result without tests that says so. `take` ends the run early by giving an error.
///
/// # Errors
/// What `take` gives.
pub async fn run<E>(
    jobs: &[Job],
    at_once: usize,
    options: &TestOptions,
    mut take: impl FnMut(Done) -> Result<(), E>,
) -> Result<(), E> {
    let turns = Arc::new(Semaphore::new(at_once.max(1)));
    let mut order: Vec<_> = (0..jobs.len()).collect();
    order.sort_by_cached_key(|index| !takes_long(&jobs[*index]));
    let mut running: Vec<_> =
        order.into_iter().map(|index| (index, start(jobs[index].clone(), turns.clone(), options.clone()))).collect();
    running.sort_by_key(|(index, _)| *index);
    for (index, task) in running {
        let result = task.await.unwrap_or_else(|error| broken(&jobs[index].file, &error.to_string()));
        if let Err(error) = take(Done { index, result }) {
            options.stop.cancel();
            return Err(error);
        }
    }
    Ok(())
}

/// Authors give a test more time where it waits.
fn takes_long(job: &Job) -> bool {
    std::fs::read(job.folder.root.join(&job.file)).is_ok_and(|text| text.windows(9).any(|part| part == b"timeoutMs"))
}

fn start(job: Job, turns: Arc<Semaphore>, options: TestOptions) -> JoinHandle<FileResult> {
    let runtime = options.runtime.clone();
    runtime.spawn(async move {
        // The semaphore is never closed.
        let _turn = turns.acquire_owned().await.ok();
        if options.stop.is_cancelled() {
            return FileResult { path: job.file, cases: Vec::new(), problem: None, is_stopped: true, ms: 0.0 };
        }
        run_file(&job.folder, &job.file, &options).await
    })
}

/// A panic of ours: said, and never a pass.
fn broken(file: &str, what: &str) -> FileResult {
    let problem = Problem::new("runner", format!("the runner of this file broke down: {what}"));
    FileResult { path: file.to_string(), cases: Vec::new(), problem: Some(problem), is_stopped: false, ms: 0.0 }
}
