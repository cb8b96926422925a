use async_trait::async_trait;
use serde_json::{Value, json};

use super::file::{check_seen, file_path, read_text, replace};
use super::patch::{patch_schema, structured_patch};
use super::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec};

/// Replaces one text in a file.
pub struct Edit {
    spec: ToolSpec,
    shape: Shape,
}

impl Edit {
    /// The tool.
    pub fn new() -> Edit {
        let spec = ToolSpec {
            name: "Edit".into(),
            description:
                "Replaces `old_string` by `new_string` in a file that was read. `old_string` must occur exactly \
                          once, unless `replace_all` is set. An empty `old_string` makes a new file."
                    .into(),
            input_schema: json!({ "type": "object", "additionalProperties": false,
                "required": ["file_path", "old_string", "new_string"],
                "properties": {
                    "file_path": { "type": "string", "minLength": 1 },
                    "old_string": { "type": "string" },
                    "new_string": { "type": "string" },
                    "replace_all": { "type": "boolean" },
                },
            }),
            output_schema: Some(edit_schema()),
            effect: Effect::Edits,
        };
        let shape = Shape::new(&spec);
        Edit { spec, shape }
    }
}

impl Default for Edit {
    fn default() -> Edit {
        Edit::new()
    }
}

fn edit_schema() -> Value {
    json!({ "type": "object",
        "required": ["filePath", "oldString", "newString", "originalFile", "structuredPatch", "userModified", "replaceAll"],
        "properties": {
            "filePath": { "type": "string" }, "oldString": { "type": "string" }, "newString": { "type": "string" },
            "originalFile": { "type": ["string", "null"] }, "structuredPatch": patch_schema(),
            "userModified": { "type": "boolean" }, "replaceAll": { "type": "boolean" },
        },
    })
}

#[async_trait]
impl Tool for Edit {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    async fn run(&self, input: &Value, context: &ToolContext) -> ToolOutput {
        let path = file_path(input, context);
        let change = Replacement::of(input);
        let before = match read_text(&path, context).await {
            Ok(before) => before,
            Err(reason) => return ToolOutput::error(reason),
        };
        let after = match &before {
            None if change.old.is_empty() => Ok(change.new.to_owned()),
            None => return ToolOutput::error(format!("{} does not exist.", path.display())),
            Some(file) => match check_seen(file, context) {
                Ok(()) => change.apply(&file.text),
                Err(refusal) => return refusal,
            },
        };
        let after = match after {
            Ok(after) => after,
            Err(reason) => return ToolOutput::error(format!("{}: {reason}", path.display())),
        };
        if let Err(reason) = replace(&path, &after).await {
            return ToolOutput::error(reason);
        }
        context.state.saw(&path, after.as_bytes());
        let original = before.map(|file| file.text);
        let result = json!({
            "filePath": path.to_string_lossy(), "oldString": change.old, "newString": change.new,
            "structuredPatch": structured_patch(original.as_deref().unwrap_or_default(), &after),
            "originalFile": original, "userModified": false, "replaceAll": change.all,
        });
        ToolOutput { text: self.render(&result), result, is_error: false }
    }

    fn render(&self, result: &Value) -> String {
        format!("Edited {}.", result["filePath"].as_str().unwrap_or_default())
    }
}

/// One replacement in a text.
pub(super) struct Replacement<'a> {
    pub(super) old: &'a str,
    pub(super) new: &'a str,
    pub(super) all: bool,
}

impl Replacement<'_> {
    pub(super) fn of(input: &Value) -> Replacement<'_> {
        let text = |key: &str| input.get(key).and_then(Value::as_str).unwrap_or_default();
        let all = input.get("replace_all").and_then(Value::as_bool).unwrap_or_default();
        Replacement { old: text("old_string"), new: text("new_string"), all }
    }

    /// The text after it. The error is for the model.
    pub(super) fn apply(&self, text: &str) -> Result<String, String> {
        if self.old == self.new {
            return Err("`old_string` and `new_string` are the same".into());
        }
        if self.old.is_empty() {
            return match text.trim().is_empty() {
                true => Ok(self.new.to_owned()),
                false => Err("`old_string` is empty, and the file is not".into()),
            };
        }
        match text.matches(self.old).count() {
            0 => Err("`old_string` does not occur".into()),
            1 => Ok(text.replacen(self.old, self.new, 1)),
            _ if self.all => Ok(text.replace(self.old, self.new)),
            many => {
                Err(format!("`old_string` occurs {many} times; give more of its surroundings or set `replace_all`"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(old: &str, new: &str, all: bool, text: &str) -> Result<String, String> {
        Replacement { old, new, all }.apply(text)
    }

    #[test]
    fn a_text_that_occurs_twice_needs_replace_all() {
        assert!(apply("a", "b", false, "a a").unwrap_err().contains("2 times"));
        assert_eq!(apply("a", "b", true, "a a").unwrap(), "b b");
    }

    #[test]
    fn what_does_not_occur_is_no_edit() {
        assert!(apply("x", "y", true, "abc").is_err());
        assert!(apply("abc", "abc", false, "abc").is_err());
        assert!(apply("", "abc", false, "text").is_err());
    }
}
