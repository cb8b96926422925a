//! `$.turn`: the running turn.

use async_trait::async_trait;
use modgate_value::Value;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::input::Args;
use crate::service::service;
use crate::{Answer, Caller, ServiceError, codes};

service! {
    /// Serves `$.turn`.
    Turn as "turn" {
        /// `{turnId}`; ends the running turn. Rejects when another one is running, or none. Gives undefined.
        abort;
    }
}

fn admit(context: &Context, _method: &str, args: &Args<'_>) -> Result<(), ServiceError> {
    args.filled_text("turnId")?;
    context.reach_call()
}

/// The turn that is running, as the host says.
#[derive(Debug, Default)]
pub struct RunningTurn(Mutex<Option<(String, CancellationToken)>>);

impl RunningTurn {
    /// A turn began; `token` is cancelled when a mod ends it.
    pub fn begin(&self, turn: impl Into<String>, token: CancellationToken) {
        *self.0.lock() = Some((turn.into(), token));
    }

    /// It is over.
    pub fn end(&self) {
        *self.0.lock() = None;
    }
}

#[async_trait]
impl Turn for RunningTurn {
    fn members(&self) -> &'static [&'static str] {
        &["abort"]
    }

    async fn abort(&self, _caller: &Caller, input: &Value) -> Answer {
        let wanted = input.str_at("turnId").unwrap_or_default();
        let running = self.0.lock();
        match &*running {
            Some((turn, token)) if turn == wanted => {
                token.cancel();
                Ok(Value::Undefined)
            }
            Some((turn, _)) => {
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
