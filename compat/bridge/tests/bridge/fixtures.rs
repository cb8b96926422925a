//! The mods of this repository: each misbehaving one stops only itself.

use std::time::Duration;

use modgate_compat::Tier;
use modgate_compat::load::Folder;
use modgate_compat::native::ModSource;
use modgate_harness::record::kind;
use modgate_value::Value;

use crate::support::{Place, Played, Setting, commands, fixture, fixtures, granted, play, play_in, text};

/// Counts what it sees, and changes nothing.
const HEALTHY: &str = "export function register(on) {
  on('prompt.submit', async ($, e, next) => { $.ui.log('prompt'); return next(e) })
  on('tool.call', async ($, e, next) => { $.ui.log(`call ${e.tool_use_id}`); return next(e) })
  on('turn.complete', async ($, e, next) => { $.ui.log('turn'); return next(e) })
}";

/// A session with the fixture between two healthy mods.
fn beside(name: &str, hook: Duration) -> (Place, Played) {
    let mods = vec![text("above", HEALTHY), fixture(name).unwrap(), text("beneath", HEALTHY)];
    play(mods, &commands(&["echo one >> out.txt", "echo two >> out.txt"]), Setting { hook, ..Setting::default() })
}

/// What has to hold beside every one of them.
fn healthy(place: &Place, played: &Played) {
    for name in ["above", "beneath"] {
        assert_eq!(played.logged(name), ["prompt", "call c0", "call c1", "turn"], "{name}");
        assert_eq!(played.codes(name), Vec::<String>::new(), "{name} is not to blame");
    }
    assert_eq!(place.file("out.txt").as_deref(), Some("one\ntwo\n"));
    assert_eq!(played.rows.last().map(|row| row.kind.as_str()), Some(kind::SESSION_END));
}

fn stops_only_itself(name: &str, codes: &[&str]) {
    let (place, played) = beside(name, Duration::from_millis(500));
    healthy(&place, &played);
    assert_eq!(played.codes(name), codes);
}

#[test]
fn rewriter() {
    stops_only_itself("rewriter", &["call-rewritten", "call-rewritten"]);
}

#[test]
fn retrier() {
    stops_only_itself("retrier", &["next-repeated", "next-repeated"]);
}

#[test]
fn thrower() {
    stops_only_itself("thrower", &["hook-threw", "hook-threw", "hook-threw", "hook-threw"]);
}

#[test]
fn never_settling() {
    stops_only_itself("never-settling", &["hook-timeout", "hook-timeout"]);
}

#[test]
fn looper() {
    stops_only_itself("looper", &["limit-spinning", "hook-timeout", "limit-spinning", "hook-timeout"]);
}

#[test]
fn intrinsics_overwriter() {
    let (place, played) = beside("intrinsics-overwriter", Duration::from_secs(5));
    healthy(&place, &played);
    assert_eq!(played.codes("intrinsics-overwriter"), ["hook-threw", "hook-threw"]);
    let tried = "map TypeError, then TypeError, stringify TypeError, assign TypeError, polluted TypeError";
    assert_eq!(played.logged("intrinsics-overwriter"), [tried, tried]);
}

#[test]
fn memory_grower() {
    let (place, played) = beside("memory-grower", Duration::from_secs(60));
    healthy(&place, &played);
    let codes = played.codes("memory-grower");
    assert_eq!(codes[..2], ["limit-heap", "mod-unloaded"], "{codes:?}");
}

#[test]
fn buffer_grower() {
    let (place, played) = beside("buffer-grower", Duration::from_secs(60));
    healthy(&place, &played);
    let codes = played.codes("buffer-grower");
    assert!(codes.contains(&"limit-buffers".to_string()), "{codes:?}");
    assert!(codes.contains(&"hook-threw".to_string()), "{codes:?}");
}

#[test]
fn rerouter() {
    let session = "[permissions]\nmode = \"bypassPermissions\"\n[[prompt]]\ntext = \"go\"\n[[prompt.step]]\n\
        [[prompt.step.call]]\ntool = \"Write\"\nid = \"w\"\ninput = { file_path = \"a.txt\", content = \"mine\" }\n";
    let (place, played) = play(vec![fixture("rerouter").unwrap()], session, Setting::default());
    assert_eq!(played.codes("rerouter"), ["call-rerouted"]);
    assert_eq!(place.file("a.txt").as_deref(), Some("mine"));
    let report = played.of_kind(kind::MOD_REPORT)[0];
    assert_eq!(report.data["changes"][0], serde_json::json!({ "path": "$.tool", "old": "Write", "new": "Bash" }));
    assert_eq!(report.text_at("position"), Some("hooks/register.ts:3:3"));
    assert_eq!(report.text_at("callId"), Some("w"));
    let call = played.of_kind(kind::TOOL_CALL)[0];
    assert_eq!(report.data["refers"], call.seq);
}

