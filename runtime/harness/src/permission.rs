//! Permission: rules, modes, and what they say about a call, with the reason.
//!
//! Deny beats ask, ask beats allow, whatever the order of the rules. What no rule speaks about is decided by the mode.

mod decide;
mod path;
mod rule;
mod shell;

use serde::{Deserialize, Serialize};

pub use rule::{Rule, RuleError};
pub use shell::{Analysis, Part, analyse};

/// What may happen with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// It runs.
    Allow,
    /// A person decides.
    Ask,
    /// It does not run.
    Deny,
}

/// A decision with its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// The rule that decided, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Where it comes from: the rule's source, `mode`, `default`, `mod:NAME`.
    pub source: String,
    /// Why, for people.
    pub reason: String,
}

/// What is decided where no rule speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Reading inside the working directory is allowed, the rest asks.
    #[default]
    #[serde(rename = "default")]
    Default,
    /// As default, and editing files inside the working directory is allowed.
    #[serde(rename = "acceptEdits")]
    AcceptEdits,
    /// Reading only; everything else is denied, also where a rule allows it.
    #[serde(rename = "plan")]
    Plan,
    /// Everything is allowed that no rule denies or asks about.
    #[serde(rename = "bypassPermissions")]
    BypassPermissions,
}

impl Mode {
    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Default => "default",
            Mode::AcceptEdits => "acceptEdits",
            Mode::Plan => "plan",
            Mode::BypassPermissions => "bypassPermissions",
        }
    }
}

/// Rules and mode of a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Permissions {
    /// The mode.
    pub mode: Mode,
    /// The rules, in the order they were given.
    pub rules: Vec<Rule>,
}

impl Permissions {
    /// Rules given as texts, as settings have them.
    pub fn parse(
        mode: Mode,
        allow: &[String],
        ask: &[String],
        deny: &[String],
        source: &str,
    ) -> Result<Permissions, RuleError> {
        let mut rules = Vec::new();
        for (behavior, texts) in [(Decision::Deny, deny), (Decision::Ask, ask), (Decision::Allow, allow)] {
            for text in texts {
                rules.push(Rule::parse(text, behavior, source)?);
            }
        }
        Ok(Permissions { mode, rules })
    }
}
