//! What enters a session from outside: prompts, and where they come from.

use serde::{Deserialize, Serialize};

/// Where a prompt or command comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// `composer` for the person, `plugin` for a contributor, or another kind of the host.
    pub kind: String,
    /// Name of the contributor, for `plugin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Place in the script, from 0, where a script typed it. This is how a resumed script knows where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
}

impl Origin {
    /// Typed by the person.
    pub fn composer() -> Origin {
        Origin { kind: "composer".into(), name: None, index: None }
    }

    /// Typed by a script, as its item of that number.
    pub fn script(index: u32) -> Origin {
        Origin { index: Some(index), ..Origin::composer() }
    }

    /// Sent by a contributor.
    pub fn plugin(name: impl Into<String>) -> Origin {
        Origin { kind: "plugin".into(), name: Some(name.into()), index: None }
    }
}

/// A prompt on its way in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The text.
    pub text: String,
    /// Texts for the model beside it.
    pub context: Vec<String>,
    /// Where it comes from.
    pub origin: Origin,
}

impl Prompt {
    /// What the person typed.
    pub fn typed(text: impl Into<String>) -> Prompt {
        Prompt { text: text.into(), context: Vec::new(), origin: Origin::composer() }
    }
}
