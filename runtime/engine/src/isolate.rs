//! An isolate and the thread it lives on.

mod blank;
mod port;
mod setup;
mod spares;
mod thread;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use modgate_value::Value;
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use self::blank::Blank;
use crate::ext::port::{InvocationId, Position, Thrown};
use crate::host::{Beneath, Host, Modules};
use crate::inbox::{Activity, Message, Shared};
use crate::limits::Limits;
use crate::loader::InnerModule;

pub use spares::Spares;

/// Reading nested data recurses; the pages are taken only where it does.
const STACK: usize = 8 << 20;

/// What an isolate is made of.
pub struct IsolateSpec {
    /// For the thread's name; one that was made ahead keeps its own.
    pub name: String,
    /// The mod's own modules.
    pub modules: Arc<dyn Modules>,
    /// Modules of ours that it may import by name.
    pub inner: Vec<InnerModule>,
    /// Who answers it.
    pub host: Arc<dyn Host>,
    /// How much it may use.
    pub limits: Limits,
    /// The group it belongs to.
    pub activity: Arc<Activity>,
    /// For timers, and for what hosts do while they are asked.
    pub runtime: Handle,
    /// Where isolates made ahead are kept.
    pub spares: Option<Arc<Spares>>,
}

/// One run of some of a mod's hooks on an event.
#[derive(Debug, Clone)]
pub struct Invoke {
    /// The event's name.
    pub event: Arc<str>,
    /// Indices of the registrations whose pattern selects the event, outermost first.
    pub hooks: Vec<u32>,
    /// Which of them match the input: as many, at least one of them true.
    pub matched: Vec<bool>,
    /// The input, which the hooks get frozen.
    pub input: Value,
    /// `next.origin.plugin`.
    pub plugin: Arc<str>,
    /// `next.origin.tier`.
    pub tier: Arc<str>,
    /// Own time of each hook; zero for none.
    pub budget: Duration,
}

/// Why a module did not load.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LoadError {
    /// Its code, or `register`, threw.
    #[error("{}", display(.0))]
    Threw(Thrown),
    /// It did not come to an end in time, or awaits something that never comes.
    #[error("the module did not finish loading")]
    Unfinished,
    /// The isolate is gone.
    #[error("the isolate has ended")]
    Gone,
}

fn display(thrown: &Thrown) -> String {
    let what =
        if thrown.name.is_empty() { thrown.message.clone() } else { format!("{}: {}", thrown.name, thrown.message) };
    thrown.position.as_ref().map_or(what.clone(), |position: &Position| format!("{position}: {what}"))
}

/// Memory of one isolate, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// In use on V8's heap.
    pub heap: usize,
    /// Kept by V8 for its heap.
    pub reserved: usize,
    /// Outside of the heap, array buffers above all.
    pub external: usize,
}

/// A handle; the isolate ends when the last one is dropped.
#[derive(Clone)]
pub struct Isolate(Arc<Owner>);

struct Owner {
    shared: Arc<Shared>,
    next: AtomicU32,
    thread: Mutex<Option<std::thread::JoinHandle<()>>>,
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.shared.push(Message::Stop);
    }
}

impl Isolate {
    /// Starts the isolate on a thread of its own. V8 has to be [initialized](crate::initialize).
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(spec: IsolateSpec) -> std::io::Result<Isolate> {
        let shared = Shared::new(spec.activity.clone());
        let on_thread = shared.clone();
        let spare = spec.spares.as_ref().and_then(|spares| spares.take(&spec.limits));
        let thread = match spare {
            Some(spare) => spare.become_isolate(spec, on_thread),
            None => std::thread::Builder::new().name(spec.name.clone()).stack_size(STACK).spawn(move || {
                let runtime = spec.runtime.clone();
                // V8's delayed tasks of an isolate go to the runtime that it was made in.
                let _entered = runtime.enter();
                thread::run(Blank::new(&spec.limits), spec, on_thread);
            })?,
        };
        shared.owned_by(thread.thread().clone());
        Ok(Isolate(Arc::new(Owner { shared, next: AtomicU32::new(1), thread: Mutex::new(Some(thread)) })))
    }

    /// Evaluates the module at that path and, where `options` are given, runs its `register`.
    ///
    /// # Errors
    /// See [`LoadError`].
    pub async fn load(&self, entry: &str, options: Option<Value>) -> Result<(), LoadError> {
        let (reply, answer) = oneshot::channel();
        self.0.shared.push(Message::Load { entry: entry.to_string(), options, reply });
        answer.await.unwrap_or(Err(LoadError::Gone))
    }

    /// Builds `$` anew: `[[namespace, [[method, kind, value]]]]`.
    pub fn set_table(&self, table: Value) {
        self.0.shared.push(Message::Table(table));
    }

    /// Runs hooks; how it goes is told to `beneath`.
    pub fn invoke(&self, invoke: Invoke, beneath: Arc<dyn Beneath>) -> InvocationId {
        self.open(invoke, beneath, false)
    }

    /// Opens hooks on a streaming event. Nothing runs before [`Isolate::pull`].
    pub fn open_stream(&self, invoke: Invoke, beneath: Arc<dyn Beneath>) -> InvocationId {
        self.open(invoke, beneath, true)
    }

    fn open(&self, invoke: Invoke, beneath: Arc<dyn Beneath>, is_stream: bool) -> InvocationId {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        if self.0.shared.is_over() {
            beneath.ended(thread::gone(&invoke));
            return id;
        }
        self.0.shared.push(Message::Invoke { id, invoke, beneath, is_stream });
        id
    }

    /// Asks for the next chunk.
    pub fn pull(&self, id: InvocationId) {
        self.0.shared.push(Message::Pull(id));
    }

    /// Leaves a stream.
    pub fn close(&self, id: InvocationId) {
        self.0.shared.push(Message::Close(id));
    }

    /// Aborts `next.signal` of an invocation.
    pub fn abort(&self, id: InvocationId, reason: &str) {
        self.0.shared.push(Message::Abort { id, reason: reason.to_string() });
    }

    /// Calls a function that a script keeps.
    ///
    /// # Errors
    /// What it threw.
    pub async fn call_kept(&self, index: u32, args: Vec<Value>) -> Result<Value, Thrown> {
        let (reply, answer) = oneshot::channel();
        self.0.shared.push(Message::CallKept { index, args, reply });
        answer.await.unwrap_or_else(|_| Err(thread::gone_thrown()))
    }

    /// Memory in use; `None` when the isolate has ended.
    pub async fn memory(&self) -> Option<Memory> {
        let (reply, answer) = oneshot::channel();
        self.0.shared.push(Message::Memory(reply));
        answer.await.ok()
    }

    /// Returns once the host knows of every rejection that nobody handles up to now.
    pub async fn flush(&self) {
        let (reply, answer) = oneshot::channel();
        self.0.shared.push(Message::Flush(reply));
        // One that has ended has nothing more to tell.
        let _ = answer.await;
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.0.shared.is_over()
    }

    /// Ends it and waits until its thread is gone. Blocks.
    pub fn stop(self) {
        self.0.shared.push(Message::Stop);
        let thread = self.0.thread.lock().take();
        if let Some(thread) = thread {
            // A panic on the isolate's thread has been printed there.
            let _ = thread.join();
        }
    }
}
