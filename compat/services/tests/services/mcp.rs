use std::sync::Arc;

use modgate_services::codes;
use modgate_services::env::Variables;
use modgate_services::mcp::{McpServers, ServerConfig};
use serde_json::json;

use crate::support::{Host, child};

fn servers() -> Arc<McpServers> {
    let server = ServerConfig {
        command: child(),
        args: vec!["mcp".into()],
        env: [("MINE".to_string(), "yes".to_string())].into(),
        cwd: None,
    };
    let broken = ServerConfig { command: "/nonexistent/server".into(), ..ServerConfig::default() };
    let variables = Variables::new([("PATH", "/usr/bin:/bin")]);
    Arc::new(McpServers::new([("my sums".to_string(), server), ("broken".to_string(), broken)].into(), variables))
}

#[tokio::test]
async fn servers_and_tools_need_their_grant() {
    let host = Host::granting("mcp = ['my sums/add']", |_, builder| builder.mcp(servers()));
    let call = |server: &str, tool: &str| json!({"server": server, "tool": tool, "args": {}});
    for (server, tool) in [("my sums", "env"), ("my_sums", "env"), ("broken", "add"), ("unknown", "add")] {
        assert_eq!(host.code("mcp.call", call(server, tool)).await, codes::GRANT_MCP, "{server} {tool}");
    }
    let error = host.refused("mcp.call", call("my_sums", "env")).await;
    assert!(error.message.ends_with("mcp = [\"my sums/env\"]"), "{}", error.message);
    assert_eq!(host.code("mcp.call", json!({"server": "my sums", "tool": "add", "args": [1]})).await, codes::BAD_INPUT);
    let sum = host.ok("mcp.call", json!({"server": "my_sums", "tool": "add", "args": {"a": 2, "b": 3}})).await;
    let expected = json!({
        "content": [{"type": "text", "text": "5"}],
        "isError": false,
        "structuredContent": {"sum": 5},
    });
    assert_eq!(sum, expected);
}

#[tokio::test]
async fn servers_run_with_the_given_variables_and_start_again() {
    let servers = servers();
    let host = Host::open(|_, builder| builder.mcp(servers.clone()));
    let variable = async |name: &str| {
        let call = json!({"server": "my sums", "tool": "env", "args": {"name": name}});
        host.ok("mcp.call", call).await["content"][0]["text"].clone()
    };
    assert_eq!(variable("MINE").await, "yes");
    assert_eq!(variable("CARGO_MANIFEST_DIR").await, "unset", "this process's variables stay here");
    servers.stop().await;
    assert_eq!(variable("PATH").await, "/usr/bin:/bin");
    let bad = json!({"server": "my sums", "tool": "none", "args": {}});
    assert_eq!(host.ok("mcp.call", bad).await["isError"], true);
    assert_eq!(host.code("mcp.call", json!({"server": "broken", "tool": "x"})).await, codes::BAD_GATEWAY);
    assert_eq!(host.code("mcp.call", json!({"server": "unknown", "tool": "x"})).await, codes::NOT_FOUND);
}

#[tokio::test]
async fn tools_are_listed_by_server() {
    let all = servers().list().await;
    let names: Vec<&str> = all.iter().map(|(server, _)| server.as_str()).collect();
    assert_eq!(names, ["broken", "my sums"]);
    assert_eq!(all[0].1.as_ref().unwrap_err().code, codes::BAD_GATEWAY);
    let tools = all[1].1.as_ref().unwrap();
    assert_eq!((tools[0].full_name().as_str(), tools[0].description.as_str()), ("mcp__my_sums__add", "adds a and b"));
    assert_eq!(tools[1].name, "env");
}
