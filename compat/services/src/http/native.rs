//! `$.http` over the network.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Method};
use url::Url;

use super::{Hosts, Http, MAX_BODY, Request, Response};
use crate::{ServiceError, codes};

const CALL: &str = "http.fetch";
/// Redirects followed before a request is given up.
const MAX_REDIRECTS: usize = 10;
/// How long a connection may take to come about, and how long a silence may last.
const PATIENCE: Duration = Duration::from_secs(30);

/// Real requests. Proxies come from the host, never from this process's variables.
#[derive(Debug, Clone, Default)]
pub struct NativeHttp {
    proxy: Option<Url>,
}

impl NativeHttp {
    /// Straight to the hosts.
    pub fn new() -> NativeHttp {
        NativeHttp::default()
    }

    /// Through this proxy; requests over a socket stay on it.
    pub fn with_proxy(proxy: Url) -> NativeHttp {
        NativeHttp { proxy: Some(proxy) }
    }

    /// A client of its own for each request: which redirects it may follow depends on the calling mod.
    fn client(&self, request: &Request, trail: &Trail, hosts: Hosts) -> Result<Client, ServiceError> {
        let trail = trail.clone();
        let policy = Policy::custom(move |attempt| trail.next(attempt, &hosts));
        let builder = Client::builder().redirect(policy).connect_timeout(PATIENCE).read_timeout(PATIENCE).no_proxy();
        let builder = match (&request.socket, &self.proxy) {
            (Some(socket), _) => builder.unix_socket(socket.as_path()),
            (None, Some(proxy)) => builder.proxy(reqwest::Proxy::all(proxy.clone()).map_err(|error| failed(&error))?),
            (None, None) => builder,
        };
        builder.build().map_err(|error| failed(&error))
    }
}

/// Where redirects led, and why one was not followed.
#[derive(Clone, Default)]
struct Trail(Arc<Mutex<(Vec<Url>, Option<ServiceError>)>>);

impl Trail {
    fn next(&self, attempt: Attempt<'_>, hosts: &Hosts) -> reqwest::redirect::Action {
        let mut trail = self.0.lock();
        if attempt.previous().len() > MAX_REDIRECTS {
            return attempt.error("too many redirects");
        }
        match hosts.allows(attempt.url()) {
            Ok(()) => {
                trail.0.push(attempt.url().clone());
                attempt.follow()
            }
            Err(refusal) => {
                trail.1 = Some(refusal);
                attempt.error("redirect refused")
            }
        }
    }
}

#[async_trait]
impl Http for NativeHttp {
    fn members(&self) -> &'static [&'static str] {
        &["fetch"]
    }

    async fn fetch(&self, request: Request, hosts: Hosts) -> Result<Response, ServiceError> {
        let trail = Trail::default();
        let client = self.client(&request, &trail, hosts)?;
        let bad = |what: &str| ServiceError::bad_input(CALL, format_args!("{what} is not one HTTP takes"));
        let method = Method::from_bytes(request.method.as_bytes()).map_err(|_| bad("method"))?;
        let mut headers = HeaderMap::new();
        for (name, value) in &request.headers {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad("a header's name"))?;
            headers.append(name, HeaderValue::from_str(value).map_err(|_| bad("a header's value"))?);
        }
        let mut sending = client.request(method, request.url.clone()).headers(headers);
        if let Some(body) = request.body {
            sending = sending.body(body);
        }
        let answer = match sending.send().await {
            Ok(answer) => answer,
            Err(error) => return Err(trail.0.lock().1.take().unwrap_or_else(|| failed(&error))),
        };
        let (status, headers) = (answer.status().as_u16(), by_name(answer.headers()));
        let text = body(answer).await?;
        let redirects = std::mem::take(&mut trail.0.lock().0);
        Ok(Response { status, headers, text, redirects })
    }
}

fn by_name(headers: &HeaderMap) -> Vec<(String, String)> {
    let values = |name: &HeaderName| {
        let values = headers.get_all(name).into_iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
        values.collect::<Vec<_>>().join(", ")
    };
    headers.keys().map(|name| (name.as_str().to_string(), values(name))).collect()
}

async fn body(mut answer: reqwest::Response) -> Result<String, ServiceError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| failed(&error))? {
        if bytes.len() + chunk.len() > MAX_BODY {
            return Err(ServiceError::too_large(CALL, "an answer of more than 4 MiB"));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The innermost cause says what went wrong; the outer texts repeat the URL.
fn failed(error: &reqwest::Error) -> ServiceError {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let host = error.url().and_then(Url::host_str).unwrap_or("");
    ServiceError::failed(CALL, codes::BAD_GATEWAY, format_args!("{host}: {cause}"))
}
