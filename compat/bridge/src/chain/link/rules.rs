//! What the host's rules let a mod pass down and answer.

use std::sync::Arc;

use modgate_catalog::check;
use modgate_catalog::hosts::{Repeat, Rewrite};
use modgate_engine::Fault;
use modgate_value::Value;

use super::Link;
use crate::chain::dispatch::Dispatch;
use crate::plugin::Tier;
use crate::report::{Change, changes, codes};

impl Link {
    /// Checks what was passed to `next`, first by the event's own rules, then by the host's.
    pub(super) fn check_passed(&self, hook: u32, passed: &Value) -> Result<Value, Fault> {
        let Some(event) = self.dispatch.facts else { return Ok(passed.clone()) };
        if event.name == "ui.resolve" {
            return crate::ui::check_input(passed).map(|()| passed.clone());
        }
        self.bound_input(passed)?;
        let corrects = self.host_rules(hook, passed)?;
        // A granted correction may go to another tool, which is pinned otherwise.
        let other = passed.get("tool").filter(|_| corrects).map(|tool| self.input.clone().with("tool", tool.clone()));
        let checked = check::next_input(event, other.as_ref().unwrap_or(&self.input), passed)
            .map_err(|refusal| Fault::hooks(format!("{}: {}", self.plugin.name(), refusal.message)))?;
        if corrects {
            self.dispatch.corrected.changed(self.plugin.name(), &self.input, &checked);
        }
        Ok(checked)
    }

    /// A mod that changed the call cannot show those beneath it another one when permission is decided.
    pub(super) fn bound_input(&self, passed: &Value) -> Result<(), Fault> {
        let is_bound = self.dispatch.bound.iter().any(|name| name == self.plugin.name());
        if is_bound && *passed != self.input {
            return Err(Fault::hooks("it changed this call: what is decided about has to be what runs"));
        }
        Ok(())
    }

    /// A mod that changed the call may be stricter than what is beneath it, never looser.
    pub(super) fn bound_answer(&self, answer: &Value, beneath: Option<&Value>) -> Result<(), Fault> {
        if &*self.dispatch.event != "tool.check" || !self.dispatch.bound.iter().any(|name| name == self.plugin.name()) {
            return Ok(());
        }
        let strictness = |verdict: Option<&Value>| match verdict.and_then(|verdict| verdict.str_at("decision")) {
            Some("deny") => 2,
            Some("ask") => 1,
            _ => 0,
        };
        // Without what is beneath nobody knows how strict that is.
        let least = beneath.map_or(2, |beneath| strictness(Some(beneath)));
        if strictness(Some(answer)) < least {
            return Err(Fault::hooks("it changed this call: it cannot loosen what is decided about it"));
        }
        Ok(())
    }

    /// On a host that has logged the call, a changed call is refused, and the mod with it; true where a grant makes it
    /// a correction instead.
    pub(super) fn host_rules(&self, hook: u32, passed: &Value) -> Result<bool, Fault> {
        if &*self.dispatch.event != "tool.call" || passed.as_object().is_none() {
            return Ok(false);
        }
        let policy = &self.dispatch.mods.policy;
        let found = changes(&self.input, passed);
        let is_other_tool = found.iter().any(|change| change.path == "tool");
        let (rule, code, what) = if is_other_tool {
            (policy.reroute, codes::REROUTED, "another tool")
        } else {
            (policy.rewrite, codes::REWRITTEN, "other arguments")
        };
        if found.is_empty() || rule != Rewrite::Refuse || (is_other_tool && policy.rewrite != Rewrite::Refuse) {
            return Ok(false);
        }
        if self.may_correct(&found) {
            return Ok(true);
        }
        let paths = found.iter().map(|change| change.path.as_str()).collect::<Vec<_>>().join(", ");
        let message = format!(
            "{} passed {what} to next ({paths}); the call is logged, so the hook was skipped and the call went on as it was",
            self.plugin.name()
        );
        self.state.lock().is_refused = true;
        self.report(code, hook, message, found);
        Err(Fault::hooks(format!("the call is logged: next takes it as it is ({paths} changed)")).with_code(code))
    }

    /// Whether a grant lets this mod correct the host's own call that way. A mod's call is that mod's.
    pub(super) fn may_correct(&self, found: &[Change]) -> bool {
        let envelope = |change: &Change| matches!(&*change.path, "tool_use_id" | "agentId" | "consent");
        let is_hosts = self.dispatch.path.is_empty();
        is_hosts && self.dispatch.mods.corrections(self.plugin.name()).amends && !found.iter().any(envelope)
    }

    /// Whether a further `next` runs what is beneath once more.
    pub(super) fn may_repeat(&self) -> bool {
        let is_call = &*self.dispatch.event == "tool.call" && self.dispatch.path.is_empty();
        self.dispatch.mods.policy.repeat == Repeat::Again
            || is_call && self.dispatch.mods.corrections(self.plugin.name()).retries
    }

    /// Where `next` goes on: at the next seat, or with some tiers left out.
    pub(super) fn target(&self, to: Option<&str>) -> Result<(Arc<Dispatch>, usize), Fault> {
        let Some(name) = to else { return Ok((self.dispatch.clone(), self.at.seat + 1)) };
        if !self.dispatch.mods.policy.next_to {
            return Err(Fault::hooks("this host has no next.to"));
        }
        match Tier::parse(name) {
            Some(tier) if self.plugin.spec.tier.may_skip_to(tier) => {
                Ok((self.dispatch.skipping(self.plugin.spec.tier, tier), self.at.seat + 1))
            }
            _ => {
                Err(Fault::hooks(format!("a mod of the tier {} cannot skip to {name}", self.plugin.spec.tier.as_str())))
            }
        }
    }
}
