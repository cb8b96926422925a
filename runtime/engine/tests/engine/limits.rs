//! A mod that loops, or takes memory, stops only itself.

use std::time::Duration;

use modgate_engine::{Ended, FailureKind, Limit, Limits};

use crate::fixture::{Fixture, json};

fn small() -> Limits {
    // The time of a run comes from the budget that a test gives; a busy machine must not end the others.
    Limits { hook: Duration::from_secs(30), heap: 40 << 20, buffers: 8 << 20, ..Limits::default() }
}

fn load(source: &str) -> Fixture {
    let (fixture, loaded) = Fixture::try_load(&[("register.js", source)], small());
    loaded.unwrap();
    fixture
}

fn is_timeout(ended: &Ended) -> bool {
    matches!(ended, Ended::Failed(failure) if failure.kind == FailureKind::Timeout)
}

#[test]
fn a_loop_is_ended_and_the_third_unloads() {
    let fixture = load(
        "export function register(on) { on('a.b', async ($, e, next) => { if (e.loop) for (;;); return next(e) }) }",
    );
    for times in 1..=3 {
        let (ended, _) = fixture.run_within(json(r#"{"loop":true}"#), Duration::from_millis(300));
        assert!(is_timeout(&ended), "{ended:?}");
        assert!(fixture.seen.limits.lock().unwrap().contains(&Limit::Spinning { times }));
        if times < 3 {
            assert_eq!(fixture.answer(json("{}")), json(r#"{"echo":{}}"#), "it goes on after {times}");
        }
    }
    assert!(fixture.seen.limits.lock().unwrap().contains(&Limit::Unloaded));
    let (ended, _) = fixture.run(json("{}"));
    assert!(is_timeout(&ended), "an unloaded mod is skipped: {ended:?}");
}

#[test]
fn a_loop_after_an_await_is_ended_too_and_its_catch_answers() {
    let fixture = load(
        "export function register(on) {
           on('a.b', async ($, e, next) => { await next(e); for (;;); }).catch(async ($, e, next) => ({ kind: next.error.kind, called: next.called }))
         }",
    );
    let (ended, answer) = fixture.run_within(json("{}"), Duration::from_millis(300));
    assert_eq!(ended, Ended::Answered);
    assert_eq!(answer.unwrap(), json(r#"{"kind":"timeout","called":true}"#));
}

#[test]
fn a_loop_while_loading_is_a_load_error() {
    let limits = Limits { load: Duration::from_millis(300), ..small() };
    let (_, loaded) = Fixture::try_load(&[("register.js", "for (;;);")], limits);
    assert!(loaded.is_err());
    let (_, loaded) = Fixture::try_load(&[("register.js", "await new Promise(() => {})")], limits);
    assert!(loaded.is_err());
    let (_, loaded) = Fixture::try_load(&[("register.js", "export function register() { for (;;); }")], limits);
    assert!(loaded.is_err());
}

#[test]
fn a_full_heap_unloads_the_mod_alone() {
    let hungry = load(
        "const kept = []; export function register(on) { on('a.b', async () => { for (;;) kept.push(new Array(1000).fill({ x: kept.length })) }) }",
    );
    let healthy = load("export function register(on) { on('a.b', async ($, e, next) => next(e)) }");
    let (ended, _) = hungry.run_within(json("{}"), Duration::from_secs(30));
    assert!(matches!(ended, Ended::Failed(_)), "{ended:?}");
    assert!(hungry.seen.limits.lock().unwrap().contains(&Limit::Heap), "{:?}", hungry.seen.limits.lock().unwrap());
    assert_eq!(healthy.answer(json("{}")), json(r#"{"echo":{}}"#));
}

#[test]
fn buffers_count_although_they_are_outside_of_the_heap() {
    let fixture = load(
        "const kept = []; export function register(on) { on('a.b', async ($, e, next) => {
           if (!e.grow) return next(e)
           for (;;) kept.push(new Uint8Array(1 << 20))
         }) }",
    );
    let (ended, _) = fixture.run_within(json(r#"{"grow":true}"#), Duration::from_secs(30));
    assert!(
        matches!(&ended, Ended::Failed(failure) if failure.thrown.name == "RangeError"),
        "{ended:?} {:?}",
        fixture.seen.limits.lock().unwrap()
    );
    assert_eq!(fixture.answer(json("{}")), json(r#"{"echo":{}}"#));
    assert!(fixture.seen.limits.lock().unwrap().contains(&Limit::Buffers));
    assert!(fixture.memory().external <= 16 << 20);
}

#[test]
fn endless_promises_are_ended() {
    let fixture = load(
        "export function register(on) { on('a.b', async ($, e, next) => { if (e.spin) for (;;) await null; return next(e) }) }",
    );
    let (ended, _) = fixture.run_within(json(r#"{"spin":true}"#), Duration::from_millis(300));
    assert!(is_timeout(&ended), "{ended:?}");
    assert_eq!(fixture.answer(json("{}")), json(r#"{"echo":{}}"#));
}
