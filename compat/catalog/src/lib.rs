//! What a mod can meet: every event, every member of `$`, every element, tool and host, as reviewed data, and the
//! checks of what crosses between a mod and its host.
//!
//! The data lives in `data/`; the program 2.1.332 is the authority for it. Nothing here runs a mod or touches a file.

pub mod check;
pub mod elements;
pub mod event;
pub mod hosts;
pub mod matcher;
pub mod member;
mod nearest;
pub mod pattern;
pub mod shape;
mod tables;
pub mod tools;

pub use event::{Event, EventClass, EventKind, OLDEST, event, event_namespaces, events, nearest_event, noun_event};
pub use hosts::{EventStatus, HostProfile, host, hosts};
pub use member::{Member, MemberKind, member, member_namespaces, members, namespaces, nearest_member};
pub(crate) use nearest::nearest;
pub use shape::{Fault, Field, Shape};
pub use tables::tables_markdown;

/// The catalog is read once and lives as long as the program.
pub(crate) fn leak(text: String) -> &'static str {
    text.leak()
}
