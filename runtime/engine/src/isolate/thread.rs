//! The thread of an isolate: takes messages, runs script, keeps the limits.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use deno_core::{JsRuntime, PollEventLoopOptions, v8};
use modgate_value::Value;
use tokio::sync::oneshot;

use super::blank::Blank;
use super::port::{ThreadPort, Waiting};
use super::setup::Call;
use super::{Invoke, IsolateSpec, LoadError, Memory};
use crate::cpu;
use crate::ext::convert::{self, Access};
use crate::ext::port::{Ended, FailureKind, HookFailure, PortSlot, Thrown};
use crate::host::{Host, Limit};
use crate::inbox::{Message, Shared};
use crate::inline;
use crate::limits::{Buffers, Limits, Watched};
use crate::loader::Loader;

/// How long after a hook's time is spent script that does not pause is ended: its own check comes first.
pub(super) const GRACE: Duration = Duration::from_millis(30);

pub(super) fn gone_thrown() -> Thrown {
    Thrown { name: "Gone".into(), message: "the mod was unloaded".into(), position: None, stack: None }
}

/// How an invocation ends whose isolate is gone.
pub(super) fn gone(invoke: &Invoke) -> Ended {
    ended_by_limit(invoke.hooks.first().copied().unwrap_or(0))
}

fn ended_by_limit(hook: u32) -> Ended {
    Ended::Failed(HookFailure { hook, kind: FailureKind::Timeout, thrown: gone_thrown() })
}

struct Worker {
    runtime: JsRuntime,
    functions: Vec<v8::Global<v8::Function>>,
    port: Rc<ThreadPort>,
    loader: Rc<Loader>,
    shared: Arc<Shared>,
    watched: Arc<Watched>,
    buffers: Arc<Buffers>,
    host: Arc<dyn Host>,
    limits: Limits,
    heap_is_full: Rc<Cell<bool>>,
    spins: u32,
    next_call: u32,
    is_ending: bool,
}

/// Serves a mod from an isolate until it ends. The isolate has to have been made on this thread.
pub(super) fn run(blank: Blank, spec: IsolateSpec, shared: Arc<Shared>) {
    inline::own_thread();
    let mut worker = Worker::new(blank, spec, shared);
    worker.serve();
    worker.end();
}

impl Worker {
    fn new(blank: Blank, spec: IsolateSpec, shared: Arc<Shared>) -> Worker {
        let Blank { runtime, functions, loader, watched, buffers, heap_is_full } = blank;
        loader.serve(spec.modules.clone(), spec.inner);
        let port = Rc::new(ThreadPort {
            host: spec.host.clone(),
            shared: shared.clone(),
            watched: watched.clone(),
            runtime: spec.runtime,
            root: spec.modules.root().to_string(),
            invocations: Default::default(),
            waiting: Default::default(),
            wake_at: Cell::new(None),
        });
        crate::ext::ops::begin(&mut runtime.op_state().borrow_mut(), PortSlot(port.clone()));
        Worker {
            runtime,
            functions,
            port,
            loader,
            shared,
            watched,
            buffers,
            host: spec.host,
            limits: spec.limits,
            heap_is_full,
            spins: 0,
            next_call: 1,
            is_ending: false,
        }
    }

    fn serve(&mut self) {
        let waker = Waker::from(self.shared.clone());
        let mut context = Context::from_waker(&waker);
        while !self.is_ending {
            while let Some(message) = self.shared.pop() {
                self.handle(message);
                inline::drain();
                self.shared.activity.end();
                if self.is_ending {
                    return;
                }
            }
            self.tick_if_due();
            self.shared.take_woken();
            self.poll(&mut context);
            inline::drain();
            if self.is_ending || self.shared.take_woken() || !self.shared.is_empty() {
                continue;
            }
            match self.port.wake_at.get() {
                Some(at) => cpu::park(Some(at.saturating_duration_since(Instant::now()))),
                None => cpu::park(None),
            }
        }
    }

