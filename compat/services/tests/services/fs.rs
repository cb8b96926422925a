use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use modgate_services::{Builder, Outcome, codes, fs::NativeFs};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{Folder, Host};

fn native(_: &Folder, builder: Builder) -> Builder {
    builder.fs(Arc::new(NativeFs))
}

/// `in/` may be read and written, `in/open/*.txt` is nothing special, everything else is outside.
fn jail() -> Host {
    let host = Host::granting("fs.read = ['${cwd}/in']\nfs.write = ['${cwd}/in']", native);
    host.folder.write("in/a.txt", "inside");
    host.folder.write("out/secret.txt", "secret");
    host.folder.write("inside-by-name/x", "secret");
    symlink(host.folder.at("out"), host.folder.path().join("in/link")).unwrap();
    symlink("../out/secret.txt", host.folder.path().join("in/file-link")).unwrap();
    symlink("../out/not-yet.txt", host.folder.path().join("in/dangling")).unwrap();
    symlink("a.txt", host.folder.path().join("in/good-link")).unwrap();
    host
}

#[tokio::test]
async fn escapes_are_refused() {
    let host = jail();
    let absolute = host.folder.at("out/secret.txt");
    let dotted = host.folder.at("in/../out/secret.txt");
    for path in [
        "out/secret.txt",
        "in/../out/secret.txt",
        "in/link/secret.txt",
        "in/link/../../out/secret.txt",
        "in/file-link",
        "in/dangling",
        "inside-by-name/x",
        "/etc/passwd",
        "/",
        "../../../../../../../etc/passwd",
        &absolute,
        &dotted,
    ] {
        for call in ["fs.read", "fs.exists", "fs.stat", "fs.list"] {
            let code = host.code(call, json!({"path": path})).await;
            assert_eq!(code, codes::GRANT_FS_READ, "{call} {path}");
        }
        let code = host.code("fs.write", json!({"path": path, "text": "x"})).await;
        assert_eq!(code, codes::GRANT_FS_WRITE, "fs.write {path}");
    }
    assert_eq!(host.folder.text("out/secret.txt"), "secret");
    assert!(!host.folder.path().join("out/not-yet.txt").exists());
    assert!(host.ledger.take().iter().all(|receipt| receipt.outcome == Outcome::Refused));
}

#[tokio::test]
async fn odd_paths_are_refused() {
    let host = Host::open(native);
    for path in ["", "//server/share/a", r"\\server\share\a", "a\0b"] {
        assert_eq!(host.code("fs.read", json!({"path": path})).await, codes::BAD_INPUT, "{path:?}");
    }
    assert_eq!(host.code("fs.read", json!({"path": 1})).await, codes::BAD_INPUT);
    assert_eq!(host.code("fs.read", json!({"path": "a", "as": "latin1"})).await, codes::BAD_INPUT);
}

#[tokio::test]
async fn what_may_be_written_may_not_be_read() {
    let host = Host::granting("fs.write = ['${cwd}']", native);
    host.ok("fs.write", json!({"path": "deep/er/a.txt", "text": "héllo"})).await;
    assert_eq!(host.folder.text("deep/er/a.txt"), "héllo");
    assert_eq!(host.code("fs.read", json!({"path": "deep/er/a.txt"})).await, codes::GRANT_FS_READ);
}

#[tokio::test]
async fn reads_text_and_bytes() {
    let host = jail();
    assert_eq!(host.ok("fs.read", json!({"path": "in/a.txt", "as": "text"})).await, json!("inside"));
    assert_eq!(host.ok("fs.read", json!({"path": "in/good-link"})).await, json!("inside"));
    std::fs::write(host.folder.path().join("in/b"), [0xff, 0x00, 0x61]).unwrap();
    assert_eq!(host.ok("fs.read", json!({"path": "in/b", "as": "bytes"})).await, json!({"base64": "/wBh"}));
    assert_eq!(host.ok("fs.read", json!({"path": "in/b", "as": "text"})).await, json!("\u{fffd}\0a"));
}

