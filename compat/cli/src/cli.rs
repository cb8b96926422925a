//! The command line, as data: what can be asked for, checked as far as that needs no files.

#[cfg(feature = "engine")]
mod compare;
#[cfg(feature = "engine")]
mod run;
#[cfg(feature = "engine")]
mod test;

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use modgate_validate::{BadHost, HostSpec, Tier};

#[cfg(feature = "engine")]
pub(crate) use compare::{CompareArgs, MeasureArgs};
#[cfg(feature = "engine")]
pub(crate) use run::{LimitArgs, LogArgs, LogCommand, RecordArgs, RunArgs};
#[cfg(feature = "engine")]
pub(crate) use test::TestArgs;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Runs, checks and compares Claude Code mods.
#[derive(Debug, Parser)]
#[command(name = "modgate", version, styles = STYLES, max_term_width = 100)]
#[command(propagate_version = true, subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 fine, 1 findings, 2 wrong use or a failure of the program itself.")]
pub(crate) struct Cli {
    /// When to colour what is printed (NO_COLOR is respected)
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorWhen::Auto)]
    pub(crate) color: ColorWhen,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal
    #[default]
    Auto,
    /// Also into files and pipes
    Always,
    /// Not at all
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Validate(ValidateArgs),
    #[cfg(feature = "engine")]
    Test(TestArgs),
    /// Print docs/compatibility.md
    #[cfg(feature = "engine")]
    #[command(hide = true)]
    Tables,
    #[cfg(feature = "engine")]
    Run(RunArgs),
    #[cfg(feature = "engine")]
    Log(LogArgs),
    #[cfg(feature = "engine")]
    Compare(CompareArgs),
    #[cfg(feature = "engine")]
    Measure(MeasureArgs),
    Explain(ExplainArgs),
    Diff(DiffArgs),
    Hash(HashArgs),
    Lsp(LspArgs),
}

/// Check mods without running them: would a host load them, what do they hook, what can they reach
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  modgate validate                             the mod, marketplace or tree in this folder
  modgate validate mods/a mods/b --strict      two mods; warnings count as refusals
  modgate validate . --host claude-code@2.1.287 --host dsh
                                               for these hosts instead of the newest Claude Code
  modgate validate . --format github           annotations in a GitHub workflow
  modgate validate . --sarif > modgate.sarif   for code scanning

Exit codes: 0 every mod would load, 1 one would not, 2 wrong use or a failure of the program itself.")]
pub(crate) struct ValidateArgs {
    /// Folders of mods or marketplaces, trees that hold some, or files inside a mod
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) judge: JudgeArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,

    /// Look for mods below every folder, also below one that is a mod or marketplace itself
    #[arg(long, short)]
    pub(crate) recursive: bool,

    /// Print findings only, no facts and nothing about mods without findings
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// How to judge a mod.
#[derive(Clone, Debug, Args)]
pub(crate) struct JudgeArgs {
    /// A host the mod should run on, several times for several hosts [default: the newest known Claude Code]
    #[arg(long = "host", value_name = "NAME[@VERSION]", value_parser = known_host)]
    pub(crate) hosts: Vec<HostSpec>,

    /// Refuse on warnings as well
    #[arg(long)]
    pub(crate) strict: bool,

    /// Where the mod would stand in the chain
    #[arg(long, value_enum, default_value_t = TierName::User)]
    pub(crate) tier: TierName,
}

/// A host there is a profile of: judging by one that nobody knows would pass everything.
fn known_host(text: &str) -> Result<HostSpec, String> {
    let spec: HostSpec = text.parse().map_err(|error: BadHost| error.to_string())?;
    modgate_catalog::hosts::host(text).map_err(|error| error.to_string())?;
    Ok(spec)
}

/// Where a mod stands in the chain, outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TierName {
    /// Managed settings, before all others
    Prepend,
    /// Installed by a person
    User,
    /// Managed settings, after the installed ones
    Append,
    /// Bundled with the host
    Builtin,
}

impl JudgeArgs {
    /// The same for the validator.
    pub(crate) fn options(&self) -> modgate_validate::Options {
        let tier = match self.tier {
            TierName::Prepend => Tier::Prepend,
            TierName::User => Tier::User,
            TierName::Append => Tier::Append,
            TierName::Builtin => Tier::Builtin,
        };
        modgate_validate::Options { hosts: self.hosts.clone(), strict: self.strict, tier }
    }
}

/// How to print.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct FormatArgs {
    /// How to print
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["json", "sarif"])]
    format: Option<Format>,

    /// Same as --format json
    #[arg(long, conflicts_with = "sarif")]
    json: bool,

    /// Same as --format sarif
    #[arg(long)]
    sarif: bool,
}

impl FormatArgs {
    /// What was asked for.
    pub(crate) fn chosen(self) -> Format {
        match (self.format, self.json, self.sarif) {
            (Some(format), ..) => format,
            (None, true, _) => Format::Json,
            (None, _, true) => Format::Sarif,
            (None, false, false) => Format::Text,
        }
    }
}

/// A way to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON document (docs/validate-json.md)
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations of GitHub workflows
    Github,
}

/// Show the page of a rule, or list all rules
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  modgate explain                      every rule, one a line
  modgate explain syntax-error         what it finds, why, an example, how to write it instead
  modgate explain --json | jq '.rules[].code'")]
pub(crate) struct ExplainArgs {
    /// The rule's code, as findings show it
    pub(crate) code: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Show what a new version of a mod can do that the old one could not
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  modgate diff installed/guard downloads/guard     before an update
  modgate diff old new --json | jq '.more[].name'
  modgate diff old new --format github             annotations at the places in the new version

Exit codes: 0 nothing more than before, 1 it can do more, 2 wrong use or a version that cannot be read.")]
pub(crate) struct DiffArgs {
    /// Folder of the version to compare with
    pub(crate) old: PathBuf,

    /// Folder of the version that would take its place
    pub(crate) new: PathBuf,

    #[command(flatten)]
    pub(crate) judge: JudgeArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Print the content hash that pins a mod
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  modgate hash mods/guard                          one line: the hash and the folder
  modgate hash mods/guard --list                   the lines that are hashed, as sha256sum prints them
  modgate hash mods/* --json | jq -r '.mods[].hash'

docs/hash.md tells how the hash is made.")]
pub(crate) struct HashArgs {
    /// Folders to hash
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,

    /// Print the lines that are hashed, one a file
    #[arg(long, conflicts_with = "json")]
    pub(crate) list: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Serve an editor over standard input and output (Language Server Protocol)
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  modgate lsp                             started by an editor
  modgate lsp --host dsh --strict         judge as `modgate validate` with the same options

docs/lsp.md tells how to set up editors.")]
pub(crate) struct LspArgs {
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
}
