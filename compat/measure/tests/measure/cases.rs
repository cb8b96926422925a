//! The stored measurements: complete, in agreement with the profiles, and free of what does not belong there.

use std::path::{Path, PathBuf};

use modgate_catalog::hosts::host;
use modgate_measure::facts::facts;
use modgate_measure::render::{MeasuredCase, markdown, text};
use modgate_measure::{Case, HostRun, Measured, align, compare};

const HOSTS: [&str; 3] = ["claude-code@2.1.287", "claude-code@2.1.332", "codex@0.171.0"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods-fixtures/measure")
}

fn measured(case: &str, host: &str) -> Option<Measured> {
    let path = Measured::path(&folder().join(case), host);
    path.is_file().then(|| Measured::read(&path).unwrap())
}

#[test]
fn every_case_is_measured_on_every_host_it_was_made_for() {
    let cases = Case::read_all(&folder()).unwrap();
    for (host, least) in HOSTS.iter().zip([20, 20, 8]) {
        let name = host.split('@').next().unwrap();
        let meant = cases.iter().filter(|case| case.hosts.iter().any(|one| one == name));
        let mut count = 0;
        for case in meant {
            let measured =
                measured(&case.name, host).unwrap_or_else(|| panic!("{} has no measurement of {host}", case.name));
            assert_eq!(measured.host, *host);
            assert!(measured.command.contains(&format!("mods-fixtures/measure/{}", case.name)), "{}", case.name);
            assert_eq!(measured.observation.words, case.words, "{}", case.name);
            assert_eq!(measured.observation.prompts.len(), case.scenario.prompts.len(), "{}", case.name);
            count += 1;
        }
        assert!(count >= least, "{count} cases on {host}");
    }
}

#[test]
fn what_is_stored_keeps_no_text_of_the_host_and_no_path_of_a_machine() {
    for case in Case::read_all(&folder()).unwrap() {
        for measured in HOSTS.iter().filter_map(|host| measured(&case.name, host)) {
            assert_eq!(measured.observation.clone().for_storage(), measured.observation, "{}", case.name);
            let text = serde_json::to_string(&measured).unwrap();
            for outside in ["/tmp/", "/home/", "/root/", "/var/"] {
                assert!(!text.contains(outside), "{} holds {outside}", case.name);
            }
        }
    }
}

#[test]
fn profiles_agree_with_what_was_measured() {
    let (mut shown, mut parted) = (0, Vec::new());
    for case in Case::read_all(&folder()).unwrap() {
        for measured in HOSTS.iter().filter_map(|host| measured(&case.name, host)) {
            let profile = host(&measured.host).unwrap();
            for fact in facts(&case, &measured.observation, profile).unwrap() {
                shown += 1;
                // A fact that a case shows is known by more than a document.
                if !fact.agrees() || fact.source != "measured" {
                    parted.push(format!("{}: {fact:?}", measured.host));
                }
            }
        }
    }
    assert!(parted.is_empty(), "{parted:#?}");
    assert!(shown >= 12, "{shown} facts shown");
}

#[test]
fn a_rewrite_leaves_two_versions_on_both_hosts() {
    let of = |host| measured("rewrite", host).unwrap().observation;
    let (claude, codex) = (of(HOSTS[1]), of(HOSTS[2]));
    assert_eq!(compare(&claude, &codex), [], "both run B and keep A");
    let told = text(&align("rewrite", &[HostRun::ran(claude), HostRun::ran(codex)]));
    assert!(told.contains("executed≠recorded (unsafe)"), "{told}");
    assert!(told.contains("[Bash `./note A` → Bash `./note B`]"), "{told}");
}

#[test]
fn a_mod_that_changes_nothing_is_the_same_everywhere() {
    let of = |host| HostRun::ran(measured("pass", host).unwrap().observation);
    assert_eq!(text(&align("pass", &[of(HOSTS[0]), of(HOSTS[1]), of(HOSTS[2])])), "same");
}

/// `MEASURE_TABLE=write` writes the table into the page; without it the page has to hold it already.
#[test]
fn the_page_about_measuring_holds_the_table_of_all_measurements() {
    let cases = Case::read_all(&folder()).unwrap().into_iter().map(|case| {
        let seen = HOSTS.iter().filter_map(|host| measured(&case.name, host)).map(|one| one.observation).collect();
        MeasuredCase { case, seen }
    });
    let table = markdown(&cases.collect::<Vec<_>>());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/measure.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- measurements -->\n", "<!-- end of measurements -->");
    let (before, rest) = page.split_once(begin).unwrap();
    let (held, after) = rest.split_once(end).unwrap();
    if std::env::var_os("MEASURE_TABLE").is_some_and(|value| value == "write") {
        std::fs::write(&path, format!("{before}{begin}\n{table}\n{end}{after}")).unwrap();
        return;
    }
    assert_eq!(held.trim(), table.trim(), "run with MEASURE_TABLE=write after measuring");
}
