//! Mods into a native session: checked, hashed, admitted, started.

use std::path::PathBuf;
use std::sync::Arc;

use modgate_catalog::Event;
use modgate_catalog::hosts::{EventStatus, UnknownEvent};
use modgate_engine::{Modules, Position};
use modgate_services::{Retry, Rewrite};
use modgate_value::Value;

use super::{Inner, Native};
use crate::load::{self, Folder};
use crate::plugin::{Plugin, PluginSpec, Tier};
use crate::policy::Corrections;
use crate::report::{Report, ReportSink as _, codes};
use crate::testing::options;

/// A mod to load.
pub struct ModSource {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub tier: Tier,
    /// Its folder.
    pub root: Option<PathBuf>,
    /// Its content hash; grants are tied to it.
    pub hash: String,
    /// What `register` gets as its options.
    pub options: Value,
    /// What its code uses, for `plugin.register`.
    pub uses: Value,
    /// Its modules.
    pub modules: Arc<dyn Modules>,
    /// The hooks module among them.
    pub entry: String,
}

impl ModSource {
    /// The mod in a folder that the static rules let through; `given` are values of its declared options, the others
    /// have their defaults.
    ///
    /// # Errors
    /// What refuses it, one `file:line:column: message` each.
    pub fn folder(folder: &Arc<Folder>, tier: Tier, hash: String, given: &Value) -> Result<ModSource, Vec<String>> {
        let checked = folder.checked(tier)?;
        let options = options::values(&folder.manifest, given).map_err(|fault| vec![fault.message])?;
        Ok(ModSource {
            name: folder.name(),
            tier,
            root: Some(folder.root.clone()),
            hash,
            options,
            uses: checked.uses,
            modules: folder.clone(),
            entry: folder.entry.clone(),
        })
    }
}

/// Why a mod is not part of the session. The session goes on without it, and its record says so.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{name} was not loaded: {message}")]
pub struct NotLoaded {
    /// The mod.
    pub name: String,
    /// Why.
    pub message: String,
    /// Where in its source.
    pub position: Option<Position>,
}

/// Events that this harness raises itself. Calls on `$` that are served are raised too.
const RAISED: &[&str] = &[
    "agent.offer",
    "agent.report",
    "agent.spawn",
    "command.run",
    "engine.create",
    "plugin.register",
    "prompt.compose",
    "prompt.context",
    "prompt.section",
    "prompt.submit",
    "session.append",
    "session.end",
    "session.start",
    "tool.call",
    "tool.check",
    "tool.describe",
    "tool.offer",
    "turn.complete",
    "turn.start",
    "turn.step",
];

impl Native {
    /// Loads a mod; the mods are seated in the order in which they are loaded, by tier.
    ///
    /// # Errors
    /// Its module does not load, or another mod refuses it.
    pub async fn load(&self, source: ModSource) -> Result<(), NotLoaded> {
        let inner = &self.0;
        let name = source.name.clone();
        let loaded = inner.join(source).await;
        match loaded {
            Ok(plugin) => {
                inner.warn(&plugin);
                inner.hashes.lock().push((name, plugin.spec.hash.clone()));
                inner.mods.seat(plugin);
                Ok(())
            }
            Err(error) => {
                self.refuse(&error);
                Err(error)
            }
        }
    }

    /// Says in the record that a mod is not part of the session.
    pub fn refuse(&self, error: &NotLoaded) {
        let message = format!("{error}; the session goes on without it");
        let report = Report::new(codes::NOT_LOADED, &error.name, message).at(error.position.clone());
        self.0.desk.report(report);
    }

    /// Every mod is loaded: `$` is built, and mods with hooks on calls of mods that are not there leave the session.
    ///
    /// # Errors
    /// A hook on a noun that nobody provides; the others take part.
    pub async fn ready(&self) -> Result<(), modgate_engine::Fault> {
        let ready = self.0.mods.create().await;
        while let Some((plugin, why)) = self.0.mods.unprovided() {
            let name = plugin.name().to_string();
            self.0.mods.unseat(&name);
            self.0.hashes.lock().retain(|(known, _)| *known != name);
            self.refuse(&NotLoaded { name, message: why, position: None });
        }
        ready
    }
}

