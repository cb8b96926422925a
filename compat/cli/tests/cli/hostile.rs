//! Folders made to break a reader: each gives a right answer or a clear error, and the program ends.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::fixture::Room;
use crate::wire::{Document, Finding, Report};

const FINE: &str = "export function register(on) {\n  on('session.start', async ($, e, next) => next(e))\n}\n";

#[track_caller]
fn report(room: &Room) -> Report {
    let mut document: Document = room.run(&["validate", "guard", "--json"]).json();
    assert_eq!(document.reports.len(), 1);
    document.reports.remove(0)
}

#[track_caller]
fn accepted(room: &Room) -> Report {
    let report = report(room);
    assert!(report.success, "{report:?}");
    assert_eq!(report.modules[0].uses.as_ref().unwrap().events, ["session.start"]);
    report
}

/// The first error of a mod that would not load.
#[track_caller]
fn refused(room: &Room) -> Finding {
    let report = report(room);
    assert!(!report.success, "{report:?}");
    report.diagnostics.into_iter().find(|finding| finding.severity == "error").unwrap()
}

fn mkfifo(room: &Room, path: &str) {
    assert!(Command::new("mkfifo").arg(room.at(path)).status().unwrap().success());
}

fn instead_of_the_module(room: &Room) -> std::path::PathBuf {
    let path = room.at("guard/hooks/register.js");
    fs::remove_file(&path).unwrap();
    path
}

#[test]
fn broken_utf8() {
    let room = Room::new();
    room.add_mod("guard", "register.js", b"export function register(on) { /* \xff\xfe */ }");
    let found = refused(&room);
    assert_eq!(found.file, "guard/hooks/register.js".trim_start_matches("guard/"), "{found:?}");
    assert!(found.message.contains("UTF-8"), "{found:?}");
    room.file("guard/.claude-plugin/plugin.json", b"{ \"name\": \"\xff\" }");
    let found = refused(&room);
    assert_eq!(found.file, ".claude-plugin/plugin.json");
}

#[test]
fn byte_order_mark() {
    let room = Room::with_mod(&format!("\u{feff}{FINE}"));
    let report = accepted(&room);
    let hook = &report.modules[0].hooks.as_ref().unwrap()[0];
    assert_eq!((hook.at.line, hook.at.column), (2, 6));
}

#[test]
fn a_byte_order_mark_takes_no_column() {
    let room =
        Room::with_mod("\u{feff}export function register(on) { on('session.start', async ($, e, next) => next(e)) }");
    let report = accepted(&room);
    let hook = &report.modules[0].hooks.as_ref().unwrap()[0];
    assert_eq!((hook.at.line, hook.at.column), (1, 35));
}

#[test]
fn line_ends_of_other_systems() {
    for end in ["\r\n", "\r"] {
        let room = Room::with_mod(&FINE.replace('\n', end));
        let report = accepted(&room);
        let hook = &report.modules[0].hooks.as_ref().unwrap()[0];
        assert_eq!((hook.at.line, hook.at.column), (2, 6), "{end:?}");
    }
}

#[test]
fn a_module_of_five_megabytes() {
    let room = Room::with_mod(FINE);
    let mut text = FINE.to_owned();
    for number in 0.. {
        if text.len() > 5_000_000 {
            break;
        }
        text.push_str(&format!("function filler{number}(a) {{ return a + {number} }}\n"));
    }
    room.file("guard/hooks/register.js", &text);
    accepted(&room);
}

#[test]
fn a_module_too_large_to_read() {
    let room = Room::with_mod(&format!("{FINE}// {}", "x".repeat(5 * 1024 * 1024)));
    let found = refused(&room);
    assert_eq!(found.file, "hooks/register.js");
}

#[test]
fn nesting_of_two_thousand() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{a:", "}"), ("() => ", ""), ("!", ""), ("f(", ")")] {
        let deep = format!("const f = 0, deep = {}0{};\n", open.repeat(2000), close.repeat(2000));
        let room = Room::with_mod(&format!("{deep}{FINE}"));
        let report = report(&room);
        // A right answer, or a refusal that says so.
        let says =
            report.diagnostics.iter().any(|found| found.message.contains("deep") || found.message.contains("nest"));
        assert!(report.success || says, "{open} {:?}", report.diagnostics);
    }
}

#[test]
fn nesting_of_a_hundred_thousand_ends() {
    for (before, open, close) in [("const x = ", "[", "]"), ("", "{", "}"), ("", "if (1) ", ";")] {
        let room = Room::new();
        let deep = format!("{before}{}{}", open.repeat(100_000), close.repeat(100_000));
        room.add_mod("guard", "register.ts", format!("{FINE}{deep}"));
        let ran = room.run(&["validate", "guard", "--json"]);
        assert!(ran.code < 2, "{open}: {}", ran.err);
    }
    let room = Room::with_mod(FINE);
    room.manifest("guard", &"[".repeat(1_000_000));
    refused(&room);
}

