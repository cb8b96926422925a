//! The parts of `$` that need the session itself, in front of the services' own.

mod agent;
mod model;
mod session;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use modgate_harness::person::Question;
use modgate_harness::point::{AuthorizationRequest, ToolOutcome};
use modgate_harness::prompt::{Origin, Prompt as Typed};
use modgate_harness::record::By;
use modgate_harness::session::SessionHandle;
use modgate_services::command::{Command, CommandTable};
use modgate_services::prompt::{Prompt, PromptBox};
use modgate_services::tool::{Tool, ToolTable};
use modgate_services::turn::Turn;
use modgate_services::ui::{Surface, Ui};
use modgate_services::{Answer, Builder, Caller, NativeHost, ServiceError, codes};
use modgate_value::Value;

pub(super) use session::{compacted, composing, conversation};

use super::{Running, call, convert};

/// Puts them in front.
pub(super) fn serve(builder: Builder, host: &NativeHost, running: &Running) -> Builder {
    let running = running.clone();
    builder
        .tool(Arc::new(Tools { table: host.tools.clone(), running: running.clone(), open: Arc::default() }))
        .ui(Arc::new(Screen { surface: host.surface.clone(), running: running.clone() }))
        .prompt(Arc::new(Typing { own: host.prompt.clone(), running: running.clone() }))
        .agent(Arc::new(agent::Agents { table: host.agents.clone(), running: running.clone() }))
        .model(Arc::new(model::Models { running: running.clone() }))
        .command(Arc::new(Commands { table: host.commands.clone() }))
        .turn(Arc::new(Turns { running: running.clone() }))
        .session(Arc::new(session::Facts { own: host.session.clone(), running }))
}

/// The running session, or a rejection.
fn session(running: &Running, call: &str) -> Result<SessionHandle, ServiceError> {
    running.get().ok_or_else(|| ServiceError::failed(call, codes::NOT_FOUND, "no session is running"))
}

/// Hands members on to the services' own part.
macro_rules! forward {
    ($part:ident, $own:ident: $($member:ident),*) => {
        $(
            fn $member<'life0, 'life1, 'life2, 'async_trait>(
                &'life0 self,
                caller: &'life1 Caller,
                input: &'life2 Value,
            ) -> std::pin::Pin<Box<dyn Future<Output = Answer> + Send + 'async_trait>>
            where
                'life0: 'async_trait,
                'life1: 'async_trait,
                'life2: 'async_trait,
                Self: 'async_trait,
            {
                $part::$member(&*self.$own, caller, input)
            }
        )*
    };
}
use forward;

struct Tools {
    table: Arc<ToolTable>,
    running: Running,
    open: Arc<AtomicUsize>,
}

/// Calls of mods that may be open at once. A hook on `tool.check` that calls a tool is asked about that call too, and so
/// on: this is where it ends.
const MOST_OPEN: usize = 32;

/// One of them, until it is dropped.
struct Open {
    open: Arc<AtomicUsize>,
    count: usize,
}

impl Open {
    fn begin(open: &Arc<AtomicUsize>) -> Open {
        Open { open: open.clone(), count: open.fetch_add(1, Ordering::SeqCst) + 1 }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Tool for Tools {
    fn members(&self) -> &'static [&'static str] {
        &["call", "check", "list", "register"]
    }

    forward!(Tool, table: register);

    async fn list(&self, _caller: &Caller, _input: &Value) -> Answer {
        let snapshot = self.running.get().and_then(|session| session.snapshot(None));
        let row = |name: &str, description: &str| {
            Value::object([
                ("name", Value::text(name)),
                ("description", Value::text(description)),
                ("mcp", Value::Bool(name.starts_with("mcp__"))),
            ])
        };
        Ok(match snapshot {
            Some(snapshot) => Value::list(snapshot.tools.iter().map(|tool| row(&tool.name, &tool.description))),
            None => {
                let own = modgate_harness::tools::standard();
                let own = own.iter().map(|tool| row(&tool.spec().name, &tool.spec().description));
                let added = self.table.all();
                Value::list(own.chain(added.iter().map(|tool| row(&tool.name, &tool.description))))
            }
        })
    }

    /// Logged under the mod's name, authorized, and not part of the model's history.
    async fn call(&self, caller: &Caller, input: &Value) -> Answer {
        let session = session(&self.running, "tool.call")?;
        let tool = input.str_at("tool").unwrap_or_default();
        let open = Open::begin(&self.open);
        if open.count > MOST_OPEN {
            let why = format!("{MOST_OPEN} calls of mods are open already; does a hook call what it is asked about?");
            return Err(ServiceError::failed("tool.call", codes::TOO_LARGE, why));
        }
        // The core has given it an id by which it is known when permission is decided.
        let id = input.str_at("tool_use_id").map_or_else(SessionHandle::new_call_id, str::to_string);
        let outcome = session.call_tool_as(&caller.plugin, &id, tool, call::arguments(input)).await;
        let outcome = outcome.map_err(|error| ServiceError::failed("tool.call", codes::NOT_FOUND, error))?;
        Ok(outcome_value(&outcome))
    }

    async fn check(&self, _caller: &Caller, input: &Value) -> Answer {
        let session = session(&self.running, "tool.check")?;
        let request = AuthorizationRequest {
            call_id: None,
            tool: input.str_at("tool").unwrap_or_default().to_string(),
            input: input.get("input").map(Value::to_json_lossy).unwrap_or_default(),
            agent_id: None,
        };
        let verdict = session.check(&request).await;
        verdict
            .map(|verdict| call::verdict_value(&verdict))
            .map_err(|error| ServiceError::failed("tool.check", codes::IO, error))
    }
}

fn outcome_value(outcome: &ToolOutcome) -> Value {
    match &outcome.deny {
        Some(reason) => Value::object([("deny", Value::text(reason))]),
        None => call::answer_of(outcome, None),
    }
}

struct Screen {
    surface: Arc<Surface>,
    running: Running,
}

#[async_trait]
impl Ui for Screen {
    fn members(&self) -> &'static [&'static str] {
        &[
            "ask",
            "blit",
            "close",
            "copy",
            "focus",
            "invalidate",
            "log",
            "notice",
            "open",
            "panes",
            "scroll",
            "selection",
            "status",
            "toast",
        ]
    }

