//! The commands, one file each.

#[cfg(feature = "engine")]
pub(crate) mod compare;
mod diff;
mod explain;
mod hash;
#[cfg(feature = "engine")]
mod log;
mod lsp;
#[cfg(feature = "engine")]
mod measure;
#[cfg(feature = "engine")]
pub(crate) mod run;
#[cfg(feature = "engine")]
mod tables;
#[cfg(feature = "engine")]
mod test;
mod validate;

use crate::cli::Command;
use crate::error::Failure;
use crate::exit::Exit;
use crate::output::Terminal;

/// Runs what was asked for.
pub(crate) fn run(command: Command, terminal: &Terminal) -> Result<Exit, Failure> {
    match command {
        Command::Validate(args) => validate::run(&args, terminal),
        #[cfg(feature = "engine")]
        Command::Test(args) => test::run(&args, terminal),
        #[cfg(feature = "engine")]
        Command::Tables => tables::run(terminal),
        #[cfg(feature = "engine")]
        Command::Run(args) => run::run(&args, terminal),
        #[cfg(feature = "engine")]
        Command::Log(args) => log::run(&args, terminal),
        #[cfg(feature = "engine")]
        Command::Compare(args) => compare::run(&args, terminal),
        #[cfg(feature = "engine")]
        Command::Measure(args) => measure::run(&args, terminal),
        Command::Explain(args) => explain::run(&args, terminal),
        Command::Diff(args) => diff::run(&args, terminal),
        Command::Hash(args) => hash::run(&args, terminal),
        Command::Lsp(args) => lsp::run(&args),
    }
}
