use std::sync::Arc;

use modgate_services::state::SessionState;
use modgate_services::{Caller, codes};
use modgate_value::Value;
use proptest::prelude::*;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::Host;

fn host() -> Host {
    Host::open(|_, builder| builder.state(Arc::new(SessionState::default())))
}

#[tokio::test]
async fn others_read_and_only_the_owner_writes() {
    let mut host = host();
    assert_eq!(host.ok("state.get", json!({"plugin": "m", "key": "k"})).await, json!({"version": 0}));
    let set = json!({"plugin": "m", "key": "k", "value": {"n": 1}});
    assert_eq!(host.ok("state.set", set.clone()).await, json!({"isSet": true, "version": 1}));
    host.caller = Caller::new("other", "h2");
    assert_eq!(host.code("state.set", set).await, codes::NOT_OWNER);
    let seen = host.ok("state.get", json!({"plugin": "m", "key": "k"})).await;
    assert_eq!(seen, json!({"value": {"n": 1}, "version": 1}));
}

#[tokio::test]
async fn members_of_a_family_are_apart() {
    let host = host();
    host.ok("state.set", json!({"plugin": "m", "key": "k", "id": "a", "value": 1})).await;
    host.ok("state.set", json!({"plugin": "m", "key": "k", "value": 2})).await;
    let get = async |id: Option<&str>| host.ok("state.get", json!({"plugin": "m", "key": "k", "id": id})).await;
    assert_eq!(get(Some("a")).await["value"], 1);
    assert_eq!(get(None).await["value"], 2);
    assert_eq!(get(Some("b")).await, json!({"version": 0}));
}

#[tokio::test]
async fn only_json_is_kept() {
    let host = host();
    let set = async |value: Value| {
        let input = Value::object([("plugin", Value::from("m")), ("key", Value::from("k")), ("value", value)]);
        host.services.call(&host.caller, "state.set", input, CancellationToken::new()).await
    };
    for wrong in [Value::Undefined, Value::BigInt("1".into()), Value::list([Value::Cycle(0)])] {
        assert_eq!(set(wrong).await.unwrap_err().code, codes::BAD_INPUT);
    }
    let deep = (0..200).fold(Value::Null, |inner, _| Value::list([inner]));
    assert_eq!(set(deep).await.unwrap_err().code, codes::TOO_LARGE);
    set(Value::object([("gone", Value::Undefined), ("n", Value::from(f64::NAN))])).await.unwrap();
    let kept = host.ok("state.get", json!({"plugin": "m", "key": "k"})).await;
    assert_eq!(kept["value"], json!({"n": null}));
    set(Value::Null).await.unwrap();
    assert_eq!(host.ok("state.get", json!({"plugin": "m", "key": "k"})).await, json!({"value": null, "version": 2}));
}

#[tokio::test]
async fn a_mod_fills_its_own_share_only() {
    let mut host = host();
    let text = "x".repeat(3 << 20);
    let set = |id: &str, text: &str| json!({"plugin": "m", "key": "k", "id": id, "value": text});
    for id in ["a", "1", "2", "3", "4"] {
        host.ok("state.set", set(id, &text)).await;
    }
    assert_eq!(host.code("state.set", set("b", &text)).await, codes::TOO_LARGE);
    host.ok("state.set", set("a", "")).await;
    host.ok("state.set", set("b", &text)).await;
    host.caller = Caller::new("other", "h");
    host.ok("state.set", json!({"plugin": "other", "key": "k", "value": text})).await;
}

#[tokio::test]
async fn one_value_has_a_limit_too() {
    let host = host();
    let set = |length: usize| json!({"plugin": "m", "key": "k", "value": "x".repeat(length)});
    // Two characters are the quotes of its JSON.
    host.ok("state.set", set((4 << 20) - 2)).await;
    assert_eq!(host.code("state.set", set((4 << 20) - 1)).await, codes::BAD_INPUT);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    /// Versions grow by one with every write that lands and by nothing else; a write that names another version
    /// changes nothing.
    #[test]
    fn versions_only_grow(writes in prop::collection::vec((0..3u32, any::<u8>(), prop::option::of(0..6u32)), 0..20)) {
        let host = host();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut model = [(None, 0u32), (None, 0), (None, 0)];
        runtime.block_on(async {
            for (id, value, if_version) in writes {
                let mut input = json!({"plugin": "m", "key": "k", "id": id.to_string(), "value": value});
                if let Some(version) = if_version {
                    input["ifVersion"] = version.into();
                }
                let (kept, version) = &mut model[id as usize];
                let lands = if_version.is_none_or(|wanted| wanted == *version);
                if lands {
                    (*kept, *version) = (Some(value), *version + 1);
                }
                let answer = host.ok("state.set", input).await;
                prop_assert_eq!(answer, json!({"isSet": lands, "version": *version}));
                let seen = host.ok("state.get", json!({"plugin": "m", "key": "k", "id": id.to_string()})).await;
                prop_assert_eq!(&seen["version"], &json!(*version));
                prop_assert_eq!(seen.get("value").cloned(), kept.map(|value| json!(value)));
            }
            Ok(())
        })?;
    }
}
