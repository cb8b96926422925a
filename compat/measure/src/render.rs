//! A comparison for people, programs and browsers.

mod html;
mod table;
mod text;

use serde_json::Value;

use crate::compare::Comparison;

pub use html::html;
pub use table::{MeasuredCase, markdown};
pub use text::{facts, limits, text};

/// The comparison as data: title, columns with verdict and differences, lines with a cell for each column.
pub fn json(comparison: &Comparison) -> Value {
    serde_json::to_value(comparison).unwrap_or_default()
}