#[test]
fn links_in_a_loop() {
    let room = Room::with_mod(FINE);
    symlink("register.js", instead_of_the_module(&room)).unwrap();
    let found = refused(&room);
    assert!(found.message.contains("loop"), "{found:?}");
}

#[test]
fn links_of_folders_in_a_loop() {
    let room = Room::with_mod(FINE);
    symlink(room.at("guard"), room.at("guard/again")).unwrap();
    room.file("guard/hooks/hooks.json", r#"{ "modules": ["../again/again/again/hooks/register.js"] }"#);
    // It is one file all the same; whether such a path is taken is the host's business. It must end, and not as a crash.
    assert!(room.run(&["validate", "-r", "--json"]).code < 2);
    assert!(room.run(&["hash", "guard"]).code == 0);
}

#[test]
fn a_link_to_outside() {
    let room = Room::with_mod(FINE);
    room.file("secret.js", FINE);
    symlink(room.at("secret.js"), instead_of_the_module(&room)).unwrap();
    let found = refused(&room);
    assert!(found.message.contains("leaves the mod's folder"), "{found:?}");
}

#[test]
fn a_link_inside_is_followed() {
    let room = Room::with_mod(FINE);
    room.file("guard/lib/real.js", FINE);
    symlink("../lib/real.js", instead_of_the_module(&room)).unwrap();
    accepted(&room);
}

#[test]
fn things_that_are_no_files() {
    let room = Room::with_mod(FINE);
    let module = instead_of_the_module(&room);
    mkfifo(&room, "guard/hooks/register.js");
    let fifo = refused(&room);
    assert!(fifo.message.contains("fifo"), "{fifo:?}");
    fs::remove_file(&module).unwrap();
    fs::create_dir(&module).unwrap();
    let folder = refused(&room);
    assert!(folder.message.contains("directory"), "{folder:?}");
    fs::remove_dir(&module).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(&module).unwrap();
    let socket = refused(&room);
    assert!(socket.message.contains("socket"), "{socket:?}");
    fs::remove_file(&module).unwrap();
    symlink("/dev/zero", &module).unwrap();
    let device = refused(&room);
    assert!(device.message.contains("leaves the mod's folder"), "{device:?}");
}

#[test]
fn a_manifest_that_is_no_file() {
    let room = Room::with_mod(FINE);
    for path in ["guard/.claude-plugin/plugin.json", "guard/hooks/hooks.json"] {
        fs::remove_file(room.at(path)).unwrap();
        mkfifo(&room, path);
        let found = refused(&room);
        assert!(path.ends_with(&found.file) && found.message.contains("fifo"), "{found:?}");
        fs::remove_file(room.at(path)).unwrap();
        room.add_mod("guard", "register.js", FINE);
    }
}

#[test]
fn a_file_nobody_may_read() {
    let room = Room::with_mod(FINE);
    let path = room.at("guard/hooks/register.js");
    fs::set_permissions(&path, PermissionsExt::from_mode(0o000)).unwrap();
    // Root may read everything; then there is nothing to see here.
    match fs::read(&path) {
        Ok(_) => drop(accepted(&room)),
        Err(_) => assert!(refused(&room).message.contains("cannot be read")),
    }
}

#[test]
fn ten_thousand_files() {
    let room = Room::with_mod(FINE);
    for folder in 0..100 {
        for file in 0..100 {
            room.file(&format!("guard/assets/{folder}/{file}.txt"), "x");
        }
    }
    accepted(&room);
    let document: Document = room.run(&["validate", "--json"]).json();
    assert_eq!(document.summary.mods, 1);
    let hashes: crate::wire::Hashes = room.run(&["hash", "guard", "--json"]).json();
    assert_eq!(hashes.mods[0].files.len(), 10_003);
}

#[test]
fn ten_thousand_modules_that_import_each_other() {
    let room = Room::with_mod(FINE);
    let imports: String = (0..10_000).map(|number| format!("import './m{number}.js'\n")).collect();
    for number in 0..10_000 {
        room.file(&format!("guard/hooks/m{number}.js"), format!("import './m{}.js'\n", (number + 1) % 10_000));
    }
    room.file("guard/hooks/register.js", format!("{imports}{FINE}"));
    accepted(&room);
}

#[test]
fn names_with_control_characters() {
    let room = Room::new();
    room.add_mod("a\u{1b}[31m\nb", "register.js", "export function register(");
    let ran = room.run(&["validate"]);
    assert!(!ran.ended(1).out.chars().any(|c| c.is_control() && c != '\n'), "{ran}");
    let github = room.run(&["validate", "--format", "github"]);
    assert!(github.out.lines().all(|line| line.starts_with("::")), "{github}");
}
