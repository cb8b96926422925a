//! What can go wrong in the program itself. Findings about a mod are not errors.

use std::io;
use std::path::{Path, PathBuf};

use miette::Diagnostic;

use crate::render::safe::visible;

/// Why a command could not do what was asked. Each has a code that stays the same over versions.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub(crate) enum Failure {
    /// A path on the command line leads nowhere.
    #[error("nothing is at {}", shown(.0))]
    #[diagnostic(code("path-missing"), help("check the spelling; relative paths start at the current folder"))]
    PathMissing(PathBuf),

    /// A path is there and cannot be read.
    #[error("{} cannot be read: {why}", shown(.path))]
    #[diagnostic(code("path-unreadable"))]
    PathUnreadable {
        /// Where.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
    },

    /// A folder in which there is nothing to check.
    #[error("no mod is in {} or below it", shown(.0))]
    #[diagnostic(
        code("no-mod"),
        help(
            "a mod is a folder with .claude-plugin/plugin.json or hooks/hooks.json in it, \
              a marketplace one with .claude-plugin/marketplace.json"
        )
    )]
    NoMod(PathBuf),

    /// A file of the command line around which there is no mod.
    #[error("{} belongs to no mod", shown(.0))]
    #[diagnostic(
        code("no-mod-around"),
        help("name a file below a folder with .claude-plugin/plugin.json or hooks/hooks.json in it")
    )]
    NoModAround(PathBuf),

    /// A path that should be a mod's folder.
    #[error("{} is no mod: it has neither .claude-plugin/plugin.json nor hooks/hooks.json", shown(.0))]
    #[diagnostic(code("not-a-mod"), help("name the folder in which one of these files is"))]
    NotAMod(PathBuf),

    /// A path that should be a folder.
    #[error("{} is no folder", shown(.0))]
    #[diagnostic(code("not-a-folder"), help("name the folder of the mod"))]
    NotAFolder(PathBuf),

    /// `explain` was asked for a rule there is not.
    #[error("no rule is called {code:?}")]
    #[diagnostic(code("no-such-rule"))]
    NoSuchRule {
        /// What was asked for.
        code: String,
        /// What to try.
        #[help]
        help: String,
    },

    /// A version of which nobody can say what it does, so there is nothing to compare.
    #[error("nobody can tell what the mod in {} can do: {why}", shown(.folder))]
    #[diagnostic(code("facts-unknown"), help("`modgate validate {}` shows what is wrong with it", shown(.folder)))]
    FactsUnknown {
        /// Its folder.
        folder: PathBuf,
        /// The first error found in it.
        why: String,
    },

    /// Something in a folder that a hash cannot pin.
    #[error("{} cannot be hashed: {why}", shown(.path))]
    #[diagnostic(
        code("not-hashable"),
        help("a hash pins regular files and symbolic links; move the rest out of the folder")
    )]
    NotHashable {
        /// Where.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },

    /// The editor broke the protocol.
    #[error("the editor and the language server do not understand each other: {0}")]
    #[diagnostic(code("lsp-protocol"))]
    Protocol(String),

    /// Writing the output failed.
    #[error("the output cannot be written: {0}")]
    #[diagnostic(code("output"))]
    Output(#[from] io::Error),
}

/// A path, with nothing in it that a terminal acts on.
fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

impl Failure {
    /// Did the reader of the output go away? That is how `modgate ... | head` ends, and no failure.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// An error of the file system at a path of the command line.
    pub(crate) fn at(path: impl Into<PathBuf>, error: io::Error) -> Failure {
        let path = path.into();
        match error.kind() {
            io::ErrorKind::NotFound => Failure::PathMissing(path),
            _ => Failure::PathUnreadable { path, why: error },
        }
    }
}
