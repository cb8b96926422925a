//! Aborts, hanging contributors, long and crowded sessions.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::point::*;
use modgate_harness::record::{By, Row};
use modgate_harness::report::{ContributorError, Report};
use modgate_harness::session::Execution;
use modgate_harness::session::Spawn;
use modgate_harness::{Registry, SessionHandle, SessionPolicy};
use parking_lot::Mutex;
use serde_json::Value;

use crate::lifecycle::TWO_STEPS;
use crate::support::{Place, Wrap, block, codes, failed, go_on, play, results, rows, scenario};

/// Aborts the turn from within a call.
#[test]
fn an_aborted_turn_kills_the_command_and_stops() {
    let text = TWO_STEPS.replace("echo hi", "echo $$ > pid.txt; sleep 60").replace("Bash(echo *)", "Bash");
    struct Abort;
    #[async_trait]
    impl ToolLifecycle for Abort {
        async fn around(
            &self,
            _: &LoggedCall,
            execute: Execution,
            session: &SessionHandle,
        ) -> Result<ToolOutcome, ContributorError> {
            let run = tokio::spawn(async move { execute.run().await });
            let pid = session.root().join("pid.txt");
            while !std::fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')) {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
            assert!(session.abort_turn());
            run.await.unwrap().map_err(failed)
        }
    }
    let registry = Registry::builder().tool_lifecycle("abort", Arc::new(Abort)).build();
    let (place, outcome) = play(&text, registry, SessionPolicy::default());
    assert_eq!(rows(&outcome.rows, "turn/end")[0].data["reason"], "aborted");
    assert_eq!(results(&outcome.rows)[0].result["interrupted"], true);
    let pid = place.file("pid.txt").unwrap();
    let alive = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).is_ok_and(|stat| !stat.contains(") Z "));
    assert!(!alive, "the command outlived its turn");
}

#[test]
fn a_stopped_script_goes_on_later() {
    let text = format!("{TWO_STEPS}\n[[prompt]]\ntext = \"again\"\n[[prompt.step]]\ntext = \"yes\"\n");
    let place = Place::new();
    let mut options = place.options(Registry::default(), SessionPolicy::default());
    let cancel = options.cancel.clone();
    let stopper = Wrap::new(move |_, execute: Execution| {
        cancel.cancel();
        async move { execute.run().await.map_err(failed) }
    });
    options.registry = Registry::builder().tool_lifecycle("stopper", stopper).build();
    let outcome = block(modgate_harness::script::run(&scenario(&text), options)).unwrap();
    assert!(outcome.stopped);
    assert_eq!(rows(&outcome.rows, "turn/end")[0].data["reason"], "aborted");
    assert_eq!(rows(&outcome.rows, "session/end")[0].data["reason"], "other");
    let resumed = go_on(&place, &text, Registry::default());
    let reasons: Vec<&Value> = rows(&resumed.rows, "turn/end").iter().map(|row| &row.data["reason"]).collect();
    assert_eq!(reasons, ["aborted", "answer"]);
    assert!(!resumed.stopped);
}

#[test]
fn a_contributor_that_hangs_does_not_hold_up_an_aborted_turn() {
    struct Hang;
    #[async_trait]
    impl ToolLifecycle for Hang {
        async fn around(
            &self,
            _: &LoggedCall,
            _: Execution,
            session: &SessionHandle,
        ) -> Result<ToolOutcome, ContributorError> {
            session.abort_turn();
            std::future::pending().await
        }
    }
    let registry = Registry::builder().tool_lifecycle("hang", Arc::new(Hang)).build();
    let policy = SessionPolicy { abort_grace_ms: 1, ..SessionPolicy::default() };
    let (_, outcome) = play(TWO_STEPS, registry, policy);
    assert_eq!(codes(&outcome.rows), ["contributor-aborted"]);
    assert_eq!(rows(&outcome.rows, "turn/end")[0].data["reason"], "aborted");
    let result = &results(&outcome.rows)[0];
    assert!(result.is_error && result.executed.is_empty(), "nothing begins once the turn is aborted");
}

