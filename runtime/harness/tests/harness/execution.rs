//! One logged call under every policy.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use modgate_harness::fold::{Block, Item, audit, history, presentation};
use modgate_harness::point::ToolOutcome;
use modgate_harness::record::Row;
use modgate_harness::report::ContributorError;
use modgate_harness::script::run;
use modgate_harness::session::{ArgumentPolicy, Execution, PermissionOrder, RepeatPolicy};
use modgate_harness::tools::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec};
use modgate_harness::{Registry, SessionPolicy};
use serde_json::{Value, json};

use crate::support::{Place, Wrap, block, codes, failed, play, results, rows, scenario};

/// One call of A, everything allowed.
const ONE: &str = r#"
[permissions]
allow = ["Bash"]
[[prompt]]
text = "go"
[[prompt.step]]
[[prompt.step.call]]
tool = "Bash"
id = "one"
input = { command = "echo A | tee -a ran.txt" }
[[prompt.step]]
text = "done"
"#;

const A: &str = "echo A | tee -a ran.txt";
const B: &str = "echo B | tee -a ran.txt";

fn with(contributor: Arc<Wrap>) -> Registry {
    Registry::builder().tool_lifecycle("subject", contributor).build()
}

fn rewriter() -> Arc<Wrap> {
    Wrap::new(|_, execute: Execution| async move {
        match execute.run_with("Bash", json!({ "command": B })).await {
            Ok(outcome) => Ok(outcome),
            Err(_) => execute.run().await.map_err(failed),
        }
    })
}

fn call_in_history(rows: &[Row]) -> Value {
    let blocks = history(rows, None).into_iter().flat_map(|message| message.content);
    let calls = blocks.filter_map(|block| match block {
        Block::ToolUse { input, .. } => Some(input["command"].clone()),
        _ => None,
    });
    calls.collect()
}

fn call_on_screen(rows: &[Row]) -> (Value, bool) {
    let mut calls = presentation(rows).into_iter().filter_map(|item| match item {
        Item::Call { input, amended, .. } => Some((input["command"].clone(), amended)),
        _ => None,
    });
    calls.next().unwrap()
}

#[test]
fn refuse_runs_the_logged_arguments_whatever_a_contributor_does() {
    let (place, outcome) = play(ONE, with(rewriter()), SessionPolicy::default());
    assert_eq!(place.file("ran.txt").as_deref(), Some("A\n"));
    assert_eq!(codes(&outcome.rows), ["call-changed"]);
    let report = &rows(&outcome.rows, "mod/report")[0];
    assert_eq!(report.by.to_string(), "mod:subject");
    assert_eq!(report.data["callId"], "one");
    assert_eq!(report.data["refers"], rows(&outcome.rows, "tool/call")[0].seq);
    assert_eq!(report.data["changes"][0]["old"], json!({ "command": A }));
    assert_eq!(report.data["changes"][0]["new"], json!({ "command": B }));
    assert_eq!(call_in_history(&outcome.rows), json!([A]));
    assert_eq!(call_on_screen(&outcome.rows), (json!(A), false));
}

#[test]
fn apply_runs_the_changed_arguments_and_keeps_the_row() {
    let policy = SessionPolicy { arguments: ArgumentPolicy::Apply, ..SessionPolicy::default() };
    let (place, outcome) = play(ONE, with(rewriter()), policy);
    assert_eq!(place.file("ran.txt").as_deref(), Some("B\n"));
    assert_eq!(rows(&outcome.rows, "tool/call")[0].data["input"]["command"], A);
    assert_eq!(call_in_history(&outcome.rows), json!([A]), "the model's history keeps its own call");
    assert_eq!(call_on_screen(&outcome.rows), (json!(A), false), "nothing in the record corrects it");
    assert_eq!(codes(&outcome.rows), [""; 0]);
    let call = &audit(&outcome.rows).calls[0];
    assert_eq!(call.committed["input"]["command"], A);
    assert_eq!(call.executed, Some(vec![json!({ "tool": "Bash", "input": { "command": B } })]));
}

