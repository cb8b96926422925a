use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::error::HarnessError;
use crate::fold::{Message, history};
use crate::model::Usage;
use crate::permission::{Mode, Verdict};
use crate::person::Question;
use crate::point::{AuthorizationRequest, CommandSpec, ToolOutcome};
use crate::prompt::Prompt;
use crate::record::{AssistantMessage, By, Row, kind};
use crate::report::Report;
use crate::tools::ToolState;

use super::agent::{AgentAnswer, SpawnError};
use super::core::Core;
use super::scope::Scope;
use super::snapshot::Snapshot;

/// What a contributor holds of a session. Cheap to clone, usable from any task.
#[derive(Clone)]
pub struct SessionHandle {
    pub(super) core: Arc<Core>,
}

fn lost(what: &str) -> HarnessError {
    HarnessError::Lost { what: what.to_owned() }
}

/// Why a contributor's own call did not even begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// No such tool is offered now.
    #[error("there is no tool named {0}")]
    UnknownTool(String),
    /// The session cannot go on.
    #[error(transparent)]
    Session(#[from] HarnessError),
}

impl SessionHandle {
    pub(super) fn new(core: Arc<Core>) -> SessionHandle {
        SessionHandle { core }
    }

    /// Id of the session, the same over every resume.
    pub fn session_id(&self) -> &str {
        &self.core.session_id
    }

    /// Working directory.
    pub fn root(&self) -> &Path {
        &self.core.root
    }

    /// Every row so far.
    pub fn rows(&self) -> Vec<Row> {
        self.core.rows()
    }

    /// What the model was sent and said so far.
    pub fn messages(&self) -> Vec<Message> {
        self.core.with_rows(|rows| history(rows, None))
    }

    /// Tokens of all requests so far, those of nested loops included.
    pub fn usage(&self) -> Usage {
        self.core.with_rows(|rows| {
            let mut usage = Usage::default();
            let answers = rows.iter().filter(|row| row.kind == kind::ASSISTANT_MESSAGE);
            answers.filter_map(Row::parse::<AssistantMessage>).for_each(|answer| usage.add(answer.usage));
            usage
        })
    }

    /// The model used where no contributor asks for another.
    pub fn model(&self) -> String {
        self.core.model.default_model()
    }

    /// Id of the running turn of the main loop.
    pub fn turn_id(&self) -> Option<String> {
        self.core.turns.lock().get(&None).map(|turn| turn.turn_id.clone())
    }

    /// Number of the record's turns so far on the main loop.
    pub fn turn_count(&self) -> u32 {
        self.core.with_rows(|rows| super::progress::turns(rows, None))
    }

    /// The permission mode.
    pub fn mode(&self) -> Mode {
        self.core.permissions.read().mode
    }

    /// What the tools remember.
    pub fn tool_state(&self) -> ToolState {
        self.core.tool_state.clone()
    }

    /// Puts a report into the record.
    pub async fn report(&self, by: By, report: Report) -> Result<Row, HarnessError> {
        self.core.report(by, &report).await
    }

    /// Puts a receipt of a capability call into the record.
    pub async fn receipt(&self, by: By, receipt: Value) -> Result<Row, HarnessError> {
        self.core.write(kind::MOD_RECEIPT, by, receipt).await
    }

    /// Puts a row for surfaces into the record: the kind is `ui/` and this name.
    pub async fn ui(&self, by: By, name: &str, data: Value) -> Result<Row, HarnessError> {
        self.core.write(&format!("ui/{name}"), by, data).await
    }

    /// Asks the person and records question and answer; `None` when it was waved away.
    pub async fn ask(&self, by: By, question: &Question) -> Result<Option<String>, HarnessError> {
        let (person, asked, asker) = (self.core.person.clone(), question.clone(), by.clone());
        let answer = self.core.runtime.spawn(async move { person.answer(&asked, &asker).await });
        let answer = tokio::select! {
            answer = answer => answer.map_err(|_| lost("a question"))?,
            () = self.core.cancel.cancelled() => None,
        };
        let data = json!({ "question": question, "answer": answer });
        self.core.write(kind::UI_ASK, by, data).await?;
        Ok(answer)
    }

    /// Aborts the running turn of the main loop. `false` where none runs.
    pub fn abort_turn(&self) -> bool {
        let turn = self.core.turns.lock().get(&None).cloned();
        turn.inspect(|turn| turn.cancel.cancel()).is_some()
    }

    /// Fires when the session ends or is cancelled as a whole; cancel it to stop everything (Ctrl-C).
    pub fn cancel_token(&self) -> CancellationToken {
        self.core.cancel.clone()
    }

    /// Queues a prompt; its turn begins after the running one.
    pub fn submit(&self, prompt: Prompt) {
        self.core.queue.lock().push_back(prompt);
    }

    /// State that lives as long as the session.
    pub fn session_scope(&self) -> Scope {
        self.core.scopes.session.clone()
    }

    /// State that lives as long as the turn of that loop (`None` is the main one).
    pub fn turn_scope(&self, agent_id: Option<&str>) -> Scope {
        self.core.scopes.of(agent_id).turn
    }

    /// State that lives as long as the step of that loop (`None` is the main one).
    pub fn step_scope(&self, agent_id: Option<&str>) -> Scope {
        self.core.scopes.of(agent_id).step
    }

    /// The snapshot that loop's step works on.
    pub fn snapshot(&self, agent_id: Option<&str>) -> Option<Arc<Snapshot>> {
        self.core.snapshot(agent_id)
    }

    /// Number of the newest snapshot.
    pub fn revision(&self) -> u64 {
        self.core.revision.load(Ordering::SeqCst)
    }

    /// What would be decided about a call. Executes nothing, asks nobody.
    pub async fn check(&self, request: &AuthorizationRequest) -> Result<Verdict, HarnessError> {
        super::authorize::verdict(&self.core, request).await
    }

    /// A contributor's own call: logged under its name, authorized, executed, and not part of the model's history.
    pub async fn call_tool(&self, by: &str, tool: &str, input: Value) -> Result<ToolOutcome, CallError> {
        let (core, by, name) = (self.core.clone(), by.to_owned(), tool.to_owned());
        let call = self.core.runtime.spawn(async move { super::call::contributed(&core, &by, &name, input).await });
        call.await.unwrap_or_else(|_| Err(lost("a contributor's call").into()))
    }

    /// Starts a nested loop and waits for its answer.
    pub async fn spawn_agent(
        &self,
        by: &str,
        name: &str,
        prompt: &str,
        model: Option<String>,
    ) -> Result<AgentAnswer, SpawnError> {
        let (core, by, name, prompt) = (self.core.clone(), by.to_owned(), name.to_owned(), prompt.to_owned());
        let agent =
            self.core.runtime.spawn(async move { super::agent::spawn(&core, &by, &name, &prompt, model).await });
        agent.await.unwrap_or_else(|_| Err(lost("a nested loop").into()))
    }

    /// Commands there are now, in registration order.
    pub fn commands(&self) -> Vec<CommandSpec> {
        self.core.registry.command().iter().flat_map(|one| one.it.commands()).collect()
    }

    /// Draws every site again and records what changed.
    pub async fn draw(&self) -> Result<(), HarnessError> {
        super::surface::draw(&self.core).await
    }
}
