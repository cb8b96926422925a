//! Repetitions that a grant turns into numbered attempts, whatever the mods do.

use std::time::Duration;

use modgate_harness::record::{kind, read};
use modgate_services::{Places, Policy as Grants};
use proptest::prelude::*;

use crate::amend::{command, rules};
use crate::support::{HASH, Place, Played, Setting, play_in, text};

/// What a mod does on a call: how often it asks for it, and with whose arguments the last time.
#[derive(Clone, Copy, Debug)]
struct Asks {
    times: usize,
    is_granted: bool,
    /// The last time with arguments that a rule denies.
    ends_denied: bool,
    amends: bool,
}

fn asks() -> impl Strategy<Value = Asks> {
    (1..=5_usize, prop::bool::weighted(0.6), prop::bool::weighted(0.2), prop::bool::weighted(0.3))
        .prop_map(|(times, is_granted, ends_denied, amends)| Asks { times, is_granted, ends_denied, amends })
}

impl Asks {
    fn source(self) -> String {
        let Asks { times, ends_denied, .. } = self;
        let last = if ends_denied { "{ ...e, command: 'echo denied >> out.txt' }" } else { "e" };
        format!(
            "export function register(on) {{ on('tool.call', async ($, e, next) => {{ let r; for (let i = 0; i < {times}; i++)
             {{ try {{ r = await next(i === {times} - 1 ? {last} : e) }} catch {{}} }} return r ?? {{ deny: 'nothing came' }} }}) }}"
        )
    }
}

/// Attempts are rows of their own, each decided about under its own number, with a key of its own, three at most; what
/// ran is what stands there.
fn attempts_are_recorded(played: &Played, id: &str, granted: &[String]) {
    let mine = |row: &&modgate_harness::record::Row| row.text_at("callId") == Some(id);
    let rows: Vec<_> = played.rows.iter().filter(mine).collect();
    let attempts: Vec<_> = rows.iter().filter(|row| row.kind == kind::TOOL_ATTEMPT).collect();
    let numbers: Vec<_> = attempts.iter().filter_map(|row| row.data["attempt"].as_u64()).collect();
    assert_eq!(numbers, (2..2 + attempts.len() as u64).collect::<Vec<_>>());
    assert!(attempts.len() <= 2, "three runs at most, the first of which is the call itself");
    let keys: std::collections::BTreeSet<_> = attempts.iter().filter_map(|row| row.text_at("idempotencyKey")).collect();
    assert_eq!(keys.len(), attempts.len());
    for attempt in &attempts {
        let by = attempt.by.to_string();
        assert!(granted.iter().any(|name| by == format!("mod:{name}")), "{by} has no grant to try again");
        let decided = rows.iter().find(|row| {
            row.seq > attempt.seq
                && row.kind == kind::PERMISSION_DECISION
                && row.data["attempt"] == attempt.data["attempt"]
        });
        let decided = decided.unwrap_or_else(|| panic!("{} is not decided about", attempt.data));
        assert_eq!((&decided.data["tool"], &decided.data["input"]), (&attempt.data["tool"], &attempt.data["input"]));
    }
    let executed = played.result(id)["executed"].as_array().cloned().unwrap_or_default();
    assert!(executed.len() <= 1 + attempts.len());
    assert!(executed.iter().all(|one| command(one) != "echo denied >> out.txt"), "a denied attempt ran");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, max_shrink_iters: 64, ..ProptestConfig::default() })]

    #[test]
    fn retries_are_attempts_and_a_resumed_session_repeats_none(stack in prop::collection::vec(asks(), 1..=3)) {
        let place = Place::new();
        let names: Vec<String> = (0..stack.len()).map(|index| format!("m{index}")).collect();
        let toml: String = names.iter().zip(&stack).map(|(name, one)| {
            let retry = if one.is_granted { "retry = \"record\"\n" } else { "" };
            let rewrite = if one.amends { "rewrite = \"amend\"\n" } else { "" };
            format!("[[grant]]\nmod = \"{name}\"\nhash = \"{HASH}\"\n{retry}{rewrite}")
        }).collect();
        let mods = || names.iter().zip(&stack).map(|(name, one)| text(name, &one.source())).collect::<Vec<_>>();
        let setting = || Setting {
            hook: Duration::from_secs(5),
            grants: Grants::from_toml(&toml, &Places::default()).unwrap(),
            ..Setting::default()
        };
        let granted: Vec<String> = names.iter().zip(&stack).filter(|(_, one)| one.is_granted).map(|(name, _)| name.clone()).collect();
        let first = rules("allow = [\"Bash\"]\ndeny = [\"Bash(echo denied *)\"]", &["echo one >> out.txt"]);
        let before = play_in(&place, mods(), &first, setting(), false);
        attempts_are_recorded(&before, "c0", &granted);
        let count = |played: &Played, id: &str| played.result(id)["executed"].as_array().map_or(0, Vec::len);
        let lines = |place: &Place| place.file("out.txt").unwrap_or_default().lines().count();
        assert_eq!(lines(&place), count(&before, "c0"));
        // The session goes on: what ran stays as it is, and the next call has attempts of its own.
        let more = format!(
            "{first}[[prompt]]\ntext = \"more\"\n[[prompt.step]]\n[[prompt.step.call]]\ntool = \"Bash\"\nid = \"c9\"\ninput = {{ command = \"echo two >> out.txt\" }}\n"
        );
        let after = play_in(&place, mods(), &more, setting(), true);
        assert_eq!(&after.rows[..before.rows.len()], &before.rows[..]);
        attempts_are_recorded(&after, "c9", &granted);
        assert_eq!(lines(&place), count(&after, "c0") + count(&after, "c9"));
        assert_eq!(read(&place.record).expect("the record verifies").rows, after.rows);
    }
}
