use async_trait::async_trait;
use serde_json::Value;

use crate::report::ContributorError;
use crate::session::{Execution, SessionHandle};

/// A call the model asked for, before it is committed.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedCall {
    /// Id. A change is ignored.
    pub id: String,
    /// The tool. May be changed.
    pub tool: String,
    /// The arguments. May be changed.
    pub input: Value,
    /// The nested loop, absent on the main one.
    pub agent_id: Option<String>,
    /// Set to drop the call, with the reason. The model is never told of a dropped call.
    pub dropped: Option<String>,
    /// Who changed or dropped it, where the contributor acts for somebody else.
    pub by: Option<String>,
}

/// Calls before `tool/call`: the last place where a call may be changed without a row of its own; the call's row then
/// says what the model had asked for.
///
/// Later wins, the first drop ends it. What a failing contributor did to the call is undone.
#[async_trait]
pub trait PendingCall: Send + Sync {
    /// Works on the call.
    async fn pending(&self, call: &mut ProposedCall, session: &SessionHandle) -> Result<(), ContributorError>;

    /// The call of that id has come to its end, whether it ran, was refused or was dropped.
    async fn settled(&self, call_id: &str) {
        let _ = call_id;
    }
}

/// A committed call, as its row has it.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedCall {
    /// Id.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// The arguments.
    pub input: Value,
    /// `seq` of its `tool/call` row.
    pub seq: u64,
    /// The turn.
    pub turn_id: String,
    /// The step in the turn.
    pub step: u32,
    /// Revision of the snapshot it was prepared under.
    pub revision: u64,
    /// The contributor that made the call, absent for the model's own.
    pub caller: Option<String>,
    /// The nested loop, absent on the main one.
    pub agent_id: Option<String>,
}

/// What came of a call, before it is logged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutcome {
    /// The structured result.
    pub result: Value,
    /// What the model reads; made from `result` by the tool where it is absent, or where only `result` was changed.
    pub text: Option<String>,
    /// Whether the model is told that it failed.
    pub is_error: bool,
    /// Texts for the model beside it.
    pub context: Vec<String>,
    /// Set to refuse the call, or to withhold its result once it ran, with the reason.
    pub deny: Option<String>,
}

impl ToolOutcome {
    /// A refusal.
    pub fn denied(reason: impl Into<String>) -> ToolOutcome {
        ToolOutcome { deny: Some(reason.into()), is_error: true, ..ToolOutcome::default() }
    }
}

/// Wraps one execution of a committed call, and its result before `tool/result`.
///
/// The first registered is the outermost. `execute` runs what is beneath and may be kept, cloned and called from any
/// task; what it runs is awaited before the call settles, even where the contributor answers early. A contributor
/// that fails is skipped: the first result it got stands, or what is beneath runs once.
#[async_trait]
pub trait ToolLifecycle: Send + Sync {
    /// Gives what is logged, usually from `execute`.
    async fn around(
        &self,
        call: &LoggedCall,
        execute: Execution,
        session: &SessionHandle,
    ) -> Result<ToolOutcome, ContributorError>;
}
