//! The ops: thin wrappers that read their arguments and hand them to the [`Port`].

use std::cell::RefCell;
use std::rc::Rc;

use deno_core::{OpState, op2, v8};
use modgate_value::Value;

use super::convert::{self, Access, Manner};
use super::port::{
    DollarCall, Ended, FailureKind, Fault, HookFailure, NextCall, Port, PortSlot, Position, Registration, Thrown,
};

deno_core::extension!(
    modgate,
    deps = [deno_webidl, deno_web],
    ops = [
        op_mg_register,
        op_mg_caught,
        op_mg_next,
        op_mg_passed_on,
        op_mg_answer,
        op_mg_ended,
        op_mg_failed,
        op_mg_asks_catch,
        op_mg_trace,
        op_mg_call,
        op_mg_cancel,
        op_mg_pull,
        op_mg_chunk,
        op_mg_returned,
        op_mg_host,
        op_mg_rejected,
        op_mg_handled,
        op_mg_log,
        op_mg_wake_in,
        op_mg_digest,
        op_mg_random,
        op_mg_now,
        op_mg_own_time,
        op_mg_longest_own_budget,
    ],
    esm_entry_point = "ext:modgate/99_main.js",
    esm = [
        dir "../../js",
        "ext:modgate/00_base.js" = "bootstrap/00_base.js",
        "ext:modgate/10_web.js" = "bootstrap/10_web.js",
        "ext:modgate/15_timers.js" = "bootstrap/15_timers.js",
        "ext:modgate/17_rejections.js" = "bootstrap/17_rejections.js",
        "ext:modgate/20_registry.js" = "bootstrap/20_registry.js",
        "ext:modgate/25_frame.js" = "bootstrap/25_frame.js",
        "ext:modgate/27_next.js" = "bootstrap/27_next.js",
        "ext:modgate/30_chain.js" = "bootstrap/30_chain.js",
        "ext:modgate/40_streams.js" = "bootstrap/40_streams.js",
        "ext:modgate/45_ui.js" = "bootstrap/45_ui.js",
        "ext:modgate/47_tables.js" = "bootstrap/47_tables.js",
        "ext:modgate/50_dollar.js" = "bootstrap/50_dollar.js",
        "ext:modgate/60_host.js" = "bootstrap/60_host.js",
        "ext:modgate/90_seal.js" = "bootstrap/90_seal.js",
        "ext:modgate/95_warm_up.js" = "bootstrap/95_warm_up.js",
        "ext:modgate/99_main.js" = "bootstrap/99_main.js",
        "ext:modgate/ui/client.js" = "ui/client.js",
        "ext:modgate/ui/nodes.js" = "ui/nodes.js",
        "ext:modgate/ui/controls.js" = "ui/controls.js",
        "ext:modgate/ui/elements.js" = "ui/elements.js",
        "ext:modgate/ui/serialize.js" = "ui/serialize.js",
        "ext:modgate/ui/tables.js" = "ui/tables.js",
        "ext:modgate/ui/main.js" = "ui/main.js",
    ],
    lazy_loaded_js = [dir "../../js", "ext:modgate/host_exports.js" = "bootstrap/host_exports.js"],
    synthetic_esm = ["modgate:host" = "ext:modgate/host_exports.js"],
    state = |state| {
        state.put(Started(std::time::Instant::now()));
    },
);

/// When the mod began: the origin of `performance.now()`.
struct Started(std::time::Instant);

/// Puts in who answers from now on; the isolate's time begins.
pub fn begin(state: &mut OpState, port: PortSlot) {
    state.put(Started(std::time::Instant::now()));
    state.put(port);
}

/// Milliseconds since the mod began.
#[op2(fast)]
fn op_mg_now(state: &mut OpState) -> f64 {
    state.borrow::<Started>().0.elapsed().as_secs_f64() * 1000.0
}

/// The state is not held while script can run: a getter may call an op of its own.
fn port(state: &RefCell<OpState>) -> Option<Rc<dyn Port>> {
    state.borrow().try_borrow::<PortSlot>().map(|slot| slot.0.clone())
}

/// The same for ops that no script runs under.
fn held_port(state: &OpState) -> Option<Rc<dyn Port>> {
    state.try_borrow::<PortSlot>().map(|slot| slot.0.clone())
}

type Local<'s> = v8::Local<'s, v8::Value>;

/// The code of a value that cannot cross.
const UNREADABLE: &str = "value::not-plain";

/// Reads a value; what cannot be read is a fault whose message starts with `what`.
fn read<'s>(scope: &mut v8::PinScope<'s, '_>, what: &str, value: Local<'s>) -> Result<Value, Fault> {
    read_as(scope, what, value, Manner::Told)
}

