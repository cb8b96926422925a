//! The three readers of a record: [`history`] (what the model is sent), [`audit`] (who did what), [`presentation`]
//! (what a person sees). Each is a fold of the rows and of nothing else; none executes anything.

mod audit;
mod calls;
mod history;
mod presentation;

pub use audit::{Audit, AuditEntry, CallAudit, Execution, audit};
pub use history::{Block, Message, Role, history, reminder};
pub(crate) use history::{History, with_blocks};
pub use presentation::{Item, presentation};
