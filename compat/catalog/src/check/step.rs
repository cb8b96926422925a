//! Streams: chunks of a model's answer or of a process, and what a step results in.

use modgate_value::Value;

use super::{Code, Refusal};
use crate::event::{Event, types};
use crate::shape::{self, Shape};

fn check_named(name: &'static str, value: &Value, lead: &str) -> Result<(), Refusal> {
    let shape = shape::parse(name, types()).unwrap_or(Shape::Any);
    shape.check(Some(value)).map_err(|fault| Refusal::fault(Code::Chunk, lead, fault))
}

/// Checks one chunk that a `turn.step` hook yielded.
///
/// Whether the `ref` of an engine chunk is one that came from beneath is for the caller to say.
///
/// # Errors
/// It is none of the kinds text, thinking, tool, input, stop and engine, or lacks what its kind needs.
pub fn chunk(value: &Value) -> Result<(), Refusal> {
    check_named("Chunk", value, "yielded a chunk that is none: ")
}

/// Checks one piece that a `process.spawn` hook yielded.
///
/// # Errors
/// It is not `{ stream: 'stdout' | 'stderr', text }`.
pub fn spawn_chunk(value: &Value) -> Result<(), Refusal> {
    check_named("SpawnChunk", value, "yielded a piece that is none: ")
}

/// Checks what a hook of a streaming event returned; `input` is the event as it reached the mod. Undefined says that the result of the stream it read last stands;
/// that is `None`.
///
/// # Errors
/// Anything else that does not have the shape of a result.
pub fn step_result(event: &Event, input: &Value, value: &Value) -> Result<Option<Value>, Refusal> {
    if value.is_undefined() {
        return Ok(None);
    }
    super::answer(event, input, None, value).map(Some)
}
