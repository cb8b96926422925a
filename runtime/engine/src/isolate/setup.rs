//! What a new isolate is set up with: snapshot, scripts for later, the way to the bootstrap's functions.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use deno_core::{JsRuntime, v8};

use crate::limits::Buffers;

pub(super) static SNAPSHOT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/engine.snapshot"));

/// Scripts that the snapshot does not hold, because they are compiled only when they are first needed.
///
/// The polyfill installs itself on the global object and extends two frozen built-ins; it is given stand-ins for those.
pub(super) static LAZY: &[(&str, &str)] = &[(
    "ext:modgate/temporal.js",
    concat!(
        "(function (root) { return (function () {\n",
        "const globalThis = { process: undefined };\n",
        "const Intl = Object.create(root.Intl);\n",
        "const Date = class extends root.Date {};\n",
        include_str!("../../../../js/vendor/temporal-polyfill/global.js"),
        "\nreturn globalThis.Temporal; })(); })(globalThis)",
    ),
)];

/// The functions of the bootstrap that Rust calls.
#[derive(Debug, Clone, Copy)]
pub(super) enum Call {
    Abort,
    Kept,
    CloseStream,
    ExpireAll,
    Invoke,
    OpenStream,
    Pull,
    Register,
    SetLoaded,
    SetTable,
    Settle,
    Start,
    Tick,
}

const CALLS: [(Call, &str); 13] = [
    (Call::Abort, "abort"),
    (Call::Kept, "callKept"),
    (Call::CloseStream, "closeStream"),
    (Call::ExpireAll, "expireAll"),
    (Call::Invoke, "invoke"),
    (Call::OpenStream, "openStream"),
    (Call::Pull, "pull"),
    (Call::Register, "register"),
    (Call::SetLoaded, "setLoaded"),
    (Call::SetTable, "setTable"),
    (Call::Settle, "settle"),
    (Call::Start, "start"),
    (Call::Tick, "tick"),
];

/// Takes the functions off the object that the bootstrap left on the global object.
pub(super) fn functions(runtime: &mut JsRuntime) -> Vec<v8::Global<v8::Function>> {
    deno_core::scope!(scope, runtime);
    let context = scope.get_current_context();
    context.set_allow_generation_from_strings(false);
    let global = context.global(scope);
    let get = |scope: &mut v8::PinScope, object: v8::Local<v8::Object>, name: &str| {
        let key = v8::String::new(scope, name)?;
        let value = object.get(scope, key.into())?;
        Some(v8::Global::new(scope, value))
    };
    let Some(calls) = get(scope, global, "__modgate").and_then(|calls| v8::Local::new(scope, calls).to_object(scope))
    else {
        unreachable!("the snapshot holds the bootstrap");
    };
    CALLS
        .iter()
        .map(|(_, name)| {
            let function = get(scope, calls, name).map(|value| v8::Local::new(scope, value));
            match function.map(v8::Local::<v8::Function>::try_from) {
                Some(Ok(function)) => v8::Global::new(scope, function),
                _ => unreachable!("the bootstrap has {name}"),
            }
        })
        .collect()
}

/// Room that a script gets to come to an end once the heap is full.
const LAST_ROOM: usize = 32 << 20;

/// Near the heap's limit: end the script, and give it room to come to an end.
pub(super) fn watch_heap(runtime: &mut JsRuntime, buffers: Arc<Buffers>) -> Rc<Cell<bool>> {
    let is_full = Rc::new(Cell::new(false));
    let flag = is_full.clone();
    let handle = runtime.v8_isolate().thread_safe_handle();
    runtime.add_near_heap_limit_callback(move |current, initial| {
        // V8 asks for room as well when an array buffer was refused; the heap itself may be nearly empty.
        if buffers.refused.load(Ordering::Acquire) && current < initial + LAST_ROOM {
            return current + (4 << 20);
        }
        flag.set(true);
        handle.terminate_execution();
        current + LAST_ROOM
    });
    is_full
}

/// `import.meta` of a mod's module: `url`, `dir` and `file`.
pub(super) extern "C" fn import_meta(
    context: v8::Local<v8::Context>,
    _module: v8::Local<v8::Module>,
    meta: v8::Local<v8::Object>,
) {
    // SAFETY: V8 calls this with the context that runs.
    v8::callback_scope!(unsafe scope, context);
    let Some(url) = v8::StackTrace::current_script_name_or_source_url(scope) else { return };
    let url = url.to_rust_string_lossy(scope);
    let file = deno_core::ModuleSpecifier::parse(&url).ok().and_then(|url| url.to_file_path().ok());
    let dir = file.as_ref().and_then(|file| file.parent().map(std::path::Path::to_path_buf));
    let path =
        |path: Option<std::path::PathBuf>| path.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
    for (key, text) in [("dir", path(dir)), ("file", path(file)), ("url", url)] {
        let (Some(key), Some(text)) = (v8::String::new(scope, key), v8::String::new(scope, &text)) else { continue };
        meta.create_data_property(scope, key.into(), text.into());
    }
}
