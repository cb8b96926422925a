//! Loading a mod: its folder, its modules, its isolate.

mod check;
mod folder;
mod table;

use std::sync::Arc;

use modgate_engine::{Host, InnerModule, Isolate, IsolateSpec, Limits, LoadError, Modules};

use crate::mods::Mods;
use crate::plugin::{Plugin, PluginHost, PluginSpec};

pub use check::{Checked, check, check_text};
pub use folder::{Folder, FolderError};
pub(crate) use table::{AddedMethod, dollar_table};

include!(concat!(env!("OUT_DIR"), "/inner.rs"));

/// The module that every mod may import by name.
pub(crate) fn claude_code() -> InnerModule {
    InnerModule { name: "claude-code", entry: "claude-code/main.js", files: CLAUDE_CODE }
}

/// The test kit, for test files alone.
pub(crate) fn testing_kit() -> InnerModule {
    InnerModule { name: "claude-code/testing", entry: "testing/main.js", files: TESTING }
}

/// Why a mod is not part of the session.
#[derive(Debug, thiserror::Error)]
pub enum ModError {
    /// Its folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Its module.
    #[error("{name}: {error}")]
    Load {
        /// The mod.
        name: String,
        /// What went wrong.
        error: Box<LoadError>,
    },
    /// A hook stands on something that is not there.
    #[error("{name}: {message}")]
    Hook {
        /// The mod.
        name: String,
        /// Which, and why.
        message: String,
    },
    /// The system gave no thread.
    #[error("{name} cannot be started: {error}")]
    Thread {
        /// The mod.
        name: String,
        /// What the system said.
        error: std::io::Error,
    },
}

impl ModError {
    /// Why, without the mod's name.
    pub fn reason(&self) -> String {
        match self {
            ModError::Load { error, .. } => error.to_string(),
            ModError::Hook { message, .. } => message.clone(),
            other => other.to_string(),
        }
    }
}

/// Starts the isolate of a mod. It takes part in nothing before it is seated.
pub(crate) fn start(
    mods: &Arc<Mods>,
    spec: PluginSpec,
    modules: Arc<dyn Modules>,
    inner: Vec<InnerModule>,
    limits: Limits,
) -> Result<Arc<Plugin>, ModError> {
    let plugin = Plugin::new(spec, Arc::downgrade(mods));
    let host: Arc<dyn Host> = Arc::new(PluginHost::new(Arc::downgrade(&plugin)));
    seat_isolate(mods, &plugin, modules, inner, limits, host)?;
    Ok(plugin)
}

pub(crate) fn seat_isolate(
    mods: &Arc<Mods>,
    plugin: &Arc<Plugin>,
    modules: Arc<dyn Modules>,
    inner: Vec<InnerModule>,
    limits: Limits,
    host: Arc<dyn Host>,
) -> Result<(), ModError> {
    plugin.comes_from(modules.clone());
    let isolate = Isolate::start(IsolateSpec {
        name: plugin.name().to_string(),
        modules,
        inner,
        host,
        limits,
        activity: mods.activity.clone(),
        runtime: mods.runtime.clone(),
        spares: mods.spares.clone(),
    })
    .map_err(|error| ModError::Thread { name: plugin.name().to_string(), error })?;
    isolate.set_table(dollar_table(plugin, &[], &[]));
    plugin.seat(isolate);
    Ok(())
}

/// Starts a mod, runs its `register`, and checks that its hooks stand on something.
///
/// # Errors
/// See [`ModError`]. The mod takes part in nothing then.
pub async fn load(
    mods: &Arc<Mods>,
    spec: PluginSpec,
    modules: Arc<dyn Modules>,
    entry: &str,
    limits: Limits,
) -> Result<Arc<Plugin>, ModError> {
    let options = spec.options.clone();
    let plugin = start(mods, spec, modules, vec![claude_code()], limits)?;
    let name = plugin.name().to_string();
    let Some(isolate) = plugin.isolate() else { return Ok(plugin) };
    isolate
        .load(entry, Some(options))
        .await
        .map_err(|error| ModError::Load { name: name.clone(), error: Box::new(error) })?;
    plugin.close_registration();
    for pattern in plugin.patterns() {
        known(&pattern).map_err(|message| ModError::Hook { name: name.clone(), message })?;
    }
    Ok(plugin)
}

/// Refuses a pattern that selects nothing at all. Nouns of other mods are looked at when `$` is built.
fn known(pattern: &str) -> Result<(), String> {
    let bare = pattern.trim_start_matches('!');
    if bare == "*" || modgate_catalog::event(bare).is_some() {
        return Ok(());
    }
    let namespace = bare.split('.').next().unwrap_or(bare);
    let is_ours = modgate_catalog::event_namespaces().contains(&namespace);
    if bare.ends_with(".*") && is_ours || !is_ours && bare.contains('.') {
        return Ok(());
    }
    let near = modgate_catalog::nearest_event(bare).map(|near| format!("; the nearest is {near}")).unwrap_or_default();
    Err(format!("there is no event {pattern}{near}"))
}
