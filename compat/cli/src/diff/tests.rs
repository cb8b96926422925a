use modgate_validate::Verdict;
use modgate_validate::report::{Literal, Matcher, Nouns, Setup, Span, Uses};

use super::*;

fn at() -> Location {
    Location {
        file: "hooks/a.js".into(),
        span: Span { start: 0, end: 0, line: 1, column: 1, end_line: 1, end_column: 1 },
    }
}

fn named(names: &[&str]) -> Vec<Named> {
    names.iter().map(|name| Named { name: (*name).into(), at: at() }).collect()
}

fn calls(names: &[&str]) -> Vec<Call> {
    names.iter().map(|name| Call { name: (*name).into(), via: Vec::new(), at: at() }).collect()
}

fn no_facts() -> Facts {
    Facts {
        uses: Uses::default(),
        hooks: Vec::new(),
        next_to: Vec::new(),
        nouns: Some(Nouns::default()),
        telemetry: Vec::new(),
        clients: Vec::new(),
        breaks_prompt_cache: Vec::new(),
    }
}

fn report(facts: Option<Facts>) -> Report {
    Report {
        name: None,
        version: None,
        verdict: Verdict::Accept,
        diagnostics: Vec::new(),
        module: None,
        facts,
        setup: Setup::default(),
        sources: Vec::new(),
    }
}

fn with(change: impl FnOnce(&mut Facts)) -> Report {
    let mut facts = no_facts();
    change(&mut facts);
    report(Some(facts))
}

#[track_caller]
fn check(old: &Report, new: &Report, more: &[(Kind, &str)], less: &[(Kind, &str)]) {
    let found = compare(old, new);
    let short =
        |changes: &[Change]| changes.iter().map(|change| (change.kind, change.name.clone())).collect::<Vec<_>>();
    let expected =
        |changes: &[(Kind, &str)]| changes.iter().map(|(kind, name)| (*kind, (*name).to_owned())).collect::<Vec<_>>();
    assert_eq!((short(&found.more), short(&found.less)), (expected(more), expected(less)));
}

fn hook_on(pattern: &str, tool: Option<&str>, is_gate: bool, can_deny: bool) -> modgate_validate::report::HookFact {
    let fields = tool.map(|tool| ("tool".to_owned(), Matcher::Is(Literal::String(tool.into())))).into_iter().collect();
    modgate_validate::report::HookFact {
        pattern: pattern.into(),
        matcher: Some(Matcher::Has(fields)),
        default_keys: Vec::new(),
        is_gate,
        has_catch: false,
        can_deny,
        at: at(),
    }
}

#[test]
fn equal_versions_differ_in_nothing() {
    let both = with(|facts| {
        facts.hooks = vec![hook_on("tool.call", None, true, true)];
        facts.uses.calls = calls(&["fs.read"]);
    });
    check(&both, &both, &[], &[]);
    check(&report(None), &report(None), &[], &[]);
}

#[test]
fn a_module_where_there_was_none_is_all_new() {
    let new = with(|facts| facts.uses.calls = calls(&["fs.read"]));
    check(&report(None), &new, &[(Kind::Call, "$.fs.read")], &[]);
    check(&new, &report(None), &[], &[(Kind::Call, "$.fs.read")]);
}

#[test]
fn a_wider_matcher_is_more() {
    let bash = with(|facts| facts.hooks = vec![hook_on("tool.call", Some("Bash"), true, false)]);
    let any = with(|facts| facts.hooks = vec![hook_on("tool.call", None, true, false)]);
    let narrow = [(Kind::Event, "tool.call{tool=Bash}")];
    check(&bash, &any, &[(Kind::Event, "tool.call")], &[]);
    check(&any, &bash, &[], &[(Kind::Event, "tool.call")]);
    check(&report(None), &bash, &narrow, &[]);
}

#[test]
fn a_hook_that_newly_denies_is_more() {
    let asks = with(|facts| facts.hooks = vec![hook_on("tool.call", None, true, false)]);
    let denies = with(|facts| facts.hooks = vec![hook_on("tool.call", None, true, true)]);
    check(&asks, &denies, &[(Kind::Refuses, "tool.call")], &[]);
    // An answer that denies means nothing where the event cannot be refused.
    let harmless = with(|facts| facts.hooks = vec![hook_on("tool.call", None, false, true)]);
    check(&asks, &harmless, &[], &[]);
}

