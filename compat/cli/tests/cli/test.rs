//! `modgate test`: what passes, what never does, and how it is told.

use crate::fixture::{Ran, Room};
use serde_json::Value;

const ECHO: &str = "export function register(on) {\n  on('tool.call', async ($, e, next) => next(e))\n}\n";
const PASSES: &str = "import { expect, test } from 'claude-code/testing'\n\
    test('adds', () => { expect(1 + 1).toBe(2) })\n";

/// A mod `guard` with one test file.
fn room(module: &str, test: &str) -> Room {
    let room = Room::with_mod(module);
    room.file("guard/tests/guard.test.ts", test);
    room
}

/// The codes of everything because of which something failed.
fn codes(ran: &Ran) -> Vec<String> {
    let document: Value = ran.json();
    let files = document["mods"].as_array().unwrap().iter().flat_map(|one| one["files"].as_array().unwrap());
    let of_file = |file: &Value| {
        let tests = file["tests"].as_array().unwrap().iter().flat_map(|test| test["problems"].as_array().unwrap());
        let all: Vec<_> = tests.chain([&file["problem"]]).filter_map(|problem| problem["code"].as_str()).collect();
        all.into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    files.flat_map(of_file).collect()
}

/// That a test file fails with these codes.
#[track_caller]
fn fails(module: &str, test: &str, expected: &[&str]) {
    let ran = room(module, test).run(&["test", "--json"]);
    assert_eq!(codes(ran.ended(1)), expected, "{ran}");
}

#[test]
fn tests_that_pass() {
    let ran = room(ECHO, PASSES).run(&["test"]);
    assert!(ran.ended(0).out.starts_with("✓ guard/tests/guard.test.ts  1 test, "), "{ran}");
    assert!(ran.out.contains("\n1 passed  1 file of 1 mod, "), "{ran}");
    assert_eq!(ran.err, "");
}

#[test]
fn a_failure_names_place_sides_and_skipped_hooks() {
    let module = "export function register(on) {\n  on('tool.call', async () => { throw new Error('lost') })\n}\n";
    let test = "import { expect, test } from 'claude-code/testing'\n\
        test('answers', async ($, on) => {\n\
        \x20 on('tool.call', () => ({ result: 'core' }))\n\
        \x20 const answer = await $.tool.call({ tool: 'Bash', command: 'x' })\n\
        \x20 expect(answer.result).toBe('mod')\n})\n";
    let ran = room(module, test).run(&["test"]);
    let expected = ["✗ answers", "guard/tests/guard.test.ts:5:25", "expected: \"mod\"", "received: \"core\"", "lost"];
    for part in expected {
        assert!(ran.ended(1).out.contains(part), "{part}\n{ran}");
    }
    assert!(ran.out.contains("guard on tool.call at guard/hooks/register.js:2:"), "{ran}");
    assert!(ran.out.contains("0 passed, 1 failed"), "{ran}");
}

#[test]
fn sides_of_several_lines_are_shown_as_a_diff() {
    let test = "import { expect, test } from 'claude-code/testing'\n\
        test('text', () => { expect('a\\nb\\nc').toBe('a\\nB\\nc') })\n";
    let ran = room(ECHO, test).run(&["test"]);
    let expected = ["- expected\n", "+ received\n", "- B\n", "+ b\n"];
    for line in expected {
        assert!(ran.ended(1).out.contains(&format!("      {line}")), "{line}\n{ran}");
    }
}

#[test]
fn an_expectation_in_a_stub_fails_the_test() {
    let test = "import { expect, test } from 'claude-code/testing'\n\
        test('stub', async ($, on) => {\n\
        \x20 on('tool.call', ($, e) => { expect(e.command).toBe('other'); return { result: 'core' } })\n\
        \x20 try { await $.tool.call({ tool: 'Bash', command: 'x' }) } catch {}\n})\n";
    fails(ECHO, test, &["expect"]);
}

#[test]
fn a_stub_with_an_answer_of_the_wrong_shape_fails_the_test() {
    let test = "import { test } from 'claude-code/testing'\n\
        test('stub', async ($, on) => {\n\
        \x20 on('tool.call', () => 5)\n\
        \x20 try { await $.tool.call({ tool: 'Bash', command: 'x' }) } catch {}\n})\n";
    fails(ECHO, test, &["stub-answer"]);
}

#[test]
fn a_rejection_that_nobody_handles_fails_the_test() {
    let test = "import { test } from 'claude-code/testing'\n\
        test('leaves it', async ($, on) => {\n\
        \x20 on('tool.call', () => ({ result: 'core' }))\n\
        \x20 Promise.reject(new Error('left'))\n\
        \x20 await $.tool.call({ tool: 'Bash', command: 'x' })\n})\n";
    fails(ECHO, test, &["rejection-unhandled"]);
}

#[test]
fn a_file_without_a_test_fails() {
    fails(ECHO, "export const nothing = 1\n", &["no-tests"]);
}

#[test]
fn a_file_that_does_not_load_fails() {
    fails(ECHO, "import './gone'\n", &["not-loaded"]);
    fails(ECHO, "const a = ;\n", &["not-loaded"]);
}

#[test]
fn a_mod_that_does_not_load_fails_its_tests() {
    let test = "import { test } from 'claude-code/testing'\n\
        test('asks', async ($, on) => { on('tool.call', () => ({ result: 1 })); await $.tool.call({ tool: 'Bash', command: 'x' }) })\n";
    let ran = room("export function register() { throw new Error('no') }\n", test).run(&["test"]);
    assert!(ran.ended(1).out.contains("did not load"), "{ran}");
    let ran = room("export function register() { throw new Error('no') }\n", PASSES).run(&["test"]);
    assert!(ran.code == 1, "a test that never uses $ says nothing about a mod that does not load: {ran}");
}

#[test]
fn a_mod_whose_manifest_nobody_can_read_fails() {
    let room = room(ECHO, PASSES);
    room.manifest("guard", "{");
    let ran = room.run(&["test", "--json"]);
    assert_eq!(codes(ran.ended(1)), ["not-loaded"], "{ran}");
}

#[test]
fn a_test_that_does_not_end_fails() {
    let test = "import { test } from 'claude-code/testing'\n\
        test('waits', { timeoutMs: 20 }, () => new Promise(() => {}))\n\
        test('spins', { timeoutMs: 20 }, () => { for (;;); })\n";
    fails(ECHO, test, &["timeout", "timeout"]);
}

#[test]
fn nothing_found_is_no_pass() {
    let room = Room::with_mod(ECHO);
    for arguments in [&["test"][..], &["test", "guard"], &["test", "nowhere"]] {
        let ran = room.run(arguments);
        assert!(!ran.ended(2).err.is_empty(), "{ran}");
    }
    let ran = Room::new().run(&["test"]);
    ran.ended(2);
}

#[test]
fn one_path_without_tests_among_others_is_told() {
    let room = room(ECHO, PASSES);
    room.add_mod("empty", "register.js", ECHO);
    let ran = room.run(&["test", "guard", "empty"]);
    assert!(ran.ended(2).err.contains("no-tests"), "{ran}");
    assert!(ran.out.contains("1 passed"), "{ran}");
    room.run(&["test", "."]).ended(0);
}

#[test]
fn a_filter_selects_by_title() {
    let test = "import { describe, test } from 'claude-code/testing'\n\
        describe('group', () => { test('fine', () => {}); test('bad', () => { throw new Error('x') }) })\n";
    let room = room(ECHO, test);
    room.run(&["test", "--filter", "^group > fine$"]).ended(0);
    room.run(&["test", "--filter", "bad"]).ended(1);
    let ran = room.run(&["test", "--filter", "nothing"]);
    assert!(ran.ended(2).err.contains("no-test-matches"), "{ran}");
    room.run(&["test", "--filter", "("]).ended(2);
}

#[test]
fn a_tree_gives_each_mod_its_own_tests_in_order() {
    let room = Room::new();
    for (folder, title) in [("b", "second"), ("a", "first"), ("a/inner", "third")] {
        room.add_mod(folder, "register.js", ECHO);
        let test = format!("import {{ test }} from 'claude-code/testing'\ntest('{title}', () => {{}})\n");
        room.file(&format!("{folder}/tests/one.test.ts"), test);
    }
    let ran = room.run(&["test", "--json"]);
    let document: Value = ran.ended(0).json();
    let targets: Vec<_> =
        document["mods"].as_array().unwrap().iter().map(|one| one["target"].as_str().unwrap()).collect();
    assert_eq!(targets, ["a", "a/inner", "b"]);
    assert_eq!(document["summary"]["files"], 3);
}

#[test]
fn one_file_of_a_mod() {
    let room = room(ECHO, PASSES);
    room.file(
        "guard/tests/other.test.ts",
        "import { test } from 'claude-code/testing'\ntest('x', () => { throw 1 })\n",
    );
    room.run(&["test", "guard/tests/guard.test.ts"]).ended(0);
    room.run(&["test", "guard"]).ended(1);
}

#[test]
fn reports_for_other_programs() {
    let test = "import { expect, test } from 'claude-code/testing'\n\
        test('fine', () => {})\ntest('<bad>', () => { expect(1).toBe(2) })\n";
    let room = room(ECHO, test);
    let ran = room.run(&["test", "--json", "--junit", "report.xml"]);
    let document: Value = ran.ended(1).json();
    assert_eq!((&document["schema"], &document["success"]), (&1.into(), &false.into()));
    let bad = &document["mods"][0]["files"][0]["tests"][1];
    assert_eq!(bad["problems"][0]["expected"], "2");
    assert_eq!(bad["problems"][0]["received"], "1");
    assert_eq!(bad["problems"][0]["at"]["line"], 3);
    let xml = std::fs::read_to_string(room.at("report.xml")).unwrap();
    assert!(xml.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{xml}");
    assert!(xml.contains("name=\"&lt;bad&gt;\""), "{xml}");
}

#[test]
fn another_host_has_other_rules() {
    let module = "export function register(on) {\n\
        \x20 on('tool.call', async ($, e, next) => next({ ...e, command: 'safe' }))\n}\n";
    let test = "import { expect, test } from 'claude-code/testing'\n\
        test('rewrites', async ($, on) => {\n\
        \x20 on('tool.call', ($, e) => ({ result: e.command }))\n\
        \x20 expect((await $.tool.call({ tool: 'Bash', command: 'rm' })).result).toBe('safe')\n})\n";
    let room = room(module, test);
    room.run(&["test"]).ended(0);
    let ran = room.run(&["test", "--host", "native"]);
    assert!(ran.ended(1).out.contains("call-rewritten"), "{ran}");
    room.run(&["test", "--host", "nobody"]).ended(2);
}

#[test]
fn slowest_tests_are_listed_on_request() {
    let ran = room(ECHO, PASSES).run(&["test", "--slowest", "1"]);
    assert!(ran.ended(0).out.contains("\nslowest\n"), "{ran}");
    assert!(ran.out.contains("guard/tests/guard.test.ts  adds"), "{ran}");
}

#[test]
fn a_mod_without_a_manifest_is_tested() {
    let room = Room::new();
    room.file("guard/hooks/hooks.json", "{ \"modules\": [\"./register.js\"] }").file("guard/hooks/register.js", ECHO);
    let test = "import { test } from 'claude-code/testing'\n\
        test('loads', async ($, on) => { on('tool.call', () => ({ result: 1 })); await $.tool.call({ tool: 'Bash', command: 'x' }) })\n";
    room.file("guard/tests/guard.test.ts", test);
    room.run(&["test", "guard"]).ended(0);
}

#[test]
fn a_command_may_run_where_the_turn_does_not_wait() {
    let module = "export function register(on) {\n\
        \x20 on('turn.complete', async ($, e, next) => { await $.command.run({ command: 'color' }); return next(e) })\n\
        \x20 on('tool.call', async ($, e, next) => { await $.command.run({ command: 'color' }); return next(e) })\n}\n";
    let test = "import { expect, test } from 'claude-code/testing'\n\
        test('runs', async ($, on) => {\n\
        \x20 const ran = []\n\
        \x20 on('command.run', ($, e) => { ran.push(e.command); return { text: '' } })\n\
        \x20 on('turn.complete', () => ({ text: '' }))\n\
        \x20 on('tool.call', () => ({ result: 'core' }))\n\
        \x20 await $.turn.complete({ reason: 'answer', answer: 'done' })\n\
        \x20 expect(ran).toEqual(['color'])\n\
        \x20 await $.tool.call({ tool: 'Bash', command: 'x' })\n\
        \x20 expect(ran).toEqual(['color'])\n})\n";
    room(module, test).run(&["test"]).ended(0);
}

#[test]
fn a_test_that_has_timed_out_does_not_reach_into_the_next() {
    let test = "import { expect, test } from 'claude-code/testing'\n\
        let open, say\n\
        const gate = new Promise(resolve => { open = resolve })\n\
        const said = new Promise(resolve => { say = resolve })\n\
        test('never ends', { timeoutMs: 50 }, async ($, on) => {\n\
        \x20 await gate\n\
        \x20 const names = []\n\
        \x20 try { on('tool.call', () => ({ result: 'old' })) } catch (error) { names.push(error.name) }\n\
        \x20 await $.tool.call({ tool: 'Bash' }).catch(error => names.push(error.name))\n\
        \x20 say(names)\n})\n\
        test('next', async ($, on) => {\n\
        \x20 on('tool.call', () => ({ result: 'new' }))\n\
        \x20 open()\n\
        \x20 expect(await said).toEqual(['TypeError', 'HooksError'])\n\
        \x20 expect(await $.tool.call({ tool: 'Bash' })).toEqual({ result: 'new' })\n})\n";
    fails(ECHO, test, &["timeout"]);
}

#[test]
fn what_is_thrown_and_is_no_error_is_shown() {
    let test = "import { test } from 'claude-code/testing'\ntest('odd', () => { throw { odd: true } })\n";
    let ran = room(ECHO, test).run(&["test"]);
    assert!(ran.ended(1).out.contains("{ odd: true }"), "{ran}");
}