#[test]
fn a_report_names_every_change_and_hides_secrets() {
    let (_place, played) = play(vec![fixture("rewriter").unwrap()], &commands(&["echo one"]), Setting::default());
    let report = &played.of_kind(kind::MOD_REPORT)[0].data;
    let changes = serde_json::json!([
        { "path": "$.command", "old": "echo one", "new": "echo one --verbose" },
        { "path": "$.token", "old": null, "new": "***" },
    ]);
    assert_eq!(report["changes"], changes);
}

/// Where the import of each of them stands: line and column of the specifier, or of the call.
const ESCAPES: [(&str, &str); 7] = [
    ("parent", "hooks/register.ts:2:24"),
    ("absolute", "hooks/register.ts:2:24"),
    ("url", "hooks/register.ts:2:24"),
    ("bare", "hooks/register.ts:2:24"),
    ("node", "hooks/register.ts:2:30"),
    ("dynamic", "hooks/register.ts:4:30"),
    ("symlink", "hooks/register.ts:2:24"),
];

#[test]
fn escapes_are_refused_where_they_stand() {
    for (name, place) in ESCAPES {
        let refused = fixture(&format!("loader-escapers/escape-{name}")).err().unwrap_or_default();
        assert!(refused.iter().any(|line| line.starts_with(&format!("{place}: "))), "{name}: {refused:?}");
    }
}

/// The loader does not rely on the rules: what they would let through stays inside all the same.
#[test]
fn escapes_are_refused_by_the_loader_too() {
    for (name, _) in ESCAPES {
        let folder = Folder::open(&fixtures().join(format!("loader-escapers/escape-{name}"))).unwrap();
        let source = ModSource {
            name: folder.name(),
            tier: Tier::User,
            root: Some(folder.root.clone()),
            hash: String::new(),
            options: Value::object::<&str>([]),
            uses: Value::Undefined,
            modules: folder.clone(),
            entry: folder.entry.clone(),
        };
        let (_place, played) =
            play(vec![text("healthy", HEALTHY), source], &commands(&["echo one"]), Setting::default());
        let by = format!("escape-{name}");
        // A dynamic import is met when the hook runs, the others when the module loads.
        let expected = if name == "dynamic" { "hook-threw" } else { "mod-not-loaded" };
        assert_eq!(played.codes(&by), [expected], "{name}");
        assert!(played.logged(&by).is_empty(), "{name} got hold of something");
        assert_eq!(played.logged("healthy"), ["prompt", "call c0", "turn"]);
    }
}

#[test]
fn the_demo_is_as_it_says() {
    let session = std::fs::read_to_string(fixtures().join("demo/scenario.toml")).unwrap();
    let names = ["guard", "gauge", "replay", "rewriter", "rerouter", "retrier"];
    let mods = names.iter().map(|name| fixture(name).unwrap()).collect();
    let place = Place::new();
    let grants = granted(&place, &["replay"], "fs = { write = [\"${cwd}/replay.txt\"] }");
    let played = play_in(&place, mods, &session, Setting { grants, ..Setting::default() }, false);
    assert_eq!(played.outcome.mismatches, []);
}

#[test]
fn every_fixture_is_as_its_scenario_says() {
    let mut played = 0;
    for entry in std::fs::read_dir(fixtures()).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(session) = std::fs::read_to_string(folder.join("scenario.toml")) else { continue };
        // The demo has a test of its own, with its mods; escapers are refused before anything is played.
        if !folder.join("hooks/hooks.json").exists() {
            continue;
        }
        let setting = Setting { hook: Duration::from_millis(1500), ..Setting::default() };
        let (_place, outcome) = play(vec![text("above", HEALTHY), fixture(&name).unwrap()], &session, setting);
        assert_eq!(outcome.outcome.mismatches, [], "{name}");
        played += 1;
    }
    assert_eq!(played, 12);
}
