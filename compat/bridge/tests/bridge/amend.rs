//! Rewrites and repetitions that a grant turns into recorded ones.

use std::time::Duration;

use modgate_harness::fold::{Block, Item, audit, history, presentation};
use modgate_harness::record::{kind, read};
use modgate_services::{Places, Policy as Grants};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{HASH, Place, Played, Setting, commands, play_in, text};

/// Grants for corrections of calls; what a mod reaches through `$` stays closed.
fn grants(names: &[&str], what: &str) -> Grants {
    let grant = |name: &&str| format!("[[grant]]\nmod = \"{name}\"\nhash = \"{HASH}\"\n{what}\n");
    Grants::from_toml(&names.iter().map(grant).collect::<String>(), &Places::default()).unwrap()
}

fn played(place: &Place, mods: &[(&str, &str)], session: &str, grants: Grants) -> Played {
    let mods = mods.iter().map(|(name, source)| text(name, source)).collect();
    play_in(place, mods, session, Setting { grants, ..Setting::default() }, false)
}

pub(crate) fn rules(rules: &str, asked: &[&str]) -> String {
    commands(asked).replace("mode = \"bypassPermissions\"", rules)
}

const CHANGES: &str = "export function register(on) { on('tool.call', { command: 'echo a >> out.txt' }, async ($, e, next) => next({ ...e, command: 'echo b >> out.txt' })) }";

pub(crate) fn command(row: &Value) -> &str {
    row["input"]["command"].as_str().unwrap_or_default()
}

/// Corrections of a call, however they are recorded: with the call itself where the hooks began before it was
/// committed, else as rows of their own. Who, from what, to what.
fn corrections(played: &Played, id: &str) -> Vec<(String, Value, Value)> {
    let mine = |row: &&modgate_harness::record::Row| row.text_at("callId") == Some(id);
    let at_commit = played.of_kind(kind::TOOL_CALL).into_iter().filter(mine).filter_map(|row| {
        let asked = row.data.get("asked")?.clone();
        Some((row.by.to_string(), asked, json!({ "tool": row.data["tool"], "input": row.data["input"] })))
    });
    let amends = played.of_kind(kind::TOOL_AMEND).into_iter().filter(mine);
    let amends = amends.map(|row| (row.by.to_string(), row.data["original"].clone(), row.data["effective"].clone()));
    at_commit.chain(amends).collect()
}

/// A mod without a grant that could see the call: corrections have to wait until it is logged.
const SEES: &str = "export function register(on) { on('tool.call', { tool: 'Write' }, async ($, e, next) => next(e)) }";

