//! The seam between the scripts in an isolate and the Rust side that owns it.

use std::rc::Rc;

use modgate_value::Value;

/// An error as it crosses: what JavaScript sees as an `Error` of that name.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// `HooksError`, `TypeError`, `AbortError`, ...
    pub name: String,
    /// What happened, in words.
    pub message: String,
    /// A stable code, where one exists.
    pub code: Option<&'static str>,
    /// Facts for a report, such as the paths that a rewrite changed.
    pub details: Option<Value>,
}

impl Fault {
    /// The error that the chain and `$` calls reject with.
    pub fn hooks(message: impl Into<String>) -> Fault {
        Fault::named("HooksError", message)
    }

    /// An error of that name.
    pub fn named(name: impl Into<String>, message: impl Into<String>) -> Fault {
        Fault { name: name.into(), message: message.into(), code: None, details: None }
    }

    /// The same with a stable code.
    #[must_use]
    pub fn with_code(mut self, code: &'static str) -> Fault {
        self.code = Some(code);
        self
    }

    /// The same with facts for a report.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Fault {
        self.details = Some(details);
        self
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}

impl std::error::Error for Fault {}

/// A place in a mod's own source.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position {
    /// Path inside the mod's folder, with `/`.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in UTF-16 units.
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Something a script threw.
#[derive(Debug, Clone, PartialEq)]
pub struct Thrown {
    /// The error's name; empty for what is no error.
    pub name: String,
    /// The error's message, or the thrown value as text.
    pub message: String,
    /// The innermost place in the mod's own source.
    pub position: Option<Position>,
    /// The whole stack in terms of the source, one frame a line.
    pub stack: Option<String>,
}

/// How a hook of a mod went wrong on a dispatch.
#[derive(Debug, Clone, PartialEq)]
pub struct HookFailure {
    /// Index of the registration that failed.
    pub hook: u32,
    /// In which way.
    pub kind: FailureKind,
    /// What was thrown; for a time-out or a refused answer, made up for it.
    pub thrown: Thrown,
}

/// The ways in which a hook can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// It threw, or its promise was rejected.
    Threw,
    /// Its own time was spent.
    Timeout,
    /// It answered something that the event does not take.
    Answer,
}

/// One `on(...)` as the module made it.
#[derive(Debug, Clone, PartialEq)]
pub struct Registration {
    /// Position in the order of registration, from 0.
    pub index: u32,
    /// The event pattern as written.
    pub pattern: String,
    /// The matcher, where one was given; a `RegExp` in it is `{"$regexp": {source, flags}}`.
    pub matcher: Option<Value>,
    /// Whether the hook is an async generator function.
    pub is_generator: bool,
    /// Whether a `.catch` handler was added.
    pub has_catch: bool,
    /// Where `on` was called.
    pub position: Option<Position>,
}

/// Names one invocation of a mod's hooks on one dispatch, within its isolate.
pub type InvocationId = u32;
/// Names one promise that Rust settles, within its isolate.
pub type PromiseId = u32;

/// How a hook calls what is beneath it.
#[derive(Debug, Clone, PartialEq)]
pub struct NextCall {
    /// The invocation.
    pub invocation: InvocationId,
    /// Index of the registration whose hook called.
    pub hook: u32,
    /// What it passed; `None` when that is the very input it was given.
    pub passed: Option<Value>,
    /// The tier of `next.to`.
    pub to: Option<String>,
    /// Whether a `.catch` handler called.
    pub in_catch: bool,
    /// The promise or stream to settle.
    pub promise: PromiseId,
}

/// A `$` call.
#[derive(Debug, Clone, PartialEq)]
pub struct DollarCall {
    /// The invocation on whose path it was made; `None` outside of one.
    pub invocation: Option<InvocationId>,
    /// Index of the registration whose hook called.
    pub hook: Option<u32>,
    /// `namespace.method`.
    pub name: String,
    /// The arguments in order.
    pub args: Vec<Value>,
    /// The promise or stream to settle; 0 when nobody waits.
    pub promise: PromiseId,
}

/// How an invocation ended inside its isolate.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// Its answer was accepted by [`Port::answer`].
    Answered,
    /// It let a rejection from beneath pass.
    Rejected(Fault),
    /// It failed, and no `.catch` answered for it.
    Failed(HookFailure),
}

/// What the owner of an isolate does for the scripts in it. Called on the isolate's own thread.
pub trait Port {
    /// A hook registered itself while `register` ran, or, in a test, at any time.
    fn registered(&self, registration: Registration) -> Result<(), Fault>;
    /// A `.catch` was added to that registration.
    fn caught(&self, index: u32);
    /// A hook called `next` (or `next.to`) past the mod; an argument that is refused makes `next` reject.
    fn next(&self, call: NextCall) -> Result<(), Fault>;
    /// A hook passed changed input to the next hook of the same mod: checks it, and
    /// gives what that hook gets and which of the invocation's hooks match it.
    fn passed_on(&self, invocation: InvocationId, passed: Value) -> Result<(Value, Vec<bool>), Fault>;
    /// The outermost hook's answer leaves the mod: takes it, or says what is wrong with it.
    fn answer(&self, invocation: InvocationId, answer: Value) -> Result<(), Fault>;
    /// The invocation is over.
    fn ended(&self, invocation: InvocationId, ended: Ended);
    /// A `.catch` handler is about to be asked about that failure.
    fn asks_catch(&self, invocation: InvocationId, failure: HookFailure);
    /// `next.trace`.
    fn trace(&self, invocation: InvocationId) -> Value;
    /// A `$` call.
    fn call(&self, call: DollarCall);
    /// The caller lost interest in that promise or stream.
    fn cancel(&self, promise: PromiseId);
    /// A consumer asks for the next chunk of a stream; `promise` settles with `{chunk}` or `{done}`.
    fn pull(&self, stream: PromiseId, promise: PromiseId);
    /// A generator hook gave a chunk, or refuses it.
    fn chunk(&self, invocation: InvocationId, chunk: Value) -> Result<(), Fault>;
    /// A call from Rust into a function kept in the isolate has ended.
    fn returned(&self, call: u32, result: Result<Value, Thrown>);
    /// What the test kit and other inner scripts ask for, by name; anything else is a fault.
    fn host(&self, name: &str, args: Vec<Value>, promise: PromiseId) -> Result<Value, Fault>;
    /// A promise was rejected and nobody handles it; the number is the isolate's own.
    fn rejected(&self, rejection: u32, thrown: Thrown);
    /// Somebody handles it after all.
    fn handled(&self, rejection: u32);
    /// A line written with `console`.
    fn log(&self, level: &str, text: String);
    /// The moment, in milliseconds from now, at which [`tick`](self) wants to be called.
    fn wake_in(&self, milliseconds: f64);
    /// Milliseconds that the thread of the isolate ran or waited, without what the machine kept it from running.
    fn own_time(&self) -> f64;
    /// The longest budget, in milliseconds, that is counted in that time.
    fn longest_own_budget(&self) -> f64;
}

/// How [`Port`] is found in an isolate's state.
pub struct PortSlot(pub Rc<dyn Port>);
