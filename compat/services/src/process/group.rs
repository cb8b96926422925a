//! A child with its own process group.

use std::io;
use std::process::{ExitStatus, Stdio};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

/// A running child and all its descendants that stayed in its group. Dropping it kills them.
#[derive(Debug)]
pub(super) struct Group {
    child: Child,
    /// The group's id while it may still be running.
    id: Option<Pid>,
}

impl Group {
    pub(super) fn start(command: &mut Command) -> io::Result<Group> {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = piped.process_group(0).kill_on_drop(true).spawn()?;
        let id = child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw);
        Ok(Group { child, id })
    }

    /// The child's three pipes, once.
    pub(super) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
        Some((self.child.stdin.take()?, self.child.stdout.take()?, self.child.stderr.take()?))
    }

    /// Waits for the child and ends what it left running: a call's processes do not outlive it, and its pipes close.
    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await;
        self.kill();
        status
    }

    fn kill(&mut self) {
        if let Some(id) = self.id.take() {
            // Fails when nothing is left in the group, which is as good.
            let _ = killpg(id, Signal::SIGKILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
