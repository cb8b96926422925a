//! `prompt.section`, `prompt.context` and `tool.describe`, and the tools that mods registered.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::point::{Assembly, Context, ContextBlock, ToolOffer};
use modgate_harness::report::ContributorError;
use modgate_harness::session::SessionHandle;
use modgate_harness::tools::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec};
use modgate_services::tool::ToolInfo;
use modgate_value::Value;

use super::Inner;
use super::convert::{Echo, pick};

pub(super) struct Assembler(pub(super) Arc<Inner>);

#[async_trait]
impl Context for Assembler {
    async fn assemble(&self, assembly: &mut Assembly, _session: &SessionHandle) -> Result<(), ContributorError> {
        let inner = &self.0;
        let known = inner.hashes.lock().clone();
        assembly.fingerprints.extend(known.into_iter().map(|(name, hash)| format!("mod {name} {hash}")));
        assembly.tools.extend(inner.host.tools.all().into_iter().map(offer));
        self.sections(assembly).await;
        self.blocks(assembly).await;
        self.descriptions(assembly).await;
        Ok(())
    }
}

impl Assembler {
    async fn sections(&self, assembly: &mut Assembly) {
        if !self.0.mods.hears("prompt.section") {
            return;
        }
        let mut kept = Vec::new();
        for mut section in std::mem::take(&mut assembly.sections) {
            let event = Value::object([("name", Value::text(&section.id)), ("text", Value::text(&section.text))]);
            let answer = self.0.raise("prompt.section", event, Echo::new(|input| pick(input, &["text"]))).await;
            let text = answer.ok().and_then(|answer| answer.get("text").cloned());
            match text {
                Some(Value::Null) => continue,
                Some(Value::String(text)) => section.text = text.to_string(),
                _ => {}
            }
            kept.push(section);
        }
        assembly.sections = kept;
    }

    async fn blocks(&self, assembly: &mut Assembly) {
        if !self.0.mods.hears("prompt.context") {
            return;
        }
        let rows = assembly
            .blocks
            .iter()
            .map(|block| Value::object([("name", Value::text(&block.name)), ("text", Value::text(&block.text))]));
        let event = Value::object([("blocks", Value::list(rows))]);
        let answer = self.0.raise("prompt.context", event, Echo::new(|input| pick(input, &["blocks"]))).await;
        let Ok(answer) = answer else { return };
        let Some(blocks) = answer.get("blocks").and_then(Value::as_array) else { return };
        let block = |block: &Value| {
            Some(ContextBlock { name: block.str_at("name")?.to_string(), text: block.str_at("text")?.to_string() })
        };
        assembly.blocks = blocks.iter().filter_map(block).collect();
    }

    async fn descriptions(&self, assembly: &mut Assembly) {
        if !self.0.mods.hears("tool.describe") {
            return;
        }
        for tool in &mut assembly.tools {
            let provider = Value::object([("plugin", Value::text(&tool.provider)), ("tier", Value::text("core"))]);
            let event = Value::object([
                ("tool", Value::text(&tool.name)),
                ("description", Value::text(&tool.description)),
                ("provider", provider),
            ]);
            let core = Echo::new(|input| pick(input, &["description", "isDeferred"]));
            let answer = self.0.raise("tool.describe", event, core).await;
            if let Some(text) = answer.ok().as_ref().and_then(|answer| answer.str_at("description")) {
                tool.description = text.to_string();
            }
        }
    }
}

fn offer(tool: ToolInfo) -> ToolOffer {
    let provider = tool.plugin.clone().unwrap_or_else(|| "mods".into());
    let spec = ToolSpec {
        name: tool.name,
        description: tool.description,
        input_schema: tool.input_schema.to_json_lossy(),
        output_schema: None,
        effect: Effect::Runs,
    };
    let (name, description) = (spec.name.clone(), spec.description.clone());
    let shape = Shape::new(&spec);
    ToolOffer { name, description, route: Arc::new(Added { spec, shape }), provider }
}

/// A tool that a mod registered: its hook on `tool.call` is what runs it.
struct Added {
    spec: ToolSpec,
    shape: Shape,
}

#[async_trait]
impl Tool for Added {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    async fn run(&self, _input: &serde_json::Value, _context: &ToolContext) -> ToolOutput {
        ToolOutput::error(format!("no mod answered the call of {}", self.spec.name))
    }
}