/// The events of the catalog that a pattern without exceptions selects.
fn meant(pattern: &str) -> impl Iterator<Item = &'static Event> {
    let events = modgate_catalog::events().iter();
    events.filter(move |event| match pattern.strip_suffix('*') {
        Some(start) => event.name.starts_with(start),
        None => event.name == pattern,
    })
}

impl Inner {
    async fn join(&self, source: ModSource) -> Result<Arc<Plugin>, NotLoaded> {
        let ModSource { name, tier, root, hash, options, uses, modules, entry } = source;
        let not_loaded =
            |message: String, position: Option<Position>| NotLoaded { name: name.clone(), message, position };
        if self.mods.plugin(&name).is_some() {
            return Err(not_loaded("another mod of that name is loaded already".into(), None));
        }
        self.permit(&name, &hash);
        let spec = PluginSpec { name: name.clone(), tier, root, hash, options, uses };
        self.mods.admit(&spec).await.map_err(|fault| not_loaded(fault.message, None))?;
        let loaded = load::load(&self.mods, spec, modules, &entry, self.limits).await.map_err(|error| {
            let position = match &error {
                load::ModError::Load { error, .. } => match &**error {
                    modgate_engine::LoadError::Threw(thrown) => thrown.position.clone(),
                    _ => None,
                },
                _ => None,
            };
            not_loaded(error.reason(), position)
        });
        let plugin = loaded?;
        match self.unknown(&plugin) {
            Some((message, position)) => Err(not_loaded(message, position)),
            None => Ok(plugin),
        }
    }

    /// A hook on something of which this host has not heard, where that refuses a module.
    fn unknown(&self, plugin: &Plugin) -> Option<(String, Option<Position>)> {
        if self.profile.unknown_event.is != UnknownEvent::Refuse {
            return None;
        }
        let patterns = plugin.patterns();
        let pattern = patterns.iter().find(|pattern| {
            let mut meant = meant(pattern).peekable();
            meant.peek().is_some() && meant.all(|event| self.profile.event(event.name) == EventStatus::Unknown)
        })?;
        let host = self.profile.spec();
        Some((format!("{host} knows no event {pattern}"), plugin.position_of(pattern)))
    }

    /// What its grant lets a mod do to committed calls, on a host that can write it down.
    fn permit(&self, name: &str, hash: &str) {
        if self.profile.corrects() {
            let grants = self.services.policy();
            let amends = grants.rewrite(name, hash) == Rewrite::Amend;
            let retries = grants.retry(name, hash) == Retry::Record;
            self.mods.permit(name, Corrections { amends, retries });
        }
    }

    /// Whether a call on `$` that is served raises it.
    fn is_called(&self, event: &Event) -> bool {
        let mut raising = modgate_catalog::members()
            .iter()
            .filter(|member| member.raises().is_some_and(|one| one.name == event.name));
        raising.any(|member| self.services.serves(member.call))
    }

    /// Names the hooks that will never run here.
    fn warn(&self, plugin: &Plugin) {
        for pattern in plugin.patterns() {
            let Some(event) = modgate_catalog::event(&pattern) else { continue };
            let is_raised = RAISED.binary_search(&event.name).is_ok() || self.is_called(event);
            let (code, message) = match (self.profile.event(event.name), is_raised) {
                (EventStatus::Raised, true) => continue,
                // The host does; what is missing is missing here, and says nothing about it.
                (EventStatus::Raised, false) => {
                    let host = self.profile.spec();
                    (codes::NOT_PLAYED, format!("{host} raises {pattern}; this harness does not play it"))
                }
                _ => {
                    let name = plugin.name();
                    (codes::NEVER_RAISED, format!("{name} has a hook on {pattern}, which this host never raises"))
                }
            };
            let mut report = Report::new(code, plugin.name(), message).at(plugin.position_of(&pattern));
            report.event = Some(pattern);
            self.desk.report(report);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_raised_here_is_raised_under_the_native_profile() {
        let native = modgate_catalog::hosts::host("native").unwrap();
        let silent: Vec<_> = RAISED.iter().filter(|name| native.event(name) != EventStatus::Raised).collect();
        assert!(silent.is_empty() && RAISED.is_sorted(), "{silent:?}");
    }
}
