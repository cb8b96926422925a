//! `modgate test`: what can be asked for.

use std::path::PathBuf;

use clap::Args;
use modgate_catalog::hosts::{self, HostProfile};
use regex::Regex;

/// Run the tests of mods, against `claude-code/testing`
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  modgate test                                 every mod with tests in this folder or below
  modgate test mods/guard --filter denies      tests with a title that matches
  modgate test mods/guard/tests/a.test.ts      one file
  modgate test mods --host dsh                 what breaks under the rules of another host
  modgate test mods --junit report.xml         for continuous integration

Exit codes: 0 every test passed, 1 one did not, 2 no tests, wrong use or a failure of the program itself.")]
pub(crate) struct TestArgs {
    /// Folders of mods, trees that hold some, or single test files
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// Run the tests whose title, with the groups around it, this regular expression matches
    #[arg(long, short, value_name = "RE")]
    pub(crate) filter: Option<Regex>,

    /// Run the mods again whose files change
    #[arg(long, short, conflicts_with_all = ["json", "junit"])]
    pub(crate) watch: bool,

    /// Print one JSON document (docs/test.md)
    #[arg(long, conflicts_with_all = ["verbose", "slowest"])]
    pub(crate) json: bool,

    /// Write a JUnit report as well
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,

    /// The host whose rules hold
    #[arg(long, value_name = "NAME[@VERSION]", default_value = "claude-code", value_parser = profile)]
    pub(crate) host: &'static HostProfile,

    /// List the slowest tests
    #[arg(long, value_name = "N")]
    pub(crate) slowest: Option<usize>,

    /// Print every test, also those that passed
    #[arg(long, short)]
    pub(crate) verbose: bool,

    /// Test files that run at a time [default: two for each core, since tests wait]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
}

fn profile(text: &str) -> Result<&'static HostProfile, String> {
    hosts::host(text).map_err(|error| error.to_string())
}
