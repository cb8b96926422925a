use std::sync::Arc;

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use serde_json::json;

use crate::error::HarnessError;
use crate::fold::{History, Message, with_blocks};
use crate::model::{ChunkStream, ModelError, ModelRequest, StepAnswer, collect};
use crate::point::{Assembly, ContextBlock, ToolOffer};
use crate::record::{By, RequestHeader, kind};

use super::core::{Core, to_value};
use super::snapshot::Snapshot;
use super::turn::LoopTurn;

/// Assembles and freezes what a step works on.
pub(super) async fn assemble(core: &Arc<Core>, turn: &LoopTurn, step: u32) -> Result<Arc<Snapshot>, HarnessError> {
    let offer = |tool: &Arc<dyn crate::tools::Tool>| ToolOffer {
        name: tool.spec().name.clone(),
        description: tool.spec().description.clone(),
        route: tool.clone(),
        provider: "harness".into(),
    };
    let mut assembly = Assembly {
        turn_id: turn.turn_id.clone(),
        step,
        agent_id: turn.agent_id.clone(),
        model: turn.model.clone(),
        sections: core.system.clone(),
        blocks: Vec::<ContextBlock>::new(),
        tools: core.tools.iter().map(offer).collect(),
        fingerprints: Vec::new(),
    };
    let handle = core.handle();
    for one in core.registry.context() {
        let mut proposed = assembly.clone();
        match one.it.assemble(&mut proposed, &handle).await {
            Ok(()) => assembly = proposed,
            Err(error) => core.failed(&one.name, &error).await?,
        }
    }
    let snapshot = Arc::new(Snapshot::freeze(assembly, core.next_revision(), &core.registry.hash()));
    if !turn.turn_id.is_empty() {
        core.snapshots.lock().insert(turn.agent_id.clone(), snapshot.clone());
    }
    Ok(snapshot)
}

/// What a [`crate::point::ModelStep`] sends the request on with. Every send is a request of its own, with a
/// `request/header` row of its own.
#[derive(Clone)]
pub struct NextRequest {
    sending: Arc<Sending>,
    level: usize,
}

struct Sending {
    core: Arc<Core>,
    snapshot: Arc<Snapshot>,
    base: ModelRequest,
    fatal: Mutex<Option<HarnessError>>,
}

impl NextRequest {
    /// Sends the request; of the one given only `model` and `effort` are taken over.
    pub fn send(&self, request: ModelRequest) -> BoxFuture<'static, Result<ChunkStream, ModelError>> {
        let this = self.clone();
        Box::pin(async move {
            let runtime = this.sending.core.runtime.clone();
            let sent = runtime.spawn(async move { this.through(request).await });
            sent.await.unwrap_or_else(|_| Err(ModelError::new("session", "the request was lost on its way")))
        })
    }

    async fn through(&self, request: ModelRequest) -> Result<ChunkStream, ModelError> {
        let request = ModelRequest { model: request.model, effort: request.effort, ..self.sending.base.clone() };
        let core = &self.sending.core;
        let Some(one) = core.registry.model_step().get(self.level).cloned() else { return self.bottom(request).await };
        let next = NextRequest { sending: self.sending.clone(), level: self.level + 1 };
        match one.it.step(request.clone(), next.clone(), &core.handle()).await {
            Ok(stream) => Ok(stream),
            Err(error) => {
                core.failed(&one.name, &error).await.map_err(|error| self.fail(error))?;
                next.send(request).await
            }
        }
    }

    async fn bottom(&self, request: ModelRequest) -> Result<ChunkStream, ModelError> {
        let core = &self.sending.core;
        let snapshot = &self.sending.snapshot;
        let header = RequestHeader {
            turn_id: request.turn_id.clone(),
            step: request.step,
            model: request.model.clone(),
            effort: request.effort.clone(),
            revision: snapshot.revision,
            snapshot: snapshot.hash.clone(),
            system: snapshot.sections.iter().map(|one| json!({ "id": one.id, "text": one.text })).collect(),
            blocks: snapshot.blocks.iter().map(|one| json!({ "name": one.name, "text": one.text })).collect(),
            tools: snapshot.tools.iter().map(|tool| tool.name.clone()).collect(),
            agent_id: request.agent_id.clone(),
        };
        core.write(kind::REQUEST_HEADER, By::Harness, to_value(&header)).await.map_err(|error| self.fail(error))?;
        let cancel = core.cancel_of(request.agent_id.as_deref());
        core.model.stream(request, cancel).await
    }

    fn fail(&self, error: HarnessError) -> ModelError {
        let told = ModelError::new("session", error.to_string());
        self.sending.fatal.lock().get_or_insert(error);
        told
    }
}

/// Sends the step's request through the contributors and reads the answer to its end. The name of the model that was
/// asked last comes with it.
pub(super) async fn send(
    core: &Arc<Core>,
    turn: &LoopTurn,
    step: u32,
    snapshot: &Arc<Snapshot>,
) -> Result<Result<StepAnswer, ModelError>, HarnessError> {
    let messages = said_so_far(core, turn.agent_id.as_deref());
    let messages = with_blocks(messages, snapshot.blocks.iter().map(|block| block.text.as_str()));
    let base = ModelRequest {
        model: snapshot.model.clone(),
        effort: None,
        turn_id: turn.turn_id.clone(),
        turn: turn.number,
        step,
        script_index: turn.script_index,
        agent_id: turn.agent_id.clone(),
        agent_name: turn.agent_name.clone(),
        is_aside: false,
        prompt: turn.text.clone(),
        system: snapshot.sections.iter().map(|section| section.text.clone()).collect(),
        messages,
        tools: snapshot.tools.clone(),
    };
    let sending = Arc::new(Sending {
        core: core.clone(),
        snapshot: snapshot.clone(),
        base: base.clone(),
        fatal: Mutex::new(None),
    });
    let cancel = core.cancel_of(turn.agent_id.as_deref());
    let first = NextRequest { sending: sending.clone(), level: 0 };
    let answer = async { collect(first.send(base).await?).await };
    let answer = tokio::select! {
        answer = answer => answer,
        () = cancel.cancelled() => Err(ModelError::new("cancelled", "the turn was aborted")),
    };
    match sending.fatal.lock().take() {
        Some(error) => Err(error),
        None => Ok(answer),
    }
}

/// The history of that loop. It is kept and caught up with, since every step asks for it.
fn said_so_far(core: &Core, agent_id: Option<&str>) -> Vec<Message> {
    let mut histories = core.histories.lock();
    let history = histories.entry(agent_id.map(str::to_owned)).or_insert_with(|| History::of(agent_id));
    core.with_rows(|rows| history.catch_up(rows));
    history.messages()
}
