//! A mod of texts, and a host whose core echoes its input.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, mpsc};
use std::time::Duration;

use modgate_engine::{
    Activity, Beneath, Compiled, DollarCall, Ended, Fault, HookFailure, Host, InnerModule, Invoke, Isolate,
    IsolateSpec, Limit, Limits, LoadError, Modules, NextCall, Registration, Reply, Spares, Thrown, compile,
};
use modgate_value::Value;

static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    modgate_engine::initialize();
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
});

pub struct Texts(BTreeMap<String, String>);

impl Modules for Texts {
    fn resolve(&self, specifier: &str, _referrer: &str) -> Result<String, Fault> {
        let path = specifier.trim_start_matches("./").to_string();
        if self.0.contains_key(&path) { Ok(path) } else { Err(Fault::hooks(format!("no module {specifier}"))) }
    }
    fn load(&self, path: &str) -> Result<Compiled, Fault> {
        compile(path, &self.0[path]).map_err(|error| Fault::named("SyntaxError", error.to_string()))
    }
    fn root(&self) -> &str {
        "/mods/fixture"
    }
}

#[derive(Default)]
pub struct Seen {
    pub registrations: Mutex<Vec<Registration>>,
    pub logs: Mutex<Vec<String>>,
    pub limits: Mutex<Vec<Limit>>,
    pub calls: Mutex<Vec<String>>,
}

impl Host for Seen {
    fn registered(&self, registration: Registration) -> Result<(), Fault> {
        self.registrations.lock().unwrap().push(registration);
        Ok(())
    }
    fn caught(&self, index: u32) {
        self.registrations.lock().unwrap()[index as usize].has_catch = true;
    }
    fn call(&self, call: DollarCall, _within: Option<Arc<dyn Beneath>>, reply: Reply) {
        self.calls.lock().unwrap().push(call.name.clone());
        match call.name.as_str() {
            "slow.never" => {}
            "slow.refuse" => reply.settle(Err(Fault::hooks("refused"))),
            _ => reply.settle(Ok(Value::from(call.args))),
        }
    }
    fn host(&self, name: &str, _args: Vec<Value>, _reply: Reply) -> Result<Value, Fault> {
        Err(Fault::hooks(format!("nothing named {name}")))
    }
    fn rejected(&self, rejection: u32, thrown: Thrown) {
        self.logs.lock().unwrap().push(format!("rejected {rejection}: {}: {}", thrown.name, thrown.message));
    }
    fn handled(&self, rejection: u32) {
        self.logs.lock().unwrap().push(format!("handled {rejection}"));
    }
    fn log(&self, level: &str, text: String) {
        self.logs.lock().unwrap().push(format!("{level}: {text}"));
    }
    fn limit(&self, limit: Limit) {
        self.limits.lock().unwrap().push(limit);
    }
}

/// One dispatch with an echo beneath: `next(e)` answers `{echo: e}`.
pub struct Dispatch {
    input: Value,
    matchers: Vec<Option<Value>>,
    answer: Mutex<Option<Value>>,
    done: mpsc::Sender<(Ended, Option<Value>)>,
}

