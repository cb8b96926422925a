//! A mod `m` with hash `h`, a folder of its own, and a set of services over it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use modgate_services::{
    Answer, Builder, Caller, Ledger, Places, Policy, Receipt, ServiceError, ServiceStream, Services,
};
use modgate_value::Value;
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// A folder that goes with the test, by its real path.
pub struct Folder(tempfile::TempDir, PathBuf);

impl Folder {
    pub fn new() -> Folder {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        Folder(folder, real)
    }

    pub fn path(&self) -> &Path {
        debug_assert!(self.0.path().exists());
        &self.1
    }

    pub fn at(&self, name: &str) -> String {
        self.1.join(name).to_str().unwrap().into()
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.1.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.1.join(name)).unwrap()
    }
}

pub struct Host {
    pub folder: Folder,
    pub services: Services,
    pub ledger: Arc<Ledger>,
    pub caller: Caller,
}

impl Host {
    /// A host that allows everything.
    pub fn open(build: impl FnOnce(&Folder, Builder) -> Builder) -> Host {
        Host::under(|_| Policy::allow_all(), build)
    }

    /// A host with this grant for the mod: the lines of its `[grant.allow]` table.
    pub fn granting(allow: &str, build: impl FnOnce(&Folder, Builder) -> Builder) -> Host {
        let text = format!("[[grant]]\nmod = 'm'\nhash = 'h'\n[grant.allow]\n{allow}");
        Host::under(|folder| Policy::from_toml(&text, &places(folder)).unwrap(), build)
    }

    pub fn under(policy: impl FnOnce(&Folder) -> Policy, build: impl FnOnce(&Folder, Builder) -> Builder) -> Host {
        let folder = Folder::new();
        let ledger = Arc::new(Ledger::default());
        let builder = Services::builder(folder.path()).policy(policy(&folder)).receipts(ledger.clone());
        let services = build(&folder, builder).build();
        Host { folder, services, ledger, caller: Caller::new("m", "h") }
    }

    pub async fn call(&self, call: &str, input: serde_json::Value) -> Answer {
        self.services.call(&self.caller, call, Value::from(input), CancellationToken::new()).await
    }

    /// The answer as JSON; undefined is null.
    pub async fn ok(&self, call: &str, input: serde_json::Value) -> serde_json::Value {
        self.call(call, input).await.unwrap_or_else(|error| panic!("{call}: {error:?}")).to_json().unwrap()
    }

    pub async fn refused(&self, call: &str, input: serde_json::Value) -> ServiceError {
        self.call(call, input).await.expect_err(call)
    }

    pub async fn code(&self, call: &str, input: serde_json::Value) -> String {
        self.refused(call, input).await.code.into_owned()
    }

    pub fn stream(&self, input: serde_json::Value) -> Result<ServiceStream, ServiceError> {
        self.services.open_stream(&self.caller, "process.spawn", Value::from(input), CancellationToken::new())
    }

    /// The receipt of the only call since the last time.
    pub fn receipt(&self) -> Receipt {
        let mut receipts = self.ledger.take();
        assert_eq!(receipts.len(), 1, "one call, one receipt: {receipts:#?}");
        receipts.remove(0)
    }
}

pub fn places(folder: &Folder) -> Places {
    Places { cwd: folder.path().into(), root: folder.path().into(), home: None }
}

/// The helper program, built together with the tests.
pub fn child() -> String {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let program = deps.parent().unwrap().join("examples/child");
    assert!(program.exists(), "{} is built by cargo together with the tests", program.display());
    program.to_str().unwrap().into()
}

/// Calls with arguments that fit, one for each member this crate serves.
pub fn samples() -> Vec<(&'static str, serde_json::Value)> {
    vec![
        ("agent.list", json!({})),
        ("agent.register", json!({"name": "a", "description": "d", "prompt": "p"})),
        ("audio.play", json!({"clip": {"url": "https://host.example/a.wav"}, "shouldLoop": false})),
        ("audio.speak", json!({"text": "t"})),
        ("clock.after", json!({"ms": 0})),
        ("clock.every", json!({"ms": 1})),
        ("clock.now", json!({})),
        ("clock.sleep", json!({"ms": 0})),
        ("command.list", json!({})),
        ("command.register", json!({"name": "c", "description": "d"})),
        ("config.list", json!({})),
        ("config.set", json!({"key": "m.k", "value": true})),
        ("env.get", json!({"name": "HOME"})),
        ("env.set", json!({"name": "X", "value": "y"})),
        ("fs.ancestors", json!({"names": ["NOTES.md"]})),
        ("fs.exists", json!({"path": "a"})),
        ("fs.list", json!({"path": "."})),
        ("fs.read", json!({"path": "a", "as": "text"})),
        ("fs.stat", json!({"path": "a", "resolve": false})),
        ("fs.write", json!({"path": "new", "text": "t"})),
        ("http.fetch", json!({"url": "http://127.0.0.1:1/"})),
        ("mcp.call", json!({"server": "s", "tool": "t", "args": {}})),
        ("model.classify", json!({"text": "t", "labels": ["a", "b"]})),
        ("model.complete", json!({"model": "x", "prompt": "p"})),
        ("model.fork", json!({"prompt": "p"})),
        ("process.run", json!({"argv": ["true"]})),
        ("process.spawn", json!({"argv": ["true"]})),
        ("prompt.fill", json!({"text": "t", "mode": "replace"})),
        ("prompt.read", json!({})),
        ("prompt.suggest", json!({"text": "t"})),
        ("session.authorize", json!({})),
        ("session.cwd", json!({})),
        ("session.id", json!({})),
        ("session.messages", json!({})),
        ("session.model", json!({})),
        ("session.repo", json!({})),
        ("session.root", json!({})),
        ("session.surface", json!({})),
        ("session.surfaces", json!({})),
        ("session.turns", json!({})),
        ("session.usage", json!({})),
        ("session.version", json!({})),
        ("settings.read", json!({})),
        ("state.get", json!({"plugin": "m", "key": "k"})),
        ("state.set", json!({"plugin": "m", "key": "k", "value": 1})),
        ("store.delete", json!({"key": "k"})),
        ("store.get", json!({"key": "k"})),
        ("store.keys", json!({})),
        ("store.set", json!({"key": "k", "value": 1})),
        ("telemetry.log", json!({})),
        ("telemetry.mark", json!({})),
        ("tool.list", json!({})),
        ("tool.register", json!({"name": "t", "description": "d", "inputSchema": {"type": "object"}})),
        ("turn.abort", json!({"turnId": "t"})),
        ("ui.blit", json!({"requestId": "r", "key": "k", "cells": ""})),
        ("ui.close", json!({"id": "p", "origin": {"kind": "plugin"}})),
        ("ui.copy", json!({"text": "t"})),
        ("ui.focus", json!({"requestId": "r", "key": "k"})),
        ("ui.invalidate", json!({"event": "ui.render"})),
        ("ui.log", json!({"text": "t", "to": "transcript"})),
        ("ui.notice", json!({"tool_use_id": "c", "text": "t"})),
        ("ui.open", json!({"id": "p"})),
        ("ui.panes", json!({})),
        ("ui.scroll", json!({"requestId": "r", "offset": 1})),
        ("ui.selection", json!({})),
        ("ui.status", json!({"text": "t"})),
        ("ui.toast", json!({"text": "t"})),
    ]
}
