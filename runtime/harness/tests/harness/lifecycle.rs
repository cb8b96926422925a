//! Order and rules of the contributors.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::fold::{Block, Role, history};
use modgate_harness::model::{Chunk, ChunkStream, ModelRequest};
use modgate_harness::permission::{Decision, Verdict};
use modgate_harness::point::*;
use modgate_harness::prompt::{Origin, Prompt};
use modgate_harness::record::By;
use modgate_harness::report::ContributorError;
use modgate_harness::session::Spawn;
use modgate_harness::session::{Ceiling, Execution, NextRequest};
use modgate_harness::{Registry, SessionHandle, SessionPolicy};
use serde_json::{Value, json};

use crate::probe::{Done, Probe};
use crate::support::{Wrap, codes, failed, play, results, rows};

pub const TWO_STEPS: &str = r#"
[permissions]
allow = ["Bash(echo *)"]
[[prompt]]
text = "go"
[[prompt.step]]
text = "working"
usage = { output_tokens = 5 }
[[prompt.step.call]]
tool = "Bash"
id = "one"
input = { command = "echo hi" }
[[prompt.step]]
text = "done"
usage = { output_tokens = 7 }
"#;

fn everywhere(probe: Arc<Probe>) -> Registry {
    Registry::builder()
        .session_lifecycle("probe", probe.clone())
        .turn_input("probe", probe.clone())
        .context("probe", probe.clone())
        .model_step("probe", probe.clone())
        .pending_call("probe", probe.clone())
        .authorization("probe", probe.clone())
        .tool_lifecycle("probe", probe.clone())
        .append("probe", probe.clone())
        .turn_lifecycle("probe", probe.clone())
        .build()
}

