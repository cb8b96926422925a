use async_trait::async_trait;

use crate::model::Usage;
use crate::report::ContributorError;
use crate::session::SessionHandle;

/// The session, as it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInfo {
    /// Id, the same over every resume.
    pub session_id: String,
    /// Working directory.
    pub cwd: String,
    /// Whether this continues a record.
    pub resumed: bool,
}

/// Around a session. Every contributor is told, in order; a failing one is reported and stays registered.
#[async_trait]
pub trait SessionLifecycle: Send + Sync {
    /// After `session/start` (or `session/resume`), before the first prompt. What it registers is there on turn one.
    async fn start(&self, info: &SessionInfo, session: &SessionHandle) -> Result<(), ContributorError> {
        let _ = (info, session);
        Ok(())
    }

    /// Before `session/end`, with the reason.
    async fn end(&self, reason: &str, session: &SessionHandle) -> Result<(), ContributorError> {
        let _ = (reason, session);
        Ok(())
    }
}

/// A turn, as it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnFacts {
    /// Id of the turn.
    pub turn_id: String,
    /// The prompt it answers.
    pub text: String,
    /// The nested loop, absent on the main one.
    pub agent_id: Option<String>,
}

/// A turn, as it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnOutcome {
    /// Id of the turn.
    pub turn_id: String,
    /// `answer`, `aborted`, `error`, `refusal` or `steps`.
    pub reason: String,
    /// The model's last text.
    pub answer: String,
    /// Milliseconds from start to end.
    pub duration_ms: u64,
    /// Tokens of the whole turn.
    pub usage: Usage,
    /// The nested loop, absent on the main one.
    pub agent_id: Option<String>,
}

/// Around a turn. Every contributor is told, in order; a failing one is reported.
#[async_trait]
pub trait TurnLifecycle: Send + Sync {
    /// After `turn/start`, before the first request.
    async fn start(&self, turn: &TurnFacts, session: &SessionHandle) -> Result<(), ContributorError> {
        let _ = (turn, session);
        Ok(())
    }

    /// After the last step, before `turn/end`. Closing lines accumulate: each one given is shown beneath the answer.
    async fn end(&self, turn: &TurnOutcome, session: &SessionHandle) -> Result<Option<String>, ContributorError> {
        let _ = (turn, session);
        Ok(None)
    }
}