    fn tick_if_due(&mut self) {
        if self.port.wake_at.get().is_some_and(|at| at <= Instant::now()) {
            self.port.wake_at.set(None);
            self.call(Call::Tick, |_, _| {});
        }
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Load { entry, options, reply } => self.load(&entry, options, reply),
            Message::Table(table) => self.call(Call::SetTable, |scope, args| args.push(own(scope, &table))),
            Message::Invoke { id, invoke, beneath, is_stream } => {
                self.port.invocations.borrow_mut().insert(id, beneath);
                let call = if is_stream { Call::OpenStream } else { Call::Invoke };
                self.call(call, |scope, args| invoke_args(scope, args, id, &invoke));
            }
            Message::Pull(id) => self.call(Call::Pull, |scope, args| args.push(number(scope, id))),
            Message::Close(id) => self.call(Call::CloseStream, |scope, args| args.push(number(scope, id))),
            Message::Settle { promise, result } => self.call(Call::Settle, |scope, args| {
                args.push(number(scope, promise));
                args.push(v8::Boolean::new(scope, result.is_ok()).into());
                args.push(match &result {
                    Ok(value) => own(scope, value),
                    Err(fault) => own(scope, &Value::list([Value::text(&fault.name), Value::text(&fault.message)])),
                });
            }),
            Message::Abort { id, reason } => self.call(Call::Abort, |scope, args| {
                args.push(number(scope, id));
                args.push(own(scope, &Value::from(reason)));
            }),
            Message::CallKept { index, args: values, reply } => {
                let id = self.expect_return(Waiting::Kept(reply));
                self.call(Call::Kept, |scope, args| {
                    args.push(number(scope, id));
                    args.push(number(scope, index));
                    args.push(own(scope, &Value::from(values)));
                });
            }
            Message::Memory(reply) => drop(reply.send(self.memory())),
            Message::Flush(told) => {
                let waker = Waker::from(self.shared.clone());
                self.poll(&mut Context::from_waker(&waker));
                // Who asked may have left.
                let _ = told.send(());
            }
            Message::Stop => self.is_ending = true,
        }
    }

    fn expect_return(&mut self, waiting: Waiting) -> u32 {
        let id = self.next_call;
        self.next_call = self.next_call.wrapping_add(1);
        self.port.waiting.borrow_mut().insert(id, waiting);
        id
    }

    /// Calls a function of the bootstrap and runs what it left to do at once.
    fn call(
        &mut self,
        call: Call,
        make: impl for<'s, 'i> FnOnce(&mut v8::PinScope<'s, 'i>, &mut Vec<v8::Local<'s, v8::Value>>),
    ) {
        let allowed = if matches!(call, Call::Register) { self.limits.load } else { self.limits.hook };
        self.watched.arm(allowed + GRACE);
        {
            deno_core::scope!(scope, self.runtime);
            let mut args = Vec::with_capacity(8);
            make(scope, &mut args);
            let function = v8::Local::new(scope, &self.functions[call as usize]);
            let this = v8::undefined(scope).into();
            v8::tc_scope!(let scope, scope);
            // The bootstrap's functions do not throw; a termination shows in `after_script`.
            let _ = function.call(scope, this, &args);
            scope.perform_microtask_checkpoint();
        }
        self.after_script();
    }

    fn poll(&mut self, context: &mut Context) {
        self.watched.arm(self.limits.hook + GRACE);
        let polled = self.runtime.poll_event_loop(context, PollEventLoopOptions::default());
        if let std::task::Poll::Ready(Err(error)) = polled
            && !self.runtime.v8_isolate().is_execution_terminating()
        {
            // Rejections and timers tell for themselves; this is something that neither expects.
            self.host.log("thrown", error.to_string());
        }
        self.after_script();
    }

    /// Looks whether a limit was reached while script ran.
    fn after_script(&mut self) {
        let was_ended = self.watched.disarm();
        if self.buffers.refused.swap(false, Ordering::AcqRel) {
            self.host.limit(Limit::Buffers);
        }
        if self.heap_is_full.get() {
            self.runtime.v8_isolate().cancel_terminate_execution();
            self.host.limit(Limit::Heap);
            self.unload();
        } else if was_ended && !self.is_ending {
            self.spins += 1;
            self.host.limit(Limit::Spinning { times: self.spins });
            if self.spins >= self.limits.spins {
                self.unload();
            } else {
                for (_, waiting) in self.port.waiting.take() {
                    fail_waiting(waiting);
                }
                self.call(Call::ExpireAll, |_, _| {});
            }
        }
    }

    fn unload(&mut self) {
        self.host.limit(Limit::Unloaded);
        self.is_ending = true;
    }

    fn memory(&mut self) -> Memory {
        let statistics = self.runtime.v8_isolate().get_heap_statistics();
        Memory {
            heap: statistics.used_heap_size(),
            reserved: statistics.total_heap_size(),
            external: statistics.external_memory(),
        }
    }

    fn load(&mut self, entry: &str, options: Option<Value>, reply: oneshot::Sender<Result<(), LoadError>>) {
        let namespace = match self.evaluate(entry) {
            Ok(namespace) => namespace,
            Err(error) => return drop(reply.send(Err(error))),
        };
        self.call(Call::SetLoaded, |scope, args| args.push(v8::Local::new(scope, &namespace).into()));
        let Some(options) = options else { return drop(reply.send(Ok(()))) };
        let id = self.expect_return(Waiting::Load(reply));
        self.call(Call::Register, |scope, args| {
            args.push(number(scope, id));
            args.push(v8::Local::new(scope, namespace).into());
            args.push(convert::write(scope, &options, Access::Frozen));
        });
    }

    fn evaluate(&mut self, entry: &str) -> Result<v8::Global<v8::Object>, LoadError> {
        let url = self.loader.url(entry).ok_or(LoadError::Unfinished)?;
        let deadline = Instant::now() + self.limits.load;
        let waker = Waker::from(self.shared.clone());
        let mut context = Context::from_waker(&waker);
        let watched = self.watched.clone();
        let allowed = self.limits.load + GRACE;
        let result = {
            let mut loading = std::pin::pin!(async {
                let id = self.runtime.load_main_es_module(&url).await?;
                let evaluated = self.runtime.mod_evaluate(id);
                self.runtime.with_event_loop_promise(evaluated, PollEventLoopOptions::default()).await?;
                self.runtime.get_module_namespace(id)
            });
            loop {
                watched.arm(allowed);
                let polled = loading.as_mut().poll(&mut context);
                watched.arm(Duration::MAX / 4);
                if let std::task::Poll::Ready(result) = polled {
                    break Some(result);
                }
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    break None;
                }
                cpu::park(Some(left));
            }
        };
        let was_full = self.heap_is_full.get();
        self.after_script();
        match result {
            Some(Ok(namespace)) if !was_full => Ok(namespace),
            Some(Err(error)) => Err(self.load_error(error)),
            _ => Err(LoadError::Unfinished),
        }
    }

    fn load_error(&self, error: deno_core::error::CoreError) -> LoadError {
        use deno_core::error::CoreErrorKind;
        match error.into_kind() {
            CoreErrorKind::Js(error) => LoadError::Threw(self.port.localize(crate::ext::ops::thrown_from(&error))),
            CoreErrorKind::PendingPromiseResolution => LoadError::Unfinished,
            other => LoadError::Threw(Thrown {
                name: "HooksError".into(),
                message: other.to_string(),
                position: None,
                stack: None,
            }),
        }
    }

    /// Tells everybody who still waits that nothing will come.
    fn end(self) {
        let left = self.shared.close();
        for (_, waiting) in self.port.waiting.take() {
            fail_waiting(waiting);
        }
        for (_, beneath) in self.port.invocations.take() {
            beneath.ended(ended_by_limit(0));
        }
        self.watched.forget();
        for message in left {
            if let Message::Invoke { invoke, beneath, .. } = message {
                beneath.ended(gone(&invoke));
            }
            self.shared.activity.end();
        }
        inline::drain();
        self.shared.cancels.lock().clear();
        self.shared.streams.lock().clear();
    }
}

