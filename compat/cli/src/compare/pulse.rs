//! Whether a session under a host gets anywhere, and ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use modgate_harness::script::Scenario;
use tokio_util::sync::CancellationToken;

/// Rows that a session may have for each thing that is typed or asked for, and some besides: mods that make work for
/// ever come to an end as well.
const ROWS_EACH: u64 = 500;

/// Counts the rows of one session.
pub(super) struct Pulse {
    rows: AtomicU64,
    most: u64,
    patience: Duration,
}

impl Pulse {
    pub(super) fn new(scenario: &Scenario, patience: Duration) -> Arc<Pulse> {
        let steps = scenario.prompts.iter().flat_map(|prompt| &prompt.steps);
        let calls: usize = steps.map(|step| 1 + step.calls.len()).sum();
        let agents: usize = scenario.agents.iter().map(|agent| agent.steps.len()).sum();
        let things = 10 + scenario.prompts.len() + calls + agents;
        Arc::new(Pulse { rows: AtomicU64::new(0), most: ROWS_EACH * things as u64, patience })
    }

    /// A row was written.
    pub(super) fn beat(&self) {
        self.rows.fetch_add(1, Ordering::Relaxed);
    }

    fn is_endless(&self) -> bool {
        self.rows.load(Ordering::Relaxed) > self.most
    }

    /// Ends the session once it stands still, or has done far more than it was asked for.
    pub(super) async fn stop_where_it_fails(self: Arc<Self>, cancel: CancellationToken) {
        let look = Duration::from_millis(200).min(self.patience);
        let (mut known, mut still) = (0, Duration::ZERO);
        while still < self.patience && !self.is_endless() {
            tokio::time::sleep(look).await;
            let rows = self.rows.load(Ordering::Relaxed);
            still = if rows == known { still + look } else { Duration::ZERO };
            known = rows;
        }
        cancel.cancel();
    }

    /// Why it was ended.
    pub(super) fn why(&self) -> String {
        if self.is_endless() {
            return format!("the session did not come to an end: it was given up after {} rows", self.most);
        }
        format!("the session did not come to an end: nothing happened for {} s", self.patience.as_secs())
    }
}
