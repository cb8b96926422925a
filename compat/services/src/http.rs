//! `$.http`: requests to granted hosts.

mod native;

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use modgate_value::Value;
use url::Url;

use crate::context::Context;
use crate::gates::Standing;
use crate::input::Args;
use crate::{Access, Answer, ServiceError, codes};

pub use native::NativeHttp;

/// Largest body sent or received, in bytes.
pub const MAX_BODY: usize = 4 << 20;
/// Longest socket path the system takes, in bytes.
const MAX_SOCKET_PATH: usize = 100;

/// A request. Its first URL has passed the gate; every further one has to be asked about with [`Hosts::allows`].
#[derive(Debug, Clone)]
pub struct Request {
    /// Where it goes.
    pub url: Url,
    /// Its method, in capitals.
    pub method: String,
    /// Its headers, in order.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Option<String>,
    /// The Unix socket it goes over, links followed.
    pub socket: Option<PathBuf>,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Names in lower case; several of one name joined with a comma.
    pub headers: Vec<(String, String)>,
    /// The body as text.
    pub text: String,
    /// The further URLs that redirects led to.
    pub redirects: Vec<Url>,
}

/// Which hosts the calling mod may reach.
#[derive(Clone)]
pub struct Hosts(Arc<Standing>);

impl Hosts {
    /// Whether a redirect may go there.
    ///
    /// # Errors
    /// The refusal, naming the grant it would need.
    pub fn allows(&self, url: &Url) -> Result<(), ServiceError> {
        self.0.reach("http.fetch", Access::Http(url))
    }
}

/// Serves `$.http`.
#[async_trait]
pub trait Http: Send + Sync {
    /// The members served.
    fn members(&self) -> &'static [&'static str];

    /// Sends a request and reads the answer whole. Redirects are followed to hosts that `hosts` allows, over a socket
    /// only on that socket.
    async fn fetch(&self, request: Request, hosts: Hosts) -> Result<Response, ServiceError> {
        let _ = (request, hosts);
        Err(ServiceError::no_implementation("http.fetch"))
    }
}

pub(crate) async fn dispatch(http: &dyn Http, context: &Context, method: &str, input: &Value) -> Answer {
    if method != "fetch" {
        return Err(ServiceError::no_implementation(&context.call));
    }
    let request = request(context, &Args::new(&context.call, input))?;
    let response = http.fetch(request, Hosts(Arc::new(context.standing().clone()))).await?;
    for url in &response.redirects {
        context.reach(Access::Http(url))?;
    }
    let headers = response.headers.iter().map(|(name, value)| (name.as_str(), Value::from(value.as_str())));
    Ok(Value::object([
        ("status", Value::from(u32::from(response.status))),
        ("ok", Value::from((200..300).contains(&response.status))),
        ("headers", Value::object(headers)),
        ("text", Value::from(response.text)),
    ]))
}

fn request(context: &Context, args: &Args<'_>) -> Result<Request, ServiceError> {
    let url = args.text("url")?;
    let url = Url::parse(url).map_err(|error| args.bad(format_args!("url: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(args.bad("url must be http or https"));
    }
    context.reach(Access::Http(&url))?;
    let init = args.part("init")?;
    if init.get("auth").is_some() {
        // This host hands out no credentials, so there is none that a handle could stand for.
        return Err(ServiceError::failed(&context.call, codes::NOT_FOUND, "auth: no such credential in this session"));
    }
    let socket = socket(context, &init)?;
    let method = init.maybe_text("method")?.unwrap_or("GET").to_ascii_uppercase();
    let body = init.maybe_text("body")?.map(str::to_string);
    if body.as_ref().is_some_and(|body| body.len() > MAX_BODY) {
        return Err(ServiceError::too_large(&context.call, "a body of more than 4 MiB"));
    }
    let headers = headers(&init)?;
    if headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        // A server that has many names would answer for one that nobody granted.
        return Err(args.bad("the Host header is the URL's"));
    }
    Ok(Request { url, method, headers, body, socket })
}

/// Headers reach the hooks as a mod gives them; what is sent is text.
fn headers(init: &Args<'_>) -> Result<Vec<(String, String)>, ServiceError> {
    let Some(given) = init.get("headers").and_then(Value::as_object) else { return init.text_map("headers") };
    let mut headers = Vec::with_capacity(given.len());
    for (name, value) in given {
        let text = match value {
            Value::Undefined => continue,
            Value::String(text) => text.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Bool(value) => value.to_string(),
            other => return Err(init.bad(format_args!("header {name} must be a string, not {}", other.kind()))),
        };
        headers.push((name.to_string(), text));
    }
    Ok(headers)
}

fn socket(context: &Context, init: &Args<'_>) -> Result<Option<PathBuf>, ServiceError> {
    let Some(path) = init.maybe_text("socketPath")? else { return Ok(None) };
    if !path.starts_with('/') || path.contains('\0') || path.len() > MAX_SOCKET_PATH {
        return Err(init.bad("socketPath must be an absolute path of at most 100 bytes"));
    }
    let real = context.resolve(path)?.real;
    context.reach(Access::Socket(&real))?;
    Ok(Some(real))
}
