//! The `modgate` program: reads the command line, runs one command, reports how it ended.

mod cli;
mod commands;
#[cfg(feature = "engine")]
mod compare;
mod diff;
mod discover;
mod error;
mod exit;
mod lsp;
mod marketplace;
mod output;
mod render;
mod rulebook;
#[cfg(feature = "engine")]
mod run;
#[cfg(feature = "engine")]
mod test;
mod wire;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::exit::Exit;
use crate::output::Terminal;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version end here too; a reader that went away is no failure.
            let _ = error.print();
            return if error.use_stderr() { Exit::Failed } else { Exit::Fine }.into();
        }
    };
    let terminal = Terminal::new(cli.color);
    match catch_unwind(AssertUnwindSafe(|| commands::run(cli.command, &terminal))) {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) if failure.is_broken_pipe() => Exit::Fine,
        Ok(Err(failure)) => {
            terminal.complain(&failure);
            Exit::Failed
        }
        // A bug, and told on standard error by now; the exit codes stay those that are documented.
        Err(_) => Exit::Failed,
    }
    .into()
}
