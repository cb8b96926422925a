//! A case: a scenario, the mods it is played with, and what is looked for. On disk a folder with `scenario.toml`,
//! `case.toml`, the mods' folders, and one file per measured host in `measured/`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use modgate_harness::script::Scenario;

use crate::{MeasureError, Observation};

/// What is played, with whom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    /// Name, for people: of the folder.
    pub name: String,
    /// What it is about, in a sentence.
    pub about: String,
    /// The scenario.
    pub scenario: Scenario,
    /// Folders of the mods, outermost first.
    pub mods: Vec<PathBuf>,
    /// Words looked for in texts; see [`Observation::look_for`].
    pub words: Vec<String>,
    /// Facts of a host profile that it shows; see [`crate::facts`].
    pub shows: Vec<String>,
    /// Hosts it was made for.
    pub hosts: Vec<String>,
    /// What stands for the mods on Codex, which has command hooks.
    pub codex: CodexHooks,
}

/// Command hooks that do on Codex what the mods do.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CodexHooks {
    /// The hooks, in order.
    #[serde(rename = "hook")]
    pub hooks: Vec<CodexHook>,
}

/// One command hook: what it prints and how it ends.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CodexHook {
    /// `PreToolUse`, `PostToolUse`, `UserPromptSubmit`, `Stop`, ....
    pub event: String,
    /// A command line to run in place of a script that prints what follows; quoted for the shell.
    pub command: Option<String>,
    /// It prints and fails only where its input contains this text; always where absent.
    pub when: Option<String>,
    /// What it prints.
    pub prints: String,
    /// What it says on standard error.
    pub says: String,
    /// Its exit code.
    pub exit: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CaseFile {
    about: String,
    words: Vec<String>,
    mods: Vec<String>,
    shows: Vec<String>,
    hosts: Vec<String>,
    codex: CodexHooks,
}

impl Default for CaseFile {
    fn default() -> CaseFile {
        CaseFile {
            about: String::new(),
            words: Vec::new(),
            mods: vec!["mod".into()],
            shows: Vec::new(),
            hosts: vec!["claude-code".into()],
            codex: CodexHooks::default(),
        }
    }
}

/// What a program did, as it is stored, with the command that shows it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// `claude-code@2.1.332`.
    pub host: String,
    /// The command that wrote it.
    pub command: String,
    /// What was seen, without the host's own texts.
    pub observation: Observation,
}

impl Case {
    /// A scenario with mods, looking for no words.
    pub fn new(scenario: Scenario, mods: Vec<PathBuf>) -> Case {
        Case { name: scenario.name.clone(), scenario, mods, ..Case::default() }
    }

    /// Reads a case from its folder.
    pub fn read(folder: &Path) -> Result<Case, MeasureError> {
        let (path, text) = read(folder, "case.toml")?;
        let file: CaseFile =
            toml::from_str(&text).map_err(|error| MeasureError::Case { path, message: error.to_string() })?;
        let (path, text) = read(folder, "scenario.toml")?;
        let scenario = Scenario::parse(&text, &path.to_string_lossy())?;
        let mods: Vec<PathBuf> = file.mods.iter().map(|name| folder.join(name)).collect();
        if let Some(missing) = mods.iter().find(|folder| !folder.join("hooks/hooks.json").is_file()) {
            let message = format!("names the mod {}, which has no hooks/hooks.json", missing.display());
            return Err(MeasureError::Case { path: folder.join("case.toml"), message });
        }
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let CaseFile { about, words, shows, hosts, codex, .. } = file;
        Ok(Case { name, about, scenario, mods, words, shows, hosts, codex })
    }

    /// Reads every case of a folder, by name.
    pub fn read_all(folder: &Path) -> Result<Vec<Case>, MeasureError> {
        let entries = std::fs::read_dir(folder).map_err(MeasureError::io(folder, "list"))?;
        let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        folders.retain(|folder| folder.join("case.toml").is_file());
        folders.sort();
        folders.iter().map(|folder| Case::read(folder)).collect()
    }

    /// What the script types: prompts and commands, in order.
    pub fn typed(&self) -> impl Iterator<Item = (&str, bool)> {
        self.scenario.prompts.iter().map(|prompt| match &prompt.command {
            Some(command) => (command.as_str(), true),
            None => (prompt.text.as_deref().unwrap_or_default(), false),
        })
    }
}

impl Measured {
    /// What a host did in this case, as it is stored.
    pub fn new(observation: Observation, command: impl Into<String>) -> Measured {
        Measured { host: observation.host.clone(), command: command.into(), observation: observation.for_storage() }
    }

    /// Where the measurement of a host lies in a case's folder.
    pub fn path(folder: &Path, host: &str) -> PathBuf {
        folder.join("measured").join(format!("{host}.json"))
    }

    /// Reads a stored measurement.
    pub fn read(path: &Path) -> Result<Measured, MeasureError> {
        let text = std::fs::read_to_string(path).map_err(MeasureError::io(path, "read"))?;
        let of = |error: serde_json::Error| MeasureError::Case { path: path.into(), message: error.to_string() };
        serde_json::from_str(&text).map_err(of)
    }

    /// Stores it in a case's folder.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, MeasureError> {
        let path = Measured::path(folder, &self.host);
        let parent = folder.join("measured");
        std::fs::create_dir_all(&parent).map_err(MeasureError::io(&parent, "create"))?;
        let value = serde_json::to_value(self).unwrap_or(Value::Null);
        std::fs::write(&path, format!("{value:#}\n")).map_err(MeasureError::io(&path, "write"))?;
        Ok(path)
    }
}

fn read(folder: &Path, name: &str) -> Result<(PathBuf, String), MeasureError> {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).map_err(MeasureError::io(&path, "read"))?;
    Ok((path, text))
}
