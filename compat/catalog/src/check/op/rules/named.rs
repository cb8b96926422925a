//! Rules of names: of programs, files, worktrees, further names of commands.

use modgate_value::Value;

use super::{check, fault, is_name};
use crate::shape::Fault;

/// The most aliases a command may have.
const ALIASES: usize = 8;

/// Further names of a command.
pub(super) fn aliases(value: Option<Value>) -> Result<Value, Fault> {
    let list =
        check(value, |value| value.as_array().is_some_and(|list| list.len() <= ALIASES), "a list of at most 8 names")?;
    each(&list, is_name, "1 to 64 letters, digits, _ or -")?;
    Ok(list)
}

/// A program, which has a name, and its arguments.
pub(super) fn argv(value: Option<Value>) -> Result<Value, Fault> {
    let is_argv = |value: &Value| {
        let texts: Option<Vec<_>> = value.as_array().and_then(|list| list.iter().map(Value::as_str).collect());
        texts.is_some_and(|texts| texts.first().is_some_and(|program| !program.is_empty()))
    };
    check(value, is_argv, "a list of strings, the name of a program first")
}

/// Names of Markdown files under a folder.
pub(super) fn markdown(value: Option<Value>) -> Result<Value, Fault> {
    let list = check(value, |value| value.as_array().is_some(), "a list of names of .md files")?;
    let is_name = |value: &Value| {
        value.as_str().is_some_and(|name| {
            let ending = name.len().checked_sub(3).and_then(|at| name.get(at..));
            let is_markdown = ending.is_some_and(|ending| ending.eq_ignore_ascii_case(".md"));
            is_markdown && !name.starts_with('/') && name.split('/').all(|part| part != "..")
        })
    };
    each(&list, is_name, "the relative name of a .md file without ..")?;
    Ok(list)
}

/// The name of a worktree: segments between slashes.
pub(super) fn worktree(value: Option<Value>) -> Result<Value, Fault> {
    let is_segment = |part: &str| {
        !matches!(part, "" | "." | "..")
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
    };
    let is_right =
        |value: &Value| value.as_str().is_some_and(|name| name.len() <= 64 && name.split('/').all(is_segment));
    check(value, is_right, "at most 64 letters, digits, ., _ and -, in segments between /")
}

fn each(list: &Value, is_right: impl Fn(&Value) -> bool, wanted: &str) -> Result<(), Fault> {
    let list = list.as_array().unwrap_or_default();
    match list.iter().position(|item| !is_right(item)) {
        Some(at) => Err(fault(&format!("[{at}]"), wanted, list.get(at).cloned())),
        None => Ok(()),
    }
}
