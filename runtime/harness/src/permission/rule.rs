use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};
use serde::Serialize;
use serde_json::Value;

use super::path::PathPattern;
use super::{Decision, shell};

/// A rule text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("permission rule `{text}`: {reason}")]
pub struct RuleError {
    /// The rule.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

/// One rule: a tool, and where it has one, a pattern for what the tool is asked to do.
#[derive(Clone, Debug, Serialize)]
pub struct Rule {
    /// As written, as `Bash(git *)`.
    pub text: String,
    /// What it says.
    pub behavior: Decision,
    /// Where it comes from.
    pub source: String,
    #[serde(skip)]
    tool: GlobMatcher,
    #[serde(skip)]
    pattern: Pattern,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        (&self.text, self.behavior, &self.source) == (&other.text, other.behavior, &other.source)
    }
}

#[derive(Clone, Debug)]
enum Pattern {
    Any,
    Command(CommandPattern),
    Path(PathPattern),
    Text(GlobMatcher),
}

/// The tools whose argument is a path. A rule on `Edit` covers every tool that changes files, one on `Read` every
/// tool that reads them.
const READERS: &[&str] = &["Read", "Glob", "Grep"];
const EDITORS: &[&str] = &["Edit", "Write", "MultiEdit", "NotebookEdit"];

impl Rule {
    /// Reads `Tool`, `Tool(pattern)`, `mcp__server__*`.
    pub fn parse(text: &str, behavior: Decision, source: &str) -> Result<Rule, RuleError> {
        let fail = |reason: &str| RuleError { text: text.to_owned(), reason: reason.to_owned() };
        let trimmed = text.trim();
        let (tool, argument) = match trimmed.split_once('(') {
            None => (trimmed, None),
            Some((tool, rest)) => {
                let argument = rest.strip_suffix(')').ok_or_else(|| fail("the closing parenthesis is missing"))?;
                (tool.trim_end(), Some(argument))
            }
        };
        if tool.is_empty() {
            return Err(fail("names no tool"));
        }
        if tool.contains([' ', ')']) {
            return Err(fail("a tool's name has no blanks and no parentheses"));
        }
        let pattern = match argument {
            None | Some("*") => Pattern::Any,
            Some("") => return Err(fail("the parentheses are empty; leave them out to mean every call")),
            Some(argument) if tool == "Bash" => Pattern::Command(CommandPattern::parse(argument)),
            Some(argument) if READERS.contains(&tool) || EDITORS.contains(&tool) => {
                Pattern::Path(PathPattern::parse(argument).map_err(|reason| fail(&reason))?)
            }
            Some(argument) => Pattern::Text(text_glob(argument).map_err(|error| fail(&error.to_string()))?),
        };
        let tool = text_glob(tool).map_err(|error| fail(&error.to_string()))?;
        Ok(Rule { text: trimmed.to_owned(), behavior, source: source.to_owned(), tool, pattern })
    }

    /// Whether it is about every call of its tool.
    pub(super) fn is_whole_tool(&self) -> bool {
        matches!(self.pattern, Pattern::Any)
    }

    /// Whether it is about that tool; a rule on `Read` or `Edit` covers the tools of its family.
    pub(super) fn names(&self, tool: &str) -> bool {
        let family = |name: &str, members: &[&str]| self.tool.is_match(name) && members.contains(&tool);
        self.tool.is_match(tool) || family("Read", READERS) || family("Edit", EDITORS)
    }

    /// Whether it speaks about that one command.
    pub(super) fn matches_command(&self, command: &str) -> bool {
        match &self.pattern {
            Pattern::Any => true,
            Pattern::Command(pattern) => pattern.matches(command),
            Pattern::Path(_) | Pattern::Text(_) => false,
        }
    }

    /// Whether it speaks about that file (absolute).
    pub(super) fn matches_path(&self, path: &Path, root: &Path) -> bool {
        match &self.pattern {
            Pattern::Any => true,
            Pattern::Path(pattern) => pattern.matches(path, root),
            Pattern::Command(_) | Pattern::Text(_) => false,
        }
    }

    /// Whether it speaks about these arguments of a tool that is neither a shell nor about files.
    pub(super) fn matches_other(&self, input: &Value) -> bool {
        match &self.pattern {
            Pattern::Any => true,
            Pattern::Text(glob) => {
                let fields = input.as_object().into_iter().flat_map(|fields| fields.values());
                fields.filter_map(Value::as_str).any(|text| glob.is_match(text))
            }
            Pattern::Command(_) | Pattern::Path(_) => false,
        }
    }
}

/// `*` stands for any text, nothing else is special.
fn text_glob(text: &str) -> Result<GlobMatcher, globset::Error> {
    let escaped: String = text
        .chars()
        .flat_map(|c| match c {
            '?' | '[' | ']' | '{' | '}' | '\\' | '!' => vec!['\\', c],
            other => vec![other],
        })
        .collect();
    Ok(GlobBuilder::new(&escaped).literal_separator(false).backslash_escape(true).build()?.compile_matcher())
}

/// `git status` (exactly that), `git *` (that word and whatever follows), `git:*` (the same), `* --version`.
#[derive(Clone, Debug)]
struct CommandPattern {
    pieces: Vec<String>,
    /// Ends in ` *` or `:*`: the command alone matches too, and a longer word does not.
    open: bool,
}

impl CommandPattern {
    fn parse(text: &str) -> CommandPattern {
        let text = text.trim();
        let (body, open) = match text.strip_suffix(":*").or_else(|| text.strip_suffix(" *")) {
            Some(body) => (body, true),
            None => (text, false),
        };
        let body = if body == "*" { "" } else { body };
        CommandPattern { pieces: body.split('*').map(shell::squeeze).collect(), open }
    }

    fn matches(&self, command: &str) -> bool {
        let command = shell::squeeze(command);
        if !self.open {
            return wild(&self.pieces, &command);
        }
        // Cutting at each blank keeps the word before ` *` whole.
        let blanks = command.match_indices(' ').map(|(at, _)| at);
        blanks.chain([command.len()]).any(|end| wild(&self.pieces, &command[..end]))
    }
}

/// Whether the text is these pieces with anything in between.
fn wild(pieces: &[String], text: &str) -> bool {
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return text.is_empty() };
    if pieces.len() == 1 {
        return text == first;
    }
    let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
    for piece in &pieces[1..pieces.len() - 1] {
        let Some(at) = rest.find(piece.as_str()) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last.as_str())
}
