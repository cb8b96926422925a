use async_trait::async_trait;
use serde_json::{Value, json};

use super::file::{check_seen, file_path, read_text, replace};
use super::patch::{patch_schema, structured_patch};
use super::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec};

/// Writes a whole file.
pub struct Write {
    spec: ToolSpec,
    shape: Shape,
}

impl Write {
    /// The tool.
    pub fn new() -> Write {
        let spec = ToolSpec {
            name: "Write".into(),
            description: "Writes a file as a whole. A file that exists has to be read first.".into(),
            input_schema: json!({ "type": "object", "additionalProperties": false,
                "required": ["file_path", "content"],
                "properties": {
                    "file_path": { "type": "string", "minLength": 1 },
                    "content": { "type": "string" },
                },
            }),
            output_schema: Some(json!({ "type": "object",
                "required": ["type", "filePath", "content", "structuredPatch", "originalFile"],
                "properties": {
                    "type": { "enum": ["create", "update"] }, "filePath": { "type": "string" },
                    "content": { "type": "string" }, "structuredPatch": patch_schema(),
                    "originalFile": { "type": ["string", "null"] },
                },
            })),
            effect: Effect::Edits,
        };
        let shape = Shape::new(&spec);
        Write { spec, shape }
    }
}

impl Default for Write {
    fn default() -> Write {
        Write::new()
    }
}

#[async_trait]
impl Tool for Write {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    async fn run(&self, input: &Value, context: &ToolContext) -> ToolOutput {
        let path = file_path(input, context);
        let content = input.get("content").and_then(Value::as_str).unwrap_or_default();
        let before = match read_text(&path, context).await {
            Ok(before) => before,
            Err(reason) => return ToolOutput::error(reason),
        };
        if let Some(Err(refusal)) = before.as_ref().map(|file| check_seen(file, context)) {
            return refusal;
        }
        if let Err(reason) = replace(&path, content).await {
            return ToolOutput::error(reason);
        }
        context.state.saw(&path, content.as_bytes());
        let original = before.map(|file| file.text);
        let patch = original.as_deref().map_or_else(|| json!([]), |old| structured_patch(old, content));
        let result = json!({
            "type": if original.is_some() { "update" } else { "create" },
            "filePath": path.to_string_lossy(), "content": content,
            "structuredPatch": patch, "originalFile": original,
        });
        ToolOutput { text: self.render(&result), result, is_error: false }
    }

    fn render(&self, result: &Value) -> String {
        let path = result["filePath"].as_str().unwrap_or_default();
        match result["type"].as_str() {
            Some("create") => format!("Created {path}."),
            _ => format!("Wrote {path}."),
        }
    }
}
