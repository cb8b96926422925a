use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use modgate_services::ui::{Change, Element, Mounted, Surface};
use modgate_services::{Caller, codes};
use serde_json::json;

use crate::support::Host;

fn host() -> (Host, Arc<Surface>) {
    let surface = Arc::new(Surface::default());
    (Host::under(|_| modgate_services::Policy::deny_all(), |_, builder| builder.ui(surface.clone())), surface)
}

fn element(key: &str, kind: &str, size: Option<(u32, u32)>) -> Element {
    Element { key: key.into(), kind: kind.into(), size }
}

fn drawing() -> Mounted {
    Mounted {
        request_id: "r".into(),
        plugin: "m".into(),
        body_rows: 10,
        content_rows: 25,
        offset: 0,
        has_keyboard: true,
        elements: vec![
            element("go", "Button", None),
            element("text", "Text", None),
            element("pixels", "Raster", Some((2, 1))),
            element("photo", "Image", Some((4, 4))),
        ],
    }
}

#[tokio::test]
async fn wrong_forms_are_refused() {
    let (host, surface) = host();
    for (call, input) in [
        ("toast", json!({"text": 1})),
        ("toast", json!({"text": "t", "timeoutMs": -1})),
        ("log", json!({"text": "t", "to": "printer"})),
        ("status", json!({"text": 1})),
        ("notice", json!({"text": "t"})),
        ("invalidate", json!({"event": "tool.call"})),
        ("open", json!({"id": "a b"})),
        ("open", json!({"id": "a", "title": "two\nlines"})),
        ("open", json!({"id": "a", "rows": 0})),
        ("open", json!({"id": "a", "columns": 1.5})),
        ("focus", json!({"requestId": "r"})),
    ] {
        assert_eq!(host.code(&format!("ui.{call}"), input.clone()).await, codes::BAD_INPUT, "{call} {input}");
    }
    assert_eq!(surface.take_changes(), []);
}

#[tokio::test]
async fn messages_arrive_in_order_under_their_mods_name() {
    let (mut host, surface) = host();
    host.ok("ui.toast", json!({"text": "hi"})).await;
    host.ok("ui.log", json!({"text": "l", "to": "debug"})).await;
    host.ok("ui.status", json!({"text": "busy"})).await;
    let late = json!({"tool_use_id": "c0", "text": "careful"});
    assert_eq!(host.code("ui.notice", late).await, codes::NOT_FOUND);
    surface.begin_call("c0", Some("other"));
    assert_eq!(host.code("ui.notice", json!({"tool_use_id": "c0", "text": "careful"})).await, codes::NOT_OWNER);
    surface.begin_call("c1", None);
    host.ok("ui.notice", json!({"tool_use_id": "c1", "text": "careful"})).await;
    host.ok("ui.invalidate", json!({"event": "ui.render"})).await;
    host.caller = Caller::new("other", "h");
    host.ok("ui.status", json!({"text": "idle"})).await;
    assert_eq!(surface.status(), [("m".to_string(), "busy".to_string()), ("other".into(), "idle".into())].into());
    host.ok("ui.status", json!({})).await;
    assert_eq!(surface.status().len(), 1);
    assert_eq!(surface.notice("c1").as_deref(), Some("careful"));
    surface.settle("c1");
    assert_eq!(surface.notice("c1"), None);
    let changes = surface.take_changes();
    assert_eq!(changes[0], Change::Toast { plugin: "m".into(), text: "hi".into(), timeout_ms: 4000.0 });
    assert_eq!(changes[1], Change::Log { plugin: "m".into(), text: "l".into(), is_debug: true });
    assert_eq!(changes[6], Change::Status { plugin: "other".into(), text: None });
    assert_eq!((changes.len(), surface.take_changes().len()), (7, 0));
}

#[tokio::test]
async fn panes_belong_to_their_mod() {
    let (mut host, surface) = host();
    host.ok("ui.open", json!({"id": "p", "title": "T", "holdToasts": true})).await;
    host.ok("ui.open", json!({"id": "q"})).await;
    surface.update_pane("m", "q", |pane| pane.is_placed = true);
    host.ok("ui.open", json!({"id": "p"})).await;
    let pane = |id: &str, title: &str, placed: bool| json!({"id": id, "title": title, "isShown": false, "isFocused": false, "isPlaced": placed});
    assert_eq!(host.ok("ui.panes", json!({})).await, json!([pane("q", "q", true), pane("p", "T", false)]));
    assert!(!surface.panes()[0].holds_toasts, "opening again resets it");
    host.caller = Caller::new("other", "h");
    assert_eq!(host.ok("ui.panes", json!({})).await, json!([]));
    host.ok("ui.close", json!({"id": "p", "origin": {"kind": "plugin"}})).await;
    assert_eq!(surface.panes().len(), 2, "another mod's pane stays");
    host.caller = Caller::new("m", "h");
    host.ok("ui.close", json!({"id": "p", "origin": {"kind": "plugin"}})).await;
    host.ok("ui.close", json!({"id": "none"})).await;
    assert_eq!(surface.panes().len(), 1);
}

