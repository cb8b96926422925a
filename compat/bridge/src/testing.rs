//! Runs the tests that mods ship, against `claude-code/testing`.
//!
//! A test file has an isolate of its own; each test gets the mod under test, and the plugins it lists, in fresh ones.
//! There is no host: what nobody stubs rejects. A test is passed only when its body ended well, no expectation failed
//! anywhere, no stub answered in a wrong shape, and the mods it needs did load.

mod case;
mod comparison;
mod core;
mod file;
mod gate;
mod kit;
mod mount;
pub(crate) mod options;
mod rejections;
mod run;

pub use case::{CaseResult, Problem};
pub use comparison::Comparison;
pub use file::{FileResult, run_file, test_files};
pub use run::{Done, Job, run};

use std::sync::Arc;
use std::time::Duration;

use modgate_engine::{Limits, Spares};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::policy::Policy;

/// How tests are run.
#[derive(Clone)]
pub struct TestOptions {
    /// The host whose rules hold.
    pub policy: Policy,
    /// Which tests, by their title.
    pub selects: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    /// Limits of every isolate.
    pub limits: Limits,
    /// For timers.
    pub runtime: Handle,
    /// Isolates made ahead of the tests that will use them.
    pub spares: Option<Arc<Spares>>,
    /// Time for a file to declare its tests.
    pub load: Duration,
    /// Ends the run: tests that are not over then are left out of the results.
    pub stop: CancellationToken,
    /// Told of every test that is over, from whichever thread it ended on.
    pub progress: Arc<dyn Fn(&CaseResult) + Send + Sync>,
}

impl TestOptions {
    /// Every test, under that policy.
    pub fn new(policy: Policy, runtime: Handle) -> TestOptions {
        modgate_engine::count_own_time();
        TestOptions {
            policy,
            selects: Arc::new(|_| true),
            limits: Limits::default(),
            runtime,
            spares: None,
            load: Duration::from_secs(30),
            stop: CancellationToken::new(),
            progress: Arc::new(|_| {}),
        }
    }
}
