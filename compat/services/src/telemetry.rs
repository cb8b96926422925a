//! `$.telemetry`: answers as if analytics were off. Nothing is sent, nothing is kept.

use async_trait::async_trait;
use modgate_value::Value;

use crate::context::Context;
use crate::input::Args;
use crate::service::service;
use crate::{Answer, Caller, ServiceError};

service! {
    /// Serves `$.telemetry`.
    Telemetry as "telemetry" {
        /// One analytics row. Gives undefined.
        log;
        /// One analytics row that marks a moment. Gives undefined.
        mark;
    }
}

fn admit(context: &Context, _method: &str, _args: &Args<'_>) -> Result<(), ServiceError> {
    context.reach_call()
}

/// Analytics that are off.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTelemetry;

#[async_trait]
impl Telemetry for NoTelemetry {
    fn members(&self) -> &'static [&'static str] {
        &["log", "mark"]
    }

    async fn log(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::Undefined)
    }

    async fn mark(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::Undefined)
    }
}
