//! What each host does with the same mod, played under its profile: the rows of the comparison of hosts.

use modgate_harness::fold::{Block, history};
use modgate_harness::record::kind;

use crate::support::{Place, Played, Setting, granted, play, play_in, text};

/// The script `note` writes down that it ran, and says how often it did.
const NOTE: &str = "[files.note]\nexecutable = true\ncontent = '''\n#!/bin/sh\necho \"$1\" >> ran.log\n\
    echo \"ran $1 $(wc -l < ran.log | tr -d ' ')\"\n'''\n";

const CALL: &str = "[[prompt]]\ntext = \"go\"\n[[prompt.step]]\n[[prompt.step.call]]\ntool = \"Bash\"\nid = \"c0\"\n\
    input = { command = \"./note A\" }\n[[prompt.step]]\ntext = \"done\"\n";

const ALLOWED: &str = "allow = [\"Bash(./note *)\"]";

/// What a hook on `tool.call` does.
fn hook(body: &str) -> String {
    format!("export function register(on) {{ on('tool.call', async ($, e, next) => {{ {body} }}) }}")
}

fn run(host: &'static str, rules: &str, source: &str) -> (Place, Played) {
    let session = format!("[permissions]\n{rules}\n{NOTE}{CALL}");
    play(vec![text("m", source)], &session, Setting { host, ..Setting::default() })
}

/// One call as everybody saw it.
#[derive(Debug, PartialEq)]
struct Seen {
    /// The commands that ran.
    executed: Vec<String>,
    /// As the record, and as the model's history hold it.
    held: [String; 2],
    /// What the model reads: marked as a failure or not, and its text.
    is_error: bool,
    reads: String,
    /// Decisions, with the command they were made on.
    permission: Vec<(String, String)>,
    codes: Vec<String>,
}

fn command(input: &serde_json::Value) -> String {
    input["command"].as_str().unwrap_or_default().trim_start_matches("./note ").to_string()
}

fn seen(place: &Place, played: &Played) -> Seen {
    let row = &played.of_kind(kind::TOOL_CALL)[0].data;
    let executed: Vec<String> =
        played.result("c0")["executed"].as_array().unwrap().iter().map(|one| command(&one["input"])).collect();
    let log = place.file("ran.log").unwrap_or_default();
    assert_eq!(log.lines().collect::<Vec<_>>(), executed, "the record says what ran");
    let (mut asked, mut reads) = (String::new(), (false, String::new()));
    for block in history(&played.rows, None).into_iter().flat_map(|message| message.content) {
        match block {
            Block::ToolUse { input, .. } => asked = command(&input),
            Block::ToolResult { content, is_error, .. } => reads = (is_error, content),
            Block::Text { .. } => {}
        }
    }
    let decided = played.of_kind(kind::PERMISSION_DECISION).into_iter();
    let decided = decided.map(|row| (command(&row.data["input"]), row.text_at("decision").unwrap().to_string()));
    let held = [command(&row["input"]), asked];
    let (is_error, reads) = reads;
    Seen { executed, held, is_error, reads, permission: decided.collect(), codes: played.codes("m") }
}

/// What one host is expected to do.
struct Expected {
    host: &'static str,
    executed: &'static [&'static str],
    /// What the reading begins with where it is no error, or holds where it is one.
    reads: &'static str,
    is_error: bool,
    permission: &'static [(&'static str, &'static str)],
    codes: &'static [&'static str],
}

/// One thing a mod does, under some rules, on both hosts.
struct Line {
    what: &'static str,
    rules: &'static str,
    body: &'static str,
    hosts: [Expected; 2],
}

const A: &[(&str, &str)] = &[("A", "allow")];

const fn claude(
    executed: &'static [&'static str],
    reads: &'static str,
    permission: &'static [(&'static str, &'static str)],
    codes: &'static [&'static str],
) -> Expected {
    Expected { host: "claude-code", executed, reads, is_error: false, permission, codes }
}

const fn dsh(executed: &'static [&'static str], reads: &'static str, codes: &'static [&'static str]) -> Expected {
    Expected { host: "dsh", executed, reads, is_error: false, permission: A, codes }
}

const fn failing(expected: Expected) -> Expected {
    Expected { is_error: true, ..expected }
}

const fn decided(expected: Expected, permission: &'static [(&'static str, &'static str)]) -> Expected {
    Expected { permission, ..expected }
}

