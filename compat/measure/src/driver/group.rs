//! A program with everything it starts.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::process::{Child, Command};

/// A child that leads a process group. What is left of the group ends when this is dropped: tools a program had begun
/// do not outlive its measurement.
pub(super) struct Group {
    pub(super) child: Child,
    leader: Option<Pid>,
}

impl Group {
    pub(super) fn spawn(command: &mut Command) -> std::io::Result<Group> {
        let child = command.process_group(0).kill_on_drop(true).spawn()?;
        let leader = child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw);
        Ok(Group { child, leader })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.leader {
            // Nothing of the group may be left, which is as good.
            let _ = killpg(leader, Signal::SIGKILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_a_program_began_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        // The grandchild holds the pipe open for as long as it lives; its reader sees the end when it is gone.
        let line = format!("(echo up; exec sleep 1000) > {} & wait", pipe.display());
        let group = Group::spawn(Command::new("bash").arg("-c").arg(line)).unwrap();
        let reader = tokio::task::spawn_blocking(move || {
            use std::io::{BufRead, BufReader, Read};
            let mut reader = BufReader::new(std::fs::File::open(pipe).unwrap());
            let mut first = String::new();
            reader.read_line(&mut first).unwrap();
            drop(group);
            let mut rest = String::new();
            reader.read_to_string(&mut rest).unwrap();
            (first, rest)
        });
        assert_eq!(reader.await.unwrap(), ("up\n".into(), String::new()));
    }
}