#[test]
fn the_points_come_in_their_order() {
    let probe = Arc::new(Probe::default());
    let (_, outcome) = play(TWO_STEPS, everywhere(probe.clone()), SessionPolicy::default());
    let expected = [
        "session start resumed=false",
        "input",
        "append user/message",
        "turn start go",
        "assemble 0",
        "request 0",
        "append assistant/message",
        "pending",
        "authorize",
        "execute",
        "executed",
        "append tool/result",
        "assemble 1",
        "request 1",
        "append assistant/message",
        "turn end answer",
        "session end prompt_input_exit",
    ];
    assert_eq!(*probe.log.lock(), expected);
    let kinds: Vec<&str> = outcome.rows.iter().map(|row| row.kind.as_str()).collect();
    let expected = [
        "session/start",
        "user/message",
        "turn/start",
        "request/header",
        "assistant/message",
        "tool/call",
        "permission/decision",
        "tool/result",
        "request/header",
        "assistant/message",
        "turn/end",
        "session/end",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(rows(&outcome.rows, "turn/end")[0].data["closing"], json!(["that took 12 tokens"]));
}

fn input(work: fn(&mut ClaimedInput) -> Done) -> Arc<Probe> {
    Arc::new(Probe { input: Some(work), ..Probe::default() })
}

#[test]
fn input_is_changed_in_order_and_failures_are_undone() {
    let registry = Registry::builder()
        .turn_input(
            "first",
            input(|input| {
                input.text.push_str(" now");
                input.context.push("it is late".into());
                Ok(())
            }),
        )
        .turn_input(
            "broken",
            input(|input| {
                input.text = "ruined".into();
                Err(ContributorError::new("thrown", "no"))
            }),
        )
        .turn_input(
            "last",
            input(|input| {
                input.origin = Origin::plugin("somebody");
                input.text.push('!');
                Ok(())
            }),
        )
        .build();
    let (_, outcome) = play(TWO_STEPS, registry, SessionPolicy::default());
    let message = &rows(&outcome.rows, "user/message")[0];
    assert_eq!(message.data["text"], "go now!");
    assert_eq!(message.data["typed"], "go");
    assert_eq!(message.data["origin"]["kind"], "composer");
    assert_eq!(codes(&outcome.rows), ["thrown"]);
    let first = &history(&outcome.rows, None)[0];
    assert_eq!(first.role, Role::User);
    let Block::Text { text } = &first.content[1] else { panic!("{first:?}") };
    assert!(text.contains("it is late"));
}

#[test]
fn dropped_input_begins_no_turn() {
    let registry = Registry::builder()
        .turn_input(
            "dropper",
            input(|input| {
                input.dropped = Some("no".into());
                Ok(())
            }),
        )
        .turn_input("never", input(|_| panic!("asked after a drop")))
        .build();
    let (_, outcome) = play(TWO_STEPS, registry, SessionPolicy::default());
    let dropped = &rows(&outcome.rows, "user/dropped")[0];
    assert_eq!((dropped.by.to_string().as_str(), &dropped.data["reason"]), ("mod:dropper", &json!("no")));
    assert_eq!(rows(&outcome.rows, "turn/start").len(), 0);
    assert_eq!(history(&outcome.rows, None), []);
}

#[test]
fn a_pending_call_may_be_changed_and_the_rows_agree() {
    let probe = Arc::new(Probe {
        pending: Some(|call| {
            call.input = json!({ "command": "echo changed" });
            call.id = "another".into();
            Ok(())
        }),
        ..Probe::default()
    });
    let registry = Registry::builder().pending_call("editor", probe).build();
    let (_, outcome) = play(TWO_STEPS, registry, SessionPolicy::default());
    let call = &rows(&outcome.rows, "tool/call")[0];
    assert_eq!((&call.data["callId"], &call.data["input"]["command"]), (&json!("one"), &json!("echo changed")));
    assert_eq!(call.by.to_string(), "mod:editor");
    assert_eq!(results(&outcome.rows)[0].text, "changed");
    let audit = modgate_harness::fold::audit(&outcome.rows);
    assert_eq!(audit.calls[0].asked.as_ref().unwrap()["input"]["command"], "echo hi");
    assert_eq!(audit.calls[0].committed["input"]["command"], "echo changed");
}

#[test]
fn a_dropped_call_is_never_seen_by_the_model() {
    let probe = Arc::new(Probe {
        pending: Some(|call| {
            call.dropped = Some("no".into());
            Ok(())
        }),
        ..Probe::default()
    });
    let (_, outcome) = play(TWO_STEPS, Registry::builder().pending_call("d", probe).build(), SessionPolicy::default());
    assert_eq!(rows(&outcome.rows, "tool/drop").len(), 1);
    assert_eq!(rows(&outcome.rows, "tool/call").len(), 0);
    let blocks = history(&outcome.rows, None).into_iter().flat_map(|message| message.content);
    assert!(blocks.into_iter().all(|block| matches!(block, Block::Text { .. })));
}

fn loosener() -> Registry {
    let allow = |so_far: Verdict| Verdict { decision: Decision::Allow, reason: "I say so".into(), ..so_far };
    let probe = Arc::new(Probe { authorize: Some(allow), ..Probe::default() });
    Registry::builder().authorization("loose", probe).build()
}

#[test]
fn a_deny_is_lifted_only_where_the_ceiling_says_so() {
    let denied = TWO_STEPS.replace("allow = [\"Bash(echo *)\"]", "deny = [\"Bash(echo *)\"]");
    let asked = TWO_STEPS.replace("allow = [\"Bash(echo *)\"]", "ask = [\"Bash(echo *)\"]");
    let cases = [
        (&denied, Ceiling::LiftAsk, 0, 1),
        (&denied, Ceiling::Tighten, 0, 1),
        (&denied, Ceiling::LiftDeny, 1, 0),
        (&asked, Ceiling::LiftAsk, 1, 0),
        (&asked, Ceiling::Tighten, 0, 1),
    ];
    for (text, ceiling, runs, reports) in cases {
        let policy = SessionPolicy { ceiling, ..SessionPolicy::default() };
        let (_, outcome) = play(text, loosener(), policy);
        assert_eq!(results(&outcome.rows)[0].executed.len(), runs, "{ceiling:?}");
        assert_eq!(codes(&outcome.rows), vec!["permission-ceiling"; reports], "{ceiling:?}");
    }
}

#[test]
fn a_row_may_be_changed_but_not_its_pinned_fields() {
    let probe = Arc::new(Probe {
        append: Some(|row| {
            match row.kind.as_str() {
                "tool/result" => row.data["executed"] = json!([]),
                "assistant/message" => row.data["text"] = json!("rephrased"),
                "user/message" => row.data["text"] = json!(7),
                _ => {}
            }
            Ok(())
        }),
        ..Probe::default()
    });
    let (_, outcome) = play(TWO_STEPS, Registry::builder().append("editor", probe).build(), SessionPolicy::default());
    assert_eq!(codes(&outcome.rows), ["row-shape", "row-pinned"]);
    assert_eq!(results(&outcome.rows)[0].executed.len(), 1);
    assert_eq!(rows(&outcome.rows, "user/message")[0].data["text"], "go");
    assert_eq!(rows(&outcome.rows, "turn/end")[0].data["answer"], "rephrased");
}

#[test]
fn scopes_end_at_their_boundary() {
    let text = format!("{TWO_STEPS}\n[[prompt]]\ntext = \"again\"\n[[prompt.step]]\ntext = \"yes\"\n");
    let probe = Arc::new(Probe { scopes: true, ..Probe::default() });
    let registry = Registry::builder().turn_lifecycle("probe", probe.clone()).build();
    play(&text, registry, SessionPolicy::default());
    let log = probe.log.lock().clone();
    assert_eq!(log.iter().filter(|line| *line == "left over false").count(), 2, "{log:?}");
    assert_eq!(log.iter().filter(|line| *line == "turn session").count(), 2, "{log:?}");
}

/// Changes what streams, and the model asked.
struct Stream;

#[async_trait]
impl ModelStep for Stream {
    async fn step(
        &self,
        request: ModelRequest,
        next: NextRequest,
        _: &SessionHandle,
    ) -> Result<ChunkStream, ContributorError> {
        use futures_util::StreamExt;
        let request = ModelRequest { model: "another".into(), turn_id: "forged".into(), ..request };
        let stream = next.send(request).await.map_err(failed)?;
        Ok(Box::pin(stream.map(|chunk| match chunk? {
            Chunk::Text { index, text } => Ok(Chunk::Text { index, text: text.to_uppercase() }),
            other => Ok(other),
        })))
    }
}

#[test]
fn the_stream_is_changed_before_it_is_logged() {
    let registry = Registry::builder().model_step("stream", Arc::new(Stream)).build();
    let (_, outcome) = play(TWO_STEPS, registry, SessionPolicy::default());
    let answer = &rows(&outcome.rows, "assistant/message")[0];
    assert_eq!((&answer.data["text"], &answer.data["model"]), (&json!("WORKING"), &json!("another")));
    let header = &rows(&outcome.rows, "request/header")[0];
    assert_ne!(header.data["turnId"], "forged");
    assert_eq!(header.data["model"], "another");
}

#[test]
fn sections_blocks_and_descriptions_reach_the_model() {
    let probe = Arc::new(Probe {
        assemble: Some(|assembly| {
            assembly.sections.push(Section { id: "house".into(), text: "be kind".into() });
            assembly.blocks.push(ContextBlock { name: "date".into(), text: "it is Monday".into() });
            assembly.tools.retain(|tool| tool.name != "Write");
            Ok(())
        }),
        ..Probe::default()
    });
    let (_, outcome) = play(TWO_STEPS, Registry::builder().context("c", probe).build(), SessionPolicy::default());
    let header = &rows(&outcome.rows, "request/header")[0];
    assert_eq!(header.data["system"][1], json!({ "id": "house", "text": "be kind" }));
    assert!(!header.data["tools"].as_array().unwrap().contains(&json!("Write")));
    let Block::Text { text } = &history(&outcome.rows, None)[0].content[0] else { panic!() };
    assert!(text.contains("it is Monday"));
}

#[test]
fn a_tool_that_is_not_offered_is_not_run() {
    let probe = Arc::new(Probe {
        assemble: Some(|assembly| {
            assembly.tools.clear();
            Ok(())
        }),
        ..Probe::default()
    });
    let (_, outcome) = play(TWO_STEPS, Registry::builder().context("c", probe).build(), SessionPolicy::default());
    let result = &results(&outcome.rows)[0];
    assert!(result.is_error && result.text.contains("no tool named Bash"), "{}", result.text);
}

#[test]
fn commands_are_claimed_and_their_context_reaches_the_model() {
    let text = r#"
        [[prompt]]
        command = "/gauge on now"
        [[prompt]]
        command = "/unheard"
        [[prompt]]
        text = "hello"
        [[prompt.step]]
        text = "hi"
    "#;
    let registry = Registry::builder().command("probe", Arc::new(Probe::default())).build();
    let (_, outcome) = play(text, registry, SessionPolicy::default());
    let runs = rows(&outcome.rows, "command/run");
    assert_eq!(runs[0].data["text"], "gauge on now");
    assert_eq!(runs[0].by, By::Mod("probe".into()));
    assert!(runs[1].data["error"].as_str().unwrap().contains("/unheard"));
    assert_eq!(codes(&outcome.rows), ["command-unknown"]);
    let told: Vec<String> = history(&outcome.rows, None)[0].content.iter().map(|block| format!("{block:?}")).collect();
    assert!(told[0].contains("gauge on now"), "what a command prints is told to the model: {told:?}");
    assert!(told[1].contains("the gauge was looked at"), "{told:?}");
}

#[test]
fn drawings_are_recorded_where_they_change() {
    let registry = Registry::builder().surface("probe", Arc::new(Probe::default())).build();
    let (_, outcome) = play(TWO_STEPS, registry, SessionPolicy::default());
    let drawn: Vec<&Value> = rows(&outcome.rows, "ui/render").iter().map(|row| &row.data["tree"]).collect();
    assert_eq!(drawn, [&json!("turns: 0"), &json!("turns: 1")]);
}

/// Starts nested loops and own calls, and submits a prompt.
struct Busy;

#[async_trait]
impl TurnLifecycle for Busy {
    async fn start(&self, turn: &TurnFacts, session: &SessionHandle) -> Done {
        if turn.text != "go" {
            return Ok(());
        }
        let answer =
            session.spawn_agent(Spawn::new(By::Mod("busy".into()), "explorer", "look around")).await.map_err(failed)?;
        assert_eq!(answer.answer, "seen it");
        assert!(session.spawn_agent(Spawn::new(By::Mod("busy".into()), "forbidden", "x")).await.is_err());
        let input = json!({ "command": "echo mine" });
        let own = session.call_tool("busy", "Bash", input).await.map_err(failed)?;
        assert_eq!(own.text.as_deref(), Some("mine"));
        session.submit(Prompt { text: "and more".into(), context: vec![], origin: Origin::plugin("busy") });
        Ok(())
    }
}

#[test]
fn nested_loops_own_calls_and_submitted_prompts() {
    let text = format!(
        "{TWO_STEPS}
        [[reply]]
        to = \"and more\"
        [[reply.step]]
        text = \"more\"
        [[agent]]
        name = \"explorer\"
        [[agent.step]]
        [[agent.step.call]]
        tool = \"Bash\"
        input = {{ command = \"echo nested\" }}
        [[agent.step]]
        text = \"seen it\"
        "
    );
    let registry = Registry::builder()
        .turn_lifecycle("busy", Arc::new(Busy))
        .subagent("probe", Arc::new(Probe::default()))
        .build();
    let (_, outcome) = play(&text, registry, SessionPolicy::default());
    let agent = &rows(&outcome.rows, "subagent/start")[0];
    assert_eq!(agent.data["prompt"], "look around, briefly");
    let nested = history(&outcome.rows, agent.data["agentId"].as_str());
    assert!(matches!(&nested[1].content[0], Block::ToolUse { input, .. } if input["command"] == "echo nested"));
    let main = serde_json::to_string(&history(&outcome.rows, None)).unwrap();
    assert!(!main.contains("nested") && !main.contains("echo mine"), "{main}");
    let ends: Vec<&Value> = rows(&outcome.rows, "turn/end").iter().map(|row| &row.data["answer"]).collect();
    assert_eq!(ends, ["seen it", "done", "more"]);
    assert_eq!(rows(&outcome.rows, "user/message")[1].by, By::Mod("busy".into()));
}

#[test]
fn a_step_limit_ends_a_turn() {
    let policy = SessionPolicy { max_steps: 1, ..SessionPolicy::default() };
    let (_, outcome) = play(TWO_STEPS, Registry::default(), policy);
    assert_eq!(rows(&outcome.rows, "turn/end")[0].data["reason"], "steps");
    assert_eq!(codes(&outcome.rows), ["turn-steps"]);
}

#[test]
fn a_failed_request_ends_the_turn_and_not_the_session() {
    let text = r#"
        [[prompt]]
        text = "one"
        [[prompt.step]]
        text = "half an ans"
        error = { code = "overloaded_error", message = "busy" }
        [[prompt]]
        text = "two"
        [[prompt.step]]
        text = "fine"
        [expect]
        turns = ["error", "answer"]
    "#;
    let (_, outcome) = play(text, Registry::default(), SessionPolicy::default());
    assert_eq!(rows(&outcome.rows, "model/error")[0].data["code"], "overloaded_error");
}

#[test]
fn a_wrapper_that_fails_is_skipped() {
    struct Broken;
    #[async_trait]
    impl ModelStep for Broken {
        async fn step(
            &self,
            _: ModelRequest,
            _: NextRequest,
            _: &SessionHandle,
        ) -> Result<ChunkStream, ContributorError> {
            Err(ContributorError::new("thrown", "no"))
        }
    }
    let registry = Registry::builder()
        .model_step("broken", Arc::new(Broken))
        .tool_lifecycle("plain", Wrap::new(|_, execute: Execution| async move { execute.run().await.map_err(failed) }))
        .build();
    let (_, outcome) = play(TWO_STEPS, registry, SessionPolicy::default());
    assert_eq!(codes(&outcome.rows), ["thrown", "thrown"], "once a step");
    assert_eq!(rows(&outcome.rows, "turn/end")[0].data["answer"], "done");
}

const AGENTS: &str = "
    [permissions]
    mode = \"bypassPermissions\"
    [[prompt]]
    text = \"go\"
    [[prompt.step]]
    [[prompt.step.call]]
    tool = \"Agent\"
    id = \"c0\"
    input = { description = \"look\", prompt = \"look around\", subagent_type = \"looker\" }
    [[prompt.step.call]]
    tool = \"Agent\"
    id = \"c1\"
    input = { description = \"look\", prompt = \"look again\", subagent_type = \"looker\", run_in_background = true }
    [[prompt.step.call]]
    tool = \"Agent\"
    id = \"c2\"
    input = { description = \"look\", prompt = \"x\", subagent_type = \"forbidden\" }
    [[prompt.step]]
    text = \"done\"
    [[agent]]
    name = \"looker\"
    [[agent.step]]
    [[agent.step.call]]
    tool = \"Bash\"
    input = { command = \"echo nested >> out.txt\" }
    [[agent.step]]
    text = \"seen it\"
";

#[test]
fn the_tool_agent_runs_nested_loops_with_rows_of_their_own() {
    let registry = Registry::builder().subagent("probe", Arc::new(Probe::default())).build();
    let (place, outcome) = play(AGENTS, registry, SessionPolicy::default());
    let result = |id: &str| {
        let found = rows(&outcome.rows, "tool/result").into_iter().find(|row| row.text_at("callId") == Some(id));
        found.unwrap().data.clone()
    };
    assert_eq!((&result("c0")["text"], &result("c0")["result"]["status"]), (&json!("seen it"), &json!("completed")));
    assert_eq!(result("c1")["result"]["status"], "started");
    assert_eq!(result("c2")["isError"], true, "a contributor refused it");
    let (starts, ends) = (rows(&outcome.rows, "subagent/start"), rows(&outcome.rows, "subagent/end"));
    assert_eq!((starts.len(), ends.len()), (2, 2), "the session waits for what goes on by itself");
    assert_eq!((starts[0].by.clone(), &starts[1].data["background"]), (By::Model, &json!(true)));
    let ids: Vec<&str> = rows(&outcome.rows, "tool/call")
        .iter()
        .filter(|row| row.data["tool"] == "Bash")
        .filter_map(|row| row.text_at("callId"))
        .collect();
    assert_eq!(ids, ["call_a1_1_1", "call_a1_again1_1_1"]);
    let written = std::fs::read_to_string(place.work.join("out.txt")).unwrap();
    assert_eq!(written, "nested\nnested\n");
}