fn read_as<'s>(scope: &mut v8::PinScope<'s, '_>, what: &str, value: Local<'s>, manner: Manner) -> Result<Value, Fault> {
    convert::read(scope, value, manner).map_err(|error| {
        let at = match &error {
            convert::Unreadable::NotPlain { path } if path.contains('.') => format!("{what}: not plain data ({path})"),
            convert::Unreadable::NotPlain { .. } => format!("{what}: not plain data"),
            other => format!("{what}: {other}"),
        };
        Fault::hooks(at).with_code(UNREADABLE)
    })
}

/// A fault as the scripts take it: `[name, message, is it unreadable]`; they make the error.
fn fault<'s>(scope: &mut v8::PinScope<'s, '_>, fault: &Fault) -> Local<'s> {
    let is_unreadable = Value::Bool(fault.code == Some(UNREADABLE));
    let parts = Value::list([Value::text(&fault.name), Value::text(&fault.message), is_unreadable]);
    convert::write(scope, &parts, Access::Own)
}

fn answer_or_fault<'s>(scope: &mut v8::PinScope<'s, '_>, result: Result<(), Fault>) -> Local<'s> {
    match result {
        Ok(()) => v8::undefined(scope).into(),
        Err(error) => fault(scope, &error),
    }
}

/// What was thrown, with places in terms of the source.
pub fn thrown<'s>(scope: &mut v8::PinScope<'s, '_>, value: Local<'s>) -> Thrown {
    if !value.is_native_error() {
        let message = text_of(scope, value);
        return Thrown { name: String::new(), message, position: None, stack: None };
    }
    thrown_from(&deno_core::error::JsError::from_v8_exception(scope, value))
}

/// The text of anything. What has none, or cannot give it, says what it is.
fn text_of<'s>(scope: &mut v8::PinScope<'s, '_>, value: Local<'s>) -> String {
    if let Ok(symbol) = v8::Local::<v8::Symbol>::try_from(value) {
        let description = symbol.description(scope);
        return format!(
            "Symbol({})",
            if description.is_undefined() { String::new() } else { description.to_rust_string_lossy(scope) }
        );
    }
    v8::tc_scope!(let scope, scope);
    match value.to_string(scope) {
        Some(text) => text.to_rust_string_lossy(scope),
        None => {
            scope.reset();
            String::from("an object that has no text")
        }
    }
}

/// The same for an error that deno_core has read.
pub fn thrown_from(error: &deno_core::error::JsError) -> Thrown {
    Thrown {
        name: error.name.clone().unwrap_or_else(|| "Error".into()),
        message: error.message.clone().unwrap_or_default(),
        position: position(error),
        stack: error.stack.clone(),
    }
}

/// The innermost frame that lies in a module of the mod (their URLs are `file:`; ours are `ext:` and `modgate:`).
fn position(error: &deno_core::error::JsError) -> Option<Position> {
    error.frames.iter().find_map(|frame| {
        let file =
            frame.file_name.as_deref().filter(|file| !file.starts_with("ext:") && !file.starts_with("modgate:"))?;
        Some(Position {
            file: file.to_string(),
            line: u32::try_from(frame.line_number?).ok()?,
            column: u32::try_from(frame.column_number?).ok()?,
        })
    })
}

#[op2]
fn op_mg_register<'s>(
    state: Rc<RefCell<OpState>>,
    scope: &mut v8::PinScope<'s, '_>,
    index: u32,
    #[string] pattern: String,
    matcher: Local<'s>,
    is_generator: bool,
    site: Local<'s>,
) -> Local<'s> {
    let matcher = if matcher.is_undefined() {
        None
    } else {
        match read(scope, "matcher", matcher) {
            Ok(matcher) => Some(matcher),
            Err(error) => return fault(scope, &error),
        }
    };
    let position = thrown(scope, site).position;
    let registration = Registration { index, pattern, matcher, is_generator, has_catch: false, position };
    let result = port(&state).map_or(Ok(()), |port| port.registered(registration));
    answer_or_fault(scope, result)
}

#[op2(fast)]
fn op_mg_caught(state: &mut OpState, index: u32) {
    if let Some(port) = held_port(state) {
        port.caught(index);
    }
}

