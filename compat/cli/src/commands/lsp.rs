//! `modgate lsp`: an editor on the other end of standard input and output.

use crate::cli::LspArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::lsp;

/// Runs the command until the editor ends it.
pub(crate) fn run(args: &LspArgs) -> Result<Exit, Failure> {
    lsp::serve(args.judge.options())
}
