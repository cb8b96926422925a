use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use async_trait::async_trait;
use globset::GlobBuilder;
use ignore::WalkBuilder;
use serde_json::{Value, json};

use super::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec, absolute};

/// Finds files by name.
pub struct Glob {
    spec: ToolSpec,
    shape: Shape,
}

impl Glob {
    /// The tool.
    pub fn new() -> Glob {
        let spec = ToolSpec {
            name: "Glob".into(),
            description: "Finds files by a glob pattern, the most recently changed first.".into(),
            input_schema: json!({ "type": "object", "additionalProperties": false, "required": ["pattern"],
                "properties": {
                    "pattern": { "type": "string", "minLength": 1 },
                    "path": { "type": "string" },
                },
            }),
            output_schema: Some(json!({ "type": "object",
                "required": ["durationMs", "numFiles", "filenames", "truncated"],
                "properties": {
                    "durationMs": { "type": "number" }, "numFiles": { "type": "integer" },
                    "filenames": { "type": "array", "items": { "type": "string" } },
                    "truncated": { "type": "boolean" },
                },
            })),
            effect: Effect::Reads,
        };
        let shape = Shape::new(&spec);
        Glob { spec, shape }
    }
}

impl Default for Glob {
    fn default() -> Glob {
        Glob::new()
    }
}

#[async_trait]
impl Tool for Glob {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    async fn run(&self, input: &Value, context: &ToolContext) -> ToolOutput {
        let begun = Instant::now();
        let base = absolute(&context.root, input["path"].as_str().unwrap_or("."));
        let pattern = input["pattern"].as_str().unwrap_or_default().to_owned();
        let found = tokio::task::spawn_blocking(move || find(&base, &pattern)).await;
        let mut found = match found.unwrap_or_else(|_| Err("The search stopped.".into())) {
            Ok(found) => found,
            Err(reason) => return ToolOutput::error(reason),
        };
        let truncated = found.len() > context.limits.glob_files;
        found.truncate(context.limits.glob_files);
        let names: Vec<_> = found.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let result = json!({
            "durationMs": u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            "numFiles": names.len(), "filenames": names, "truncated": truncated,
        });
        ToolOutput { text: self.render(&result), result, is_error: false }
    }

    fn render(&self, result: &Value) -> String {
        let names: Vec<_> = result["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if names.is_empty() {
            return "No files found.".into();
        }
        let more = if result["truncated"] == true { "\n(There are more.)" } else { "" };
        format!("{}{more}", names.join("\n"))
    }
}

/// Files that match, the most recently changed first, names deciding between equals.
fn find(base: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    if !base.is_dir() {
        return Err(format!("{} is not a directory.", base.display()));
    }
    let glob = GlobBuilder::new(pattern.trim_start_matches("./")).literal_separator(true).build();
    let glob = glob.map_err(|error| format!("The pattern cannot be used: {error}"))?.compile_matcher();
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in walk(base).build().flatten() {
        let path = entry.path();
        let named = path.strip_prefix(base).is_ok_and(|inside| glob.is_match(inside)) || glob.is_match(path);
        if named && entry.file_type().is_some_and(|kind| !kind.is_dir()) {
            let changed = entry.metadata().ok().and_then(|facts| facts.modified().ok());
            found.push((changed.unwrap_or(SystemTime::UNIX_EPOCH), path.to_owned()));
        }
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Walks as `.gitignore` files say, hidden files included, the folder of git itself left out.
pub(super) fn walk(base: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(base);
    walk.hidden(false).require_git(false).git_global(false).follow_links(false);
    walk.filter_entry(|entry| entry.file_name() != ".git").sort_by_file_path(|a, b| a.cmp(b));
    walk
}
