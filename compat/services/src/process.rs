//! `$.process`: child processes.

mod group;
mod native;
mod text;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use modgate_value::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::input::Args;
use crate::stream::StreamEnd;
use crate::{Access, Answer, ServiceError, ServiceStream};

pub use native::NativeProcess;

/// Calls that are opened as streams.
pub(crate) const STREAMS: &[&str] = &["process.spawn"];
/// How long `run` waits where nothing is said.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// How long `run` waits at most.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(600);
/// What is kept of each of a child's two outputs, in bytes; the rest is read and thrown away.
pub const MAX_OUTPUT: usize = 1 << 20;
/// What may be given to a child on its standard input, in bytes.
pub const MAX_INPUT: usize = 4 << 20;

/// A command to run. It has passed the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Program and arguments; no shell.
    pub argv: Vec<String>,
    /// Where it runs.
    pub cwd: PathBuf,
    /// Variables laid over the host's.
    pub env: Vec<(String, String)>,
    /// Its standard input; empty where there is none.
    pub input: String,
    /// When it is ended; never where absent.
    pub timeout: Option<Duration>,
}

/// How a child ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finished {
    /// Its exit code; 1 where a signal ended it.
    pub exit_code: i32,
    /// What it wrote. Bytes that are not UTF-8 have become U+FFFD.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
    /// Whether an output went past [`MAX_OUTPUT`].
    pub is_cut: bool,
}

/// Where a streaming child's output goes.
#[derive(Debug, Clone)]
pub struct Pieces(mpsc::Sender<Value>);

impl Pieces {
    /// Hands on one piece and waits until there is room for it. False when nobody reads any more.
    pub async fn send(&self, stream: &'static str, text: String) -> bool {
        let piece = Value::object([("stream", Value::from(stream)), ("text", Value::from(text))]);
        self.0.send(piece).await.is_ok()
    }
}

/// Serves `$.process`. Dropping a returned future must end what it started, with all its descendants.
#[async_trait]
pub trait Process: Send + Sync {
    /// The members served.
    fn members(&self) -> &'static [&'static str];

    /// Runs a command to its end. Rejects when it cannot start and when it is still running at its timeout.
    async fn run(&self, launch: Launch) -> Result<Finished, ServiceError> {
        let _ = launch;
        Err(ServiceError::no_implementation("process.run"))
    }

    /// Runs a command and hands on what it writes, as it comes. Gives its exit code.
    async fn spawn(&self, launch: Launch, pieces: Pieces) -> Result<i32, ServiceError> {
        let _ = (launch, pieces);
        Err(ServiceError::no_implementation("process.spawn"))
    }
}

pub(crate) async fn dispatch(process: &dyn Process, context: &Context, method: &str, input: &Value) -> Answer {
    if method != "run" {
        return Err(ServiceError::no_implementation(&context.call));
    }
    let args = Args::new(&context.call, input);
    let init = args.part("init")?;
    let timeout = match init.maybe_number("timeoutMs")? {
        None => DEFAULT_TIMEOUT,
        Some(ms) if ms >= 0.0 => Duration::from_secs_f64((ms / 1000.0).min(MAX_TIMEOUT.as_secs_f64())),
        Some(_) => return Err(args.bad("timeoutMs must not be negative")),
    };
    let launch = Launch { timeout: Some(timeout), ..launch(context, &args, &init, "stdin")? };
    let done = process.run(launch).await?;
    if done.is_cut {
        context.note(format!("output cut at {MAX_OUTPUT} bytes"));
    }
    Ok(Value::object([
        ("exitCode", Value::from(done.exit_code)),
        ("stdout", Value::from(done.stdout)),
        ("stderr", Value::from(done.stderr)),
    ]))
}

/// Starts `process.spawn`: its output as a stream, its `{exitCode}` as the result.
#[expect(clippy::result_large_err, reason = "the context goes back to leave its receipt; once per failed start")]
pub(crate) fn open(
    process: Arc<dyn Process>,
    context: Context,
    input: &Value,
) -> Result<ServiceStream, (Context, ServiceError)> {
    let args = Args::new(&context.call, input);
    let launch = match launch(&context, &args, &args, "input") {
        Ok(launch) => launch,
        Err(error) => return Err((context, error)),
    };
    let signal = context.signal.child_token();
    let (stream, end) = ServiceStream::new(&context.call, signal.clone());
    tokio::spawn(drive(process, context, launch, end, signal));
    Ok(stream)
}

async fn drive(process: Arc<dyn Process>, context: Context, launch: Launch, end: StreamEnd, signal: CancellationToken) {
    let StreamEnd { chunks, result } = end;
    let running = process.spawn(launch, Pieces(chunks));
    let answer = tokio::select! {
        biased;
        () = signal.cancelled() => Err(context.aborted()),
        done = running => done.map(|code| Value::object([("exitCode", Value::from(code))])),
    };
    // Nobody listening is no error: the reader left early, which is what ended the child.
    let _ = result.send(context.close(answer));
}

/// Reads the arguments and asks the gate for the command, its folder and its variables.
fn launch(context: &Context, args: &Args<'_>, init: &Args<'_>, input: &str) -> Result<Launch, ServiceError> {
    let argv = args.texts("argv")?;
    if argv.first().is_none_or(String::is_empty) {
        return Err(args.bad("argv must be a list that begins with a program"));
    }
    if argv.iter().any(|argument| argument.contains('\0')) {
        return Err(args.bad("argv must not contain NUL"));
    }
    context.reach(Access::Run(&argv))?;
    let cwd = match init.maybe_text("cwd")? {
        None => context.cwd().to_path_buf(),
        Some(cwd) => context.reach_read(cwd)?.real,
    };
    let env = init.text_map("env")?;
    for (name, value) in &env {
        if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
            return Err(args.bad("env must hold names without =, and no NUL"));
        }
        context.reach(Access::ChildEnv(name))?;
    }
    let input = init.maybe_text(input)?.unwrap_or("").to_string();
    if input.len() > MAX_INPUT {
        return Err(ServiceError::too_large(&context.call, "more than 4 MiB of input"));
    }
    Ok(Launch { argv, cwd, env, input, timeout: None })
}
