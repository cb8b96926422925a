//! The suites of `mods-fixtures/suites`: mods with tests that all pass where mods come from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use modgate_compat::Policy;
use modgate_compat::load::Folder;
use modgate_compat::testing::{FileResult, Job, TestOptions, run, test_files};
use modgate_engine::Spares;
use serde::Deserialize;
use tokio::runtime::Runtime;

/// Tests in all suites, as the program they were measured on counts them.
const ALL: usize = 885;

/// Tests that do not pass yet, as `suite/file > title`. Nothing else may fail, and none of these may pass unseen.
const KNOWN_FAILURES: &[&str] = &[];

/// Files that run at the same time: some tests are about time, and a crowded machine would fail them.
const AT_ONCE: usize = 2;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    modgate_engine::initialize();
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

fn suites() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods-fixtures/suites")
}

fn options() -> TestOptions {
    let profile = modgate_catalog::hosts::host("claude-code").unwrap();
    let options = TestOptions::new(Policy::from(profile), RUNTIME.handle().clone());
    let spares = Spares::new(options.limits, RUNTIME.handle(), 1).unwrap();
    TestOptions { spares: Some(spares), ..options }
}

fn run_jobs(jobs: &[Job], options: &TestOptions) -> Vec<FileResult> {
    let mut results = Vec::new();
    let ran = run(jobs, AT_ONCE, options, |done| {
        assert_eq!(done.index, results.len(), "results come in the order of the jobs");
        results.push(done.result);
        Ok::<(), std::convert::Infallible>(())
    });
    match RUNTIME.block_on(ran) {
        Ok(()) => results,
        Err(never) => match never {},
    }
}

fn jobs_of(folder: &Path) -> Vec<Job> {
    let folder = Folder::open(folder).unwrap();
    test_files(&folder.root).into_iter().map(|file| Job { folder: folder.clone(), file }).collect()
}

/// Everything about a file that did not pass, as `suite/file > title`.
fn failures(suite: &str, result: &FileResult) -> Vec<String> {
    let failed = result.cases.iter().filter(|case| !case.problems.is_empty());
    let mut names: Vec<_> = failed.map(|case| format!("{suite}/{} > {}", result.path, case.title)).collect();
    names.extend(result.problem.iter().map(|problem| format!("{suite}/{}: {}", result.path, problem.message)));
    names
}

#[test]
fn every_test_of_the_suites_passes() {
    let mut folders: Vec<_> = fs::read_dir(suites()).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    assert_eq!(folders.len(), 39);
    let jobs: Vec<_> = folders.iter().flat_map(|folder| jobs_of(folder)).collect();
    let results = run_jobs(&jobs, &options());
    let named = jobs.iter().map(|job| job.folder.root.file_name().unwrap().to_string_lossy().into_owned());
    let failed: BTreeSet<_> = named.zip(&results).flat_map(|(suite, result)| failures(&suite, result)).collect();
    assert_eq!(results.iter().map(|result| result.cases.len()).sum::<usize>(), ALL);
    assert_eq!(failed, KNOWN_FAILURES.iter().map(ToString::to_string).collect::<BTreeSet<_>>());
}

/// Suites of our own, each seen to pass where mods come from.
#[test]
fn every_test_of_our_own_suites_passes() {
    let fixtures = suites().join("..");
    let groups = ["kit", "suites-extra"].map(|group| fs::read_dir(fixtures.join(group)).unwrap());
    let mut folders: Vec<_> = groups.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join("hooks/hooks.json").is_file());
    folders.sort();
    assert!(folders.len() >= 12, "{folders:?}");
    let jobs: Vec<_> = folders.iter().flat_map(|folder| jobs_of(folder)).collect();
    let results = run_jobs(&jobs, &options());
    let named = jobs.iter().map(|job| job.folder.root.file_name().unwrap().to_string_lossy().into_owned());
    let failed: Vec<_> = named.zip(&results).flat_map(|(suite, result)| failures(&suite, result)).collect();
    assert_eq!(failed, Vec::<String>::new());
    assert!(results.iter().all(|result| !result.cases.is_empty()));
}

/// A change to a suite after which one of its tests must fail.
#[derive(Debug, Deserialize)]
struct Mutation {
    suite: String,
    /// In the suite's folder.
    file: String,
    /// A text that is in the file once.
    replace: String,
    by: String,
    /// The test's title.
    fails: String,
}

fn mutations() -> Vec<Mutation> {
    let path = suites().join("mutations.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The suite with the change in it, in a folder of its own.
fn mutated(mutation: &Mutation, room: &Path) -> PathBuf {
    let folder = room.join(&mutation.suite);
    copy(&suites().join(&mutation.suite), &folder);
    let path = folder.join(&mutation.file);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(&mutation.replace).count(), 1, "{mutation:?}");
    fs::write(path, text.replacen(&mutation.replace, &mutation.by, 1)).unwrap();
    folder
}

#[test]
fn every_suite_has_two_mutations() {
    let mutations = mutations();
    for folder in fs::read_dir(suites()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        let suite = folder.file_name().unwrap().to_string_lossy();
        let count = mutations.iter().filter(|mutation| mutation.suite == suite).count();
        assert!(count >= 2, "{suite} has {count}");
    }
}

#[test]
fn every_mutation_is_noticed() {
    let mut unnoticed = Vec::new();
    for mutation in mutations() {
        let room = tempfile::tempdir().unwrap();
        let jobs = jobs_of(&mutated(&mutation, room.path()));
        let mut options = options();
        let title = mutation.fails.clone();
        options.selects = Arc::new(move |name| name == title);
        let results = run_jobs(&jobs, &options);
        let mut cases = results.iter().flat_map(|result| &result.cases);
        if !cases.any(|case| case.title == mutation.fails && !case.problems.is_empty()) {
            unnoticed.push(mutation);
        }
    }
    assert!(unnoticed.is_empty(), "{unnoticed:#?}");
}
