//! What a session came to, counted from its record.

use modgate_harness::record::{Row, kind};
use serde::Serialize;

use crate::render::counted;

/// The sums of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Summary {
    /// Mods that took part.
    pub(crate) mods: usize,
    /// Committed calls.
    pub(crate) calls: usize,
    /// Calls that a person, a rule or a mod refused.
    pub(crate) refused: usize,
    /// Committed calls of which nobody knows the end.
    pub(crate) lost: usize,
    /// Reports about mods.
    pub(crate) reports: usize,
}

impl Summary {
    /// Counts.
    pub(crate) fn of(rows: &[Row], mods: usize) -> Summary {
        let of_kind = |wanted: &'static str| rows.iter().filter(move |row| row.kind == wanted);
        let calls = of_kind(kind::TOOL_CALL).count();
        let results = of_kind(kind::TOOL_RESULT).count();
        let interrupted = of_kind(kind::TOOL_RESULT)
            .filter(|row| row.data.get("interrupted").and_then(serde_json::Value::as_bool).unwrap_or(false))
            .count();
        Summary {
            mods,
            calls,
            refused: of_kind(kind::TOOL_RESULT).filter(|row| row.data.get("denied").is_some()).count(),
            lost: calls.saturating_sub(results) + interrupted,
            reports: of_kind(kind::MOD_REPORT).count(),
        }
    }

    /// In one line.
    pub(crate) fn line(&self) -> String {
        let Summary { mods, calls, refused, lost, reports } = *self;
        let (mods, calls, reports) = (counted(mods, "mod"), counted(calls, "call"), counted(reports, "report"));
        format!("{mods}, {calls}, {refused} refused, {lost} lost, {reports}")
    }
}
