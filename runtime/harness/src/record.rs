//! The append-only session log, the only source of truth.
//!
//! JSON Lines: one [`Row`] a line, numbered without gaps, each holding the SHA-256 of the line before it. A row is
//! written, flushed and synced before anyone acts on it. [`Record`] writes, [`read`] reads; [`crate::fold`] derives
//! everything else.

mod data;
mod error;
mod line;
mod reader;
mod row;
mod writer;

pub mod kind;

pub use data::{
    AppendedRow, AskedCall, AssistantMessage, CommandRun, CommandStart, CompactMessage, CompactRow, ContextRow,
    ModelAnswerRow, ModelAskRow, PermissionRow, RequestHeader, SentRow, SessionEndRow, SessionStartRow, ToolAmend,
    ToolAttempt, ToolCallRow, ToolDrop, ToolResultRow, TurnEndRow, TurnStartRow, UserDropped, UserMessage,
};
pub use error::RecordError;
pub use line::{GENESIS, decode, digest, encode};
pub use reader::{Loaded, Recovered, read, read_bytes};
pub use row::{By, Row};
pub use writer::{Clock, Record};
