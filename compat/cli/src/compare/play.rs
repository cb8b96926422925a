//! A scenario with mods under one host's profile, in a working directory of its own, as an observation.

use std::collections::BTreeMap;
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
use modgate_harness::SessionBuilder;
use modgate_harness::record::Row;
use modgate_harness::script::{self, RunOptions, Scenario};
use modgate_measure::{HostRun, Observation};
use modgate_services::Policy as Grants;
use modgate_services::mcp::ServerConfig;
use modgate_value::Value;
use tokio_util::sync::CancellationToken;

use crate::cli::LimitArgs;
use crate::commands::run::{bad_grants, places};
use crate::error::{Coded, Failure};

use super::dry;
use super::pulse::Pulse;

/// A mod to play with.
pub(crate) struct Played {
    /// Its name.
    pub(crate) name: String,
    /// Its content hash.
    pub(crate) hash: String,
    /// Its files.
    pub(crate) folder: Arc<Folder>,
}

/// Told of every row of the session under a host.
pub(crate) type Watch = Arc<dyn Fn(&str, &Row) + Send + Sync>;

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
    /// MCP servers of `$.mcp`.
    pub(crate) mcp: &'a BTreeMap<String, ServerConfig>,
    /// Is told of every row of the session under a host.
    pub(crate) watch: Option<Watch>,
    /// What one mod may use.
    pub(crate) limits: LimitArgs,
    /// Shell commands run nothing: nobody wrote them down to be run.
    pub(crate) is_dry: bool,
    /// How long a session may stand still.
    pub(crate) patience: Duration,
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
        options.cancel = cancel.clone();
        let pulse = Pulse::new(self.scenario, self.patience);
        options.configure = Some(self.configure(&host, pulse.clone()));
        let timer = tokio::spawn(pulse.clone().stop_where_it_fails(cancel));
        let outcome = script::run(self.scenario, options).await;
        timer.abort();
        native.close();
        let outcome = outcome.map_err(|error| Coded::new(error.code(), error.to_string()))?;
        if outcome.stopped {
            return Ok(HostRun::cannot(host, pulse.why()));
        }
        let seen = Observation::from_record(&host, &outcome.rows).with_files(&work);
        let seen = seen.map_err(|error| Coded::new(error.code(), error.to_string()))?;
        Ok(HostRun::ran(seen.relative_to(&work)))
    }

    /// Other tools for a made scenario, and whoever watches.
    fn configure(&self, host: &str, pulse: Arc<Pulse>) -> Box<dyn FnOnce(SessionBuilder) -> SessionBuilder + Send> {
        let (is_dry, watch, host) = (self.is_dry, self.watch.clone(), host.to_owned());
        Box::new(move |builder| {
            let builder = if is_dry { builder.tools(dry::tools()) } else { builder };
            let builder = builder.observe(move |_| pulse.beat());
            match watch {
                Some(watch) => builder.observe(move |row| watch(&host, row)),
                None => builder,
            }
        })
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
            mcp: self.mcp.clone(),
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
