//! Scenarios: a file that stands for model and person, with files to begin with and expectations.
//!
//! [`Scenario::parse`] reads one, [`run`] plays it, [`resume`] goes on from its record, [`check`] compares what
//! happened with what was expected. The format is described in `docs/scenarios.md`.

mod check;
mod error;
mod expect;
mod model;
mod parse;
mod person;
mod run;
mod scenario;

pub use check::{Mismatch, check};
pub use error::{RunError, ScenarioError};
pub use expect::{Expect, ExpectedFile, ExpectedResult, ExpectedRow, FileCondition};
pub use model::ScriptedModel;
pub use person::ScriptedPerson;
pub use run::{RunOptions, RunOutcome, resume, run};
pub use scenario::{
    AgentScript, Failure, FileContent, PermissionScript, PersonAnswer, PersonDecision, PromptScript, QuestionScript,
    ReplyScript, Scenario, ScriptedCall, Step,
};
