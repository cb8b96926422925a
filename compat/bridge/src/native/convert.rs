//! Values of mods as JSON of the harness, and back.

use std::sync::Arc;

use modgate_engine::{Boxed, Fault};
use modgate_harness::prompt::Origin;
use modgate_harness::record::By;
use modgate_harness::report::{Change, Report as Row};
use modgate_services::{ServiceError, mask, mask_text};
use modgate_value::Value;
use parking_lot::Mutex;

use crate::chain::{Core, Raised};
use crate::report::Report;

/// A core that answers one event with what it is given, and remembers what reached it.
pub(super) struct Echo<F> {
    answer: F,
    reached: Mutex<Option<Value>>,
}

impl<F: Fn(&Value) -> Value + Send + Sync + 'static> Echo<F> {
    pub(super) fn new(answer: F) -> Arc<Echo<F>> {
        Arc::new(Echo { answer, reached: Mutex::new(None) })
    }

    /// What came down to it, the last time.
    pub(super) fn reached(&self) -> Option<Value> {
        self.reached.lock().clone()
    }
}

impl<F: Fn(&Value) -> Value + Send + Sync + 'static> Core for Echo<F> {
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        let answer = (self.answer)(&raised.input);
        *self.reached.lock() = Some(raised.input);
        Box::pin(std::future::ready(Ok(answer)))
    }
}

/// The fields of an object that have these names.
pub(super) fn pick(value: &Value, names: &[&str]) -> Value {
    Value::object(names.iter().filter_map(|name| {
        let field = value.get(name).filter(|field| !field.is_undefined())?;
        Some((*name, field.clone()))
    }))
}

/// A list of texts.
pub(super) fn texts(value: Option<&Value>) -> Vec<String> {
    let values = value.and_then(Value::as_array).unwrap_or_default();
    values.iter().filter_map(Value::as_str).filter(|text| !text.is_empty()).map(str::to_string).collect()
}

pub(super) fn origin(origin: &Origin) -> Value {
    let name = origin.name.as_deref().map(|name| ("name", Value::text(name)));
    Value::object([("kind", Value::text(&origin.kind))].into_iter().chain(name))
}

pub(super) fn fault(error: &ServiceError) -> Fault {
    let fault = Fault::named(error.name, error.message.clone());
    match &error.code {
        std::borrow::Cow::Borrowed(code) => fault.with_code(code),
        std::borrow::Cow::Owned(code) => fault.with_details(Value::object([("code", Value::text(code))])),
    }
}

/// A chain's report as a row: who is meant, and what it says. `seq` is the row of the call it is about.
pub(super) fn row(report: &Report, seq: Option<u64>) -> (By, Row) {
    let details = report.event.as_ref().map_or(serde_json::Value::Null, |event| serde_json::json!({ "event": event }));
    let row = Row {
        code: report.code.to_string(),
        message: mask_text(&report.message),
        call_id: report.call_id.clone(),
        refers: seq,
        position: report.position.as_ref().map(ToString::to_string),
        changes: report.changes.iter().map(|one| change(&one.path, &one.old, &one.new)).collect(),
        details,
    };
    (By::Mod(report.plugin.clone()), row)
}

/// The values are masked by the name of their field as well as by their own look.
fn change(path: &str, old: &Value, new: &Value) -> Change {
    let name = path.rsplit('.').next().unwrap_or(path);
    let shown = |value: &Value| match mask(&Value::object([(name, value.clone())])) {
        serde_json::Value::Object(mut fields) => fields.remove(name).unwrap_or_default(),
        _ => serde_json::Value::Null,
    };
    Change { path: format!("$.{path}"), old: shown(old), new: shown(new) }
}
