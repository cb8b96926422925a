//! `modgate run`: mods over a scripted session with real tools.
//!
//! Everything that can be wrong with what was asked for is looked at first: until the session starts, nothing is
//! written.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use modgate_catalog::hosts;
use modgate_compat::Tier;
use modgate_compat::load::Folder;
use modgate_compat::native::{ModSource, Native, NativeOptions, NotLoaded};
use modgate_engine::{Limits, Position};
use modgate_harness::record::{Row, SessionStartRow, read};
use modgate_harness::script::{self, RunOptions, RunOutcome, Scenario};
use modgate_services::mcp::ServerConfig;
use modgate_services::{Places, Policy as Grants};
use modgate_validate::{Options, Severity};
use modgate_value::Value;
use tokio_util::sync::CancellationToken;

use crate::cli::RunArgs;
use crate::commands::validate;
use crate::compare::mcp;
use crate::discover;
use crate::error::{Coded, Failure};
use crate::exit::Exit;
use crate::output::{Paint, Style, Terminal};
use crate::render::{Checked, message};
use crate::run::summary::Summary;
use crate::run::transcript::Transcript;

/// What a session begins with, all of it read and checked.
struct Prepared {
    scenario: Scenario,
    profile: hosts::HostProfile,
    grants: Option<String>,
    mods: Vec<Prepare>,
    /// MCP servers.
    mcp: BTreeMap<String, ServerConfig>,
    /// The record's own directory, on a resume.
    resumed: Option<PathBuf>,
}

/// A mod of the command line.
pub(crate) struct Prepare {
    pub(crate) name: String,
    pub(crate) hash: String,
    pub(crate) folder: Result<Arc<Folder>, NotLoaded>,
}

/// Runs the command.
pub(crate) fn run(args: &RunArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let prepared = prepare(args, terminal)?;
    let has_refused = prepared.mods.iter().any(|one| one.folder.is_err());
    if has_refused && prepared.mods.iter().all(|one| one.folder.is_err()) {
        return Ok(Exit::Failed);
    }
    let rooms = Rooms::of(args, prepared.resumed.as_deref())?;
    modgate_engine::initialize();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::NotStarted { what: "the engine", why: error.to_string() })?;
    let session = Session { args, terminal, prepared, rooms };
    let exit = runtime.block_on(session.play());
    // Isolates that still run script are ended with the program.
    runtime.shutdown_background();
    Ok(if has_refused { exit?.and(Exit::Findings) } else { exit? })
}

pub(crate) fn unreadable(code: &'static str, path: &Path, error: &io::Error) -> Failure {
    Coded::new(code, format!("{} cannot be read: {error}", path.display())).into()
}

fn prepare(args: &RunArgs, terminal: &Terminal) -> Result<Prepared, Failure> {
    let text = std::fs::read_to_string(&args.scenario)
        .map_err(|error| unreadable("scenario-unreadable", &args.scenario, &error))?;
    let scenario = Scenario::parse(&text, &args.scenario.to_string_lossy())
        .map_err(|error| Coded::new(error.code(), error.to_string()))?;
    let profile = hosts::host(&args.host).map_err(|error| Coded::new("no-such-host", error.to_string()))?.clone();
    let grants = args.grants.as_deref().map(|path| {
        let text = std::fs::read_to_string(path).map_err(|error| unreadable("grants-unreadable", path, &error))?;
        // Read once with no places, so that a bad file is found before anything is written.
        Grants::from_toml(&text, &places(Path::new("/"))).map_err(|error| bad_grants(path, &error))?;
        Ok::<_, Failure>(text)
    });
    let resumed = args.resume.as_deref().map(workdir_of).transpose()?;
    let mods = args.mods.iter().map(|path| prepare_mod(path, terminal)).collect::<Result<_, _>>()?;
    let mcp = mcp::servers(args.mcp.as_deref())?;
    Ok(Prepared { scenario, profile, grants: grants.transpose()?, mods, mcp, resumed })
}

pub(crate) fn bad_grants(path: &Path, error: &modgate_services::GrantsError) -> Failure {
    Coded::new("grants-invalid", format!("{}: {error}", path.display())).into()
}

pub(crate) fn places(cwd: &Path) -> Places {
    Places { cwd: cwd.to_owned(), root: cwd.to_owned(), home: std::env::home_dir() }
}

/// Where the session of a record works.
fn workdir_of(record: &Path) -> Result<PathBuf, Failure> {
    let coded = |code: &'static str, text: String| Failure::from(Coded::new(code, text));
    let loaded = read(record).map_err(|error| coded(error.code(), format!("{}: {error}", record.display())))?;
    let begun = loaded.rows.iter().find_map(|row: &Row| row.parse::<SessionStartRow>());
    begun
        .map(|row| PathBuf::from(row.cwd))
        .ok_or_else(|| coded("session-missing", format!("{}: holds no session that could go on", record.display())))
}

