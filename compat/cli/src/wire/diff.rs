//! `modgate diff --json`.

use serde::Serialize;

use super::SCHEMA;
use super::report::At;
use crate::diff::{Change, Difference};
use crate::render::Checked;

/// What two versions do not have in common.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Diff<'a> {
    schema: u32,
    old: Version<'a>,
    new: Version<'a>,
    can_do_more: bool,
    more: Vec<WireChange<'a>>,
    less: Vec<WireChange<'a>>,
}

#[derive(Serialize)]
struct Version<'a> {
    target: &'a str,
    name: Option<&'a str>,
    version: Option<&'a str>,
    success: bool,
}

#[derive(Serialize)]
struct WireChange<'a> {
    kind: &'static str,
    name: &'a str,
    at: At<'a>,
}

impl<'a> Diff<'a> {
    /// The comparison of two versions.
    pub(crate) fn new(old: &'a Checked, new: &'a Checked, difference: &'a Difference) -> Diff<'a> {
        let changes = |changes: &'a [Change]| changes.iter().map(WireChange::from).collect();
        Diff {
            schema: SCHEMA,
            old: Version::from(old),
            new: Version::from(new),
            can_do_more: !difference.more.is_empty(),
            more: changes(&difference.more),
            less: changes(&difference.less),
        }
    }
}

impl<'a> From<&'a Checked> for Version<'a> {
    fn from(checked: &'a Checked) -> Version<'a> {
        Version {
            target: &checked.folder.shown,
            name: checked.report.name.as_deref(),
            version: checked.report.version.as_deref(),
            success: checked.report.is_accepted(),
        }
    }
}

impl<'a> From<&'a Change> for WireChange<'a> {
    fn from(change: &'a Change) -> WireChange<'a> {
        WireChange { kind: change.kind.key(), name: &change.name, at: At::from(&change.at) }
    }
}
