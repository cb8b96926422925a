//! JSON: one document, its reports written as they come. `docs/validate-json.md` describes it.

use std::io::{self, Write};

use super::{Checked, Totals};
use crate::cli::JudgeArgs;
use crate::wire;
use crate::wire::report::{Report, Summary};

/// Everything up to the first report.
pub(crate) fn head(judge: &JudgeArgs, out: &mut dyn Write) -> io::Result<()> {
    let hosts: Vec<String> = judge.hosts.iter().map(ToString::to_string).collect();
    writeln!(
        out,
        "{{\"schema\":{},\"modgate\":\"{}\",\"strict\":{},\"hosts\":{},\"reports\":[",
        wire::SCHEMA,
        env!("CARGO_PKG_VERSION"),
        judge.strict,
        serde_json::to_string(&hosts)?,
    )
}

/// One report.
pub(crate) fn report(checked: &Checked) -> String {
    // The wire types hold nothing that JSON cannot.
    serde_json::to_string(&Report::from(checked)).unwrap_or_default()
}

/// Everything behind the last report.
pub(crate) fn tail(totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
    let summary = serde_json::to_string(&Summary::from(totals))?;
    writeln!(out, "\n],\"success\":{},\"summary\":{summary}}}", totals.refused == 0)
}
