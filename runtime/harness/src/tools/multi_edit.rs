use async_trait::async_trait;
use serde_json::{Value, json};

use super::edit::Replacement;
use super::file::{check_seen, file_path, read_text, replace};
use super::patch::{patch_schema, structured_patch};
use super::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec};

/// Replaces several texts in one file, all or none.
pub struct MultiEdit {
    spec: ToolSpec,
    shape: Shape,
}

impl MultiEdit {
    /// The tool.
    pub fn new() -> MultiEdit {
        let spec = ToolSpec {
            name: "MultiEdit".into(),
            description: "Does several replacements in one file that was read, one after the other, all or none."
                .into(),
            input_schema: json!({ "type": "object", "additionalProperties": false, "required": ["file_path", "edits"],
                "properties": {
                    "file_path": { "type": "string", "minLength": 1 },
                    "edits": { "type": "array", "minItems": 1, "items": {
                        "type": "object", "additionalProperties": false, "required": ["old_string", "new_string"],
                        "properties": {
                            "old_string": { "type": "string" },
                            "new_string": { "type": "string" },
                            "replace_all": { "type": "boolean" },
                        },
                    }},
                },
            }),
            output_schema: Some(json!({ "type": "object",
                "required": ["filePath", "edits", "originalFileContents", "structuredPatch", "userModified"],
                "properties": {
                    "filePath": { "type": "string" }, "edits": { "type": "array", "items": { "type": "object" } },
                    "originalFileContents": { "type": ["string", "null"] }, "structuredPatch": patch_schema(),
                    "userModified": { "type": "boolean" },
                },
            })),
            effect: Effect::Edits,
        };
        let shape = Shape::new(&spec);
        MultiEdit { spec, shape }
    }
}

impl Default for MultiEdit {
    fn default() -> MultiEdit {
        MultiEdit::new()
    }
}

#[async_trait]
impl Tool for MultiEdit {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    async fn run(&self, input: &Value, context: &ToolContext) -> ToolOutput {
        let path = file_path(input, context);
        let before = match read_text(&path, context).await {
            Ok(before) => before,
            Err(reason) => return ToolOutput::error(reason),
        };
        if let Some(Err(refusal)) = before.as_ref().map(|file| check_seen(file, context)) {
            return refusal;
        }
        let original = before.map(|file| file.text);
        let edits = input.get("edits").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut text = original.clone().unwrap_or_default();
        for (index, edit) in edits.iter().enumerate() {
            match Replacement::of(edit).apply(&text) {
                Ok(after) => text = after,
                Err(reason) => {
                    let place = format!("{}: edit {}", path.display(), index + 1);
                    return ToolOutput::error(format!("{place}: {reason}. Nothing was changed."));
                }
            }
        }
        if let Err(reason) = replace(&path, &text).await {
            return ToolOutput::error(reason);
        }
        context.state.saw(&path, text.as_bytes());
        let result = json!({
            "filePath": path.to_string_lossy(), "edits": edits,
            "structuredPatch": structured_patch(original.as_deref().unwrap_or_default(), &text),
            "originalFileContents": original, "userModified": false,
        });
        ToolOutput { text: self.render(&result), result, is_error: false }
    }

    fn render(&self, result: &Value) -> String {
        let edits = result["edits"].as_array().map_or(0, Vec::len);
        format!("Did {edits} edits in {}.", result["filePath"].as_str().unwrap_or_default())
    }
}
