//! Measured, not believed: what hosts do with the same mod, read from what they did.
//!
//! A scenario stands for model and person. [`server`] plays its model to a real program over loopback, [`driver`] runs
//! the program in a throwaway home and a copy of the working directory, and [`Observation`] is what was seen: asked,
//! executed, recorded, read back. The same type is filled from a record of the native harness
//! ([`Observation::from_record`]), so that [`compare()`] and [`align`] put hosts side by side whether they were run or
//! measured. [`render`] writes the outcome for people, programs and browsers.

pub mod case;
pub mod compare;
pub mod driver;
mod error;
pub mod facts;
pub mod observe;
pub mod render;
pub mod server;

pub use case::{Case, Measured};
pub use compare::{
    Comparison, Difference, DifferenceKind, HostRun, Line, Outcome, Severity, Verdict, align, compare, findings,
};

pub use driver::{DriveOptions, Measurement, claude_code, codex, measure};
pub use error::MeasureError;
pub use observe::{Action, CallSeen, Observation};
