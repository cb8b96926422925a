use async_trait::async_trait;
use serde_json::{Value, json};

use super::file::{file_path, read_text};
use super::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec};

/// Reads a text file.
pub struct Read {
    spec: ToolSpec,
    shape: Shape,
}

impl Read {
    /// The tool.
    pub fn new() -> Read {
        let spec = ToolSpec {
            name: "Read".into(),
            description: "Reads a text file. Lines are numbered from 1. `offset` is the first line, `limit` how many."
                .into(),
            input_schema: json!({ "type": "object", "additionalProperties": false, "required": ["file_path"],
                "properties": {
                    "file_path": { "type": "string", "minLength": 1 },
                    "offset": { "type": "integer", "minimum": 0 },
                    "limit": { "type": "integer", "minimum": 1 },
                },
            }),
            output_schema: Some(json!({ "type": "object", "required": ["type", "file"], "properties": {
                "type": { "const": "text" },
                "file": { "type": "object", "required": ["filePath", "content", "numLines", "startLine", "totalLines"],
                    "properties": {
                        "filePath": { "type": "string" }, "content": { "type": "string" },
                        "numLines": { "type": "integer" }, "startLine": { "type": "integer" },
                        "totalLines": { "type": "integer" },
                    },
                },
            }})),
            effect: Effect::Reads,
        };
        let shape = Shape::new(&spec);
        Read { spec, shape }
    }
}

impl Default for Read {
    fn default() -> Read {
        Read::new()
    }
}

#[async_trait]
impl Tool for Read {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    async fn run(&self, input: &Value, context: &ToolContext) -> ToolOutput {
        let path = file_path(input, context);
        let file = match read_text(&path, context).await {
            Ok(Some(file)) => file,
            Ok(None) => return ToolOutput::error(format!("{} does not exist.", path.display())),
            Err(reason) => return ToolOutput::error(reason),
        };
        context.state.saw(&path, file.text.as_bytes());
        let number = |key: &str| input.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let first = number("offset").unwrap_or(1).max(1);
        let limit = number("limit").unwrap_or(context.limits.read_lines);
        let lines: Vec<&str> = file.text.lines().collect();
        let shown = lines.iter().skip(first - 1).take(limit);
        let shown: Vec<String> = shown.map(|line| cut(line, context.limits.line_chars)).collect();
        let result = json!({ "type": "text", "file": {
            "filePath": path.to_string_lossy(), "content": shown.join("\n"),
            "numLines": shown.len(), "startLine": first, "totalLines": lines.len(),
        }});
        ToolOutput { text: self.render(&result), result, is_error: false }
    }

    fn render(&self, result: &Value) -> String {
        let file = &result["file"];
        let start = file["startLine"].as_u64().unwrap_or(1);
        let content = file["content"].as_str().unwrap_or_default();
        if content.is_empty() {
            let total = file["totalLines"].as_u64().unwrap_or_default();
            return format!("(nothing from line {start} on; the file has {total} lines)");
        }
        let lines = content.lines().zip(start..).map(|(line, number)| format!("{number:>6}\t{line}"));
        lines.collect::<Vec<_>>().join("\n")
    }
}

fn cut(line: &str, limit: usize) -> String {
    let mut kept: String = line.chars().take(limit).collect();
    if kept.len() < line.len() {
        kept.push('…');
    }
    kept
}
