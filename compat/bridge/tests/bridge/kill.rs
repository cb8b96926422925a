//! SIGKILL at random moments of a run with mods: the record verifies, a resume finishes, no command runs twice.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use modgate_harness::record::{kind, read};
use modgate_harness::session::Progress;

use crate::support::{Place, Setting, fixture, play_in, text};

const PROMPTS: usize = 3;
const CALLS: usize = 3;

const WATCHER: &str = "export function register(on) {
  on('prompt.submit', async ($, e, next) => next({ ...e, context: ['watched'] }))
  on('tool.call', async ($, e, next) => { $.ui.log(e.tool_use_id); const r = await next(e); return { ...r, context: ['seen'] } })
}";

/// Prompts with two steps each; every command appends its own name to a file.
fn session() -> String {
    let mut text = String::from("[permissions]\nallow = [\"Bash\"]\n");
    for prompt in 0..PROMPTS {
        text += &format!("[[prompt]]\ntext = \"prompt {prompt}\"\n[[prompt.step]]\ntext = \"working\"\n");
        for call in 0..CALLS {
            let command = format!("echo p{prompt}c{call} >> log.txt");
            text += &format!("[[prompt.step.call]]\ntool = \"Bash\"\ninput = {{ command = \"{command}\" }}\n");
        }
        text += "[[prompt.step]]\ntext = \"done\"\n";
    }
    text
}

fn every_command() -> Vec<String> {
    (0..PROMPTS).flat_map(|prompt| (0..CALLS).map(move |call| format!("p{prompt}c{call}"))).collect()
}

fn play_to_the_end(place: &Place) {
    let begun = read(&place.record).is_ok_and(|loaded| loaded.rows.iter().any(|row| row.kind == kind::SESSION_START));
    if !begun {
        // Killed before the first row was whole: there is nothing to resume.
        let _ = std::fs::remove_file(&place.record);
    }
    let mods = vec![text("watcher", WATCHER), fixture("retrier").unwrap(), fixture("rewriter").unwrap()];
    let played = play_in(place, mods, &session(), Setting::default(), begun);
    assert!(Progress::of(&played.rows).ended);
}

/// Plays to the end: on its own as the undisturbed run, and as the process that the test below kills.
#[test]
fn played_to_the_end() {
    match std::env::var_os("MODGATE_KILL_TEST_DIR").map(PathBuf::from) {
        Some(dir) => play_to_the_end(&Place::at(&dir)),
        None => {
            let place = Place::new();
            play_to_the_end(&place);
            let ran: Vec<String> = place.file("log.txt").unwrap().lines().map(str::to_string).collect();
            assert_eq!(ran, every_command());
        }
    }
}

fn child(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::played_to_the_end"])
        .env("MODGATE_KILL_TEST_DIR", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
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

/// Waits until the record has that many bytes, or the child has ended. The moment is one of the session, not of a
/// clock, so that a slow machine is killed at the same places.
fn wait_for(record: &Path, bytes: u64, child: &mut Child) {
    while std::fs::metadata(record).map_or(0, |facts| facts.len()) < bytes {
        if child.try_wait().unwrap().is_some() {
            return;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn killed_at_fifty_moments_no_command_runs_twice() {
    let whole = Place::new();
    play_to_the_end(&whole);
    let length = std::fs::metadata(&whole.record).unwrap().len();
    let mut dice = Dice(0x5eed_5eed_5eed);
    for round in 0..50 {
        let place = Place::new();
        let mut child = child(place.folder());
        wait_for(&place.record, dice.below(length), &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        if place.record.exists() {
            read(&place.record).unwrap_or_else(|error| panic!("round {round}: {error}"));
        }
        // Children of tools outlive the process; what they still write has to be there before it is counted.
        play_to_the_end(&place);
        let rows = read(&place.record).unwrap().rows;
        let ran: Vec<String> = place.file("log.txt").unwrap_or_default().lines().map(str::to_string).collect();
        let interrupted = rows.iter().filter(|row| row.data["interrupted"] == true).count();
        let missing = every_command().iter().filter(|command| !ran.contains(command)).count();
        let mut once = ran.clone();
        once.dedup();
        assert_eq!(ran, once, "round {round}: a command ran twice");
        assert!(ran.iter().all(|line| every_command().contains(line)), "round {round}: {ran:?}");
        assert!(missing <= interrupted, "round {round}: {missing} commands were lost, {interrupted} interrupted");
        let mut sorted = ran.clone();
        sorted.sort();
        assert_eq!(sorted, ran, "round {round}: out of order");
    }
}
