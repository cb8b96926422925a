//! A surface in memory: what a drawing host reads, and what tests look at.

use std::collections::BTreeMap;

use async_trait::async_trait;
use indexmap::IndexMap;
use modgate_value::Value;
use parking_lot::Mutex;

use super::Ui;
use super::frame::frame;
use super::parts::{Change, Element, Mounted, Pane};
use crate::{Answer, Caller, ServiceError, codes};

/// Changes kept for a host that is slow to read; the oldest go first.
const MOST_CHANGES: usize = 10_000;

/// A surface in memory.
#[derive(Debug, Default)]
pub struct Surface(Mutex<Shown>);

#[derive(Debug, Default)]
struct Shown {
    panes: IndexMap<(String, String), Pane>,
    status: BTreeMap<String, String>,
    /// Tool calls that are open, with the mod that made them, where it was one.
    calls: BTreeMap<String, Option<String>>,
    notices: BTreeMap<String, String>,
    mounted: BTreeMap<String, Mounted>,
    focus: Option<(String, String)>,
    clipboard: Option<String>,
    selection: Option<String>,
    changes: std::collections::VecDeque<Change>,
}

impl Shown {
    fn tell(&mut self, change: Change) {
        if self.changes.len() == MOST_CHANGES {
            self.changes.pop_front();
        }
        self.changes.push_back(change);
    }
}

impl Surface {
    /// Takes out what happened since the last time.
    pub fn take_changes(&self) -> Vec<Change> {
        self.0.lock().changes.drain(..).collect()
    }

    /// The mods' status lines.
    pub fn status(&self) -> BTreeMap<String, String> {
        self.0.lock().status.clone()
    }

    /// The line under the dialog of that call.
    pub fn notice(&self, tool_use_id: &str) -> Option<String> {
        self.0.lock().notices.get(tool_use_id).cloned()
    }

    /// A tool call is open from now on: mods may put a line under its dialog. `made_by` is the mod that made the call,
    /// which then is the only one that may.
    pub fn begin_call(&self, tool_use_id: &str, made_by: Option<&str>) {
        self.0.lock().calls.insert(tool_use_id.into(), made_by.map(str::to_string));
    }

    /// The call resolved: its line goes.
    pub fn settle(&self, tool_use_id: &str) {
        let mut shown = self.0.lock();
        shown.calls.remove(tool_use_id);
        shown.notices.remove(tool_use_id);
    }

    /// Every pane, in the order opened.
    pub fn panes(&self) -> Vec<Pane> {
        self.0.lock().panes.values().cloned().collect()
    }

    /// Changes a pane, when the surface finds a place for it or the person moves.
    pub fn update_pane(&self, plugin: &str, id: &str, change: impl FnOnce(&mut Pane)) {
        if let Some(pane) = self.0.lock().panes.get_mut(&(plugin.to_string(), id.to_string())) {
            change(pane);
        }
    }

    /// A drawing appeared, or was drawn again. Where it was scrolled to and the keyboard stay as given.
    pub fn mount(&self, drawing: Mounted) {
        self.0.lock().mounted.insert(drawing.request_id.clone(), drawing);
    }

    /// A drawing is gone.
    pub fn unmount(&self, request_id: &str) {
        let mut shown = self.0.lock();
        shown.mounted.remove(request_id);
        shown.focus = shown.focus.take().filter(|(site, _)| site != request_id);
    }

    /// The drawing of that instance.
    pub fn mounted(&self, request_id: &str) -> Option<Mounted> {
        self.0.lock().mounted.get(request_id).cloned()
    }

    /// Drawing and element that have the keyboard.
    pub fn focus(&self) -> Option<(String, String)> {
        self.0.lock().focus.clone()
    }

    /// What was copied last.
    pub fn clipboard(&self) -> Option<String> {
        self.0.lock().clipboard.clone()
    }

    /// What the person has selected.
    pub fn select(&self, text: Option<String>) {
        self.0.lock().selection = text;
    }

