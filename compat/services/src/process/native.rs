//! `$.process` on the machine itself.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, Command};

use super::group::Group;
use super::text::Decoder;
use super::{Finished, Launch, MAX_OUTPUT, Pieces, Process};
use crate::env::Variables;
use crate::{ServiceError, codes};

/// Starts real processes. Their environment is the given variables, never that of this process.
#[derive(Debug, Clone)]
pub struct NativeProcess {
    variables: Variables,
}

impl NativeProcess {
    /// Children get these variables; `PATH` among them says where programs are found.
    pub fn new(variables: Variables) -> NativeProcess {
        NativeProcess { variables }
    }

    fn start(&self, call: &str, launch: &Launch) -> Result<Group, ServiceError> {
        let host = self.variables.all();
        let named = launch.argv.first().map_or("", String::as_str);
        let path = host.get("PATH").map_or("", String::as_str);
        let program = find_program(named, &launch.cwd, path)
            .ok_or_else(|| ServiceError::failed(call, codes::NOT_FOUND, format_args!("{named}: no such program")))?;
        let mut command = Command::new(&program);
        command.arg0(named).args(&launch.argv[1..]).current_dir(&launch.cwd);
        command.env_clear().envs(&host).envs(launch.env.iter().map(|(name, value)| (name, value)));
        if program.file_name().is_some_and(|name| name == "git") {
            without_repository_hooks(&mut command);
        }
        Group::start(&mut command)
            .map_err(|error| ServiceError::failed(call, codes::BAD_GATEWAY, format_args!("{named}: {error}")))
    }
}

#[async_trait]
impl Process for NativeProcess {
    fn members(&self) -> &'static [&'static str] {
        &["run", "spawn"]
    }

    async fn run(&self, launch: Launch) -> Result<Finished, ServiceError> {
        let call = "process.run";
        let mut group = self.start(call, &launch)?;
        let Some((stdin, stdout, stderr)) = group.pipes() else { return Err(lost(call)) };
        let work = async { tokio::join!(feed(stdin, &launch.input), keep(stdout), keep(stderr), group.wait()) };
        let done = match launch.timeout {
            None => work.await,
            Some(limit) => {
                let ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
                tokio::time::timeout(limit, work).await.map_err(|_| ServiceError::timeout(call, ms))?
            }
        };
        let ((), stdout, stderr, status) = done;
        let broken = |error: io::Error| ServiceError::failed(call, codes::IO, error);
        let ((stdout, out_cut), (stderr, err_cut)) = (stdout.map_err(broken)?, stderr.map_err(broken)?);
        let exit_code = status.map_err(broken)?.code().unwrap_or(1);
        Ok(Finished { exit_code, stdout, stderr, is_cut: out_cut || err_cut })
    }

    async fn spawn(&self, launch: Launch, pieces: Pieces) -> Result<i32, ServiceError> {
        let call = "process.spawn";
        let mut group = self.start(call, &launch)?;
        let Some((stdin, stdout, stderr)) = group.pipes() else { return Err(lost(call)) };
        let ((), out, err, status) = tokio::join!(
            feed(stdin, &launch.input),
            pump("stdout", stdout, &pieces),
            pump("stderr", stderr, &pieces),
            group.wait()
        );
        let broken = |error: io::Error| ServiceError::failed(call, codes::IO, error);
        out.and(err).map_err(broken)?;
        Ok(status.map_err(broken)?.code().unwrap_or(1))
    }
}

fn lost(call: &str) -> ServiceError {
    ServiceError::failed(call, codes::IO, "the child's pipes are gone")
}

/// Writes the whole input and closes the pipe. A child that does not read it is no error.
async fn feed(mut stdin: ChildStdin, input: &str) {
    let _ = stdin.write_all(input.as_bytes()).await;
}

/// Reads to the end and keeps the beginning.
async fn keep(mut pipe: impl AsyncRead + Unpin) -> io::Result<(String, bool)> {
    let mut kept = Vec::new();
    let mut is_cut = false;
    let mut buffer = vec![0; 16 << 10];
    loop {
        let length = pipe.read(&mut buffer).await?;
        if length == 0 {
            return Ok((String::from_utf8_lossy(&kept).into_owned(), is_cut));
        }
        let room = MAX_OUTPUT - kept.len();
        kept.extend_from_slice(&buffer[..length.min(room)]);
        is_cut |= length > room;
    }
}

/// Reads to the end and hands on what comes, as it comes.
async fn pump(stream: &'static str, mut pipe: impl AsyncRead + Unpin, pieces: &Pieces) -> io::Result<()> {
    let mut decoder = Decoder::default();
    let mut buffer = vec![0; 16 << 10];
    loop {
        let length = pipe.read(&mut buffer).await?;
        let text = if length == 0 { decoder.finish() } else { decoder.push(&buffer[..length]) };
        if !text.is_empty() && !pieces.send(stream, text).await {
            return Ok(());
        }
        if length == 0 {
            return Ok(());
        }
    }
}

/// The program's file. Looked up in the host's `PATH`, not in one the mod gives the child: a grant for `git` means the
/// host's git.
fn find_program(named: &str, cwd: &Path, path: &str) -> Option<PathBuf> {
    let runs = |file: &PathBuf| file.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0);
    if named.contains('/') {
        return Some(cwd.join(named)).filter(runs);
    }
    std::env::split_paths(path).filter(|folder| folder.is_absolute()).map(|folder| folder.join(named)).find(runs)
}

/// A repository's own hooks would be code that nobody granted.
fn without_repository_hooks(command: &mut Command) {
    command.env("GIT_CONFIG_COUNT", "2");
    for (at, (key, value)) in [("core.hooksPath", "/dev/null"), ("core.fsmonitor", "false")].iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{at}"), key).env(format!("GIT_CONFIG_VALUE_{at}"), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_in_the_given_path_only() {
        let folder = tempfile::tempdir().unwrap();
        let tool = folder.path().join("tool");
        std::fs::write(&tool, "#!/bin/sh\n").unwrap();
        let path = folder.path().to_str().unwrap();
        assert_eq!(find_program("tool", folder.path(), path), None, "not executable");
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find_program("tool", Path::new("/"), path), Some(tool.clone()));
        assert_eq!(find_program("tool", folder.path(), "."), None, "relative folders do not count");
        assert_eq!(find_program("tool", folder.path(), ""), None);
        assert_eq!(find_program("./tool", folder.path(), ""), Some(folder.path().join("./tool")));
    }
}
