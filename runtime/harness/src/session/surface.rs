use std::sync::Arc;

use serde_json::{Value, json};

use crate::error::HarnessError;
use crate::record::{By, kind};

use super::core::Core;

/// Lets every contributor draw every site and records what changed.
pub(super) async fn draw(core: &Arc<Core>) -> Result<(), HarnessError> {
    let handle = core.handle();
    for site in &core.sites {
        for one in core.registry.surface() {
            let tree = match one.it.draw(site, &handle).await {
                Ok(tree) => tree.unwrap_or_default(),
                Err(error) => {
                    core.failed(&one.name, &error).await?;
                    Value::Null
                }
            };
            let key = (site.name.clone(), one.name.to_string());
            let before = core.drawn.lock().insert(key, tree.clone()).unwrap_or_default();
            if before != tree {
                let data = json!({ "site": site.name, "tree": tree });
                core.write(kind::UI_RENDER, By::Mod(one.name.to_string()), data).await?;
            }
        }
    }
    Ok(())
}