    /// Forgets what belongs to a mod, when it is unloaded. Panes survive a reload: close them only with
    /// `keeps_panes` false.
    pub fn forget(&self, plugin: &str, keeps_panes: bool) {
        let mut shown = self.0.lock();
        shown.status.remove(plugin);
        shown.mounted.retain(|_, drawing| drawing.plugin != plugin);
        if !keeps_panes {
            shown.panes.retain(|(owner, _), _| owner != plugin);
        }
    }
}

fn deny(why: impl Into<String>) -> Answer {
    Ok(Value::object([("deny", Value::from(why.into()))]))
}

fn done() -> Answer {
    Ok(Value::object::<&str>([]))
}

/// The fields of a call, which `admit` has checked.
fn text(input: &Value, name: &str) -> String {
    input.str_at(name).unwrap_or_default().to_string()
}

fn is_true(input: &Value, name: &str) -> bool {
    input.get(name).and_then(Value::as_bool).unwrap_or(false)
}

#[async_trait]
impl Ui for Surface {
    fn members(&self) -> &'static [&'static str] {
        &[
            "blit",
            "close",
            "copy",
            "focus",
            "invalidate",
            "log",
            "notice",
            "open",
            "panes",
            "scroll",
            "selection",
            "status",
            "toast",
        ]
    }

    async fn toast(&self, caller: &Caller, input: &Value) -> Answer {
        let timeout_ms = input.get("timeoutMs").and_then(Value::as_f64).unwrap_or(4000.0);
        let change = Change::Toast { plugin: caller.plugin.clone(), text: text(input, "text"), timeout_ms };
        self.0.lock().tell(change);
        Ok(Value::Undefined)
    }

    async fn status(&self, caller: &Caller, input: &Value) -> Answer {
        let (plugin, text) = (caller.plugin.clone(), input.str_at("text").map(str::to_string));
        let mut shown = self.0.lock();
        match &text {
            Some(text) => shown.status.insert(plugin.clone(), text.clone()),
            None => shown.status.remove(&plugin),
        };
        shown.tell(Change::Status { plugin, text });
        Ok(Value::Undefined)
    }

    async fn log(&self, caller: &Caller, input: &Value) -> Answer {
        let is_debug = input.str_at("to") == Some("debug");
        self.0.lock().tell(Change::Log { plugin: caller.plugin.clone(), text: text(input, "text"), is_debug });
        Ok(Value::Undefined)
    }

    async fn notice(&self, caller: &Caller, input: &Value) -> Answer {
        let (tool_use_id, text) = (text(input, "tool_use_id"), input.str_at("text").map(str::to_string));
        let mut shown = self.0.lock();
        match shown.calls.get(&tool_use_id) {
            None => {
                let why = format!("the call {tool_use_id} is not open");
                return Err(ServiceError::failed("ui.notice", codes::NOT_FOUND, why));
            }
            Some(Some(owner)) if *owner != caller.plugin => {
                let why = format!("the call {tool_use_id} is one of {owner}");
                return Err(ServiceError::failed("ui.notice", codes::NOT_OWNER, why));
            }
            Some(_) => {}
        }
        match &text {
            Some(text) => shown.notices.insert(tool_use_id.clone(), text.clone()),
            None => shown.notices.remove(&tool_use_id),
        };
        shown.tell(Change::Notice { tool_use_id, text });
        Ok(Value::Undefined)
    }

    async fn invalidate(&self, caller: &Caller, input: &Value) -> Answer {
        self.0.lock().tell(Change::Invalidated { plugin: caller.plugin.clone(), event: text(input, "event") });
        Ok(Value::Undefined)
    }

    async fn open(&self, caller: &Caller, input: &Value) -> Answer {
        let id = text(input, "id");
        let mut shown = self.0.lock();
        let pane = shown.panes.entry((caller.plugin.clone(), id.clone())).or_insert_with(|| Pane {
            plugin: caller.plugin.clone(),
            title: id.clone(),
            id,
            ..Pane::default()
        });
        if let Some(title) = input.str_at("title") {
            pane.title = title.into();
        }
        pane.closes_on_escape = is_true(input, "closeOnEscape");
        pane.holds_toasts = is_true(input, "holdToasts");
        pane.rows = input.get("rows").and_then(Value::as_f64);
        pane.columns = input.get("columns").and_then(Value::as_f64);
        let opened = pane.clone();
        shown.tell(Change::Opened(opened));
        Ok(Value::Undefined)
    }

    async fn close(&self, caller: &Caller, input: &Value) -> Answer {
        let (plugin, id) = (caller.plugin.clone(), text(input, "id"));
        let mut shown = self.0.lock();
        if shown.panes.shift_remove(&(plugin.clone(), id.clone())).is_some() {
            shown.tell(Change::Closed { plugin, id });
        }
        Ok(Value::Undefined)
    }

    async fn panes(&self, caller: &Caller, _input: &Value) -> Answer {
        let mut mine: Vec<Pane> = self.panes().into_iter().filter(|pane| pane.plugin == caller.plugin).collect();
        mine.sort_by_key(|pane| !pane.is_placed);
        Ok(Value::list(mine.into_iter().map(|pane| {
            Value::object([
                ("id", Value::from(pane.id)),
                ("title", Value::from(pane.title)),
                ("isShown", Value::from(pane.is_shown)),
                ("isFocused", Value::from(pane.is_focused)),
                ("isPlaced", Value::from(pane.is_placed)),
            ])
        })))
    }

    async fn copy(&self, _caller: &Caller, input: &Value) -> Answer {
        let mut shown = self.0.lock();
        shown.clipboard = Some(text(input, "text"));
        shown.tell(Change::Copied(text(input, "text")));
        Ok(Value::Undefined)
    }

    async fn selection(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(self.0.lock().selection.as_deref().map_or(Value::Undefined, Value::from))
    }

    async fn focus(&self, caller: &Caller, input: &Value) -> Answer {
        let (request_id, key) = (text(input, "requestId"), text(input, "key"));
        let mut shown = self.0.lock();
        let Some(drawing) = shown.mounted.get(&request_id).filter(|drawing| drawing.plugin == caller.plugin) else {
            return deny(format!("{request_id} is no drawing of {} on this surface", caller.plugin));
        };
        if !drawing.has_keyboard {
            return deny(format!("{request_id} does not have the keyboard"));
        }
        let takes = |element: &&Element| element.key == key && matches!(&*element.kind, "Button" | "Input" | "Select");
        if drawing.elements.iter().find(takes).is_none() {
            return deny(format!("{key} is no button, input or select of {request_id}"));
        }
        shown.focus = Some((request_id.clone(), key.clone()));
        shown.tell(Change::Focused { request_id, key });
        done()
    }

    async fn scroll(&self, caller: &Caller, input: &Value) -> Answer {
        let request_id = text(input, "requestId");
        let mut shown = self.0.lock();
        let Some(drawing) = shown.mounted.get_mut(&request_id).filter(|it| it.plugin == caller.plugin) else {
            return deny(format!("{request_id} is no drawing of {} on this surface", caller.plugin));
        };
        let last = drawing.content_rows.saturating_sub(drawing.body_rows);
        if last == 0 {
            return deny("nothing scrolls");
        }
        let wanted = input.get("offset").and_then(Value::as_f64).unwrap_or(0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a count of rows")]
        let offset = wanted.clamp(0.0, f64::from(last)) as u32;
        drawing.offset = offset;
        shown.tell(Change::Scrolled { request_id, offset });
        done()
    }

    async fn blit(&self, caller: &Caller, input: &Value) -> Answer {
        let (request_id, key) = (text(input, "requestId"), text(input, "key"));
        let mut shown = self.0.lock();
        let Some(drawing) = shown.mounted.get(&request_id).filter(|drawing| drawing.plugin == caller.plugin) else {
            return deny(format!("{request_id} is no drawing of {} on this surface", caller.plugin));
        };
        let Some(element) = drawing.elements.iter().find(|element| element.key == key) else {
            return deny(format!("{key} is no element of {request_id}"));
        };
        match frame(element, input) {
            Err(why) => deny(why),
            Ok(content) => {
                shown.tell(Change::Blitted { request_id, key, content });
                done()
            }
        }
    }
}
