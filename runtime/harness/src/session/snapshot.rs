use std::collections::HashMap;
use std::sync::Arc;

use serde_json::json;

use crate::model::OfferedTool;
use crate::point::{Assembly, ContextBlock, Section};
use crate::record::digest;
use crate::tools::Tool;

/// What a step works on. Frozen: what changes meanwhile waits for the next step.
pub struct Snapshot {
    /// Number of the snapshot in this process, growing.
    pub revision: u64,
    /// Hash over contributors, fingerprints, and each tool's name, description, schema and provider.
    pub hash: String,
    /// The model the step was assembled for.
    pub model: String,
    /// Sections of the system prompt.
    pub sections: Vec<Section>,
    /// Context blocks.
    pub blocks: Vec<ContextBlock>,
    /// Tools as offered.
    pub tools: Vec<OfferedTool>,
    routes: HashMap<String, Arc<dyn Tool>>,
}

impl Snapshot {
    pub(super) fn freeze(assembly: Assembly, revision: u64, registry_hash: &str) -> Snapshot {
        let mut routes = HashMap::new();
        let mut tools = Vec::new();
        let mut parts = vec![json!(registry_hash), json!(assembly.fingerprints)];
        for offer in assembly.tools {
            let spec = offer.route.spec();
            parts.push(json!([offer.name, offer.description, spec.input_schema, spec.output_schema, offer.provider]));
            let input_schema = spec.input_schema.clone();
            tools.push(OfferedTool { name: offer.name.clone(), description: offer.description, input_schema });
            routes.insert(offer.name, offer.route);
        }
        let hash = digest(serde_json::Value::Array(parts).to_string().as_bytes());
        let Assembly { model, sections, blocks, .. } = assembly;
        Snapshot { revision, hash, model, sections, blocks, tools, routes }
    }

    /// What runs calls of that tool in this step.
    pub fn route(&self, tool: &str) -> Option<Arc<dyn Tool>> {
        self.routes.get(tool).cloned()
    }
}
