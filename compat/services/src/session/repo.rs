//! The git repository around a folder, asked of git's plumbing. Nothing is fetched.

use std::path::PathBuf;

use modgate_value::Value;
use tokio::process::Command;

use crate::{Answer, ServiceError, codes};

const CALL: &str = "session.repo";

/// `{root, remote, internal, name}`, or null outside of a repository and where there is no git.
pub(super) async fn of(cwd: PathBuf) -> Answer {
    let Some(common) = git(&cwd, &["rev-parse", "--path-format=absolute", "--git-common-dir"]).await? else {
        return Ok(Value::Null);
    };
    let common = PathBuf::from(common);
    // The main working tree holds the common folder; a bare repository is its own root.
    let is_inside = common.file_name().is_some_and(|name| name == ".git");
    let root = if is_inside { common.parent().map(PathBuf::from) } else { Some(common.clone()) };
    let root = root.unwrap_or(common);
    let remote = git(&cwd, &["config", "--get", "remote.origin.url"]).await?;
    let name = remote.as_deref().and_then(name_of);
    Ok(Value::object([
        ("root", Value::from(root.to_string_lossy().as_ref())),
        ("remote", remote.map_or(Value::Null, |remote| Value::from(without_password(&remote)))),
        ("internal", Value::from(false)),
        ("name", name.map_or(Value::Null, Value::from)),
    ]))
}

/// One line of git's answer; `None` where git says no.
async fn git(cwd: &PathBuf, arguments: &[&str]) -> Result<Option<String>, ServiceError> {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(cwd).stdin(std::process::Stdio::null()).kill_on_drop(true);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"] {
        command.env_remove(name);
    }
    match command.output().await {
        Ok(output) if output.status.success() => {
            let line = String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_string();
            Ok(Some(line).filter(|line| !line.is_empty()))
        }
        Ok(_) => Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ServiceError::failed(CALL, codes::IO, error)),
    }
}

/// `owner/name` of a remote: `git@host:owner/name.git`, `https://host/owner/name`.
fn name_of(remote: &str) -> Option<String> {
    let path = match remote.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => remote.split_once(':')?.1,
    };
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    (!path.is_empty()).then(|| path.to_string())
}

/// A remote's URL may hold a password; a mod has no use for it.
fn without_password(remote: &str) -> String {
    match url::Url::parse(remote) {
        Ok(mut url) if url.password().is_some() => {
            let _ = url.set_password(None);
            url.to_string()
        }
        _ => remote.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_remotes() {
        assert_eq!(name_of("git@host.example:owner/name.git").as_deref(), Some("owner/name"));
        assert_eq!(name_of("https://host.example/group/sub/name/").as_deref(), Some("group/sub/name"));
        assert_eq!(name_of("ssh://git@host.example:22/owner/name.git").as_deref(), Some("owner/name"));
        assert_eq!(name_of("/srv/plain"), None);
        assert_eq!(without_password("https://me:pw@host.example/a.git"), "https://me@host.example/a.git");
        assert_eq!(without_password("git@host.example:a/b"), "git@host.example:a/b");
    }
}
