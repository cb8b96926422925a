//! A scenario with mods under one host's profile, in a working directory of its own, as an observation.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use modgate_catalog::hosts::HostProfile;
use modgate_compat::Tier;
use modgate_compat::load::Folder;
use modgate_compat::native::{ModSource, Native, NativeOptions};
use modgate_engine::Limits;
use modgate_harness::script::{self, RunOptions, Scenario};
use modgate_measure::{HostRun, Observation};
use modgate_services::Policy as Grants;
use modgate_value::Value;
use tokio_util::sync::CancellationToken;

use crate::cli::LimitArgs;
use crate::commands::run::{bad_grants, places};
use crate::error::{Coded, Failure};

use super::dry;

/// A mod to play with.
pub(crate) struct Played {
    /// Its name.
    pub(crate) name: String,
    /// Its content hash.
    pub(crate) hash: String,
    /// Its files.
    pub(crate) folder: Arc<Folder>,
}

/// What is played.
pub(crate) struct Play<'a> {
    /// The scenario.
    pub(crate) scenario: &'a Scenario,
    /// The mods, outermost first.
    pub(crate) mods: &'a [Played],
    /// A working directory to copy.
    pub(crate) workdir: Option<&'a Path>,
    /// The file of the grants and its text.
    pub(crate) grants: Option<(&'a Path, &'a str)>,
    /// Mods reach everything, as on a host that knows no grants.
    pub(crate) is_trusting: bool,
    /// What one mod may use.
    pub(crate) limits: LimitArgs,
    /// Shell commands run nothing: nobody wrote them down to be run.
    pub(crate) is_dry: bool,
}

impl Play<'_> {
    /// Plays it under that profile.
    ///
    /// # Errors
    /// The session itself could not be run; a host that cannot run the mods is an outcome.
    pub(crate) async fn under(&self, profile: &HostProfile) -> Result<HostRun, Failure> {
        let host = profile.spec();
        let made = tempfile::Builder::new().prefix("modgate-").tempdir();
        let own = made.map_err(|error| Failure::NotStarted { what: "a working folder", why: error.to_string() })?;
        let (work, record) = (own.path().join("work"), own.path().join("record.jsonl"));
        match self.workdir {
            Some(folder) => copy(folder, &work).map_err(|error| Failure::at(folder, error))?,
            None => fs::create_dir(&work)?,
        }
        let work = work.canonicalize()?;
        let cancel = CancellationToken::new();
        let native = self.native(profile, &work, &record, &cancel)?;
        let (loaded, refused) = self.load(&native).await;
        if loaded == 0 && !self.mods.is_empty() {
            native.close();
            return Ok(HostRun::cannot(host, refused.join("; ")));
        }
        let mut options = RunOptions::new(&record, &work);
        options.registry = native.registry();
        options.policy = native.session_policy();
        options.cancel = cancel;
        if self.is_dry {
            options.configure = Some(Box::new(|builder| builder.tools(dry::tools())));
        }
        let outcome = script::run(self.scenario, options).await;
        native.close();
        let outcome = outcome.map_err(|error| Coded::new(error.code(), error.to_string()))?;
        let seen = Observation::from_record(&host, &outcome.rows).with_files(&work);
        let seen = seen.map_err(|error| Coded::new(error.code(), error.to_string()))?;
        Ok(HostRun::ran(seen.relative_to(&work)))
    }

    fn native(
        &self,
        profile: &HostProfile,
        work: &Path,
        record: &Path,
        cancel: &CancellationToken,
    ) -> Result<Native, Failure> {
        let grants = match self.grants {
            Some((path, text)) => Grants::from_toml(text, &places(work)).map_err(|error| bad_grants(path, &error))?,
            None if self.is_trusting => Grants::allow_all(),
            None => Grants::deny_all(),
        };
        let keep = ["PATH", "HOME", "LANG"];
        let variables = keep.iter().filter_map(|name| Some((name.to_string(), std::env::var(name).ok()?))).collect();
        let limits = Limits {
            hook: Duration::from_millis(self.limits.hook_ms),
            heap: usize::from(self.limits.heap_mib) << 20,
            buffers: usize::from(self.limits.buffers_mib) << 20,
            ..Limits::default()
        };
        Ok(Native::new(NativeOptions {
            profile: profile.clone(),
            grants,
            cwd: work.to_owned(),
            variables,
            store: record.with_extension("store.json"),
            limits,
            runtime: tokio::runtime::Handle::current(),
            cancel: cancel.clone(),
        }))
    }

    /// How many mods take part, and why the others do not.
    async fn load(&self, native: &Native) -> (usize, Vec<String>) {
        let (mut loaded, mut refused) = (0, Vec::new());
        for Played { name, hash, folder } in self.mods {
            let source = ModSource::folder(folder, Tier::User, hash.clone(), &Value::object::<&str>([]));
            match source {
                Ok(source) => match native.load(source).await {
                    Ok(()) => loaded += 1,
                    Err(error) => refused.push(match &error.position {
                        Some(position) => format!("{position}: {error}"),
                        None => error.to_string(),
                    }),
                },
                Err(why) => refused.push(format!("{name}: {}", why.join("; "))),
            }
        }
        if let Err(fault) = native.ready().await {
            refused.push(fault.message);
            loaded = native.mods().plugins().len();
        }
        (loaded, refused)
    }
}

/// A folder with everything in it; links stay links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target): (_, PathBuf) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path())?, &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
