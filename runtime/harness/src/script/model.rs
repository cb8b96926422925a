use std::time::Duration;

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use tokio_util::sync::CancellationToken;

use crate::model::{Chunk, ChunkStream, Model, ModelError, ModelRequest};

use super::scenario::{AsideScript, Scenario, Step};

/// The model of a scenario. It keeps no state: which step comes next is read from the request, and the request is
/// made from the record, so a resumed session goes on where it stopped.
pub struct ScriptedModel {
    scenario: Scenario,
}

impl ScriptedModel {
    /// The model of that scenario.
    pub fn new(scenario: &Scenario) -> ScriptedModel {
        ScriptedModel { scenario: scenario.clone() }
    }

    /// The answer to a question beside the conversation.
    fn aside(&self, request: &ModelRequest) -> Result<ChunkStream, ModelError> {
        let Some(aside) = self.scenario.asides.iter().find(|aside| request.prompt.contains(&aside.to)) else {
            let message = format!("the scenario has no [[aside]] for the question {:?}", request.prompt);
            return Err(ModelError::new("script-exhausted", message));
        };
        let AsideScript { text, usage, error, .. } = aside.clone();
        let step = Step { text, usage, error, ..Step::default() };
        Ok(Box::pin(stream::iter(chunks(&step, "aside"))))
    }

    /// The steps for a request, with the name their calls' ids begin with.
    fn steps(&self, request: &ModelRequest) -> Option<(String, &[Step])> {
        if let Some(name) = &request.agent_name {
            let index = self.scenario.agents.iter().position(|agent| agent.name == *name)?;
            // A further loop of that name has ids of its own.
            let again = if request.turn == 0 { String::new() } else { format!("_again{}", request.turn) };
            return Some((format!("call_a{}{again}", index + 1), &self.scenario.agents[index].steps));
        }
        if let Some(index) = request.script_index {
            let prompt = self.scenario.prompts.get(index as usize)?;
            return Some((format!("call_{}", index + 1), &prompt.steps));
        }
        let reply = self.scenario.replies.iter().find(|reply| request.prompt.contains(&reply.to))?;
        Some((format!("call_r{}", request.turn + 1), &reply.steps))
    }
}

#[async_trait]
impl Model for ScriptedModel {
    fn default_model(&self) -> String {
        self.scenario.model.clone()
    }

    async fn stream(&self, request: ModelRequest, cancel: CancellationToken) -> Result<ChunkStream, ModelError> {
        if request.is_aside {
            return self.aside(&request);
        }
        let Some((prefix, steps)) = self.steps(&request) else {
            let message = format!("the scenario has no steps for the prompt {:?}", request.prompt);
            return Err(ModelError::new("script-exhausted", message));
        };
        // After its last scripted step the model has nothing more to say.
        let silence = Step::default();
        let step = steps.get(request.step as usize).unwrap_or(&silence);
        let chunks = chunks(step, &format!("{prefix}_{}", request.step + 1));
        let delay = Duration::from_millis(step.delay_ms);
        let aborted = || ModelError::new("cancelled", "the turn was aborted");
        if !delay.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(delay) => {}
                () = cancel.cancelled() => return Err(aborted()),
            }
        }
        let chunks = stream::iter(chunks).map(move |chunk| if cancel.is_cancelled() { Err(aborted()) } else { chunk });
        Ok(Box::pin(chunks))
    }
}

/// The pieces of a step, as they stream.
fn chunks(step: &Step, prefix: &str) -> Vec<Result<Chunk, ModelError>> {
    let size = step.chunk_chars.unwrap_or(usize::MAX);
    let mut chunks = Vec::new();
    let mut index = 0;
    for text in pieces(&step.thinking, size) {
        chunks.push(Ok(Chunk::Thinking { index, text }));
    }
    index += u32::from(!step.thinking.is_empty());
    for text in pieces(&step.text, size) {
        chunks.push(Ok(Chunk::Text { index, text }));
    }
    index += u32::from(!step.text.is_empty());
    if let Some(failure) = &step.error {
        chunks.push(Err(ModelError::new(&failure.code, &failure.message)));
        return chunks;
    }
    for (number, call) in step.calls.iter().enumerate() {
        let id = call.id.clone().unwrap_or_else(|| format!("{prefix}_{}", number + 1));
        chunks.push(Ok(Chunk::Tool { index, id, name: call.tool.clone() }));
        for json in pieces(&call.input.to_string(), size) {
            chunks.push(Ok(Chunk::Input { index, json }));
        }
        index += 1;
    }
    let usual = if step.calls.is_empty() { "end_turn" } else { "tool_use" };
    let stop_reason = Some(step.stop.clone().unwrap_or_else(|| usual.to_owned()));
    chunks.push(Ok(Chunk::Stop { stop_reason, usage: Some(step.usage) }));
    chunks
}

fn pieces(text: &str, size: usize) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(size.min(letters.len().max(1))).map(|piece| piece.iter().collect()).collect()
}
