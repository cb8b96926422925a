//! `modgate compare`: one scenario under several hosts, side by side.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use modgate_catalog::hosts::{self, HostProfile};
use modgate_harness::script::Scenario;
use modgate_measure::{Comparison, HostRun, align, render};
use modgate_services::Policy as Grants;
use modgate_validate::Options;

use crate::cli::CompareArgs;
use crate::commands::run::{bad_grants, places, prepare_mod, unreadable};
use crate::commands::validate;
use crate::compare::derive::{Derived, derive};
use crate::compare::mcp;
use crate::compare::play::{Play, Played};
use crate::compare::progress::Progress;
use crate::discover;
use crate::error::{Coded, Failure};
use crate::exit::Exit;
use crate::output::Terminal;
use crate::render::safe::visible;

/// Runs the command.
pub(crate) fn run(args: &CompareArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let profiles = args.hosts.iter().map(|spec| profile(spec)).collect::<Result<Vec<_>, _>>()?;
    let mut mods = Vec::new();
    for path in &args.mods {
        let prepared = prepare_mod(path, terminal)?;
        // What no host would load has nothing to compare; why was shown.
        let Ok(folder) = prepared.folder else { return Ok(Exit::Failed) };
        mods.push(Played { name: prepared.name, hash: prepared.hash, folder });
    }
    let grants = match &args.grants {
        Some(path) => Some((path.as_path(), read_grants(path)?)),
        None => None,
    };
    let (scenario, said) = match &args.scenario {
        Some(path) => (read(path)?, None),
        None => {
            let Derived { scenario, said } = made(args)?;
            (scenario, Some(said))
        }
    };
    let mcp = mcp::servers(args.mcp.as_deref())?;
    let progress = terminal.shows_progress().then(|| Progress::begin(&profiles, &scenario));
    let play = Play {
        scenario: &scenario,
        mods: &mods,
        workdir: args.workdir.as_deref(),
        grants: grants.as_ref().map(|(path, text)| (*path, text.as_str())),
        is_trusting: false,
        mcp: &mcp,
        watch: progress.as_ref().map(Progress::watch),
        limits: args.limits,
        is_dry: said.is_some(),
        patience: Duration::from_secs(args.patience),
    };
    let runs = played(&play, &profiles);
    if let Some(progress) = progress {
        progress.end();
    }
    let comparison = align(&scenario.name, &runs?);
    show(args, &comparison, said.as_deref(), terminal)
}

fn profile(spec: &str) -> Result<&'static HostProfile, Failure> {
    hosts::host(spec).map_err(|error| Coded::new("no-such-host", error.to_string()).into())
}

fn read_grants(path: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| unreadable("grants-unreadable", path, &error))?;
    // Read once with no places, so that a bad file is found before anything runs.
    Grants::from_toml(&text, &places(Path::new("/"))).map_err(|error| bad_grants(path, &error))?;
    Ok(text)
}

fn read(path: &Path) -> Result<Scenario, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| unreadable("scenario-unreadable", path, &error))?;
    let scenario = Scenario::parse(&text, &path.to_string_lossy());
    scenario.map_err(|error| Coded::new(error.code(), error.to_string()).into())
}

/// A scenario made from the hooks of the mods.
fn made(args: &CompareArgs) -> Result<Derived, Failure> {
    let mut hooks = Vec::new();
    for path in &args.mods {
        let folder = discover::mod_folder(path)?;
        let checked = validate::check(folder.clone(), None, &Options::default())?;
        match checked.report.facts {
            Some(facts) => hooks.extend(facts.hooks),
            None => {
                let why = "its hooks cannot be read off the source".into();
                return Err(Failure::FactsUnknown { folder: folder.root, why });
            }
        }
    }
    Ok(derive(&hooks))
}

/// Plays it under all profiles at the same time.
pub(crate) fn played(play: &Play<'_>, profiles: &[&HostProfile]) -> Result<Vec<HostRun>, Failure> {
    modgate_engine::initialize();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::NotStarted { what: "the engine", why: error.to_string() })?;
    let runs = runtime.block_on(async {
        let runs = futures_util::future::join_all(profiles.iter().map(|profile| play.under(profile))).await;
        runs.into_iter().collect::<Result<Vec<_>, _>>()
    });
    // Isolates that still run script are ended with the program.
    runtime.shutdown_background();
    runs
}

fn show(args: &CompareArgs, comparison: &Comparison, said: Option<&str>, terminal: &Terminal) -> Result<Exit, Failure> {
    if let Some(path) = &args.html {
        let written = std::fs::write(path, render::html(comparison));
        written.map_err(|error| Coded::new("output", format!("{} cannot be written: {error}", path.display())))?;
    }
    let limits = render::limits(comparison);
    if !limits.is_empty() && !args.json {
        // Beside the outcome: it is no difference between hosts.
        let _ = writeln!(std::io::stderr(), "{}", lines(&limits));
    }
    let mut out = terminal.writer();
    if args.json {
        let mut document = render::json(comparison);
        document["derived"] = said.into();
        writeln!(out, "{document}")?;
    } else {
        if let Some(said) = said {
            // Beside the outcome, which is one word where all agree.
            let _ = writeln!(std::io::stderr(), "{}", lines(said));
        }
        writeln!(out, "{}", lines(&render::text(comparison)))?;
    }
    out.flush()?;
    Ok(if comparison.all_same() { Exit::Fine } else { Exit::Findings })
}

/// Without anything a terminal would act on; line breaks stay.
fn lines(text: &str) -> String {
    text.lines().map(|line| visible(line).into_owned()).collect::<Vec<_>>().join("\n")
}
