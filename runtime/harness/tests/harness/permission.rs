//! Rules, modes and shell commands. Denied cases come first.

use modgate_harness::permission::{Decision, Mode, Permissions, Verdict, analyse};
use modgate_harness::tools::Effect;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::Place;

fn permissions(mode: Mode, allow: &[&str], ask: &[&str], deny: &[&str]) -> Permissions {
    let texts = |rules: &[&str]| rules.iter().map(|rule| rule.to_string()).collect::<Vec<_>>();
    Permissions::parse(mode, &texts(allow), &texts(ask), &texts(deny), "test").unwrap()
}

fn bash(permissions: &Permissions, command: &str) -> Verdict {
    let root = std::path::Path::new("/nowhere/work");
    permissions.decide("Bash", Effect::Runs, &json!({ "command": command }), root)
}

#[track_caller]
fn check(allow: &[&str], ask: &[&str], deny: &[&str], cases: &[(&str, Decision)]) {
    let permissions = permissions(Mode::Default, allow, ask, deny);
    for (command, expected) in cases {
        let verdict = bash(&permissions, command);
        assert_eq!(verdict.decision, *expected, "{command}: {verdict:?}");
    }
}

use Decision::{Allow, Ask, Deny};

#[test]
fn deny_beats_ask_beats_allow() {
    check(
        &["Bash(git *)"],
        &["Bash(git push *)"],
        &["Bash(git push --force *)"],
        &[("git push --force origin", Deny), ("git push origin", Ask), ("git log", Allow), ("ls", Ask)],
    );
}

#[test]
fn a_denied_part_denies_the_whole() {
    let hidden = [
        "ls && rm -rf /",
        "ls; rm -rf /",
        "ls | rm -rf /",
        "ls || rm x",
        "ls & rm x",
        "ls\nrm x",
        "echo $(rm x)",
        "echo \"$(rm x)\"",
        "echo `rm x`",
        "echo ${y:-$(rm x)}",
        "cat <(rm x)",
        "(ls; rm x)",
        "{ ls; rm x; }",
        "if true; then rm x; fi",
        "while rm x; do ls; done",
        "! rm x",
        "sudo rm x",
        "sudo -u root rm x",
        "env A=1 rm x",
        "A=1 rm x",
        "timeout 5 rm x",
        "/bin/rm x",
        "r\"m\" x",
        "\\rm x",
        "'rm' x",
        "bash -c 'ls; rm x'",
        "sh -c \"rm x\"",
        "eval 'rm x'",
        "xargs rm x",
        "echo $(echo $(rm x))",
        "rm  x",
        "rm\tx",
        "ls > out; rm x",
        "find . -exec rm x ;",
    ];
    let cases: Vec<_> = hidden.iter().map(|command| (*command, Deny)).collect();
    check(&["Bash"], &[], &["Bash(rm *)"], &cases);
}

#[test]
fn every_part_has_to_be_allowed() {
    check(
        &["Bash(git *)", "Bash(ls)"],
        &[],
        &[],
        &[
            ("git status && ls", Allow),
            ("git log | ls", Allow),
            ("git status && make", Ask),
            ("git log $(make)", Ask),
            ("git log; `make`", Ask),
            ("ls -la", Ask),
            ("git log > /dev/null 2>&1", Allow),
            ("git log > out.txt", Ask),
            ("git log 2> /etc/passwd", Ask),
            ("git log &> out", Ask),
            ("git log < notes.txt", Allow),
            ("git log < /etc/passwd", Ask),
            ("timeout 5 git status", Allow),
            ("PAGER=make git log", Ask),
            ("sudo git log", Ask),
            ("git log # ; make", Allow),
            ("git log \"; make\"", Allow),
        ],
    );
}

#[test]
fn what_is_not_understood_is_not_allowed_by_a_pattern() {
    let opaque = [
        "git log 'unclosed",
        "git log $(unclosed",
        "git log <<EOF\nx\nEOF",
        "$GIT log",
        "g* log",
        "for x in a; do git log; done",
        "git() { make; }",
        "git log )",
        "git log $'x'",
        "",
    ];
    let cases: Vec<_> = opaque.iter().map(|command| (*command, Ask)).collect();
    check(&["Bash(git *)", "Bash($GIT *)", "Bash(g*)"], &[], &[], &cases);
    let cases: Vec<_> = opaque.iter().map(|command| (*command, Allow)).collect();
    check(&["Bash"], &[], &[], &cases);
}

#[test]
fn patterns_of_commands() {
    check(
        &["Bash(npm run test:*)"],
        &[],
        &[],
        &[("npm run test", Allow), ("npm run test unit", Allow), ("npm run tests", Ask), ("npm run test:unit", Ask)],
    );
    check(&["Bash(git *)"], &[], &[], &[("git", Allow), ("git log", Allow), ("gitk", Ask)]);
    check(&["Bash(ls*)"], &[], &[], &[("ls", Allow), ("lsof", Allow), ("cat", Ask)]);
    check(&["Bash(* --version)"], &[], &[], &[("node --version", Allow), ("node --versions", Ask)]);
    check(&["Bash(git * main)"], &[], &[], &[("git push main", Allow), ("git push", Ask), ("git main", Ask)]);
    check(&["Bash(npm run build)"], &[], &[], &[("npm run build", Allow), ("npm run build x", Ask)]);
    check(&["Bash(*)"], &[], &[], &[("anything at all", Allow)]);
}