/// What the model is told beside its own calls.
fn told(played: &Played) -> String {
    let blocks = history(&played.rows, None).into_iter().flat_map(|message| message.content);
    let texts = blocks.filter_map(|block| match block {
        Block::ToolResult { content, .. } | Block::Text { text: content } => Some(content),
        Block::ToolUse { .. } => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_granted_rewrite_is_decided_before_the_call_is_committed() {
    let place = Place::new();
    let session = commands(&["echo a >> out.txt"]);
    let played = played(&place, &[("fixer", CHANGES)], &session, grants(&["fixer"], "rewrite = \"amend\""));
    assert_eq!(place.file("out.txt").as_deref(), Some("b\n"));
    assert!(played.of_kind(kind::TOOL_AMEND).is_empty());
    let call = played.of_kind(kind::TOOL_CALL)[0];
    assert_eq!(call.by.to_string(), "mod:fixer");
    assert_eq!((command(&call.data["asked"]), command(&call.data)), ("echo a >> out.txt", "echo b >> out.txt"));
    let audited = &audit(&played.rows).calls[0];
    assert_eq!(command(audited.asked.as_ref().unwrap()), "echo a >> out.txt");
    assert_eq!(command(&audited.committed), "echo b >> out.txt");
    assert_eq!(audited.decisions.len(), 1, "what is committed is decided about");
    assert_eq!(command(&audited.decisions[0]), "echo b >> out.txt");
    assert!(told(&played).contains("echo b >> out.txt") && told(&played).contains("mod:fixer"), "{}", told(&played));
    assert!(played.codes("fixer").is_empty());
}

#[test]
fn a_granted_rewrite_is_a_row_of_its_own_where_others_may_see_the_call() {
    let place = Place::new();
    let session = commands(&["echo a >> out.txt"]);
    let mods = [("fixer", CHANGES), ("sees", SEES)];
    let played = played(&place, &mods, &session, grants(&["fixer"], "rewrite = \"amend\""));
    assert_eq!(place.file("out.txt").as_deref(), Some("b\n"));
    let amend = played.of_kind(kind::TOOL_AMEND)[0];
    assert_eq!(amend.by.to_string(), "mod:fixer");
    assert_eq!(
        (command(&amend.data["original"]), command(&amend.data["effective"])),
        ("echo a >> out.txt", "echo b >> out.txt")
    );
    let call = &audit(&played.rows).calls[0];
    assert_eq!(command(&call.committed), "echo a >> out.txt");
    assert_eq!(call.decisions.len(), 2, "decided on the call, and again on the correction");
    assert!(told(&played).contains("echo b >> out.txt") && told(&played).contains("mod:fixer"), "{}", told(&played));
    assert!(played.codes("fixer").is_empty());
}

#[test]
fn without_its_grant_a_rewrite_is_refused_although_another_mod_has_one() {
    let place = Place::new();
    let other = "export function register(on) { on('tool.call', async ($, e, next) => next(e)) }";
    let mods = [("fixer", CHANGES), ("granted", other)];
    let played = played(&place, &mods, &commands(&["echo a >> out.txt"]), grants(&["granted"], "rewrite = \"amend\""));
    assert_eq!(place.file("out.txt").as_deref(), Some("a\n"));
    assert_eq!(played.codes("fixer"), ["call-rewritten"]);
    assert!(played.of_kind(kind::TOOL_AMEND).is_empty());
}

#[test]
fn a_grant_for_other_content_counts_for_nothing() {
    let place = Place::new();
    let stale = Grants::from_toml(
        "[[grant]]\nmod = \"fixer\"\nhash = \"modgate1:other\"\nrewrite = \"amend\"",
        &Places::default(),
    )
    .unwrap();
    let played = played(&place, &[("fixer", CHANGES)], &commands(&["echo a >> out.txt"]), stale);
    assert_eq!((place.file("out.txt").as_deref(), played.codes("fixer").len()), (Some("a\n"), 1));
}

#[test]
fn a_correction_into_a_denied_call_is_stopped() {
    let place = Place::new();
    let session = rules("allow = [\"Bash\"]\ndeny = [\"Bash(echo b *)\"]", &["echo a >> out.txt"]);
    let played = played(&place, &[("fixer", CHANGES)], &session, grants(&["fixer"], "rewrite = \"amend\""));
    assert_eq!(place.file("out.txt"), None);
    assert_eq!(played.result("c0")["executed"], json!([]));
    let decided = |played: &Played| -> Vec<String> {
        let rows = played.of_kind(kind::PERMISSION_DECISION).into_iter();
        rows.filter_map(|row| row.text_at("decision").map(str::to_string)).collect()
    };
    assert_eq!(decided(&played), ["deny"]);
    // The same where the call is logged first.
    let place = Place::new();
    let mods = vec![text("fixer", CHANGES), text("sees", SEES)];
    let setting = Setting { grants: grants(&["fixer"], "rewrite = \"amend\""), ..Setting::default() };
    let late = play_in(&place, mods, &session, setting, false);
    assert_eq!((place.file("out.txt"), decided(&late)), (None, vec!["allow".to_string(), "deny".to_string()]));
}

#[test]
fn hooks_of_a_call_that_is_refused_are_told_so_and_nothing_runs() {
    let source = "export function register(on) { on('tool.call', async ($, e, next) => { try { return await next({ ...e, command: 'echo b >> out.txt' }) } catch (x) { $.ui.log(x.message); return { deny: 'given up' } } }) }";
    let place = Place::new();
    let session = rules("deny = [\"Bash(echo b *)\"]", &["echo a >> out.txt"]);
    let played = played(&place, &[("fixer", source)], &session, grants(&["fixer"], "rewrite = \"amend\""));
    assert_eq!(place.file("out.txt"), None);
    assert_eq!(played.logged("fixer"), ["the call was refused before it ran"]);
    assert!(
        played.result("c0")["denied"].as_str().is_some_and(|why| why.contains("echo b")),
        "{}",
        played.result("c0")
    );
}

#[test]
fn an_answer_without_the_call_stands_although_the_hooks_began_early() {
    let source = "export function register(on) { on('tool.call', async () => ({ deny: 'not this one' })) }";
    let place = Place::new();
    let session = commands(&["echo a >> out.txt"]);
    let played = played(&place, &[("fixer", source)], &session, grants(&["fixer"], "rewrite = \"amend\""));
    assert_eq!((place.file("out.txt"), &played.result("c0")["denied"]), (None, &json!("not this one")));
    assert!(played.of_kind(kind::TOOL_CALL)[0].data.get("asked").is_none());
}

/// Whatever the mod that made it says, in one way or another.
#[test]
fn who_corrected_a_call_cannot_lift_what_is_decided_about_it() {
    let ways = [
        "on('tool.check', async () => ({ decision: 'allow', reason: 'mine' }))",
        "on('tool.check', async ($, e, next) => ({ ...(await next(e)), decision: 'allow', reason: 'mine' }))",
        "on('tool.check', async ($, e, next) => next({ ...e, input: { command: 'echo a >> out.txt' } }))",
        "on('tool.check', async ($, e, next) => /echo b/.test(e.input.command) ? { decision: 'ask', reason: 'mine' } : next(e))",
    ];
    let strict = "export function register(on) { on('tool.check', async ($, e, next) => /echo b/.test(e.input.command) ? { decision: 'deny', reason: 'not b' } : next(e)) }";
    for way in ways {
        let source = CHANGES.replace("register(on) {", &format!("register(on) {{ {way};"));
        // Asked about, with nobody there who could answer.
        let place = Place::new();
        let asked = rules("allow = [\"Bash\"]\nask = [\"Bash(echo b *)\"]", &["echo a >> out.txt"]);
        let alone = played(&place, &[("fixer", &source)], &asked, grants(&["fixer"], "rewrite = \"amend\""));
        assert_eq!((place.file("out.txt"), corrections(&alone, "c0").len()), (None, 1), "{way}");
        // Denied by a mod beneath it.
        let place = Place::new();
        let open = commands(&["echo a >> out.txt"]);
        let mods = [("fixer", source.as_str()), ("strict", strict)];
        let beneath = played(&place, &mods, &open, grants(&["fixer"], "rewrite = \"amend\""));
        assert_eq!((place.file("out.txt"), corrections(&beneath, "c0").len()), (None, 1), "{way}");
    }
}

#[test]
fn another_mod_may_lift_an_ask_and_the_one_that_corrected_may_be_stricter() {
    let asked = rules("allow = [\"Bash\"]\nask = [\"Bash(echo b *)\"]", &["echo a >> out.txt"]);
    let lifts =
        "export function register(on) { on('tool.check', async () => ({ decision: 'allow', reason: 'fine' })) }";
    let place = Place::new();
    played(&place, &[("fixer", CHANGES), ("lifts", lifts)], &asked, grants(&["fixer"], "rewrite = \"amend\""));
    assert_eq!(place.file("out.txt").as_deref(), Some("b\n"));
    let stricter = CHANGES.replace(
        "register(on) {",
        "register(on) { on('tool.check', async ($, e, next) => /echo b/.test(e.input.command) ? { decision: 'deny', reason: 'no' } : next(e));",
    );
    let place = Place::new();
    played(
        &place,
        &[("fixer", &stricter)],
        &commands(&["echo a >> out.txt"]),
        grants(&["fixer"], "rewrite = \"amend\""),
    );
    assert_eq!(place.file("out.txt"), None);
}

#[test]
fn a_granted_reroute_is_recorded_too() {
    let source = "export function register(on) { on('tool.call', { tool: 'Bash' }, async ($, e, next) => next({ tool: 'Write', tool_use_id: e.tool_use_id, file_path: 'out.txt', content: 'written' })) }";
    let place = Place::new();
    let session = commands(&["echo a >> out.txt"]);
    let played = played(&place, &[("fixer", source)], &session, grants(&["fixer"], "rewrite = \"amend\""));
    assert_eq!(place.file("out.txt").as_deref(), Some("written"));
    let (_, from, to) = &corrections(&played, "c0")[0];
    assert_eq!((&from["tool"], &to["tool"]), (&json!("Bash"), &json!("Write")));
    assert_eq!(played.result("c0")["executed"][0]["tool"], "Write");
    assert!(played.codes("fixer").is_empty(), "{:?}", played.codes("fixer"));
}

#[test]
fn two_mods_that_correct_one_call_are_both_named() {
    let second = "export function register(on) { on('tool.call', async ($, e, next) => next({ ...e, command: e.command.replace('b', 'c') })) }";
    let place = Place::new();
    let mods = [("first", CHANGES), ("second", second)];
    let played =
        played(&place, &mods, &commands(&["echo a >> out.txt"]), grants(&["first", "second"], "rewrite = \"amend\""));
    assert_eq!(place.file("out.txt").as_deref(), Some("c\n"));
    let found = corrections(&played, "c0");
    assert_eq!((found.len(), found[0].0.as_str()), (1, "mod:first,second"));
}

const RETRIES: &str = "export function register(on) { on('tool.call', async ($, e, next) => { let r; for (let i = 0; i < 5; i++) r = await next(e); return r }) }";

#[test]
fn granted_retries_are_numbered_and_at_most_three() {
    let place = Place::new();
    let session = commands(&["echo a >> out.txt"]);
    let played = played(&place, &[("again", RETRIES)], &session, grants(&["again"], "retry = \"record\""));
    assert_eq!(place.file("out.txt").as_deref(), Some("a\na\na\n"));
    let attempts = played.of_kind(kind::TOOL_ATTEMPT);
    let numbers: Vec<_> = attempts.iter().map(|row| (row.data["attempt"].as_u64(), row.by.to_string())).collect();
    assert_eq!(numbers, [(Some(2), "mod:again".to_string()), (Some(3), "mod:again".to_string())]);
    let keys: Vec<_> = attempts.iter().map(|row| row.text_at("idempotencyKey")).collect();
    assert_eq!(keys, [Some("c0#2"), Some("c0#3")]);
    let decided: Vec<_> =
        played.of_kind(kind::PERMISSION_DECISION).into_iter().map(|row| row.data["attempt"].as_u64()).collect();
    assert_eq!(decided, [Some(1), Some(2), Some(3)], "each attempt is decided about by itself");
    let reports: Vec<_> = played.of_kind(kind::MOD_REPORT).into_iter().filter_map(|row| row.text_at("code")).collect();
    assert_eq!(reports, ["call-repeated"]);
}

#[test]
fn without_a_grant_for_it_a_retry_gets_the_first_result() {
    let place = Place::new();
    let plain = "export function register(on) { on('tool.call', async ($, e, next) => next(e)) }";
    let mods = [("again", RETRIES), ("granted", plain)];
    let played = played(&place, &mods, &commands(&["echo a >> out.txt"]), grants(&["granted"], "retry = \"record\""));
    assert_eq!(place.file("out.txt").as_deref(), Some("a\n"));
    assert_eq!(played.codes("again"), ["next-repeated"]);
}

#[test]
fn a_host_without_corrections_refuses_whatever_is_granted() {
    let place = Place::new();
    let setting = Setting {
        host: "dsh",
        grants: grants(&["fixer"], "rewrite = \"amend\"\nretry = \"record\""),
        ..Setting::default()
    };
    let played = play_in(&place, vec![text("fixer", CHANGES)], &commands(&["echo a >> out.txt"]), setting, false);
    assert_eq!((place.file("out.txt").as_deref(), played.codes("fixer").len()), (Some("a\n"), 1));
}

#[test]
fn a_session_goes_on_after_a_correction_and_runs_nothing_again() {
    let place = Place::new();
    let first = commands(&["echo a >> out.txt"]);
    let amends = || Setting { grants: grants(&["fixer"], "rewrite = \"amend\""), ..Setting::default() };
    let before = play_in(&place, vec![text("fixer", CHANGES)], &first, amends(), false);
    let more = format!(
        "{first}[[prompt]]\ntext = \"more\"\n[[prompt.step]]\n[[prompt.step.call]]\ntool = \"Bash\"\nid = \"c9\"\ninput = {{ command = \"echo a >> out.txt\" }}\n"
    );
    let after = play_in(&place, vec![text("fixer", CHANGES)], &more, amends(), true);
    assert_eq!(place.file("out.txt").as_deref(), Some("b\nb\n"));
    assert_eq!(after.rows[..before.rows.len()], before.rows, "what was written stays");
    assert_eq!((corrections(&after, "c0").len(), corrections(&after, "c9").len()), (1, 1));
    let replayed = read(&place.record).unwrap().rows;
    assert_eq!(presentation(&replayed), presentation(&after.rows));
}

/// What a hook does on its way.
#[derive(Clone, Copy, Debug)]
enum Step {
    Pass,
    /// The third is one that a rule denies.
    Rewrite(u8),
    Reroute,
}

#[derive(Clone, Copy, Debug)]
enum End {
    Answer,
    Deny,
    Throw,
    Replace,
}

#[derive(Clone, Debug)]
struct Behaviour {
    steps: Vec<Step>,
    end: End,
    is_granted: bool,
    /// It allows everything it is asked about.
    lifts: bool,
}

fn behaviour() -> impl Strategy<Value = Behaviour> {
    let step = prop_oneof![2 => Just(Step::Pass), 4 => (0..3_u8).prop_map(Step::Rewrite), 1 => Just(Step::Reroute)];
    let end = prop_oneof![6 => Just(End::Answer), 1 => Just(End::Deny), 1 => Just(End::Throw), 1 => Just(End::Replace)];
    (prop::collection::vec(step, 0..3), end, prop::bool::weighted(0.7), prop::bool::ANY)
        .prop_map(|(steps, end, is_granted, lifts)| Behaviour { steps, end, is_granted, lifts })
}

const OTHERS: [&str; 3] = ["echo other0 >> out.txt", "echo other1 >> out.txt", "echo denied >> out.txt"];

impl Behaviour {
    fn source(&self) -> String {
        let mut body = String::from("let last\n");
        for step in &self.steps {
            body += &match step {
                Step::Pass => "try { last = await next(e) } catch {}\n".to_string(),
                Step::Rewrite(n) => {
                    format!(
                        "try {{ last = await next({{ ...e, command: '{}' }}) }} catch {{}}\n",
                        OTHERS[usize::from(*n)]
                    )
                }
                Step::Reroute => {
                    "try { last = await next({ tool: 'Read', tool_use_id: e.tool_use_id, file_path: 'a' }) } catch {}\n"
                        .to_string()
                }
            };
        }
        body += match self.end {
            End::Answer => "return last ?? await next(e)\n",
            End::Deny => "return { deny: 'not this' }\n",
            End::Throw => "throw new RangeError('thrown')\n",
            End::Replace => "return { result: { stdout: 'replaced', stderr: '', interrupted: false } }\n",
        };
        let lifts =
            if self.lifts { "on('tool.check', async () => ({ decision: 'allow', reason: 'mine' }))" } else { "" };
        format!("export function register(on) {{ {lifts}\non('tool.call', async ($, e, next) => {{\n{body}}}) }}\n")
    }
}

const COMMANDS: [&str; 2] = ["echo first >> out.txt", "echo second >> out.txt"];

fn session(stack: &[Behaviour]) -> (Place, Played) {
    let place = Place::new();
    let names: Vec<String> = (0..stack.len()).map(|index| format!("m{index}")).collect();
    let granted: Vec<&str> =
        names.iter().zip(stack).filter(|(_, one)| one.is_granted).map(|(name, _)| name.as_str()).collect();
    let mods = names.iter().zip(stack).map(|(name, one)| text(name, &one.source())).collect();
    let setting =
        Setting { hook: Duration::from_secs(5), grants: grants(&granted, "rewrite = \"amend\""), ..Setting::default() };
    let rules = "allow = [\"Bash\", \"Read\"]\ndeny = [\"Bash(echo denied *)\"]";
    let played = play_in(&place, mods, &rules_of(rules), setting, false);
    (place, played)
}

fn rules_of(text: &str) -> String {
    rules(text, &COMMANDS)
}

/// Executed = effective = shown; the history holds the call and the correction; audit holds both.
fn one_effective_call(place: &Place, played: &Played, granted: &[String]) {
    let shown = presentation(&played.rows);
    let told = told(played);
    let mut lines = Vec::new();
    for (index, asked) in COMMANDS.iter().enumerate() {
        let id = format!("c{index}");
        let asked = json!({ "tool": "Bash", "input": { "command": asked } });
        let call = audit(&played.rows).calls.into_iter().find(|call| call.call_id == id).expect("every call is logged");
        assert_eq!(call.asked.as_ref(), Some(&asked), "the audit holds what the model asked for");
        let found = corrections(played, &id);
        let at_commit = call.committed != asked;
        let amends = &found[usize::from(at_commit)..];
        let effective = found.last().map_or(&asked, |(_, _, effective)| effective);
        let executed = played.result(&id)["executed"].as_array().cloned().unwrap_or_default();
        assert!(executed.len() <= 1, "{id} ran {} times", executed.len());
        for one in &executed {
            assert_eq!(one, effective);
            // A command that comes along to another tool is just a field.
            if one["tool"] == "Bash" {
                assert_ne!(command(one), OTHERS[2], "a denied command ran");
                lines.extend(command(one).split(' ').nth(1).map(str::to_string));
            }
        }
        assert_eq!(
            call.amendments.iter().map(|one| one.call.clone()).collect::<Vec<_>>(),
            amends.iter().map(|(_, _, effective)| effective.clone()).collect::<Vec<_>>()
        );
        assert_eq!(call.decisions.len(), 1 + amends.len(), "decided again on each correction of a logged call");
        for (by, from, to) in &found {
            let names = by.trim_start_matches("mod:").split(',');
            assert!(names.into_iter().all(|name| granted.iter().any(|one| one == name)), "{by} has no grant");
            assert!(*from == asked || *from == call.committed);
            assert!(told.contains(&to.to_string()), "the model is told what ran: {told}");
        }
        let held = history(&played.rows, None).into_iter().flat_map(|message| message.content);
        let held = held.filter(|block| matches!(block, Block::ToolUse { id: other, name, input } if *other == id && name == "Bash" && *input == asked["input"]));
        assert_eq!(held.count(), 1, "the history holds the model's own call");
        let seen = shown.iter().filter(|item| {
            matches!(item, Item::Call { call_id, tool, input, .. }
            if *call_id == id && json!({ "tool": tool, "input": input }) == *effective)
        });
        assert_eq!(seen.count(), 1, "{id} is shown as it ran");
    }
    let ran: Vec<String> = place.file("out.txt").unwrap_or_default().lines().map(str::to_string).collect();
    assert_eq!(ran, lines.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>());
    assert_eq!(read(&place.record).expect("the record verifies").rows, played.observed);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, max_shrink_iters: 64, ..ProptestConfig::default() })]

    #[test]
    fn corrections_are_what_runs_and_what_is_recorded(stack in prop::collection::vec(behaviour(), 1..=3)) {
        let (place, played) = session(&stack);
        let granted: Vec<String> = stack.iter().enumerate().filter(|(_, one)| one.is_granted).map(|(at, _)| format!("m{at}")).collect();
        one_effective_call(&place, &played, &granted);
        for (at, one) in stack.iter().enumerate().filter(|(_, one)| !one.is_granted) {
            let changes = one.steps.iter().take_while(|step| !matches!(step, Step::Pass)).next().is_some();
            // Who is above may keep the call from it.
            if changes && at == 0 {
                let codes = played.codes("m0");
                prop_assert!(codes.iter().any(|code| code == "call-rewritten" || code == "call-rerouted"), "{codes:?}");
            }
        }
    }
}

