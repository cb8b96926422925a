use jsonschema::Validator;
use serde_json::Value;

use super::ToolSpec;

/// Where a value does not fit a schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct SchemaError {
    /// JSON pointer, `/` for the whole.
    pub path: String,
    /// What is wrong.
    pub reason: String,
}

/// The compiled schemas of a tool.
pub struct Shape {
    input: Option<Validator>,
    output: Option<Validator>,
    problem: Option<String>,
}

impl Shape {
    /// Compiles the schemas. A schema that is none refuses every value with the reason.
    pub fn new(spec: &ToolSpec) -> Shape {
        let mut problem = None;
        let mut compile =
            |schema: &Value| jsonschema::validator_for(schema).map_err(|error| problem = Some(error.to_string())).ok();
        let input = compile(&spec.input_schema);
        let output = spec.output_schema.as_ref().and_then(compile);
        Shape { input, output, problem }
    }

    /// Whether these arguments fit.
    pub fn input(&self, value: &Value) -> Result<(), SchemaError> {
        self.check(self.input.as_ref(), value, false)
    }

    /// Whether this result fits; anything does where the tool states no shape. The reason does not hold the value: who
    /// reads it is not to read a result that was refused.
    pub fn output(&self, value: &Value) -> Result<(), SchemaError> {
        self.check(self.output.as_ref(), value, true)
    }

    fn check(&self, validator: Option<&Validator>, value: &Value, is_masked: bool) -> Result<(), SchemaError> {
        if let Some(problem) = &self.problem {
            return Err(SchemaError { path: "/".into(), reason: format!("the tool's schema is broken: {problem}") });
        }
        let Some(validator) = validator else { return Ok(()) };
        validator.validate(value).map_err(|error| {
            let path = error.instance_path.to_string();
            let path = if path.is_empty() { "/".to_owned() } else { path };
            let reason = if is_masked { error.masked().to_string() } else { error.to_string() };
            let mut reason: String = reason.chars().take(300).collect();
            if reason.is_empty() {
                reason = "does not fit".into();
            }
            SchemaError { path, reason }
        })
    }
}
