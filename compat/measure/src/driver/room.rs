//! The folders one measurement happens in; removed when it is over.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;

use modgate_harness::script::{FileContent, Scenario};

use crate::MeasureError;
use crate::case::Case;

pub(super) struct Room {
    folder: TempDir,
}

impl Room {
    /// Home, working directory with the scenario's files, and the mods under their own names.
    pub(super) fn new(case: &Case) -> Result<Room, MeasureError> {
        let folder = tempfile::Builder::new().prefix("modgate-").tempdir();
        let room = Room { folder: folder.map_err(MeasureError::io("a temporary folder", "create"))? };
        for path in [room.home(), room.work(), room.folder.path().join("mods")] {
            std::fs::create_dir_all(&path).map_err(MeasureError::io(&path, "create"))?;
        }
        room.scenario_files(&case.scenario)?;
        for (index, source) in case.mods.iter().enumerate() {
            copy(source, &room.mod_at(index, source))?;
        }
        Ok(room)
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(super) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Where the copy of a mod lies. The folder keeps its name, which is the mod's where it has no manifest.
    pub(super) fn mod_at(&self, index: usize, source: &Path) -> PathBuf {
        let name = source.file_name().map_or_else(|| "mod".into(), |name| name.to_os_string());
        self.folder.path().join("mods").join(index.to_string()).join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) -> Result<PathBuf, MeasureError> {
        let path = self.at(name);
        write(&path, text, false)?;
        Ok(path)
    }

    pub(super) fn script(&self, name: &str, text: &str) -> Result<PathBuf, MeasureError> {
        let path = self.at(name);
        write(&path, text, true)?;
        Ok(path)
    }

    fn scenario_files(&self, scenario: &Scenario) -> Result<(), MeasureError> {
        for (path, content) in &scenario.files {
            let executable = matches!(content, FileContent::Full { executable: true, .. });
            write(&self.work().join(path), content.text(), executable)?;
        }
        Ok(())
    }
}

fn write(path: &Path, text: &str, executable: bool) -> Result<(), MeasureError> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(MeasureError::io(parent, "create"))?;
    }
    std::fs::write(path, text).map_err(MeasureError::io(path, "write"))?;
    if executable {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, mode).map_err(MeasureError::io(path, "mark as a program"))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), MeasureError> {
    std::fs::create_dir_all(to).map_err(MeasureError::io(to, "create"))?;
    let entries = std::fs::read_dir(from).map_err(MeasureError::io(from, "list"))?;
    for entry in entries {
        let entry = entry.map_err(MeasureError::io(from, "list"))?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        // Links are followed: the copy has to stand by itself.
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            std::fs::copy(&path, &target).map_err(MeasureError::io(&path, "copy"))?;
        }
    }
    Ok(())
}

/// Takes everything out of a program's environment but what it needs to be itself, and sends what it would send
/// elsewhere to the server on loopback, which serves none of it.
pub(super) fn closed(command: &mut Command, url: &str) {
    command.env_clear();
    for name in ["PATH", "LANG", "TERM", "TMPDIR"] {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        command.env(name, url);
    }
    for name in ["NO_PROXY", "no_proxy"] {
        command.env(name, "127.0.0.1,localhost");
    }
}

/// The rows of a JSON Lines file; lines that are no JSON are left out, a missing file has none.
pub(super) fn json_lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Files with that ending beneath a folder, by path.
pub(super) fn find(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