#[test]
fn amend_records_the_correction_and_decides_again() {
    let policy = SessionPolicy { arguments: ArgumentPolicy::Amend, ..SessionPolicy::default() };
    let (place, outcome) = play(ONE, with(rewriter()), policy);
    assert_eq!(place.file("ran.txt").as_deref(), Some("B\n"));
    let amend = rows(&outcome.rows, "tool/amend");
    assert_eq!(amend.len(), 1);
    assert_eq!(amend[0].by.to_string(), "mod:subject");
    assert_eq!(amend[0].data["original"]["input"]["command"], A);
    assert_eq!(amend[0].data["effective"]["input"]["command"], B);
    let decisions = rows(&outcome.rows, "permission/decision");
    let about: Vec<&Value> = decisions.iter().map(|row| &row.data["input"]["command"]).collect();
    assert_eq!(about, [A, B]);
    assert!(amend[0].seq < decisions[1].seq);
    // History: the model's own call and the correction. Screen: what ran. Audit: both.
    assert_eq!(call_in_history(&outcome.rows), json!([A]));
    let said = history(&outcome.rows, None).into_iter().flat_map(|message| message.content);
    let texts: Vec<String> =
        said.filter_map(|block| if let Block::Text { text } = block { Some(text) } else { None }).collect();
    assert!(texts.iter().any(|text| text.contains(B) && text.contains("one")), "{texts:?}");
    assert_eq!(call_on_screen(&outcome.rows), (json!(B), true));
    let call = &audit(&outcome.rows).calls[0];
    assert_eq!(
        (&call.committed["input"]["command"], &call.amendments[0].call["input"]["command"]),
        (&json!(A), &json!(B))
    );
}

#[test]
fn an_amendment_into_a_denied_call_is_stopped() {
    let text = ONE.replace("allow = [\"Bash\"]", "allow = [\"Bash\"]\ndeny = [\"Bash(echo B*)\"]");
    let policy = SessionPolicy { arguments: ArgumentPolicy::Amend, ..SessionPolicy::default() };
    let (place, outcome) = play(&text, with(rewriter()), policy);
    assert_eq!(place.file("ran.txt"), None);
    let result = &results(&outcome.rows)[0];
    assert!(result.is_error && result.executed.is_empty());
    assert!(result.text.contains("Bash(echo B*)"), "{}", result.text);
}

#[test]
fn permission_beneath_the_contributors_sees_what_they_passed_down() {
    // As measured: a deny rule for A and a rewrite to B, and B runs.
    let text =
        ONE.replace("allow = [\"Bash\"]", "allow = [\"Bash(echo B*)\", \"Bash(tee *)\"]\ndeny = [\"Bash(echo A*)\"]");
    let policy = SessionPolicy {
        arguments: ArgumentPolicy::Apply,
        permission: PermissionOrder::AfterTools,
        ..SessionPolicy::default()
    };
    let (place, outcome) = play(&text, with(rewriter()), policy);
    assert_eq!(place.file("ran.txt").as_deref(), Some("B\n"));
    assert_eq!(rows(&outcome.rows, "permission/decision")[0].data["input"]["command"], B);
    // The same with permission first: A is denied and no contributor is asked.
    let policy = SessionPolicy { arguments: ArgumentPolicy::Apply, ..SessionPolicy::default() };
    let (place, outcome) = play(&text, with(rewriter()), policy);
    assert_eq!(place.file("ran.txt"), None);
    assert!(results(&outcome.rows)[0].denied.is_some());
}

#[test]
fn another_tool_is_refused_under_refuse_and_apply() {
    for arguments in [ArgumentPolicy::Refuse, ArgumentPolicy::Apply] {
        let rerouter = Wrap::new(|_, execute: Execution| async move {
            let refused = execute.run_with("Read", json!({ "file_path": "x" })).await;
            assert!(refused.is_err());
            execute.run().await.map_err(failed)
        });
        let policy = SessionPolicy { arguments, ..SessionPolicy::default() };
        let (place, outcome) = play(ONE, with(rerouter), policy);
        assert_eq!(place.file("ran.txt").as_deref(), Some("A\n"));
        assert_eq!(codes(&outcome.rows), ["tool-changed"]);
    }
}

fn twice() -> Arc<Wrap> {
    Wrap::new(|_, execute: Execution| async move {
        let first = execute.run().await.map_err(failed)?;
        let second = execute.run().await.map_err(failed)?;
        let third = execute.run().await.map_err(failed)?;
        assert_eq!((&first.is_error, &second.is_error), (&false, &false));
        Ok(third)
    })
}

#[test]
fn repeats_get_the_first_result_with_one_report() {
    let (place, outcome) = play(ONE, with(twice()), SessionPolicy::default());
    assert_eq!(place.file("ran.txt").as_deref(), Some("A\n"));
    assert_eq!(codes(&outcome.rows), ["call-repeated"]);
    assert_eq!(results(&outcome.rows)[0].executed.len(), 1);
}

