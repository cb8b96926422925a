//! `modgate test`: finds tests, runs them in parallel, prints them in the order they were found in.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use modgate_compat::Policy;
use modgate_compat::load::FolderError;
use modgate_compat::testing::{self, FileResult, Job, Problem, TestOptions};
use modgate_engine::Spares;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::cli::TestArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::output::Terminal;
use crate::test::find::{Tested, find};
use crate::test::text::Text;
use crate::test::watch::Watch;
use crate::test::{Outcome, Totals, json, junit};

/// Runs the command.
pub(crate) fn run(args: &TestArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let (mut tested, failures) = find(&args.paths);
    for failure in &failures {
        terminal.complain(failure);
    }
    if tested.is_empty() {
        return Ok(Exit::Failed);
    }
    modgate_engine::initialize();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::NotStarted { what: "the engine", why: error.to_string() })?;
    let stop = CancellationToken::new();
    runtime.spawn(interrupts(stop.clone()));
    let mut exit = Run { args, terminal, runtime: &runtime, stop: &stop }.all(&tested)?;
    if args.watch {
        let mut watch = Watch::new(&folders(&tested))?;
        while let Some(paths) = runtime.block_on(next(&mut watch, &stop)) {
            tested = find(&args.paths).0;
            tested.retain(|tested| paths.iter().any(|path| path.starts_with(&tested.root)));
            if !tested.is_empty() {
                exit = Run { args, terminal, runtime: &runtime, stop: &stop }.all(&tested)?;
            }
        }
    }
    // Isolates that still run script would meet timers of a runtime that is gone; the end of the program ends both.
    std::mem::forget(runtime);
    Ok(if failures.is_empty() { exit } else { exit.and(Exit::Failed) })
}

/// Nothing when the program is to end.
async fn next(watch: &mut Watch, stop: &CancellationToken) -> Option<Vec<PathBuf>> {
    tokio::select! {
        () = stop.cancelled() => None,
        paths = watch.next() => Some(paths),
    }
}

fn folders(tested: &[Tested]) -> Vec<PathBuf> {
    tested.iter().map(|tested| tested.root.clone()).collect()
}

/// The first Ctrl-C ends the run and shows what is known; a second one ends the program.
async fn interrupts(stop: CancellationToken) {
    if tokio::signal::ctrl_c().await.is_ok() {
        stop.cancel();
    }
    if tokio::signal::ctrl_c().await.is_ok() {
        std::process::exit(130);
    }
}

/// A run over some mods.
struct Run<'a> {
    args: &'a TestArgs,
    terminal: &'a Terminal,
    runtime: &'a Runtime,
    stop: &'a CancellationToken,
}

