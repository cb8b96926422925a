//! `$.model`: questions to the session's model beside the conversation.

use async_trait::async_trait;
use modgate_harness::record::By;
use modgate_harness::session::{AsideAnswer, AsideError, AsideQuestion};
use modgate_services::model::{DEFAULT_TOKENS, Model, Question, Said};
use modgate_services::{Caller, ServiceError, codes};

use super::super::Running;

pub(super) struct Models {
    pub(super) running: Running,
}

impl Models {
    async fn ask(&self, call: &str, caller: &Caller, question: AsideQuestion) -> Result<AsideAnswer, ServiceError> {
        let session = super::session(&self.running, call)?;
        let asked = session.ask_model(By::Mod(caller.plugin.clone()), question).await;
        asked.map_err(|error| match error {
            AsideError::Model(error) => ServiceError::failed(call, codes::BAD_GATEWAY, error),
            error => ServiceError::failed(call, codes::IO, error),
        })
    }
}

fn said(answer: AsideAnswer) -> Said {
    let AsideAnswer { text, usage } = answer;
    let usage =
        [usage.input_tokens, usage.output_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens];
    Said { text, usage }
}

#[async_trait]
impl Model for Models {
    fn members(&self) -> &'static [&'static str] {
        &["classify", "complete", "fork"]
    }

    /// There is one model here.
    fn small_model(&self) -> String {
        self.session_model()
    }

    fn session_model(&self) -> String {
        self.running.get().map(|session| session.model()).unwrap_or_default()
    }

    async fn complete(&self, caller: &Caller, question: Question) -> Result<Said, ServiceError> {
        let Question { model, prompt, system, max_tokens } = question;
        let question = AsideQuestion { model: Some(model), prompt, system, max_tokens, over_history: false };
        self.ask("model.complete", caller, question).await.map(said)
    }

    async fn fork(&self, caller: &Caller, prompt: &str) -> Result<Option<Said>, ServiceError> {
        let session = super::session(&self.running, "model.fork")?;
        if session.messages().is_empty() {
            return Ok(None);
        }
        let question = AsideQuestion {
            prompt: prompt.to_string(),
            max_tokens: DEFAULT_TOKENS,
            over_history: true,
            ..AsideQuestion::default()
        };
        self.ask("model.fork", caller, question).await.map(|answer| Some(said(answer)))
    }
}
