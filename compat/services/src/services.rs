//! A host's set of services, and the way of every call through them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use modgate_value::Value;
use parking_lot::RwLock;
use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::{Answer, Caller, Policy, ReceiptSink, ServiceError, ServiceStream};

/// What a host serves, under one policy. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Services(Arc<Inner>);

struct Inner {
    hosts: Hosts,
    lacks: BTreeSet<String>,
    policy: RwLock<Arc<Policy>>,
    receipts: Option<Arc<dyn ReceiptSink>>,
    cwd: PathBuf,
}

/// Collects what a host serves. Namespaces that are not given reject with `no implementation`.
pub struct Builder {
    hosts: Hosts,
    lacks: BTreeSet<String>,
    policy: Policy,
    receipts: Option<Arc<dyn ReceiptSink>>,
    cwd: PathBuf,
}

macro_rules! namespaces {
    ($($name:ident: $service:path;)*) => {
        #[derive(Default)]
        struct Hosts {
            $($name: Option<Arc<dyn $service>>,)*
        }

        impl Builder {
            $(
                #[doc = concat!("Serves `$.", stringify!($name), "` with this.")]
                #[must_use]
                pub fn $name(mut self, service: Arc<dyn $service>) -> Builder {
                    self.hosts.$name = Some(service);
                    self
                }
            )*
        }

        impl Hosts {
            /// The members that namespace has here.
            fn members(&self, namespace: &str) -> &'static [&'static str] {
                match namespace {
                    $(stringify!($name) => self.$name.as_ref().map_or(&[], |service| service.members()),)*
                    _ => &[],
                }
            }

            async fn dispatch(&self, namespace: &str, method: &str, context: &Context, input: &Value) -> Answer {
                match namespace {
                    $(stringify!($name) => match &self.$name {
                        Some(service) => crate::$name::dispatch(&**service, context, method, input).await,
                        None => Err(ServiceError::no_implementation(&context.call)),
                    },)*
                    _ => Err(ServiceError::no_implementation(&context.call)),
                }
            }
        }
    };
}

namespaces! {
    agent: crate::agent::Agent;
    audio: crate::audio::Audio;
    clock: crate::clock::Clock;
    command: crate::command::Command;
    config: crate::config::Config;
    env: crate::env::Env;
    fs: crate::fs::Fs;
    http: crate::http::Http;
    mcp: crate::mcp::Mcp;
    model: crate::model::Model;
    process: crate::process::Process;
    prompt: crate::prompt::Prompt;
    session: crate::session::Session;
    settings: crate::settings::Settings;
    state: crate::state::State;
    store: crate::store::Store;
    telemetry: crate::telemetry::Telemetry;
    tool: crate::tool::Tool;
    turn: crate::turn::Turn;
    ui: crate::ui::Ui;
}

impl Builder {
    /// Which permissions count. Without it no mod has any.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Builder {
        self.policy = policy;
        self
    }

    /// Where receipts go. Without it they are dropped.
    #[must_use]
    pub fn receipts(mut self, sink: Arc<dyn ReceiptSink>) -> Builder {
        self.receipts = Some(sink);
        self
    }

    /// Calls (`fs.read`) that reject with `no implementation` although something here could serve them: the host that
    /// is played does not have them.
    #[must_use]
    pub fn lacking<'a>(mut self, calls: impl IntoIterator<Item = &'a str>) -> Builder {
        self.lacks.extend(calls.into_iter().map(str::to_string));
        self
    }

    /// The services.
    pub fn build(self) -> Services {
        let Builder { hosts, lacks, policy, receipts, cwd } = self;
        Services(Arc::new(Inner { hosts, lacks, policy: RwLock::new(Arc::new(policy)), receipts, cwd }))
    }
}

/// Calls that are carried to their end once begun: half of them would be worse than a late abort.
const UNDIVIDED: &[&str] = &["config.set", "env.set", "fs.write", "state.set", "store.delete", "store.set"];

