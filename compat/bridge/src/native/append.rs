//! `session.append`: rows of the conversation before they are stored.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::point::{Append, PendingRow};
use modgate_harness::record::kind;
use modgate_harness::report::ContributorError;
use modgate_harness::session::SessionHandle;
use modgate_value::Value;
use serde_json::json;

use super::Inner;
use super::convert::{Echo, pick};

pub(super) struct Rows(pub(super) Arc<Inner>);

/// Which message of the conversation a row is, and through which door it comes.
fn message_of(row: &PendingRow) -> Option<(&'static str, &'static str)> {
    match row.kind.as_str() {
        kind::USER_MESSAGE => Some(("user", "prompt")),
        kind::ASSISTANT_MESSAGE => Some(("assistant", "model")),
        _ => None,
    }
}

#[async_trait]
impl Append for Rows {
    async fn append(&self, row: &mut PendingRow, _session: &SessionHandle) -> Result<(), ContributorError> {
        let inner = &self.0;
        let Some((role, door)) = message_of(row).filter(|_| inner.mods.hears("session.append")) else { return Ok(()) };
        let text = row.data.get("text").and_then(serde_json::Value::as_str).unwrap_or_default().to_string();
        if text.is_empty() {
            return Ok(());
        }
        let message = json!({ "type": role, "content": [{ "type": "text", "text": text }] });
        let turn = row.data.get("turnId").and_then(serde_json::Value::as_str).unwrap_or_default();
        let step = row.data.get("step").and_then(serde_json::Value::as_u64).unwrap_or_default();
        let mut event = Value::object([
            ("message", Value::from(message)),
            ("uuid", Value::from(format!("{turn}:{role}:{step}"))),
            ("origin", Value::object([("kind", Value::text("composer"))])),
            ("door", Value::text(door)),
        ]);
        if let Some(agent) = row.data.get("agentId").and_then(serde_json::Value::as_str) {
            event = event.with("agentId", Value::text(agent));
        }
        let core = Echo::new(|input| pick(input, &["message", "uuid"]));
        // Only what comes down is stored; an answer in its place stores nothing else.
        let _ = inner.raise("session.append", event, core.clone()).await;
        let stored = core.reached().and_then(|input| texts_of(input.get("message")?));
        if let Some(stored) = stored.filter(|stored| *stored != text) {
            row.data["text"] = stored.into();
        }
        Ok(())
    }
}

/// The text of a message's blocks.
fn texts_of(message: &Value) -> Option<String> {
    let blocks = message.get("content")?.as_array()?;
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block.str_at("text")).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}
