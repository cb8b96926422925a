//! `engine.create` and `plugin.register`: what mods do to `$`, and to each other's admission.
//!
//! The methods of a noun stay in the isolate of the mod that adds it. In the answers of `engine.create` a method is a
//! marker, `{"$method": index, "$plugin": name}`, and a noun of the engine is `{"$noun": name}`.

use std::collections::BTreeMap;
use std::sync::Arc;

use modgate_engine::{Boxed, Fault};
use modgate_value::Value;

use crate::chain::{Core, Dispatch, Path, Raised, no_implementation};
use crate::load::{AddedMethod, dollar_table};
use crate::mods::{Mods, Origin};
use crate::plugin::{Plugin, PluginSpec, Tier};

/// A method that a mod provides.
#[derive(Clone)]
pub(crate) struct Method {
    plugin: String,
    index: u32,
}

/// What `engine.create` made of `$`.
#[derive(Default)]
pub(crate) struct Nouns {
    added: BTreeMap<String, BTreeMap<String, Method>>,
    withheld: Vec<String>,
}

impl Nouns {
    pub(crate) fn method(&self, call: &str) -> Option<Method> {
        let (noun, method) = call.split_once('.')?;
        self.added.get(noun)?.get(method).cloned()
    }

    pub(crate) fn has(&self, noun: &str) -> bool {
        self.added.contains_key(noun)
    }

    /// Whether that noun of the engine was taken away from every mod.
    pub(crate) fn is_withheld(&self, noun: &str) -> bool {
        self.withheld.iter().any(|other| other == noun)
    }
}

fn marker(value: &Value, key: &str) -> bool {
    value.get(key).is_some()
}

/// Checks the answer of one mod: new nouns may come, none may be replaced, and only a managed mod may leave one out.
pub(crate) fn check_answer(tier: Tier, beneath: Option<&Value>, answer: &Value) -> Result<Value, Fault> {
    let nouns = answer.as_object().ok_or_else(|| Fault::hooks("engine.create answers the nouns of $, as an object"))?;
    if !tier.is_managed() {
        let Some(given) = beneath.and_then(Value::as_object) else {
            return Err(Fault::hooks("engine.create adds to the nouns that next gives"));
        };
        if let Some(left_out) = given.keys().find(|name| !nouns.contains_key(*name)) {
            return Err(Fault::hooks(format!("a mod of the tier {} cannot withhold {left_out}", tier.as_str())));
        }
    }
    for (name, noun) in nouns {
        let before = beneath.and_then(|beneath| beneath.get(name));
        if before == Some(noun) {
            continue;
        }
        let is_taken = modgate_catalog::namespaces().contains(&&**name)
            || modgate_catalog::event_namespaces().contains(&&**name)
            || before.is_some();
        if is_taken {
            return Err(Fault::hooks(format!("engine.create cannot replace {name}, which is there already")));
        }
        let methods = noun.as_object().filter(|methods| !methods.is_empty());
        let is_noun = methods.is_some_and(|methods| methods.values().all(|method| marker(method, "$method")));
        if !is_noun {
            return Err(Fault::hooks(format!("engine.create adds {name} with something that is no method")));
        }
    }
    Ok(answer.clone())
}

/// The engine's own nouns.
struct Engine;

impl Core for Engine {
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        let nouns = modgate_catalog::member_namespaces();
        let own = Value::object(nouns.iter().map(|noun| (*noun, Value::object([("$noun", Value::text(noun))]))));
        Box::pin(async move {
            let admitted = || Value::object([("allow", Value::Bool(true))]);
            Ok(if &*raised.event == "engine.create" { own } else { admitted() })
        })
    }
}

/// The method of a mod beneath the hooks on its calls.
pub(crate) struct Provider(pub(crate) Arc<Plugin>, pub(crate) Method);

impl Core for Provider {
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async move {
            let Some(isolate) = self.0.isolate() else { return Err(no_implementation(&raised.event)) };
            let value = isolate.call_kept(self.1.index, vec![raised.input]).await;
            value.map(|value| Value::object([("value", value)])).map_err(|thrown| {
                Fault::named(if thrown.name.is_empty() { "Error" } else { &thrown.name }, thrown.message)
            })
        })
    }
}

impl Mods {
    /// Asks the seated mods whether another may join.
    ///
    /// # Errors
    /// One of them refuses it.
    pub async fn admit(self: &Arc<Self>, spec: &PluginSpec) -> Result<(), Fault> {
        if !self.hears("plugin.register") {
            return Ok(());
        }
        let input = Value::object([
            ("name", Value::text(&spec.name)),
            ("tier", Value::text(spec.tier.as_str())),
            ("uses", spec.uses.clone()),
        ]);
        self.judged(&spec.name, input, None).await
    }