#[test]
fn every_list_of_names_counts() {
    let new = with(|facts| {
        facts.uses.env.reads = named(&["A"]);
        facts.uses.env.writes = named(&["B"]);
        facts.uses.state.reads = vec![StateKey { plugin: "p".into(), key: "k".into(), at: at() }];
        facts.uses.state.writes = facts.uses.state.reads.clone();
        facts.next_to = named(&["core"]);
        facts.nouns = Some(Nouns {
            adds: named(&["n1"]),
            adds_unless_there: named(&["n2"]),
            withholds: named(&["n3"]),
            replaces: named(&["n4"]),
        });
        facts.telemetry = named(&["t"]);
        facts.clients = named(&["c.tsx"]);
        facts.breaks_prompt_cache = named(&["Date.now"]);
    });
    let all = [
        (Kind::EnvRead, "A"),
        (Kind::EnvWrite, "B"),
        (Kind::StateRead, "p.k"),
        (Kind::StateWrite, "p.k"),
        (Kind::NextTo, "core"),
        (Kind::NounAdded, "n1"),
        (Kind::NounAdded, "n2"),
        (Kind::NounWithheld, "n3"),
        (Kind::NounReplaced, "n4"),
        (Kind::Telemetry, "t"),
        (Kind::Client, "c.tsx"),
        (Kind::PromptCache, "Date.now"),
    ];
    check(&report(None), &new, &all, &[]);
    check(&new, &with(|_| {}), &[], &all);
}

#[test]
fn computed_nouns_could_be_any() {
    let adds = with(|facts| facts.nouns = Some(Nouns { adds: named(&["n"]), ..Nouns::default() }));
    let any = with(|facts| {
        facts.hooks = vec![hook_on("engine.create", None, false, false)];
        facts.nouns = None;
    });
    let hooks = (Kind::Event, "engine.create");
    check(&adds, &any, &[hooks, (Kind::NounReplaced, "anything (computed)")], &[]);
    check(&any, &any, &[], &[]);
}

fn fetching(named_hosts: &[&str], unread: bool) -> Report {
    with(|facts| {
        facts.uses.calls = calls(&["http.fetch"]);
        facts.uses.hosts =
            Reach { named: named(named_hosts), unread: named(if unread { &["http.fetch"] } else { &[] }) };
    })
}

#[test]
fn a_computed_name_could_be_any() {
    let (one, two, any) = (fetching(&["a.com"], false), fetching(&["a.com", "b.com"], false), fetching(&[], true));
    check(&one, &two, &[(Kind::Host, "b.com")], &[]);
    check(&one, &any, &[(Kind::Host, "anything (computed by $.http.fetch)")], &[]);
    check(&any, &two, &[], &[(Kind::Host, "anything (computed by $.http.fetch)")]);
}

#[test]
fn a_computed_name_of_one_call_says_nothing_about_another() {
    let old = with(|facts| {
        facts.uses.calls = calls(&["fs.read", "fs.write"]);
        facts.uses.files = Reach { named: named(&["log.txt"]), unread: named(&["fs.read"]) };
    });
    let new = with(|facts| {
        facts.uses.calls = calls(&["fs.read", "fs.write"]);
        facts.uses.files = Reach { named: named(&["log.txt", "keys.txt"]), unread: named(&["fs.read"]) };
    });
    check(&old, &new, &[(Kind::File, "keys.txt")], &[]);
}

#[test]
fn options_count_when_more_is_asked() {
    let asking = |required, sensitive| {
        let mut report = report(None);
        let option = OptionFact { name: "key".into(), kind: "string".into(), required, sensitive, at: at() };
        report.setup.options = vec![option];
        report
    };
    check(&report(None), &asking(false, false), &[(Kind::Option, "key")], &[]);
    check(&asking(false, false), &asking(true, false), &[(Kind::Option, "key")], &[]);
    check(&asking(false, false), &asking(false, true), &[(Kind::Option, "key")], &[]);
    check(&asking(true, true), &asking(true, true), &[], &[]);
}

#[test]
fn settings_hooks_count_by_what_they_run() {
    let running = |matcher: Option<&str>, does: &str| {
        let mut report = report(None);
        report.setup.classic_hooks = vec![ClassicHook {
            event: "PreToolUse".into(),
            matcher: matcher.map(str::to_owned),
            kind: "command".into(),
            does: does.into(),
            at: at(),
        }];
        report
    };
    let (any, bash) =
        ([(Kind::SettingsHook, "PreToolUse: command `a`")], [(Kind::SettingsHook, "PreToolUse Bash: command `a`")]);
    check(&report(None), &running(Some("Bash"), "a"), &bash, &[]);
    check(&running(Some("Bash"), "a"), &running(None, "a"), &any, &[]);
    check(&running(None, "a"), &running(Some("Bash"), "a"), &[], &any);
    check(&running(None, "b"), &running(None, "a"), &any, &[(Kind::SettingsHook, "PreToolUse: command `b`")]);
}
