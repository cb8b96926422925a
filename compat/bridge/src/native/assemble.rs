//! `prompt.compose`, `prompt.section`, `prompt.context`, `agent.offer`, `tool.offer` and `tool.describe`, and the tools
//! that mods registered.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use modgate_engine::{Boxed, Fault};
use modgate_harness::point::{Assembly, Context, ContextBlock, Section, ToolOffer};
use modgate_harness::report::ContributorError;
use modgate_harness::session::SessionHandle;
use modgate_harness::tools::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec};
use modgate_services::tool::ToolInfo;
use modgate_value::Value;

use super::convert::{self, Echo, pick};
use super::{Inner, agents};
use crate::chain::{Core, Path, Raised};

pub(super) struct Assembler(pub(super) Arc<Inner>);

#[async_trait]
impl Context for Assembler {
    async fn assemble(&self, assembly: &mut Assembly, _session: &SessionHandle) -> Result<(), ContributorError> {
        let inner = &self.0;
        let known = inner.hashes.lock().clone();
        assembly.fingerprints.extend(known.into_iter().map(|(name, hash)| format!("mod {name} {hash}")));
        assembly.tools.extend(inner.host.tools.all().into_iter().map(offer));
        self.of_agent(assembly);
        self.sections(assembly).await;
        self.agents(assembly).await;
        self.offers(assembly).await;
        self.blocks(assembly).await;
        self.descriptions(assembly).await;
        Ok(())
    }
}

impl Assembler {
    /// What was registered for agents of this type: their own prompt, and the tools they have.
    fn of_agent(&self, assembly: &mut Assembly) {
        let agents = &self.0.host.agents;
        let Some(known) = assembly.agent_id.as_deref().and_then(|id| agents.agent(id)) else { return };
        let Some(definition) = agents.definition(&known.kind) else { return };
        if let Some(prompt) = definition.str_at("prompt") {
            assembly.sections = vec![Section { id: "agent".into(), text: prompt.to_string() }];
        }
        let names = |field: &str| definition.get(field).map(|list| convert::texts(Some(list)));
        if let Some(tools) = names("tools") {
            assembly.tools.retain(|tool| tools.contains(&tool.name));
        }
        if let Some(tools) = names("disallowedTools") {
            assembly.tools.retain(|tool| !tools.contains(&tool.name));
        }
    }

    async fn sections(&self, assembly: &mut Assembly) {
        let inner = &self.0;
        if !inner.mods.hears("prompt.compose") {
            assembly.sections = inner.sections(std::mem::take(&mut assembly.sections), &Path::default()).await;
            return;
        }
        let event = composing(&assembly.model, assembly.tools.iter().map(|tool| tool.name.as_str()));
        let core = Arc::new(Composer { inner: inner.clone(), sections: assembly.sections.clone() });
        let answer = inner.raise("prompt.compose", event, core).await;
        if let Some(sections) = answer.ok().and_then(|answer| sections_of(&answer)) {
            assembly.sections = sections;
        }
    }

    /// Types of agents that the model may start.
    async fn agents(&self, assembly: &Assembly) {
        let inner = &self.0;
        if assembly.agent_id.is_some() || !inner.mods.hears("agent.offer") {
            return;
        }
        let own = (agents::GENERAL.to_string(), "Any task that takes several steps.".to_string());
        let known = inner.host.agents.kinds();
        let mut withheld = BTreeSet::new();
        for (index, (kind, description)) in [own].into_iter().chain(known).enumerate() {
            let source = if index == 0 { "built-in" } else { "plugin" };
            let event = Value::object([
                ("agent", Value::text(&kind)),
                ("description", Value::from(description)),
                ("source", Value::text(source)),
                ("provider", agents::engine()),
            ]);
            let core = Echo::new(|_| Value::object([("isOffered", Value::Bool(true))]));
            let answer = inner.raise("agent.offer", event, core).await;
            if answer.ok().and_then(|answer| answer.get("isOffered")?.as_bool()) == Some(false) {
                withheld.insert(kind);
            }
        }
        *inner.withheld.lock() = withheld;
    }

    /// Tools that the model is told about at all.
    async fn offers(&self, assembly: &mut Assembly) {
        if !self.0.mods.hears("tool.offer") {
            return;
        }
        let mut kept = Vec::new();
        for tool in std::mem::take(&mut assembly.tools) {
            let provider = Value::object([("plugin", Value::text(&tool.provider)), ("tier", Value::text("core"))]);
            let event = Value::object([("tool", Value::text(&tool.name)), ("provider", provider)]);
            let core = Echo::new(|_| Value::object([("isOffered", Value::Bool(true))]));
            let answer = self.0.raise("tool.offer", event, core).await;
            if answer.ok().and_then(|answer| answer.get("isOffered")?.as_bool()) != Some(false) {
                kept.push(tool);
            }
        }
        assembly.tools = kept;
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

/// Beneath `prompt.compose`: the sections, each of which is an event of its own.
struct Composer {
    inner: Arc<Inner>,
    sections: Vec<Section>,
}

impl Core for Composer {
    fn answer(self: Arc<Self>, _raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async move { Ok(composed(&self.inner.sections(self.sections.clone(), &Path::default()).await)) })
    }
}

/// What a prompt is composed for, as mods see it.
pub(super) fn composing<'a>(model: &str, tools: impl Iterator<Item = &'a str>) -> Value {
    Value::object([
        ("model", Value::text(model)),
        ("promptModel", Value::text(model)),
        ("surfaces", Value::list([Value::text("terminal")])),
        ("tools", Value::list(tools.map(Value::text))),
        ("outputStyle", Value::Null),
        ("traits", Value::list([])),
    ])
}

/// Sections as mods see them.
pub(super) fn composed(sections: &[Section]) -> Value {
    let rows = sections.iter().map(|section| {
        Value::object([
            ("id", Value::text(&section.id)),
            ("text", Value::text(&section.text)),
            ("scope", Value::text("session")),
        ])
    });
    Value::object([("sections", Value::list(rows))])
}

impl Inner {
    /// What a mod's own question for the prompt gives: each section has been through its event.
    pub(super) async fn recomposed(&self, answer: &Value, path: &Path) -> Value {
        let sections = sections_of(answer).unwrap_or_default();
        composed(&self.sections(sections, path).await)
    }
}

fn sections_of(answer: &Value) -> Option<Vec<Section>> {
    let rows = answer.get("sections")?.as_array()?;
    let section =
        |row: &Value| Some(Section { id: row.str_at("id")?.to_string(), text: row.str_at("text")?.to_string() });
    Some(rows.iter().filter_map(section).collect())
}

impl Inner {
    /// Each section through `prompt.section`.
    pub(super) async fn sections(&self, sections: Vec<Section>, path: &Path) -> Vec<Section> {
        if !self.mods.hears("prompt.section") {
            return sections;
        }
        let mut kept = Vec::new();
        for mut section in sections {
            let event = Value::object([("name", Value::text(&section.id)), ("text", Value::text(&section.text))]);
            let core = Echo::new(|input| pick(input, &["text"]));
            let answer = self.raise_told("prompt.section", event, path.clone(), core).await.0;
            let text = answer.ok().and_then(|answer| answer.get("text").cloned());
            match text {
                Some(Value::Null) => continue,
                Some(Value::String(text)) => section.text = text.to_string(),
                _ => {}
            }
            kept.push(section);
        }
        kept
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
