//! Measures cases: `measure HOST PROGRAM [--record] [--keep FOLDER] CASE...`. Prints what was seen; `--record` stores it.

use std::path::{Path, PathBuf};

use modgate_measure::driver::DriveOptions;
use modgate_measure::{Case, MeasureError, Measured, claude_code, codex};

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(host), Some(program)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: measure claude-code|codex PROGRAM [--record] [--keep FOLDER] CASE...");
        std::process::exit(2);
    };
    let (mut record, mut keep, mut cases) = (false, None, Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--record" => record = true,
            "--keep" => keep = arguments.next().map(PathBuf::from),
            _ => cases.push(PathBuf::from(argument)),
        }
    }
    let mut failed = false;
    for folder in &cases {
        if let Err(error) = one(&host, &program, folder, record, keep.as_deref()).await {
            failed = true;
            println!("{}: {}: {error}", folder.display(), error.code());
        }
    }
    std::process::exit(i32::from(failed));
}

async fn one(host: &str, program: &str, folder: &Path, record: bool, keep: Option<&Path>) -> Result<(), MeasureError> {
    let case = Case::read(folder)?;
    if !case.hosts.iter().any(|one| one == host) {
        return Ok(());
    }
    let mut options = DriveOptions::new(program);
    options.keep = keep.map(|keep| keep.join(&case.name));
    let seen = match host {
        "codex" => codex(&case, &options).await?,
        _ => claude_code(&case, &options).await?,
    };
    let name = folder.to_string_lossy();
    let at = name.find("mods-fixtures").map_or(name.as_ref(), |at| &name[at..]);
    let measured = Measured::new(seen.observation, format!("modgate measure {host} --bin PROGRAM {at}"));
    if record {
        println!("{}", measured.write(folder)?.display());
    } else {
        println!("{:#}", serde_json::to_value(&measured.observation).unwrap_or_default());
    }
    Ok(())
}
