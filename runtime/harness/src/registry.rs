//! Who takes part in a session. Built once, then fixed.

use std::sync::Arc;

use crate::point::{
    Append, Authorization, Command, Context, ModelStep, PendingCall, SessionLifecycle, Subagent, Surface,
    ToolLifecycle, TurnInput, TurnLifecycle,
};
use crate::record::digest;

/// A contributor with the name its rows and reports carry.
pub struct Named<T: ?Sized> {
    /// The name.
    pub name: Arc<str>,
    /// What takes part.
    pub it: Arc<T>,
}

impl<T: ?Sized> Clone for Named<T> {
    fn clone(&self) -> Self {
        Named { name: self.name.clone(), it: self.it.clone() }
    }
}

macro_rules! registry {
    ($($(#[$doc:meta])* $list:ident: $kind:ident,)*) => {
        #[derive(Default)]
        struct Lists { $($list: Vec<Named<dyn $kind>>,)* }

        /// Collects contributors; [`RegistryBuilder::build`] closes the list.
        #[derive(Default)]
        pub struct RegistryBuilder { lists: Lists }

        impl RegistryBuilder {
            $($(#[$doc])*
            #[must_use]
            pub fn $list(mut self, name: &str, it: Arc<dyn $kind>) -> Self {
                self.lists.$list.push(Named { name: Arc::from(name), it });
                self
            })*
        }

        impl Registry {
            $(pub(crate) fn $list(&self) -> &[Named<dyn $kind>] { &self.lists.$list })*

            /// `point=name` of every contributor, by point and in registration order.
            pub fn names(&self) -> Vec<String> {
                let mut names = Vec::new();
                $(names.extend(self.lists.$list.iter().map(|one| format!("{}={}", stringify!($list), one.name)));)*
                names
            }
        }
    };
}

registry! {
    /// Adds a contributor around the session.
    session_lifecycle: SessionLifecycle,
    /// Adds a contributor on user input.
    turn_input: TurnInput,
    /// Adds a contributor on the assembly of a request.
    context: Context,
    /// Adds a contributor around the model's stream.
    model_step: ModelStep,
    /// Adds a contributor on calls before they are committed.
    pending_call: PendingCall,
    /// Adds a contributor on permissions.
    authorization: Authorization,
    /// Adds a contributor around executions.
    tool_lifecycle: ToolLifecycle,
    /// Adds a contributor on rows before they are stored.
    append: Append,
    /// Adds a contributor around turns.
    turn_lifecycle: TurnLifecycle,
    /// Adds a contributor with commands.
    command: Command,
    /// Adds a contributor that draws.
    surface: Surface,
    /// Adds a contributor on nested loops.
    subagent: Subagent,
}

/// The contributors of a session. Cheap to clone; never changes.
#[derive(Clone, Default)]
pub struct Registry {
    lists: Arc<Lists>,
}

impl Registry {
    /// Starts a list.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    /// Hash over names, points and order.
    pub fn hash(&self) -> String {
        digest(self.names().join("\n").as_bytes())
    }
}

impl RegistryBuilder {
    /// Closes the list.
    pub fn build(self) -> Registry {
        Registry { lists: Arc::new(self.lists) }
    }
}