#[tokio::test]
async fn failures_carry_the_systems_name() {
    let host = jail();
    let missing = host.refused("fs.read", json!({"path": "in/none"})).await;
    assert_eq!(missing.code, "ENOENT");
    assert!(missing.message.starts_with("fs.read: ENOENT"), "{}", missing.message);
    assert!(missing.message.ends_with("in/none"), "{}", missing.message);
    assert_eq!(host.code("fs.read", json!({"path": "in"})).await, "EISDIR");
    assert_eq!(host.code("fs.write", json!({"path": "in", "text": ""})).await, "EISDIR");
    assert_eq!(host.code("fs.list", json!({"path": "in/a.txt"})).await, "ENOTDIR");
    assert_eq!(host.code("fs.stat", json!({"path": "in/none"})).await, "ENOENT");
    assert_eq!(host.ok("fs.exists", json!({"path": "in/none"})).await, json!(false));
    assert_eq!(host.ok("fs.exists", json!({"path": "in/a.txt"})).await, json!(true));
}

#[tokio::test]
async fn four_mebibytes_and_no_more() {
    let host = Host::open(native);
    let most = "x".repeat(4 << 20);
    host.ok("fs.write", json!({"path": "most", "text": most})).await;
    assert_eq!(host.ok("fs.read", json!({"path": "most"})).await.as_str().unwrap().len(), 4 << 20);
    assert_eq!(host.code("fs.write", json!({"path": "more", "text": format!("{most}x")})).await, codes::TOO_LARGE);
    assert!(!host.folder.path().join("more").exists());
    host.folder.write("more", &format!("{most}x"));
    assert_eq!(host.code("fs.read", json!({"path": "more"})).await, codes::TOO_LARGE);
    assert_ne!(host.code("fs.read", json!({"path": "/dev/zero"})).await, codes::TOO_LARGE, "not even begun");
}

#[tokio::test]
async fn a_written_file_keeps_its_mode_and_leaves_nothing_beside_it() {
    use std::os::unix::fs::PermissionsExt;
    let host = Host::open(native);
    host.folder.write("run.sh", "old");
    let path = host.folder.path().join("run.sh");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o750)).unwrap();
    host.ok("fs.write", json!({"path": "run.sh", "text": "new"})).await;
    assert_eq!(host.folder.text("run.sh"), "new");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(host.folder.path().read_dir().unwrap().count(), 1);
}

#[tokio::test]
async fn lists_and_stats() {
    let host = jail();
    let names = |list: &serde_json::Value| {
        let entries = list.as_array().unwrap().iter();
        entries
            .map(|it| (it["name"].as_str().unwrap().to_string(), it["kind"].clone(), it["isLink"].clone()))
            .collect::<Vec<_>>()
    };
    std::fs::create_dir(host.folder.path().join("in/B")).unwrap();
    let list = host.ok("fs.list", json!({"path": "in"})).await;
    let expected = [
        ("B", "dir", false),
        ("a.txt", "file", false),
        ("dangling", "other", true),
        ("file-link", "other", true),
        ("good-link", "other", true),
        ("link", "other", true),
    ];
    assert_eq!(names(&list), expected.map(|(name, kind, link)| (name.to_string(), json!(kind), json!(link))));
    assert_eq!(list[1]["size"], 6);

    let stat = host.ok("fs.stat", json!({"path": "in/good-link", "resolve": true})).await;
    assert_eq!(stat["kind"], "file");
    assert_eq!(stat["isLink"], true);
    assert_eq!(stat["realPath"], host.folder.at("in/a.txt"));
    assert!(stat["mtimeMs"].as_f64().unwrap() > 0.0);
    let plain = host.ok("fs.stat", json!({"path": "in/a.txt", "resolve": false})).await;
    assert_eq!((plain["isLink"].clone(), plain.get("realPath")), (json!(false), None));

    symlink("nowhere", host.folder.path().join("in/lost")).unwrap();
    let lost = host.ok("fs.stat", json!({"path": "in/lost", "resolve": true})).await;
    assert_eq!((lost["kind"].clone(), lost.get("realPath")), (json!("other"), None));
}

