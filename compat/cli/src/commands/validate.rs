//! `modgate validate`: mods are checked in parallel, a batch at a time, and printed in the order they were found in.

use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use modgate_folder::DiskFiles;
use modgate_validate::{Entry, Files, Options};
use rayon::prelude::*;

use crate::cli::ValidateArgs;
use crate::discover::{self, Folder, PLUGIN_JSON, Target};
use crate::error::Failure;
use crate::exit::Exit;
use crate::output::Terminal;
use crate::render::{Checked, Renderer, Totals};

/// Mods a thread checks before a batch is printed. Large enough that threads rarely wait for each other, small enough
/// that the texts of a batch are nothing to the memory.
const PER_THREAD: usize = 16;

/// Runs the command.
pub(crate) fn run(args: &ValidateArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let found = discover::discover(&args.paths, args.recursive);
    let run = Run {
        options: args.judge.options(),
        renderer: Renderer::new(args.format.chosen(), terminal.style(), &args.judge)
            .quiet(args.quiet)
            .titled(found.targets.len() > 1),
        progress: progress(found.targets.len(), terminal),
    };
    let failed = !found.failures.is_empty();
    let nothing = found.targets.is_empty();
    for failure in &found.failures {
        terminal.complain(failure);
    }
    if nothing && failed {
        return Ok(Exit::Failed);
    }
    let (totals, failures) = run.all(found.targets, &mut terminal.writer())?;
    for failure in &failures {
        terminal.complain(failure);
    }
    let exit = if totals.refused == 0 { Exit::Fine } else { Exit::Findings };
    Ok(if failed || !failures.is_empty() { exit.and(Exit::Failed) } else { exit })
}

struct Run {
    options: Options,
    renderer: Renderer,
    progress: ProgressBar,
}

/// A report as it will be written, and what it adds to the sums.
type Printed = Result<(String, Totals), Failure>;

impl Run {
    fn all(&self, targets: Vec<Target>, out: &mut dyn Write) -> Result<(Totals, Vec<Failure>), Failure> {
        self.renderer.head(out)?;
        let mut totals = Totals::default();
        let mut failures = Vec::new();
        let mut is_first = true;
        let mut targets = targets.into_iter().peekable();
        // One mod needs no threads, and starting them takes longer than checking it.
        let batch = if targets.len() == 1 { 1 } else { PER_THREAD * rayon::current_num_threads() };
        while targets.peek().is_some() {
            let now: Vec<Target> = targets.by_ref().take(batch).collect();
            let printed: Vec<Printed> = match batch {
                1 => now.into_iter().map(|target| self.one(target)).collect(),
                _ => now.into_par_iter().map(|target| self.one(target)).collect(),
            };
            let mut texts = Vec::with_capacity(printed.len());
            for result in printed {
                match result {
                    Ok((text, sums)) => {
                        totals.add(sums);
                        texts.push(text);
                    }
                    Err(failure) => failures.push(failure),
                }
            }
            self.progress.suspend(|| self.write(&texts, &mut is_first, out))?;
        }
        self.progress.finish_and_clear();
        self.renderer.tail(&totals, out)?;
        out.flush()?;
        Ok((totals, failures))
    }

    fn one(&self, target: Target) -> Printed {
        let checked = match target {
            Target::Mod(folder, manifest) => check(folder, manifest, &self.options)?,
            Target::Marketplace(folder, report) => Checked { folder, is_marketplace: true, report: *report },
        };
        self.progress.inc(1);
        Ok((self.renderer.report(&checked), Totals::of(&checked)))
    }

    fn write(&self, texts: &[String], is_first: &mut bool, out: &mut dyn Write) -> io::Result<()> {
        for text in texts.iter().filter(|text| !text.is_empty()) {
            if !*is_first {
                out.write_all(self.renderer.separator().as_bytes())?;
            }
            *is_first = false;
            out.write_all(text.as_bytes())?;
        }
        // What is printed should be seen while the next batch is checked.
        out.flush()
    }
}

/// Checks the mod in a folder; `manifest` stands for one where the folder has none.
pub(crate) fn check(folder: Folder, manifest: Option<String>, options: &Options) -> Result<Checked, Failure> {
    let disk = DiskFiles::open(&folder.root).map_err(|error| Failure::at(&folder.root, error))?;
    let report = modgate_validate::validate(&WithManifest { disk, manifest }, options);
    Ok(Checked { folder, is_marketplace: false, report })
}

struct WithManifest {
    disk: DiskFiles,
    manifest: Option<String>,
}

impl Files for WithManifest {
    fn read(&self, path: &str) -> Option<Entry> {
        let found = self.disk.read(path);
        match &self.manifest {
            Some(manifest) if found.is_none() && path == PLUGIN_JSON => Some(Entry::Text(manifest.clone())),
            _ => found,
        }
    }
}

fn progress(count: usize, terminal: &Terminal) -> ProgressBar {
    if count < 2 || !terminal.shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:40} {pos} of {len} checked {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
