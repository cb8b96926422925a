//! `$.settings`: the layers of `settings.json`.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use figment::Figment;
use figment::providers::{Format, Json};
use modgate_value::Value;

use crate::context::Context;
use crate::input::Args;
use crate::service::service;
use crate::{Answer, Caller, ServiceError, codes};

service! {
    /// Serves `$.settings`.
    Settings as "settings" {
        /// `{source?}`; the merged settings, or one layer's. A missing layer is `{}`.
        read;
    }
}

/// The layers, the weakest first. A later one wins.
pub const LAYERS: &[&str] = &["user", "project", "local", "flag", "policy"];

fn admit(context: &Context, _method: &str, args: &Args<'_>) -> Result<(), ServiceError> {
    if args.maybe_text("source")?.is_some_and(|source| !LAYERS.contains(&source)) {
        return Err(args.bad(format_args!("source must be one of {}", LAYERS.join(", "))));
    }
    context.reach_call()
}

/// A settings file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{layer} settings {path}: {why}")]
pub struct SettingsError {
    /// Which layer.
    pub layer: String,
    /// Which file.
    pub path: PathBuf,
    /// What is wrong, with line and column where it is not JSON.
    pub why: String,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// `user`, `project`, `local`, `flag` or `policy`.
    pub layer: String,
    /// The file; none for a layer given as text.
    pub path: Option<PathBuf>,
}

/// A snapshot of the layers, read when it was made.
#[derive(Debug, Default)]
pub struct SettingsLayers {
    layers: Vec<(&'static str, Option<PathBuf>, serde_json::Value)>,
}

impl SettingsLayers {
    /// No layers.
    pub fn new() -> SettingsLayers {
        SettingsLayers::default()
    }

    /// Adds a layer from a file; one that is not there adds nothing.
    ///
    /// # Errors
    /// An unknown layer, a file that cannot be read or is no JSON object.
    pub fn with_file(mut self, layer: &str, path: &Path) -> Result<SettingsLayers, SettingsError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(self),
            Err(error) => return Err(wrong(layer, path, &error)),
        };
        self.add(layer, Some(path), &text)?;
        Ok(self)
    }

    /// Adds a layer from text.
    ///
    /// # Errors
    /// An unknown layer, or text that is no JSON object.
    pub fn with_text(mut self, layer: &str, text: &str) -> Result<SettingsLayers, SettingsError> {
        self.add(layer, None, text)?;
        Ok(self)
    }

    fn add(&mut self, layer: &str, path: Option<&Path>, text: &str) -> Result<(), SettingsError> {
        let shown = path.unwrap_or(Path::new("(text)"));
        let known = LAYERS.iter().find(|known| **known == layer);
        let known = known.ok_or_else(|| wrong(layer, shown, &"no such layer"))?;
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(text).map_err(|error| wrong(layer, shown, &error))?;
        self.layers.push((known, path.map(Path::to_path_buf), object.into()));
        // Stable: two files of one layer count in the order they were added.
        self.layers.sort_by_key(|(layer, ..)| LAYERS.iter().position(|known| known == layer));
        Ok(())
    }

    fn merged(&self, only: Option<&str>) -> Figment {
        let wanted = self.layers.iter().filter(|(layer, ..)| only.is_none_or(|only| only == *layer));
        wanted.fold(Figment::new(), |figment, (layer, path, value)| {
            let name = path.as_ref().map_or_else(|| (*layer).to_string(), |path| format!("{layer} {}", path.display()));
            figment.merge(Named { name, json: value.to_string() })
        })
    }

    /// Which layer decides the value at a path such as `permissions.defaultMode`.
    pub fn origin(&self, path: &str) -> Option<Origin> {
        let figment = self.merged(None);
        let name = figment.find_metadata(path)?.name.to_string();
        let found = self.layers.iter().rev().find(|(layer, file, _)| {
            let shown = file.as_ref().map_or_else(|| (*layer).to_string(), |it| format!("{layer} {}", it.display()));
            shown == name
        })?;
        Some(Origin { layer: found.0.into(), path: found.1.clone() })
    }
}

/// One layer under a name that [`SettingsLayers::origin`] finds again.
struct Named {
    name: String,
    json: String,
}

impl figment::Provider for Named {
    fn metadata(&self) -> figment::Metadata {
        figment::Metadata::named(self.name.clone())
    }

    fn data(&self) -> figment::Result<figment::value::Map<figment::Profile, figment::value::Dict>> {
        Json::string(&self.json).data()
    }
}

fn wrong(layer: &str, path: &Path, why: &dyn std::fmt::Display) -> SettingsError {
    SettingsError { layer: layer.into(), path: path.into(), why: why.to_string() }
}

#[async_trait]
impl Settings for SettingsLayers {
    fn members(&self) -> &'static [&'static str] {
        &["read"]
    }

    async fn read(&self, _caller: &Caller, input: &Value) -> Answer {
        let merged: Result<serde_json::Value, _> = self.merged(input.str_at("source")).extract();
        merged.map(Value::from).map_err(|error| ServiceError::failed("settings.read", codes::IO, error))
    }
}
