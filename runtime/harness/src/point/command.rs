use async_trait::async_trait;

use crate::prompt::Origin;
use crate::report::ContributorError;
use crate::session::SessionHandle;

/// A command that can be typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSpec {
    /// Name without the slash.
    pub name: String,
    /// For the list of commands.
    pub description: String,
}

/// A command as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandCall {
    /// Name without the slash.
    pub command: String,
    /// The rest of the line.
    pub args: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// What a command gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandAnswer {
    /// What the person sees.
    pub text: Option<String>,
    /// What the model gets with the next prompt.
    pub context: Vec<String>,
    /// The arguments it ran with, where they were changed.
    pub args: Option<String>,
    /// Whose command it is, where the contributor acts for somebody else.
    pub by: Option<String>,
}

/// Commands. First claim: the first contributor that answers ends it; no answer at all is an unknown command. A
/// failing contributor claims nothing.
#[async_trait]
pub trait Command: Send + Sync {
    /// The commands there are now.
    fn commands(&self) -> Vec<CommandSpec>;

    /// Runs the command, where it is this contributor's.
    async fn run(&self, call: &CommandCall, session: &SessionHandle)
    -> Result<Option<CommandAnswer>, ContributorError>;
}
