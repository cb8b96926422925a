use async_trait::async_trait;

use crate::report::ContributorError;
use crate::session::SessionHandle;

/// A nested loop that is about to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubagentRequest {
    /// Its id. A change is ignored.
    pub agent_id: String,
    /// What it is called.
    pub name: String,
    /// Its task. May be changed.
    pub prompt: String,
    /// Its model, the parent's where absent. May be changed.
    pub model: Option<String>,
    /// Who started it. A change is ignored.
    pub started_by: String,
    /// Set to refuse it, with the reason.
    pub deny: Option<String>,
}

/// A nested loop before `subagent/start`. Later wins, the first refusal ends it. What a failing contributor did to
/// the request is undone.
#[async_trait]
pub trait Subagent: Send + Sync {
    /// Works on the request.
    async fn spawn(&self, request: &mut SubagentRequest, session: &SessionHandle) -> Result<(), ContributorError>;
}
