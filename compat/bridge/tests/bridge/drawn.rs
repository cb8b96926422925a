//! Drawings under short budgets: callbacks and constructors of other mods that do not come to an end.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use modgate_compat::load::Folder;
use modgate_compat::testing::{CaseResult, FileResult, TestOptions, run_file};
use modgate_compat::{Policy, Report, codes};
use modgate_engine::Limits;
use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    modgate_engine::initialize();
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

/// A hook's and a callback's own time here.
const BUDGET: Duration = Duration::from_millis(300);

const MANIFEST: &str =
    r#"{"name": "drawn", "version": "0.1.0", "description": "d", "author": {"name": "a"}, "license": "MIT"}"#;

const MODULE: &str = r#"export function register(on: any) {
  on('ui.resolve', { component: 'Spinner' }, async ($: any, e: any, next: any) => {
    const t = await next(e)
    return { ...t, Text: (p: any) => $.ui.resolve(e).Text(p), Box: (p: any) => t.Box({ ...p, gap: 1 }) }
  })
  on('ui.render', async ($: any, e: any, next: any) => {
    const { Box, Text, Button, Code } = $.ui.resolve(e)
    switch (e.requestId) {
      case 'box': return <Box>{'x'}</Box>
      case 'code': return <Code source="x" />
      case 'text': { try { return <Text>x</Text> } catch (x: any) { return { type: 'Text', children: [x.name] } } }
      case 'callbacks': return (
        <Box>
          <Button key="never" label="1" onPress={() => new Promise(() => {})} />
          <Button key="spins" label="2" onPress={() => { for (;;) {} }} />
          <Button key="throws" label="3" onPress={() => { throw new TypeError('on purpose') }} />
          <Button key="fine" label="4" onPress={() => {}} />
        </Box>
      )
    }
    return next(e)
  })
}
"#;

const HEAD: &str = r#"import { expect, test } from 'claude-code/testing'
const mount = ($: any, requestId: string, component = 'Pane', plugin = 'drawn') =>
  $.ui.mount({ plugin, surface: 'terminal', component, requestId, props: {} })
const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return `${x.name} ${x.message}` } }
"#;

/// Runs a test file in the mod above.
fn ran(tests: &str) -> FileResult {
    let room = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = room.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
        fs::write(path, text).unwrap();
    };
    write(".claude-plugin/plugin.json", MANIFEST);
    write("hooks/hooks.json", r#"{"modules": ["./register.tsx"]}"#);
    write("hooks/register.tsx", MODULE);
    write("tests/drawn.test.ts", &format!("{HEAD}{tests}"));
    let folder = Folder::open(room.path()).unwrap();
    let mut policy = Policy::from(modgate_catalog::hosts::host("claude-code").unwrap());
    policy.hook = BUDGET;
    let options = TestOptions::new(policy, RUNTIME.handle().clone());
    let options = TestOptions { limits: Limits { hook: BUDGET, ..options.limits }, ..options };
    RUNTIME.block_on(run_file(&folder, "tests/drawn.test.ts", &options))
}

/// The one test of a file, which passed.
fn passed(tests: &str) -> CaseResult {
    let FileResult { mut cases, problem, .. } = ran(tests);
    assert_eq!((cases.len(), problem), (1, None));
    let case = cases.remove(0);
    assert_eq!(case.problems, []);
    case
}

fn found<'a>(case: &'a CaseResult, code: &str) -> Vec<&'a Report> {
    case.reports.iter().filter(|report| report.code == code).collect()
}

#[test]
fn a_callback_has_a_budget_of_its_own() {
    let case = passed(
        r"test('never', async ($: any) => {
  const ui = await mount($, 'callbacks')
  expect(await outcome(() => ui.press({ key: 'never' }))).toBe('HooksError press: the callback has used its 300 ms')
  expect(await ui.press({ key: 'fine' })).toEqual({ element: 'fine' })
})",
    );
    let [report] = found(&case, codes::CALLBACK_TIMEOUT)[..] else { panic!("{:?}", case.reports) };
    assert_eq!((report.plugin.as_str(), report.event.as_deref()), ("drawn", Some("ui.press")));
    let message = r#"drawn: the callback of <Button key="never"> in Pane on the terminal surface used up its time"#;
    assert_eq!(report.message, message);
}

