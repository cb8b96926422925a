//! Puts stored measurements side by side: `compare [--html FILE] MEASURED.json...`.

use std::path::PathBuf;

use modgate_measure::{HostRun, MeasureError, Measured, align, render};

fn main() {
    if let Err(error) = run() {
        eprintln!("{}: {error}", error.code());
        std::process::exit(1);
    }
}

fn run() -> Result<(), MeasureError> {
    let (mut html, mut files) = (None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--html" {
            html = arguments.next().map(PathBuf::from);
        } else {
            files.push(PathBuf::from(argument));
        }
    }
    let runs = files.iter().map(|path| Ok(HostRun::ran(Measured::read(path)?.observation)));
    let runs = runs.collect::<Result<Vec<_>, MeasureError>>()?;
    let title =
        files.first().and_then(|path| Some(path.parent()?.parent()?.file_name()?.to_string_lossy().into_owned()));
    let comparison = align(title.unwrap_or_default(), &runs);
    if let Some(path) = html {
        let written = std::fs::write(&path, render::html(&comparison));
        written.map_err(|source| MeasureError::Io { path, action: "write", source })?;
    }
    println!("{}", render::text(&comparison));
    Ok(())
}
