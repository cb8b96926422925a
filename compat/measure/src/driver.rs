//! Driving real programs: a throwaway home, a copy of the working directory, a model on loopback, and what is left.

mod claude;
mod codex;
mod group;
mod room;
pub(crate) mod trace;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::case::Case;
use crate::server::Kept;
use crate::{MeasureError, Observation};

pub use claude::claude_code;
pub use codex::{codex, why_not_codex};
pub use trace::Noted;

/// How a program is driven.
#[derive(Clone, Debug)]
pub struct DriveOptions {
    /// The program.
    pub program: PathBuf,
    /// How long one prompt may take.
    pub timeout: Duration,
    /// Whether passive command hooks note what the program is about to run. Without them calls of other tools than
    /// the shell are known from the files at the end only.
    pub observe: bool,
    /// Folder that keeps what the program left (requests, transcript, printed events, log); nothing is kept where
    /// absent.
    pub keep: Option<PathBuf>,
}

impl DriveOptions {
    /// That program, a minute for a prompt, observed, nothing kept.
    pub fn new(program: impl Into<PathBuf>) -> DriveOptions {
        DriveOptions { program: program.into(), timeout: Duration::from_secs(60), observe: true, keep: None }
    }
}

/// What a measured program left.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// What was seen.
    pub observation: Observation,
    /// The requests it sent, in order.
    pub requests: Vec<Kept>,
    /// The rows of its transcript.
    pub transcript: Vec<Value>,
    /// What it printed.
    pub events: Vec<Value>,
    /// Its own log, where it wrote one.
    pub log: String,
}

impl Measurement {
    pub(crate) fn keep(&self, folder: Option<&Path>) -> Result<(), MeasureError> {
        let Some(folder) = folder else { return Ok(()) };
        std::fs::create_dir_all(folder).map_err(MeasureError::io(folder, "create"))?;
        let lines = |values: &[Value]| values.iter().map(|value| format!("{value}\n")).collect::<String>();
        let requests: Vec<Value> = self.requests.iter().filter_map(|one| serde_json::to_value(one).ok()).collect();
        let observation = serde_json::to_value(&self.observation).unwrap_or_default();
        let files = [
            ("requests.jsonl", lines(&requests)),
            ("transcript.jsonl", lines(&self.transcript)),
            ("events.jsonl", lines(&self.events)),
            ("log.txt", self.log.clone()),
            ("observation.json", format!("{observation:#}\n")),
        ];
        for (name, text) in files {
            let path = folder.join(name);
            std::fs::write(&path, text).map_err(MeasureError::io(&path, "write"))?;
        }
        Ok(())
    }
}

/// Drives a host by its name, `claude-code` or `codex`.
pub async fn measure(host: &str, case: &Case, options: &DriveOptions) -> Result<Measurement, MeasureError> {
    match host {
        "claude-code" => claude_code(case, options).await,
        "codex" => codex(case, options).await,
        _ => Err(MeasureError::CannotRun {
            host: host.to_owned(),
            reason: "no driver for it; claude-code and codex can be driven".into(),
        }),
    }
}

/// The version a program prints: the first word of `--version` with digits and points.
pub async fn version(program: &Path) -> Result<String, MeasureError> {
    let home = tempfile::tempdir().map_err(MeasureError::io("a temporary folder", "create"))?;
    let mut command = tokio::process::Command::new(program);
    command.arg("--version").env("HOME", home.path()).env("CODEX_HOME", home.path()).kill_on_drop(true);
    let failed = |message: String| MeasureError::Program { program: program.into(), message };
    let seconds = 30;
    let output = tokio::time::timeout(Duration::from_secs(seconds), command.output()).await;
    let output = output.map_err(|_| MeasureError::Timeout { program: program.into(), seconds })?;
    let output = output.map_err(|error| failed(format!("cannot be started: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let word =
        text.split_whitespace().find(|word| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit()));
    word.map(str::to_owned).ok_or_else(|| failed(format!("prints no version, but {:?}", text.trim())))
}