const REWRITE: &str = "return next({ ...e, command: './note B' })";

/// Every row of the table of calls, and the rules on both sides of a rewrite.
const LINES: &[Line] = &[
    Line {
        what: "passes another command",
        rules: ALLOWED,
        body: REWRITE,
        hosts: [claude(&["B"], "ran B 1", &[("B", "allow")], &[]), dsh(&["A"], "ran A 1", &["call-rewritten"])],
    },
    Line {
        what: "passes another tool",
        rules: ALLOWED,
        body: "return next({ ...e, tool: 'Read', file_path: 'note' })",
        hosts: [claude(&["A"], "ran A 1", A, &["hook-threw"]), dsh(&["A"], "ran A 1", &["call-rerouted"])],
    },
    Line {
        what: "calls next twice and answers the second",
        rules: ALLOWED,
        body: "await next(e); return next(e)",
        hosts: [
            claude(&["A", "A"], "ran A 2", &[("A", "allow"), ("A", "allow")], &[]),
            dsh(&["A"], "ran A 1", &["next-repeated"]),
        ],
    },
    Line {
        what: "denies after it ran",
        rules: ALLOWED,
        body: "await next(e); return { deny: 'kept back' }",
        hosts: [failing(claude(&["A"], "kept back", A, &[])), failing(dsh(&["A"], "kept back", &[]))],
    },
    Line {
        what: "replaces the output",
        rules: ALLOWED,
        body: "const r = await next(e); return { ...r, result: { ...r.result, stdout: 'replaced' } }",
        hosts: [claude(&["A"], "replaced", A, &[]), dsh(&["A"], "replaced", &[])],
    },
    Line {
        what: "answers a text in place of the result",
        rules: ALLOWED,
        body: "await next(e); return { result: 'text' }",
        hosts: [failing(claude(&["A"], "Bash", A, &[])), failing(dsh(&["A"], "Bash", &[]))],
    },
    Line {
        what: "throws before next",
        rules: ALLOWED,
        body: "throw new Error('no')",
        hosts: [claude(&["A"], "ran A 1", A, &["hook-threw"]), dsh(&["A"], "ran A 1", &["hook-threw"])],
    },
    Line {
        what: "passes an argument without any event",
        rules: ALLOWED,
        body: "return next()",
        hosts: [claude(&["A"], "ran A 1", A, &["hook-threw"]), dsh(&["A"], "ran A 1", &["hook-threw"])],
    },
    Line {
        what: "throws after next",
        rules: ALLOWED,
        body: "await next(e); throw new Error('no')",
        hosts: [claude(&["A"], "ran A 1", A, &["hook-threw"]), dsh(&["A"], "ran A 1", &["hook-threw"])],
    },
    Line {
        what: "answers nothing",
        rules: ALLOWED,
        body: "return undefined",
        hosts: [claude(&["A"], "ran A 1", A, &["hook-answer"]), dsh(&["A"], "ran A 1", &["hook-answer"])],
    },
    Line {
        what: "answers a text",
        rules: ALLOWED,
        body: "return 'text'",
        hosts: [claude(&["A"], "ran A 1", A, &["hook-answer"]), dsh(&["A"], "ran A 1", &["hook-answer"])],
    },
    Line {
        what: "changes the event it was given",
        rules: ALLOWED,
        body: "e.command = './note B'; return next(e)",
        hosts: [claude(&["A"], "ran A 1", A, &["hook-threw"]), dsh(&["A"], "ran A 1", &["hook-threw"])],
    },
    Line {
        what: "rewrites a call that a rule denies",
        rules: "allow = [\"Bash(./note B)\"]\ndeny = [\"Bash(./note A)\"]",
        body: REWRITE,
        hosts: [
            claude(&["B"], "ran B 1", &[("B", "allow")], &[]),
            failing(decided(dsh(&[], "", &[]), &[("A", "deny")])),
        ],
    },
    Line {
        what: "rewrites into a call that a rule denies",
        rules: "allow = [\"Bash(./note A)\"]\ndeny = [\"Bash(./note B)\"]",
        body: REWRITE,
        hosts: [failing(claude(&[], "", &[("B", "deny")], &[])), dsh(&["A"], "ran A 1", &["call-rewritten"])],
    },
    Line {
        what: "rewrites a call that would be asked about into one that is allowed",
        rules: "allow = [\"Bash(./note B)\"]",
        body: REWRITE,
        hosts: [
            claude(&["B"], "ran B 1", &[("B", "allow")], &[]),
            failing(decided(dsh(&[], "", &[]), &[("A", "deny")])),
        ],
    },
];

