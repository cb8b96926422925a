//! `$.session`: facts about the session, and its conversation.

mod repo;

use std::collections::BTreeMap;
use std::path::PathBuf;

use async_trait::async_trait;
use modgate_value::Value;
use parking_lot::RwLock;

use crate::context::Context;
use crate::input::Args;
use crate::service::service;
use crate::{Answer, Caller, ServiceError, codes};

/// Newest messages given by `session.messages`.
pub const MAX_MESSAGES: usize = 4096;

service! {
    /// Serves `$.session`. `append`, `compact` and `send` need the host's record and turn loop.
    Session as "session" {
        /// `{message: {type, content}, agentId?}`.
        append;
        /// `{handle, kind}` of a credential, or null.
        authorize;
        /// `{instructions?, trigger, messages}`; `{messages, ...}` or `{skip}`.
        compact;
        /// The working directory.
        cwd;
        /// The session's id.
        id;
        /// `{agentId?, as?: 'api'}`; `[{role, text, toolUses, ...}]`, the newest 4096.
        messages;
        /// The model's id.
        model;
        /// `{root, remote, internal, name}`, or null outside of a git repository.
        repo;
        /// The project's root.
        root;
        /// `{to, text, origin}`; `{isDelivered, reason?}`.
        send;
        /// The first of `surfaces`, or null.
        surface;
        /// `['terminal', ...]`.
        surfaces;
        /// How many prompts there were.
        turns;
        /// `{breakdown?, columns?}`; `{context, rateLimits, cost?}`.
        usage;
        /// `{version, base?, builtAt?}`.
        version;
    }
}

fn admit(context: &Context, method: &str, args: &Args<'_>) -> Result<(), ServiceError> {
    match method {
        "send" => {
            args.filled_text("text")?;
        }
        "append" => {
            let message = args.part("message")?;
            if !matches!(message.maybe_text("type")?, Some("user" | "system")) {
                return Err(args.bad("message.type must be 'user' or 'system'"));
            }
        }
        "messages" => {
            args.maybe_text("agentId")?;
            if !matches!(args.maybe_text("as")?, None | Some("api")) {
                return Err(args.bad("as must be 'api'"));
            }
        }
        "usage" => {
            if !matches!(args.maybe_text("breakdown")?, None | Some("summary" | "full")) {
                return Err(args.bad("breakdown must be 'summary' or 'full'"));
            }
            args.maybe_number("columns")?;
        }
        _ => {}
    }
    context.reach_call()
}

/// What is known of a session now. The host keeps it up to date.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The working directory.
    pub cwd: PathBuf,
    /// The project's root. A `cd` does not move it.
    pub root: PathBuf,
    /// The session's id.
    pub id: String,
    /// The model's id.
    pub model: String,
    /// How many prompts there were.
    pub turns: u32,
    /// `{role, text, toolUses, toolResults?}` of the main conversation, in order.
    pub messages: Vec<Value>,
    /// The same in the form the model's API has, for `{as: 'api'}`.
    pub api_messages: Vec<Value>,
    /// The conversations of subagents, by id.
    pub agents: BTreeMap<String, Vec<Value>>,
    /// `{categories, totalTokens, ...}` for a `usage` that asks for a breakdown, where known.
    pub breakdown: Option<Value>,
    /// Tokens of the context, where known.
    pub context_tokens: Option<u64>,
    /// How many the model takes.
    pub context_window: u64,
    /// What the session has cost, where known.
    pub cost_usd: Option<f64>,
    /// The host's version.
    pub version: String,
    /// Attached surfaces, in the order they came.
    pub surfaces: Vec<String>,
}

/// A session's facts behind `$.session`.
#[derive(Debug, Default)]
pub struct SessionInfo(RwLock<Facts>);

impl SessionInfo {
    /// These facts to begin with.
    pub fn new(facts: Facts) -> SessionInfo {
        SessionInfo(RwLock::new(facts))
    }

    /// Changes what is known.
    pub fn update(&self, change: impl FnOnce(&mut Facts)) {
        change(&mut self.0.write());
    }

    fn get<T>(&self, read: impl FnOnce(&Facts) -> T) -> T {
        read(&self.0.read())
    }
}

#[async_trait]
impl Session for SessionInfo {
    fn members(&self) -> &'static [&'static str] {
        &[
            "authorize",
            "cwd",
            "id",
            "messages",
            "model",
            "repo",
            "root",
            "surface",
            "surfaces",
            "turns",
            "usage",
            "version",
        ]
    }

    /// No credential is ever handed out.
    async fn authorize(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::Null)
    }

    async fn cwd(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::from(self.get(|facts| facts.cwd.to_string_lossy().into_owned())))
    }

    async fn id(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::from(self.get(|facts| facts.id.clone())))
    }

    async fn messages(&self, _caller: &Caller, input: &Value) -> Answer {
        self.get(|facts| {
            let messages = match (input.str_at("agentId"), input.str_at("as")) {
                (Some(agent), _) => facts.agents.get(agent).ok_or_else(|| no_agent(agent))?,
                (None, Some(_)) => &facts.api_messages,
                (None, None) => &facts.messages,
            };
            let from = messages.len().saturating_sub(MAX_MESSAGES);
            Ok(Value::list(messages[from..].iter().cloned()))
        })
    }

    async fn model(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::from(self.get(|facts| facts.model.clone())))
    }

    async fn repo(&self, _caller: &Caller, _input: &Value) -> Answer {
        let cwd = self.get(|facts| facts.cwd.clone());
        repo::of(cwd).await
    }

    async fn root(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::from(self.get(|facts| facts.root.to_string_lossy().into_owned())))
    }

    async fn surface(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(self.get(|facts| facts.surfaces.first().map_or(Value::Null, |surface| Value::from(surface.as_str()))))
    }

    async fn surfaces(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(self.get(|facts| Value::list(facts.surfaces.iter().map(|surface| Value::from(surface.as_str())))))
    }

    async fn turns(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::from(self.get(|facts| facts.turns)))
    }

    async fn usage(&self, _caller: &Caller, input: &Value) -> Answer {
        let detailed = input.str_at("breakdown").is_some();
        Ok(self.get(|facts| usage(facts, detailed)))
    }

    async fn version(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::object([("version", Value::from(self.get(|facts| facts.version.clone())))]))
    }
}

fn no_agent(agent: &str) -> ServiceError {
    ServiceError::failed("session.messages", codes::NOT_FOUND, format_args!("no agent {agent}"))
}

#[expect(clippy::cast_precision_loss, reason = "token counts")]
fn usage(facts: &Facts, detailed: bool) -> Value {
    let window = facts.context_window as f64;
    let mut context = Value::object([("window", Value::from(window))]);
    if let Some(tokens) = facts.context_tokens {
        context = context.with("tokens", Value::from(tokens as f64));
        if window > 0.0 {
            context = context.with("percent", Value::from((tokens as f64 * 100.0 / window).round()));
        }
    }
    if let Some(breakdown) = facts.breakdown.as_ref().filter(|_| detailed) {
        context = context.with("breakdown", breakdown.clone());
    }
    let usage = Value::object([("context", context), ("rateLimits", Value::list([]))]);
    match facts.cost_usd {
        Some(usd) => usage.with("cost", Value::object([("usd", Value::from(usd))])),
        None => usage,
    }
}
