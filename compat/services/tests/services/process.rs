use std::fs::File;
use std::sync::Arc;

use modgate_services::env::Variables;
use modgate_services::process::{MAX_OUTPUT, NativeProcess};
use modgate_services::{Builder, Outcome, codes};
use modgate_value::Value;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::{Folder, Host, child};

fn native(_: &Folder, builder: Builder) -> Builder {
    builder.process(Arc::new(NativeProcess::new(Variables::new([("PATH", "/usr/bin:/bin"), ("HOME", "/nowhere")]))))
}

fn sh(script: &str) -> serde_json::Value {
    json!({"argv": ["sh", "-c", script]})
}

#[tokio::test]
async fn commands_outside_the_grant_do_not_run() {
    let host = Host::granting("process.commands = ['touch allowed', 'env', 'pwd']\nprocess.env = ['LANG']", native);
    let run = async |argv: serde_json::Value, init: serde_json::Value| {
        host.code("process.run", json!({"argv": argv, "init": init})).await
    };
    assert_eq!(run(json!(["touch", "other"]), json!({})).await, codes::GRANT_PROCESS);
    assert_eq!(run(json!(["touch", "allowed", "other"]), json!({})).await, codes::GRANT_PROCESS);
    assert_eq!(run(json!(["/usr/bin/touch", "allowed"]), json!({})).await, codes::GRANT_PROCESS);
    assert_eq!(run(json!(["sh", "-c", "touch other"]), json!({})).await, codes::GRANT_PROCESS);
    assert_eq!(run(json!(["env"]), json!({"env": {"LD_PRELOAD": "x"}})).await, codes::GRANT_PROCESS_ENV);
    assert_eq!(run(json!(["env"]), json!({"env": {"PATH": "/tmp"}})).await, codes::GRANT_PROCESS_ENV);
    assert_eq!(run(json!(["pwd"]), json!({"cwd": "/"})).await, codes::GRANT_FS_READ);
    assert_eq!(host.stream(json!({"argv": ["touch", "other"]})).unwrap_err().code, codes::GRANT_PROCESS);
    assert_eq!(host.folder.path().read_dir().unwrap().count(), 0);

    host.ok("process.run", json!({"argv": ["touch", "allowed"]})).await;
    assert!(host.folder.path().join("allowed").exists());
    let out = host.ok("process.run", json!({"argv": ["env"], "init": {"env": {"LANG": "C"}}})).await;
    assert!(out["stdout"].as_str().unwrap().contains("LANG=C\n"));
}

#[tokio::test]
async fn a_grant_for_a_name_means_the_hosts_program() {
    let host = Host::granting("process.commands = ['git *']\nfs.read = ['${cwd}']\nprocess.env = ['*']", native);
    host.folder.write("git", "#!/bin/sh\necho fake\n");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(host.folder.path().join("git"), mode).unwrap();
    let path = host.folder.path().to_str().unwrap();
    let run = json!({"argv": ["git", "version"], "init": {"cwd": ".", "env": {"PATH": path}}});
    let out = host.ok("process.run", run).await;
    assert!(out["stdout"].as_str().unwrap().starts_with("git version"), "{out}");
}

#[tokio::test]
async fn wrong_forms_are_refused() {
    let host = Host::open(native);
    for argv in [json!([]), json!("ls"), json!([""]), json!(["a", 1]), json!(["a\0"]), json!(null)] {
        assert_eq!(host.code("process.run", json!({"argv": argv})).await, codes::BAD_INPUT, "{argv}");
        assert_eq!(host.stream(json!({"argv": argv})).unwrap_err().code, codes::BAD_INPUT, "{argv}");
    }
    assert_eq!(host.stream(json!(["tail"])).unwrap_err().code, codes::BAD_INPUT);
    for init in
        [json!({"timeoutMs": -1}), json!({"env": {"A=B": ""}}), json!({"env": {"A": 1}}), json!({"cwd": 1}), json!([])]
    {
        assert_eq!(host.code("process.run", json!({"argv": ["true"], "init": init})).await, codes::BAD_INPUT, "{init}");
    }
    assert_eq!(host.code("process.spawn", json!({"argv": ["true"]})).await, codes::BAD_INPUT, "it is a stream");
}

#[tokio::test]
async fn every_end_has_its_answer() {
    let host = Host::open(native);
    let out = host.ok("process.run", sh("cat; printf out; printf err >&2; exit 3")).await;
    assert_eq!(out, json!({"exitCode": 3, "stdout": "out", "stderr": "err"}));
    assert_eq!(host.ok("process.run", sh("kill -9 $$")).await["exitCode"], 1);
    let fed = json!({"argv": ["cat"], "init": {"stdin": "in\u{e9}"}});
    assert_eq!(host.ok("process.run", fed).await["stdout"], "in\u{e9}");
    let unread = json!({"argv": ["true"], "init": {"stdin": "x".repeat(1 << 20)}});
    assert_eq!(host.ok("process.run", unread).await["exitCode"], 0);
    let missing = host.refused("process.run", json!({"argv": ["no-such-program-here"]})).await;
    assert_eq!((missing.name, &*missing.code), ("HooksError", codes::NOT_FOUND));
    assert_eq!(
        host.ok("process.run", json!({"argv": ["pwd"]})).await["stdout"],
        format!("{}\n", host.folder.path().display())
    );
}

