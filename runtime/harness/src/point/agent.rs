use async_trait::async_trait;

use crate::record::By;
use crate::report::ContributorError;
use crate::session::SessionHandle;

/// A nested loop that is about to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubagentRequest {
    /// Its id. A change is ignored.
    pub agent_id: String,
    /// What it is called. A change is ignored.
    pub name: String,
    /// Its type, as `general-purpose`. May be changed.
    pub kind: String,
    /// What it is for, in a few words. May be changed.
    pub description: String,
    /// Its task. May be changed.
    pub prompt: String,
    /// Its model, the parent's where absent. May be changed.
    pub model: Option<String>,
    /// Whether nobody waits for its answer. A change is ignored.
    pub background: bool,
    /// The call of the tool `Agent` that starts it, where one does. A change is ignored.
    pub call_id: Option<String>,
    /// The nested loop that starts it, absent for the main one. A change is ignored.
    pub parent: Option<String>,
    /// Who started it. A change is ignored.
    pub started_by: By,
    /// Set to refuse it, with the reason.
    pub deny: Option<String>,
    /// Who refuses it, where the contributor acts for somebody else.
    pub by: Option<String>,
}

/// A nested loop before `subagent/start`. Later wins, the first refusal ends it. What a failing contributor did to
/// the request is undone.
#[async_trait]
pub trait Subagent: Send + Sync {
    /// Works on the request.
    async fn spawn(&self, request: &mut SubagentRequest, session: &SessionHandle) -> Result<(), ContributorError>;

    /// Works on the text that the loop hands back, before it is logged.
    async fn report(
        &self,
        agent: &SubagentRequest,
        text: String,
        session: &SessionHandle,
    ) -> Result<String, ContributorError> {
        let _ = (agent, session);
        Ok(text)
    }
}
