//! `$.command`: commands a person types.

use async_trait::async_trait;
use indexmap::IndexMap;
use modgate_value::Value;
use parking_lot::Mutex;

use crate::context::Context;
use crate::input::Args;
use crate::service::service;
use crate::{Answer, Caller, ServiceError, codes};

service! {
    /// Serves `$.command`. `run` needs the host's turn loop.
    Command as "command" {
        /// `[{name, description, source, plugin?}]`, in the order shown to a person.
        list;
        /// `{name, description, argumentHint?, immediate?}`; `{command}`. The same name again replaces.
        register;
        /// `{command, args, ...}`; `{text?, context?, ref?}`.
        run;
    }
}

fn admit(context: &Context, method: &str, args: &Args<'_>) -> Result<(), ServiceError> {
    match method {
        "register" => {
            args.name("name")?;
            args.text("description")?;
            args.maybe_text("argumentHint")?;
            args.maybe_bool("immediate")?;
        }
        "run" => {
            args.filled_text("command")?;
            args.maybe_text("args")?;
        }
        _ => {}
    }
    context.reach_call()
}

/// One command.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandInfo {
    /// Its name, without the slash.
    pub name: String,
    /// What a person reads about it.
    pub description: String,
    /// `builtin`, `plugin`, `user` or `mcp`.
    pub source: String,
    /// The mod that registered it.
    pub plugin: Option<String>,
    /// What its arguments are.
    pub argument_hint: Option<String>,
    /// Whether it runs while a turn is running.
    pub is_immediate: bool,
}

/// The commands of a session.
#[derive(Debug, Default)]
pub struct CommandTable(Mutex<IndexMap<String, CommandInfo>>);

impl CommandTable {
    /// Adds a command of the host's own.
    pub fn add(&self, command: CommandInfo) {
        self.0.lock().insert(command.name.clone(), command);
    }

    /// All of them, in order.
    pub fn all(&self) -> Vec<CommandInfo> {
        self.0.lock().values().cloned().collect()
    }

    /// The command of that name.
    pub fn find(&self, name: &str) -> Option<CommandInfo> {
        self.0.lock().get(name).cloned()
    }

    /// Forgets what a mod registered, when it is unloaded.
    pub fn forget(&self, plugin: &str) {
        self.0.lock().retain(|_, command| command.plugin.as_deref() != Some(plugin));
    }
}

#[async_trait]
impl Command for CommandTable {
    fn members(&self) -> &'static [&'static str] {
        &["list", "register"]
    }

    async fn list(&self, _caller: &Caller, _input: &Value) -> Answer {
        let commands = self.0.lock();
        Ok(Value::list(commands.values().map(|command| {
            let entry = Value::object([
                ("name", Value::from(command.name.as_str())),
                ("description", Value::from(command.description.as_str())),
                ("source", Value::from(command.source.as_str())),
            ]);
            match &command.plugin {
                Some(plugin) => entry.with("plugin", Value::from(plugin.as_str())),
                None => entry,
            }
        })))
    }

    async fn register(&self, caller: &Caller, input: &Value) -> Answer {
        let name = input.str_at("name").unwrap_or_default();
        let mut commands = self.0.lock();
        match commands.get(name) {
            Some(CommandInfo { plugin: None, .. }) => {
                let why = format!("/{name} is a command of the host's own");
                return Err(ServiceError::failed("command.register", codes::NOT_OWNER, why));
            }
            Some(CommandInfo { plugin: Some(owner), .. }) if *owner != caller.plugin => {
                let why = format!("/{name} is a command of {owner}");
                return Err(ServiceError::failed("command.register", codes::NOT_OWNER, why));
            }
            _ => {}
        }
        let command = CommandInfo {
            name: name.into(),
            description: input.str_at("description").unwrap_or_default().into(),
            source: "plugin".into(),
            plugin: Some(caller.plugin.clone()),
            argument_hint: input.str_at("argumentHint").map(str::to_string),
            is_immediate: input.get("immediate").and_then(Value::as_bool).unwrap_or(false),
        };
        commands.insert(name.into(), command);
        Ok(Value::object([("command", Value::from(name))]))
    }
}
