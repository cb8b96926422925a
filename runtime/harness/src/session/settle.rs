use serde_json::Value;

use crate::point::{LoggedCall, ToolOutcome};
use crate::record::ToolResultRow;
use crate::report::Report;
use crate::tools::Tool;

use super::execution::Bottom;

/// What a call's outcome becomes in the record, with a report where something in it was not taken.
pub(super) fn settle(
    call: &LoggedCall,
    outcome: ToolOutcome,
    bottom: &Bottom,
    tool: Option<&dyn Tool>,
    check: bool,
) -> (ToolResultRow, Option<Report>) {
    let given = bottom.outcomes.iter().find(|given| **given == outcome).or(bottom.outcomes.last());
    let replaced = given.is_none_or(|given| {
        (&given.result, &given.text, given.is_error) != (&outcome.result, &outcome.text, outcome.is_error)
    });
    let mut row = ToolResultRow {
        call_id: call.id.clone(),
        tool: call.tool.clone(),
        is_error: outcome.is_error,
        text: String::new(),
        result: outcome.result,
        denied: None,
        replaced,
        context: outcome.context.into_iter().filter(|text| !text.is_empty()).collect(),
        executed: bottom.executed.clone(),
        interrupted: false,
        state: Value::Null,
    };
    if let Some(reason) = outcome.deny {
        refuse(&mut row, reason);
        return (row, None);
    }
    let renamed = given.is_some_and(|given| given.text == outcome.text && given.result != row.result);
    row.text = match outcome.text {
        Some(text) if !renamed => text,
        _ => tool.map_or_else(|| row.result.to_string(), |tool| tool.render(&row.result)),
    };
    if replaced
        && check
        && !row.is_error
        && let Some(Err(problem)) = tool.map(|tool| tool.shape().output(&row.result))
    {
        row.is_error = true;
        row.text = format!("The result given for {} does not fit its output: {problem}", call.tool);
        let message = format!("a result was replaced by one that does not fit the output of {}: {problem}", call.tool);
        return (row, Some(Report::new("result-shape", message).about(call.id.clone()).refers(call.seq)));
    }
    (row, None)
}

fn refuse(row: &mut ToolResultRow, reason: String) {
    row.is_error = true;
    row.text = if row.executed.is_empty() {
        reason.clone()
    } else {
        format!("The tool ran, and its result was withheld: {reason}")
    };
    row.result = Value::String(row.text.clone());
    row.denied = Some(reason);
}
