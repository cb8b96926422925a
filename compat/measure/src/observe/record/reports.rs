//! Reports and receipts of a record, sorted by what they mean for a comparison.

use serde_json::Value;

use modgate_harness::record::{By, Row, kind};
use modgate_harness::report::Report;

use super::super::{Gap, GapKind, Skip};

/// Reports that say that a hook was passed over. Others say that something was limited, or done in another way.
const SKIPS: &[&str] = &[
    "hook-threw",
    "hook-timeout",
    "hook-answer",
    "call-rewritten",
    "call-rerouted",
    "call-changed",
    "tool-changed",
    "denied-late",
];

#[derive(Debug, Default)]
pub(super) struct Sorted {
    pub(super) skipped: Vec<Skip>,
    pub(super) gaps: Vec<Gap>,
    pub(super) others: Vec<Skip>,
}

pub(super) fn sorted(rows: &[Row]) -> Sorted {
    let mut sorted = Sorted::default();
    for row in rows {
        let name = match &row.by {
            By::Mod(name) => name.clone(),
            other => other.to_string(),
        };
        match row.kind.as_str() {
            kind::MOD_REPORT => sorted.report(name, row),
            kind::MOD_RECEIPT if row.text_at("code") == Some("no-implementation") => {
                let of = row.text_at("call").unwrap_or_default().to_owned();
                sorted.gap(Gap { kind: GapKind::Member, name, of, position: None });
            }
            _ => {}
        }
    }
    sorted
}

impl Sorted {
    fn report(&mut self, name: String, row: &Row) {
        let Some(report) = row.parse::<Report>() else { return };
        let event = report.details.get("event").and_then(Value::as_str).unwrap_or_default().to_owned();
        let position = report.position.clone();
        match report.code.as_str() {
            "event-never-raised" => self.gap(Gap { kind: GapKind::Event, name, of: event, position }),
            "event-not-played" => self.gap(Gap { kind: GapKind::Limit, name, of: event, position }),
            "mod-not-loaded" => self.gap(Gap { kind: GapKind::Load, name, of: String::new(), position }),
            code => {
                let list = if SKIPS.contains(&code) { &mut self.skipped } else { &mut self.others };
                let (code, reason) = (Some(report.code.clone()), Some(report.message.clone()));
                list.push(Skip { name, event, call_id: report.call_id.clone(), code, reason, position });
            }
        }
    }

    /// A gap counts once, however often a mod falls into it.
    fn gap(&mut self, gap: Gap) {
        let known = |other: &Gap| (other.kind, &other.name, &other.of) == (gap.kind, &gap.name, &gap.of);
        if !self.gaps.iter().any(known) {
            self.gaps.push(gap);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: &str, data: Value) -> Row {
        let time = "2026-01-01T00:00:00.000Z".into();
        Row { seq: 0, time, kind: kind.into(), by: By::Mod("m".into()), prev: String::new(), data }
    }

    fn report(code: &str, event: &str) -> Row {
        let data = serde_json::json!({
            "code": code, "message": "why", "callId": "c", "position": "register.ts:2:3", "details": { "event": event },
        });
        row(kind::MOD_REPORT, data)
    }

    #[test]
    fn reports_are_sorted_by_what_they_mean() {
        let receipt = |code: &str| row(kind::MOD_RECEIPT, serde_json::json!({ "call": "mcp.call", "code": code }));
        let rows = [
            report("hook-threw", "tool.call"),
            report("next-repeated", "tool.call"),
            report("event-never-raised", "ui.render"),
            report("mod-not-loaded", ""),
            receipt("no-implementation"),
            receipt("no-implementation"),
            receipt("grant-missing"),
        ];
        let sorted = sorted(&rows);
        let skip = &sorted.skipped[0];
        assert_eq!((skip.name.as_str(), skip.event.as_str(), sorted.skipped.len()), ("m", "tool.call", 1));
        assert_eq!((skip.call_id.as_deref(), skip.position.as_deref()), (Some("c"), Some("register.ts:2:3")));
        assert_eq!(sorted.others[0].code.as_deref(), Some("next-repeated"));
        let gaps: Vec<_> = sorted.gaps.iter().map(|gap| (gap.kind, gap.of.as_str())).collect();
        assert_eq!(gaps, [(GapKind::Event, "ui.render"), (GapKind::Load, ""), (GapKind::Member, "mcp.call")]);
    }
}