    /// Asks those mods of the seated ones (all of them, where none are named) about one that joins.
    ///
    /// # Errors
    /// One of them refuses it.
    pub(crate) async fn judged(
        self: &Arc<Self>,
        name: &str,
        input: Value,
        judges: Option<&[String]>,
    ) -> Result<(), Fault> {
        let mut dispatch = Dispatch::new(self, "plugin.register", Origin::engine(), Path::default(), Arc::new(Engine));
        if let Some(judges) = judges {
            dispatch = dispatch.among(judges);
        }
        let answer = dispatch.run(0, input).await?;
        match answer.str_at("refuse") {
            Some(reason) => {
                let judge = dispatch.decided().unwrap_or_else(|| "a mod".into());
                Err(Fault::hooks(format!("{name}: refused by {judge}: {reason}")))
            }
            None => Ok(()),
        }
    }

    /// Lets the mods add nouns to `$` and withhold some, builds everybody's `$`, and looks whether every hook on a call
    /// has somebody who provides it.
    ///
    /// # Errors
    /// A hook on a noun that nobody provides.
    pub async fn create(self: &Arc<Self>) -> Result<(), Fault> {
        if self.hears("engine.create") {
            let names = Value::list(self.plugins().iter().map(|plugin| Value::text(plugin.name())));
            let input = Value::object([("plugins", names)]);
            let answer =
                self.raise_over("engine.create", input, Origin::engine(), Path::default(), Arc::new(Engine)).await?;
            *self.nouns.write() = nouns_of(&answer);
            self.rebuild_tables();
        }
        self.provided()
    }

    /// Gives everybody the `$` that was made before they joined.
    ///
    /// # Errors
    /// As [`Mods::create`].
    pub(crate) fn share(&self) -> Result<(), Fault> {
        self.rebuild_tables();
        self.provided()
    }

    fn provided(&self) -> Result<(), Fault> {
        match self.unprovided() {
            Some((plugin, why)) => Err(Fault::hooks(format!("{}: hooks module did not load: {why}", plugin.name()))),
            None => Ok(()),
        }
    }

    /// The first mod with a hook on a call that nobody provides, and why it cannot take part.
    pub(crate) fn unprovided(&self) -> Option<(Arc<Plugin>, String)> {
        for plugin in self.plugins() {
            for pattern in plugin.patterns() {
                let noun = pattern.trim_start_matches('!').split('.').next().unwrap_or_default().to_string();
                let is_known = noun == "*"
                    || modgate_catalog::event_namespaces().contains(&noun.as_str())
                    || modgate_catalog::namespaces().contains(&noun.as_str());
                if is_known {
                    continue;
                }
                let nouns = self.nouns.read();
                let is_one = !pattern.ends_with('*') && !pattern.starts_with('!');
                let missing = if !nouns.has(&noun) { Some(&noun) } else { None };
                let missing = missing.or((is_one && nouns.method(&pattern).is_none()).then_some(&pattern));
                if let Some(missing) = missing {
                    let why = format!("it has a hook on {pattern}, and no mod provides {missing}");
                    return Some((plugin, why));
                }
            }
        }
        None
    }

    fn rebuild_tables(&self) {
        let nouns = self.nouns.read();
        let added: Vec<AddedMethod> = nouns
            .added
            .iter()
            .flat_map(|(noun, methods)| {
                methods.keys().map(|method| AddedMethod { noun: noun.clone(), method: method.clone() })
            })
            .collect();
        for plugin in self.plugins() {
            if let Some(isolate) = plugin.isolate() {
                isolate.set_table(dollar_table(&plugin, &added, &nouns.withheld));
            }
        }
    }
}

fn nouns_of(answer: &Value) -> Nouns {
    let mut nouns = Nouns::default();
    let fields = answer.as_object();
    for own in modgate_catalog::member_namespaces() {
        if !fields.is_some_and(|fields| fields.contains_key(*own)) {
            nouns.withheld.push((*own).to_string());
        }
    }
    for (noun, methods) in fields.into_iter().flatten().filter(|(_, noun)| !marker(noun, "$noun")) {
        let methods = methods.as_object().into_iter().flatten().filter_map(|(name, method)| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the index of a kept function")]
            let index = method.get("$method")?.as_f64()? as u32;
            Some((name.to_string(), Method { plugin: method.str_at("$plugin")?.to_string(), index }))
        });
        nouns.added.insert(noun.to_string(), methods.collect());
    }
    nouns
}

impl Method {
    pub(crate) fn provider(&self, mods: &Mods) -> Option<Arc<Plugin>> {
        mods.plugin(&self.plugin)
    }
}
