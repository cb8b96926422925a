//! What holds whatever contributors do: stacks of one to four of them, made from a small grammar of behaviour.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use modgate_harness::fold::{Block, Item, audit, history, presentation};
use modgate_harness::point::ToolOutcome;
use modgate_harness::record::{Row, read};
use modgate_harness::report::ContributorError;
use modgate_harness::script::{Scenario, run};
use modgate_harness::session::{ArgumentPolicy, Execution, PermissionOrder, RepeatPolicy};
use modgate_harness::tools::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec};
use modgate_harness::{Registry, SessionPolicy};
use parking_lot::Mutex;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Place, Wrap, block, codes, results, rows, scenario};

/// One thing a contributor does with a call.
#[derive(Clone, Debug)]
enum Act {
    Pass,
    Rewrite(u8),
    Reroute,
    Repeat(u8),
    DenyBefore,
    DenyAfter,
    Replace,
    WrongShape,
    ThrowBefore,
    ThrowAfter,
    Panic,
    EarlyAnswer,
    Concurrently(u8),
    Then(Box<Act>, Box<Act>),
}

fn act() -> impl Strategy<Value = Act> {
    let leaf = prop_oneof![
        Just(Act::Pass),
        (0..3_u8).prop_map(Act::Rewrite),
        Just(Act::Reroute),
        (1..4_u8).prop_map(Act::Repeat),
        Just(Act::DenyBefore),
        Just(Act::DenyAfter),
        Just(Act::Replace),
        Just(Act::WrongShape),
        Just(Act::ThrowBefore),
        Just(Act::ThrowAfter),
        Just(Act::Panic),
        Just(Act::EarlyAnswer),
        (1..4_u8).prop_map(Act::Concurrently),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        (inner.clone(), inner).prop_map(|(first, second)| Act::Then(Box::new(first), Box::new(second)))
    })
}

type Outcome = Result<ToolOutcome, ContributorError>;

fn failed(error: impl std::fmt::Display) -> ContributorError {
    ContributorError::new("skipped", error.to_string())
}

fn perform(act: Act, execute: Execution) -> BoxFuture<'static, Outcome> {
    Box::pin(async move {
        let run = || async { execute.run().await.map_err(failed) };
        match act {
            Act::Pass => run().await,
            Act::Rewrite(n) => execute.run_with("Work", json!({ "n": n, "new": true })).await.map_err(failed),
            Act::Reroute => execute.run_with("Other", json!({})).await.map_err(failed),
            Act::Repeat(times) => {
                let mut last = run().await?;
                for _ in 0..times {
                    last = run().await?;
                }
                Ok(last)
            }
            Act::DenyBefore => Ok(ToolOutcome::denied("before")),
            Act::DenyAfter => run().await.map(|_| ToolOutcome::denied("after")),
            Act::Replace => Ok(ToolOutcome { result: json!({ "did": "replaced" }), ..run().await? }),
            Act::WrongShape => Ok(ToolOutcome { result: json!(7), ..run().await? }),
            Act::ThrowBefore => Err(ContributorError::new("thrown", "before")),
            Act::ThrowAfter => {
                run().await?;
                Err(ContributorError::new("thrown", "after"))
            }
            Act::Panic => panic!("a contributor breaks down"),
            Act::EarlyAnswer => {
                let begun = tokio::spawn(async move { execute.run().await });
                tokio::task::yield_now().await;
                begun.abort();
                Ok(ToolOutcome { result: json!({ "did": "early" }), ..ToolOutcome::default() })
            }
            Act::Concurrently(many) => {
                let all = futures_util::future::join_all((0..=many).map(|_| run())).await;
                all.into_iter().next_back().unwrap_or_else(|| Err(failed("none")))
            }
            Act::Then(first, second) => {
                // Whatever the first came to, the second decides.
                let _ = perform(*first, execute.clone()).await;
                perform(*second, execute).await
            }
        }
    })
}

/// Counts what really runs.
struct Work {
    spec: ToolSpec,
    shape: Shape,
    ran: Arc<Mutex<Vec<Value>>>,
}

impl Work {
    fn tool(name: &str, ran: Arc<Mutex<Vec<Value>>>) -> Arc<dyn Tool> {
        let spec = ToolSpec {
            name: name.into(),
            description: String::new(),
            input_schema: json!({ "type": "object" }),
            output_schema: Some(json!({ "type": "object", "required": ["did"] })),
            effect: Effect::Runs,
        };
        Arc::new(Work { shape: Shape::new(&spec), spec, ran })
    }
}

#[async_trait::async_trait]
impl Tool for Work {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }
    fn shape(&self) -> &Shape {
        &self.shape
    }
    async fn run(&self, input: &Value, _: &ToolContext) -> ToolOutput {
        self.ran.lock().push(json!({ "tool": self.spec.name, "input": input }));
        tokio::task::yield_now().await;
        ToolOutput { result: json!({ "did": input }), text: "did it".into(), is_error: false }
    }
}

