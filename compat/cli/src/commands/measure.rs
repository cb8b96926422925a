//! `modgate measure`: what a real host did beside what its profile says.

use std::io::Write;
use std::path::{Path, PathBuf};

use modgate_catalog::hosts::{self, HostProfile};
use modgate_measure::facts::{FactSeen, facts};
use modgate_measure::observe::Reading;
use modgate_measure::{
    Case, Difference, DriveOptions, MeasureError, Observation, Outcome, compare, driver, measure, render,
};

use crate::cli::{LimitArgs, MeasureArgs};
use crate::commands::compare::played;
use crate::commands::run::prepare_mod;
use crate::compare::play::{Play, Played};
use crate::error::{Coded, Failure};
use crate::exit::Exit;
use crate::output::Terminal;
use crate::render::safe::visible;

/// What came of one case.
struct Seen {
    case: String,
    /// Why the host cannot run it.
    cannot: Option<String>,
    facts: Vec<FactSeen>,
    /// Where the program parts from the same case played under its profile.
    differences: Vec<Difference>,
}

impl Seen {
    fn agrees(&self) -> bool {
        self.differences.is_empty() && self.facts.iter().all(FactSeen::agrees)
    }
}

/// Runs the command.
pub(crate) fn run(args: &MeasureArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let name = args.host.name();
    let cases = folders(args).iter().map(|folder| Case::read(folder)).collect::<Result<Vec<_>, _>>();
    let cases = cases.map_err(coded)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::NotStarted { what: "the driver", why: error.to_string() })?;
    let version = runtime.block_on(driver::version(&args.bin)).map_err(coded)?;
    let profile = hosts::host(&format!("{name}@{version}"));
    let profile = profile.map_err(|error| Coded::new("no-such-host", error.to_string()))?;
    let mut out = terminal.writer();
    let (mut all, mut exit) = (Vec::new(), Exit::Fine);
    for case in cases.iter().filter(|case| case.hosts.iter().any(|host| host == name)) {
        let seen = one(case, name, profile, args, &runtime, terminal)?;
        if !seen.agrees() {
            exit = Exit::Findings;
        }
        if args.json {
            all.push(document(&seen));
        } else {
            writeln!(out, "{}", text(&seen))?;
            out.flush()?;
        }
    }
    if args.json {
        writeln!(out, "{}", serde_json::json!({ "host": profile.spec(), "cases": all }))?;
    }
    out.flush()?;
    Ok(exit)
}

fn coded(error: MeasureError) -> Failure {
    Coded::new(error.code(), error.to_string()).into()
}

/// The folders of the cases, however they were named.
fn folders(args: &MeasureArgs) -> Vec<PathBuf> {
    let of_file = |file: &PathBuf| match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => Path::new(".").to_owned(),
    };
    args.cases.iter().cloned().chain(args.scenario.iter().map(of_file)).collect()
}

fn one(
    case: &Case,
    host: &str,
    profile: &'static HostProfile,
    args: &MeasureArgs,
    runtime: &tokio::runtime::Runtime,
    terminal: &Terminal,
) -> Result<Seen, Failure> {
    let mut options = DriveOptions::new(&args.bin);
    options.keep = args.keep.as_ref().map(|folder| folder.join(&case.name));
    let mut seen = Seen { case: case.name.clone(), cannot: None, facts: Vec::new(), differences: Vec::new() };
    let measured = match runtime.block_on(measure(host, case, &options)) {
        Ok(measured) => measured.observation,
        Err(MeasureError::CannotRun { reason, .. }) => {
            seen.cannot = Some(reason);
            return Ok(seen);
        }
        Err(error) => return Err(coded(error)),
    };
    seen.facts = facts(case, &measured, profile).map_err(coded)?;
    // Command hooks stand for the mods there: what the mods do under the profile is another thing.
    if case.codex.hooks.is_empty() || host != "codex" {
        let own = under_profile(case, profile, terminal)?;
        let parted = own.map(|own| compare(&comparable(own), &comparable(measured)));
        seen.differences = parted.unwrap_or_default();
    }
    Ok(seen)
}

/// What two programs can be compared by: not their sentences, nor how they put reminders together.
fn comparable(seen: Observation) -> Observation {
    let mut seen = seen.for_storage();
    for call in &mut seen.calls {
        call.context = joined(&call.context);
    }
    for prompt in &mut seen.prompts {
        prompt.context = joined(&prompt.context);
        prompt.shown = joined(&prompt.shown);
    }
    seen
}

/// One text with the words of all.
fn joined(readings: &[Reading]) -> Vec<Reading> {
    let mut words: Vec<String> = readings.iter().flat_map(|one| one.words.clone()).collect();
    words.sort();
    words.dedup();
    let is_error = readings.iter().any(|one| one.is_error);
    if words.is_empty() { Vec::new() } else { vec![Reading { is_error, text: None, words }] }
}

/// The same case played under the profile.
fn under_profile(
    case: &Case,
    profile: &'static HostProfile,
    terminal: &Terminal,
) -> Result<Option<Observation>, Failure> {
    let mut mods = Vec::new();
    for path in &case.mods {
        let prepared = prepare_mod(path, terminal)?;
        let Ok(folder) = prepared.folder else { return Ok(None) };
        mods.push(Played { name: prepared.name, hash: prepared.hash, folder });
    }
    let mcp = std::collections::BTreeMap::new();
    let patience = std::time::Duration::from_secs(300);
    let limits = LimitArgs { hook_ms: profile.budgets.hook_ms, heap_mib: 128, buffers_mib: 64 };
    let scenario = &case.scenario;
    let play = Play {
        scenario,
        mods: &mods,
        workdir: None,
        grants: None,
        is_trusting: true,
        mcp: &mcp,
        watch: None,
        limits,
        is_dry: false,
        patience,
    };
    let run = played(&play, &[profile])?.pop();
    Ok(run.and_then(|run| match run.outcome {
        Outcome::Ran(seen) => {
            let mut seen = *seen;
            seen.look_for(&case.words);
            Some(seen)
        }
        Outcome::CannotRun(_) => None,
    }))
}

fn document(seen: &Seen) -> serde_json::Value {
    serde_json::json!({
        "case": seen.case, "agrees": seen.agrees(), "cannotRun": seen.cannot, "facts": seen.facts,
        "differences": seen.differences,
    })
}

fn text(seen: &Seen) -> String {
    let mut lines = vec![format!(
        "{}: {}",
        seen.case,
        match (&seen.cannot, seen.agrees()) {
            (Some(reason), _) => format!("cannot run: {reason}"),
            (None, true) => "profile and program agree".into(),
            (None, false) => "profile and program DIFFER".into(),
        }
    )];
    let told = render::facts(&seen.facts);
    lines.extend(told.lines().map(|line| format!("  {line}")));
    for one in &seen.differences {
        let call = one.call.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
        lines.push(format!("  {}{call}: {} [profile {} | program {}]", one.kind, one.reason, one.expected, one.seen));
    }
    lines.iter().map(|line| visible(line).into_owned()).collect::<Vec<_>>().join("\n")
}
