//! `command.run`: commands that mods registered.

use std::sync::Arc;

use async_trait::async_trait;
use modgate_harness::point::{Command, CommandAnswer, CommandCall, CommandSpec};
use modgate_harness::report::ContributorError;
use modgate_harness::session::SessionHandle;
use modgate_value::Value;

use super::Inner;
use super::convert::{self, Echo};

pub(super) struct Commands(pub(super) Arc<Inner>);

#[async_trait]
impl Command for Commands {
    fn commands(&self) -> Vec<CommandSpec> {
        let all = self.0.host.commands.all();
        all.into_iter().map(|one| CommandSpec { name: one.name, description: one.description }).collect()
    }

    async fn run(
        &self,
        call: &CommandCall,
        _session: &SessionHandle,
    ) -> Result<Option<CommandAnswer>, ContributorError> {
        let inner = &self.0;
        let Some(command) = inner.host.commands.find(&call.command) else { return Ok(None) };
        let presentation = Value::object([("isFullscreen", Value::Bool(false)), ("columns", Value::from(80.0))]);
        let event = Value::object([
            ("command", Value::text(&call.command)),
            ("args", Value::text(&call.args)),
            ("origin", convert::origin(&call.origin)),
            ("presentation", presentation),
        ]);
        // A registered command has nothing beneath its mod.
        let core = Echo::new(|_| Value::object::<&str>([]));
        let answer = inner.raise("command.run", event, core.clone()).await;
        let answer = answer.map_err(|fault| {
            let error = ContributorError::new("command-failed", fault.message);
            command.plugin.iter().fold(error, |error, plugin| error.on_behalf(plugin))
        })?;
        let args = core.reached().and_then(|input| input.str_at("args").map(str::to_string));
        Ok(Some(CommandAnswer {
            text: answer.str_at("text").map(str::to_string),
            context: convert::texts(answer.get("context")),
            args: args.filter(|args| *args != call.args),
            by: command.plugin,
        }))
    }
}