impl Run<'_> {
    fn all(&self, tested: &[Tested]) -> Result<Exit, Failure> {
        let begun = Instant::now();
        let progress = self.progress();
        let text = Text { style: self.terminal.style(), verbose: self.args.verbose };
        let mut out = self.terminal.writer();
        let mut outcomes = Vec::new();
        let mut plan = Plan::new(tested);
        let options = self.options(&progress);
        let show = |outcome: Outcome, out: &mut dyn Write, outcomes: &mut Vec<Outcome>| -> io::Result<()> {
            // A filter leaves most files without a test; nobody asked about those.
            let is_empty = self.args.filter.is_some() && outcome.result.cases.is_empty() && outcome.result.passed();
            if is_empty {
                return Ok(());
            }
            if !self.args.json {
                progress.suspend(|| text.file(&outcome, out).and_then(|()| out.flush()))?;
            }
            outcomes.push(outcome);
            Ok(())
        };
        let jobs = std::mem::take(&mut plan.jobs);
        let ran = testing::run(&jobs, self.at_once(), &options, |done| {
            plan.after(done.result).try_for_each(|outcome| show(outcome, &mut out, &mut outcomes))
        });
        self.runtime.block_on(ran)?;
        plan.rest().try_for_each(|outcome| show(outcome, &mut out, &mut outcomes))?;
        progress.finish_and_clear();
        self.finish(&outcomes, begun.elapsed().as_secs_f64() * 1000.0, &text, &mut out)
    }

    fn finish(&self, outcomes: &[Outcome], ms: f64, text: &Text, out: &mut dyn Write) -> Result<Exit, Failure> {
        let totals = Totals::of(outcomes);
        if self.args.json {
            let host = self.args.host.spec();
            let document = json::Document::new(&host, outcomes, ms);
            serde_json::to_writer_pretty(&mut *out, &document).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            text.tail(outcomes, self.args.slowest.unwrap_or(0), ms, out)?;
        }
        out.flush()?;
        if let Some(path) = &self.args.junit {
            let document = junit::document(outcomes, ms).map_err(io::Error::other)?;
            fs::write(path, document).map_err(|error| Failure::at(path, error))?;
        }
        if let (Some(filter), 0) = (&self.args.filter, totals.passed + totals.failed + totals.broken + totals.stopped) {
            self.terminal.complain(&Failure::NoTestMatches(filter.to_string()));
            return Ok(Exit::Failed);
        }
        Ok(match totals.is_success() {
            true => Exit::Fine,
            false if self.stop.is_cancelled() => Exit::Failed,
            false => Exit::Findings,
        })
    }

    fn at_once(&self) -> usize {
        self.args.jobs.map_or_else(|| 2 * cores(), usize::from)
    }

    fn options(&self, progress: &ProgressBar) -> TestOptions {
        let mut options = TestOptions::new(Policy::from(self.args.host), self.runtime.handle().clone());
        if let Some(filter) = self.args.filter.clone() {
            options.selects = Arc::new(move |title| filter.is_match(title));
        }
        options.stop = self.stop.clone();
        // Without threads for them every isolate is made when it is needed.
        options.spares = Spares::new(options.limits, self.runtime.handle(), cores()).ok();
        let progress = progress.clone();
        options.progress = Arc::new(move |_| progress.inc(1));
        options
    }

    fn progress(&self) -> ProgressBar {
        if !self.terminal.shows_progress() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.enable_steady_tick(Duration::from_millis(100));
        match ProgressStyle::with_template("{spinner} {pos} tests {elapsed}") {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Files in the order in which they are shown: those that run, and those whose mod cannot be read.
struct Plan {
    jobs: Vec<Job>,
    entries: std::vec::IntoIter<Entry>,
}

struct Entry {
    target: String,
    name: String,
    file: String,
    /// Why the file does not run.
    broken: Option<Problem>,
}

impl Plan {
    fn new(tested: &[Tested]) -> Plan {
        let mut jobs = Vec::new();
        let mut entries = Vec::new();
        for one in tested {
            let name = match &one.folder {
                Ok(folder) => folder.name(),
                Err(_) => one.shown.clone(),
            };
            for file in &one.files {
                let broken = match &one.folder {
                    Ok(folder) => {
                        jobs.push(Job { folder: folder.clone(), file: file.clone() });
                        None
                    }
                    Err(error) => Some(not_loaded(error)),
                };
                entries.push(Entry { target: one.shown.clone(), name: name.clone(), file: file.clone(), broken });
            }
        }
        Plan { jobs, entries: entries.into_iter() }
    }

    /// What is to be shown now that the next job has a result: the files before it that did not run, and its own.
    fn after(&mut self, result: FileResult) -> impl Iterator<Item = Outcome> {
        let mut ready = Vec::new();
        for entry in self.entries.by_ref() {
            match entry.outcome() {
                Ok(outcome) => ready.push(outcome),
                Err(entry) => {
                    ready.push(Outcome { target: entry.target, name: entry.name, result });
                    break;
                }
            }
        }
        ready.into_iter()
    }

    fn rest(&mut self) -> impl Iterator<Item = Outcome> {
        self.entries.by_ref().filter_map(|entry| entry.outcome().ok())
    }
}

impl Entry {
    /// Its outcome when it does not run.
    fn outcome(self) -> Result<Outcome, Box<Entry>> {
        match self.broken {
            None => Err(Box::new(self)),
            Some(problem) => {
                let result = FileResult {
                    path: self.file,
                    cases: Vec::new(),
                    problem: Some(problem),
                    is_stopped: false,
                    ms: 0.0,
                };
                Ok(Outcome { target: self.target, name: self.name, result })
            }
        }
    }
}

fn not_loaded(error: &FolderError) -> Problem {
    Problem { code: "not-loaded".into(), message: error.to_string(), position: None, stack: None, comparison: None }
}
