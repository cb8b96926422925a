use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use crate::error::HarnessError;
use crate::point::{LoggedCall, ToolOutcome};
use crate::record::{By, ToolAmend, ToolAttempt, kind};
use crate::report::{Change, ContributorError, Report};
use crate::tools::{ToolContext, ToolOutput};

use super::authorize;
use super::core::{Core, to_value};
use super::policy::{ArgumentPolicy, PendingRuns, PermissionOrder, RepeatPolicy};
use super::snapshot::Snapshot;

/// What a [`crate::point::ToolLifecycle`] runs what is beneath with. May be kept, cloned and called from any task.
#[derive(Clone)]
pub struct Execution {
    run: Arc<Run>,
    /// How many contributors are above.
    level: usize,
    /// What came down to the holder.
    call: Effective,
    slot: Arc<tokio::sync::Mutex<Slot>>,
}

/// Why what is beneath gave no outcome. All but the last are in the record as reports.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExecuteError {
    /// The host runs the logged arguments and no others.
    #[error("the call is logged; its arguments cannot be changed any more")]
    ArgumentsChanged,
    /// A logged call stays with its tool.
    #[error("the call is logged; it cannot go to another tool any more")]
    ToolChanged,
    /// The step the call was prepared in is over.
    #[error("the call was prepared under an older snapshot")]
    Stale,
    /// The call has its result already.
    #[error("the call has been settled")]
    Late,
    /// What ran beneath stopped without an answer.
    #[error("what ran beneath stopped without an answer")]
    Lost,
}

#[derive(Clone, PartialEq)]
struct Effective {
    tool: String,
    input: Value,
    changed_by: Option<Arc<str>>,
    /// For whom it runs, where the holder acts for somebody else.
    run_for: Option<Arc<str>>,
}

#[derive(Default)]
struct Slot {
    first: Option<ToolOutcome>,
    reported: bool,
}

/// How long a call that has its answer waits for what was asked for to begin.
const BEGINNING: Duration = Duration::from_millis(200);

/// An execution that was asked for, until it begins.
struct Starting(Arc<Run>);

impl Starting {
    fn of(run: &Arc<Run>) -> Starting {
        run.starting.send_modify(|count| *count += 1);
        Starting(run.clone())
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        self.0.starting.send_modify(|count| *count -= 1);
    }
}

/// As long as it lives, a run is about to begin; see [`Execution::about_to_run`].
pub struct AboutToRun {
    _starting: Starting,
}

/// One logged call on its way.
pub(super) struct Run {
    pub(super) core: Arc<Core>,
    pub(super) call: LoggedCall,
    snapshot: Arc<Snapshot>,
    tracker: TaskTracker,
    settled: AtomicBool,
    /// One execution at a time.
    turn: tokio::sync::Mutex<()>,
    /// What is known of them. Whoever holds `turn` writes it.
    bottom: Mutex<Bottom>,
    /// Executions asked for that have not begun yet.
    starting: watch::Sender<usize>,
    fatal: Mutex<Option<HarnessError>>,
}

/// What really ran.
#[derive(Clone, Default)]
pub(super) struct Bottom {
    pub(super) executed: Vec<Value>,
    pub(super) outcomes: Vec<ToolOutcome>,
    denied: bool,
    /// The last correction, where there was one.
    amended: Option<Effective>,
    repeat_reported: bool,
}

impl Run {
    pub(super) fn new(core: Arc<Core>, call: LoggedCall, snapshot: Arc<Snapshot>) -> Arc<Run> {
        Arc::new(Run {
            core,
            call,
            snapshot,
            tracker: TaskTracker::new(),
            settled: AtomicBool::new(false),
            turn: tokio::sync::Mutex::default(),
            bottom: Mutex::default(),
            starting: watch::Sender::new(0),
            fatal: Mutex::new(None),
        })
    }

    /// Takes the call through every contributor and waits for all that runs beneath.
    pub(super) async fn drive(self: &Arc<Self>) -> Result<(ToolOutcome, Bottom), HarnessError> {
        let call =
            Effective { tool: self.call.tool.clone(), input: self.call.input.clone(), changed_by: None, run_for: None };
        let top = Execution { run: self.clone(), level: 0, call, slot: Arc::default() };
        let outcome = top.run().await;
        self.tracker.close();
        match self.core.policy.pending {
            PendingRuns::Awaited => self.tracker.wait().await,
            PendingRuns::Abandoned => self.leave().await,
        }
        self.settled.store(true, Ordering::SeqCst);
        if let Some(error) = self.fatal.lock().take() {
            return Err(error);
        }
        let bottom = self.bottom.lock().clone();
        let outcome = outcome.unwrap_or_else(|error| ToolOutcome {
            result: Value::String(error.to_string()),
            text: Some(error.to_string()),
            is_error: true,
            ..ToolOutcome::default()
        });
        Ok((outcome, bottom))
    }

