use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;

use crate::permission::{Part, analyse};

use super::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec, place};

/// Runs a command in a shell.
pub struct Bash {
    spec: ToolSpec,
    shape: Shape,
}

impl Bash {
    /// The tool.
    pub fn new() -> Bash {
        let spec = ToolSpec {
            name: "Bash".into(),
            description:
                "Runs a command in bash. The directory stays from call to call; variables do not. `timeout` is \
                          in milliseconds."
                    .into(),
            input_schema: json!({ "type": "object", "additionalProperties": false, "required": ["command"],
                "properties": {
                    "command": { "type": "string" },
                    "timeout": { "type": "number", "exclusiveMinimum": 0 },
                    "description": { "type": "string" },
                    "run_in_background": { "type": "boolean" },
                    "dangerouslyDisableSandbox": { "type": "boolean" },
                },
            }),
            output_schema: Some(json!({ "type": "object", "required": ["stdout", "stderr", "interrupted"],
                "properties": {
                    "stdout": { "type": "string" }, "stderr": { "type": "string" },
                    "interrupted": { "type": "boolean" }, "isImage": { "type": "boolean" },
                    "noOutputExpected": { "type": "boolean" }, "timedOutAfterMs": { "type": "number" },
                    "returnCodeInterpretation": { "type": "string" },
                },
            })),
            effect: Effect::Runs,
        };
        let shape = Shape::new(&spec);
        Bash { spec, shape }
    }
}

impl Default for Bash {
    fn default() -> Bash {
        Bash::new()
    }
}

/// How a command ended.
enum End {
    Code(i32),
    Signal,
    TimedOut,
    Aborted,
}

#[async_trait]
impl Tool for Bash {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    async fn run(&self, input: &Value, context: &ToolContext) -> ToolOutput {
        if input["run_in_background"] == true {
            return ToolOutput::error("This host runs no commands in the background.");
        }
        let command = input["command"].as_str().unwrap_or_default();
        let asked = input["timeout"].as_f64().map_or(context.limits.timeout_ms, |ms| ms as u64);
        let timeout_ms = asked.clamp(1, context.limits.max_timeout_ms);
        let ran = run_shell(command, timeout_ms, context).await;
        match ran {
            Ok(ran) => self.output(command, timeout_ms, ran),
            Err(error) => ToolOutput::error(format!("The shell could not be started: {error}")),
        }
    }

    fn render(&self, result: &Value) -> String {
        let text = |key: &str| result[key].as_str().unwrap_or_default().trim_end();
        let parts: Vec<&str> = [text("stdout"), text("stderr")].into_iter().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { "(no output)".into() } else { parts.join("\n") }
    }
}

impl Bash {
    fn output(&self, command: &str, timeout_ms: u64, ran: Ran) -> ToolOutput {
        let interrupted = matches!(ran.end, End::TimedOut | End::Aborted);
        let mut result = json!({
            "stdout": ran.stdout, "stderr": ran.stderr, "interrupted": interrupted, "isImage": false,
            "noOutputExpected": is_silent(command),
        });
        let meaning = match ran.end {
            End::Code(code) => meaning(command, code),
            _ => None,
        };
        if let Some(meaning) = meaning {
            result["returnCodeInterpretation"] = json!(meaning);
        }
        let failure = match ran.end {
            End::Code(0) => None,
            End::Code(_) if meaning.is_some() => None,
            End::Code(code) => Some(format!("Exit code {code}")),
            End::Signal => Some("Ended by a signal".into()),
            End::Aborted => Some("Interrupted: the turn was aborted".into()),
            End::TimedOut => {
                result["timedOutAfterMs"] = json!(timeout_ms);
                Some(format!("Stopped after {timeout_ms} ms"))
            }
        };
        let text = self.render(&result);
        match failure {
            Some(failure) => ToolOutput { text: format!("{failure}\n{text}"), result, is_error: true },
            None => ToolOutput { text, result, is_error: false },
        }
    }
}

/// Programs that say nothing when all is well.
const SILENT: &[&str] =
    &["cd", "chgrp", "chmod", "chown", "cp", "export", "ln", "mkdir", "mv", "rm", "rmdir", "touch", "unset", "wait"];

/// Whether no output is what one expects of the command.
fn is_silent(command: &str) -> bool {
    let analysis = analyse(command);
    let silent = |part: &Part| part.words.first().is_some_and(|word| SILENT.contains(&word.as_str()));
    analysis.opaque.is_none() && analysis.parts.iter().all(silent)
}

