//! Corrections that are decided before a call is committed: the hooks begin, and go on once the call is logged.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use modgate_engine::Fault;
use modgate_harness::point::{PendingCall, ProposedCall};
use modgate_harness::report::ContributorError;
use modgate_harness::session::{Execution, SessionHandle};
use modgate_value::Value;
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use super::call::{self, CallCore};
use super::{Inner, joined};
use crate::chain::{Dispatch, Path, Seat};
use crate::mods::Origin;

pub(super) struct Commits(pub(super) Arc<Inner>);

/// Hooks of a call that wait for it to be committed.
pub(super) struct Begun {
    core: Arc<CallCore>,
    go: watch::Sender<Option<Execution>>,
    answer: JoinHandle<Result<Value, Fault>>,
}

impl Begun {
    /// The call is logged: what waits beneath the hooks runs.
    pub(super) async fn go_on(self, execution: Execution) -> (Result<Value, Fault>, Arc<CallCore>) {
        // Nobody listens where the hooks answered without it.
        self.go.send_replace(Some(execution));
        let answer = self.answer.await.unwrap_or_else(|_| Err(Fault::hooks("the hooks of the call broke down")));
        // Kept until here: whoever still waits beneath is told that the call is gone when it is dropped.
        drop(self.go);
        (answer, self.core)
    }
}

impl Commits {
    /// Whether the hooks may see the call before it is logged: each mod that could take part may correct calls.
    fn may_begin(&self) -> bool {
        let mods = &self.0.mods;
        if !mods.all_corrections().amends || !mods.hears("tool.call") {
            return false;
        }
        let event: Arc<str> = Arc::from("tool.call");
        let seats = mods.seats();
        let mut hooked = seats.iter().filter_map(Seat::plugin).filter(|plugin| !plugin.hooks_on(&event).is_empty());
        hooked.all(|plugin| mods.corrections(plugin.name()).amends)
    }
}

#[async_trait]
impl PendingCall for Commits {
    async fn pending(&self, call: &mut ProposedCall, session: &SessionHandle) -> Result<(), ContributorError> {
        if !self.may_begin() {
            return Ok(());
        }
        let inner = &self.0;
        let event = call::event(&call.tool, &call.id, call.agent_id.as_deref(), &call.input);
        let (go, ready) = watch::channel(None);
        let (reached, mut came_down) = oneshot::channel();
        let core = Arc::new(CallCore {
            inner: inner.clone(),
            ready,
            reached: Mutex::new(Some(reached)),
            event: event.clone(),
            ran: Mutex::default(),
            corrected: OnceLock::new(),
        });
        let dispatch = Dispatch::new(&inner.mods, "tool.call", Origin::engine(), Path::default(), core.clone());
        // Set once, before anything runs.
        let _ = core.corrected.set(dispatch.corrected().clone());
        inner.host.surface.begin_call(&call.id, None);
        let running = dispatch.clone();
        let input = event.clone();
        let mut answer = inner.mods.runtime.spawn(async move { running.run(0, input).await });
        let cancel = session.cancel_token();
        let passed = tokio::select! {
            biased;
            passed = &mut came_down => passed.ok(),
            // Answered without the call, or not at all: there is nothing to correct.
            finished = &mut answer => {
                answer = inner.mods.runtime.spawn(async move {
                    finished.unwrap_or_else(|_| Err(Fault::hooks("the hooks of the call broke down")))
                });
                None
            }
            () = cancel.cancelled() => None,
        };
        if let Some(passed) = passed.filter(|passed| *passed != event) {
            let way = dispatch.corrected().way(&event, &passed);
            call.by = joined(&way);
            call.tool = passed.str_at("tool").unwrap_or_default().to_string();
            call.input = call::arguments(&passed);
            // They are known before permission is decided.
            inner.corrected.lock().entry(call.id.clone()).or_default().extend(way);
        }
        inner.begun.lock().insert(call.id.clone(), Begun { core, go, answer });
        Ok(())
    }

    async fn settled(&self, call_id: &str) {
        let left = self.0.begun.lock().remove(call_id);
        if let Some(Begun { go, answer, .. }) = left {
            // What waits beneath the hooks is told that nothing will run.
            drop(go);
            // How they end changes nothing any more; they are waited for, so that what they report stands here.
            let _ = tokio::time::timeout(super::call::PATIENCE, answer).await;
            self.0.desk.flush().await;
        }
        self.0.host.surface.settle(call_id);
        self.0.corrected.lock().remove(call_id);
    }
}