    /// Nobody waits for what still runs; what was asked for has begun, so that the result can say so.
    async fn leave(self: &Arc<Self>) {
        let mut starting = self.starting.subscribe();
        // Whoever is asked about it may take longer than anybody waits for.
        let _ = tokio::time::timeout(BEGINNING, starting.wait_for(|count| *count == 0)).await;
        let own = self.clone();
        self.core.left_running.spawn_on(async move { own.tracker.wait().await }, &self.core.runtime);
    }

    /// Whether a run asked for now belongs to a call that has its result, on a host that runs it all the same.
    fn is_left(&self) -> bool {
        self.settled.load(Ordering::SeqCst) && self.core.policy.pending == PendingRuns::Abandoned
    }

    pub(super) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    async fn report(&self, by: Option<&Arc<str>>, report: Report) -> Result<(), ExecuteError> {
        let by = by.map_or(By::Harness, |name| By::Mod(name.to_string()));
        let report = report.about(self.call.id.clone()).refers(self.call.seq);
        self.core.report(by, &report).await.map(|_| ()).map_err(|error| self.fail(error))
    }

    fn fail(&self, error: HarnessError) -> ExecuteError {
        self.fatal.lock().get_or_insert(error);
        ExecuteError::Lost
    }
}

impl Execution {
    /// The committed call.
    pub fn call(&self) -> &LoggedCall {
        &self.run.call
    }

    /// Says that the holder is about to run what is beneath: a call that nobody waits for any more settles once that
    /// has begun. Let go of it after the first poll of [`Execution::run`] or its like.
    pub fn about_to_run(&self) -> AboutToRun {
        AboutToRun { _starting: Starting::of(&self.run) }
    }

    /// Runs what is beneath on the call as it came.
    pub async fn run(&self) -> Result<ToolOutcome, ExecuteError> {
        self.go(self.call.clone()).await
    }

    /// Runs what is beneath on changed arguments; the policy decides what becomes of that.
    pub async fn run_with(&self, tool: &str, input: Value) -> Result<ToolOutcome, ExecuteError> {
        let holder = self.holder().cloned().unwrap_or_else(|| Arc::from("harness"));
        self.run_as(&holder, tool, input).await
    }

    /// As [`Execution::run_with`], with who changes the call, where the holder acts for somebody else.
    pub async fn run_as(&self, by: &str, tool: &str, input: Value) -> Result<ToolOutcome, ExecuteError> {
        let mut call = Effective {
            tool: tool.to_owned(),
            input,
            changed_by: self.call.changed_by.clone(),
            run_for: Some(Arc::from(by)),
        };
        if (&call.tool, &call.input) != (&self.call.tool, &self.call.input) {
            call.changed_by = Some(Arc::from(by));
        }
        self.go(call).await
    }

    /// Name of the contributor that holds this.
    fn holder(&self) -> Option<&Arc<str>> {
        let above = self.level.checked_sub(1)?;
        self.run.core.registry.tool_lifecycle().get(above).map(|one| &one.name)
    }

    /// On a task of its own, so that nothing that began is cut off where the holder stops waiting.
    async fn go(&self, call: Effective) -> Result<ToolOutcome, ExecuteError> {
        if self.run.settled.load(Ordering::SeqCst) && !self.run.is_left() {
            let report = Report::new("call-late", "a call was to run again after it had its result; nothing ran");
            self.run.report(self.holder(), report).await?;
            return Err(ExecuteError::Late);
        }
        let this = self.clone();
        let core = &self.run.core;
        let tracker = if self.run.is_left() { &core.left_running } else { &self.run.tracker };
        // Counted here, before its task has had a chance to run.
        let starting = Starting::of(&self.run);
        let task = tracker.spawn_on(async move { this.beneath(call, starting).await }, &core.runtime);
        task.await.unwrap_or(Err(ExecuteError::Lost))
    }

