//! What the tests of this crate run as another process: `child ROLE [ARGUMENT...]`.

use std::fs::File;
use std::io::{BufRead, Write};
use std::process::{Command, Stdio};

use modgate_services::store::{FileStore, Store};
use serde_json::{Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["store", path, prefix, count] => store(path, prefix, count.parse().expect("a count")),
        ["hold", path] => hold(path),
        ["tree", path] => tree(path),
        ["mcp"] => mcp(),
        _ => panic!("unknown role"),
    }
}

/// Says that it is ready, waits for a line, and sets `count` keys of one mod.
fn store(path: &str, prefix: &str, count: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let store = FileStore::new(path);
    println!("ready");
    std::io::stdin().read_line(&mut String::new()).expect("a line");
    runtime.block_on(async {
        for at in 0..count {
            store.set("mod", &format!("{prefix}{at}"), json!(at)).await.expect("a set");
            store.get("mod", &format!("{prefix}{at}")).await.expect("a get");
        }
    });
}

/// Locks a file, says so, and waits to be killed.
fn hold(path: &str) {
    let file = File::create(path).expect("a lock file");
    file.lock().expect("the lock");
    println!("held");
    std::io::stdout().flush().expect("a reader");
    loop {
        std::thread::park();
    }
}

/// Starts a child that holds the lock on our own output, and stays alive.
fn tree(path: &str) {
    let myself = std::env::current_exe().expect("a path");
    let mut child = Command::new(myself).args(["hold", path]).stdin(Stdio::null()).spawn().expect("a child");
    child.wait().expect("its end");
}

/// An MCP server with two tools: `add` gives a sum, `env` a variable of its own environment.
fn mcp() {
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let Some(id) = message.get("id") else { continue };
        let schema = json!({"type": "object"});
        let result = match message["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "sums", "version": "1"},
            }),
            Some("tools/list") => json!({"tools": [
                {"name": "add", "description": "adds a and b", "inputSchema": schema},
                {"name": "env", "inputSchema": schema},
            ]}),
            Some("tools/call") => called(&message["params"]),
            _ => json!({}),
        };
        println!("{}", json!({"jsonrpc": "2.0", "id": id, "result": result}));
    }
}

fn called(params: &Value) -> Value {
    let arguments = &params["arguments"];
    match params["name"].as_str() {
        Some("add") => {
            let sum = arguments["a"].as_i64().unwrap_or(0) + arguments["b"].as_i64().unwrap_or(0);
            json!({"content": [{"type": "text", "text": sum.to_string()}], "structuredContent": {"sum": sum}})
        }
        Some("env") => {
            let value = std::env::var(arguments["name"].as_str().unwrap_or("")).unwrap_or_else(|_| "unset".into());
            json!({"content": [{"type": "text", "text": value}]})
        }
        _ => json!({"content": [{"type": "text", "text": "no such tool"}], "isError": true}),
    }
}
