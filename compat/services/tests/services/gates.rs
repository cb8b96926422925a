use std::path::PathBuf;
use std::sync::Arc;

use modgate_services::env::Variables;
use modgate_services::model::ScriptedModel;
use modgate_services::session::Facts;
use modgate_services::tool::ToolTable;
use modgate_services::{
    Beginning, Builder, Caller, Gate, NativeHost, Outcome, Permissions, Policy, codes, free_calls, host_served, served,
};
use modgate_value::Value;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::{Folder, Host, places, samples};

/// Everything this crate has, over the given builder's policy and receipts.
fn everything(folder: &Folder, builder: Builder) -> Builder {
    let beginning = Beginning {
        facts: Facts { cwd: folder.path().into(), ..Facts::default() },
        variables: Variables::new([("PATH", "/usr/bin:/bin")]),
        store: folder.path().join("store.json"),
        ..Beginning::default()
    };
    let model = Arc::new(ScriptedModel::new(["a", "b", "c"]));
    with_mcp(NativeHost::new(beginning).serve(builder).model(model))
}

#[cfg(feature = "mcp")]
fn with_mcp(builder: Builder) -> Builder {
    builder.mcp(Arc::new(modgate_services::mcp::McpServers::new(Default::default(), Variables::default())))
}

#[cfg(not(feature = "mcp"))]
fn with_mcp(builder: Builder) -> Builder {
    builder
}

#[tokio::test]
async fn without_a_grant_nothing_outside_is_reached() {
    let host = Host::under(|_| Policy::deny_all(), everything);
    for (call, input) in samples() {
        let result = host.call(call, input).await;
        let receipt = host.receipt();
        assert_eq!((receipt.call.as_str(), receipt.plugin.as_str(), receipt.hash.as_str()), (call, "m", "h"));
        assert_eq!(receipt.grant, "none");
        if free_calls().contains(&call) {
            assert!(result.as_ref().err().is_none_or(|error| !error.is_refusal()), "{call}: {result:?}");
        } else {
            assert_eq!(result.expect_err(call).code, codes::GRANT_MISSING, "{call}");
            assert_eq!((receipt.outcome, receipt.refused_by), (Outcome::Refused, Some(Gate::Trust)), "{call}");
        }
    }
    let left: Vec<PathBuf> = host.folder.path().read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, Vec::<PathBuf>::new(), "nothing was written");
}

#[tokio::test]
async fn an_empty_grant_covers_nothing_either() {
    let host = Host::granting("", everything);
    for (call, input) in samples() {
        if free_calls().contains(&call) {
            continue;
        }
        // A stream is opened, not called; its gate is the same.
        let error =
            if call == "process.spawn" { host.stream(input).unwrap_err() } else { host.refused(call, input).await };
        assert!(error.is_refusal() && error.code.starts_with("grant-"), "{call}: {error:?}");
        assert!(error.message.contains("it would need"), "{call}: {}", error.message);
        assert_eq!(host.receipt().refused_by, Some(Gate::Execution), "{call}");
    }
}

#[tokio::test]
async fn provenance_trust_and_visibility_come_first() {
    let mut host = Host::granting("fs.read = ['${cwd}']\nhttp.hosts = []", everything);
    host.folder.write("a", "text");
    let read = json!({"path": "a", "as": "text"});
    assert_eq!(host.ok("fs.read", read.clone()).await, json!("text"));
    host.ledger.take();

    host.caller = Caller::new("m", "other");
    assert_eq!(host.code("fs.read", read.clone()).await, codes::GRANT_STALE);
    assert_eq!(host.receipt().refused_by, Some(Gate::Trust));

    host.caller = Caller::new("m", "");
    assert_eq!(host.code("ui.toast", json!({"text": "t"})).await, codes::PROVENANCE_UNKNOWN);
    assert_eq!(host.receipt().refused_by, Some(Gate::Provenance));

    host.caller = Caller { withheld: ["fs".to_string()].into(), ..Caller::new("m", "h") };
    assert_eq!(host.code("fs.read", read).await, codes::MEMBER_WITHHELD);
    assert_eq!(host.receipt().refused_by, Some(Gate::Visibility));
}

