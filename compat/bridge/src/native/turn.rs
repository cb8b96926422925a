//! `session.start`, `session.end`, `turn.start` and `turn.complete`.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::point::{SessionInfo, SessionLifecycle, TurnFacts, TurnLifecycle, TurnOutcome};
use modgate_harness::report::ContributorError;
use modgate_harness::session::SessionHandle;
use modgate_value::Value;

use super::Inner;
use super::convert::{Echo, pick};

pub(super) struct Sessions(pub(super) Arc<Inner>);

pub(super) struct Turns(pub(super) Arc<Inner>);

#[async_trait]
impl SessionLifecycle for Sessions {
    async fn start(&self, info: &SessionInfo, session: &SessionHandle) -> Result<(), ContributorError> {
        let inner = &self.0;
        inner.running.set(Some(session.clone()));
        inner.host.session.update(|facts| {
            facts.id.clone_from(&info.session_id);
            facts.model = session.model();
            facts.surfaces = vec!["terminal".to_string()];
        });
        inner.desk.start(session.clone());
        inner.desk.flush().await;
        let event = Value::object([
            ("cwd", Value::text(&info.cwd)),
            ("surface", Value::text("terminal")),
            ("isInteractive", Value::Bool(true)),
        ]);
        // Every mod only looks: what one of them rejects with is its own failure, and reported.
        let _ = inner.raise("session.start", event, Echo::new(|input| pick(input, &["cwd"]))).await;
        Ok(())
    }

    async fn end(&self, reason: &str, session: &SessionHandle) -> Result<(), ContributorError> {
        let inner = &self.0;
        let id = Value::text(session.session_id());
        let event = Value::object([
            ("reason", Value::text(reason)),
            ("sessionId", id.clone()),
            ("resume", Value::object([("id", id)])),
        ]);
        let budget = std::time::Duration::from_millis(inner.profile.budgets.session_end_ms);
        let raised = inner.raise("session.end", event, Echo::new(|input| pick(input, &["sessionId"])));
        // All its hooks together have that long; what was reported until then is written all the same.
        let _ = tokio::time::timeout(budget, raised).await;
        inner.desk.flush().await;
        inner.desk.close();
        inner.running.set(None);
        Ok(())
    }
}

pub(super) fn usage(usage: modgate_harness::model::Usage, model: &str) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "token counts")]
    let number = |count: u64| Value::from(count as f64);
    Value::object([
        ("input_tokens", number(usage.input_tokens)),
        ("output_tokens", number(usage.output_tokens)),
        ("cache_read_input_tokens", number(usage.cache_read_input_tokens)),
        ("cache_creation_input_tokens", number(usage.cache_creation_input_tokens)),
        ("model", Value::text(model)),
    ])
}

#[async_trait]
impl TurnLifecycle for Turns {
    async fn start(&self, turn: &TurnFacts, _session: &SessionHandle) -> Result<(), ContributorError> {
        if !self.0.mods.hears("turn.start") {
            return Ok(());
        }
        let mut event = Value::object([("text", Value::text(&turn.text)), ("turnId", Value::text(&turn.turn_id))]);
        if let Some(agent) = &turn.agent_id {
            event = event.with("agentId", Value::text(agent));
        }
        let _ = self.0.raise("turn.start", event, Echo::new(|input| pick(input, &["turnId"]))).await;
        Ok(())
    }

    async fn end(&self, turn: &TurnOutcome, session: &SessionHandle) -> Result<Option<String>, ContributorError> {
        if !self.0.mods.hears("turn.complete") {
            return Ok(None);
        }
        // A turn that reached its limit of steps has an answer, but nobody refused or stopped it.
        let reason = match turn.reason.as_str() {
            known @ ("answer" | "aborted" | "error" | "refusal") => known,
            _ => "error",
        };
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of a turn")]
        let duration = Value::from(turn.duration_ms as f64);
        let mut event = Value::object([
            ("answer", Value::text(&turn.answer)),
            ("durationMs", duration),
            ("isAborted", Value::Bool(reason == "aborted")),
            ("turnId", Value::text(&turn.turn_id)),
            ("usage", usage(turn.usage, &session.model())),
            ("reason", Value::text(reason)),
        ]);
        if let Some(agent) = &turn.agent_id {
            event = event.with("agentId", Value::text(agent));
        }
        if reason == "refusal" {
            event = event.with("refusal", Value::object([("category", Value::Null), ("explanation", Value::Null)]));
        }
        let core = Echo::new(|input: &Value| {
            pick(input, &["usage"]).with("text", input.get("answer").cloned().unwrap_or_default())
        });
        let answer = self.0.raise("turn.complete", event, core).await;
        let text = answer.ok().and_then(|answer| answer.str_at("text").map(str::to_string));
        Ok(text.filter(|text| *text != turn.answer && turn.agent_id.is_none()))
    }
}
