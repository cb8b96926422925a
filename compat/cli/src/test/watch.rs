//! Waits for changes in the folders of mods.

use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::error::Failure;

/// Editors write a file in several steps; a change counts once they have been quiet for so long.
const QUIET: Duration = Duration::from_millis(60);

/// Folders that are being watched.
pub(crate) struct Watch {
    changed: UnboundedReceiver<PathBuf>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches these folders and everything below them.
    ///
    /// # Errors
    /// The system cannot watch one of them.
    pub(crate) fn new(folders: &[PathBuf]) -> Result<Watch, Failure> {
        let failed = |error: notify::Error| Failure::NotStarted { what: "watching folders", why: error.to_string() };
        let (tell, changed) = unbounded_channel();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            if matches!(event.kind, EventKind::Access(_)) {
                return;
            }
            for path in event.paths.into_iter().filter(|path| concerns(path)) {
                // Nobody listens once the program ends.
                let _ = tell.send(path);
            }
        })
        .map_err(failed)?;
        for folder in folders {
            watcher.watch(folder, RecursiveMode::Recursive).map_err(failed)?;
        }
        Ok(Watch { changed, _watcher: watcher })
    }

    /// The paths that change next.
    pub(crate) async fn next(&mut self) -> Vec<PathBuf> {
        let mut paths: Vec<_> = self.changed.recv().await.into_iter().collect();
        while let Ok(Some(path)) = tokio::time::timeout(QUIET, self.changed.recv()).await {
            paths.push(path);
        }
        paths
    }
}

/// Version control and installed packages are none of a mod's files.
fn concerns(path: &Path) -> bool {
    !path.components().any(|part| matches!(part.as_os_str().to_str(), Some(".git" | "node_modules")))
}
