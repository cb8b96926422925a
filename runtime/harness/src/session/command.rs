use std::sync::Arc;

use crate::error::HarnessError;
use crate::point::CommandCall;
use crate::prompt::Origin;
use crate::record::{By, CommandRun, CommandStart, kind};
use crate::report::Report;

use super::core::{Core, to_value};
use super::surface;

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutcome {
    /// Whether a contributor answered.
    pub known: bool,
    /// What the person sees.
    pub text: Option<String>,
}

/// Runs a typed line: first claim among the contributors.
pub(super) async fn run(core: &Arc<Core>, line: &str, origin: Origin) -> Result<CommandOutcome, HarnessError> {
    let line = line.trim().trim_start_matches('/');
    let (command, args) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let call = CommandCall { command: command.to_owned(), args: args.trim().to_owned(), origin: origin.clone() };
    let row = CommandStart { command: call.command.clone(), args: call.args.clone(), origin };
    core.write(kind::COMMAND_START, By::Person, to_value(&row)).await?;
    let mut claimed = None;
    let handle = core.handle();
    for one in core.registry.command() {
        match one.it.run(&call, &handle).await {
            Ok(None) => {}
            Ok(Some(answer)) => {
                claimed = Some((one.name.to_string(), answer));
                break;
            }
            Err(error) => core.failed(&one.name, &error).await?,
        }
    }
    let known = claimed.is_some();
    let (by, answer) = claimed.map_or((By::Harness, Default::default()), |(name, answer)| {
        (By::Mod(answer.by.clone().unwrap_or(name)), answer)
    });
    let mut row = CommandRun {
        command: call.command,
        args: answer.args.unwrap_or(call.args),
        text: answer.text,
        context: answer.context.into_iter().filter(|text| !text.is_empty()).collect(),
        error: None,
        origin: call.origin,
    };
    if !known {
        let message = format!("there is no command named /{}", row.command);
        core.report(By::Harness, &Report::new("command-unknown", &message)).await?;
        row.error = Some(message);
    }
    core.append(kind::COMMAND_RUN, by, &row).await?;
    surface::draw(core).await?;
    Ok(CommandOutcome { known, text: row.text })
}
