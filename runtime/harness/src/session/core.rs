use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use parking_lot::{Mutex, RwLock};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::error::HarnessError;
use crate::fold::History;
use crate::model::Model;
use crate::permission::Permissions;
use crate::person::Person;
use crate::prompt::Prompt;
use crate::record::{By, Record, Row, SessionEndRow, kind};
use crate::registry::Registry;
use crate::report::{ContributorError, Report};
use crate::tools::{Limits, Tool, ToolState};

use super::handle::SessionHandle;
use super::policy::SessionPolicy;
use super::scope::Scopes;
use super::snapshot::Snapshot;

/// Called with each row once it is on the disk.
pub(super) type Observer = Box<dyn Fn(&Row) + Send + Sync>;

/// Everything the parts of a session share.
pub(super) struct Core {
    pub(super) record: Arc<Mutex<Record>>,
    /// Where work is done, whoever asks for it: contributors may call from threads and runtimes of their own.
    pub(super) runtime: Handle,
    pub(super) registry: Registry,
    pub(super) model: Arc<dyn Model>,
    pub(super) person: Arc<dyn Person>,
    pub(super) tools: Vec<Arc<dyn Tool>>,
    pub(super) policy: SessionPolicy,
    pub(super) permissions: RwLock<Permissions>,
    pub(super) session_id: String,
    pub(super) root: PathBuf,
    pub(super) system: Vec<crate::point::Section>,
    pub(super) sites: Vec<crate::point::Site>,
    pub(super) limits: Limits,
    pub(super) tool_state: ToolState,
    pub(super) scopes: Scopes,
    pub(super) cancel: CancellationToken,
    pub(super) turns: Mutex<HashMap<Option<String>, RunningTurn>>,
    pub(super) snapshots: Mutex<HashMap<Option<String>, Arc<Snapshot>>>,
    pub(super) histories: Mutex<HashMap<Option<String>, History>>,
    pub(super) committed: Mutex<HashSet<String>>,
    pub(super) revision: AtomicU64,
    pub(super) queue: Mutex<VecDeque<Prompt>>,
    pub(super) drawn: Mutex<HashMap<(String, String), Value>>,
    pub(super) observers: Arc<Vec<Observer>>,
    pub(super) ended: AtomicBool,
    /// Nested loops that run now.
    pub(super) agents_running: AtomicUsize,
    /// What goes on by itself: nested loops nobody waits for.
    pub(super) background: TaskTracker,
    /// Runs that nobody waits for at the end of their call; the session does before it ends.
    pub(super) left_running: TaskTracker,
}

/// The turn a loop is in.
#[derive(Clone)]
pub(super) struct RunningTurn {
    pub(super) turn_id: String,
    pub(super) cancel: CancellationToken,
}

impl Core {
    /// Appends a row as it is. When this returns, it is on the disk.
    pub(super) async fn write(&self, kind: &str, by: By, data: Value) -> Result<Row, HarnessError> {
        let record = self.record.clone();
        let observers = self.observers.clone();
        let kind = kind.to_owned();
        let written = self.runtime.spawn_blocking(move || {
            let mut record = record.lock();
            let row = record.append(&kind, by, data).cloned()?;
            // Still under the lock, so that rows are told in their order.
            observers.iter().for_each(|observer| observer(&row));
            Ok::<_, crate::record::RecordError>(row)
        });
        let row = written.await.map_err(|_| HarnessError::Lost { what: "the record's writer".into() })??;
        Ok(row)
    }

    /// Appends a report. The code of a contributor's failure stays; who is meant goes into `by`.
    pub(super) async fn report(&self, by: By, report: &Report) -> Result<Row, HarnessError> {
        self.write(kind::MOD_REPORT, by, to_value(report)).await
    }

    /// Reports what a contributor failed with.
    pub(super) async fn failed(&self, name: &str, error: &ContributorError) -> Result<(), HarnessError> {
        let by = error.by.clone().unwrap_or_else(|| name.to_owned());
        self.report(By::Mod(by), &error.report).await.map(|_| ())
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        self.record.lock().rows().to_vec()
    }

    /// Reads the rows without copying them.
    pub(super) fn with_rows<T>(&self, read: impl FnOnce(&[Row]) -> T) -> T {
        read(self.record.lock().rows())
    }

    pub(super) fn now(&self) -> SystemTime {
        self.record.lock().now()
    }

    pub(super) fn next_queued(&self) -> Option<Prompt> {
        self.queue.lock().pop_front()
    }

    pub(super) fn handle(self: &Arc<Self>) -> SessionHandle {
        SessionHandle::new(self.clone())
    }

    /// The snapshot that loop works on now.
    pub(super) fn snapshot(&self, agent_id: Option<&str>) -> Option<Arc<Snapshot>> {
        self.snapshots.lock().get(&agent_id.map(str::to_owned)).cloned()
    }

    pub(super) fn next_revision(&self) -> u64 {
        self.revision.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Fires when that loop's turn, or the session, is aborted.
    pub(super) fn cancel_of(&self, agent_id: Option<&str>) -> CancellationToken {
        let turns = self.turns.lock();
        turns.get(&agent_id.map(str::to_owned)).map_or_else(|| self.cancel.clone(), |turn| turn.cancel.clone())
    }
}

/// A value of ours as JSON. Our own types have text keys and no failing parts, so this cannot fail.
pub(super) fn to_value(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// Waits for nested loops that go on by themselves, unless the session was cancelled, and a while for runs that were
/// left behind: what they do is part of the session.
async fn settle_background(core: &Arc<Core>) {
    core.background.close();
    core.left_running.close();
    tokio::select! {
        () = core.background.wait() => {}
        () = core.cancel.cancelled() => {}
    }
    let grace = Duration::from_millis(core.policy.abort_grace_ms);
    // What takes longer is ended with the session.
    let _ = tokio::time::timeout(grace, core.left_running.wait()).await;
}

/// Tells the contributors, ends what runs, and closes the record.
pub(super) async fn end(core: &Arc<Core>, reason: &str) -> Result<(), HarnessError> {
    if core.ended.swap(true, Ordering::SeqCst) {
        return Err(HarnessError::Ended);
    }
    settle_background(core).await;
    let handle = core.handle();
    for one in core.registry.session_lifecycle() {
        if let Err(error) = one.it.end(reason, &handle).await {
            core.failed(&one.name, &error).await?;
        }
    }
    core.cancel.cancel();
    core.scopes.session.clear();
    let row = SessionEndRow { reason: reason.to_owned() };
    core.write(kind::SESSION_END, By::Harness, to_value(&row)).await.map(|_| ())
}
