//! `$.model`: questions to a model beside the conversation.

use std::collections::VecDeque;

use async_trait::async_trait;
use modgate_value::Value;
use parking_lot::Mutex;

use crate::context::Context;
use crate::input::Args;
use crate::{Access, Answer, Caller, ServiceError, codes};

/// Tokens asked for where nothing is said.
pub const DEFAULT_TOKENS: u32 = 1024;
/// Most tokens that may be asked for.
pub const MAX_TOKENS: u32 = 64_000;

/// One question to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The model's id or alias.
    pub model: String,
    /// What is asked.
    pub prompt: String,
    /// A system prompt.
    pub system: Option<String>,
    /// Most tokens of the answer.
    pub max_tokens: u32,
}

/// What a model said, with the tokens it took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// The answer.
    pub text: String,
    /// `input_tokens`, `output_tokens`, `cache_read_input_tokens`, `cache_creation_input_tokens`.
    pub usage: [u64; 4],
}

/// Serves `$.model`. The model has passed the gate.
#[async_trait]
pub trait Model: Send + Sync {
    /// The members served.
    fn members(&self) -> &'static [&'static str];

    /// The model asked where a classification names none.
    fn small_model(&self) -> String;

    /// The conversation's own model, which forks use.
    fn session_model(&self) -> String;

    /// Asks. Also used to classify.
    ///
    /// # Errors
    /// `bad-gateway` where the model failed: the caller's promise resolves to an answer that says so.
    async fn complete(&self, caller: &Caller, question: Question) -> Result<Said, ServiceError> {
        let _ = (caller, question);
        Err(ServiceError::no_implementation("model.complete"))
    }

    /// Asks over the conversation as it stands, without tools. `None` where there is nothing to fork.
    ///
    /// # Errors
    /// As [`Model::complete`].
    async fn fork(&self, caller: &Caller, prompt: &str) -> Result<Option<Said>, ServiceError> {
        let _ = (caller, prompt);
        Err(ServiceError::no_implementation("model.fork"))
    }
}

pub(crate) async fn dispatch(model: &dyn Model, context: &Context, method: &str, input: &Value) -> Answer {
    let args = Args::new(&context.call, input);
    match method {
        "complete" => {
            let question = question(&args)?;
            context.reach(Access::Model(&question.model))?;
            answered(model.complete(&context.caller, question).await.map(Some))
        }
        "classify" => classify(model, context, &args).await,
        "fork" => {
            let prompt = args.filled_text("prompt")?;
            context.reach(Access::Model(&model.session_model()))?;
            answered(model.fork(&context.caller, prompt).await)
        }
        _ => Err(ServiceError::no_implementation(&context.call)),
    }
}