#[tokio::test]
async fn focus_and_scroll_stay_in_ones_own_drawing() {
    let (mut host, surface) = host();
    let denied = async |host: &Host, call: &str, input: serde_json::Value| {
        let answer = host.ok(call, input).await;
        answer["deny"].as_str().map(str::to_string).unwrap_or_else(|| panic!("{call}: {answer}"))
    };
    let go = json!({"requestId": "r", "key": "go"});
    assert!(denied(&host, "ui.focus", go.clone()).await.contains("no drawing"));
    surface.mount(drawing());
    assert!(denied(&host, "ui.focus", json!({"requestId": "r", "key": "text"})).await.contains("no button"));
    assert_eq!(host.ok("ui.focus", go.clone()).await, json!({}));
    assert_eq!(surface.focus(), Some(("r".into(), "go".into())));
    assert_eq!(host.ok("ui.scroll", json!({"requestId": "r", "offset": 99})).await, json!({}));
    assert_eq!(surface.mounted("r").unwrap().offset, 15);
    assert_eq!(host.ok("ui.scroll", json!({"requestId": "r", "offset": -5})).await, json!({}));
    assert_eq!(surface.mounted("r").unwrap().offset, 0);

    host.caller = Caller::new("other", "h");
    denied(&host, "ui.focus", go.clone()).await;
    denied(&host, "ui.scroll", json!({"requestId": "r", "offset": 3})).await;
    host.caller = Caller::new("m", "h");
    surface.mount(Mounted { has_keyboard: false, content_rows: 5, ..drawing() });
    assert!(denied(&host, "ui.focus", go).await.contains("keyboard"));
    assert_eq!(denied(&host, "ui.scroll", json!({"requestId": "r", "offset": 3})).await, "nothing scrolls");
    surface.unmount("r");
    assert_eq!(surface.focus(), None);
}

#[tokio::test]
async fn frames_have_to_fit_their_element() {
    let (host, surface) = host();
    surface.mount(drawing());
    surface.take_changes();
    let cells = STANDARD.encode([0u8; 24]);
    for input in [
        json!({"key": "pixels", "cells": STANDARD.encode([0u8; 12])}),
        json!({"key": "pixels", "cells": "no base64!"}),
        json!({"key": "pixels", "source": {"base64": cells}}),
        json!({"key": "pixels", "cells": cells, "columns": 3}),
        json!({"key": "photo", "cells": cells}),
        json!({"key": "photo", "source": {"alt": "a cat"}}),
        json!({"key": "go", "cells": cells}),
        json!({"key": "none", "cells": cells}),
    ] {
        let mut input = input;
        input["requestId"] = "r".into();
        let answer = host.ok("ui.blit", input.clone()).await;
        assert!(answer["deny"].is_string(), "{input}");
    }
    assert_eq!(surface.take_changes(), []);
    let fine = json!({"requestId": "r", "key": "pixels", "cells": cells, "columns": 2, "rows": 1});
    assert_eq!(host.ok("ui.blit", fine).await, json!({}));
    let photo = json!({"requestId": "r", "key": "photo", "source": {"base64": "AA=="}});
    assert_eq!(host.ok("ui.blit", photo).await, json!({}));
    assert_eq!(surface.take_changes().len(), 2);
}

#[tokio::test]
async fn the_clipboard_takes_and_the_selection_gives() {
    let surface = Arc::new(Surface::default());
    let denied = Host::granting("", |_, builder| builder.ui(surface.clone()));
    assert_eq!(denied.code("ui.copy", json!({"text": "c"})).await, codes::GRANT_CALL);
    assert_eq!(denied.code("ui.selection", json!({})).await, codes::GRANT_CALL);
    let host = Host::granting("calls = ['ui.copy', 'ui.selection']", |_, builder| builder.ui(surface.clone()));
    host.ok("ui.copy", json!({"text": "c"})).await;
    assert_eq!(surface.clipboard().as_deref(), Some("c"));
    assert!(host.call("ui.selection", json!({})).await.unwrap().is_undefined());
    surface.select(Some("s".into()));
    assert_eq!(host.ok("ui.selection", json!({})).await, json!("s"));
}