#[test]
fn modes() {
    let root = Place::new();
    let decide = |mode, tool: &str, effect, input: Value| {
        permissions(mode, &["Bash(ls)"], &[], &["Read(.env)"]).decide(tool, effect, &input, &root.work).decision
    };
    let file = |name: &str| json!({ "file_path": root.work.join(name) });
    let cases = [
        (Mode::Default, "Read", Effect::Reads, file("a"), Allow),
        (Mode::Default, "Read", Effect::Reads, file(".env"), Deny),
        (Mode::Default, "Read", Effect::Reads, file("../b"), Ask),
        (Mode::Default, "Edit", Effect::Edits, file("a"), Ask),
        (Mode::Default, "TodoWrite", Effect::None, json!({}), Allow),
        (Mode::AcceptEdits, "Edit", Effect::Edits, file("a"), Allow),
        (Mode::AcceptEdits, "Write", Effect::Edits, file("../b"), Ask),
        (Mode::AcceptEdits, "Bash", Effect::Runs, json!({ "command": "make" }), Ask),
        (Mode::Plan, "Read", Effect::Reads, file("a"), Allow),
        (Mode::Plan, "Edit", Effect::Edits, file("a"), Deny),
        (Mode::Plan, "Bash", Effect::Runs, json!({ "command": "ls" }), Deny),
        (Mode::BypassPermissions, "Bash", Effect::Runs, json!({ "command": "make" }), Allow),
        (Mode::BypassPermissions, "Write", Effect::Edits, file("../b"), Allow),
        (Mode::BypassPermissions, "Read", Effect::Reads, file(".env"), Deny),
    ];
    for (mode, tool, effect, input, expected) in cases {
        assert_eq!(decide(mode, tool, effect, input.clone()), expected, "{mode:?} {tool} {input}");
    }
    let edits = |command| {
        let accept = permissions(Mode::AcceptEdits, &["Bash(echo *)"], &[], &["Edit(secret/**)"]);
        accept.decide("Bash", Effect::Runs, &json!({ "command": command }), &root.work).decision
    };
    assert_eq!(edits("echo x > a.txt"), Allow);
    assert_eq!(edits("echo x > /etc/passwd"), Ask);
    assert_eq!(edits("echo x > secret/a"), Deny);
    assert_eq!(edits("cd secret && echo x > a"), Ask, "where that goes is not followed");
    assert_eq!(edits("cd secret; echo x"), Ask);
    let accept = permissions(Mode::AcceptEdits, &["Bash(echo *)"], &[], &["Edit(secret/**)"]);
    let input = json!({ "command": "echo x > a" });
    let shell = root.work.join("secret");
    assert_eq!(accept.decide_in("Bash", Effect::Runs, &input, &root.work, &shell).decision, Deny);
}

#[test]
fn path_rules() {
    let place = Place::new();
    std::fs::create_dir(place.work.join("src")).unwrap();
    std::fs::write(place.work.join(".env"), "secret").unwrap();
    std::os::unix::fs::symlink(".env", place.work.join("harmless")).unwrap();
    std::os::unix::fs::symlink("/etc", place.work.join("out")).unwrap();
    let decide = |allow: &[&str], deny: &[&str], tool: &str, path: &str| {
        let effect = if tool == "Read" { Effect::Reads } else { Effect::Edits };
        let input = json!({ "file_path": path });
        permissions(Mode::Default, allow, &[], deny).decide(tool, effect, &input, &place.work).decision
    };
    assert_eq!(decide(&[], &["Read(.env)"], "Read", "harmless"), Deny, "a link counts as what it names");
    assert_eq!(decide(&[], &["Read(.env)"], "Read", "src/../.env"), Deny);
    assert_eq!(decide(&[], &["Read(.env)"], "Read", "src/.env"), Deny, "a bare name holds at any depth");
    assert_eq!(decide(&[], &["Read(./.env)"], "Read", ".env"), Deny);
    assert_eq!(decide(&[], &["Read(//etc/**)"], "Read", "out/passwd"), Deny);
    assert_eq!(decide(&["Read"], &[], "Read", "out/passwd"), Allow);
    assert_eq!(decide(&["Read(out/**)"], &[], "Read", "out/passwd"), Ask, "inside by name, outside in truth");
    assert_eq!(decide(&["Edit(src/**)"], &[], "Write", "src/a/b.rs"), Allow, "Edit covers every editor");
    assert_eq!(decide(&["Edit(src/**)"], &[], "Edit", "src/../lib.rs"), Ask);
    assert_eq!(decide(&["Edit(src)"], &[], "MultiEdit", "src/a.rs"), Allow, "a folder covers what is in it");
    assert_eq!(decide(&["Edit(src/*.rs)"], &[], "Edit", "src/a/b.rs"), Ask, "one star stays in its folder");
    assert_eq!(decide(&["Write"], &[], "Edit", "src/a.rs"), Ask);
}

