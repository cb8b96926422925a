//! What counts for one caller: grant, limits and requirements together.

use std::sync::Arc;

use super::access::Access;
use super::permissions::Rules;
use crate::{Caller, ServiceError, codes};

/// Calls that need no grant: the time, the session's own memory, a mod's own drawing and registrations, and plain facts
/// about the session. They reach no file, process, network, variable, model, conversation or agent.
pub fn free_calls() -> &'static [&'static str] {
    &[
        "clock.after",
        "clock.every",
        "clock.now",
        "clock.sleep",
        "command.list",
        "command.register",
        "session.cwd",
        "session.id",
        "session.model",
        "session.root",
        "session.surface",
        "session.surfaces",
        "session.turns",
        "session.usage",
        "session.version",
        "state.get",
        "state.set",
        "tool.check",
        "tool.list",
        "tool.register",
        "ui.ask",
        "ui.blit",
        "ui.close",
        "ui.focus",
        "ui.invalidate",
        "ui.log",
        "ui.notice",
        "ui.open",
        "ui.panes",
        "ui.resolve",
        "ui.scroll",
        "ui.status",
        "ui.toast",
    ]
}

/// Whether a mod's content has a grant.
#[derive(Debug, Clone)]
pub(super) enum Trust {
    None,
    Stale,
    Everything,
    Granted(Arc<Rules>),
}

/// What counts for one caller during one call.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    plugin: String,
    trust: Trust,
    limits: Arc<Rules>,
    requirements: Option<Arc<Rules>>,
}

impl Standing {
    pub(super) fn new(caller: &Caller, trust: Trust, limits: Arc<Rules>, requirements: Option<Arc<Rules>>) -> Standing {
        Standing { plugin: caller.plugin.clone(), trust, limits, requirements }
    }

    /// Under which grant, for the receipt.
    pub(crate) fn grant(&self) -> &'static str {
        match self.trust {
            Trust::None => "none",
            Trust::Stale => "stale",
            Trust::Everything => "allow-all",
            Trust::Granted(_) => "granted",
        }
    }

    /// The trust gate: a grant for exactly this content, unless the call is free.
    pub(crate) fn trusted(&self, call: &str) -> Result<(), ServiceError> {
        let plugin = &self.plugin;
        match self.trust {
            _ if is_free(call) => Ok(()),
            Trust::Everything | Trust::Granted(_) => Ok(()),
            Trust::None => {
                let why = format!("{plugin} has no grant; it would need one for its name and content hash");
                Err(ServiceError::refused(call, codes::GRANT_MISSING, why))
            }
            Trust::Stale => {
                let why = format!("{plugin} changed since its grant was given; it would need one for its new hash");
                Err(ServiceError::refused(call, codes::GRANT_STALE, why))
            }
        }
    }

    /// Limits and requirements name the call itself, or no calls at all.
    pub(crate) fn bounded(&self, call: &str) -> Result<(), ServiceError> {
        self.within_bounds(call, Access::Call(call))
    }

    /// The execution gate for one thing to reach.
    pub(crate) fn reach(&self, call: &str, access: Access<'_>) -> Result<(), ServiceError> {
        self.within_bounds(call, access)?;
        let covered = match (&self.trust, access) {
            (Trust::Everything, _) => true,
            (_, Access::Call(name)) if is_free(name) => true,
            (Trust::Granted(rules), _) => rules.covers(access) == Some(true),
            (Trust::None | Trust::Stale, _) => false,
        };
        if covered {
            return Ok(());
        }
        let (subject, needed) = (access.subject(), access.needed());
        let why = format!("the grant of {} does not cover {subject}; it would need {needed}", self.plugin);
        Err(ServiceError::refused(call, access.code(), why))
    }

    fn within_bounds(&self, call: &str, access: Access<'_>) -> Result<(), ServiceError> {
        let subject = access.subject();
        if self.limits.covers(access) == Some(false) {
            let why = format!("the host's limits do not cover {subject}; they would need {}", access.needed());
            return Err(ServiceError::refused(call, codes::LIMIT_EXCEEDED, why));
        }
        let required = self.requirements.as_ref().and_then(|rules| rules.covers(access));
        if required == Some(false) {
            let why = format!("{} does not say that it uses {subject}", self.plugin);
            return Err(ServiceError::refused(call, codes::REQUIREMENT_EXCEEDED, why));
        }
        Ok(())
    }
}

fn is_free(call: &str) -> bool {
    free_calls().binary_search(&call).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_calls_are_sorted() {
        assert!(free_calls().is_sorted());
    }
}