#[op2]
fn op_mg_next<'s>(
    state: Rc<RefCell<OpState>>,
    scope: &mut v8::PinScope<'s, '_>,
    invocation: u32,
    hook: u32,
    promise: u32,
    is_same: bool,
    passed: Local<'s>,
    #[string] to: Option<String>,
    in_catch: bool,
) -> Local<'s> {
    let passed = if is_same {
        None
    } else {
        match read_as(scope, "next", passed, Manner::LeftOut) {
            Ok(passed) => Some(passed),
            Err(error) => return fault(scope, &error),
        }
    };
    let call = NextCall { invocation, hook, passed, to, in_catch, promise };
    let result = port(&state).map_or(Ok(()), |port| port.next(call));
    answer_or_fault(scope, result)
}

/// `[true, input, fits]` or `[false, [name, message]]`.
#[op2]
fn op_mg_passed_on<'s>(
    state: Rc<RefCell<OpState>>,
    scope: &mut v8::PinScope<'s, '_>,
    invocation: u32,
    passed: Local<'s>,
) -> v8::Local<'s, v8::Array> {
    let result = read_as(scope, "next", passed, Manner::LeftOut)
        .and_then(|passed| port(&state).ok_or_else(|| Fault::hooks("no host"))?.passed_on(invocation, passed));
    let (is_ok, value, fits) = match result {
        Ok((input, fits)) => (true, convert::write(scope, &input, Access::Frozen), fits),
        Err(error) => (false, fault(scope, &error), Vec::new()),
    };
    let is_ok = v8::Boolean::new(scope, is_ok).into();
    let fits: Vec<Local> = fits.into_iter().map(|fits| v8::Boolean::new(scope, fits).into()).collect();
    let fits = v8::Array::new_with_elements(scope, &fits).into();
    v8::Array::new_with_elements(scope, &[is_ok, value, fits])
}

#[op2]
fn op_mg_answer<'s>(
    state: Rc<RefCell<OpState>>,
    scope: &mut v8::PinScope<'s, '_>,
    invocation: u32,
    answer: Local<'s>,
) -> Local<'s> {
    let result = read_as(scope, "result", answer, Manner::Refused)
        .and_then(|answer| port(&state).map_or(Ok(()), |port| port.answer(invocation, answer)));
    answer_or_fault(scope, result)
}

/// The invocation is over with an accepted answer, or with a rejection from beneath.
#[op2]
fn op_mg_ended(
    state: Rc<RefCell<OpState>>,
    invocation: u32,
    #[string] name: Option<String>,
    #[string] message: Option<String>,
) {
    let ended = name.map_or(Ended::Answered, |name| Ended::Rejected(Fault::named(name, message.unwrap_or_default())));
    if let Some(port) = port(&state) {
        port.ended(invocation, ended);
    }
}

fn failure<'s>(scope: &mut v8::PinScope<'s, '_>, hook: u32, kind: u32, error: Local<'s>) -> HookFailure {
    let kind = match kind {
        1 => FailureKind::Timeout,
        2 => FailureKind::Answer,
        _ => FailureKind::Threw,
    };
    HookFailure { hook, kind, thrown: thrown(scope, error) }
}

#[op2]
fn op_mg_failed<'s>(
    state: Rc<RefCell<OpState>>,
    scope: &mut v8::PinScope<'s, '_>,
    invocation: u32,
    hook: u32,
    kind: u32,
    error: Local<'s>,
) {
    let failure = failure(scope, hook, kind, error);
    if let Some(port) = port(&state) {
        port.ended(invocation, Ended::Failed(failure));
    }
}

#[op2]
fn op_mg_asks_catch<'s>(
    state: Rc<RefCell<OpState>>,
    scope: &mut v8::PinScope<'s, '_>,
    invocation: u32,
    hook: u32,
    kind: u32,
    error: Local<'s>,
) {
    let failure = failure(scope, hook, kind, error);
    if let Some(port) = port(&state) {
        port.asks_catch(invocation, failure);
    }
}

#[op2]
fn op_mg_trace<'s>(state: Rc<RefCell<OpState>>, scope: &mut v8::PinScope<'s, '_>, invocation: u32) -> Local<'s> {
    let trace = port(&state).map_or(Value::Undefined, |port| port.trace(invocation));
    convert::write(scope, &trace, Access::Frozen)
}

#[op2]
fn op_mg_call<'s>(
    state: Rc<RefCell<OpState>>,
    scope: &mut v8::PinScope<'s, '_>,
    invocation: u32,
    hook: i32,
    #[string] name: String,
    promise: u32,
    args: Local<'s>,
) -> Local<'s> {
    let args = match read(scope, &name, args) {
        Ok(Value::Array(args)) => args.to_vec(),
        Ok(_) => Vec::new(),
        Err(error) => return fault(scope, &error),
    };
    if let Some(port) = port(&state) {
        let invocation = (invocation != 0).then_some(invocation);
        port.call(DollarCall { invocation, hook: u32::try_from(hook).ok(), name, args, promise });
    }
    v8::undefined(scope).into()
}

