//! A session: prompt, turn, steps, calls, end.
//!
//! [`SessionBuilder`] makes one over a record, [`Session`] drives it, [`SessionHandle`] is what contributors hold.

mod agent;
mod append;
mod aside;
mod authorize;
mod builder;
mod call;
mod command;
mod core;
mod execution;
mod handle;
mod policy;
mod progress;
mod request;
mod resume;
mod scope;
mod settle;
mod snapshot;
mod surface;
mod turn;

use std::sync::Arc;

use crate::error::HarnessError;
use crate::prompt::Prompt;
use crate::record::{Row, TurnEndRow};

use self::core::Core;

pub use agent::{AgentAnswer, AgentStarted, MOST_AGENTS, Spawn, SpawnError};
pub use aside::{AsideAnswer, AsideError, AsideQuestion};
pub use builder::SessionBuilder;
pub use command::CommandOutcome;
pub use execution::{AboutToRun, ExecuteError, Execution};
pub use handle::{CallError, SessionHandle};
pub use policy::{ArgumentPolicy, Ceiling, PendingRuns, PermissionOrder, RepeatPolicy, SessionPolicy};
pub use progress::{OpenStep, OpenTurn, Progress};
pub use request::NextRequest;
pub use scope::Scope;
pub use snapshot::Snapshot;

/// A running session.
pub struct Session {
    core: Arc<Core>,
    open: Option<OpenTurn>,
}

/// What became of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub enum PromptOutcome {
    /// It began a turn, which ended like this.
    Answered(TurnEndRow),
    /// A contributor dropped it, for that reason.
    Dropped(String),
}

impl Session {
    /// What contributors hold: read the record, report, ask, abort.
    pub fn handle(&self) -> SessionHandle {
        SessionHandle::new(self.core.clone())
    }

    /// A turn the record had left open, to be finished with [`Session::finish_open`].
    pub fn open_turn(&self) -> Option<&OpenTurn> {
        self.open.as_ref()
    }

    /// Takes a prompt through its turn, then the prompts contributors submitted meanwhile. Gives the outcome of the
    /// prompt itself.
    pub async fn prompt(&mut self, prompt: Prompt) -> Result<PromptOutcome, HarnessError> {
        self.finish_open().await?;
        let outcome = turn::prompt(&self.core, prompt).await?;
        self.drain().await?;
        Ok(outcome)
    }

    /// Finishes a turn that a crash had interrupted. Nothing that was executed is executed again.
    pub async fn finish_open(&mut self) -> Result<Option<TurnEndRow>, HarnessError> {
        let Some(open) = self.open.take() else { return Ok(None) };
        let end = turn::resume(&self.core, open).await?;
        self.drain().await?;
        Ok(Some(end))
    }

    /// Runs a command as it was typed, with or without the slash.
    pub async fn command(&mut self, line: &str, origin: crate::prompt::Origin) -> Result<CommandOutcome, HarnessError> {
        self.finish_open().await?;
        let outcome = command::run(&self.core, line, origin).await?;
        self.drain().await?;
        Ok(outcome)
    }

    /// Draws every site again and records what changed.
    pub async fn draw(&self) -> Result<(), HarnessError> {
        surface::draw(&self.core).await
    }

    /// Ends the session. The record can be resumed later all the same.
    pub async fn end(self, reason: &str) -> Result<Vec<Row>, HarnessError> {
        core::end(&self.core, reason).await?;
        Ok(self.core.rows())
    }

    /// Prompts submitted by contributors, one turn each, in order.
    async fn drain(&self) -> Result<(), HarnessError> {
        while let Some(prompt) = self.core.next_queued() {
            turn::prompt(&self.core, prompt).await?;
        }
        Ok(())
    }
}
