use std::path::Path;
use std::sync::Arc;

use modgate_services::config::ConfigTable;
use modgate_services::settings::{Origin, SettingsLayers};
use modgate_services::{Caller, codes};
use serde_json::{Value, json};

use crate::support::{Folder, Host};

fn layers(folder: &Folder) -> SettingsLayers {
    folder.write("user.json", r#"{"model": "a", "permissions": {"defaultMode": "ask", "deny": ["x"]}}"#);
    folder.write("project.json", r#"{"permissions": {"defaultMode": "plan"}}"#);
    let policy = r#"{"model": "p"}"#;
    let layers = SettingsLayers::new().with_text("policy", policy).unwrap();
    let layers = layers.with_file("project", Path::new(&folder.at("project.json"))).unwrap();
    let layers = layers.with_file("user", Path::new(&folder.at("user.json"))).unwrap();
    layers.with_file("local", Path::new(&folder.at("absent.json"))).unwrap()
}

#[tokio::test]
async fn settings_need_a_grant() {
    let host = Host::granting("calls = ['store.*']", |folder, builder| builder.settings(Arc::new(layers(folder))));
    let error = host.refused("settings.read", json!({})).await;
    assert_eq!(error.code, codes::GRANT_CALL);
    assert!(error.message.ends_with("calls = [\"settings.read\"]"), "{}", error.message);
}

#[tokio::test]
async fn later_layers_win_and_every_value_has_its_origin() {
    let host = Host::open(|folder, builder| builder.settings(Arc::new(layers(folder))));
    let merged = host.ok("settings.read", json!({"layers": []})).await;
    assert_eq!(merged, json!({"model": "p", "permissions": {"defaultMode": "plan", "deny": ["x"]}}));
    let user = host.ok("settings.read", json!({"source": "user"})).await;
    assert_eq!(user["permissions"]["defaultMode"], "ask");
    assert_eq!(host.ok("settings.read", json!({"source": "local"})).await, json!({}));
    assert_eq!(host.code("settings.read", json!({"source": "else"})).await, codes::BAD_INPUT);

    let layers = layers(&host.folder);
    let origin = |path: &str| layers.origin(path).map(|Origin { layer, path }| (layer, path));
    assert_eq!(origin("model"), Some(("policy".into(), None)));
    let project = host.folder.path().join("project.json");
    assert_eq!(origin("permissions.defaultMode"), Some(("project".into(), Some(project))));
    assert_eq!(origin("permissions.deny").unwrap().0, "user");
    assert_eq!(origin("none"), None);
}

#[test]
fn bad_layers_name_file_and_place() {
    let folder = Folder::new();
    folder.write("s.json", "{\n  \"a\": }");
    let error = SettingsLayers::new().with_file("user", Path::new(&folder.at("s.json"))).unwrap_err().to_string();
    assert!(error.contains("s.json") && error.contains("line 2 column"), "{error}");
    assert!(SettingsLayers::new().with_text("user", "[]").is_err());
    assert!(SettingsLayers::new().with_text("nowhere", "{}").unwrap_err().to_string().contains("no such layer"));
}

fn config(table: &ConfigTable) {
    let fields = json!({
        "loud": {"type": "boolean", "title": "Loud", "description": "more", "default": false},
        "mode": {"type": "string", "title": "Mode", "options": ["a", "b"], "default": "a"},
        "size": {"type": "number", "min": 1, "max": 9, "default": 5},
        "names": {"type": "string", "multiple": true, "default": []},
        "key": {"type": "string", "sensitive": true},
    });
    let stored = json!({"mode": "gone", "size": 7, "key": "s3cret"});
    let object = |value: &Value| value.as_object().unwrap().clone();
    table.add_user_config("m", "user", &object(&fields), &object(&stored)).unwrap();
}

#[tokio::test]
async fn rows_take_what_fits_and_nothing_else() {
    let host = Host::open(|folder, builder| {
        let table = ConfigTable::with_file(folder.path().join("settings.json"));
        config(&table);
        folder.write("settings.json", r#"{"model": "a"}"#);
        builder.config(Arc::new(table))
    });
    for (key, value) in [
        ("m.loud", json!("yes")),
        ("m.mode", json!("c")),
        ("m.size", json!(10)),
        ("m.size", json!(null)),
        ("m.names", json!(["a", 1])),
        ("m.key", json!("new")),
    ] {
        let answer = host.ok("config.set", json!({"key": key, "value": value})).await;
        assert!(answer["deny"].as_str().is_some_and(|why| why.contains(key)), "{key} {value}: {answer}");
    }
    assert_eq!(host.code("config.set", json!({"key": "m.none", "value": 1})).await, codes::NOT_FOUND);
    assert_eq!(host.folder.text("settings.json"), r#"{"model": "a"}"#);

    for (key, value) in [("m.loud", json!(true)), ("m.mode", json!("b")), ("m.names", json!(["x"]))] {
        assert_eq!(host.ok("config.set", json!({"key": key, "value": value})).await, json!({"value": value}));
    }
    let kept: Value = serde_json::from_str(&host.folder.text("settings.json")).unwrap();
    let options = json!({"loud": true, "mode": "b", "names": ["x"]});
    assert_eq!(kept, json!({"model": "a", "pluginConfigs": {"m": {"options": options}}}));

    let rows = host.ok("config.list", json!({})).await;
    let expected = json!({
        "key": "m.loud", "label": "Loud", "description": "more", "kind": "boolean", "value": true,
        "provider": {"plugin": "m", "tier": "user"}, "isLocked": false,
    });
    assert_eq!(rows[0], expected);
    assert_eq!((rows[1]["kind"].clone(), rows[1]["options"].clone()), (json!("choice"), json!(["a", "b"])));
    assert_eq!(rows[2]["value"], 7, "what was stored");
    assert!(!rows.to_string().contains("s3cret"));
    let described = host.ok("config.describe", json!({"key": "m.loud"})).await;
    assert_eq!(described, json!({"label": "Loud", "isHidden": false, "description": "more"}));
}

#[tokio::test]
async fn configuration_needs_a_grant() {
    let mut host = Host::granting("", |_, builder| {
        let table = ConfigTable::new();
        config(&table);
        builder.config(Arc::new(table))
    });
    assert_eq!(host.code("config.set", json!({"key": "m.loud", "value": true})).await, codes::GRANT_CALL);
    host.caller = Caller::new("stranger", "h");
    assert_eq!(host.code("config.list", json!({})).await, codes::GRANT_MISSING);
}
