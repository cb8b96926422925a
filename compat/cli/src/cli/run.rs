//! The arguments of `modgate run` and `modgate log`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Run mods over a scripted session with real tools
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  modgate run mods/guard --scenario demo.toml                  the session as a transcript
  modgate run mods/a mods/b --scenario demo.toml --log s.jsonl  keep the record
  modgate run mods/a --scenario demo.toml --resume s.jsonl     go on with a session that was stopped
  modgate run mods/a --scenario demo.toml --json               every row of the record, then a summary

docs/scenarios.md tells how scenarios are written, docs/grants.md what mods may reach.

Exit codes: 0 everything happened as the scenario expects, 1 something did not or a mod was refused, 2 wrong use or a
failure of the program itself.")]
pub(crate) struct RunArgs {
    /// Folders of mods, outermost first
    #[arg(value_name = "MOD")]
    pub(crate) mods: Vec<PathBuf>,

    /// What person and model do, what files there are, what should happen
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: PathBuf,

    /// Where the record goes; without it, it is thrown away
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) log: Option<PathBuf>,

    /// Go on with the session of this record; nothing that ran runs again
    #[arg(long, value_name = "FILE", conflicts_with = "workdir")]
    pub(crate) resume: Option<PathBuf>,

    /// Where tools work; without it a new folder that is removed at the end
    #[arg(long, value_name = "DIR")]
    pub(crate) workdir: Option<PathBuf>,

    /// Play this host's rules instead of the native ones
    #[arg(long, value_name = "NAME[@VERSION]", default_value = "native")]
    pub(crate) host: String,

    /// What mods may reach; without it nothing outside of their isolates
    #[arg(long, value_name = "FILE")]
    pub(crate) grants: Option<PathBuf>,

    /// MCP servers that mods may call, in the form of `.mcp.json`
    #[arg(long, value_name = "FILE")]
    pub(crate) mcp: Option<PathBuf>,

    /// Print every row as one line of JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// What one mod may use.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Milliseconds of its own that a hook has
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) hook_ms: u64,

    /// MiB of heap a mod has
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u16).range(16..))]
    pub(crate) heap_mib: u16,

    /// MiB of array buffers a mod has
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) buffers_mib: u16,
}

/// Read the record of a session
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  modgate log show s.jsonl       the transcript again
  modgate log verify s.jsonl     does every row continue the one before?
  modgate log audit s.jsonl      who did what, call by call
  modgate log history s.jsonl    what the model was sent

docs/record.md tells what the rows mean.")]
pub(crate) struct LogArgs {
    #[command(subcommand)]
    pub(crate) what: LogCommand,
}

/// What to read out of a record.
#[derive(Debug, Subcommand)]
pub(crate) enum LogCommand {
    /// Show the transcript
    Show(RecordArgs),
    /// Check numbers and hash chain, line by line
    Verify(RecordArgs),
    /// Show who did what
    Audit(RecordArgs),
    /// Show what the model was sent
    History(RecordArgs),
}

/// Which record, and how to print.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// The record
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