impl Beneath for Dispatch {
    fn next(self: Arc<Self>, call: NextCall, reply: Reply) -> Result<(), Fault> {
        let input = call.passed.unwrap_or_else(|| self.input.clone());
        if input.get("pinned") != self.input.get("pinned") {
            return Err(Fault::hooks("changed pinned"));
        }
        if input.str_at("beneath") == Some("rejects") {
            reply.settle(Err(Fault::hooks("beneath broke")));
        } else {
            reply.settle(Ok(Value::object([("echo", input)])));
        }
        Ok(())
    }
    fn passed_on(&self, passed: Value) -> Result<(Value, Vec<bool>), Fault> {
        let fits = fits(&self.matchers, &passed);
        Ok((passed, fits))
    }
    fn answer(&self, answer: Value) -> Result<(), Fault> {
        if answer.as_object().is_none() {
            return Err(Fault::hooks("an answer is an object"));
        }
        *self.answer.lock().unwrap() = Some(answer);
        Ok(())
    }
    fn chunk(&self, _chunk: Value) -> Result<(), Fault> {
        Ok(())
    }
    fn ended(&self, ended: Ended) {
        let _ = self.done.send((ended, self.answer.lock().unwrap().take()));
    }
    fn asks_catch(&self, _failure: &HookFailure) {}
    fn trace(&self) -> Value {
        Value::list([])
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Isolates made ahead; V8 is initialized before.
pub fn spares(limits: Limits, count: usize) -> Arc<Spares> {
    Spares::new(limits, RUNTIME.handle(), count).unwrap()
}

/// A matcher here is one level of equal fields.
fn fits(matchers: &[Option<Value>], input: &Value) -> Vec<bool> {
    let fits = |matcher: &Value| matcher.as_object().unwrap().iter().all(|(key, value)| input.get(key) == Some(value));
    matchers.iter().map(|matcher| matcher.as_ref().is_none_or(fits)).collect()
}

pub struct Fixture {
    pub isolate: Isolate,
    pub seen: Arc<Seen>,
}

impl Fixture {
    pub fn try_load(files: &[(&str, &str)], limits: Limits) -> (Fixture, Result<(), LoadError>) {
        Fixture::load_into(files, limits, None)
    }

    pub fn load_into(
        files: &[(&str, &str)],
        limits: Limits,
        spares: Option<Arc<Spares>>,
    ) -> (Fixture, Result<(), LoadError>) {
        let seen = Arc::new(Seen::default());
        let runtime = RUNTIME.handle().clone();
        let files: BTreeMap<_, _> = files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        let entry = files.keys().find(|path| path.starts_with("register")).cloned().unwrap();
        let isolate = Isolate::start(IsolateSpec {
            name: "fixture".into(),
            modules: Arc::new(Texts(files)),
            inner: vec![InnerModule {
                name: "claude-code",
                entry: "claude-code/main.js",
                files: &[(
                    "claude-code/main.js",
                    "import { call } from 'modgate:host'; export const told = (x) => call('told', [x])",
                )],
            }],
            host: seen.clone(),
            limits,
            activity: Arc::new(Activity::default()),
            runtime: runtime.clone(),
            spares,
        })
        .unwrap();
        let member = |name: &str, kind: &str| Value::list([Value::text(name), Value::text(kind), Value::Undefined]);
        isolate.set_table(Value::list([Value::list([
            Value::text("slow"),
            Value::list([
                member("echo", "async"),
                member("never", "async"),
                member("refuse", "async"),
                member("tell", "void"),
            ]),
        ])]));
        let loaded = runtime.block_on(isolate.load(&entry, Some(Value::object([("mode", Value::text("test"))]))));
        (Fixture { isolate, seen }, loaded)
    }

    pub fn load(source: &str) -> Fixture {
        let (fixture, loaded) = Fixture::try_load(&[("register.ts", source)], Limits::default());
        loaded.unwrap();
        fixture
    }

    /// Runs all registered hooks on an event with that input.
    pub fn run(&self, input: Value) -> (Ended, Option<Value>) {
        self.run_within(input, Duration::from_secs(10))
    }

    pub fn run_within(&self, input: Value, budget: Duration) -> (Ended, Option<Value>) {
        let (done, ended) = mpsc::channel();
        let matchers: Vec<_> =
            self.seen.registrations.lock().unwrap().iter().map(|hook| hook.matcher.clone()).collect();
        let invoke = Invoke {
            event: "a.b".into(),
            hooks: (0..u32::try_from(matchers.len()).unwrap()).collect(),
            matched: fits(&matchers, &input),
            input: input.clone(),
            plugin: "engine".into(),
            tier: "core".into(),
            budget,
        };
        self.isolate.invoke(invoke, Arc::new(Dispatch { input, matchers, answer: Mutex::new(None), done }));
        ended.recv_timeout(Duration::from_secs(60)).expect("the invocation ends")
    }

    /// The answer, which there has to be.
    pub fn answer(&self, input: Value) -> Value {
        match self.run(input) {
            (Ended::Answered, Some(answer)) => answer,
            other => panic!("no answer but {other:?}"),
        }
    }

    pub fn memory(&self) -> modgate_engine::Memory {
        RUNTIME.block_on(self.isolate.memory()).unwrap()
    }
}

pub fn json(text: &str) -> Value {
    Value::from(deno_core::serde_json::from_str::<deno_core::serde_json::Value>(text).unwrap())
}