/// Checks and hashes a mod. One that the rules refuse is shown, and not run.
pub(crate) fn prepare_mod(path: &Path, terminal: &Terminal) -> Result<Prepare, Failure> {
    let found = discover::mod_folder(path)?;
    let checked = validate::check(found.clone(), None, &Options::default())?;
    let hashed = modgate_folder::hash(&found.root)
        .map_err(|error| Coded::new("not-hashable", format!("{}: {error}", path.display())))?;
    let name = checked.report.name.clone().unwrap_or_else(|| found.shown.clone());
    let hash = hashed.folder.finish().to_string();
    if let Some(refused) = refusal(&checked, &name) {
        show_refusal(&checked, terminal);
        return Ok(Prepare { name, hash, folder: Err(refused) });
    }
    let folder =
        Folder::open(&found.root).map_err(|error| Coded::new("not-a-mod", format!("{}: {error}", path.display())))?;
    Ok(Prepare { name, hash, folder: Ok(folder) })
}

fn refusal(checked: &Checked, name: &str) -> Option<NotLoaded> {
    let found = checked.report.refusals_at_load().next()?;
    let position = found.span.map(|span| Position { file: found.file.clone(), line: span.line, column: span.column });
    Some(NotLoaded { name: name.to_string(), message: format!("{} ({})", message(found), found.code), position })
}

fn show_refusal(checked: &Checked, terminal: &Terminal) {
    for found in &checked.report.diagnostics {
        if found.severity != Severity::Error {
            continue;
        }
        let file = checked.folder.shown_file(&found.file);
        let place = match &found.span {
            Some(span) => format!("{file}:{}:{}", span.line, span.column),
            None => file,
        };
        terminal.complain(&Coded::new(found.code, format!("{place}: {}", message(found))).into());
    }
}

/// Where a session works and writes.
struct Rooms {
    workdir: PathBuf,
    record: PathBuf,
    /// Folders that are removed with this.
    _own: Vec<tempfile::TempDir>,
}

impl Rooms {
    fn of(args: &RunArgs, resumed: Option<&Path>) -> Result<Rooms, Failure> {
        let mut own = Vec::new();
        let mut new = || {
            let made = tempfile::Builder::new().prefix("modgate-").tempdir();
            let made =
                made.map_err(|error| Failure::NotStarted { what: "a working folder", why: error.to_string() })?;
            let path = made.path().to_owned();
            own.push(made);
            Ok::<_, Failure>(path)
        };
        let record = match args.resume.as_ref().or(args.log.as_ref()) {
            Some(file) => file.clone(),
            None => new()?.join("record.jsonl"),
        };
        let workdir = match resumed.or(args.workdir.as_deref()) {
            Some(given) => given.to_owned(),
            None => new()?,
        };
        let workdir = workdir
            .canonicalize()
            .map_err(|error| Coded::new("session-workdir", format!("{} cannot be used: {error}", workdir.display())))?;
        Ok(Rooms { workdir, record, _own: own })
    }
}

struct Session<'a> {
    args: &'a RunArgs,
    terminal: &'a Terminal,
    prepared: Prepared,
    rooms: Rooms,
}