#[tokio::test]
async fn ancestors_come_root_first_with_what_they_include() {
    let other = Folder::new();
    other.write("secret.md", "secret");
    let host = Host::granting("fs.read = ['${cwd}']", native);
    host.folder.write("NOTES.md", "top\n");
    host.folder.write("a/b/NOTES.md", &format!("see @more.md and @{}\n", other.at("secret.md")));
    host.folder.write("a/b/more.md", "more, and again @NOTES.md\n");
    let ask = json!({"names": ["NOTES.md"], "of": "a/b/code.ts"});
    let found = host.ok("fs.ancestors", ask).await;
    let dirs: Vec<_> = found.as_array().unwrap().iter().map(|it| it["dir"].as_str().unwrap().to_string()).collect();
    assert_eq!(dirs, [host.folder.path().to_str().unwrap().to_string(), host.folder.at("a/b")]);
    assert_eq!(found[0]["content"], "top\n");
    let parts: Vec<_> = found[1]["parts"].as_array().unwrap().iter().map(|it| it["path"].clone()).collect();
    assert_eq!(parts, [json!(host.folder.at("a/b/NOTES.md")), json!(host.folder.at("a/b/more.md"))]);
    assert!(found[1]["content"].as_str().unwrap().ends_with("more, and again @NOTES.md"));
    assert!(host.receipt().notes[0].starts_with("left out, not granted: "));

    let below = json!({"names": ["NOTES.md"], "of": "a/b/code.ts", "below": "."});
    assert_eq!(host.ok("fs.ancestors", below).await.as_array().unwrap().len(), 1);
    for names in [json!(["../NOTES.md"]), json!(["/NOTES.md"]), json!(["notes.txt"]), json!("NOTES.md")] {
        assert_eq!(host.code("fs.ancestors", json!({"names": names})).await, codes::BAD_INPUT);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    /// Whatever links lie inside the granted folder and whatever path is spelled, only what really lies inside is read,
    /// and nothing outside is ever written.
    #[test]
    fn no_spelling_leaves_the_granted_folder(
        links in prop::collection::vec(("[xyz]", prop::collection::vec(part(), 1..4)), 0..4),
        asked in prop::collection::vec(part(), 1..6),
    ) {
        let host = Host::granting("fs.read = ['${cwd}/in']\nfs.write = ['${cwd}/in']", native);
        host.folder.write("in/d/f", "inside");
        host.folder.write("out/f", "outside");
        let inside = host.folder.path().join("in");
        for (name, target) in links {
            let _ = symlink(target.join("/"), inside.join(name));
        }
        let path = format!("in/{}", asked.join("/"));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let read = host.call("fs.read", json!({"path": path})).await;
            if let Ok(text) = &read {
                prop_assert_eq!(text.as_str(), Some("inside"));
            }
            let written = host.call("fs.write", json!({"path": path, "text": "written"})).await;
            prop_assert_eq!(host.folder.text("out/f"), "outside");
            let outside: Vec<_> = Path::new(&host.folder.at("out")).read_dir().unwrap().collect();
            prop_assert_eq!(outside.len(), 1);
            if written.is_ok() {
                let real = host.folder.path().join(&path).canonicalize();
                // Spelled through a link and back, the name may lead elsewhere for the system; then it is not that file.
                if let Ok(real) = real && std::fs::read_to_string(&real).is_ok_and(|text| text == "written") {
                    prop_assert!(real.starts_with(&inside));
                }
            }
            Ok(())
        })?;
    }
}

fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just("..".to_string()),
        1 => Just(".".to_string()),
        2 => Just("in".to_string()),
        3 => Just("out".to_string()),
        2 => Just("d".to_string()),
        3 => Just("f".to_string()),
        4 => "[xyz]",
    ]
}
