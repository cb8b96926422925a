//! Calls on `$`: each is an event for the mods, with the host beneath.

use std::sync::Arc;

use modgate_catalog::check::{self, OpContext};
use modgate_catalog::{Member, MemberKind};
use modgate_engine::{Boxed, DollarCall, Fault, Pulled, Reply, Source, inline};
use modgate_value::Value;

use crate::chain::{OpenCall, Path, Raised, no_implementation};
use crate::mods::{Mods, Origin};
use crate::nouns::Provider;
use crate::plugin::Plugin;
use crate::report::{Report, codes};

/// From where a mod calls.
pub(crate) struct Within {
    /// The hooks on whose calls it comes.
    pub(crate) path: Path,
    /// One of them draws, and goes on drawing.
    pub(crate) is_drawing: bool,
    /// Told when the call is over.
    pub(crate) open: Option<OpenCall>,
}

/// Takes a call of a mod.
pub(crate) fn call(mods: &Arc<Mods>, plugin: &Arc<Plugin>, call: DollarCall, within: Within, reply: Reply) {
    if mods.is_retired() {
        return reply.settle(Err(Fault::hooks(format!(
            "{}: $.{} refused: its test is over",
            plugin.name(),
            call.name
        ))));
    }
    if plugin.kit.lock().is_some() {
        return from_a_test(mods, plugin, &call, reply);
    }
    let (namespace, method) = call.name.split_once('.').unwrap_or((&call.name, ""));
    let Some(member) = modgate_catalog::member(namespace, method) else {
        return noun(mods, plugin, call, within, reply);
    };
    match prepare(mods, plugin, member, &call.args, &within) {
        // No hook stands on it, and no host answers.
        Ok(_) if member.event.is_none() => refuse(mods, plugin, member, no_implementation(member.call), reply),
        Ok(_) if !mods.core.takes(member.call) => {
            refuse(mods, plugin, member, no_implementation(member.call), reply);
        }
        Ok(input) => {
            let key = (member.call == "settings.read").then(|| setting(&call.args)).flatten();
            raise(mods.clone(), plugin.clone(), member, Raise { input, key, within }, reply);
        }
        Err(fault) => refuse(mods, plugin, member, fault, reply),
    }
}

/// A test's own hooks answer; they make no calls themselves, just as a mod makes none that its source does not name.
fn from_a_test(mods: &Arc<Mods>, plugin: &Arc<Plugin>, call: &DollarCall, reply: Reply) {
    let fault = Fault::hooks(format!("{}: $.{} refused: a hook of a test makes no calls", plugin.name(), call.name));
    let (namespace, method) = call.name.split_once('.').unwrap_or((&call.name, ""));
    match modgate_catalog::member(namespace, method) {
        Some(member) => refuse(mods, plugin, member, fault, reply),
        None => reply.settle(Err(fault)),
    }
}

fn prepare(mods: &Mods, plugin: &Plugin, member: &Member, args: &[Value], within: &Within) -> Result<Value, Fault> {
    if mods.nouns.read().is_withheld(member.namespace) {
        return Err(told(plugin, &format!("$.{} is withheld from mods", member.namespace)));
    }
    if member.writes && within.is_drawing {
        let why = "something is being drawn; write from what a control does, or from another event";
        return Err(told(plugin, &format!("$.{} refused: {why}", member.call)));
    }
    if member.holds && waits_for_itself(&within.path) {
        let why = "would wait for the turn that this hook is holding; call it outside of the turn's hooks";
        return Err(told(plugin, &format!("$.{} {why}", member.call)));
    }
    let context = OpContext { cwd: &mods.cwd, plugin: plugin.name(), tier: plugin.spec.tier.as_str() };
    let input = check::op_input(member, args, &context).map_err(|refusal| told(plugin, &refusal.message))?;
    Ok(match member.call {
        "session.compact" | "prompt.compose" => mods.core.complete(member.call, input),
        "session.append" => {
            // The agent comes last, as on the host.
            let agent = input.get("agentId").cloned();
            let input = input.without("agentId").with("uuid", Value::from(mint_uuid()));
            agent.map_or(input.clone(), |agent| input.with("agentId", agent))
        }
        "state.set" => {
            let previous = mods.core.previous(&input);
            input.with("previous", previous)
        }
        // Every call of a tool has an id.
        _ if member.event == Some("tool.call") && input.get("tool_use_id").is_none_or(Value::is_undefined) => {
            input.without("tool_use_id").with("tool_use_id", Value::from(mint_call_id()))
        }
        _ => input,
    })
}

/// The refusal of a call: who made it stands in front, as on the host.
fn told(plugin: &Plugin, why: &str) -> Fault {
    Fault::hooks(format!("{}: {why}", plugin.name()))
}

/// An id for a call of a tool, as a model would give one.
fn mint_call_id() -> String {
    format!("toolu_{}", uuid::Uuid::new_v4().simple())
}

/// An id for a row that a mod appends.
pub(crate) fn mint_uuid() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// Events that a turn waits for, as Claude Code 2.1.332 has it: a call from within a hook on them that needs the turn to
/// end would wait for itself.
const HOLDING: [&str; 18] = [
    "agent.report",
    "agent.spawn",
    "command.describe",
    "command.run",
    "config.describe",
    "config.set",
    "prompt.attachment",
    "prompt.compose",
    "prompt.context",
    "prompt.mention",
    "prompt.section",
    "prompt.submit",
    "session.send",
    "tool.call",
    "tool.describe",
    "tool.judge",
    "tool.offer",
    "tool.run",
];

