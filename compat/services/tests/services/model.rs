use std::sync::Arc;

use modgate_services::audio::SilentAudio;
use modgate_services::codes;
use modgate_services::model::ScriptedModel;
use modgate_services::telemetry::NoTelemetry;
use serde_json::json;

use crate::support::Host;

#[tokio::test]
async fn models_need_their_grant() {
    let model = Arc::new(ScriptedModel::new(["x"]));
    let host = Host::granting("models = ['haiku*']", |_, builder| builder.model(model.clone()));
    assert_eq!(host.code("model.complete", json!({"model": "opus", "prompt": "p"})).await, codes::GRANT_MODEL);
    assert_eq!(host.code("model.fork", json!({"prompt": "p"})).await, codes::GRANT_MODEL);
    assert_eq!(host.code("model.classify", json!({"text": "t", "labels": ["a", "b"]})).await, codes::GRANT_MODEL);
    assert_eq!(model.asked(), []);
    let named = json!({"text": "t", "labels": ["x", "y"], "options": {"model": "haiku-4"}});
    assert_eq!(host.ok("model.classify", named).await, json!("x"));
}

#[tokio::test]
async fn wrong_questions_are_not_asked() {
    let model = Arc::new(ScriptedModel::new(["x"]));
    let host = Host::open(|_, builder| builder.model(model.clone()));
    for (call, input) in [
        ("complete", json!({"prompt": "p"})),
        ("complete", json!({"model": "m", "prompt": ""})),
        ("complete", json!({"model": "m", "prompt": "p", "maxTokens": 0})),
        ("complete", json!({"model": "m", "prompt": "p", "maxTokens": 1.5})),
        ("classify", json!({"text": "t", "labels": ["only"]})),
        ("classify", json!({"text": "t", "labels": ["a", ""]})),
        ("fork", json!({})),
    ] {
        assert_eq!(host.code(&format!("model.{call}"), input.clone()).await, codes::BAD_INPUT, "{input}");
    }
    let much = host.refused("model.complete", json!({"model": "m", "prompt": "p", "maxTokens": 64001})).await;
    assert!(much.message.contains("64000"), "{}", much.message);
    assert_eq!(model.asked(), []);
}

#[tokio::test]
async fn answers_come_in_order() {
    let model = Arc::new(ScriptedModel::new(["said", "It is Bug.", "bug", "bug or feature", "forked"]));
    let host = Host::open(|_, builder| builder.model(model.clone()));
    let ask = json!({"model": "m", "prompt": "p", "system": "s"});
    let said = host.ok("model.complete", ask.clone()).await;
    assert_eq!((&said["isAnswered"], &said["text"]), (&json!(true), &json!("said")));
    let labels = json!({"text": "t", "labels": ["Bug", "feature"]});
    assert_eq!(host.ok("model.classify", labels.clone()).await, json!("Bug"), "named inside");
    assert_eq!(host.ok("model.classify", labels.clone()).await, json!("Bug"), "named in another case");
    let both = json!({"text": "t", "labels": ["bug", "feature"]});
    assert!(host.call("model.classify", both).await.unwrap().is_undefined(), "two are named");
    let forked = host.ok("model.fork", json!({"prompt": "p"})).await;
    assert_eq!((forked["text"].clone(), forked["usage"]["output_tokens"].clone()), (json!("forked"), json!(0)));
    let over = host.ok("model.complete", ask).await;
    assert_eq!((&over["isAnswered"], &over["reason"]), (&json!(false), &json!("api-error")), "the script is over");
    let asked = model.asked();
    assert_eq!((asked[0].system.as_deref(), asked[0].max_tokens), (Some("s"), 1024));
    assert_eq!(asked[1].prompt, "t");
    assert!(asked[1].system.as_ref().unwrap().ends_with("Bug, feature"));
}

#[tokio::test]
async fn sound_is_checked_and_not_played() {
    let mut host = Host::open(|_, builder| builder.audio(Arc::new(SilentAudio)).telemetry(Arc::new(NoTelemetry)));
    host.caller.root = Some(host.folder.path().into());
    host.folder.write("sounds/a.wav", "");
    for clip in [
        json!({}),
        json!({"asset": "../a.wav"}),
        json!({"asset": "/a.wav"}),
        json!({"asset": "./a.wav"}),
        json!({"asset": "a", "url": "b"}),
        json!({"base64": "AA=="}),
    ] {
        assert_eq!(host.code("audio.play", json!({"clip": clip})).await, codes::BAD_INPUT, "{clip}");
    }
    let clip = json!({"asset": "sounds/a.wav"});
    assert_eq!(host.code("audio.play", json!({"clip": clip, "gain": 5})).await, codes::BAD_INPUT);
    assert_eq!(host.code("audio.play", json!({"clip": {"asset": "none.wav"}})).await, codes::NOT_FOUND);
    assert!(host.call("audio.play", json!({"clip": clip, "gain": 4})).await.unwrap().is_undefined());
    assert_eq!(host.ok("audio.speak", json!({"text": "é".repeat(4096)})).await, json!({"via": "system"}));
    assert_eq!(host.code("audio.speak", json!({"text": "é".repeat(4097)})).await, codes::TOO_LARGE);
    assert!(host.call("telemetry.log", json!({"event": "x"})).await.unwrap().is_undefined());
}
