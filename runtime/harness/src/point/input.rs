use async_trait::async_trait;
use serde_json::Value;

use crate::prompt::Origin;
use crate::record::By;
use crate::report::ContributorError;
use crate::session::SessionHandle;

/// User input, claimed and not yet logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedInput {
    /// The turn it would begin.
    pub turn_id: String,
    /// The text. May be changed.
    pub text: String,
    /// Texts for the model beside it. May be added to.
    pub context: Vec<String>,
    /// Where it comes from. A change is ignored.
    pub origin: Origin,
    /// Set to drop the input, with the reason.
    pub dropped: Option<String>,
    /// Who dropped it, where the contributor acts for somebody else.
    pub by: Option<String>,
}

/// Claimed user input, before `user/message`.
///
/// Later wins on the text, context accumulates, the first drop ends it. What a failing contributor did to the input
/// is undone.
#[async_trait]
pub trait TurnInput: Send + Sync {
    /// Works on the input.
    async fn claim(&self, input: &mut ClaimedInput, session: &SessionHandle) -> Result<(), ContributorError>;
}

/// A row before it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingRow {
    /// Its kind. A change is ignored.
    pub kind: String,
    /// Who caused it. A change is ignored.
    pub by: By,
    /// Its content. Ids, calls, origin and what was executed are pinned; a change of those skips the contributor.
    pub data: Value,
}

/// Content rows (`user/message`, `context/added`, `assistant/message`, `tool/result`, `command/run`) before they are
/// stored. Rows that say what was called, decided, executed or reported are never offered.
///
/// Later wins. What a failing contributor did to the row is undone.
#[async_trait]
pub trait Append: Send + Sync {
    /// Works on the row.
    async fn append(&self, row: &mut PendingRow, session: &SessionHandle) -> Result<(), ContributorError>;
}
