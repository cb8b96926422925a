//! Constructors of elements that one mod gave to another: called at once, across isolates.
//!
//! The caller's isolate waits in the middle of its script. While it does, it runs constructors that others wait for:
//! two mods that draw with each other's elements never wait for one another. The owner's isolate is told by a message
//! when it is idle, and looks for itself when it waits.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use modgate_engine::Fault;
use modgate_value::Value;
use parking_lot::{Condvar, Mutex};

use crate::plugin::Plugin;

/// How often one who waits looks whether the owner is still there.
const LOOK: Duration = Duration::from_millis(200);

/// A call of a constructor.
struct Asked {
    id: u32,
    number: Value,
    props: Value,
    caller: Weak<Plugin>,
}

#[derive(Default)]
struct State {
    /// What others wait for.
    asked: VecDeque<Asked>,
    /// Who gets the answers of what runs now.
    serving: HashMap<u32, Weak<Plugin>>,
    /// The own calls: who owns the constructor, and the answer once it is there.
    waiting: HashMap<u32, (Weak<Plugin>, Option<Result<Value, Fault>>)>,
}

/// The calls that a mod makes of constructors of others, and others of its own.
#[derive(Default)]
pub(crate) struct Counter {
    state: Mutex<State>,
    news: Condvar,
}

static LAST: AtomicU32 = AtomicU32::new(0);

fn gone() -> Fault {
    Fault::hooks("the mod whose element this is was ended or unloaded")
}

fn number(value: Option<&Value>) -> Option<u32> {
    let number = value?.as_f64()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    (number >= 0.0 && number <= f64::from(u32::MAX)).then_some(number as u32)
}

impl Counter {
    fn answer(&self, id: u32, answer: Result<Value, Fault>) {
        let mut state = self.state.lock();
        if let Some((_, place @ None)) = state.waiting.get_mut(&id) {
            *place = Some(answer);
            self.news.notify_all();
        }
    }

    fn take(&self) -> Option<Value> {
        let mut state = self.state.lock();
        let asked = state.asked.pop_front()?;
        state.serving.insert(asked.id, asked.caller);
        Some(Value::object([("id", Value::from(asked.id)), ("number", asked.number), ("props", asked.props)]))
    }
}

/// Answers the isolate of a mod; nothing where it asks for something else.
pub(crate) fn ask(plugin: &Arc<Plugin>, name: &str, args: &[Value]) -> Option<Result<Value, Fault>> {
    Some(match name {
        "ui.style" => begin(plugin, args),
        "ui.styled" => number(args.first()).and_then(|id| wait(plugin, id)).ok_or_else(gone),
        "ui.asked" => Ok(plugin.counter.take().unwrap_or(Value::Undefined)),
        "ui.answered" => {
            answered(plugin, args);
            Ok(Value::Undefined)
        }
        _ => return None,
    })
}

/// Asks the owner to run a constructor; gives the number under which the answer will be.
fn begin(plugin: &Arc<Plugin>, args: &[Value]) -> Result<Value, Fault> {
    let mods = plugin.mods.upgrade().ok_or_else(gone)?;
    let owner = args.first().and_then(Value::as_str).and_then(|name| mods.plugin(name)).ok_or_else(gone)?;
    if owner.isolate().is_none_or(modgate_engine::Isolate::is_over) {
        return Err(gone());
    }
    let id = LAST.fetch_add(1, Ordering::Relaxed);
    plugin.counter.state.lock().waiting.insert(id, (Arc::downgrade(&owner), None));
    let asked = Asked {
        id,
        number: args.get(1).cloned().unwrap_or_default(),
        props: args.get(2).cloned().unwrap_or_default(),
        caller: Arc::downgrade(plugin),
    };
    owner.counter.state.lock().asked.push_back(asked);
    owner.counter.news.notify_all();
    let caller = plugin.clone();
    mods.runtime.spawn(async move {
        if let Some(isolate) = owner.isolate() {
            // It has run by the time this returns: here or in the middle of something else that waited.
            let _ = isolate.call_kept(super::ENTRY, vec![Value::text("restyle")]).await;
        }
        caller.counter.answer(id, Err(gone()));
    });
    Ok(Value::from(id))
}

/// Waits for the answer, or for somebody who waits for this mod. Called on the isolate's own thread.
fn wait(plugin: &Plugin, id: u32) -> Option<Value> {
    loop {
        if let Some(asked) = plugin.counter.take() {
            return Some(Value::object([("asked", asked)]));
        }
        let mut state = plugin.counter.state.lock();
        let (owner, answer) = state.waiting.get(&id)?;
        if answer.is_none() {
            let is_there =
                owner.upgrade().is_some_and(|owner| owner.isolate().is_some_and(|isolate| !isolate.is_over()));
            if is_there {
                if state.asked.is_empty() {
                    plugin.counter.news.wait_for(&mut state, LOOK);
                }
                continue;
            }
        }
        let (_, answer) = state.waiting.remove(&id)?;
        return Some(match answer.unwrap_or_else(|| Err(gone())) {
            Ok(value) => Value::object([("value", value)]),
            Err(fault) => {
                let fault = Value::list([Value::text(&fault.name), Value::text(&fault.message)]);
                Value::object([("fault", fault)])
            }
        });
    }
}

