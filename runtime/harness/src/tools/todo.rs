use async_trait::async_trait;
use serde_json::{Value, json};

use super::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec};

/// Keeps the task list.
pub struct TodoWrite {
    spec: ToolSpec,
    shape: Shape,
}

impl TodoWrite {
    /// The tool.
    pub fn new() -> TodoWrite {
        let todos = json!({ "type": "array", "items": {
            "type": "object", "additionalProperties": false, "required": ["content", "status", "activeForm"],
            "properties": {
                "content": { "type": "string", "minLength": 1 },
                "status": { "enum": ["pending", "in_progress", "completed"] },
                "activeForm": { "type": "string", "minLength": 1 },
            },
        }});
        let spec = ToolSpec {
            name: "TodoWrite".into(),
            description: "Replaces the task list of the session.".into(),
            input_schema: json!({ "type": "object", "additionalProperties": false, "required": ["todos"],
                "properties": { "todos": todos } }),
            output_schema: Some(json!({ "type": "object", "required": ["oldTodos", "newTodos"],
                "properties": { "oldTodos": todos, "newTodos": todos } })),
            effect: Effect::None,
        };
        let shape = Shape::new(&spec);
        TodoWrite { spec, shape }
    }
}

impl Default for TodoWrite {
    fn default() -> TodoWrite {
        TodoWrite::new()
    }
}

#[async_trait]
impl Tool for TodoWrite {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    async fn run(&self, input: &Value, context: &ToolContext) -> ToolOutput {
        let new = input.get("todos").cloned().unwrap_or_default();
        let result = json!({ "oldTodos": context.state.todos(), "newTodos": new });
        context.state.set_todos(new);
        ToolOutput { text: self.render(&result), result, is_error: false }
    }

    fn render(&self, result: &Value) -> String {
        let todos = result["newTodos"].as_array();
        let open = todos.into_iter().flatten().filter(|todo| todo["status"] != "completed").count();
        format!("The task list has {} entries, {open} of them open.", todos.map_or(0, Vec::len))
    }
}
