//! Who answers questions: the [`Person`] trait.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::record::By;

/// May this call run?
#[derive(Clone, Debug, PartialEq)]
pub struct PermissionAsk {
    /// Id of the call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// The arguments that would run.
    pub input: Value,
    /// Why somebody has to be asked.
    pub reason: String,
}

/// What a person says to a [`PermissionAsk`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PermissionAnswer {
    /// Once.
    Allow,
    /// No, with a word to the model where there is one.
    Deny(Option<String>),
}

/// A question with choices or free text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// The question.
    pub question: String,
    /// A short label.
    #[serde(default)]
    pub header: String,
    /// Labels to choose from; free text where there are none.
    #[serde(default)]
    pub options: Vec<String>,
    /// Whether several may be chosen.
    #[serde(default)]
    pub multi_select: bool,
}

/// Answers questions. A person who is not there answers `None`.
#[async_trait]
pub trait Person: Send + Sync {
    /// Decides about a call.
    async fn permission(&self, ask: &PermissionAsk) -> PermissionAnswer;

    /// Answers a question of the model or of a contributor (`by`); `None` when it was waved away.
    async fn answer(&self, question: &Question, by: &By) -> Option<String>;
}

/// Nobody is there: every permission is denied, every question stays open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

#[async_trait]
impl Person for Nobody {
    async fn permission(&self, _ask: &PermissionAsk) -> PermissionAnswer {
        PermissionAnswer::Deny(Some("nobody is there to ask".into()))
    }

    async fn answer(&self, _question: &Question, _by: &By) -> Option<String> {
        None
    }
}
