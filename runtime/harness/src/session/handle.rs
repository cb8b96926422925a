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
use crate::point::{AuthorizationRequest, CommandSpec, Section, ToolOutcome};
use crate::prompt::Prompt;
use crate::record::{AppendedRow, AssistantMessage, By, CompactMessage, ModelAnswerRow, Row, kind};
use crate::report::Report;
use crate::tools::ToolState;

use super::agent::{AgentAnswer, AgentStarted, Spawn, SpawnError};
use super::aside::{AsideAnswer, AsideError, AsideQuestion};
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

    /// The same of the nested loop of that id.
    pub fn messages_of(&self, agent_id: &str) -> Vec<Message> {
        self.core.with_rows(|rows| history(rows, Some(agent_id)))
    }

    /// Tokens of all requests so far, those of nested loops and questions aside included.
    pub fn usage(&self) -> Usage {
        self.core.with_rows(|rows| {
            let mut usage = Usage::default();
            let answers = rows.iter().filter(|row| row.kind == kind::ASSISTANT_MESSAGE);
            answers.filter_map(Row::parse::<AssistantMessage>).for_each(|answer| usage.add(answer.usage));
            let asides = rows.iter().filter(|row| row.kind == kind::MODEL_ANSWER);
            asides.filter_map(Row::parse::<ModelAnswerRow>).for_each(|answer| usage.add(answer.usage));
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
        self.call_tool_as(by, &super::call::new_id(), tool, input).await
    }

    /// The same under an id that the contributor made with [`new_call_id`](Self::new_call_id): it knows its call by
    /// that at the lifecycle points.
    pub async fn call_tool_as(&self, by: &str, id: &str, tool: &str, input: Value) -> Result<ToolOutcome, CallError> {
        let (core, by, id, name) = (self.core.clone(), by.to_owned(), id.to_owned(), tool.to_owned());
        let call = self.core.runtime.spawn(async move { super::call::contributed(&core, &by, id, &name, input).await });
        call.await.unwrap_or_else(|_| Err(lost("a contributor's call").into()))
    }

    /// An id that no call of any record has.
    pub fn new_call_id() -> String {
        super::call::new_id()
    }

    /// Starts a nested loop and waits for its answer.
    pub async fn spawn_agent(&self, spawn: Spawn) -> Result<AgentAnswer, SpawnError> {
        let core = self.core.clone();
        let agent = self.core.runtime.spawn(async move {
            let prepared = super::agent::prepare(&core, spawn, false).await?;
            super::agent::run_loop(&core, prepared).await.map_err(SpawnError::from)
        });
        agent.await.unwrap_or_else(|_| Err(lost("a nested loop").into()))
    }

    /// Starts a nested loop that goes on by itself. The session waits for it before it ends.
    pub async fn start_agent(&self, spawn: Spawn) -> Result<AgentStarted, SpawnError> {
        let core = self.core.clone();
        let agent = self.core.runtime.spawn(async move {
            let prepared = super::agent::prepare(&core, spawn, true).await?;
            Ok(super::agent::go_on(&core, prepared))
        });
        agent.await.unwrap_or_else(|_| Err(lost("a nested loop").into()))
    }

    /// Says something to a running nested loop, by its id or name: it reads it with its next step. Gives its id;
    /// `None` where no such loop runs.
    pub async fn send_to_agent(&self, by: By, to: &str, text: &str) -> Result<Option<String>, HarnessError> {
        super::agent::send(&self.core, by, to, text).await
    }

    /// Asks a model beside the conversation, without tools. Question and answer are rows of the record.
    pub async fn ask_model(&self, by: By, question: AsideQuestion) -> Result<AsideAnswer, AsideError> {
        let core = self.core.clone();
        let asked = self.core.runtime.spawn(async move { super::aside::ask(&core, by, question).await });
        asked.await.unwrap_or_else(|_| Err(lost("a question to the model").into()))
    }

    /// Puts a row into the conversation: the model reads one of the role `user` with the next request, a person sees
    /// one of the role `system`.
    pub async fn append_row(&self, by: By, row: AppendedRow) -> Result<Row, HarnessError> {
        super::aside::append(&self.core, by, row).await
    }

    /// Lets these messages stand for everything the main loop's model was sent and said so far.
    pub async fn compact(
        &self,
        by: By,
        trigger: &str,
        instructions: Option<String>,
        messages: Vec<CompactMessage>,
    ) -> Result<Row, HarnessError> {
        super::aside::compact(&self.core, by, trigger, instructions, messages).await
    }

    /// The system prompt's sections as they stand before contributors work on them.
    pub fn base_sections(&self) -> Vec<Section> {
        self.core.system.clone()
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
