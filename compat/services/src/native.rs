//! Everything this crate serves, put together for one session.

use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::AgentTable;
use crate::audio::SilentAudio;
use crate::clock::SystemClock;
use crate::command::CommandTable;
use crate::config::ConfigTable;
use crate::env::Variables;
use crate::fs::NativeFs;
use crate::http::NativeHttp;
use crate::process::NativeProcess;
use crate::prompt::PromptBox;
use crate::session::{Facts, SessionInfo};
use crate::settings::SettingsLayers;
use crate::state::SessionState;
use crate::store::FileStore;
use crate::telemetry::NoTelemetry;
use crate::tool::ToolTable;
use crate::turn::RunningTurn;
use crate::ui::Surface;
use crate::{Builder, Services};

/// A session's own parts of `$`, for a host that feeds and reads them. [`NativeHost::builder`] serves them; `$.model`
/// and `$.mcp` are the host's to add, and so is a wrapper around a part whose other members need a turn loop (a `Tool`
/// that answers `call` and `check` itself and passes `list` and `register` on to [`NativeHost::tools`]).
#[derive(Debug)]
pub struct NativeHost {
    /// Variables of `$.env` and of child processes.
    pub variables: Variables,
    /// Subagents and agent types.
    pub agents: Arc<AgentTable>,
    /// Commands.
    pub commands: Arc<CommandTable>,
    /// Configuration rows.
    pub config: Arc<ConfigTable>,
    /// The box a person types into.
    pub prompt: Arc<PromptBox>,
    /// Facts about the session.
    pub session: Arc<SessionInfo>,
    /// The layers of the settings.
    pub settings: Arc<SettingsLayers>,
    /// What mods share.
    pub state: Arc<SessionState>,
    /// What mods keep.
    pub store: Arc<FileStore>,
    /// The model's tools.
    pub tools: Arc<ToolTable>,
    /// The running turn.
    pub turn: Arc<RunningTurn>,
    /// What a person sees.
    pub surface: Arc<Surface>,
    cwd: PathBuf,
}

/// What a session begins with.
#[derive(Debug, Default)]
pub struct Beginning {
    /// Facts about it; relative paths of calls start at its `cwd`.
    pub facts: Facts,
    /// Variables; nothing of this process's own is added.
    pub variables: Variables,
    /// The user's store.
    pub store: PathBuf,
    /// The user's settings file, in which configured values are kept; without it they end with the session.
    pub settings_file: Option<PathBuf>,
    /// The layers of the settings.
    pub settings: SettingsLayers,
}

impl NativeHost {
    /// The parts of one session.
    pub fn new(beginning: Beginning) -> NativeHost {
        let Beginning { facts, variables, store, settings_file, settings } = beginning;
        NativeHost {
            variables,
            agents: Arc::default(),
            commands: Arc::default(),
            config: Arc::new(settings_file.map_or_else(ConfigTable::new, ConfigTable::with_file)),
            prompt: Arc::default(),
            cwd: facts.cwd.clone(),
            session: Arc::new(SessionInfo::new(facts)),
            settings: Arc::new(settings),
            state: Arc::default(),
            store: Arc::new(FileStore::new(store)),
            tools: Arc::default(),
            turn: Arc::default(),
            surface: Arc::default(),
        }
    }

    /// A set that serves these parts, without a grant for anybody until it is given a policy.
    pub fn builder(&self) -> Builder {
        self.serve(Services::builder(&self.cwd))
    }

    /// Adds these parts to a set.
    pub fn serve(&self, builder: Builder) -> Builder {
        builder
            .agent(self.agents.clone())
            .audio(Arc::new(SilentAudio))
            .clock(Arc::new(SystemClock))
            .command(self.commands.clone())
            .config(self.config.clone())
            .env(Arc::new(self.variables.clone()))
            .fs(Arc::new(NativeFs))
            .http(Arc::new(NativeHttp::new()))
            .process(Arc::new(NativeProcess::new(self.variables.clone())))
            .prompt(self.prompt.clone())
            .session(self.session.clone())
            .settings(self.settings.clone())
            .state(self.state.clone())
            .store(self.store.clone())
            .telemetry(Arc::new(NoTelemetry))
            .tool(self.tools.clone())
            .turn(self.turn.clone())
            .ui(self.surface.clone())
    }

    /// Forgets what a mod registered and drew, when it is unloaded. Its state and store stay; its panes stay where it
    /// is loaded again.
    pub fn forget(&self, plugin: &str, is_reloaded: bool) {
        self.agents.forget(plugin);
        self.commands.forget(plugin);
        self.config.forget(plugin);
        self.tools.forget(plugin);
        self.surface.forget(plugin, is_reloaded);
    }
}
