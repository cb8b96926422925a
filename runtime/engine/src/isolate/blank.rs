//! An isolate with the bootstrap run, before it is known whose it is.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use deno_core::{JsRuntime, RuntimeOptions, v8};

use super::setup::{Call, LAZY, SNAPSHOT, functions, import_meta, watch_heap};
use crate::limits::{Buffers, Limits, Watched};
use crate::loader::Loader;

/// Most of the time that an isolate takes to start goes into this, and nothing of it depends on the mod.
pub(super) struct Blank {
    pub(super) runtime: JsRuntime,
    pub(super) functions: Vec<v8::Global<v8::Function>>,
    pub(super) loader: Rc<Loader>,
    pub(super) watched: Arc<Watched>,
    pub(super) buffers: Arc<Buffers>,
    pub(super) heap_is_full: Rc<Cell<bool>>,
}

impl Blank {
    /// Of the limits, those of heap and buffers are fixed with it.
    pub(super) fn new(limits: &Limits) -> Blank {
        let buffers = Buffers::new(limits.buffers);
        let loader = Rc::new(Loader::default());
        let mut runtime = JsRuntime::new(RuntimeOptions {
            startup_snapshot: Some(SNAPSHOT),
            module_loader: Some(loader.clone()),
            residual_lazy_js_sources: LAZY,
            extensions: crate::ext::extensions(),
            create_params: Some(
                v8::CreateParams::default().heap_limits(0, limits.heap).array_buffer_allocator(buffers.allocator()),
            ),
            ..RuntimeOptions::default()
        });
        let isolate = runtime.v8_isolate();
        isolate.set_host_initialize_import_meta_object_callback(import_meta);
        let watched = Watched::new(isolate.thread_safe_handle());
        let heap_is_full = watch_heap(&mut runtime, buffers.clone());
        let functions = functions(&mut runtime);
        {
            deno_core::scope!(scope, runtime);
            let start = v8::Local::new(scope, &functions[Call::Start as usize]);
            let this = v8::undefined(scope).into();
            start.call(scope, this, &[]);
        }
        Blank { runtime, functions, loader, watched, buffers, heap_is_full }
    }
}
