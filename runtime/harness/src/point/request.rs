use std::sync::Arc;

use async_trait::async_trait;

use crate::model::{ChunkStream, ModelRequest};
use crate::report::ContributorError;
use crate::session::{NextRequest, SessionHandle};
use crate::tools::Tool;

/// A section of the system prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Id, unique in the prompt.
    pub id: String,
    /// The text.
    pub text: String,
}

/// A block of context for the model beside the first message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextBlock {
    /// Name, unique among the blocks.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A tool the model is offered, with what runs it.
#[derive(Clone)]
pub struct ToolOffer {
    /// Name.
    pub name: String,
    /// What the model reads about it.
    pub description: String,
    /// What runs it: the route of the step's snapshot.
    pub route: Arc<dyn Tool>,
    /// Who provides it: `harness`, or a contributor.
    pub provider: String,
}

/// What a step is about to work on. It is frozen when the last contributor is done.
#[derive(Clone)]
pub struct Assembly {
    /// The turn.
    pub turn_id: String,
    /// The step in the turn, from 0.
    pub step: u32,
    /// The nested loop, absent on the main one.
    pub agent_id: Option<String>,
    /// The model to be asked.
    pub model: String,
    /// System prompt, section by section.
    pub sections: Vec<Section>,
    /// Context blocks.
    pub blocks: Vec<ContextBlock>,
    /// Tools offered.
    pub tools: Vec<ToolOffer>,
    /// What else belongs to the snapshot's hash: a contributor's own members, grants and versions.
    pub fingerprints: Vec<String>,
}

/// Assembles a request: sections, blocks, tools and their descriptions.
///
/// Later wins: each contributor sees what those before it left. What a failing one did is undone.
#[async_trait]
pub trait Context: Send + Sync {
    /// Works on the assembly.
    async fn assemble(&self, assembly: &mut Assembly, session: &SessionHandle) -> Result<(), ContributorError>;
}

/// Wraps the model's stream: model and effort on the way down, chunks on the way back.
///
/// The first registered is the outermost. Of the request only `model` and `effort` are taken over. Where one fails
/// before it gave a stream, the request goes on beneath it as it came.
#[async_trait]
pub trait ModelStep: Send + Sync {
    /// Gives the stream that is shown and logged, usually from `next`.
    async fn step(
        &self,
        request: ModelRequest,
        next: NextRequest,
        session: &SessionHandle,
    ) -> Result<ChunkStream, ContributorError>;
}
