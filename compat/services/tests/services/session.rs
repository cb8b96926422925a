use std::sync::Arc;

use modgate_services::agent::{AgentInfo, AgentTable};
use modgate_services::command::{CommandInfo, CommandTable};
use modgate_services::prompt::PromptBox;
use modgate_services::session::{Facts, SessionInfo};
use modgate_services::tool::ToolTable;
use modgate_services::turn::RunningTurn;
use modgate_services::{Caller, codes};
use modgate_value::Value;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::Host;

fn facts() -> Facts {
    Facts {
        cwd: "/w/sub".into(),
        root: "/w".into(),
        id: "s1".into(),
        model: "big".into(),
        turns: 2,
        messages: (0..5000).map(|at| Value::object([("text", Value::from(at))])).collect(),
        api_messages: vec![Value::from("api")],
        agents: [("a1".to_string(), vec![Value::from("of the agent")])].into(),
        breakdown: Some(Value::object([("totalTokens", Value::from(50))])),
        context_tokens: Some(50),
        context_window: 200,
        cost_usd: Some(0.5),
        version: "1.0".into(),
        surfaces: vec!["terminal".into(), "desktop".into()],
    }
}

#[tokio::test]
async fn facts_are_free_and_the_conversation_is_not() {
    let host = Host::under(
        |_| modgate_services::Policy::deny_all(),
        |_, builder| builder.session(Arc::new(SessionInfo::new(facts()))),
    );
    for (call, expected) in [
        ("cwd", json!("/w/sub")),
        ("root", json!("/w")),
        ("id", json!("s1")),
        ("model", json!("big")),
        ("turns", json!(2)),
        ("surface", json!("terminal")),
        ("surfaces", json!(["terminal", "desktop"])),
        ("version", json!({"version": "1.0"})),
        (
            "usage",
            json!({"context": {"window": 200, "tokens": 50, "percent": 25}, "rateLimits": [], "cost": {"usd": 0.5}}),
        ),
    ] {
        assert_eq!(host.ok(&format!("session.{call}"), json!({})).await, expected, "{call}");
    }
    for call in ["messages", "repo", "authorize"] {
        assert_eq!(host.code(&format!("session.{call}"), json!({})).await, codes::GRANT_MISSING, "{call}");
    }
}

#[tokio::test]
async fn the_newest_messages_are_given() {
    let host = Host::open(|_, builder| builder.session(Arc::new(SessionInfo::new(facts()))));
    let messages = host.ok("session.messages", json!({})).await;
    let messages = messages.as_array().unwrap();
    assert_eq!(
        (messages.len(), messages[0]["text"].clone(), messages[4095]["text"].clone()),
        (4096, json!(904), json!(4999))
    );
    assert_eq!(host.ok("session.messages", json!({"as": "api"})).await, json!(["api"]));
    assert_eq!(host.ok("session.messages", json!({"agentId": "a1"})).await, json!(["of the agent"]));
    assert_eq!(host.code("session.messages", json!({"agentId": "a2"})).await, codes::NOT_FOUND);
    assert_eq!(host.code("session.messages", json!({"as": "text"})).await, codes::BAD_INPUT);
    let usage = host.ok("session.usage", json!({"breakdown": "full"})).await;
    assert_eq!(usage["context"]["breakdown"], json!({"totalTokens": 50}));
    assert_eq!(host.ok("session.authorize", json!({})).await, json!(null));
    assert_eq!(host.code("session.usage", json!({"breakdown": "x"})).await, codes::BAD_INPUT);
}

#[tokio::test]
async fn the_repository_is_the_main_working_tree() {
    let info = Arc::new(SessionInfo::default());
    let host = Host::open(|_, builder| builder.session(info.clone()));
    let git = |arguments: &str, at: &str| {
        let at = host.folder.path().join(at);
        std::fs::create_dir_all(&at).unwrap();
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=n", "-c", "user.email=e@example.com"]).args(arguments.split(' '));
        assert!(command.current_dir(at).env_remove("GIT_DIR").output().unwrap().status.success(), "{arguments}");
    };
    info.update(|facts| facts.cwd = host.folder.path().into());
    assert_eq!(host.ok("session.repo", json!({})).await, json!(null));

    git("init -q", "repo");
    git("commit -q --allow-empty -m m", "repo");
    git("worktree add -q ../tree", "repo");
    info.update(|facts| facts.cwd = host.folder.path().join("tree"));
    let root = host.folder.at("repo");
    let expected = json!({"root": root, "remote": null, "internal": false, "name": null});
    assert_eq!(host.ok("session.repo", json!({})).await, expected);

    git("remote add origin https://me:pw@host.example/owner/name.git", "repo");
    let repo = host.ok("session.repo", json!({})).await;
    assert_eq!(repo["remote"], "https://me@host.example/owner/name.git");
    assert_eq!(repo["name"], "owner/name");
}