#[op2(fast)]
fn op_mg_cancel(state: &mut OpState, promise: u32) {
    if let Some(port) = held_port(state) {
        port.cancel(promise);
    }
}

#[op2(fast)]
fn op_mg_pull(state: &mut OpState, stream: u32, promise: u32) {
    if let Some(port) = held_port(state) {
        port.pull(stream, promise);
    }
}

#[op2]
fn op_mg_chunk<'s>(
    state: Rc<RefCell<OpState>>,
    scope: &mut v8::PinScope<'s, '_>,
    invocation: u32,
    chunk: Local<'s>,
) -> Local<'s> {
    let result =
        read(scope, "chunk", chunk).and_then(|chunk| port(&state).map_or(Ok(()), |port| port.chunk(invocation, chunk)));
    answer_or_fault(scope, result)
}

#[op2]
fn op_mg_returned<'s>(
    state: Rc<RefCell<OpState>>,
    scope: &mut v8::PinScope<'s, '_>,
    call: u32,
    is_ok: bool,
    value: Local<'s>,
) {
    let result = if is_ok {
        read(scope, "result", value).map_err(|error| Thrown {
            name: error.name,
            message: error.message,
            position: None,
            stack: None,
        })
    } else {
        Err(thrown(scope, value))
    };
    if let Some(port) = port(&state) {
        port.returned(call, result);
    }
}

/// `[true, value]` or `[false, [name, message]]`.
#[op2]
fn op_mg_host<'s>(
    state: Rc<RefCell<OpState>>,
    scope: &mut v8::PinScope<'s, '_>,
    #[string] name: String,
    promise: u32,
    args: Local<'s>,
) -> v8::Local<'s, v8::Array> {
    let result = read(scope, &name, args).and_then(|args| {
        let args = args.as_array().map(<[Value]>::to_vec).unwrap_or_default();
        port(&state).map_or(Ok(Value::Undefined), |port| port.host(&name, args, promise))
    });
    let (is_ok, value) = match result {
        Ok(value) => (true, convert::write(scope, &value, Access::Own)),
        Err(error) => (false, fault(scope, &error)),
    };
    let is_ok = v8::Boolean::new(scope, is_ok).into();
    v8::Array::new_with_elements(scope, &[is_ok, value])
}

#[op2]
fn op_mg_rejected<'s>(state: Rc<RefCell<OpState>>, scope: &mut v8::PinScope<'s, '_>, rejection: u32, error: Local<'s>) {
    let thrown = thrown(scope, error);
    if let Some(port) = port(&state) {
        port.rejected(rejection, thrown);
    }
}

#[op2(fast)]
fn op_mg_handled(state: &mut OpState, rejection: u32) {
    if let Some(port) = held_port(state) {
        port.handled(rejection);
    }
}

#[op2(fast)]
fn op_mg_log(state: &mut OpState, #[string] level: &str, #[string] text: String) {
    if let Some(port) = held_port(state) {
        port.log(level, text);
    }
}

#[op2(fast)]
fn op_mg_wake_in(state: &mut OpState, milliseconds: f64) {
    if let Some(port) = held_port(state) {
        port.wake_in(milliseconds);
    }
}

/// Milliseconds that the isolate's thread ran or waited; 0 while the snapshot is made.
#[op2(fast)]
fn op_mg_own_time(state: &mut OpState) -> f64 {
    held_port(state).map_or(0.0, |port| port.own_time())
}

/// The longest budget, in milliseconds, that is counted in that time.
#[op2(fast)]
fn op_mg_longest_own_budget(state: &mut OpState) -> f64 {
    held_port(state).map_or(0.0, |port| port.longest_own_budget())
}

/// SHA digests for `crypto.subtle.digest`; `None` for an algorithm that is not one of them.
#[op2]
#[buffer]
fn op_mg_digest(#[string] algorithm: &str, #[buffer] data: &[u8]) -> Option<Vec<u8>> {
    use sha2::Digest;
    Some(match algorithm {
        "SHA-1" => sha1::Sha1::digest(data).to_vec(),
        "SHA-256" => sha2::Sha256::digest(data).to_vec(),
        "SHA-384" => sha2::Sha384::digest(data).to_vec(),
        "SHA-512" => sha2::Sha512::digest(data).to_vec(),
        _ => return None,
    })
}

/// Fills the buffer with random bytes; false when the system gives none.
#[op2(fast)]
fn op_mg_random(#[buffer] into: &mut [u8]) -> bool {
    getrandom::fill(into).is_ok()
}