fn fail_waiting(waiting: Waiting) {
    match waiting {
        Waiting::Kept(reply) => drop(reply.send(Err(gone_thrown()))),
        Waiting::Load(reply) => drop(reply.send(Err(LoadError::Unfinished))),
    }
}

fn own<'s>(scope: &mut v8::PinScope<'s, '_>, value: &Value) -> v8::Local<'s, v8::Value> {
    convert::write(scope, value, Access::Own)
}

fn number<'s>(scope: &mut v8::PinScope<'s, '_>, number: u32) -> v8::Local<'s, v8::Value> {
    v8::Integer::new_from_unsigned(scope, number).into()
}

fn invoke_args<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    args: &mut Vec<v8::Local<'s, v8::Value>>,
    id: u32,
    invoke: &Invoke,
) {
    args.push(number(scope, id));
    args.push(own(scope, &Value::String(invoke.event.clone())));
    let hooks = invoke.hooks.iter().map(|hook| number(scope, *hook)).collect::<Vec<_>>();
    args.push(v8::Array::new_with_elements(scope, &hooks).into());
    let matched = invoke.matched.iter().map(|fits| v8::Boolean::new(scope, *fits).into()).collect::<Vec<_>>();
    args.push(v8::Array::new_with_elements(scope, &matched).into());
    args.push(convert::write(scope, &invoke.input, Access::Frozen));
    args.push(own(scope, &Value::String(invoke.plugin.clone())));
    args.push(own(scope, &Value::String(invoke.tier.clone())));
    #[expect(clippy::cast_precision_loss, reason = "budgets are far below 2^53 ms")]
    let budget = invoke.budget.as_millis() as f64;
    args.push(v8::Number::new(scope, budget).into());
}