#[tokio::test]
async fn commands_belong_to_who_registered_them() {
    let table = Arc::new(CommandTable::default());
    table.add(CommandInfo {
        name: "help".into(),
        description: "d".into(),
        source: "builtin".into(),
        plugin: None,
        argument_hint: None,
        is_immediate: false,
    });
    let mut host = Host::open(|_, builder| builder.command(table.clone()));
    for name in ["a b", "", "/x", "ä"] {
        assert_eq!(host.code("command.register", json!({"name": name, "description": "d"})).await, codes::BAD_INPUT);
    }
    assert_eq!(host.code("command.register", json!({"name": "help", "description": "d"})).await, codes::NOT_OWNER);
    let mine = json!({"name": "mine", "description": "one", "argumentHint": "<x>", "immediate": true});
    assert_eq!(host.ok("command.register", mine).await, json!({"command": "mine"}));
    host.ok("command.register", json!({"name": "mine", "description": "two"})).await;
    let listed = json!([
        {"name": "help", "description": "d", "source": "builtin"},
        {"name": "mine", "description": "two", "source": "plugin", "plugin": "m"},
    ]);
    assert_eq!(host.ok("command.list", json!({})).await, listed);
    host.caller = Caller::new("other", "h");
    assert_eq!(host.code("command.register", json!({"name": "mine", "description": "d"})).await, codes::NOT_OWNER);
    table.forget("m");
    assert_eq!(table.find("mine"), None);
}

#[tokio::test]
async fn tools_and_agents_are_registered_under_the_mods_name() {
    let (tools, agents) = (Arc::new(ToolTable::default()), Arc::new(AgentTable::default()));
    let host = Host::open(|_, builder| builder.tool(tools.clone()).agent(agents.clone()));
    assert_eq!(host.code("tool.register", json!({"name": "a b", "description": "d"})).await, codes::BAD_INPUT);
    let tool = host.ok("tool.register", json!({"name": "t", "description": "d"})).await;
    assert_eq!(tool, json!({"tool": "mcp__m__t"}));
    assert_eq!(tools.find("mcp__m__t").unwrap().input_schema, Value::from(json!({"type": "object"})));
    let listed = host.ok("tool.list", json!({})).await;
    assert_eq!(listed, json!([{"name": "mcp__m__t", "description": "d", "mcp": true}]));

    for wrong in [
        json!({"name": "a"}),
        json!({"name": "a", "description": "d"}),
        json!({"name": "a b", "description": "d", "prompt": "p"}),
    ] {
        assert_eq!(host.code("agent.register", wrong).await, codes::BAD_INPUT);
    }
    let agent = json!({"name": "a", "description": "d", "prompt": "p", "tools": ["Read"]});
    assert_eq!(host.ok("agent.register", agent).await, json!({"agent": "m:a"}));
    assert_eq!(agents.definition("m:a").unwrap().str_at("prompt"), Some("p"));
    agents.report(AgentInfo {
        id: "1".into(),
        description: "d".into(),
        kind: "m:a".into(),
        status: "running".into(),
        parent_id: None,
        spawned_by: Some("m".into()),
        name: None,
    });
    let expected = json!([{"id": "1", "description": "d", "type": "m:a", "status": "running", "spawnedBy": "m"}]);
    assert_eq!(host.ok("agent.list", json!({})).await, expected);
}

#[tokio::test]
async fn only_the_running_turn_is_ended() {
    let turn = Arc::new(RunningTurn::default());
    let host = Host::open(|_, builder| builder.turn(turn.clone()));
    assert_eq!(host.code("turn.abort", json!({"turnId": "t1"})).await, codes::NOT_FOUND);
    let token = CancellationToken::new();
    turn.begin("t2", token.clone());
    let error = host.refused("turn.abort", json!({"turnId": "t1"})).await;
    assert!(error.message.contains("t1") && error.message.contains("t2"), "{}", error.message);
    assert!(!token.is_cancelled());
    host.ok("turn.abort", json!({"turnId": "t2"})).await;
    assert!(token.is_cancelled());
}

#[tokio::test]
async fn the_box_is_filled_where_the_cursor_is() {
    let prompt = Arc::new(PromptBox::default());
    let host = Host::open(|_, builder| builder.prompt(prompt.clone()));
    prompt.typed("a😀b", 5);
    assert_eq!(host.ok("prompt.read", json!({})).await, json!({"text": "a😀b", "cursor": 3}));
    let filled = host.ok("prompt.fill", json!({"text": "-", "mode": "insert"})).await;
    assert_eq!(filled, json!({"isFilled": true, "text": "a😀-b", "cursor": 4}));
    host.ok("prompt.fill", json!({"text": "!", "mode": "append"})).await;
    assert_eq!(prompt.text(), "a😀-b!");
    assert_eq!(host.ok("prompt.suggest", json!({"text": "s"})).await, json!({"isShown": false}), "the person typed");
    host.ok("prompt.fill", json!({"text": "", "mode": "replace"})).await;
    assert_eq!(host.ok("prompt.suggest", json!({"text": "s"})).await, json!({"isShown": true}));
    assert_eq!(prompt.suggestion().as_deref(), Some("s"));
    prompt.set_closed(true);
    let closed = host.ok("prompt.fill", json!({"text": "x"})).await;
    assert_eq!(closed, json!({"isFilled": false, "text": "", "cursor": 0}));
    assert_eq!(host.code("prompt.fill", json!({"text": "x", "mode": "prepend"})).await, codes::BAD_INPUT);
    prompt.typed("é", 1);
    prompt.set_closed(false);
    assert_eq!(host.ok("prompt.read", json!({})).await["cursor"], 0, "never inside a character");
}