/// Exit code 1 of a few programs is an answer and no failure.
fn meaning(command: &str, code: i32) -> Option<&'static str> {
    let last = command.rsplit(['|', ';', '&']).next().unwrap_or_default();
    let program = last.split_whitespace().next()?;
    match (program, code) {
        ("grep" | "rg", 1) => Some("no matches"),
        ("diff", 1) => Some("files differ"),
        ("test" | "[", 1) => Some("condition is false"),
        ("find", 1) => Some("some directories could not be read"),
        _ => None,
    }
}

struct Ran {
    stdout: String,
    stderr: String,
    end: End,
}

/// Puts the directory the shell ended in where the harness finds it, then leaves the command's own exit code.
const SCRIPT: &str = r#"trap 'pwd -P >| "$MODGATE_SHELL_DIR"' EXIT; eval "$1""#;

async fn run_shell(command: &str, timeout_ms: u64, context: &ToolContext) -> std::io::Result<Ran> {
    let left_in = tempfile::NamedTempFile::new()?;
    let start = context.state.shell_dir().filter(|dir| dir.is_dir()).unwrap_or_else(|| context.root.clone());
    let mut child = Command::new("bash")
        .args(["--noprofile", "--norc", "-c", SCRIPT, "bash", command])
        .env("MODGATE_SHELL_DIR", left_in.path())
        .current_dir(&start)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    let group = Group(child.id());
    let stdout = Drain::begin(child.stdout.take(), context.limits.output_chars);
    let stderr = Drain::begin(child.stderr.take(), context.limits.output_chars);
    let end = wait(&mut child, timeout_ms, context).await;
    // Whatever the command left behind ends with it; otherwise it could hold the pipes open for ever.
    drop(group);
    let stdout = stdout.finish().await;
    let mut stderr = stderr.finish().await;
    if let Some(note) = keep_directory(left_in.path(), &start, context) {
        stderr = if stderr.is_empty() { note } else { format!("{}\n{note}", stderr.trim_end()) };
    }
    Ok(Ran { stdout, stderr, end: end? })
}

async fn wait(child: &mut Child, timeout_ms: u64, context: &ToolContext) -> std::io::Result<End> {
    tokio::select! {
        status = child.wait() => Ok(status?.code().map_or(End::Signal, End::Code)),
        () = tokio::time::sleep(Duration::from_millis(timeout_ms)) => Ok(End::TimedOut),
        () = context.cancel.cancelled() => Ok(End::Aborted),
    }
}

/// A process group that is killed as a whole when this is dropped, also where the call itself is dropped.
struct Group(Option<u32>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(id) = self.0.and_then(|id| i32::try_from(id).ok()) {
            // It fails where the group is gone already, which is what is wanted.
            let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
    }
}

/// How long output is waited for once the command is over. Only a process that left the group can hold a pipe then.
const GRACE: Duration = Duration::from_millis(500);

/// What a pipe gave, up to the limit.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    total: usize,
}

/// Reads a pipe on a task of its own, so that the reader never stalls the command.
struct Drain {
    kept: Arc<Mutex<Kept>>,
    task: JoinHandle<()>,
    limit: usize,
}

impl Drain {
    fn begin(pipe: Option<impl AsyncRead + Unpin + Send + 'static>, limit: usize) -> Drain {
        let kept = Arc::<Mutex<Kept>>::default();
        let filling = kept.clone();
        let task = tokio::spawn(async move {
            let Some(mut pipe) = pipe else { return };
            let mut buffer = vec![0; 16 * 1024];
            while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
                let mut kept = filling.lock();
                let room = limit.saturating_mul(4).saturating_sub(kept.bytes.len());
                kept.total += count;
                kept.bytes.extend_from_slice(&buffer[..room.min(count)]);
            }
        });
        Drain { kept, task, limit }
    }

    async fn finish(mut self) -> String {
        if tokio::time::timeout(GRACE, &mut self.task).await.is_err() {
            self.task.abort();
        }
        let kept = self.kept.lock();
        let text = String::from_utf8_lossy(&kept.bytes);
        let cut: String = text.chars().take(self.limit).collect();
        if cut.len() < text.len() || kept.total > kept.bytes.len() {
            return format!("{cut}\n… (cut: {} bytes in all)", kept.total);
        }
        cut
    }
}

/// Remembers where the shell ended. Outside the working directory it is put back, and said so.
fn keep_directory(file: &Path, start: &Path, context: &ToolContext) -> Option<String> {
    let ended = std::fs::read_to_string(file).ok()?;
    let ended = PathBuf::from(ended.trim_end_matches('\n'));
    if ended.as_os_str().is_empty() || ended == start {
        return None;
    }
    if place(&context.root, &ended).inside {
        context.state.set_shell_dir(&ended);
        return None;
    }
    context.state.set_shell_dir(&context.root);
    Some(format!("The shell left the working directory; it is back in {}.", context.root.display()))
}