/// Keeps the rows of a record up to the first of that kind, as a crash right after it would have.
fn crash_after(place: &Place, wanted: &str) {
    let text = std::fs::read_to_string(&place.record).unwrap();
    let mark = format!("\"kind\":\"{wanted}\"");
    let end = text.find(&mark).and_then(|at| text[at..].find('\n').map(|line| at + line + 1)).unwrap();
    std::fs::write(&place.record, &text[..end]).unwrap();
    let _ = std::fs::remove_file(place.work.join("out.txt"));
}

#[test]
fn a_corrected_call_that_a_crash_interrupted_is_not_run_by_anybody_later() {
    for (mods, last) in [
        (vec![("fixer", CHANGES)], kind::TOOL_CALL),
        (vec![("fixer", CHANGES)], kind::PERMISSION_DECISION),
        (vec![("fixer", CHANGES), ("sees", SEES)], kind::TOOL_AMEND),
    ] {
        let place = Place::new();
        let session = commands(&["echo a >> out.txt"]);
        let setting = || Setting { grants: grants(&["fixer"], "rewrite = \"amend\""), ..Setting::default() };
        let sources = || mods.iter().map(|(name, source)| text(name, source)).collect::<Vec<_>>();
        play_in(&place, sources(), &session, setting(), false);
        crash_after(&place, last);
        let after = play_in(&place, sources(), &session, setting(), true);
        assert_eq!(place.file("out.txt"), None, "{last}");
        assert_eq!(after.result("c0")["interrupted"], true);
        assert_eq!(corrections(&after, "c0").len(), 1, "the correction is part of the record");
        assert!(told(&after).contains("echo b >> out.txt"), "{last}: {}", told(&after));
        let replayed = read(&place.record).unwrap().rows;
        assert_eq!(presentation(&replayed), presentation(&after.rows));
        assert_eq!(history(&replayed, None), history(&after.rows, None));
    }
}