impl Session<'_> {
    async fn play(mut self) -> Result<Exit, Failure> {
        let cancel = CancellationToken::new();
        tokio::spawn(interrupts(cancel.clone()));
        let native = self.native(&cancel)?;
        let loaded = self.load(&native).await;
        let style = self.terminal.style();
        let (rows, printed) = mpsc::channel();
        let printer = std::thread::spawn({
            let json = self.args.json;
            move || print(&printed, json, style)
        });
        let outcome = self.drive(&native, cancel, rows).await;
        native.close();
        // The printer ends when the session, and with it the sender, is gone.
        let written = printer.join().unwrap_or_else(|_| Err(io::Error::other("the transcript broke off")));
        let outcome = outcome?;
        written?;
        self.conclude(&outcome, loaded)
    }

    fn native(&self, cancel: &CancellationToken) -> Result<Native, Failure> {
        let limits = Limits {
            hook: Duration::from_millis(self.args.limits.hook_ms),
            heap: usize::from(self.args.limits.heap_mib) << 20,
            buffers: usize::from(self.args.limits.buffers_mib) << 20,
            ..Limits::default()
        };
        let cwd = &self.rooms.workdir;
        let grants = match (&self.prepared.grants, &self.args.grants) {
            (Some(text), Some(path)) => {
                Grants::from_toml(text, &places(cwd)).map_err(|error| bad_grants(path, &error))?
            }
            _ => Grants::deny_all(),
        };
        let keep = ["PATH", "HOME", "LANG"];
        let variables = keep.iter().filter_map(|name| Some((name.to_string(), std::env::var(name).ok()?))).collect();
        Ok(Native::new(NativeOptions {
            profile: self.prepared.profile.clone(),
            grants,
            cwd: cwd.clone(),
            variables,
            store: store_of(&self.rooms.record),
            mcp: self.prepared.mcp.clone(),
            limits,
            runtime: tokio::runtime::Handle::current(),
            cancel: cancel.clone(),
        }))
    }

    /// Loads what can be loaded; gives how many mods take part.
    async fn load(&mut self, native: &Native) -> usize {
        let mut loaded = 0;
        for one in std::mem::take(&mut self.prepared.mods) {
            let Prepare { name, hash, folder } = one;
            let source = folder.and_then(|folder| {
                let source = ModSource::folder(&folder, Tier::User, hash, &Value::object::<&str>([]));
                source.map_err(|why| NotLoaded { name, message: why.join("; "), position: None })
            });
            let joined = match source {
                Ok(source) => native.load(source).await,
                Err(refused) => {
                    native.refuse(&refused);
                    continue;
                }
            };
            match joined {
                Ok(()) => loaded += 1,
                Err(error) => self.terminal.complain(&Coded::new("mod-not-loaded", not_loaded(&error)).into()),
            }
        }
        if let Err(fault) = native.ready().await {
            self.terminal.complain(&Coded::new("mod-not-loaded", fault.message).into());
        }
        loaded
    }

    async fn drive(
        &self,
        native: &Native,
        cancel: CancellationToken,
        rows: mpsc::Sender<Row>,
    ) -> Result<RunOutcome, Failure> {
        let mut options = RunOptions::new(&self.rooms.record, &self.rooms.workdir);
        options.registry = native.registry();
        options.policy = native.session_policy();
        options.cancel = cancel;
        options.configure = Some(Box::new(move |builder| {
            // A printer that has gone away took the reader of the output with it; the session goes on for the record.
            builder.observe(move |row| drop(rows.send(row.clone())))
        }));
        let outcome = match self.args.resume {
            Some(_) => script::resume(&self.prepared.scenario, options).await,
            None => script::run(&self.prepared.scenario, options).await,
        };
        outcome.map_err(|error| Coded::new(error.code(), error.to_string()).into())
    }

    fn conclude(&self, outcome: &RunOutcome, loaded: usize) -> Result<Exit, Failure> {
        let mut out = self.terminal.writer();
        let style = self.terminal.style();
        let summary = Summary::of(&outcome.rows, loaded);
        if self.args.json {
            let missed: Vec<String> = outcome.mismatches.iter().map(ToString::to_string).collect();
            let line = serde_json::json!({ "summary": summary, "missed": missed, "stopped": outcome.stopped });
            writeln!(out, "{line}")?;
        } else {
            for missed in &outcome.mismatches {
                writeln!(out, "{}", style.paint(Paint::Bad, &format!("not as expected: {missed}")))?;
            }
            if outcome.stopped {
                writeln!(out, "stopped; --resume {} goes on", self.rooms.record.display())?;
            }
            writeln!(out, "\n{}", style.paint(Paint::Bold, &summary.line()))?;
        }
        out.flush()?;
        Ok(if outcome.mismatches.is_empty() || outcome.stopped { Exit::Fine } else { Exit::Findings })
    }
}

fn not_loaded(error: &NotLoaded) -> String {
    match &error.position {
        // The message names the place already where the engine gave one.
        Some(position) if !error.message.contains(&position.to_string()) => format!("{position}: {error}"),
        _ => error.to_string(),
    }
}

/// Kept beside the record: a session that goes on finds what its mods kept.
fn store_of(record: &Path) -> PathBuf {
    record.with_extension("store.json")
}

/// Prints rows as they come.
fn print(rows: &mpsc::Receiver<Row>, json: bool, style: Style) -> io::Result<()> {
    let mut transcript = Transcript::new(style);
    let mut out = io::stdout();
    for row in rows {
        let text = if json { serde_json::to_string(&row)? + "\n" } else { transcript.row(&row) };
        out.write_all(text.as_bytes())?;
        out.flush()?;
    }
    Ok(())
}

/// The first Ctrl-C ends the session, the second the program.
async fn interrupts(cancel: CancellationToken) {
    if tokio::signal::ctrl_c().await.is_ok() {
        cancel.cancel();
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(130);
        }
    }
}