fn question(args: &Args<'_>) -> Result<Question, ServiceError> {
    let max_tokens = match args.maybe_number("maxTokens")? {
        None => DEFAULT_TOKENS,
        Some(tokens) if tokens > f64::from(MAX_TOKENS) => {
            return Err(args.bad(format_args!("maxTokens {tokens} is past the limit of {MAX_TOKENS}")));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, from 1 to the limit")]
        Some(tokens) if tokens >= 1.0 && tokens.fract() == 0.0 => tokens as u32,
        Some(_) => return Err(args.bad("maxTokens must be a whole number from 1")),
    };
    Ok(Question {
        model: args.filled_text("model")?.into(),
        prompt: args.filled_text("prompt")?.into(),
        system: args.maybe_text("system")?.map(str::to_string),
        max_tokens,
    })
}

/// Asks for one of the labels and gives the one that is named, or undefined.
async fn classify(model: &dyn Model, context: &Context, args: &Args<'_>) -> Answer {
    let (text, labels) = (args.text("text")?, args.texts("labels")?);
    if labels.len() < 2 || labels.iter().any(String::is_empty) {
        return Err(args.bad("labels must be at least two texts that are not empty"));
    }
    let named = args.part("options")?.maybe_text("model")?.map(str::to_string);
    let name = named.unwrap_or_else(|| model.small_model());
    context.reach(Access::Model(&name))?;
    let system = format!("Answer with exactly one of these labels and nothing else: {}", labels.join(", "));
    let question = Question { model: name, prompt: text.into(), system: Some(system), max_tokens: DEFAULT_TOKENS };
    let answer = model.complete(&context.caller, question).await?;
    let answer = answer.text.trim();
    // The whole answer first: one label may be part of another.
    let named = labels.iter().find(|label| label.eq_ignore_ascii_case(answer));
    let named = named.or_else(|| {
        let mut inside = labels.iter().filter(|label| answer.contains(label.as_str()));
        inside.next().filter(|_| inside.next().is_none())
    });
    Ok(named.map_or(Value::Undefined, |label| Value::from(label.as_str())))
}

/// What the caller's promise resolves to, as Claude Code 2.1.287 and 2.1.332 do it: an answer, or that there is none.
fn answered(said: Result<Option<Said>, ServiceError>) -> Answer {
    let unanswered =
        |reason: &str| Value::object([("isAnswered", Value::from(false)), ("reason", Value::from(reason))]);
    match said {
        Ok(Some(said)) => Ok(Value::object([
            ("isAnswered", Value::from(true)),
            ("text", Value::from(said.text)),
            ("usage", tokens(said.usage)),
        ])),
        Ok(None) => Ok(unanswered("nothing-to-fork")),
        Err(error) if error.code == codes::BAD_GATEWAY => {
            Ok(unanswered("api-error").with("error", Value::from(error.message)).with("usage", tokens([0; 4])))
        }
        Err(error) => Err(error),
    }
}

fn tokens(usage: [u64; 4]) -> Value {
    let names = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
    #[expect(clippy::cast_precision_loss, reason = "token counts")]
    let usage = names.into_iter().zip(usage.map(|tokens| Value::from(tokens as f64)));
    Value::object(usage)
}

/// A model that answers from a script, in order, and keeps what it was asked. Beyond its end it rejects.
#[derive(Debug, Default)]
pub struct ScriptedModel {
    answers: Mutex<VecDeque<String>>,
    asked: Mutex<Vec<Question>>,
}

impl ScriptedModel {
    /// These answers, one a question.
    pub fn new<T: Into<String>>(answers: impl IntoIterator<Item = T>) -> ScriptedModel {
        let answers = answers.into_iter().map(Into::into).collect();
        ScriptedModel { answers: Mutex::new(answers), asked: Mutex::default() }
    }

    /// What it has been asked.
    pub fn asked(&self) -> Vec<Question> {
        self.asked.lock().clone()
    }

    fn next(&self, question: Question, call: &str) -> Result<String, ServiceError> {
        self.asked.lock().push(question);
        let next = self.answers.lock().pop_front();
        next.ok_or_else(|| ServiceError::failed(call, codes::BAD_GATEWAY, "the script has no further answer"))
    }
}

#[async_trait]
impl Model for ScriptedModel {
    fn members(&self) -> &'static [&'static str] {
        &["classify", "complete", "fork"]
    }

    fn small_model(&self) -> String {
        "scripted-small".into()
    }

    fn session_model(&self) -> String {
        "scripted".into()
    }

    async fn complete(&self, _caller: &Caller, question: Question) -> Result<Said, ServiceError> {
        let text = self.next(question, "model.complete")?;
        Ok(Said { text, usage: [0; 4] })
    }

    async fn fork(&self, _caller: &Caller, prompt: &str) -> Result<Option<Said>, ServiceError> {
        let model = self.session_model();
        let question = Question { model, prompt: prompt.into(), system: None, max_tokens: DEFAULT_TOKENS };
        let text = self.next(question, "model.fork")?;
        Ok(Some(Said { text, usage: [0; 4] }))
    }
}
