use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;

use indexmap::IndexMap;
use modgate_services::store::{FileStore, MAX_STORE};
use modgate_services::{Builder, Caller, codes};
use modgate_value::Value;
use proptest::prelude::*;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::{Folder, Host, child};

fn store(folder: &Folder, builder: Builder) -> Builder {
    builder.store(Arc::new(FileStore::new(folder.path().join("user/store.json"))))
}

#[tokio::test]
async fn only_json_under_a_name_is_kept() {
    let host = Host::open(store);
    let set = async |key: &str, value: Value| {
        let input = Value::object([("key", Value::from(key)), ("value", value)]);
        host.services.call(&host.caller, "store.set", input, CancellationToken::new()).await
    };
    assert_eq!(set("", Value::Null).await.unwrap_err().code, codes::BAD_INPUT);
    for wrong in [Value::Undefined, Value::BigInt("1".into()), Value::list([Value::Cycle(0)])] {
        assert_eq!(set("k", wrong).await.unwrap_err().code, codes::BAD_INPUT);
    }
    let deep = (0..200).fold(Value::Null, |inner, _| Value::list([inner]));
    assert_eq!(set("k", deep).await.unwrap_err().code, codes::TOO_LARGE, "a reader could not read it again");
    assert_eq!(host.ok("store.keys", json!({})).await, json!([]));
    let fields = [("gone", Value::Undefined), ("list", Value::list([Value::Undefined])), ("n", Value::from(f64::NAN))];
    set("k", Value::object(fields)).await.unwrap();
    assert_eq!(host.ok("store.get", json!({"key": "k"})).await, json!({"list": [null], "n": null}));
}

#[tokio::test]
async fn mods_do_not_see_each_other() {
    let mut host = Host::open(store);
    host.ok("store.set", json!({"key": "k", "value": 1})).await;
    host.caller = Caller::new("other", "h");
    assert!(host.call("store.get", json!({"key": "k"})).await.unwrap().is_undefined());
    assert_eq!(host.ok("store.keys", json!({})).await, json!([]));
    host.ok("store.delete", json!({"key": "k"})).await;
    host.caller = Caller::new("m", "another version of it");
    assert_eq!(host.ok("store.get", json!({"key": "k"})).await, json!(1));
}

#[tokio::test]
async fn a_full_store_stops_only_its_mod() {
    let mut host = Host::open(store);
    let half = "x".repeat(MAX_STORE / 2);
    host.ok("store.set", json!({"key": "a", "value": half})).await;
    assert_eq!(host.code("store.set", json!({"key": "b", "value": half})).await, codes::TOO_LARGE);
    assert_eq!(host.ok("store.keys", json!({})).await, json!(["a"]));
    host.caller = Caller::new("other", "h");
    host.ok("store.set", json!({"key": "b", "value": half})).await;
}

#[tokio::test]
async fn a_damaged_file_is_left_alone() {
    let host = Host::open(store);
    for damaged in ["{\"m\": {\"k\": 1}", "[]", ""] {
        host.folder.write("user/store.json", damaged);
        assert_eq!(host.code("store.get", json!({"key": "k"})).await, codes::STORE_DAMAGED);
        assert_eq!(host.code("store.set", json!({"key": "k", "value": 2})).await, codes::STORE_DAMAGED);
        assert_eq!(host.folder.text("user/store.json"), damaged);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_lose_nothing() {
    const COUNT: usize = 200;
    let host = Host::open(store);
    let path = host.folder.at("user/store.json");
    let start = |prefix: &str| {
        let mut command = Command::new(child());
        command.args(["store", &path, prefix, &COUNT.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut children = [start("a"), start("b")];
    for child in &mut children {
        let mut ready = [0; 6];
        child.stdout.as_mut().unwrap().read_exact(&mut ready).unwrap();
        assert_eq!(&ready, b"ready\n");
    }
    for child in &mut children {
        child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    }
    host.caller_sets("mod", "c", COUNT).await;
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let all: serde_json::Value = serde_json::from_str(&host.folder.text("user/store.json")).unwrap();
    let kept = all["mod"].as_object().unwrap();
    assert_eq!(kept.len(), 3 * COUNT);
    for prefix in ["a", "b", "c"] {
        for at in 0..COUNT {
            assert_eq!(kept[&format!("{prefix}{at}")], at);
        }
    }
    let mut left: Vec<_> =
        host.folder.path().join("user").read_dir().unwrap().map(|it| it.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["store.json", "store.json.lock"]);
}

impl Host {
    async fn caller_sets(&self, plugin: &str, prefix: &str, count: usize) {
        let caller = Caller::new(plugin, "h");
        for at in 0..count {
            let input = Value::from(json!({"key": format!("{prefix}{at}"), "value": at}));
            self.services.call(&caller, "store.set", input, CancellationToken::new()).await.unwrap();
        }
    }
}

#[derive(Debug, Clone)]
enum Step {
    Set(String, i32),
    Delete(String),
    Get(String),
}

fn step() -> impl Strategy<Value = Step> {
    let key = || prop_oneof!["[abc]", Just("__proto__".to_string()), Just("10".to_string()), Just("9".to_string())];
    prop_oneof![
        (key(), any::<i32>()).prop_map(|(key, value)| Step::Set(key, value)),
        key().prop_map(Step::Delete),
        key().prop_map(Step::Get),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    /// The store behaves like an ordered map, also for one that is opened anew after every step.
    #[test]
    fn it_is_an_ordered_map(steps in prop::collection::vec(step(), 0..10)) {
        let folder = Folder::new();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut model: IndexMap<String, i32> = IndexMap::new();
        runtime.block_on(async {
            for step in steps {
                let host = Host::open(|_, builder| builder.store(Arc::new(FileStore::new(folder.path().join("s.json")))));
                match step {
                    Step::Set(key, value) => {
                        host.ok("store.set", json!({"key": key, "value": value})).await;
                        model.insert(key, value);
                    }
                    Step::Delete(key) => {
                        host.ok("store.delete", json!({"key": key})).await;
                        model.shift_remove(&key);
                    }
                    Step::Get(key) => {
                        let seen = host.call("store.get", json!({"key": key})).await.unwrap();
                        prop_assert_eq!(seen, model.get(&key).map_or(Value::Undefined, |value| Value::from(*value)));
                    }
                }
                let keys: Vec<&String> = model.keys().collect();
                prop_assert_eq!(host.ok("store.keys", json!({})).await, json!(keys));
            }
            Ok(())
        })?;
    }
}
