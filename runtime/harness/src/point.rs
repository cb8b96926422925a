//! Lifecycle points: the closed list of places where contributors take part, one trait a duty.
//!
//! Contributors run in registration order. Each trait states how several of them combine (accumulate, first claim,
//! later wins, wrap) and what happens when one fails. A failure is always reported in the record under the
//! contributor's name; it never ends the session.

mod agent;
mod authorize;
mod command;
mod input;
mod request;
mod session;
mod surface;
mod tool;

pub use agent::{Subagent, SubagentRequest};
pub use authorize::{Authorization, AuthorizationRequest};
pub use command::{Command, CommandAnswer, CommandCall, CommandSpec};
pub use input::{Append, ClaimedInput, PendingRow, TurnInput};
pub use request::{Assembly, Context, ContextBlock, ModelStep, Section, ToolOffer};
pub use session::{SessionInfo, SessionLifecycle, TurnFacts, TurnLifecycle, TurnOutcome};
pub use surface::{Site, Surface};
pub use tool::{LoggedCall, PendingCall, ProposedCall, ToolLifecycle, ToolOutcome};
