use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::SystemTime;

use parking_lot::{Mutex, RwLock};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::error::HarnessError;
use crate::model::Model;
use crate::permission::Permissions;
use crate::person::{Nobody, Person};
use crate::point::{Section, SessionInfo, Site};
use crate::record::{By, Clock, Record, RequestHeader, Row, SessionStartRow, kind};
use crate::registry::Registry;
use crate::tools::{Limits, Tool, ToolState, standard};

use super::core::{Core, Observer, to_value};
use super::policy::SessionPolicy;
use super::progress::Progress;
use super::{Session, resume, surface, turn};

/// The system prompt where nobody gives another.
const INTRO: &str = "You work in the person's directory, with the tools you are offered.";

/// What a session is made of.
pub struct SessionBuilder {
    registry: Registry,
    model: Arc<dyn Model>,
    person: Arc<dyn Person>,
    tools: Vec<Arc<dyn Tool>>,
    policy: SessionPolicy,
    permissions: Permissions,
    system: Vec<Section>,
    sites: Vec<Site>,
    limits: Limits,
    clock: Clock,
    observers: Vec<Observer>,
    cancel: CancellationToken,
}

impl SessionBuilder {
    /// With the standard tools, a system prompt of one section, the native policy, mode default without rules, nobody to ask, and the site
    /// `AbovePrompt`.
    pub fn new(registry: Registry, model: Arc<dyn Model>) -> SessionBuilder {
        SessionBuilder {
            registry,
            model,
            person: Arc::new(Nobody),
            tools: standard(),
            policy: SessionPolicy::default(),
            permissions: Permissions::default(),
            system: vec![Section { id: "intro".into(), text: INTRO.into() }],
            sites: vec![Site { name: "AbovePrompt".into() }],
            limits: Limits::default(),
            clock: Arc::new(SystemTime::now),
            observers: Vec::new(),
            cancel: CancellationToken::new(),
        }
    }

    /// Who answers questions.
    #[must_use]
    pub fn person(mut self, person: Arc<dyn Person>) -> Self {
        self.person = person;
        self
    }

    /// The tools offered before contributors add theirs.
    #[must_use]
    pub fn tools(mut self, tools: Vec<Arc<dyn Tool>>) -> Self {
        self.tools = tools;
        self
    }

    /// What this host allows.
    #[must_use]
    pub fn policy(mut self, policy: SessionPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Mode and rules.
    #[must_use]
    pub fn permissions(mut self, permissions: Permissions) -> Self {
        self.permissions = permissions;
        self
    }

    /// Sections of the system prompt before contributors work on them.
    #[must_use]
    pub fn system(mut self, system: Vec<Section>) -> Self {
        self.system = system;
        self
    }

    /// The places surfaces draw.
    #[must_use]
    pub fn sites(mut self, sites: Vec<Site>) -> Self {
        self.sites = sites;
        self
    }

    /// Limits of the tools.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What tells the time.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Is called with each row once it is on the disk, in order, while the record is held: it must neither block nor
    /// ask the session for anything.
    #[must_use]
    pub fn observe(mut self, observer: impl Fn(&Row) + Send + Sync + 'static) -> Self {
        self.observers.push(Box::new(observer));
        self
    }

    /// Fires to stop everything (Ctrl-C).
    #[must_use]
    pub fn cancel(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// Starts a session in this directory, with a new record in that file.
    pub async fn create(self, record: &Path, root: &Path) -> Result<Session, HarnessError> {
        let root = canonical(root)?;
        let record = Record::create(record, self.clock.clone())?;
        let core = self.core(record, turn::new_id("session"), root);
        let row = SessionStartRow {
            session_id: core.session_id.clone(),
            cwd: core.root.to_string_lossy().into_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            policy: to_value(&core.policy),
            permissions: to_value(&*core.permissions.read()),
            contributors: core.registry.names(),
        };
        core.write(kind::SESSION_START, By::Harness, to_value(&row)).await?;
        start(&core, false).await?;
        Ok(Session { core, open: None })
    }

    /// Continues the session of that record. Nothing is executed again: a call without a result is closed as
    /// interrupted, and an open turn waits for [`Session::finish_open`].
    pub async fn resume(self, record: &Path) -> Result<Session, HarnessError> {
        let path = record.to_owned();
        let record = Record::open(record, self.clock.clone())?;
        let rows = record.rows().to_vec();
        let begun = rows.iter().find(|row| row.kind == kind::SESSION_START).and_then(Row::parse::<SessionStartRow>);
        let Some(begun) = begun else { return Err(HarnessError::NoSession { path }) };
        let root = canonical(Path::new(&begun.cwd))?;
        let dropped = record.recovered().map_or(0, |recovered| recovered.dropped_bytes);
        let core = self.core(record, begun.session_id, root);
        let revisions =
            rows.iter().filter(|row| row.kind == kind::REQUEST_HEADER).filter_map(Row::parse::<RequestHeader>);
        let last = revisions.map(|header| header.revision).max().unwrap_or_default();
        core.revision.store(last, std::sync::atomic::Ordering::SeqCst);
        resume::restore(&core, &rows);
        let progress = Progress::of(&rows);
        resume::close(&core, &progress, dropped).await?;
        start(&core, true).await?;
        Ok(Session { core, open: progress.open })
    }

    fn core(self, record: Record, session_id: String, root: PathBuf) -> Arc<Core> {
        Arc::new(Core {
            record: Arc::new(Mutex::new(record)),
            runtime: Handle::current(),
            registry: self.registry,
            model: self.model,
            person: self.person,
            tools: self.tools,
            policy: self.policy,
            permissions: RwLock::new(self.permissions),
            session_id,
            root,
            system: self.system,
            sites: self.sites,
            limits: self.limits,
            tool_state: ToolState::default(),
            scopes: Default::default(),
            cancel: self.cancel,
            turns: Mutex::default(),
            snapshots: Mutex::default(),
            histories: Mutex::default(),
            committed: Mutex::default(),
            revision: AtomicU64::new(0),
            queue: Mutex::default(),
            drawn: Mutex::default(),
            observers: Arc::new(self.observers),
            ended: false.into(),
            agents_running: Default::default(),
            background: Default::default(),
            left_running: Default::default(),
        })
    }
}

fn canonical(root: &Path) -> Result<PathBuf, HarnessError> {
    root.canonicalize().map_err(|source| HarnessError::Workdir { path: root.to_owned(), source })
}

async fn start(core: &Arc<Core>, resumed: bool) -> Result<(), HarnessError> {
    let info =
        SessionInfo { session_id: core.session_id.clone(), cwd: core.root.to_string_lossy().into_owned(), resumed };
    let handle = core.handle();
    for one in core.registry.session_lifecycle() {
        if let Err(error) = one.it.start(&info, &handle).await {
            core.failed(&one.name, &error).await?;
        }
    }
    surface::draw(core).await
}
