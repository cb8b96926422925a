use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::error::HarnessError;
use crate::point::PendingRow;
use crate::record::{By, Row, kind};
use crate::report::Report;

use super::core::{Core, to_value};

/// The fields of each content row that nobody may change. Rows of other kinds are not offered at all.
fn pinned(kind_name: &str) -> Option<&'static [&'static str]> {
    match kind_name {
        kind::USER_MESSAGE => Some(&["turnId", "origin", "typed"]),
        kind::CONTEXT => Some(&["callId"]),
        kind::ASSISTANT_MESSAGE => Some(&["turnId", "step", "calls", "usage", "model", "stopReason", "agentId"]),
        kind::TOOL_RESULT => Some(&["callId", "tool", "executed", "interrupted", "denied", "state", "replaced"]),
        kind::COMMAND_RUN => Some(&["command", "origin"]),
        _ => None,
    }
}

impl Core {
    /// Appends a content row once the contributors have seen it.
    pub(super) async fn append<T>(self: &Arc<Self>, kind_name: &str, by: By, data: &T) -> Result<Row, HarnessError>
    where
        T: Serialize + for<'de> serde::Deserialize<'de>,
    {
        let mut row = PendingRow { kind: kind_name.to_owned(), by, data: to_value(data) };
        if let Some(pinned) = pinned(kind_name) {
            let handle = self.handle();
            for one in self.registry.append() {
                let mut proposed = row.clone();
                match one.it.append(&mut proposed, &handle).await {
                    Err(error) => self.failed(&one.name, &error).await?,
                    Ok(()) => match refusal::<T>(&row.data, &proposed.data, pinned) {
                        None => row.data = proposed.data,
                        Some(report) => {
                            self.report(By::Mod(one.name.to_string()), &report).await?;
                        }
                    },
                }
            }
        }
        self.write(&row.kind, row.by, row.data).await
    }
}

/// Why a changed row is not taken over.
fn refusal<T: for<'de> serde::Deserialize<'de>>(old: &Value, new: &Value, pinned: &[&str]) -> Option<Report> {
    if let Some(field) = pinned.iter().find(|field| old.get(**field) != new.get(**field)) {
        let mut report =
            Report::new("row-pinned", format!("the field `{field}` of a row is pinned; the row stays as it was"));
        let value = |from: &Value| from.get(*field).cloned().unwrap_or_default();
        report.changes.push(crate::report::Change { path: format!("$.{field}"), old: value(old), new: value(new) });
        return Some(report);
    }
    let error = T::deserialize(new).err()?;
    Some(Report::new("row-shape", format!("the changed row has the wrong shape ({error}); it stays as it was")))
}