#[test]
fn every_row_of_the_table() {
    for line in LINES {
        for expected in &line.hosts {
            let (place, played) = run(expected.host, line.rules, &hook(line.body));
            let seen = seen(&place, &played);
            let what = format!("{}: a mod that {}: {seen:#?}", expected.host, line.what);
            assert_eq!(seen.executed, expected.executed, "{what}");
            assert_eq!(seen.held, ["A", "A"], "record and history keep what the model asked; {what}");
            assert_eq!(seen.is_error, expected.is_error, "{what}");
            let fits = if expected.is_error {
                seen.reads.contains(expected.reads)
            } else {
                seen.reads.starts_with(expected.reads)
            };
            assert!(fits, "reads {:?}; {what}", expected.reads);
            let permission: Vec<_> =
                seen.permission.iter().map(|(about, said)| (about.as_str(), said.as_str())).collect();
            assert_eq!(permission, expected.permission, "{what}");
            assert_eq!(seen.codes, expected.codes, "{what}");
        }
    }
}

#[test]
fn a_withheld_or_misshapen_result_is_not_read() {
    for (host, body) in [
        ("claude-code", "await next(e); return { deny: 'kept back' }"),
        ("dsh", "await next(e); return { deny: 'kept back' }"),
        ("claude-code", "await next(e); return { result: 'text' }"),
    ] {
        let (place, played) = run(host, ALLOWED, &hook(body));
        let reads = seen(&place, &played).reads;
        assert!(!reads.contains("ran A") && !reads.starts_with("text"), "{host}: {reads}");
    }
}

#[test]
fn a_check_decides_where_the_host_asks_for_it() {
    let source =
        "export function register(on) { on('tool.check', async () => ({ decision: 'allow', reason: 'mine' })) }";
    let (place, played) = run("claude-code", "deny = [\"Bash\"]", source);
    assert_eq!(seen(&place, &played).executed, ["A"], "a rule's deny is lifted there");
    let (place, played) = run("dsh", "", source);
    let seen = seen(&place, &played);
    assert_eq!((seen.executed.len(), seen.codes), (0, vec!["event-never-raised".to_string()]));
}

#[test]
fn a_prompt_enters_as_the_mods_left_it() {
    let source = "export function register(on) { on('prompt.submit', async ($, e, next) => next({ ...e, text: 'changed', context: ['beside'] })) }";
    for host in ["claude-code", "dsh"] {
        let (_place, played) = run(host, ALLOWED, source);
        let row = &played.of_kind(kind::USER_MESSAGE)[0].data;
        assert_eq!(row["text"], "changed", "{host}");
        let told: Vec<String> = history(&played.rows, None)[0]
            .content
            .iter()
            .filter_map(|block| match block {
                Block::Text { text } => Some(text.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(told[0], "changed", "{host}");
        assert!(told[1..].iter().any(|text| text.contains("beside")), "{host}: {told:?}");
    }
}

#[test]
fn rows_are_changed_where_the_event_is_raised() {
    let source = "export function register(on) { on('session.append', async ($, e, next) =>
      next({ ...e, message: { ...e.message, content: [{ type: 'text', text: 'changed' }] } })) }";
    let stored = |host| {
        let (_place, played) = run(host, ALLOWED, source);
        (played.of_kind(kind::USER_MESSAGE)[0].data["text"].clone(), played.codes("m"))
    };
    assert_eq!(stored("claude-code"), ("changed".into(), vec![]));
    assert_eq!(stored("dsh"), ("go".into(), vec!["event-never-raised".to_string()]));
}

#[test]
fn added_fields_reach_the_tool_and_dropped_ones_stay_away() {
    let source = hook("const { description, ...rest } = e; return next({ ...rest, timeout: 9000 })");
    let (_place, played) = run("claude-code", ALLOWED, &source);
    let input = &played.result("c0")["executed"][0]["input"];
    assert_eq!((&input["timeout"], input.get("description")), (&9000.into(), None));
}

#[test]
fn what_the_bridge_never_raises_is_named_and_what_it_does_not_know_refuses_the_mod() {
    let never = ["turn.step", "session.append", "tool.check", "prompt.section", "fs.ancestors", "model.complete"];
    for event in never {
        let hook = if event == "turn.step" {
            "async function* ($, e, next) { return yield* next(e) }"
        } else {
            "async ($, e, next) => next(e)"
        };
        let (_place, played) =
            run("dsh", ALLOWED, &format!("export function register(on) {{ on('{event}', {hook}) }}"));
        assert_eq!(played.codes("m"), ["event-never-raised"], "{event}");
    }
    for event in ["classic.Stop", "classic.*"] {
        let source = format!("export function register(on) {{ on('{event}', async ($, e, next) => next(e)) }}");
        let (_place, played) = run("dsh", ALLOWED, &source);
        assert_eq!(played.codes("m"), ["mod-not-loaded"], "{event}");
        assert!(played.refused[0].position.is_some(), "{:?}", played.refused);
        let (_place, played) = run("claude-code", ALLOWED, &source);
        assert!(played.refused.is_empty(), "{event}: {:?}", played.refused);
    }
}

#[test]
fn the_raised_events_reach_their_hooks_and_no_others() {
    let source = "export function register(on) { on('*', async ($, e, next) => next(e)); const seen = (event) => on(event, async ($, e, next) => { $.ui.log(event); return next(e) })
      for (const event of ['session.start', 'prompt.submit', 'turn.start', 'turn.complete', 'tool.call', 'tool.check', 'session.append']) seen(event) }";
    let (_place, played) = run("dsh", ALLOWED, source);
    assert_eq!(played.logged("m"), ["session.start", "prompt.submit", "turn.start", "tool.call", "turn.complete"]);
    let (_place, played) = run("claude-code", ALLOWED, source);
    for event in ["tool.check", "session.append"] {
        assert!(played.logged("m").contains(&event.to_string()), "{:?}", played.logged("m"));
    }
}