const CALLS: usize = 2;

fn script() -> Scenario {
    scenario(
        r#"
        [permissions]
        allow = ["Work", "Other"]
        [[prompt]]
        text = "go"
        [[prompt.step]]
        [[prompt.step.call]]
        tool = "Work"
        input = { n = 0 }
        [[prompt.step.call]]
        tool = "Work"
        input = { n = 1 }
        [[prompt.step]]
        text = "done"
        "#,
    )
}

/// Plays the script under a stack of contributors; gives the rows and what really ran.
fn played(stack: &[Act], policy: SessionPolicy) -> (Vec<Row>, Vec<Value>) {
    let place = Place::in_memory();
    let ran = Arc::new(Mutex::new(Vec::new()));
    let tools = vec![Work::tool("Work", ran.clone()), Work::tool("Other", ran.clone())];
    let mut registry = Registry::builder();
    for (index, act) in stack.iter().enumerate() {
        let act = act.clone();
        let contributor = Wrap::new(move |_, execute: Execution| perform(act.clone(), execute));
        registry = registry.tool_lifecycle(&format!("mod{index}"), contributor);
    }
    let mut options = place.options(registry.build(), policy);
    options.configure = Some(Box::new(move |builder| builder.tools(tools)));
    let rows = block(run(&script(), options)).unwrap().rows;
    assert_eq!(read(&place.record).unwrap().rows, rows, "the record is what was returned");
    let ran = ran.lock().clone();
    (rows, ran)
}

fn committed(rows: &[Row]) -> Vec<Value> {
    let calls = rows.iter().filter(|row| row.kind == "tool/call");
    calls.map(|row| json!({ "tool": row.data["tool"], "input": row.data["input"] })).collect()
}

fn in_history(rows: &[Row]) -> Vec<Value> {
    let blocks = history(rows, None).into_iter().flat_map(|message| message.content);
    let calls = blocks.filter_map(|block| match block {
        Block::ToolUse { name, input, .. } => Some(json!({ "tool": name, "input": input })),
        _ => None,
    });
    calls.collect()
}

fn on_screen(rows: &[Row]) -> Vec<Value> {
    let calls = presentation(rows).into_iter().filter_map(|item| match item {
        Item::Call { tool, input, .. } => Some(json!({ "tool": tool, "input": input })),
        _ => None,
    });
    calls.collect()
}

fn in_audit(rows: &[Row]) -> Vec<Value> {
    audit(rows).calls.into_iter().flat_map(|call| call.executed.unwrap_or_default()).collect()
}

/// Whether an act can ask for something the native policy refuses.
fn offends(act: &Act) -> bool {
    match act {
        Act::Rewrite(_) | Act::Reroute | Act::Repeat(_) | Act::Concurrently(_) => true,
        Act::WrongShape | Act::ThrowBefore | Act::ThrowAfter | Act::Panic => true,
        Act::Then(..) => true,
        Act::Pass | Act::DenyBefore | Act::DenyAfter | Act::Replace | Act::EarlyAnswer => false,
    }
}