#[test]
fn repeats_run_where_the_host_lets_them() {
    let policy = SessionPolicy { repeat: RepeatPolicy::Run, ..SessionPolicy::default() };
    let (place, outcome) = play(ONE, with(twice()), policy);
    assert_eq!(place.file("ran.txt").as_deref(), Some("A\nA\nA\n"));
    assert_eq!(results(&outcome.rows)[0].executed.len(), 3);
    assert_eq!(codes(&outcome.rows), [""; 0]);
}

#[test]
fn recorded_repeats_are_attempts_with_key_and_decision() {
    let policy = SessionPolicy { repeat: RepeatPolicy::Record { max: 2 }, ..SessionPolicy::default() };
    let (place, outcome) = play(ONE, with(twice()), policy);
    assert_eq!(place.file("ran.txt").as_deref(), Some("A\nA\n"), "the third is over the limit");
    assert_eq!(codes(&outcome.rows), ["call-repeated"]);
    let attempts = rows(&outcome.rows, "tool/attempt");
    assert_eq!(attempts.len(), 1);
    assert_eq!(attempts[0].data["attempt"], 2);
    assert_eq!(attempts[0].data["idempotencyKey"], "one#2");
    assert_eq!(attempts[0].data["previous"]["text"], "A");
    let decided: Vec<&Value> =
        rows(&outcome.rows, "permission/decision").iter().map(|row| &row.data["attempt"]).collect();
    assert_eq!(decided, [1, 2]);
    assert_eq!(audit(&outcome.rows).calls[0].attempts.len(), 1);
}

#[test]
fn a_failure_before_the_run_is_skipped_and_the_call_runs_once() {
    let thrower = Wrap::new(|_, _| async { Err(ContributorError::new("thrown", "no")) });
    let (place, outcome) = play(ONE, with(thrower), SessionPolicy::default());
    assert_eq!(place.file("ran.txt").as_deref(), Some("A\n"));
    assert_eq!(codes(&outcome.rows), ["thrown"]);
    assert!(!results(&outcome.rows)[0].is_error);
}

#[test]
fn a_failure_after_the_run_leaves_the_first_result() {
    let thrower = Wrap::new(|_, execute: Execution| async move {
        execute.run().await.map_err(failed)?;
        Err(ContributorError::new("thrown", "no"))
    });
    let (place, outcome) = play(ONE, with(thrower), SessionPolicy::default());
    assert_eq!(place.file("ran.txt").as_deref(), Some("A\n"));
    assert_eq!(results(&outcome.rows)[0].text, "A");
}

#[test]
fn an_early_answer_waits_for_what_runs_beneath() {
    let text = ONE.replace(A, "touch begun; while [ ! -e go ]; do sleep 0.01; done; echo A >> ran.txt");
    let place = Place::new();
    let work = place.work.clone();
    let early = Wrap::new(move |_, execute: Execution| {
        let work = work.clone();
        async move {
            let run = tokio::spawn(async move { execute.run().await });
            while !work.join("begun").exists() {
                tokio::task::yield_now().await;
            }
            run.abort();
            assert!(run.await.unwrap_err().is_cancelled());
            std::fs::write(work.join("go"), "").unwrap();
            Ok(ToolOutcome { result: json!("early"), text: Some("early".into()), ..ToolOutcome::default() })
        }
    });
    let policy = SessionPolicy { check_results: false, ..SessionPolicy::default() };
    let outcome = block(run(&scenario(&text), place.options(with(early), policy))).unwrap();
    assert_eq!(place.file("ran.txt").as_deref(), Some("A\n"), "nothing that began is cut off");
    let result = &results(&outcome.rows)[0];
    assert_eq!((result.text.as_str(), result.executed.len(), result.replaced), ("early", 1, true));
}

#[test]
fn a_deny_after_the_run_withholds_the_result() {
    let denier = Wrap::new(|_, execute: Execution| async move {
        execute.run().await.map_err(failed)?;
        Ok(ToolOutcome::denied("not for you"))
    });
    let (_, outcome) = play(ONE, with(denier), SessionPolicy::default());
    let result = &results(&outcome.rows)[0];
    assert!(result.is_error && result.text.contains("withheld") && result.text.contains("not for you"));
    assert_eq!(result.executed.len(), 1);
    assert_eq!(result.denied.as_deref(), Some("not for you"));
}

#[test]
fn a_deny_without_a_run_runs_nothing() {
    let denier = Wrap::new(|_, _| async { Ok(ToolOutcome::denied("never")) });
    let (place, outcome) = play(ONE, with(denier), SessionPolicy::default());
    assert_eq!(place.file("ran.txt"), None);
    let result = &results(&outcome.rows)[0];
    assert_eq!((result.text.as_str(), result.executed.len()), ("never", 0));
}

