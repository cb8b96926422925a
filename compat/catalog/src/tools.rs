//! Built-in tools: names, arguments, and what their results look like.

use std::sync::{LazyLock, OnceLock};

use modgate_value::Value;
use serde::Deserialize;

use crate::check::{Code, Refusal};
use crate::event::types;
use crate::nearest;
use crate::shape::{self, Field, Shape};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: &'static str,
    input: &'static str,
    output: Option<&'static str>,
}

/// One built-in tool.
#[derive(Debug)]
pub struct Tool {
    /// `Bash`.
    pub name: &'static str,
    /// Its arguments, in the shape language.
    pub input_text: &'static str,
    /// Its result, in the shape language, where one is published.
    pub output_text: Option<&'static str>,
    input: OnceLock<Vec<Field>>,
    output: OnceLock<Option<Shape>>,
}

impl Tool {
    fn new(row: Row) -> Tool {
        Tool {
            name: row.name,
            input_text: row.input,
            output_text: row.output,
            input: OnceLock::new(),
            output: OnceLock::new(),
        }
    }

    /// Its arguments.
    pub fn arguments(&self) -> &[Field] {
        self.input.get_or_init(|| shape::parse_fields(self.input_text, types()).unwrap_or_default())
    }

    /// What a result looks like, where that is known.
    pub fn output(&self) -> Option<&Shape> {
        self.output.get_or_init(|| self.output_text.and_then(|text| shape::parse(text, types()).ok())).as_ref()
    }

    /// Checks a result that a mod put in place of the tool's own.
    ///
    /// # Errors
    /// It does not have the shape that readers of this tool's results count on.
    pub fn check_result(&self, result: &Value) -> Result<(), Refusal> {
        let Some(shape) = self.output() else { return Ok(()) };
        shape.check(Some(result)).map_err(|fault| {
            Refusal::fault(Code::Answer, &format!("the result does not match the output of {}: ", self.name), fault)
        })
    }
}

fn read() -> serde_json::Result<Vec<Tool>> {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../data/tools.json"))?;
    Ok(rows.into_iter().map(Tool::new).collect())
}

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| read().unwrap_or_default());

/// All built-in tools, sorted by name.
pub fn tools() -> &'static [Tool] {
    &TOOLS
}

/// The built-in tool of that name.
pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.binary_search_by_key(&name, |tool| tool.name).ok().map(|at| &TOOLS[at])
}

/// Server and tool of a name like `mcp__server__tool`.
pub fn mcp_parts(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

/// The built-in tool whose name is most like this one, where one is near enough to be meant.
pub fn nearest_tool(name: &str) -> Option<&'static str> {
    nearest(name, TOOLS.iter().map(|tool| tool.name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_source_can_be_read() {
        let tools = read().unwrap();
        assert!(tools.iter().map(|tool| tool.name).is_sorted());
        for tool in &tools {
            shape::parse_fields(tool.input_text, types()).unwrap_or_else(|error| panic!("{}: {error}", tool.name));
            if let Some(text) = tool.output_text {
                shape::parse(text, types()).unwrap_or_else(|error| panic!("{}: {error}", tool.name));
            }
        }
    }

    #[test]
    fn tools_of_the_harness_are_known() {
        for name in ["AskUserQuestion", "Bash", "Edit", "Glob", "Grep", "MultiEdit", "Read", "TodoWrite", "Write"] {
            assert!(tool(name).is_some(), "{name}");
        }
        assert!(tool("Nothing").is_none());
        let names: Vec<_> = tool("Bash").unwrap().arguments().iter().map(|field| field.name).collect();
        assert_eq!(names, ["command", "timeout", "description", "run_in_background", "dangerouslyDisableSandbox"]);
        assert!(tool("Grep").unwrap().arguments().iter().any(|field| field.name == "-n"));
    }

    #[test]
    fn results_are_checked() {
        let check = |name: &str, result: serde_json::Value| tool(name).unwrap().check_result(&Value::from(result));
        assert!(check("Bash", json!({"stdout": "x", "stderr": "", "interrupted": false})).is_ok());
        let refusal = check("Bash", json!("text")).unwrap_err();
        assert!(refusal.message.contains("does not match the output of Bash"), "{refusal}");
        assert_eq!(
            check("Bash", json!({"stdout": 1, "stderr": "", "interrupted": false})).unwrap_err().path.as_deref(),
            Some("stdout")
        );
        assert!(check("Skill", json!("anything")).is_ok(), "no output is published");
        assert!(check("Read", json!({"type": "text", "file": {}})).is_ok());
    }

    #[test]
    fn names_of_server_tools() {
        assert_eq!(mcp_parts("mcp__files__read_all"), Some(("files", "read_all")));
        assert_eq!(mcp_parts("mcp__a__b__c"), Some(("a", "b__c")));
        assert_eq!(mcp_parts("mcp__a"), None);
        assert_eq!(mcp_parts("Bash"), None);
        assert_eq!(nearest_tool("bash"), Some("Bash"));
        assert_eq!(nearest_tool("WriteFile"), Some("Write"));
    }
}