#[test]
fn a_callback_that_spins_is_ended() {
    let case = passed(
        r"test('spins', async ($: any) => {
  const ui = await mount($, 'callbacks')
  expect(await outcome(() => ui.press({ key: 'spins' }))).toMatch(/^HooksError press: <Button key=.spins.> in Pane on the terminal surface: it ran without a pause/)
  expect(await ui.press({ key: 'fine' })).toEqual({ element: 'fine' })
})",
    );
    assert_eq!(found(&case, codes::SPINNING).len(), 1);
    let [report] = found(&case, codes::CALLBACK_TIMEOUT)[..] else { panic!("{:?}", case.reports) };
    assert!(report.message.ends_with("was ended"), "{}", report.message);
}

#[test]
fn what_a_callback_throws_is_reported_with_its_place() {
    let case = passed(
        r"test('throws', async ($: any) => {
  const ui = await mount($, 'callbacks')
  expect(await outcome(() => ui.press({ key: 'throws' }))).toBe('TypeError on purpose')
})",
    );
    let [report] = found(&case, codes::CALLBACK)[..] else { panic!("{:?}", case.reports) };
    let message =
        r#"drawn: the callback of <Button key="throws"> in Pane on the terminal surface threw TypeError: on purpose"#;
    assert_eq!(report.message, message);
    let position = report.position.as_ref().unwrap();
    let line = MODULE.lines().position(|line| line.contains("on purpose")).unwrap() + 1;
    assert_eq!((position.file.as_str(), position.line as usize), ("hooks/register.tsx", line));
}

const OTHER: &str = r"const OTHER = {
  name: 'other', tier: 'prepend' as const,
  register(on: any) {
    on('ui.resolve', { component: 'Spinner' }, async ($: any, e: any, next: any) => {
      const t = await next(e)
      return { ...t, Text: (p: any) => $.ui.resolve(e).Text(p), Box: (p: any) => t.Box({ ...p, rowGap: 1 }), Code: () => { for (;;) {} } }
    })
    on('ui.render', { component: 'Spinner' }, async ($: any, e: any, next: any) => {
      if (e.requestId !== 'other') return next(e)
      let tree: any
      for (let index = 0; index < 50; index++) tree = $.ui.resolve(e).Box({ children: ['y'] })
      return tree
    })
  },
}
";

#[test]
fn two_mods_that_draw_with_each_others_elements() {
    passed(&format!(
        "{OTHER}{}",
        r"test('both', { plugins: [OTHER] }, async ($: any) => {
  const [first, second] = await Promise.all([mount($, 'box', 'Spinner'), mount($, 'other', 'Spinner', 'other')])
  expect((await first.find({ type: 'Box' })).props).toEqual({ rowGap: 1 })
  expect((await second.find({ type: 'Box' })).props).toEqual({ gap: 1 })
})",
    ));
}

#[test]
fn constructors_that_call_one_another_without_end() {
    passed(&format!(
        "{OTHER}{}",
        r"test('endless', { plugins: [OTHER] }, async ($: any) => {
  expect((await (await mount($, 'text', 'Spinner')).find({})).text).toBe('RangeError')
})",
    ));
}

#[test]
fn a_constructor_that_spins_ends_the_one_who_draws_too() {
    let FileResult { cases, .. } = ran(&format!(
        "{OTHER}{}",
        r"test('spins', { plugins: [OTHER] }, async ($: any, on: any) => {
  on('ui.render', () => ({ type: 'engine', ref: 0 }))
  await outcome(() => mount($, 'code', 'Spinner'))
  expect((await (await mount($, 'box', 'Spinner')).find({ type: 'Box' })).props).toEqual({ rowGap: 1 })
})",
    ));
    let spinning: Vec<_> = found(&cases[0], codes::SPINNING).iter().map(|report| report.plugin.clone()).collect();
    assert!(spinning.contains(&"other".to_string()), "{:?}", cases[0].reports);
    // The drawing fails; whoever draws afterwards is served again.
    assert!(cases[0].problems.iter().all(|problem| problem.code == "drawing"), "{:?}", cases[0].problems);
}
