//! The drawings of a session.

use std::collections::HashMap;
use std::sync::Arc;

use modgate_engine::Fault;
use modgate_value::Value;
use parking_lot::Mutex;

use super::client::SurfaceModule;
use super::drawing::{Drawing, Target};
use super::render::{Address, Failure};
use crate::mods::Mods;

#[derive(Default)]
struct State {
    drawings: Vec<Arc<Drawing>>,
    last: u32,
    modules: HashMap<(String, String), Arc<SurfaceModule>>,
    failures: Vec<Failure>,
}

/// The drawings of a session.
#[derive(Default)]
pub(crate) struct Drawings(Mutex<State>);

impl Drawings {
    fn add(&self, mods: &Mods, target: Target, is_mounted: bool) -> Arc<Drawing> {
        let mut state = self.0.lock();
        state.last += 1;
        let drawing = Drawing::new(state.last, target, is_mounted, mods);
        state.drawings.push(drawing.clone());
        drawing
    }

    fn take(&self, id: u32) -> Option<Arc<Drawing>> {
        let mut state = self.0.lock();
        let at = state.drawings.iter().position(|drawing| drawing.id == id)?;
        Some(state.drawings.remove(at))
    }

    /// All of them, in the order in which they came.
    pub(crate) fn all(&self) -> Vec<Arc<Drawing>> {
        self.0.lock().drawings.clone()
    }

    /// The drawing of that number.
    pub(crate) fn get(&self, id: u32) -> Result<Arc<Drawing>, Fault> {
        let found = self.0.lock().drawings.iter().find(|drawing| drawing.id == id).cloned();
        found.ok_or_else(|| Fault::hooks("this drawing was unmounted"))
    }

    /// Draws a component and keeps it up to date from then on.
    ///
    /// # Errors
    /// There is no such place, it is taken, what the mod drew is refused, or a surface module failed.
    pub(crate) async fn mount(&self, mods: &Arc<Mods>, target: Target) -> Result<Arc<Drawing>, Fault> {
        target.check()?;
        if self.all().iter().any(|drawing| drawing.is_mounted && drawing.target.is_place_of(&target)) {
            let Target { component, request_id, surface, .. } = &target;
            return Err(Fault::hooks(format!("{component} {request_id:?} is drawn on the {surface} surface already")));
        }
        let drawing = self.add(mods, target, true);
        let drawn = async {
            let _ = drawing.draw(mods, self, None).await;
            drawing.tree()?;
            drawing.clients().iter().try_for_each(|client| client.tree().map(drop))?;
            self.settle(mods).await;
            Ok(())
        };
        match drawn.await {
            Ok(()) => Ok(drawing),
            Err(fault) => {
                self.unmount(mods, &drawing).await;
                Err(fault)
            }
        }
    }

    /// Draws a component once. Gives the tree as the surface draws it; its controls can be acted on until the same place
    /// is drawn again.
    pub(crate) async fn put_up(&self, mods: &Arc<Mods>, target: Target) -> Result<Value, Fault> {
        let before = self.all().into_iter().find(|other| !other.is_mounted && other.target.is_place_of(&target));
        if let Some(before) = before {
            self.unmount(mods, &before).await;
        }
        let drawing = self.add(mods, target, false);
        let answer = drawing.draw(mods, self, None).await?;
        // A place that no surface has is shown as it came.
        Ok(drawing.tree().unwrap_or(answer))
    }

    /// Draws it again.
    ///
    /// # Errors
    /// What the mod drew is refused.
    pub(crate) async fn redraw(
        &self,
        mods: &Arc<Mods>,
        drawing: &Arc<Drawing>,
        props: Option<Value>,
    ) -> Result<(), Fault> {
        let _ = drawing.draw(mods, self, props).await;
        self.settle(mods).await;
        drawing.tree().map(drop)
    }

    /// Takes it down.
    pub(crate) async fn unmount(&self, mods: &Arc<Mods>, drawing: &Drawing) {
        if let Some(drawing) = self.take(drawing.id) {
            drawing.end(mods).await;
        }
    }

    /// Waits until nothing runs, and draws once more what has changed. What changes by that waits for the next time, as
    /// on 2.1.332.
    pub(crate) async fn settle(&self, mods: &Arc<Mods>) {
        // The sender is never dropped unsent while isolates live.
        let _ = mods.activity.settled().await;
        let is_dirty = |drawing: &Arc<Drawing>| drawing.is_mounted && drawing.state.lock().is_dirty;
        let dirty: Vec<_> = self.all().into_iter().filter(is_dirty).collect();
        for drawing in dirty {
            // What came of it stands in the drawing.
            let _ = drawing.draw(mods, self, None).await;
        }
    }

    /// A write to `$.state` landed; `input` is that of `state.set`.
    pub(crate) fn wrote(&self, input: &Value) {
        let Some(address) = Address::of(input) else { return };
        for drawing in self.all() {
            let mut state = drawing.state.lock();
            state.is_dirty |= state.render.has_read(&address);
        }
    }

    /// A mod asked for `ui.render` anew: what it has a part in is drawn again.
    pub(crate) fn invalidated(&self, plugin: &str) {
        for drawing in self.all() {
            let mut state = drawing.state.lock();
            state.is_dirty |= state.render.has_part(plugin);
        }
    }

    /// The module of a mod's surface: one isolate for all its instances.
    pub(super) fn module(&self, mods: &Arc<Mods>, plugin: &str, path: &str) -> Arc<SurfaceModule> {
        let mut state = self.0.lock();
        let key = (plugin.to_string(), path.to_string());
        state.modules.entry(key).or_insert_with(|| SurfaceModule::new(mods, plugin, path)).clone()
    }

    pub(super) fn failed(&self, failures: impl Iterator<Item = Failure>) {
        self.0.lock().failures.extend(failures);
    }

    /// The hooks that failed since this was asked last, but for trees that were refused.
    pub(crate) fn take_failures(&self) -> Vec<Failure> {
        std::mem::take(&mut self.0.lock().failures)
    }

    /// Takes everything down.
    pub(crate) async fn end(&self, mods: &Arc<Mods>) {
        for drawing in self.all() {
            self.unmount(mods, &drawing).await;
        }
        self.0.lock().modules.clear();
    }
}
