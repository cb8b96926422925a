//! What version control is said to be like.

use modgate_value::Value;

use super::own::{is_absolute, only};
use super::{Code, Refusal};

/// A repository, of its known fields alone. It holds the folder that was asked about.
pub(super) fn repository(input: &Value, answer: &Value) -> Result<Value, Refusal> {
    if answer.as_object().is_none() {
        return Ok(answer.clone());
    }
    let root = answer.str_at("root").unwrap_or_default();
    let holds = |path: &str| match path.strip_prefix(root.trim_end_matches('/')) {
        Some(rest) => rest.is_empty() || rest.starts_with('/'),
        None => false,
    };
    if !is_absolute(root) || !input.str_at("path").is_none_or(holds) {
        return Err(unfit("root", "an absolute path, of the folder that was asked about or one above it"));
    }
    if answer.str_at("mainRoot").is_some_and(|root| !is_absolute(root)) {
        return Err(unfit("mainRoot", "an absolute path"));
    }
    if let Some(field) = ["revision", "defaultBranch", "remote"]
        .into_iter()
        .find(|field| answer.str_at(field).is_some_and(|text| text.contains(['\n', '\r'])))
    {
        return Err(unfit(field, "one line"));
    }
    named(answer)?;
    Ok(only(answer, &["vcs", "root", "mainRoot", "revision", "branch", "defaultBranch", "remote"]))
}

/// A working tree has its place from the root on.
pub(super) fn tree(tree: &Value) -> Result<(), Refusal> {
    if tree.str_at("path").is_some_and(|path| !is_absolute(path)) {
        return Err(unfit("path", "an absolute path"));
    }
    named(tree)
}

/// Version control has a short name.
fn named(answer: &Value) -> Result<(), Refusal> {
    let is_short = |name: &str| name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'));
    match answer.str_at("vcs") {
        Some(name) if !is_short(name) => Err(unfit("vcs", "a short name in small letters")),
        _ => Ok(()),
    }
}

fn unfit(field: &'static str, wanted: &str) -> Refusal {
    Refusal::new(Code::Answer, format!("returned a {field} that is not {wanted}")).at(field)
}