#[test]
fn a_replaced_result_has_to_fit_the_tools_shape() {
    let replace = |result: Value| {
        Wrap::new(move |_, execute: Execution| {
            let result = result.clone();
            async move {
                let outcome = execute.run().await.map_err(failed)?;
                Ok(ToolOutcome { result, ..outcome })
            }
        })
    };
    let (_, outcome) = play(ONE, with(replace(json!("text"))), SessionPolicy::default());
    assert!(results(&outcome.rows)[0].is_error);
    assert_eq!(codes(&outcome.rows), ["result-shape"]);

    let fits = json!({ "stdout": "replaced", "stderr": "", "interrupted": false });
    let (_, outcome) = play(ONE, with(replace(fits)), SessionPolicy::default());
    let result = &results(&outcome.rows)[0];
    assert_eq!((result.is_error, result.text.as_str(), result.replaced), (false, "replaced", true));
    assert_eq!(codes(&outcome.rows), [""; 0]);
}

#[test]
fn an_execution_kept_past_its_call_is_refused() {
    let kept = Arc::new(parking_lot::Mutex::new(None::<Execution>));
    let keep = kept.clone();
    let keeper = Wrap::new(move |_, execute: Execution| {
        let earlier = keep.lock().replace(execute.clone());
        async move {
            if let Some(earlier) = earlier {
                assert!(earlier.run().await.is_err());
            }
            execute.run().await.map_err(failed)
        }
    });
    let text = ONE.replace(
        "[[prompt.step]]\ntext = \"done\"",
        "[[prompt.step]]\n[[prompt.step.call]]\ntool = \"Bash\"\ninput = { command = \"echo C >> ran.txt\" }",
    );
    let (place, outcome) = play(&text, with(keeper), SessionPolicy::default());
    assert_eq!(place.file("ran.txt").as_deref(), Some("A\nC\n"));
    assert_eq!(codes(&outcome.rows), ["call-late"]);
}

#[test]
fn contributors_wrap_in_registration_order() {
    let order = Arc::new(parking_lot::Mutex::new(Vec::new()));
    let named = |name: &'static str| {
        let order = order.clone();
        Wrap::new(move |_, execute: Execution| {
            let order = order.clone();
            async move {
                order.lock().push(format!("{name} down"));
                let outcome = execute.run().await.map_err(failed);
                order.lock().push(format!("{name} back"));
                outcome
            }
        })
    };
    let registry =
        Registry::builder().tool_lifecycle("outer", named("outer")).tool_lifecycle("inner", named("inner")).build();
    play(ONE, registry, SessionPolicy::default());
    assert_eq!(*order.lock(), ["outer down", "inner down", "inner back", "outer back"]);
}

#[test]
fn concurrent_runs_of_one_contributor_execute_once() {
    let many = Wrap::new(|_, execute: Execution| async move {
        let runs = (0..8).map(|_| execute.run());
        let outcomes = futures_util::future::join_all(runs).await;
        outcomes.into_iter().next().unwrap().map_err(failed)
    });
    let (place, outcome) = play(ONE, with(many), SessionPolicy::default());
    assert_eq!(place.file("ran.txt").as_deref(), Some("A\n"));
    assert_eq!(codes(&outcome.rows), ["call-repeated"], "one report an invocation");
}

#[test]
fn the_call_is_on_the_disk_before_it_runs() {
    let place = Place::new();
    let record = place.record.clone();
    let seen = Arc::new(AtomicUsize::new(0));
    let counted = seen.clone();
    let reader = Wrap::new(move |call, execute: Execution| {
        let lines = std::fs::read_to_string(&record).unwrap();
        counted.fetch_add(lines.matches(&format!("\"callId\":\"{}\"", call.id)).count(), Ordering::SeqCst);
        async move { execute.run().await.map_err(failed) }
    });
    block(run(&scenario(ONE), place.options(with(reader), SessionPolicy::default()))).unwrap();
    assert_eq!(seen.load(Ordering::SeqCst), 2, "tool/call and permission/decision");
}

#[test]
fn a_contributor_that_panics_is_skipped() {
    let contributor = Wrap::new(|_, _| async { panic!("contributor") });
    let (place, outcome) = play(ONE, with(contributor), SessionPolicy::default());
    assert_eq!(codes(&outcome.rows), ["contributor-panicked"]);
    assert_eq!(place.file("ran.txt").as_deref(), Some("A\n"));
}

