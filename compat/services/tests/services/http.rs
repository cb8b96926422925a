use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use modgate_services::http::NativeHttp;
use modgate_services::{Builder, codes};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, UnixListener};

use crate::support::{Folder, Host};

fn native(_: &Folder, builder: Builder) -> Builder {
    builder.http(Arc::new(NativeHttp::new()))
}

/// Reads one request and gives its head and body.
async fn request(socket: &mut (impl AsyncRead + Unpin)) -> (String, String) {
    let mut bytes = Vec::new();
    loop {
        let mut byte = [0; 1];
        if socket.read(&mut byte).await.unwrap() == 0 {
            break;
        }
        bytes.push(byte[0]);
        if bytes.ends_with(b"\r\n\r\n") {
            break;
        }
    }
    let head = String::from_utf8(bytes).unwrap();
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |it| it.parse().unwrap());
    let mut body = vec![0; length];
    socket.read_exact(&mut body).await.unwrap();
    (head, String::from_utf8(body).unwrap())
}

async fn answer(socket: &mut (impl AsyncWrite + Unpin), status: &str, headers: &str, body: &str) {
    let text =
        format!("HTTP/1.1 {status}\r\n{headers}connection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    // The client may have had enough of a long answer.
    let _ = socket.write_all(text.as_bytes()).await;
}

/// Answers by path and counts requests: `/echo`, `/to?<url>` (a redirect), `/big`, `/missing`.
async fn server() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, hits) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
    let counted = hits.clone();
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            counted.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                let (head, body) = request(&mut socket).await;
                let target = head.split(' ').nth(1).unwrap().to_string();
                match target.split_once('?') {
                    Some(("/to", url)) => answer(&mut socket, "302 Found", &format!("location: {url}\r\n"), "").await,
                    _ if target == "/big" => answer(&mut socket, "200 OK", "", &"x".repeat((4 << 20) + 1)).await,
                    _ if target == "/missing" => answer(&mut socket, "404 Not Found", "", "nothing").await,
                    _ => {
                        answer(&mut socket, "200 OK", "X-One: 1\r\nX-Two: a\r\nX-Two: b\r\n", &format!("{head}{body}"))
                            .await
                    }
                }
            });
        }
    });
    (port, hits)
}

