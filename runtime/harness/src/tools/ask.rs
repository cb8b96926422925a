use async_trait::async_trait;
use serde_json::{Map, Value, json};

use crate::person::Question;
use crate::record::By;

use super::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec};

/// Asks the person one to four questions with choices.
pub struct AskUserQuestion {
    spec: ToolSpec,
    shape: Shape,
}

impl AskUserQuestion {
    /// The tool.
    pub fn new() -> AskUserQuestion {
        let option = json!({ "type": "object", "required": ["label", "description"], "properties": {
            "label": { "type": "string", "minLength": 1 }, "description": { "type": "string" },
            "preview": { "type": "string" },
        }});
        let question = json!({ "type": "object", "required": ["question", "header", "options", "multiSelect"],
            "properties": {
                "question": { "type": "string", "minLength": 1 }, "header": { "type": "string" },
                "multiSelect": { "type": "boolean" },
                "options": { "type": "array", "minItems": 2, "maxItems": 4, "items": option },
            },
        });
        let questions = json!({ "type": "array", "minItems": 1, "maxItems": 4, "items": question });
        let spec = ToolSpec {
            name: "AskUserQuestion".into(),
            description: "Asks the person one to four questions with two to four choices each.".into(),
            input_schema: json!({ "type": "object", "required": ["questions"],
                "properties": { "questions": questions } }),
            output_schema: Some(json!({ "type": "object", "required": ["questions", "answers"],
                "properties": {
                    "questions": { "type": "array" },
                    "answers": { "type": "object", "additionalProperties": { "type": "string" } },
                } })),
            effect: Effect::None,
        };
        let shape = Shape::new(&spec);
        AskUserQuestion { spec, shape }
    }
}

impl Default for AskUserQuestion {
    fn default() -> AskUserQuestion {
        AskUserQuestion::new()
    }
}

fn question_of(value: &Value) -> Question {
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let options = value["options"].as_array().into_iter().flatten();
    Question {
        question: text("question"),
        header: text("header"),
        options: options.filter_map(|option| option["label"].as_str().map(str::to_owned)).collect(),
        multi_select: value["multiSelect"].as_bool().unwrap_or_default(),
    }
}

#[async_trait]
impl Tool for AskUserQuestion {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    async fn run(&self, input: &Value, context: &ToolContext) -> ToolOutput {
        let mut answers = Map::new();
        for value in input["questions"].as_array().into_iter().flatten() {
            let question = question_of(value);
            let answer = tokio::select! {
                answer = context.person.answer(&question, &By::Model) => answer,
                () = context.cancel.cancelled() => None,
            };
            match answer {
                Some(answer) => answers.insert(question.question, Value::String(answer)),
                None => return ToolOutput::error("The person did not answer."),
            };
        }
        let result = json!({ "questions": input["questions"], "answers": answers });
        ToolOutput { text: self.render(&result), result, is_error: false }
    }

    fn render(&self, result: &Value) -> String {
        let answers = result["answers"].as_object().into_iter().flatten();
        let lines = answers.map(|(question, answer)| format!("{question} {}", answer.as_str().unwrap_or_default()));
        format!("The person answered:\n{}", lines.collect::<Vec<_>>().join("\n"))
    }
}