#[test]
fn a_tool_that_panics_is_an_error_of_its_call() {
    struct Broken(ToolSpec, Shape);
    #[async_trait::async_trait]
    impl Tool for Broken {
        fn spec(&self) -> &ToolSpec {
            &self.0
        }
        fn shape(&self) -> &Shape {
            &self.1
        }
        async fn run(&self, _: &Value, _: &ToolContext) -> ToolOutput {
            panic!("tool")
        }
    }
    let spec = ToolSpec {
        name: "Bash".into(),
        description: String::new(),
        input_schema: json!({}),
        output_schema: None,
        effect: Effect::None,
    };
    let shape = Shape::new(&spec);
    let tool: Arc<dyn Tool> = Arc::new(Broken(spec, shape));
    let place = Place::new();
    let mut options = place.options(Registry::default(), SessionPolicy::default());
    options.configure = Some(Box::new(|builder| builder.tools(vec![tool])));
    let outcome = block(run(&scenario(ONE), options)).unwrap();
    assert!(results(&outcome.rows)[0].is_error);
    assert_eq!(rows(&outcome.rows, "turn/end")[0].data["reason"], "answer");
}

#[test]
fn who_acted_is_told_where_a_contributor_acts_for_others() {
    let policy = SessionPolicy { arguments: ArgumentPolicy::Amend, ..SessionPolicy::default() };
    let rewriter = Wrap::new(|_, execute: Execution| async move {
        execute.run_as("fixer", "Bash", json!({ "command": B })).await.map_err(failed)?;
        Err(ContributorError::new("thrown", "no").on_behalf("fixer"))
    });
    let (_, outcome) = play(ONE, with(rewriter.clone()), policy);
    assert_eq!(rows(&outcome.rows, "tool/amend")[0].by.to_string(), "mod:fixer");
    assert_eq!(rows(&outcome.rows, "mod/report")[0].by.to_string(), "mod:fixer");
    let (_, outcome) = play(ONE, with(rewriter), SessionPolicy::default());
    let reports = rows(&outcome.rows, "mod/report");
    assert_eq!(
        (reports[0].data["code"].as_str(), reports[0].by.to_string().as_str()),
        (Some("call-changed"), "mod:fixer")
    );
}

#[test]
fn an_early_answer_waits_for_contributors_beneath_as_well() {
    let begun = Arc::new(tokio::sync::Notify::new());
    let release = Arc::new(tokio::sync::Notify::new());
    let (told, free) = (begun.clone(), release.clone());
    let early = Wrap::new(move |_, execute: Execution| {
        let (told, free) = (told.clone(), free.clone());
        async move {
            let run = tokio::spawn(async move { execute.run().await });
            told.notified().await;
            run.abort();
            assert!(run.await.unwrap_err().is_cancelled());
            free.notify_one();
            Ok(ToolOutcome::denied("early"))
        }
    });
    let place = Place::new();
    let record = place.record.clone();
    let slow = Wrap::new(move |_, execute: Execution| {
        let (begun, release, record) = (begun.clone(), release.clone(), record.clone());
        async move {
            begun.notify_one();
            release.notified().await;
            // A call that did not wait for this would have its result soon. One that waits never has it here.
            for _ in 0..50 {
                let settled = std::fs::read_to_string(&record).unwrap().contains("tool/result");
                assert!(!settled, "the call has its result while a contributor is still at it");
                tokio::time::sleep(std::time::Duration::from_millis(4)).await;
            }
            execute.run().await.map_err(failed)
        }
    });
    let registry = Registry::builder().tool_lifecycle("early", early).tool_lifecycle("slow", slow).build();
    let outcome = block(run(&scenario(ONE), place.options(registry, SessionPolicy::default()))).unwrap();
    assert_eq!(place.file("ran.txt").as_deref(), Some("A\n"));
    assert_eq!((results(&outcome.rows)[0].executed.len(), codes(&outcome.rows).len()), (1, 0));
}

#[test]
fn the_last_correction_is_what_ran_last() {
    let policy =
        SessionPolicy { arguments: ArgumentPolicy::Amend, repeat: RepeatPolicy::Run, ..SessionPolicy::default() };
    let there_and_back = Wrap::new(|_, execute: Execution| async move {
        execute.run_with("Bash", json!({ "command": B })).await.map_err(failed)?;
        execute.run().await.map_err(failed)
    });
    let (place, outcome) = play(ONE, with(there_and_back), policy);
    assert_eq!(place.file("ran.txt").as_deref(), Some("B\nA\n"));
    let effective: Vec<&Value> =
        rows(&outcome.rows, "tool/amend").iter().map(|row| &row.data["effective"]["input"]["command"]).collect();
    assert_eq!(effective, [B, A]);
    assert_eq!(call_on_screen(&outcome.rows), (json!(A), false));
}
