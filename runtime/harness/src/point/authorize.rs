use async_trait::async_trait;
use serde_json::Value;

use crate::permission::Verdict;
use crate::report::ContributorError;
use crate::session::SessionHandle;

/// What is decided about.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorizationRequest {
    /// Id of the call; absent where somebody only asks what would be decided.
    pub call_id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The arguments that would run.
    pub input: Value,
    /// The nested loop, absent on the main one.
    pub agent_id: Option<String>,
}

/// Allow, ask or deny, before a person is asked.
///
/// Later wins: the first contributor is given what rules and mode say, each next one what the one before it said. A
/// verdict looser than the policy's ceiling is refused with a report. A failing contributor changes nothing.
#[async_trait]
pub trait Authorization: Send + Sync {
    /// Decides.
    async fn authorize(
        &self,
        request: &AuthorizationRequest,
        so_far: Verdict,
        session: &SessionHandle,
    ) -> Result<Verdict, ContributorError>;
}
