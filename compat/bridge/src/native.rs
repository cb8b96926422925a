//! Mods on the native harness: one contributor set over its lifecycle points, with `$` served beneath.
//!
//! [`Native`] holds the mods of one session. It is made before the session: mods are loaded into it, then
//! [`Native::registry`] goes into the session's builder. What the chain reports, what `$` calls leave behind and what
//! mods show becomes rows of the record, in the order in which it happened.

mod agents;
mod append;
mod assemble;
mod call;
mod command;
mod commit;
mod convert;
mod core;
mod desk;
mod host;
mod input;
mod load;
mod serve;
mod step;
mod turn;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use modgate_catalog::hosts::HostProfile;
use modgate_engine::{Fault, Limits};
use modgate_harness::session::SessionHandle;
use modgate_harness::{Registry, SessionPolicy};
use modgate_services::env::Variables;
use modgate_services::mcp::{McpServers, ServerConfig};
use modgate_services::session::Facts;
use modgate_services::{Beginning, NativeHost, Policy as Grants, Services};
use modgate_value::Value;
use parking_lot::{Mutex, RwLock};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::chain::{Core, Dispatch, Path};
use crate::mods::{Mods, Origin};

use self::core::NativeCore;
use self::desk::Desk;

pub use load::{ModSource, NotLoaded};

/// What a set of mods works with.
pub struct NativeOptions {
    /// What the host does differently.
    pub profile: HostProfile,
    /// What mods may reach.
    pub grants: Grants,
    /// The session's working directory.
    pub cwd: PathBuf,
    /// Variables of `$.env` and of the children of mods; nothing of this process's own is added.
    pub variables: BTreeMap<String, String>,
    /// The file in which `$.store` is kept.
    pub store: PathBuf,
    /// MCP servers of `$.mcp`, by name; they run with these variables.
    pub mcp: BTreeMap<String, ServerConfig>,
    /// What each isolate may use.
    pub limits: Limits,
    /// Where futures run.
    pub runtime: Handle,
    /// Ends everything that is under way.
    pub cancel: CancellationToken,
}

/// The running session, once it has started; shared by all that needs it.
#[derive(Clone, Default)]
pub(crate) struct Running(Arc<RwLock<Option<SessionHandle>>>);

impl Running {
    pub(crate) fn get(&self) -> Option<SessionHandle> {
        self.0.read().clone()
    }

    fn set(&self, session: Option<SessionHandle>) {
        *self.0.write() = session;
    }
}

/// The mods of one native session.
#[derive(Clone)]
pub struct Native(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) mods: Arc<Mods>,
    pub(crate) host: NativeHost,
    pub(crate) services: Services,
    pub(crate) desk: Arc<Desk>,
    pub(crate) running: Running,
    pub(crate) profile: HostProfile,
    pub(crate) limits: Limits,
    /// Content hashes of the mods that were loaded, for the snapshot of a step.
    pub(crate) hashes: Mutex<Vec<(String, String)>>,
    /// By open call: the mods that corrected it, who may not loosen what is decided about it.
    corrected: Mutex<HashMap<String, BTreeSet<String>>>,
    /// By open call of a mod: who made it, and from within which hooks.
    asked: Mutex<HashMap<String, (Origin, Path)>>,
    /// By call: hooks that began before it was committed.
    begun: Mutex<HashMap<String, commit::Begun>>,
    /// Types of agents that a mod withholds.
    withheld: Mutex<BTreeSet<String>>,
    servers: Arc<McpServers>,
}

