//! A contributor at every point that writes down what it is told.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::SessionHandle;
use modgate_harness::model::{ChunkStream, ModelRequest};
use modgate_harness::permission::Verdict;
use modgate_harness::point::*;
use modgate_harness::report::ContributorError;
use modgate_harness::session::{Execution, NextRequest};
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::support::failed;

pub type Done = Result<(), ContributorError>;

/// Writes down what it is told, and does what its fields say.
#[derive(Default)]
pub struct Probe {
    pub log: Arc<Mutex<Vec<String>>>,
    pub input: Option<fn(&mut ClaimedInput) -> Done>,
    pub assemble: Option<fn(&mut Assembly) -> Done>,
    pub pending: Option<fn(&mut ProposedCall) -> Done>,
    pub authorize: Option<fn(Verdict) -> Verdict>,
    pub append: Option<fn(&mut PendingRow) -> Done>,
    pub scopes: bool,
}

impl Probe {
    fn note(&self, what: impl Into<String>) {
        self.log.lock().push(what.into());
    }
}

#[async_trait]
impl SessionLifecycle for Probe {
    async fn start(&self, info: &SessionInfo, _: &SessionHandle) -> Done {
        self.note(format!("session start resumed={}", info.resumed));
        Ok(())
    }
    async fn end(&self, reason: &str, _: &SessionHandle) -> Done {
        self.note(format!("session end {reason}"));
        Ok(())
    }
}

#[async_trait]
impl TurnInput for Probe {
    async fn claim(&self, input: &mut ClaimedInput, _: &SessionHandle) -> Done {
        self.note("input");
        self.input.map_or(Ok(()), |work| work(input))
    }
}

#[async_trait]
impl Context for Probe {
    async fn assemble(&self, assembly: &mut Assembly, _: &SessionHandle) -> Done {
        self.note(format!("assemble {}", assembly.step));
        self.assemble.map_or(Ok(()), |work| work(assembly))
    }
}

#[async_trait]
impl ModelStep for Probe {
    async fn step(
        &self,
        request: ModelRequest,
        next: NextRequest,
        _: &SessionHandle,
    ) -> Result<ChunkStream, ContributorError> {
        self.note(format!("request {}", request.step));
        next.send(request).await.map_err(failed)
    }
}

#[async_trait]
impl PendingCall for Probe {
    async fn pending(&self, call: &mut ProposedCall, _: &SessionHandle) -> Done {
        self.note("pending");
        self.pending.map_or(Ok(()), |work| work(call))
    }
}

#[async_trait]
impl Authorization for Probe {
    async fn authorize(
        &self,
        _: &AuthorizationRequest,
        so_far: Verdict,
        _: &SessionHandle,
    ) -> Result<Verdict, ContributorError> {
        self.note("authorize");
        Ok(self.authorize.map_or(so_far.clone(), |work| work(so_far)))
    }
}

#[async_trait]
impl ToolLifecycle for Probe {
    async fn around(
        &self,
        _: &LoggedCall,
        execute: Execution,
        _: &SessionHandle,
    ) -> Result<ToolOutcome, ContributorError> {
        self.note("execute");
        let outcome = execute.run().await.map_err(failed);
        self.note("executed");
        outcome
    }
}

#[async_trait]
impl Append for Probe {
    async fn append(&self, row: &mut PendingRow, _: &SessionHandle) -> Done {
        self.note(format!("append {}", row.kind));
        self.append.map_or(Ok(()), |work| work(row))
    }
}

struct Kept(&'static str);

#[async_trait]
impl TurnLifecycle for Probe {
    async fn start(&self, turn: &TurnFacts, session: &SessionHandle) -> Done {
        self.note(format!("turn start {}", turn.text));
        if self.scopes {
            self.note(format!("left over {}", session.turn_scope(None).get::<Kept>().is_some()));
            session.turn_scope(None).put(Kept("turn"));
            session.session_scope().get_or(|| Kept("session"));
        }
        Ok(())
    }
    async fn end(&self, turn: &TurnOutcome, session: &SessionHandle) -> Result<Option<String>, ContributorError> {
        self.note(format!("turn end {}", turn.reason));
        if self.scopes {
            let kept = [session.turn_scope(None).get::<Kept>(), session.session_scope().get::<Kept>()];
            self.note(kept.iter().flatten().map(|kept| kept.0).collect::<Vec<_>>().join(" "));
        }
        Ok(Some(format!("that took {} tokens", turn.usage.output_tokens)))
    }
}

#[async_trait]
impl Command for Probe {
    fn commands(&self) -> Vec<CommandSpec> {
        vec![CommandSpec { name: "gauge".into(), description: "shows the gauge".into() }]
    }
    async fn run(&self, call: &CommandCall, _: &SessionHandle) -> Result<Option<CommandAnswer>, ContributorError> {
        Ok((call.command == "gauge").then(|| CommandAnswer {
            text: Some(format!("gauge {}", call.args)),
            context: vec!["the gauge was looked at".into()],
            args: None,
            by: None,
        }))
    }
}

#[async_trait]
impl Surface for Probe {
    async fn draw(&self, _: &Site, session: &SessionHandle) -> Result<Option<Value>, ContributorError> {
        Ok(Some(json!(format!("turns: {}", session.turn_count()))))
    }
}

#[async_trait]
impl Subagent for Probe {
    async fn spawn(&self, request: &mut SubagentRequest, _: &SessionHandle) -> Done {
        request.prompt.push_str(", briefly");
        if request.name == "forbidden" {
            request.deny = Some("not that one".into());
        }
        Ok(())
    }
}