#[test]
fn other_tools() {
    let decide = |allow: &[&str], deny: &[&str], tool: &str, input: Value| {
        let root = std::path::Path::new("/nowhere");
        permissions(Mode::Default, allow, &[], deny).decide(tool, Effect::Runs, &input, root).decision
    };
    assert_eq!(decide(&["mcp__*"], &["mcp__db__drop"], "mcp__db__drop", json!({})), Deny);
    assert_eq!(decide(&["mcp__*"], &[], "mcp__git__log", json!({})), Allow);
    assert_eq!(decide(&["mcp__git"], &[], "mcp__git__log", json!({})), Ask);
    assert_eq!(decide(&["WebFetch(domain:docs.rs)"], &[], "WebFetch", json!({ "url": "https://x" })), Ask);
    assert_eq!(decide(&[], &["Agent(explor*)"], "Agent", json!({ "subagent_type": "explorer" })), Deny);
}

#[test]
fn a_decision_says_rule_source_and_reason() {
    let permissions = permissions(Mode::Default, &[], &[], &["Bash(rm *)"]);
    let verdict = bash(&permissions, "ls && rm x");
    assert_eq!((verdict.rule.as_deref(), verdict.source.as_str()), (Some("Bash(rm *)"), "test"));
    assert!(verdict.reason.contains("Bash(rm *)"));
    let verdict = bash(&permissions, "make");
    assert_eq!((verdict.rule, verdict.source.as_str()), (None, "mode:default"));
    assert!(verdict.reason.contains("make"));
}

#[test]
fn broken_rules_are_named() {
    for text in ["", "Bash(", "Bash(x", "(x)", "Bash()", "Two Words", "Read([)"] {
        let error = Permissions::parse(Mode::Default, &[text.to_owned()], &[], &[], "test").unwrap_err();
        assert_eq!(error.text, text);
    }
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["git", "ls", "make", "log", "-x", "a.txt", "'q u'", "\"d $x\"", "$v"])
        .prop_map(str::to_owned)
}

fn command() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 1..4).prop_map(|words| words.join(" "))
}

fn joined() -> impl Strategy<Value = String> {
    let sign = prop::sample::select(vec![" && ", " || ", "; ", " | ", "\n", " & ", " |& "]);
    prop::collection::vec((command(), sign), 0..3)
        .prop_map(|parts| parts.into_iter().map(|(command, sign)| format!("{command}{sign}")).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_denied_command_is_found_wherever_it_stands(before in joined(), after in joined(), wrap in 0..6_usize) {
        let command = match wrap {
            0 => format!("{before}rm x"),
            1 => format!("{before}echo \"$(rm x)\"; {after}ls"),
            2 => format!("{before}( rm x ); {after}ls"),
            3 => format!("{before}echo `rm x`; {after}ls"),
            4 => format!("{before}bash -c 'rm x'; {after}ls"),
            _ => format!("{before}rm x > /dev/null; {after}ls"),
        };
        let permissions = permissions(Mode::BypassPermissions, &["Bash"], &[], &["Bash(rm *)"]);
        prop_assert_eq!(bash(&permissions, &command).decision, Deny, "{}", command);
    }

    #[test]
    fn an_unlisted_command_is_never_allowed_by_patterns(before in joined(), after in joined()) {
        let permissions = permissions(Mode::Default, &["Bash(git *)", "Bash(ls *)", "Bash(log *)"], &[], &[]);
        let command = format!("{before}curl x; {after}ls");
        prop_assert_ne!(bash(&permissions, &command).decision, Allow, "{}", command);
    }

    #[test]
    fn any_text_is_taken_apart_without_a_panic(text in "\\PC{0,60}") {
        let analysis = analyse(&text);
        prop_assert!(analysis.opaque.is_some() || !analysis.parts.is_empty());
    }

    #[test]
    fn shell_signs_are_taken_apart_without_a_panic(text in "[a \"'`$(){}<>|&;\\\\#\n0=-]{0,40}") {
        let analysis = analyse(&text);
        prop_assert!(analysis.opaque.is_some() || !analysis.parts.is_empty());
    }

    #[test]
    fn a_pattern_without_stars_matches_itself_alone(name in "x[a-z]{0,7}( [a-z]{1,8}){0,2}", other in "[a-z]{1,8}") {
        let rule = format!("Bash({name})");
        let permissions = permissions(Mode::Default, &[&rule], &[], &[]);
        prop_assert_eq!(bash(&permissions, &name).decision, Allow);
        let longer = format!("{name} {other}");
        prop_assert_eq!(bash(&permissions, &longer).decision, Ask);
    }
}
