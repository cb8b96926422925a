//! SIGKILL at random moments: the record verifies, a resume finishes the session, no command runs twice.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use modgate_harness::record::{kind, read};
use modgate_harness::script::{RunOptions, resume, run};
use modgate_harness::session::Progress;

use crate::support::{Place, block, results, scenario};

const PROMPTS: usize = 4;
const CALLS: usize = 3;

/// Prompts with two steps each; every command appends its own name to a file.
fn text() -> String {
    let mut text = String::from("[permissions]\nallow = [\"Bash\"]\n");
    for prompt in 0..PROMPTS {
        text.push_str(&format!("[[prompt]]\ntext = \"prompt {prompt}\"\n[[prompt.step]]\ntext = \"working\"\n"));
        for call in 0..CALLS {
            let command = format!("echo p{prompt}c{call} >> log.txt");
            text.push_str(&format!("[[prompt.step.call]]\ntool = \"Bash\"\ninput = {{ command = \"{command}\" }}\n"));
        }
        text.push_str("[[prompt.step]]\ntext = \"done\"\n");
    }
    text
}

fn play_in(dir: &Path, record: &Path) {
    let scenario = scenario(&text());
    let options = RunOptions::new(record, dir);
    let begun = read(record).is_ok_and(|loaded| loaded.rows.iter().any(|row| row.kind == kind::SESSION_START));
    if !begun {
        // Killed before the first row was whole: there is nothing to resume.
        let _ = std::fs::remove_file(record);
    }
    let played = if begun { block(resume(&scenario, options)) } else { block(run(&scenario, options)) };
    let outcome = played.unwrap();
    assert!(Progress::of(&outcome.rows).ended);
}

/// Plays to the end: on its own as the undisturbed run, and as the process that the test below kills.
#[test]
fn played_to_the_end() {
    match std::env::var_os("MODGATE_KILL_TEST_DIR").map(PathBuf::from) {
        Some(dir) => play_in(&dir.join("work"), &dir.join("record.jsonl")),
        None => {
            let place = Place::new();
            play_in(&place.work, &place.record);
            let expected =
                (0..PROMPTS).flat_map(|p| (0..CALLS).map(move |c| format!("p{p}c{c}\n"))).collect::<String>();
            assert_eq!(place.file("log.txt"), Some(expected));
        }
    }
}

fn child(place: &Place) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::played_to_the_end"])
        .env("MODGATE_KILL_TEST_DIR", place.record.parent().unwrap())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn length(place: &Place) -> u64 {
    std::fs::metadata(&place.record).map_or(0, |facts| facts.len())
}

/// Random numbers that are the same in every run of the test.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// Lets the child write that many more bytes, then kills it. `true` where it had finished before.
fn kill_after(place: &Place, bytes: u64) -> bool {
    let goal = length(place) + bytes;
    let mut child = child(place);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "the process failed on its own");
            return true;
        }
        if length(place) >= goal {
            child.kill().unwrap();
            child.wait().unwrap();
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn check(place: &Place) {
    let loaded = read(&place.record).unwrap();
    assert!(Progress::of(&loaded.rows).ended);
    let log = place.file("log.txt").unwrap_or_default();
    let times = |name: &str| log.lines().filter(|line| *line == name).count();
    let results = results(&loaded.rows);
    assert_eq!(results.len(), PROMPTS * CALLS, "every call has one result");
    for (index, result) in results.iter().enumerate() {
        let name = format!("p{}c{}", index / CALLS, index % CALLS);
        if result.interrupted {
            assert!(times(&name) <= 1, "{name} ran twice:\n{log}");
            assert!(result.is_error);
        } else {
            assert_eq!(times(&name), 1, "{name}:\n{log}");
        }
    }
}

#[test]
fn killed_at_fifty_moments_no_command_runs_twice() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut kills = 0;
    while kills < 50 {
        let place = Place::new();
        // A whole run has about 30 KiB, so each of them is killed several times.
        while !kill_after(&place, dice.below(9_000)) {
            kills += 1;
            if let Ok(loaded) = read(&place.record) {
                assert!(!Progress::of(&loaded.rows).ended || loaded.recovered.is_none());
            } else {
                assert_eq!(length(&place), 0, "the record does not verify after a kill");
            }
        }
        check(&place);
    }
}
