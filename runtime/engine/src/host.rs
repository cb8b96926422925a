//! What an isolate asks of the one who uses it. Every method is called on the isolate's own thread and must not block:
//! answers that take time go through a [`Reply`].

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use modgate_value::Value;
use tokio_util::sync::CancellationToken;

use crate::ext::port::{DollarCall, Ended, Fault, HookFailure, NextCall, PromiseId, Registration, Thrown};
use crate::inbox::{Message, Shared};

/// A boxed future.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a mod as a whole may ask for.
pub trait Host: Send + Sync + 'static {
    /// A hook registered itself.
    ///
    /// # Errors
    /// The registration is refused; `on` throws.
    fn registered(&self, registration: Registration) -> Result<(), Fault>;
    /// A `.catch` was added to the registration of that index.
    fn caught(&self, index: u32);
    /// A `$` call, and the dispatch on whose path it was made.
    fn call(&self, call: DollarCall, within: Option<Arc<dyn Beneath>>, reply: Reply);
    /// An inner module asks for something by name.
    ///
    /// # Errors
    /// It is refused at once.
    fn host(&self, name: &str, args: Vec<Value>, reply: Reply) -> Result<Value, Fault>;
    /// A promise was rejected and nobody handles it; the isolate counts them from 1.
    fn rejected(&self, rejection: u32, thrown: Thrown);
    /// Somebody handles the rejection of that number after all.
    fn handled(&self, rejection: u32);
    /// A line written with `console`.
    fn log(&self, level: &str, text: String);
    /// The isolate reached a limit. After `Limit::Spinning` it goes on unless it was the last allowed time.
    fn limit(&self, limit: Limit);
}

/// A limit that an isolate reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Script ran without a pause for longer than it may, and was ended; the number counts from 1.
    Spinning {
        /// How many times it has happened.
        times: u32,
    },
    /// The heap is full. The isolate ends.
    Heap,
    /// Array buffers would take more than they may; the allocation failed inside the script.
    Buffers,
    /// The isolate was ended because of its limits.
    Unloaded,
}

/// What lies beneath a mod on one dispatch.
pub trait Beneath: Send + Sync {
    /// A hook called `next` past the mod.
    ///
    /// # Errors
    /// What it passed is refused: `next` rejects, and nothing beneath runs.
    fn next(self: Arc<Self>, call: NextCall, reply: Reply) -> Result<(), Fault>;
    /// A hook passed changed input to the next hook of the same mod: what that one gets, and which of the invocation's
    /// hooks match it.
    ///
    /// # Errors
    /// It is refused.
    fn passed_on(&self, passed: Value) -> Result<(Value, Vec<bool>), Fault>;
    /// The outermost hook's answer.
    ///
    /// # Errors
    /// The event does not take it.
    fn answer(&self, answer: Value) -> Result<(), Fault>;
    /// A generator hook's chunk.
    ///
    /// # Errors
    /// The event does not take it.
    fn chunk(&self, chunk: Value) -> Result<(), Fault>;
    /// The invocation is over.
    fn ended(&self, ended: Ended);
    /// A `.catch` is asked about that failure.
    fn asks_catch(&self, failure: &HookFailure);
    /// `next.trace`.
    fn trace(&self) -> Value;
    /// The dispatch itself, for who gave this to the isolate.
    fn as_any(&self) -> &dyn std::any::Any;
}

/// The modules of a mod.
pub trait Modules: Send + Sync + 'static {
    /// The path (inside the mod's folder) that a specifier in a module names.
    ///
    /// # Errors
    /// Nothing that the mod may import.
    fn resolve(&self, specifier: &str, referrer: &str) -> Result<String, Fault>;
    /// A module ready for V8.
    ///
    /// # Errors
    /// It cannot be read or compiled.
    fn load(&self, path: &str) -> Result<crate::Compiled, Fault>;
    /// The absolute path of the mod's folder, for `import.meta`.
    fn root(&self) -> &str;
}

/// Chunks that a script pulls.
pub trait Source: Send {
    /// The next chunk, or the result.
    fn pull(&mut self) -> Boxed<'_, Result<Pulled, Fault>>;
    /// The consumer left.
    fn close(&mut self);
}

/// One step of a stream.
#[derive(Debug, Clone, PartialEq)]
pub enum Pulled {
    /// A chunk.
    Chunk(Value),
    /// The end, with the stream's result.
    Done(Value),
}

/// Settles one promise (or opens one stream) in an isolate. Dropping it unused leaves the promise pending.
#[derive(Clone)]
pub struct Reply {
    shared: Arc<Shared>,
    promise: PromiseId,
    cancelled: CancellationToken,
}

impl Reply {
    pub(crate) fn new(shared: Arc<Shared>, promise: PromiseId) -> Reply {
        let cancelled = CancellationToken::new();
        if promise != 0 {
            shared.cancels.lock().insert(promise, cancelled.clone());
        }
        Reply { shared, promise, cancelled }
    }

    /// Whether anybody waits for it.
    pub fn is_awaited(&self) -> bool {
        self.promise != 0
    }

    /// Ends when the caller loses interest.
    pub fn cancelled(&self) -> &CancellationToken {
        &self.cancelled
    }

    /// Settles the promise.
    pub fn settle(self, result: Result<Value, Fault>) {
        if self.promise != 0 {
            self.shared.cancels.lock().remove(&self.promise);
            self.shared.push(Message::Settle { promise: self.promise, result });
        }
    }

    /// Makes it a stream.
    pub fn stream(self, source: Box<dyn Source>) {
        let source = Arc::new(tokio::sync::Mutex::new(source));
        self.shared.streams.lock().insert(self.promise, source);
    }
}
