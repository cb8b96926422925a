//! Many mods at once: what is found, in which order, and what is left alone.

use std::os::unix::fs::symlink;

use crate::fixture::{Ran, Room};
use crate::wire::Document;

const FINE: &str = "export function register(on) {\n  on('session.start', async ($, e, next) => next(e))\n}\n";
/// Every host refuses a module that is no JavaScript.
const BROKEN: &str = "export function register(on) {\n";

#[track_caller]
fn targets(ran: &Ran) -> Vec<String> {
    ran.json::<Document>().reports.into_iter().map(|report| report.target).collect()
}

#[test]
fn every_mod_below_a_folder_is_found() {
    let room = Room::new();
    room.add_mod("b", "register.js", FINE).add_mod("a/deep/x", "register.js", FINE).add_mod(
        "a/deep",
        "register.js",
        FINE,
    );
    room.file("only-hooks/hooks/hooks.json", "{}").manifest("only-manifest", "{}");
    room.file("a/readme.md", "");
    let ran = room.run(&["validate", "--json"]);
    assert_eq!(targets(&ran), ["a/deep", "a/deep/x", "b", "only-hooks", "only-manifest"]);
}

#[test]
fn some_folders_are_passed_over() {
    let room = Room::new();
    room.add_mod("a", "register.js", FINE);
    for folder in [".git/m", "node_modules/m", "a/node_modules/m", ".hg/m"] {
        room.add_mod(folder, "register.js", FINE);
    }
    // A link to a folder above would never end.
    symlink(room.path(), room.at("a/up")).unwrap();
    assert_eq!(targets(&room.run(&["validate", "--json", "--recursive"])), ["a"]);
    // Asked for, they are checked.
    assert_eq!(targets(&room.run(&["validate", "--json", "node_modules"])), ["node_modules/m"]);
}

#[test]
fn below_a_mod_only_with_recursive() {
    let room = Room::new();
    room.add_mod("a", "register.js", FINE).add_mod("a/b", "register.js", FINE);
    assert_eq!(targets(&room.run(&["validate", "--json", "a"])), ["a"]);
    assert_eq!(targets(&room.run(&["validate", "--json", "a", "-r"])), ["a", "a/b"]);
}

#[test]
fn paths_come_in_the_order_given_and_once() {
    let room = Room::new();
    room.add_mod("a", "register.js", FINE).add_mod("b", "register.js", FINE);
    symlink("a", room.at("link")).unwrap();
    let ran = room.run(&["validate", "--json", "b/", "./a", "link", "a/hooks/register.js", "."]);
    assert_eq!(targets(&ran), ["b", "a"]);
}

#[test]
fn a_file_stands_for_its_mod() {
    let room = Room::with_mod(FINE);
    for path in ["guard/hooks/register.js", "guard/.claude-plugin/plugin.json", "guard/hooks/hooks.json"] {
        assert_eq!(targets(&room.run(&["validate", "--json", path])), ["guard"]);
    }
    let mut inside = room.command(&["validate", "--json", "register.js"]);
    inside.current_dir(room.at("guard/hooks"));
    assert_eq!(targets(&Ran::new(&room, inside.output().unwrap())), ["[ROOM]/guard"]);
}

#[test]
fn one_bad_path_does_not_hide_the_others() {
    let room = Room::with_mod(FINE);
    let ran = room.run(&["validate", "nowhere", "guard", "--quiet"]);
    assert!(ran.ended(2).err.contains("nothing is at nowhere"), "{ran}");
    let ran = room.run(&["validate", "nowhere", "guard", "--json"]);
    let document: Document = serde_json::from_str(&ran.ended(2).out).unwrap();
    assert_eq!(document.reports[0].target, "guard");
}

#[test]
fn order_and_output_do_not_depend_on_threads() {
    let room = Room::new();
    for number in 0..150 {
        let module = if number % 7 == 0 { BROKEN } else { FINE };
        room.add_mod(&format!("m{number:03}"), "register.js", module);
    }
    for format in ["text", "json", "sarif", "github"] {
        let run = |threads: &str| {
            let mut command = room.command(&["validate", "--format", format]);
            Ran::new(&room, command.env("RAYON_NUM_THREADS", threads).output().unwrap())
        };
        let one = run("1");
        one.ended(1);
        assert!(one.out.contains("m147") && one.out == run("4").out, "{format}");
    }
    let document: Document = room.run(&["validate", "--json"]).json();
    let expected: Vec<String> = (0..150).map(|number| format!("m{number:03}")).collect();
    assert_eq!(document.reports.iter().map(|report| report.target.clone()).collect::<Vec<_>>(), expected);
    let refused: Vec<usize> = (0..150).filter(|&number| !document.reports[number].success).collect();
    assert_eq!(refused, (0..150).step_by(7).collect::<Vec<_>>());
    assert_eq!((document.success, document.summary.mods, document.summary.refused), (false, 150, 22));
}

#[test]
fn several_reports_are_told_apart_and_summed_up() {
    let room = Room::new();
    room.add_mod("a", "register.js", FINE).add_mod("b", "register.js", BROKEN);
    insta::assert_snapshot!(room.run(&["validate"]).ended(1));
}
