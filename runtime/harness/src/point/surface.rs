use async_trait::async_trait;
use serde_json::Value;

use crate::report::ContributorError;
use crate::session::SessionHandle;

/// A place where something can be shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// Its name, as `AbovePrompt`.
    pub name: String,
}

/// What is shown at a site. Accumulates: each contributor's drawing stands beside the others, and a row is written
/// only where a drawing changed. A failing contributor's last drawing is taken away.
#[async_trait]
pub trait Surface: Send + Sync {
    /// Draws, or draws nothing.
    async fn draw(&self, site: &Site, session: &SessionHandle) -> Result<Option<Value>, ContributorError>;
}
