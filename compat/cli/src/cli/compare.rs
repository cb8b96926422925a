//! The arguments of `modgate compare` and `modgate measure`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::known_host;
use super::run::LimitArgs;

/// Run mods under the rules of several hosts and show where the outcomes part
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  modgate compare mods/guard --scenario demo.toml                 under every known host
  modgate compare mods/a mods/b --scenario demo.toml --hosts native,claude-code
  modgate compare mods/guard                                      a scenario is made from the mod's hooks
  modgate compare mods/guard --scenario demo.toml --html out.html  the timelines side by side, as a page

The first host is what the others are compared with. docs/compare.md tells what the differences mean.

Exit codes: 0 all hosts agree and none is unsafe, 1 they differ, 2 wrong use or a failure of the program itself.")]
pub(crate) struct CompareArgs {
    /// Folders of mods, outermost first
    #[arg(value_name = "MOD", required = true)]
    pub(crate) mods: Vec<PathBuf>,

    /// What person and model do; without it one is made from the mods' hooks
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,

    /// The hosts, with or without a version
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', default_value = "native,claude-code,dsh,codex")]
    #[arg(value_parser = played_host)]
    pub(crate) hosts: Vec<String>,

    /// A working directory; every host gets a copy of it
    #[arg(long, value_name = "DIR")]
    pub(crate) workdir: Option<PathBuf>,

    /// What mods may reach; without it nothing outside of their isolates
    #[arg(long, value_name = "FILE")]
    pub(crate) grants: Option<PathBuf>,

    /// MCP servers that mods may call, in the form of `.mcp.json`
    #[arg(long, value_name = "FILE")]
    pub(crate) mcp: Option<PathBuf>,

    /// Seconds after which a host under which nothing happens any more is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) patience: u64,

    /// Print the comparison as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Write the comparison as one page as well
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// A host of which there is a profile, as it was written.
fn played_host(text: &str) -> Result<String, String> {
    known_host(text).map(|_| text.to_owned())
}

/// Drive a real host through cases and compare what it did with its profile
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  modgate measure claude-code --bin node_modules/.bin/claude mods-fixtures/measure/rewrite
  modgate measure codex --bin ./codex mods-fixtures/measure/*

A case is a folder with scenario.toml, case.toml and mods; docs/measure.md tells how it is written. The program runs in
a throwaway home with a model on loopback.

Exit codes: 0 profile and program agree, 1 they do not, 2 wrong use or a failure of the program itself.")]
pub(crate) struct MeasureArgs {
    /// Which host it is
    #[arg(value_enum, value_name = "HOST")]
    pub(crate) host: MeasuredHost,

    /// The program
    #[arg(long, value_name = "PATH")]
    pub(crate) bin: PathBuf,

    /// Folders of cases
    #[arg(value_name = "CASE", required_unless_present = "scenario")]
    pub(crate) cases: Vec<PathBuf>,

    /// Scenario files in folders of cases
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) scenario: Vec<PathBuf>,

    /// Keep what the program left (requests, transcript, log) in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// Hosts there is a driver for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MeasuredHost {
    /// Claude Code, its native binary
    ClaudeCode,
    /// Codex
    Codex,
}

impl MeasuredHost {
    /// Its name in profiles.
    pub(crate) fn name(self) -> &'static str {
        match self {
            MeasuredHost::ClaudeCode => "claude-code",
            MeasuredHost::Codex => "codex",
        }
    }
}
