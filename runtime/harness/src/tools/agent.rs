use async_trait::async_trait;
use serde_json::{Value, json};

use crate::record::By;
use crate::session::Spawn;

use super::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec};

/// Starts a nested loop with a task of its own and gives its last text.
pub struct Agent {
    spec: ToolSpec,
    shape: Shape,
}

impl Agent {
    /// The tool.
    pub fn new() -> Agent {
        let text = || json!({ "type": "string", "minLength": 1 });
        let spec = ToolSpec {
            name: "Agent".into(),
            description: "Hands a task to a loop of its own and gives the last thing it says.".into(),
            input_schema: json!({ "type": "object", "required": ["description", "prompt"], "properties": {
                "description": text(), "prompt": text(), "subagent_type": text(), "name": text(),
                "model": { "type": "string" }, "run_in_background": { "type": "boolean" },
            }}),
            output_schema: Some(json!({ "type": "object", "required": ["status"],
                "properties": { "status": { "type": "string" } } })),
            effect: Effect::None,
        };
        let shape = Shape::new(&spec);
        Agent { spec, shape }
    }
}

impl Default for Agent {
    fn default() -> Agent {
        Agent::new()
    }
}

/// The loop that a call asks for.
fn spawn_of(input: &Value, context: &ToolContext) -> Spawn {
    let text = |field: &str| input[field].as_str().map(str::to_owned);
    let kind = text("subagent_type").unwrap_or_else(|| "general-purpose".into());
    Spawn {
        by: By::Model,
        name: text("name").unwrap_or_else(|| kind.clone()),
        kind,
        description: text("description").unwrap_or_default(),
        prompt: text("prompt").unwrap_or_default(),
        model: text("model"),
        call_id: Some(context.call_id.clone()),
        parent: context.agent_id.clone(),
    }
}

#[async_trait]
impl Tool for Agent {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    async fn run(&self, input: &Value, context: &ToolContext) -> ToolOutput {
        let spawn = spawn_of(input, context);
        let (prompt, kind) = (spawn.prompt.clone(), spawn.kind.clone());
        let facts = |status: &str, agent_id: &str, model: &str| {
            json!({
                "status": status, "agentId": agent_id, "agentType": kind, "prompt": prompt, "resolvedModel": model,
            })
        };
        if input["run_in_background"].as_bool() == Some(true) {
            return match context.session.start_agent(spawn).await {
                Ok(started) => {
                    let result = facts("started", &started.agent_id, &started.model);
                    ToolOutput { text: self.render(&result), result, is_error: false }
                }
                Err(error) => ToolOutput::error(format!("The agent was not started: {error}")),
            };
        }
        match context.session.spawn_agent(spawn).await {
            Ok(answer) if answer.reason == "answer" => {
                let mut result = facts("completed", &answer.agent_id, &answer.model);
                result["content"] = json!([{ "type": "text", "text": answer.answer }]);
                ToolOutput { text: self.render(&result), result, is_error: false }
            }
            Ok(answer) => ToolOutput::error(format!("The agent did not come to an answer: {}", answer.reason)),
            Err(error) => ToolOutput::error(format!("The agent was not started: {error}")),
        }
    }

    fn render(&self, result: &Value) -> String {
        let parts = result["content"].as_array().into_iter().flatten();
        let texts: Vec<&str> = parts.filter_map(|part| part["text"].as_str()).collect();
        if texts.is_empty() {
            let id = result["agentId"].as_str().unwrap_or_default();
            return format!("The agent {id} is at work; its answer will not be waited for.");
        }
        texts.join("\n")
    }
}