/// What the host itself raised decides; a prompt that a mod submits begins a turn wherever it comes from.
fn waits_for_itself(path: &Path) -> bool {
    path.events().last().is_some_and(holds_turn) || path.events().any(|event| event == "prompt.submit")
}

fn holds_turn(event: &str) -> bool {
    HOLDING.contains(&event)
        || event.starts_with("vcs.")
        || event.starts_with("classic.")
            && !matches!(event, "classic.SessionStart" | "classic.SessionEnd" | "classic.Setup")
}

fn refuse(mods: &Mods, plugin: &Plugin, member: &Member, fault: Fault, reply: Reply) {
    if member.kind == MemberKind::Stream {
        return reply.stream(Box::new(Refused(Some(fault))));
    }
    if reply.is_awaited() {
        return reply.settle(Err(fault));
    }
    let message = format!("$.{} was not taken: {}", member.call, fault.message);
    mods.report(Report::new(codes::CALL_FAILED, plugin.name(), message));
}

/// The one setting that a caller asks for.
fn setting(args: &[Value]) -> Option<String> {
    args.first()?.str_at("key").map(str::to_string)
}

/// A call that is about to be an event.
struct Raise {
    input: Value,
    /// What the caller wants of the answer's object.
    key: Option<String>,
    within: Within,
}

fn raise(mods: Arc<Mods>, plugin: Arc<Plugin>, member: &'static Member, raise: Raise, reply: Reply) {
    let Raise { input, key, within } = raise;
    let Within { path, open, .. } = within;
    let event = member.event.unwrap_or(member.call);
    let origin = Origin::of(&plugin);
    let core = mods.core.clone();
    if member.kind == MemberKind::Stream {
        return reply.stream(Box::new(Values { inner: mods.open(event, input, origin, path, core) }));
    }
    let runtime = mods.runtime.clone();
    let cancelled = reply.cancelled().clone();
    inline::spawn(&runtime, async move {
        let called = Raised {
            event: Arc::from(event),
            input: input.clone(),
            origin: origin.clone(),
            path: path.clone(),
            cancel: cancelled.clone(),
        };
        let dispatched = mods.raise_over(event, input.clone(), origin, path, core.clone());
        let answer = tokio::select! {
            biased;
            () = cancelled.cancelled() => return,
            answer = dispatched => answer,
        };
        let answer = match answer {
            Ok(answer) => core.settle(called, answer).await,
            refused => refused,
        };
        let result = answer.and_then(|answer| {
            let refused = |refusal: check::Refusal| match refusal.code {
                check::Code::Denied => told(&plugin, &refusal.message),
                _ => Fault::hooks(refusal.message),
            };
            let given = check::op_result(member, &input, &answer).map_err(refused)?;
            let given = mods.core.gives(member.call, &given).unwrap_or(given);
            Ok(match &key {
                Some(key) => given.get(key).cloned().unwrap_or_default(),
                None => given,
            })
        });
        match result {
            Err(fault) if !reply.is_awaited() => {
                let message = format!("$.{} failed: {}", member.call, fault.message);
                mods.report(Report::new(codes::CALL_FAILED, plugin.name(), message));
            }
            result => reply.settle(result),
        }
        drop(open);
    });
}

/// A stream that was refused: its first read says so.
struct Refused(Option<Fault>);

impl Source for Refused {
    fn pull(&mut self) -> Boxed<'_, Result<Pulled, Fault>> {
        let refused = self.0.take();
        Box::pin(async move { refused.map_or(Ok(Pulled::Done(Value::Undefined)), Err) })
    }

    fn close(&mut self) {}
}

/// A stream whose result is `{ value }` or `{ deny }`, as its caller sees it.
struct Values {
    inner: Box<dyn Source>,
}

impl Source for Values {
    fn pull(&mut self) -> Boxed<'_, Result<Pulled, Fault>> {
        Box::pin(async move {
            match self.inner.pull().await? {
                Pulled::Done(answer) => match answer.str_at("deny") {
                    Some(reason) => Err(Fault::hooks(reason)),
                    None => Ok(Pulled::Done(answer.get("value").cloned().unwrap_or_default())),
                },
                chunk => Ok(chunk),
            }
        })
    }

    fn close(&mut self) {
        self.inner.close();
    }
}

/// A call on a noun that a mod provides.
fn noun(mods: &Arc<Mods>, plugin: &Arc<Plugin>, call: DollarCall, within: Within, reply: Reply) {
    let method = mods.nouns.read().method(&call.name);
    let Some((provider, method)) = method.and_then(|method| Some((method.provider(mods)?, method))) else {
        return reply.settle(Err(no_implementation(&call.name)));
    };
    if call.args.len() > 1 {
        return reply.settle(Err(Fault::hooks(format!("$.{} takes one input, not {}", call.name, call.args.len()))));
    }
    let given = call.args.into_iter().next().filter(|input| !input.is_nullish());
    let input = given.unwrap_or_else(|| Value::object::<&str>([]));
    if input.as_object().is_none() && mods.hears(&call.name) {
        return reply
            .settle(Err(Fault::hooks(format!("$.{} takes an object while a mod has a hook on it", call.name))));
    }
    let (mods, origin, name) = (mods.clone(), Origin::of(plugin), call.name);
    let runtime = mods.runtime.clone();
    inline::spawn(&runtime, async move {
        let core = Arc::new(Provider(provider, method));
        let answer = mods.raise_over(&name, input, origin, within.path, core).await;
        reply.settle(answer.and_then(|answer| match answer.str_at("deny") {
            Some(reason) => Err(Fault::hooks(format!("$.{name}: {reason}"))),
            None => Ok(answer.get("value").cloned().unwrap_or_default()),
        }));
        drop(within.open);
    });
}