impl Services {
    /// Starts a set. Relative paths start at `cwd`, the session's working directory.
    pub fn builder(cwd: impl Into<PathBuf>) -> Builder {
        Builder {
            hosts: Hosts::default(),
            lacks: BTreeSet::new(),
            policy: Policy::deny_all(),
            receipts: None,
            cwd: cwd.into(),
        }
    }

    /// Whether something here serves this call.
    pub fn serves(&self, call: &str) -> bool {
        let (namespace, method) = call.split_once('.').unwrap_or((call, ""));
        self.0.hosts.members(namespace).contains(&method) && !self.0.lacks.contains(call)
    }

    /// Puts another policy in place, for calls that begin from now on.
    pub fn set_policy(&self, policy: Policy) {
        *self.0.policy.write() = Arc::new(policy);
    }

    /// The policy in place.
    pub fn policy(&self) -> Arc<Policy> {
        self.0.policy.read().clone()
    }

    /// Makes one call: `input` is the event's input object, arguments by name with defaults filled in. The answer is
    /// what the caller's promise resolves to. Aborts when `signal` does, or when the future is dropped.
    ///
    /// # Errors
    /// Everything a call rejects with; see [`ServiceError`].
    pub async fn call(&self, caller: &Caller, call: &str, input: Value, signal: CancellationToken) -> Answer {
        let context = self.context(caller, call, &input, signal);
        let answer = self.serve(&context, &input).await;
        context.close(answer)
    }

    /// Starts a call that streams (`process.spawn`). Must be called within a tokio runtime. The receipt is left when
    /// the stream ends.
    ///
    /// # Errors
    /// Everything a call rejects with before its first piece.
    pub fn open_stream(
        &self,
        caller: &Caller,
        call: &str,
        input: Value,
        signal: CancellationToken,
    ) -> Result<ServiceStream, ServiceError> {
        let context = self.context(caller, call, &input, signal);
        match self.start(context, &input) {
            Ok(stream) => Ok(stream),
            Err((context, error)) => Err(context.close(Err(error)).err().unwrap_or_else(|| context_lost(call))),
        }
    }

    fn context(&self, caller: &Caller, call: &str, input: &Value, signal: CancellationToken) -> Context {
        let standing = self.policy().standing(caller);
        Context::new(caller, call, input, signal, standing, &self.0.cwd, self.0.receipts.clone())
    }

    async fn serve(&self, context: &Context, input: &Value) -> Answer {
        let call = context.call.as_str();
        if !self.serves(call) {
            return Err(ServiceError::no_implementation(call));
        }
        context.enter()?;
        if crate::process::STREAMS.contains(&call) {
            return Err(ServiceError::bad_input(call, "gives a stream and is opened as one"));
        }
        if context.signal.is_cancelled() {
            return Err(context.aborted());
        }
        let (namespace, method) = call.split_once('.').unwrap_or((call, ""));
        let served = self.0.hosts.dispatch(namespace, method, context, input);
        if UNDIVIDED.contains(&call) {
            return served.await;
        }
        tokio::select! {
            biased;
            () = context.signal.cancelled() => Err(context.aborted()),
            answer = served => answer,
        }
    }

    #[expect(clippy::result_large_err, reason = "the context goes back to leave its receipt; once per failed start")]
    fn start(&self, context: Context, input: &Value) -> Result<ServiceStream, (Context, ServiceError)> {
        let call = context.call.clone();
        if !self.serves(&call) {
            return Err((context, ServiceError::no_implementation(&call)));
        }
        if let Err(error) = context.enter() {
            return Err((context, error));
        }
        match &self.0.hosts.process {
            Some(process) if crate::process::STREAMS.contains(&call.as_str()) => {
                crate::process::open(process.clone(), context, input)
            }
            _ => Err((context, ServiceError::bad_input(&call, "gives no stream"))),
        }
    }
}

fn context_lost(call: &str) -> ServiceError {
    ServiceError::aborted(call)
}