#[tokio::test]
async fn a_host_outside_the_grant_is_not_reached() {
    let (port, hits) = server().await;
    let host =
        Host::granting(&format!("http.hosts = ['http://127.0.0.1:{}', 'https://127.0.0.1:*']", port ^ 1), native);
    for url in [format!("http://127.0.0.1:{port}/echo"), format!("http://localhost:{port}/"), "http://0.0.0.0/".into()]
    {
        assert_eq!(host.code("http.fetch", json!({"url": url})).await, codes::GRANT_HTTP, "{url}");
    }
    let error = host.refused("http.fetch", json!({"url": format!("http://127.0.0.1:{port}/x?y")})).await;
    assert!(error.message.ends_with(&format!("http.hosts = [\"http://127.0.0.1:{port}\"]")), "{}", error.message);
    for url in ["ftp://127.0.0.1/", "file:///etc/passwd", "relative", ""] {
        assert_eq!(host.code("http.fetch", json!({"url": url})).await, codes::BAD_INPUT, "{url}");
    }
    assert_eq!(hits.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_redirect_to_a_host_outside_the_grant_is_not_followed() {
    let (granted, first) = server().await;
    let (other, second) = server().await;
    let host = Host::granting(&format!("http.hosts = ['http://127.0.0.1:{granted}']"), native);
    let there = format!("http://127.0.0.1:{other}/echo");
    for url in [
        format!("http://127.0.0.1:{granted}/to?{there}"),
        format!("http://127.0.0.1:{granted}/to?/to?{there}"),
        format!("http://127.0.0.1:{granted}/to?http://localhost:{granted}/echo"),
    ] {
        assert_eq!(host.code("http.fetch", json!({"url": url})).await, codes::GRANT_HTTP, "{url}");
    }
    assert_eq!((first.load(Ordering::SeqCst), second.load(Ordering::SeqCst)), (4, 0));
}

#[tokio::test]
async fn redirects_inside_the_grant_are_followed_and_named() {
    let (port, hits) = server().await;
    let host = Host::granting(&format!("http.hosts = ['http://127.0.0.1:{port}']"), native);
    let url = format!("http://127.0.0.1:{port}/to?/echo");
    assert_eq!(host.ok("http.fetch", json!({"url": url})).await["status"], 200);
    assert_eq!(host.receipt().reached.len(), 2);
    assert_eq!(hits.load(Ordering::SeqCst), 2);
    let ring = format!("http://127.0.0.1:{port}/to?/to?/to?/to?/to?/to?/to?/to?/to?/to?/to?/to?/echo");
    assert_eq!(host.code("http.fetch", json!({"url": ring})).await, codes::BAD_GATEWAY);
}

#[tokio::test]
async fn a_request_arrives_whole_and_its_answer_too() {
    let (port, _) = server().await;
    let host = Host::open(native);
    let url = format!("http://127.0.0.1:{port}/echo");
    let init = json!({"method": "post", "headers": {"X-Mine": "v"}, "body": "gr\u{fc}n"});
    let seen = host.ok("http.fetch", json!({"url": url, "init": init})).await;
    assert_eq!((seen["status"].clone(), seen["ok"].clone()), (json!(200), json!(true)));
    assert_eq!((seen["headers"]["x-one"].clone(), seen["headers"]["x-two"].clone()), (json!("1"), json!("a, b")));
    let text = seen["text"].as_str().unwrap();
    assert!(text.starts_with("POST /echo HTTP/1.1\r\n") && text.contains("x-mine: v\r\n"), "{text}");
    assert!(text.ends_with("gr\u{fc}n"));
    let missing = host.ok("http.fetch", json!({"url": format!("http://127.0.0.1:{port}/missing")})).await;
    assert_eq!(
        (missing["status"].clone(), missing["ok"].clone(), missing["text"].clone()),
        (json!(404), json!(false), json!("nothing"))
    );
}

#[tokio::test]
async fn what_cannot_be_sent_rejects() {
    let (port, _) = server().await;
    let host = Host::open(native);
    let url = format!("http://127.0.0.1:{port}/big");
    assert_eq!(host.code("http.fetch", json!({"url": url})).await, codes::TOO_LARGE);
    assert_eq!(host.code("http.fetch", json!({"url": "http://127.0.0.1:1/"})).await, codes::BAD_GATEWAY);
    for init in [
        json!({"method": "A B"}),
        json!({"headers": {"a b": "c"}}),
        json!({"headers": {"a": "b\n"}}),
        json!({"body": 1}),
        json!({"headers": {"HOST": "other.example"}}),
    ] {
        assert_eq!(host.code("http.fetch", json!({"url": url, "init": init})).await, codes::BAD_INPUT, "{init}");
    }
    let spent = json!({"url": url, "init": {"auth": "handle"}});
    assert_eq!(host.code("http.fetch", spent).await, codes::NOT_FOUND);
}

#[tokio::test]
async fn a_socket_needs_a_grant_of_its_own() {
    let allow = "http.hosts = ['http://service.example']\nhttp.sockets = ['${cwd}/granted.sock']";
    let host = Host::granting(allow, native);
    let listener = UnixListener::bind(host.folder.path().join("granted.sock")).unwrap();
    std::os::unix::fs::symlink("/run/other.sock", host.folder.path().join("link.sock")).unwrap();
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let (head, _) = request(&mut socket).await;
        answer(&mut socket, "200 OK", "", &head).await;
    });
    let fetch = |path: String| json!({"url": "http://service.example/x", "init": {"socketPath": path}});
    for path in [host.folder.at("other.sock"), host.folder.at("link.sock"), host.folder.at("../granted.sock")] {
        assert_eq!(host.code("http.fetch", fetch(path)).await, codes::GRANT_HTTP);
    }
    for path in ["granted.sock".to_string(), format!("/{}", "x".repeat(120)), "/a\0b".into()] {
        assert_eq!(host.code("http.fetch", fetch(path)).await, codes::BAD_INPUT);
    }
    let seen = host.ok("http.fetch", fetch(host.folder.at("granted.sock"))).await;
    assert!(seen["text"].as_str().unwrap().contains("host: service.example\r\n"), "{seen}");
}
