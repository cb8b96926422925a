use std::sync::Arc;
use std::time::Duration;

use modgate_services::clock::SystemClock;
use modgate_services::env::Variables;
use modgate_services::process::NativeProcess;
use modgate_services::{Outcome, codes};
use modgate_value::Value;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::Host;

#[tokio::test]
async fn times_of_the_wrong_form() {
    let host = Host::open(|_, builder| builder.clock(Arc::new(SystemClock)));
    for ms in [json!(-1), json!("1"), json!(null), json!([])] {
        assert_eq!(host.code("clock.sleep", json!({"ms": ms})).await, codes::BAD_INPUT, "{ms}");
        assert_eq!(host.code("clock.after", json!({"ms": ms})).await, codes::BAD_INPUT, "{ms}");
    }
    let nan = Value::object([("ms", Value::from(f64::NAN))]);
    let result = host.services.call(&host.caller, "clock.sleep", nan, CancellationToken::new()).await;
    assert_eq!(result.unwrap_err().code, codes::BAD_INPUT);
}

#[tokio::test(start_paused = true)]
async fn waits_take_their_time() {
    let host = Host::open(|_, builder| builder.clock(Arc::new(SystemClock)));
    for (call, ms, waited) in [("sleep", 1500.0, 1500), ("after", 0.5, 1), ("every", 0.0, 1), ("every", 20.0, 20)] {
        let start = tokio::time::Instant::now();
        assert_eq!(host.ok(&format!("clock.{call}"), json!({"ms": ms})).await, json!(null));
        let passed = start.elapsed();
        assert!(passed >= Duration::from_secs_f64(ms / 1000.0), "{call} {ms}: {passed:?}");
        assert!(passed <= Duration::from_millis(waited + 1), "{call} {ms}: {passed:?}");
    }
    assert!(host.ok("clock.now", json!({})).await.as_f64().unwrap() > 1.7e12);
}

#[tokio::test]
async fn an_aborted_sleep_is_an_abort_error() {
    let host = Host::open(|_, builder| builder.clock(Arc::new(SystemClock)));
    let signal = CancellationToken::new();
    let input = Value::from(json!({"ms": f64::MAX}));
    let sleeping = host.services.call(&host.caller, "clock.sleep", input, signal.clone());
    let (result, ()) = tokio::join!(sleeping, async { signal.cancel() });
    let error = result.unwrap_err();
    assert_eq!((error.name, &*error.code), ("AbortError", codes::ABORTED));
    assert_eq!(host.receipt().outcome, Outcome::Aborted);
    let late = host.services.call(&host.caller, "clock.now", Value::Undefined, signal).await;
    assert_eq!(late.unwrap_err().name, "AbortError");
}

#[tokio::test]
async fn variables_need_their_grant() {
    let host = Host::granting("env.read = ['GIT_*']\nenv.write = ['MINE']", |_, builder| {
        builder.env(Arc::new(Variables::new([("GIT_DIR", "d"), ("TOKEN", "t")])))
    });
    assert_eq!(host.code("env.get", json!({"name": "TOKEN"})).await, codes::GRANT_ENV_READ);
    assert_eq!(host.code("env.get", json!({"name": "MINE"})).await, codes::GRANT_ENV_READ);
    assert_eq!(host.code("env.set", json!({"name": "GIT_DIR", "value": "x"})).await, codes::GRANT_ENV_WRITE);
    assert_eq!(host.code("env.get", json!({"name": "A=B"})).await, codes::BAD_INPUT);
    assert_eq!(host.ok("env.get", json!({"name": "GIT_DIR"})).await, json!("d"));
    assert_eq!(host.ok("env.set", json!({"name": "MINE", "value": "x"})).await, json!(null));
}

#[tokio::test]
async fn variables_are_the_given_ones_and_reach_later_children() {
    let variables = Variables::new([("PATH", "/usr/bin:/bin")]);
    let host = Host::open(|_, builder| {
        builder.env(Arc::new(variables.clone())).process(Arc::new(NativeProcess::new(variables)))
    });
    assert!(std::env::var_os("PATH").is_some(), "this process has it");
    let bare = Host::open(|_, builder| builder.env(Arc::new(Variables::default())));
    assert!(bare.call("env.get", json!({"name": "PATH"})).await.unwrap().is_undefined());

    let shown = async || host.ok("process.run", json!({"argv": ["env"]})).await["stdout"].as_str().unwrap().to_string();
    assert_eq!(shown().await, "PATH=/usr/bin:/bin\n");
    host.ok("env.set", json!({"name": "ADDED", "value": "1"})).await;
    assert!(shown().await.contains("ADDED=1\n"));
    host.ok("env.set", json!({"name": "ADDED"})).await;
    assert!(!shown().await.contains("ADDED"));
}