/// A long session: the folds made for every request must not make it quadratic beyond use.
#[test]
fn a_thousand_steps() {
    let step = "[[prompt.step]]\n[[prompt.step.call]]\ntool = \"TodoWrite\"\ninput = { todos = [] }\n";
    let text = format!("[[prompt]]\ntext = \"go\"\n{}", step.repeat(1_000));
    let place = Place::in_memory();
    let policy = SessionPolicy { max_steps: 2_000, ..SessionPolicy::default() };
    let outcome =
        block(modgate_harness::script::run(&scenario(&text), place.options(Registry::default(), policy))).unwrap();
    assert_eq!(results(&outcome.rows).len(), 1_000);
}

/// Many tasks that append at the same time.
struct Crowd;

#[async_trait]
impl SessionLifecycle for Crowd {
    async fn start(&self, _: &SessionInfo, session: &SessionHandle) -> Result<(), ContributorError> {
        let tasks = (0..200).map(|n| {
            let session = session.clone();
            tokio::spawn(async move { session.report(By::Mod(format!("m{n}")), Report::new("crowd", "x")).await })
        });
        for task in tasks.collect::<Vec<_>>() {
            task.await.unwrap().unwrap();
        }
        Ok(())
    }
}

#[test]
fn rows_are_told_in_their_order() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = told.clone();
    let place = Place::in_memory();
    let registry = Registry::builder().session_lifecycle("crowd", Arc::new(Crowd)).build();
    let mut options = place.options(registry, SessionPolicy::default());
    let observer = move |row: &Row| tell.lock().push(row.clone());
    options.configure = Some(Box::new(|builder| builder.observe(observer)));
    let outcome = block(modgate_harness::script::run(&scenario(TWO_STEPS), options)).unwrap();
    assert_eq!(codes(&outcome.rows).len(), 200);
    assert_eq!(*told.lock(), outcome.rows);
    assert_eq!(modgate_harness::record::read(&place.record).unwrap().rows, outcome.rows);
}

/// Waits on a thread without a runtime.
fn wait_here<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Arc::new(Unpark(std::thread::current())).into();
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut std::task::Context::from_waker(&waker)) {
            std::task::Poll::Ready(value) => return value,
            std::task::Poll::Pending => std::thread::park(),
        }
    }
}

/// Does everything on a thread of its own, as something that embeds another engine does.
struct Elsewhere;

#[async_trait]
impl ToolLifecycle for Elsewhere {
    async fn around(
        &self,
        call: &LoggedCall,
        execute: Execution,
        session: &SessionHandle,
    ) -> Result<ToolOutcome, ContributorError> {
        if call.caller.is_some() {
            return execute.run().await.map_err(failed);
        }
        let (done, result) = tokio::sync::oneshot::channel();
        let session = session.clone();
        std::thread::spawn(move || {
            let outcome = wait_here(async {
                session.report(By::Mod("elsewhere".into()), Report::new("told", "x")).await.unwrap();
                let input = serde_json::json!({ "command": "echo own" });
                session.call_tool("elsewhere", "Bash", input).await.unwrap();
                session.spawn_agent(Spawn::new(By::Mod("elsewhere".into()), "explorer", "look")).await.unwrap();
                execute.run().await
            });
            drop(done.send(outcome));
        });
        result.await.unwrap().map_err(failed)
    }
}

#[test]
fn contributors_may_call_from_threads_without_a_runtime() {
    let agent = "[[agent]]\nname = \"explorer\"\n[[agent.step]]\ndelay_ms = 1\ntext = \"seen\"\n";
    let registry = Registry::builder().tool_lifecycle("elsewhere", Arc::new(Elsewhere)).build();
    let (_, outcome) = play(&format!("{TWO_STEPS}\n{agent}"), registry, SessionPolicy::default());
    assert_eq!(codes(&outcome.rows), ["told"]);
    let texts: Vec<String> = results(&outcome.rows).into_iter().map(|result| result.text).collect();
    assert_eq!(texts, ["own", "hi"]);
    assert_eq!(rows(&outcome.rows, "subagent/end")[0].data["answer"], "seen");
}
