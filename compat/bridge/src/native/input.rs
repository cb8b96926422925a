//! `prompt.submit`: claimed input before it is logged.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::point::{ClaimedInput, TurnInput};
use modgate_harness::report::ContributorError;
use modgate_harness::session::SessionHandle;
use modgate_value::Value;

use super::convert::{self, Echo};
use super::{Inner, joined};
use crate::chain::Path;

pub(super) struct Prompts(pub(super) Arc<Inner>);

#[async_trait]
impl TurnInput for Prompts {
    async fn claim(&self, input: &mut ClaimedInput, _session: &SessionHandle) -> Result<(), ContributorError> {
        let inner = &self.0;
        // What a mod submits was an event already when it called `$.prompt.submit`.
        if input.origin.kind == "plugin" || !inner.mods.hears("prompt.submit") {
            return Ok(());
        }
        let mut event = Value::object([
            ("text", Value::text(&input.text)),
            ("wait", Value::Bool(false)),
            ("origin", convert::origin(&input.origin)),
        ]);
        if !input.context.is_empty() {
            event = event.with("context", Value::list(input.context.iter().map(Value::text)));
        }
        let core = Echo::new(|entered| convert::pick(entered, &["text", "context", "origin"]));
        let (answer, by) = inner.raise_told("prompt.submit", event, Path::default(), core.clone()).await;
        // What counts is what came down: what is answered after that changes nothing that is written.
        match (core.reached(), answer) {
            (Some(entered), _) => {
                input.text = entered.str_at("text").unwrap_or_default().to_string();
                input.context = convert::texts(entered.get("context"));
            }
            (None, Ok(answer)) => {
                let reason = answer.str_at("drop").unwrap_or("a mod answered without passing the prompt on");
                input.dropped = Some(reason.to_string());
                input.by = joined(by.get(..1).unwrap_or_default());
            }
            (None, Err(fault)) => {
                input.dropped = Some(fault.message);
                input.by = joined(&by);
            }
        }
        Ok(())
    }
}