/// A constructor of this mod has returned or thrown.
fn answered(plugin: &Plugin, args: &[Value]) {
    let Some(id) = number(args.first()) else { return };
    let caller = plugin.counter.state.lock().serving.remove(&id).and_then(|caller| caller.upgrade());
    let value = args.get(2).cloned().unwrap_or_default();
    let answer = if args.get(1).and_then(Value::as_bool) == Some(true) {
        Ok(value)
    } else {
        let text = |index: usize| value.as_array().and_then(|parts| parts.get(index)).and_then(Value::as_str);
        Err(Fault::named(text(0).unwrap_or("Error"), text(1).unwrap_or_default()))
    };
    if let Some(caller) = caller {
        caller.counter.answer(id, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::{PluginSpec, Tier};

    fn plugin(name: &str) -> Arc<Plugin> {
        let spec = PluginSpec {
            name: name.into(),
            tier: Tier::User,
            root: None,
            hash: String::new(),
            options: Value::Undefined,
            uses: Value::Undefined,
        };
        Plugin::new(spec, Weak::new())
    }

    /// `caller` waits for constructor 3 of `owner`.
    fn asked(caller: &Arc<Plugin>, owner: &Arc<Plugin>, id: u32) {
        caller.counter.state.lock().waiting.insert(id, (Arc::downgrade(owner), None));
        let call = Asked { id, number: Value::from(3), props: Value::text("p"), caller: Arc::downgrade(caller) };
        owner.counter.state.lock().asked.push_back(call);
    }

    fn say(plugin: &Arc<Plugin>, id: u32, is_ok: bool, value: Value) {
        let args = [Value::from(id), Value::Bool(is_ok), value];
        assert_eq!(ask(plugin, "ui.answered", &args).unwrap().unwrap(), Value::Undefined);
    }

    #[test]
    fn an_answer_finds_its_caller() {
        let (caller, owner) = (plugin("caller"), plugin("owner"));
        asked(&caller, &owner, 7);
        let taken = ask(&owner, "ui.asked", &[]).unwrap().unwrap();
        assert_eq!(taken.get("number"), Some(&Value::from(3)));
        assert_eq!(ask(&owner, "ui.asked", &[]).unwrap().unwrap(), Value::Undefined);
        say(&owner, 7, true, Value::text("made"));
        // Who was ended or is late says nothing any more.
        caller.counter.answer(7, Err(gone()));
        let step = ask(&caller, "ui.styled", &[Value::from(7)]).unwrap().unwrap();
        assert_eq!(step, Value::object([("value", Value::text("made"))]));
        assert!(ask(&caller, "ui.styled", &[Value::from(7)]).unwrap().is_err());
    }

    #[test]
    fn what_was_thrown_keeps_its_name() {
        let (caller, owner) = (plugin("caller"), plugin("owner"));
        asked(&caller, &owner, 8);
        ask(&owner, "ui.asked", &[]).unwrap().unwrap();
        let thrown = Value::list([Value::text("TypeError"), Value::text("no")]);
        say(&owner, 8, false, thrown.clone());
        let step = ask(&caller, "ui.styled", &[Value::from(8)]).unwrap().unwrap();
        assert_eq!(step, Value::object([("fault", thrown)]));
    }

    #[test]
    fn who_waits_serves_others_first() {
        let (first, second) = (plugin("first"), plugin("second"));
        asked(&first, &second, 9);
        asked(&second, &first, 10);
        let step = ask(&first, "ui.styled", &[Value::from(9)]).unwrap().unwrap();
        assert_eq!(step.get("asked").and_then(|asked| asked.get("id")), Some(&Value::from(10)));
    }

    #[test]
    fn nobody_waits_for_a_mod_that_is_not_there() {
        let (caller, owner) = (plugin("caller"), plugin("owner"));
        asked(&caller, &owner, 11);
        // It has no isolate.
        let step = ask(&caller, "ui.styled", &[Value::from(11)]).unwrap().unwrap();
        assert_eq!(step.get("fault").and_then(Value::as_array).unwrap()[1].as_str(), Some(gone().message.as_str()));
        assert!(ask(&caller, "ui.style", &[Value::text("owner")]).unwrap().is_err());
        assert!(ask(&caller, "kit.something", &[]).is_none());
    }
}
