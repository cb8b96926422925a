//! Measures cases: `measure HOST PROGRAM [--record | --check] [--unobserved] [--keep FOLDER] CASE...`. Prints what was
//! seen; `--record` stores it, `--check` prints only what differs from what is stored.

use std::path::{Path, PathBuf};

use modgate_measure::driver::DriveOptions;
use modgate_measure::{Case, MeasureError, Measured, compare, measure};

/// What to do with what was seen.
#[derive(Clone, Copy, Default)]
struct How {
    record: bool,
    check: bool,
    unobserved: bool,
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(host), Some(program)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: measure claude-code|codex PROGRAM [--record | --check] [--unobserved] CASE...");
        std::process::exit(2);
    };
    let mut how = How::default();
    let (mut keep, mut cases) = (None, Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--record" => how.record = true,
            "--check" => how.check = true,
            "--unobserved" => how.unobserved = true,
            "--keep" => keep = arguments.next().map(PathBuf::from),
            _ => cases.push(PathBuf::from(argument)),
        }
    }
    let mut failed = false;
    for folder in &cases {
        if let Err(error) = one(&host, &program, folder, how, keep.as_deref()).await {
            failed = true;
            println!("{}: {}: {error}", folder.display(), error.code());
        }
    }
    std::process::exit(i32::from(failed));
}

async fn one(host: &str, program: &str, folder: &Path, how: How, keep: Option<&Path>) -> Result<(), MeasureError> {
    let case = Case::read(folder)?;
    if !case.hosts.iter().any(|one| one == host) {
        return Ok(());
    }
    let mut options = DriveOptions::new(program);
    options.observe = !how.unobserved;
    options.keep = keep.map(|keep| keep.join(&case.name));
    let seen = measure(host, &case, &options).await?;
    let name = folder.to_string_lossy();
    let at = name.find("mods-fixtures").map_or(name.as_ref(), |at| &name[at..]);
    let measured = Measured::new(seen.observation, format!("modgate measure {host} --bin PROGRAM {at}"));
    if how.check {
        let stored = Measured::read(&Measured::path(folder, &measured.host))?.observation;
        for one in compare(&stored, &measured.observation) {
            println!("{}: {}: {} [{} → {}]", case.name, one.kind, one.reason, one.expected, one.seen);
        }
    } else if how.record {
        println!("{}", measured.write(folder)?.display());
    } else {
        println!("{:#}", serde_json::to_value(&measured.observation).unwrap_or_default());
    }
    Ok(())
}
