//! Runs the tests of mods and prints what failed: `cargo run -p modgate-compat --example suite -- DIR...`
#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::path::Path;

use modgate_compat::Policy;
use modgate_compat::load::Folder;
use modgate_compat::testing::{TestOptions, run_file, test_files};

fn main() {
    modgate_engine::initialize();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let profile = modgate_catalog::hosts::host("claude-code").expect("a profile");
    let options = TestOptions::new(Policy::from(profile), runtime.handle().clone());
    let is_verbose = std::env::var_os("VERBOSE").is_some();
    let (mut passed, mut failed) = (0, 0);
    for path in std::env::args().skip(1) {
        let folder = match Folder::open(Path::new(&path)) {
            Ok(folder) => folder,
            Err(error) => {
                println!("{path}: {error}");
                failed += 1;
                continue;
            }
        };
        let (mut ok, mut bad) = (0, 0);
        for file in test_files(&folder.root) {
            let result = runtime.block_on(run_file(&folder, &file, &options));
            if let Some(problem) = &result.problem {
                bad += 1;
                println!("  {path}/{file}: {} {}", problem.code, problem.message);
            }
            for case in &result.cases {
                if case.problems.is_empty() {
                    ok += 1;
                    continue;
                }
                bad += 1;
                println!("  FAIL {file} > {}", case.title);
                for problem in &case.problems {
                    let position = problem.position.as_ref().map(ToString::to_string).unwrap_or_default();
                    println!("    {} {position} {}", problem.code, problem.message.replace('\n', "\n      "));
                }
                if is_verbose {
                    for report in &case.reports {
                        println!("    -- {} {}: {}", report.code, report.plugin, report.message);
                    }
                }
            }
        }
        println!("{path}: {ok} passed, {bad} failed");
        passed += ok;
        failed += bad;
    }
    println!("{passed} passed, {failed} failed");
}