impl Native {
    /// A set without mods.
    pub fn new(options: NativeOptions) -> Native {
        let NativeOptions { profile, grants, cwd, variables, store, mcp, limits, runtime, cancel } = options;
        // Calls are served on the threads of isolates, whose time is limited: what is made once is made here.
        modgate_services::mask_text("");
        let running = Running::default();
        let desk = Arc::new(Desk::new(runtime.clone()));
        let facts = Facts {
            cwd: cwd.clone(),
            root: cwd.clone(),
            version: env!("CARGO_PKG_VERSION").into(),
            ..Facts::default()
        };
        let variables = Variables::new(variables);
        let servers = Arc::new(McpServers::new(mcp, variables.clone()));
        let beginning = Beginning { facts, variables, store, ..Beginning::default() };
        let parts = NativeHost::new(beginning);
        let builder = parts.builder().policy(grants).receipts(desk.clone());
        let services =
            serve::serve(builder, &parts, &running).mcp(servers.clone()).lacking(host::lacks(&profile)).build();
        let core = Arc::new(NativeCore::default());
        let (lines, reports) = (desk.clone(), desk.clone());
        let policy = host::chain(&profile, limits.hook);
        let mods = Mods::builder(core.clone(), policy, runtime)
            .reports(reports)
            .log(move |plugin, level, text| lines.console(plugin, level, text))
            .cwd(cwd.to_string_lossy())
            .cancel(cancel)
            .build();
        let inner = Arc::new(Inner {
            mods,
            host: parts,
            services,
            servers,
            desk,
            running,
            profile,
            limits,
            hashes: Mutex::default(),
            corrected: Mutex::default(),
            asked: Mutex::default(),
            begun: Mutex::default(),
            withheld: Mutex::default(),
        });
        core.serve(&inner);
        Native(inner)
    }

    /// The mods.
    pub fn mods(&self) -> &Arc<Mods> {
        &self.0.mods
    }

    /// The parts of `$` that hosts feed and read.
    pub fn host(&self) -> &NativeHost {
        &self.0.host
    }

    /// The contributors, for the session's builder.
    pub fn registry(&self) -> Registry {
        let inner = &self.0;
        Registry::builder()
            .session_lifecycle("mods", Arc::new(turn::Sessions(inner.clone())))
            .turn_input("mods", Arc::new(input::Prompts(inner.clone())))
            .context("mods", Arc::new(assemble::Assembler(inner.clone())))
            .model_step("mods", Arc::new(step::Steps(inner.clone())))
            .pending_call("mods", Arc::new(commit::Commits(inner.clone())))
            .subagent("mods", Arc::new(agents::Agents(inner.clone())))
            .authorization("mods", Arc::new(call::Checks(inner.clone())))
            .tool_lifecycle("mods", Arc::new(call::Calls(inner.clone())))
            .append("mods", Arc::new(append::Rows(inner.clone())))
            .turn_lifecycle("mods", Arc::new(turn::Turns(inner.clone())))
            .command("mods", Arc::new(command::Commands(inner.clone())))
            .build()
    }

    /// What the session itself has to allow so that it goes with this host, and with what grants let the mods do that
    /// are loaded by now.
    pub fn session_policy(&self) -> SessionPolicy {
        host::session(&self.0.profile, self.0.mods.all_corrections())
    }

    /// Ends every isolate. Sessions that ended have done so already.
    pub fn close(&self) {
        self.0.running.set(None);
        for plugin in self.0.mods.plugins() {
            self.0.mods.unseat(plugin.name());
        }
        let servers = self.0.servers.clone();
        self.0.mods.runtime.spawn(async move { servers.stop().await });
    }
}

/// The mods that had a part in a dispatch, as the `by` of a row: nobody can say which of several it was.
pub(crate) fn joined(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join(","))
}

impl Inner {
    /// Raises an event of the host's own over that core, and puts what was reported meanwhile into the record.
    pub(crate) async fn raise(&self, event: &str, input: Value, core: Arc<dyn Core>) -> Result<Value, Fault> {
        self.raise_told(event, input, Path::default(), core).await.0
    }

    /// Raises it and gives what came down to the core, with the answer.
    async fn raise_seen<F: Fn(&Value) -> Value + Send + Sync + 'static>(
        &self,
        event: &str,
        input: Value,
        core: Arc<convert::Echo<F>>,
    ) -> (Option<Value>, Result<Value, Fault>, Vec<String>) {
        let (answer, by) = self.raise_told(event, input, Path::default(), core.clone()).await;
        (core.reached(), answer, by)
    }

    /// The same, with the mods whose answer counted, innermost first.
    pub(crate) async fn raise_told(
        &self,
        event: &str,
        input: Value,
        path: Path,
        core: Arc<dyn Core>,
    ) -> (Result<Value, Fault>, Vec<String>) {
        let dispatch = Dispatch::new(&self.mods, event, Origin::engine(), path, core);
        let answer = dispatch.run(0, input).await;
        self.desk.flush().await;
        (answer, dispatch.returned())
    }
}
