//! Isolates that were made before their mods.

use modgate_engine::Limits;
use modgate_value::Value;

use crate::fixture::{Fixture, json, spares};

const COUNTS: &str = "let runs = 0
  export function register(on, options) {
    on('a.b', async ($, e, next) => ({ ...await next(e), runs: ++runs, mode: options.mode, $: Object.keys($).length > 0 }))
  }";

#[test]
fn each_mod_gets_one_that_nobody_had_before() {
    let limits = Limits::default();
    // Fewer than mods: the last ones are made while the first run.
    let ready = spares(limits, 2);
    for _ in 0..5 {
        let (fixture, loaded) = Fixture::load_into(&[("register.ts", COUNTS)], limits, Some(ready.clone()));
        loaded.unwrap();
        let expected = |runs: u32| {
            let fields = [("echo", json("{}")), ("runs", Value::from(runs)), ("mode", Value::text("test"))];
            Value::object(fields).with("$", Value::Bool(true))
        };
        assert_eq!(fixture.answer(json("{}")), expected(1));
        assert_eq!(fixture.answer(json("{}")), expected(2));
    }
}

#[test]
fn a_mod_with_other_limits_of_memory_gets_a_fresh_one() {
    // Sixty megabytes: too much for this limit, and no trouble for the isolate that was made ahead.
    let limits = Limits { heap: 40 << 20, ..Limits::default() };
    let fills = "export function register(on) { on('a.b', ($, e, next) => {
        const all = []
        for (let i = 0; i < 60; i++) all.push(new Array(131072).fill(i + 0.5))
        return { last: all.at(-1).at(-1) }
    }) }";
    let load = |limits| {
        let (fixture, loaded) =
            Fixture::load_into(&[("register.ts", fills)], limits, Some(spares(Limits::default(), 1)));
        loaded.unwrap();
        fixture
    };
    assert_eq!(load(Limits::default()).answer(json("{}")), json(r#"{"last":59.5}"#));
    let fixture = load(limits);
    fixture.run(json("{}"));
    assert!(fixture.isolate.is_over());
}
