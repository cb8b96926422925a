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

    /// A folder in which no tests are.
    #[cfg(feature = "engine")]
    #[error("no tests are in {} or below it", shown(.0))]
    #[diagnostic(code("no-tests"), help("tests are files called *.test.ts or *.test.tsx in the folder of a mod"))]
    NoTests(PathBuf),

    /// A filter that leaves no test.
    #[cfg(feature = "engine")]
    #[error("no test has a title that {0:?} matches")]
    #[diagnostic(code("no-test-matches"), help("`modgate test --verbose` prints every title"))]
    NoTestMatches(String),

    /// The engine, or what watches folders, did not start.
    #[cfg(feature = "engine")]
    #[error("{what} cannot be started: {why}")]
    #[diagnostic(code("not-started"))]
    NotStarted {
        /// What.
        what: &'static str,
        /// What the system said.
        why: String,
    },

    /// An error of a part of the program that has codes of its own.
    #[cfg(feature = "engine")]
    #[error(transparent)]
    #[diagnostic(transparent)]
    Coded(#[from] Coded),

    /// The editor broke the protocol.
    #[error("the editor and the language server do not understand each other: {0}")]
    #[diagnostic(code("lsp-protocol"))]
    Protocol(String),

    /// Writing the output failed.
    #[error("the output cannot be written: {0}")]
    #[diagnostic(code("output"))]
    Output(#[from] io::Error),
}

/// An error with a code that only its origin knows.
#[cfg(feature = "engine")]
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Coded {
    code: &'static str,
    message: String,
}

#[cfg(feature = "engine")]
impl Coded {
    /// That code, that text; what a terminal would act on is taken out.
    pub(crate) fn new(code: &'static str, message: impl AsRef<str>) -> Coded {
        Coded { code, message: visible(message.as_ref()).into_owned() }
    }
}

#[cfg(feature = "engine")]
impl Diagnostic for Coded {
    fn code<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }
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
