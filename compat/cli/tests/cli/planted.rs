//! What `modgate compare` finds over every mod of the suites and every measured case: what the reviewed lists in
//! `mods-fixtures/compare` say, and nothing else. The first host is the native one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::fixture::Room;
use serde::Deserialize;
use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods-fixtures").canonicalize().unwrap()
}

/// What is expected of one mod.
#[derive(Deserialize)]
struct Expected {
    /// Why, for whoever reviews it.
    why: String,
    #[serde(default, rename = "unsafe")]
    is_unsafe: BTreeSet<String>,
    #[serde(default)]
    cannot: BTreeMap<String, String>,
    #[serde(default)]
    limits: BTreeMap<String, BTreeSet<String>>,
    /// By host: its differences.
    #[serde(flatten)]
    hosts: BTreeMap<String, BTreeSet<String>>,
}

fn expected(file: &str) -> BTreeMap<String, Expected> {
    let path = fixtures().join("compare").join(file);
    toml::from_str(&std::fs::read_to_string(&path).unwrap())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders beneath one that hold that file.
fn folders(folder: &str, file: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(fixtures().join(folder)).unwrap().map(|entry| entry.unwrap());
    let mods = entries.filter(|entry| entry.path().join(file).is_file());
    mods.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

/// A difference as the lists write it.
fn told(one: &Value) -> String {
    let kind = one["kind"].as_str().unwrap();
    let mut of = one["of"].as_str().unwrap_or_default();
    if ["hook skipped", "event never raised", "member not served", "mod not loaded"].contains(&kind) {
        // The mod's name comes first.
        of = of.split_once(' ').map_or(of, |(_, of)| of);
    }
    let prompt = one["prompt"].as_u64().map(|at| format!("prompt {}", at + 1));
    let parts = [one["call"].as_str().unwrap_or_default(), of, prompt.as_deref().unwrap_or_default()];
    let about: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let first = if one["side"] == "expected" { "only first: " } else { "" };
    format!("{first}{kind}: {}", about.join(" "))
}

/// Where a column is not as expected.
fn wrong(column: &Value, expected: &Expected) -> Option<String> {
    let spec = column["host"].as_str().unwrap();
    let host = spec.split('@').next().unwrap();
    if let Some(words) = expected.cannot.get(host) {
        let said = column["cannot"].as_str().unwrap_or_default();
        return (!said.contains(words.as_str())).then(|| format!("{spec} should not run it ({words}): {column}"));
    }
    let Some(list) = expected.hosts.get(host) else { return Some(format!("{spec} has no list")) };
    let found: BTreeSet<String> = column["differences"].as_array().unwrap().iter().map(told).collect();
    let limits: BTreeSet<String> = column["limits"]
        .as_array()
        .map(|limits| limits.iter().map(|one| one["of"].as_str().unwrap().to_owned()).collect())
        .unwrap_or_default();
    let verdict = match () {
        () if expected.is_unsafe.contains(host) => "unsafe",
        () if list.is_empty() || host == "native" => "same",
        () => "differs",
    };
    let is_right = found == *list
        && column["verdict"] == verdict
        && limits == expected.limits.get(host).cloned().unwrap_or_default();
    (!is_right)
        .then(|| format!("{spec}: {} {found:?}, limits {limits:?}; expected {verdict} {list:?}", column["verdict"]))
}

/// Everything that is not as the lists say.
fn check(lists: &BTreeMap<String, Expected>, arguments: impl Fn(&str) -> Vec<String> + Sync) {
    let names: Vec<&String> = lists.keys().collect();
    let one = |name: &String| -> Vec<String> {
        let mut all = vec!["compare".to_owned(), "--json".to_owned()];
        all.extend(arguments(name));
        let ran = Room::new().run(&all.iter().map(String::as_str).collect::<Vec<_>>());
        let Ok(document) = serde_json::from_str::<Value>(&ran.out) else { return vec![format!("{name}: {ran}")] };
        let columns = document["columns"].as_array().unwrap();
        let found = columns.iter().filter_map(|column| wrong(column, &lists[name]));
        found.map(|what| format!("{name} ({}): {what}", lists[name].why)).collect()
    };
    let half = names.len().div_ceil(2);
    let found: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = names
            .chunks(half)
            .map(|part| scope.spawn(move || part.iter().flat_map(|name| one(name)).collect::<Vec<_>>()))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn planted_differences_of_the_measured_cases_and_no_others() {
    let lists = expected("measured.toml");
    assert_eq!(lists.keys().cloned().collect::<BTreeSet<_>>(), folders("measure", "case.toml"));
    assert!(lists.values().filter(|list| !list.is_unsafe.is_empty()).count() >= 10, "planted ones");
    check(&lists, |case| {
        let folder = fixtures().join("measure").join(case);
        let text = std::fs::read_to_string(folder.join("case.toml")).unwrap();
        let known: toml::Table = toml::from_str(&text).unwrap();
        let mods = known.get("mods").and_then(toml::Value::as_array).cloned().unwrap_or_else(|| vec!["mod".into()]);
        let mods = mods.iter().map(|name| folder.join(name.as_str().unwrap()).to_string_lossy().into_owned());
        let scenario = folder.join("scenario.toml").to_string_lossy().into_owned();
        mods.chain(["--scenario".into(), scenario, "--hosts".into(), "native,claude-code,dsh".into()]).collect()
    });
}

#[test]
fn mods_of_every_suite_in_made_scenarios() {
    let lists = expected("suites.toml");
    assert_eq!(lists.keys().cloned().collect::<BTreeSet<_>>(), folders("suites", "hooks/hooks.json"));
    check(&lists, |suite| {
        let mut all = vec![fixtures().join("suites").join(suite).to_string_lossy().into_owned()];
        // This one waits for as long as it may; three seconds show the same as ten.
        if suite == "time-budget" {
            all.extend(["--hook-ms".to_owned(), "3000".to_owned()]);
        }
        all
    });
}