#[tokio::test]
async fn much_output_is_cut_and_read_to_its_end() {
    let host = Host::open(native);
    let out = host.ok("process.run", sh("head -c 3000000 /dev/zero | tr '\\0' x; exit 7")).await;
    assert_eq!(out["stdout"].as_str().unwrap().len(), MAX_OUTPUT);
    assert_eq!(out["exitCode"], 7);
    assert_eq!(host.receipt().notes, ["output cut at 1048576 bytes"]);
}

#[tokio::test]
async fn git_runs_without_the_repositorys_hooks() {
    let host = Host::open(native);
    let git = |arguments: &[&str]| {
        let mut argv = vec!["git", "-c", "user.name=n", "-c", "user.email=e@example.com"];
        argv.extend(arguments);
        json!({"argv": argv})
    };
    assert_eq!(host.ok("process.run", git(&["init", "-q"])).await["exitCode"], 0);
    host.folder.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch hook-ran\n");
    let hook = host.folder.path().join(".git/hooks/pre-commit");
    std::fs::set_permissions(hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let out = host.ok("process.run", git(&["commit", "-q", "--allow-empty", "-m", "m"])).await;
    assert_eq!(out["exitCode"], 0, "{out}");
    assert!(!host.folder.path().join("hook-ran").exists());
}

/// Waits until the lock on that file comes free, which it does when the process that holds it is gone.
async fn comes_free(path: String) {
    let file = File::create(path).unwrap();
    for _ in 0..6000 {
        if file.try_lock().is_ok() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("a minute later the process still runs");
}

#[tokio::test]
async fn a_timeout_ends_the_whole_group() {
    let host = Host::open(native);
    let lock = host.folder.at("lock");
    let run = json!({"argv": [child(), "tree", lock], "init": {"timeoutMs": 300}});
    let error = host.refused("process.run", run).await;
    assert_eq!(error.code, codes::TIMEOUT);
    comes_free(lock).await;
}

#[tokio::test]
async fn an_abort_ends_the_whole_group() {
    let host = Host::open(native);
    let lock = host.folder.at("lock");
    let signal = CancellationToken::new();
    let input = Value::from(json!({"argv": [child(), "tree", lock]}));
    let mut stream = host.services.open_stream(&host.caller, "process.spawn", input, signal.clone()).unwrap();
    assert_eq!(stream.next().await.unwrap().str_at("text"), Some("held\n"));
    signal.cancel();
    assert_eq!(stream.result().await.unwrap_err().name, "AbortError");
    comes_free(lock).await;
    assert_eq!(host.receipt().outcome, Outcome::Aborted);
}

#[tokio::test]
async fn leaving_a_stream_ends_the_whole_group() {
    let host = Host::open(native);
    let lock = host.folder.at("lock");
    let mut stream = host.stream(json!({"argv": [child(), "tree", lock]})).unwrap();
    assert_eq!(stream.next().await.unwrap().str_at("text"), Some("held\n"));
    drop(stream);
    comes_free(lock).await;
}

#[tokio::test]
async fn what_a_child_leaves_running_ends_with_it() {
    let host = Host::open(native);
    let lock = host.folder.at("lock");
    let script = format!("{} hold {lock} >/dev/null & while ! [ -e {lock} ]; do sleep 0.01; done; echo done", child());
    let out = host.ok("process.run", sh(&script)).await;
    assert_eq!(out["stdout"], "done\n");
    comes_free(lock).await;
}

#[tokio::test]
async fn a_stream_gives_pieces_and_then_its_result() {
    let host = Host::open(native);
    let script = "cat; printf more >&2; exit 4";
    let mut stream = host.stream(json!({"argv": ["sh", "-c", script], "input": "gr\u{fc}n"})).unwrap();
    let (mut stdout, mut stderr) = (String::new(), String::new());
    while let Some(piece) = stream.next().await {
        let text = piece.str_at("text").unwrap();
        match piece.str_at("stream") {
            Some("stdout") => stdout.push_str(text),
            Some("stderr") => stderr.push_str(text),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((stdout.as_str(), stderr.as_str()), ("gr\u{fc}n", "more"));
    assert_eq!(stream.result().await.unwrap().to_json().unwrap(), json!({"exitCode": 4}));
    assert_eq!(host.receipt().outcome, Outcome::Answered);
}

#[tokio::test]
async fn a_result_can_be_had_without_reading() {
    let host = Host::open(native);
    let stream = host.stream(sh("head -c 3000000 /dev/zero; exit 5")).unwrap();
    assert_eq!(stream.result().await.unwrap().to_json().unwrap(), json!({"exitCode": 5}));
    let missing = host.stream(json!({"argv": ["no-such-program-here"]})).unwrap();
    assert_eq!(missing.result().await.unwrap_err().code, codes::NOT_FOUND);
}