    /// Boxed, since it comes back to itself through the contributors.
    fn beneath(self, call: Effective, starting: Starting) -> BoxFuture<'static, Result<ToolOutcome, ExecuteError>> {
        Box::pin(async move { self.run_beneath(call, starting).await })
    }

    async fn run_beneath(&self, call: Effective, starting: Starting) -> Result<ToolOutcome, ExecuteError> {
        let mut slot = self.slot.lock().await;
        self.refuse_change(&call).await?;
        if self.run.core.policy.repeat == RepeatPolicy::FirstResult
            && let Some(first) = slot.first.clone()
        {
            if !std::mem::replace(&mut slot.reported, true) {
                self.run.report(self.holder(), repeated("it gets the first result")).await?;
            }
            return Ok(first);
        }
        let outcome = match self.run.core.registry.tool_lifecycle().get(self.level).cloned() {
            Some(one) => {
                drop(starting);
                self.through(call, one).await?
            }
            None => self.bottom(call, starting).await?,
        };
        slot.first.get_or_insert_with(|| outcome.clone());
        Ok(outcome)
    }

    async fn through(
        &self,
        call: Effective,
        one: crate::registry::Named<dyn crate::point::ToolLifecycle>,
    ) -> Result<ToolOutcome, ExecuteError> {
        let logged = LoggedCall { tool: call.tool.clone(), input: call.input.clone(), ..self.run.call.clone() };
        let next = Execution { run: self.run.clone(), level: self.level + 1, call, slot: Arc::default() };
        let handle = self.run.core.handle();
        let around = AssertUnwindSafe(one.it.around(&logged, next.clone(), &handle)).catch_unwind();
        let answer = tokio::select! {
            answer = around => answer.unwrap_or_else(|_| {
                let message = "a contributor broke down; it is skipped for this call";
                Err(ContributorError::new("contributor-panicked", message))
            }),
            () = self.aborted_for_long() => {
                let message = "a contributor did not come to an end after the turn was aborted; it is skipped";
                Err(ContributorError::new("contributor-aborted", message))
            }
        };
        match answer {
            Ok(outcome) => Ok(outcome),
            Err(error) => {
                let by = error.by.map_or(one.name.clone(), Arc::from);
                self.run.report(Some(&by), *error.report).await?;
                let first = next.slot.lock().await.first.clone();
                match first {
                    Some(first) => Ok(first),
                    None => next.run().await,
                }
            }
        }
    }

    /// Comes to an end a while after the turn was aborted: nobody holds an aborted turn up for ever.
    async fn aborted_for_long(&self) {
        let core = &self.run.core;
        core.cancel_of(self.run.call.agent_id.as_deref()).cancelled().await;
        tokio::time::sleep(std::time::Duration::from_millis(core.policy.abort_grace_ms)).await;
    }

    async fn refuse_change(&self, call: &Effective) -> Result<(), ExecuteError> {
        let logged = &self.run.call;
        let policy = self.run.core.policy.arguments;
        if call.tool != logged.tool && policy != ArgumentPolicy::Amend {
            let mut report =
                Report::new("tool-changed", "a logged call was to go to another tool; nothing ran for that");
            report.changes.push(Change { path: "$.tool".into(), old: json!(logged.tool), new: json!(call.tool) });
            self.run.report(call.changed_by.as_ref(), report).await?;
            return Err(ExecuteError::ToolChanged);
        }
        if call.input != logged.input && policy == ArgumentPolicy::Refuse {
            let mut report =
                Report::new("call-changed", "a logged call was to run with other arguments; nothing ran for that");
            report.changes.push(Change { path: "$.input".into(), old: logged.input.clone(), new: call.input.clone() });
            self.run.report(call.changed_by.as_ref(), report).await?;
            return Err(ExecuteError::ArgumentsChanged);
        }
        Ok(())
    }

    async fn bottom(&self, call: Effective, starting: Starting) -> Result<ToolOutcome, ExecuteError> {
        let run = &self.run;
        let _one_at_a_time = run.turn.lock().await;
        let mut bottom = run.bottom.lock().clone();
        let current = run.core.snapshot(run.call.agent_id.as_deref()).map(|snapshot| snapshot.revision);
        if run.call.caller.is_none() && current != Some(run.call.revision) {
            let report = Report::new("call-stale", "a call prepared under an older snapshot was refused");
            run.report(self.holder(), report).await?;
            return Err(ExecuteError::Stale);
        }
        let attempt = bottom.executed.len() as u32 + 1;
        if let Some(last) = self.repeat(&mut bottom, attempt).await? {
            *run.bottom.lock() = bottom;
            return Ok(last);
        }
        if run.core.cancel_of(run.call.agent_id.as_deref()).is_cancelled() {
            return Ok(error("The turn was aborted before the call ran.".into()));
        }
        if let Some(outcome) = self.gate(&mut bottom, &call, attempt).await? {
            bottom.denied = true;
            bottom.outcomes.push(outcome.clone());
            *run.bottom.lock() = bottom;
            return Ok(outcome);
        }
        bottom.executed.push(json!({ "tool": call.tool, "input": call.input }));
        *run.bottom.lock() = bottom;
        drop(starting);
        let outcome = self.execute(call).await;
        run.bottom.lock().outcomes.push(outcome.clone());
        Ok(outcome)
    }

    /// What a further execution gets instead of running, if it does not run.
    async fn repeat(&self, bottom: &mut Bottom, attempt: u32) -> Result<Option<ToolOutcome>, ExecuteError> {
        let limit = match self.run.core.policy.repeat {
            RepeatPolicy::Run => return Ok(None),
            RepeatPolicy::FirstResult => 1,
            RepeatPolicy::Record { max } => max.max(1),
        };
        let Some(last) = bottom.outcomes.last().cloned() else { return Ok(None) };
        if attempt <= limit && !bottom.denied {
            return Ok(None);
        }
        if !std::mem::replace(&mut bottom.repeat_reported, true) {
            self.run.report(self.holder(), repeated("it gets the last result")).await?;
        }
        Ok(Some(last))
    }

    /// Everything that has to be in the record before the call may run. `Some` is a refusal.
    async fn gate(
        &self,
        bottom: &mut Bottom,
        call: &Effective,
        attempt: u32,
    ) -> Result<Option<ToolOutcome>, ExecuteError> {
        let run = &self.run;
        let policy = &run.core.policy;
        let before =
            bottom.amended.as_ref().map_or((&run.call.tool, &run.call.input), |last| (&last.tool, &last.input));
        let changed = (&call.tool, &call.input) != before;
        let recorded = attempt > 1 && matches!(policy.repeat, RepeatPolicy::Record { .. });
        if recorded {
            self.write_attempt(bottom, call, attempt).await?;
        }
        let amended = changed && policy.arguments == ArgumentPolicy::Amend;
        if amended {
            let original = json!({ "tool": run.call.tool, "input": run.call.input });
            let effective = json!({ "tool": call.tool, "input": call.input });
            let row = ToolAmend { call_id: run.call.id.clone(), original, effective };
            let by = call.changed_by.as_ref().or(call.run_for.as_ref());
            self.write(kind::TOOL_AMEND, by, to_value(&row)).await?;
            bottom.amended = Some(call.clone());
        }
        if policy.permission == PermissionOrder::AfterTools || amended || recorded {
            let refused = authorize::decide(&run.core, &run.call, attempt, &call.tool, &call.input).await;
            let refused = refused.map_err(|error| run.fail(error))?;
            return Ok(refused.map(ToolOutcome::denied));
        }
        Ok(None)
    }

    async fn write_attempt(&self, bottom: &Bottom, call: &Effective, attempt: u32) -> Result<(), ExecuteError> {
        let previous = bottom.outcomes.last();
        let row = ToolAttempt {
            call_id: self.run.call.id.clone(),
            attempt,
            tool: call.tool.clone(),
            input: call.input.clone(),
            idempotency_key: format!("{}#{attempt}", self.run.call.id),
            previous: json!({
                "isError": previous.is_some_and(|outcome| outcome.is_error),
                "text": previous.and_then(|outcome| outcome.text.clone()),
            }),
        };
        self.write(kind::TOOL_ATTEMPT, call.run_for.as_ref().or(self.holder()), to_value(&row)).await
    }

    async fn write(&self, kind: &str, by: Option<&Arc<str>>, data: Value) -> Result<(), ExecuteError> {
        let by = by.map_or(By::Harness, |name| By::Mod(name.to_string()));
        self.run.core.write(kind, by, data).await.map(|_| ()).map_err(|error| self.run.fail(error))
    }

    async fn execute(&self, call: Effective) -> ToolOutcome {
        let run = &self.run;
        let Some(tool) = run.snapshot.route(&call.tool) else {
            return error(format!("There is no tool named {}.", call.tool));
        };
        // What runs is what the row says, not what somebody handed on.
        let logged =
            run.core.with_rows(|rows| rows.get(run.call.seq as usize).and_then(|row| row.data.get("input").cloned()));
        let input = match logged {
            Some(logged) if call.input == run.call.input => logged,
            _ => call.input,
        };
        if let Err(problem) = tool.shape().input(&input) {
            return error(format!("The arguments do not fit {}: {problem}", call.tool));
        }
        let context = ToolContext {
            call_id: run.call.id.clone(),
            root: run.core.root.clone(),
            state: run.core.tool_state.clone(),
            cancel: run.core.cancel_of(run.call.agent_id.as_deref()),
            person: run.core.person.clone(),
            limits: run.core.limits.clone(),
            agent_id: run.call.agent_id.clone(),
            session: run.core.handle(),
        };
        // On a task of its own: a tool that panics is an error of this call and of nothing else.
        let ran = tokio::spawn(async move { tool.run(&input, &context).await }).await;
        let output = ran.unwrap_or_else(|_| ToolOutput::error("The tool broke down; its output is lost."));
        ToolOutcome {
            result: output.result,
            text: Some(output.text),
            is_error: output.is_error,
            ..ToolOutcome::default()
        }
    }
}

fn error(text: String) -> ToolOutcome {
    ToolOutcome { result: Value::String(text.clone()), text: Some(text), is_error: true, ..ToolOutcome::default() }
}

fn repeated(instead: &str) -> Report {
    Report::new("call-repeated", format!("a logged call was to run again; {instead}"))
}
