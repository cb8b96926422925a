//! `$.clock`: the time, and waiting. `after` and `every` are one wait each here; the bridge keeps the functions.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use modgate_value::Value;

use crate::context::Context;
use crate::input::Args;
use crate::{Answer, ServiceError};

/// Serves `$.clock`. Waiting ends early when the future is dropped, which is how a call aborts.
#[async_trait]
pub trait Clock: Send + Sync {
    /// The members served.
    fn members(&self) -> &'static [&'static str];

    /// Milliseconds since 1970.
    async fn now(&self) -> Result<f64, ServiceError> {
        Err(ServiceError::no_implementation("clock.now"))
    }

    /// Waits this long.
    async fn wait(&self, time: Duration) -> Result<(), ServiceError> {
        let _ = time;
        Err(ServiceError::no_implementation("clock.sleep"))
    }
}

/// The machine's clock, with tokio's timers.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

#[async_trait]
impl Clock for SystemClock {
    fn members(&self) -> &'static [&'static str] {
        &["after", "every", "now", "sleep"]
    }

    async fn now(&self) -> Result<f64, ServiceError> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        #[expect(clippy::cast_precision_loss, reason = "whole milliseconds, exact for the next 285,000 years")]
        Ok(since.as_millis() as f64)
    }

    async fn wait(&self, time: Duration) -> Result<(), ServiceError> {
        tokio::time::sleep(time).await;
        Ok(())
    }
}

pub(crate) async fn dispatch(clock: &dyn Clock, context: &Context, method: &str, input: &Value) -> Answer {
    let args = Args::new(&context.call, input);
    match method {
        "now" => clock.now().await.map(Value::from),
        "sleep" | "after" => wait(clock, args.millis("ms")?).await,
        // A period of nothing would spin: one millisecond is the shortest.
        "every" => wait(clock, args.maybe_number("ms")?.filter(|ms| *ms >= 1.0).unwrap_or(1.0)).await,
        _ => Err(ServiceError::no_implementation(&context.call)),
    }
}

async fn wait(clock: &dyn Clock, ms: f64) -> Answer {
    let time = Duration::try_from_secs_f64(ms / 1000.0).unwrap_or(Duration::MAX);
    clock.wait(time).await.map(|()| Value::Undefined)
}