#[tokio::test]
async fn limits_and_requirements_only_tighten() {
    let uses = Permissions { calls: Some(vec!["fs.*".into()]), ..Permissions::default() };
    let host = Host::under(
        |folder| {
            let mut policy = Policy::allow_all();
            policy.require("m", &uses, &places(folder)).unwrap();
            let limits =
                Permissions { calls: Some(vec!["fs.read".into(), "clock.*".into()]), ..Permissions::default() };
            policy.with_limits(&limits, &places(folder)).unwrap()
        },
        everything,
    );
    host.folder.write("a", "text");
    assert_eq!(host.code("fs.write", json!({"path": "b", "text": ""})).await, codes::LIMIT_EXCEEDED);
    assert_eq!(host.code("clock.now", json!({})).await, codes::REQUIREMENT_EXCEEDED);
    assert_eq!(host.ok("fs.read", json!({"path": "a"})).await, json!("text"));
}

#[tokio::test]
async fn absent_namespaces_and_members_have_no_implementation() {
    let host = Host::open(|_, builder| builder.tool(Arc::new(ToolTable::default())));
    for call in ["fs.read", "tool.call", "nonsense.call", "fs", ""] {
        let error = host.refused(call, json!({})).await;
        assert_eq!(error.message, format!("no implementation for {call}"));
        assert_eq!((error.name, &*error.code), ("HooksError", codes::NO_IMPLEMENTATION));
        assert!(!host.services.serves(call));
    }
    assert!(host.services.serves("tool.list"));
    assert_eq!(host.stream(json!({"argv": ["true"]})).unwrap_err().message, "no implementation for process.spawn");
}

#[tokio::test]
async fn the_table_of_members_is_what_the_implementations_serve() {
    let host = Host::open(everything);
    for call in served().iter().filter(|call| cfg!(feature = "mcp") || !call.starts_with("mcp.")) {
        assert!(host.services.serves(call), "{call} is in the table");
    }
    for call in host_served() {
        assert!(!host.services.serves(call), "{call} needs a host");
    }
    assert!(served().is_sorted() && host_served().is_sorted());
    let sampled: Vec<&str> = samples().into_iter().map(|(call, _)| call).collect();
    assert_eq!(sampled, served(), "every member has a sample");
    let known = |call: &&&str| served().contains(*call) || host_served().contains(*call);
    assert_eq!(free_calls().iter().filter(|call| !known(call)).count(), 0);
}

#[test]
fn a_call_can_be_made_on_any_thread() {
    fn goes_anywhere<T: Send>(_: &T) {}
    let host = Host::open(everything);
    let call = host.services.call(&host.caller, "clock.now", Value::Undefined, CancellationToken::new());
    goes_anywhere(&call);
    goes_anywhere(&host.services);
}

#[test]
fn every_code_is_in_the_book() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/report-codes.md");
    let book = std::fs::read_to_string(book).unwrap();
    for code in codes::ALL {
        assert!(book.contains(&format!("| `{code}` |")), "{code} has a row");
    }
}

#[tokio::test]
async fn receipts_say_who_and_what_without_secrets() {
    let mut host = Host::open(everything);
    host.caller.file = Some("hooks/register.ts".into());
    host.caller.call_path = vec!["tool.call".into()];
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ";
    let argv = json!(["echo", "--token", secret]);
    host.ok("process.run", json!({"argv": argv, "init": {"env": {"API_KEY": "hush"}}})).await;
    let receipt = serde_json::to_value(host.receipt()).unwrap();
    assert_eq!(receipt["file"], "hooks/register.ts");
    assert_eq!(receipt["callPath"], json!(["tool.call"]));
    assert_eq!(receipt["grant"], "allow-all");
    assert_eq!(receipt["outcome"], "answered");
    assert_eq!(receipt["answer"], "object 3");
    assert_eq!(receipt["reached"][1], "process.env = [\"API_KEY\"]");
    let text = receipt.to_string();
    assert!(!text.contains(secret) && !text.contains("hush"), "{text}");

    host.ok("env.set", json!({"name": "PLAIN", "value": "hush"})).await;
    assert_eq!(host.receipt().input, json!({"name": "PLAIN", "value": "***"}));
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_a_receipt() {
    let host = Host::open(everything);
    {
        let input = Value::from(json!({"ms": 1e12}));
        let waiting = host.services.call(&host.caller, "clock.sleep", input, CancellationToken::new());
        let mut waiting = Box::pin(waiting);
        tokio::select! {
            biased;
            _ = &mut waiting => panic!("a very long sleep"),
            () = tokio::task::yield_now() => {}
        }
    }
    assert_eq!(host.receipt().outcome, Outcome::Aborted);
}

#[tokio::test]
async fn a_policy_put_in_place_later_counts_from_then_on() {
    let host = Host::under(|_| Policy::deny_all(), everything);
    assert_eq!(host.code("store.keys", json!({})).await, codes::GRANT_MISSING);
    host.services.set_policy(Policy::allow_all());
    assert_eq!(host.ok("store.keys", json!({})).await, json!([]));
}
