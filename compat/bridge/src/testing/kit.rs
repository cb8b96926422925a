//! What the kit in a test file's isolate asks for.

use std::sync::Arc;
use std::time::Duration;

use modgate_engine::{Fault, Reply, inline};
use modgate_value::Value;
use parking_lot::Mutex;

use super::case::Bout;
use crate::plugin::{InnerHost, Tier};

/// A test as its file declares it.
#[derive(Debug, Clone)]
pub(super) struct Declared {
    pub(super) title: String,
    pub(super) timeout: Duration,
    /// Values laid over the defaults of the mod's options.
    pub(super) options: Value,
    pub(super) plugins: Vec<Inline>,
    /// The kept function that runs it.
    pub(super) body: u32,
}

/// A plugin written out in a test.
#[derive(Debug, Clone)]
pub(super) struct Inline {
    pub(super) name: String,
    pub(super) tier: Tier,
    pub(super) source: String,
}

#[derive(Default)]
struct State {
    declared: Vec<Declared>,
    tier: Option<Tier>,
    bout: Option<Arc<Bout>>,
}

/// Answers the kit, for the test that runs.
#[derive(Default)]
pub(super) struct Kit(Mutex<State>);

impl Kit {
    pub(super) fn declared(&self) -> (Vec<Declared>, Tier) {
        let state = self.0.lock();
        (state.declared.clone(), state.tier.unwrap_or(Tier::User))
    }

    /// The test that runs from now on.
    pub(super) fn serve(&self, bout: Option<Arc<Bout>>) {
        self.0.lock().bout = bout;
    }

    fn declare(&self, found: Option<&Value>) -> Result<Value, Fault> {
        let found = found.ok_or_else(|| Fault::named("TypeError", "a test is declared with its fields"))?;
        let plugins = found.get("plugins").and_then(Value::as_array).unwrap_or_default();
        let inline = |plugin: &Value| Inline {
            name: plugin.str_at("name").unwrap_or_default().to_string(),
            tier: plugin.str_at("tier").and_then(Tier::parse).unwrap_or(Tier::User),
            source: plugin.str_at("source").unwrap_or_default().to_string(),
        };
        let milliseconds = found.get("timeoutMs").and_then(Value::as_f64).unwrap_or(5000.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the index of a kept function")]
        let body = found.get("body").and_then(Value::as_f64).unwrap_or(0.0) as u32;
        self.0.lock().declared.push(Declared {
            title: found.str_at("title").unwrap_or_default().to_string(),
            timeout: Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or(Duration::MAX),
            options: found.get("options").cloned().unwrap_or_default(),
            plugins: plugins.iter().map(inline).collect(),
            body,
        });
        Ok(Value::Undefined)
    }

    fn set_tier(&self, tier: Option<&Value>) -> Result<Value, Fault> {
        let tier = tier.and_then(Value::as_str).and_then(Tier::parse);
        let tier = tier.ok_or_else(|| Fault::named("TypeError", "tier takes the name of a tier"))?;
        self.0.lock().tier = Some(tier);
        Ok(Value::Undefined)
    }

    fn bout(&self) -> Result<Arc<Bout>, Fault> {
        self.0.lock().bout.clone().ok_or_else(|| Fault::hooks("no test is running"))
    }
}

fn text(args: &[Value], index: usize) -> Result<String, Fault> {
    let text = args.get(index).and_then(Value::as_str).map(str::to_string);
    text.ok_or_else(|| Fault::named("TypeError", "the kit asked for something without naming it"))
}

impl InnerHost for Kit {
    fn ask(&self, name: &str, args: Vec<Value>, reply: Reply) -> Result<Value, Fault> {
        match name {
            "declare" => return self.declare(args.first()),
            "tier" => return self.set_tier(args.first()),
            _ => {}
        }
        // A clock that is moved after its test has nobody to wait for.
        if name == "settle" && self.0.lock().bout.is_none() {
            reply.settle(Ok(Value::Undefined));
            return Ok(Value::Undefined);
        }
        let bout = self.bout()?;
        let argument = |index: usize| args.get(index).cloned().unwrap_or_default();
        let runtime = bout.mods.runtime.clone();
        match name {
            "raise" => {
                let (event, input) = (text(&args, 0)?, argument(1));
                inline::spawn(&runtime, async move { reply.settle(bout.raise(&event, input).await) });
            }
            "raiseStream" => {
                let source = bout.open(text(&args, 0)?, argument(1));
                reply.stream(source);
            }
            "mount" => {
                let target = argument(0);
                inline::spawn(&runtime, async move { reply.settle(bout.mount(target).await) });
            }
            "act" => {
                let (id, verb, fields) = (argument(0), text(&args, 1)?, argument(2));
                inline::spawn(&runtime, async move { reply.settle(bout.act(id, &verb, fields).await) });
            }
            "settle" => {
                inline::spawn(&runtime, async move {
                    // The message that asked for this is being handled; the wait begins once it is done.
                    // Those who waited longer went on first, and may have set something off.
                    loop {
                        let _ = bout.mods.activity.settled().await;
                        if bout.mods.activity.settled().try_recv().is_ok() {
                            break;
                        }
                    }
                    reply.settle(Ok(Value::Undefined));
                });
            }
            "cwd" => return Ok(Value::text(&bout.mods.cwd)),
            "compared" => bout.compared(text(&args, 0)?, &argument(1)),
            "fault" => {
                let kind = text(&args, 0)?;
                bout.fault(&kind, &argument(1), argument(2).as_str());
            }
            other => return Err(Fault::hooks(format!("the kit cannot ask for {other}"))),
        }
        Ok(Value::Undefined)
    }
}