    forward!(Ui, surface: blit, close, copy, focus, invalidate, log, notice, open, panes, scroll, selection, status, toast);

    /// Asks the person each question; gives what the tool for questions gives.
    async fn ask(&self, caller: &Caller, input: &Value) -> Answer {
        let session = session(&self.running, "ui.ask")?;
        let questions = input.get("questions").and_then(Value::as_array).unwrap_or_default();
        let mut answers = Vec::new();
        for asked in questions {
            let labels = asked.get("options").and_then(Value::as_array).unwrap_or_default();
            let question = Question {
                question: asked.str_at("question").unwrap_or_default().to_string(),
                header: asked.str_at("header").unwrap_or_default().to_string(),
                options: labels.iter().filter_map(|option| option.str_at("label")).map(str::to_string).collect(),
                multi_select: asked.get("multiSelect").and_then(Value::as_bool).unwrap_or(false),
            };
            let answer = session.ask(By::Mod(caller.plugin.clone()), &question).await;
            match answer.map_err(|error| ServiceError::failed("ui.ask", codes::IO, error))? {
                Some(answer) => answers.push((question.question, Value::from(answer))),
                None => {
                    let why = format!("the person did not answer {:?}", question.question);
                    return Err(ServiceError::failed("ui.ask", codes::NOT_FOUND, why));
                }
            }
        }
        let questions = input.get("questions").cloned().unwrap_or_default();
        let result = Value::object([("questions", questions), ("answers", Value::object(answers))]);
        Ok(Value::object([("result", result)]))
    }
}

struct Typing {
    own: Arc<PromptBox>,
    running: Running,
}

#[async_trait]
impl Prompt for Typing {
    fn members(&self) -> &'static [&'static str] {
        &["compose", "fill", "read", "submit", "suggest"]
    }

    forward!(Prompt, own: fill, read, suggest);

    /// The sections before mods work on them. Nothing is sent.
    async fn compose(&self, _caller: &Caller, _input: &Value) -> Answer {
        let session = session(&self.running, "prompt.compose")?;
        Ok(super::assemble::composed(&session.base_sections()))
    }

    /// Queued: its turn begins after the running one.
    async fn submit(&self, caller: &Caller, input: &Value) -> Answer {
        let session = session(&self.running, "prompt.submit")?;
        let text = input.str_at("text").unwrap_or_default().to_string();
        let context = convert::texts(input.get("context"));
        session.submit(Typed { text, context, origin: Origin::plugin(&caller.plugin) });
        Ok(convert::pick(input, &["text", "context", "origin"]))
    }
}

struct Commands {
    table: Arc<CommandTable>,
}

#[async_trait]
impl Command for Commands {
    fn members(&self) -> &'static [&'static str] {
        &["list", "register", "run"]
    }

    forward!(Command, table: list, register);

    /// A registered command has nothing beneath its mod, and this host has none of its own.
    async fn run(&self, _caller: &Caller, input: &Value) -> Answer {
        let name = input.str_at("command").unwrap_or_default();
        match self.table.find(name) {
            Some(_) => Ok(Value::object::<&str>([])),
            None => {
                let why = format!("there is no command named /{name}");
                Err(ServiceError::failed("command.run", codes::NOT_FOUND, why))
            }
        }
    }
}

struct Turns {
    running: Running,
}

#[async_trait]
impl Turn for Turns {
    fn members(&self) -> &'static [&'static str] {
        &["abort"]
    }

    async fn abort(&self, _caller: &Caller, input: &Value) -> Answer {
        let session = session(&self.running, "turn.abort")?;
        let wanted = input.str_at("turnId").unwrap_or_default();
        match session.turn_id() {
            Some(turn) if turn == wanted => {
                session.abort_turn();
                Ok(Value::Undefined)
            }
            Some(turn) => {
                let why = format!("{wanted} is not the running turn, {turn} is");
                Err(ServiceError::failed("turn.abort", codes::NOT_FOUND, why))
            }
            None => {
                let why = format!("{wanted} is not running, no turn is");
                Err(ServiceError::failed("turn.abort", codes::NOT_FOUND, why))
            }
        }
    }
}