fn wellformed(rows: &[Row]) -> Result<(), TestCaseError> {
    let done = results(rows);
    prop_assert_eq!(done.len(), CALLS, "every call has one result");
    prop_assert_eq!(crate::support::rows(rows, "turn/end").len(), 1);
    for (result, call) in done.iter().zip(crate::support::rows(rows, "tool/call")) {
        prop_assert_eq!(&result.call_id, call.text_at("callId").unwrap());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    /// Promises 1 to 4 under the native policy.
    #[test]
    fn executed_logged_told_and_shown_are_one(stack in prop::collection::vec(act(), 1..5)) {
        let (rows, ran) = played(&stack, SessionPolicy::default());
        wellformed(&rows)?;
        let asked = [json!({ "tool": "Work", "input": { "n": 0 } }), json!({ "tool": "Work", "input": { "n": 1 } })];
        prop_assert_eq!(&committed(&rows)[..], &asked, "no contributor changes a committed row");
        prop_assert_eq!(&in_history(&rows)[..], &asked);
        prop_assert_eq!(&on_screen(&rows)[..], &asked);
        prop_assert_eq!(&in_audit(&rows), &ran, "the audit says what ran");
        for (call, result) in asked.iter().zip(results(&rows)) {
            prop_assert!(result.executed.len() <= 1, "one execution a call");
            prop_assert!(result.executed.iter().all(|one| one == call));
        }
        if !stack.iter().any(offends) {
            prop_assert_eq!(codes(&rows), Vec::<String>::new());
        }
        // The outermost is always reached, so what it does wrong is always reported, once a call at least.
        let outermost = match &stack[0] {
            Act::Rewrite(_) => Some("call-changed"),
            Act::Reroute => Some("tool-changed"),
            Act::ThrowBefore | Act::ThrowAfter => Some("thrown"),
            Act::Panic => Some("contributor-panicked"),
            _ => None,
        };
        if let Some(code) = outermost {
            prop_assert!(codes(&rows).iter().filter(|one| *one == code).count() >= CALLS, "{:?}", codes(&rows));
        }
    }

    /// The same where a change is an explicit correction: executed = effective = shown, the model keeps its own call.
    #[test]
    fn amended_calls_are_recorded_before_they_run(stack in prop::collection::vec(act(), 1..5)) {
        let policy = SessionPolicy { arguments: ArgumentPolicy::Amend, ..SessionPolicy::default() };
        let (rows, ran) = played(&stack, policy);
        wellformed(&rows)?;
        prop_assert_eq!(in_history(&rows), committed(&rows));
        prop_assert_eq!(&in_audit(&rows), &ran);
        for call in audit(&rows).calls {
            let executed = call.executed.unwrap();
            prop_assert!(executed.len() <= 1);
            let effective = call.amendments.last().map_or(&call.committed, |amend| &amend.call);
            prop_assert!(executed.iter().all(|one| one == effective));
            prop_assert_eq!(call.decisions.len(), 1 + call.amendments.len(), "decided again on each correction");
        }
        let shown = on_screen(&rows);
        for (result, shown) in results(&rows).iter().zip(&shown) {
            prop_assert!(result.executed.iter().all(|one| one == shown));
        }
    }

    /// Numbered attempts: never more than the limit, each but the first with a row and a decision before it runs.
    #[test]
    fn attempts_are_counted(stack in prop::collection::vec(act(), 1..5)) {
        let policy = SessionPolicy { repeat: RepeatPolicy::Record { max: 3 }, ..SessionPolicy::default() };
        let (rows, ran) = played(&stack, policy);
        wellformed(&rows)?;
        prop_assert_eq!(&in_audit(&rows), &ran);
        for call in audit(&rows).calls {
            let executed = call.executed.unwrap();
            prop_assert!(executed.len() <= 3);
            prop_assert_eq!(call.attempts.len(), executed.len().saturating_sub(1));
            prop_assert_eq!(call.decisions.len(), executed.len().max(1));
            prop_assert!(executed.iter().all(|one| *one == call.committed));
        }
    }

    /// A host that applies rewrites and runs again: the row still says what was committed, the audit what ran.
    #[test]
    fn a_lenient_host_still_tells_the_truth(stack in prop::collection::vec(act(), 1..5)) {
        let policy = SessionPolicy {
            arguments: ArgumentPolicy::Apply,
            repeat: RepeatPolicy::Run,
            permission: PermissionOrder::AfterTools,
            ..SessionPolicy::default()
        };
        let (rows, ran) = played(&stack, policy);
        wellformed(&rows)?;
        prop_assert_eq!(in_history(&rows), committed(&rows));
        prop_assert_eq!(on_screen(&rows), committed(&rows), "as measured on such a host");
        prop_assert_eq!(&in_audit(&rows), &ran);
        prop_assert!(ran.iter().all(|one| one["tool"] == "Work"), "another tool is refused here as well");
        let decided = crate::support::rows(&rows, "permission/decision").len();
        prop_assert_eq!(decided, ran.len(), "permission is decided on each execution");
    }
}

#[test]
fn a_call_that_was_denied_is_never_executed_by_any_act() {
    let acts = [Act::Repeat(2), Act::Rewrite(1), Act::Concurrently(2), Act::Pass];
    for act in acts {
        let mut script = script();
        script.permissions.allow.clear();
        script.permissions.deny = vec!["Work".into()];
        for permission in [PermissionOrder::BeforeTools, PermissionOrder::AfterTools] {
            let place = Place::new();
            let ran = Arc::new(Mutex::new(Vec::new()));
            let tools = vec![Work::tool("Work", ran.clone())];
            let act = act.clone();
            let contributor = Wrap::new(move |_, execute: Execution| perform(act.clone(), execute));
            let registry = Registry::builder().tool_lifecycle("mod", contributor).build();
            let policy = SessionPolicy {
                permission,
                arguments: ArgumentPolicy::Apply,
                repeat: RepeatPolicy::Run,
                ..Default::default()
            };
            let mut options = place.options(registry, policy);
            options.configure = Some(Box::new(move |builder| builder.tools(tools)));
            let outcome = block(run(&script, options)).unwrap();
            assert_eq!(*ran.lock(), [] as [Value; 0]);
            assert!(results(&outcome.rows).iter().all(|result| result.is_error && result.executed.is_empty()));
            assert!(rows(&outcome.rows, "permission/decision").iter().all(|row| row.data["decision"] == "deny"));
        }
    }
}