#[test]
fn members_are_served_as_the_profile_says() {
    let body = "on('turn.complete', async ($, e, next) => {
      const tries = { store: () => $.store.set('k', 1), exists: () => $.fs.exists('note'), id: () => $.session.id(),
        ancestors: () => $.fs.ancestors({ names: ['note.md'] }), settings: () => $.settings.read(), config: () => $.config.list(), agents: () => $.agent.list() }
      for (const [name, attempt] of Object.entries(tries)) {
        try { await attempt(); $.ui.log(name + ' served') } catch (x) { $.ui.log(name + ' ' + (x.message.startsWith('no implementation') ? 'not served' : 'failed')) } }
      return next(e) })";
    let source = format!("export function register(on) {{ {body} }}");
    let session = format!("[permissions]\n{ALLOWED}\n{NOTE}{CALL}");
    let run = |host| {
        let place = Place::new();
        let allow = "calls = [\"*\"]\nfs.read = [\"${cwd}\"]";
        let setting = Setting { host, grants: granted(&place, &["m"], allow), ..Setting::default() };
        play_in(&place, vec![text("m", &source)], &session, setting, false).logged("m")
    };
    let dsh = run("dsh");
    let expected = [
        "store served",
        "exists served",
        "id served",
        "ancestors not served",
        "settings not served",
        "config not served",
        "agents not served",
    ];
    assert_eq!(dsh, expected);
    assert!(!run("claude-code").contains(&"ancestors not served".to_string()));
}

#[test]
fn next_to_is_there_where_tiers_are() {
    let source = hook(
        "let r; try { r = await next.to(e, 'core') } catch (x) { $.ui.log('rejected'); r = await next(e) } return r",
    );
    let (_place, played) = run("dsh", ALLOWED, &source);
    assert_eq!(played.logged("m"), ["rejected"]);
}

#[test]
fn what_was_left_running_is_awaited_by_the_bridge() {
    let source = hook("next(e); return { result: { stdout: 'early', stderr: '', interrupted: false } }");
    let (place, played) = run("dsh", ALLOWED, &source);
    let seen = seen(&place, &played);
    assert_eq!((seen.executed, seen.reads.as_str()), (vec!["A".to_string()], "early"));
}

#[test]
fn an_older_version_does_not_know_what_came_later() {
    let source = "export function register(on) { on('tool.offer', async ($, e, next) => next(e)) }";
    let (_place, played) = run("claude-code@2.1.287", ALLOWED, source);
    assert_eq!(played.codes("m"), ["mod-not-loaded"]);
    let (_place, played) = run("claude-code@2.1.332", ALLOWED, source);
    assert!(played.refused.is_empty());
}
