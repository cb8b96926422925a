//! A shell that runs nothing, for commands that nobody wrote down to be run.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::tools::{Shape, Tool, ToolContext, ToolOutput, ToolSpec, standard};
use serde_json::{Value, json};

/// The standard tools, with a shell that gives an empty output.
pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    let tools = standard().into_iter();
    tools.map(|tool| if tool.spec().name == "Bash" { Arc::new(Dry(tool)) as Arc<dyn Tool> } else { tool }).collect()
}

struct Dry(Arc<dyn Tool>);

#[async_trait]
impl Tool for Dry {
    fn spec(&self) -> &ToolSpec {
        self.0.spec()
    }

    fn shape(&self) -> &Shape {
        self.0.shape()
    }

    fn render(&self, result: &Value) -> String {
        self.0.render(result)
    }

    async fn run(&self, _input: &Value, _context: &ToolContext) -> ToolOutput {
        let result = json!({ "stdout": "", "stderr": "", "interrupted": false });
        ToolOutput { text: self.0.render(&result), result, is_error: false }
    }
}
