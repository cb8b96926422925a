//! Hooks, `next`, `.catch`, `$` calls and the values that cross.

use std::time::Duration;

use modgate_engine::{Ended, FailureKind};
use modgate_value::Value;

use crate::fixture::{Fixture, json};

#[test]
fn a_hook_wraps_what_is_beneath() {
    let fixture = Fixture::load(
        "export function register(on: any, options: any) {
           on('a.b', { x: 1 }, async ($, e, next) => ({ ...await next({ ...e, y: 2 }), mode: options.mode }))
         }",
    );
    assert_eq!(fixture.answer(json(r#"{"x":1}"#)), json(r#"{"echo":{"x":1,"y":2},"mode":"test"}"#));
    let registrations = fixture.seen.registrations.lock().unwrap();
    assert_eq!(registrations[0].pattern, "a.b");
    assert_eq!(registrations[0].matcher, Some(json(r#"{"x":1}"#)));
    let position = registrations[0].position.as_ref().unwrap();
    assert_eq!((position.file.as_str(), position.line, position.column), ("register.ts", 2, 12));
}

#[test]
fn hooks_of_one_mod_nest_in_order_and_match_what_reaches_them() {
    let fixture = Fixture::load(
        "const wrap = name => async ($, e, next) => { const r = await next({ at: e.at + name }); return { got: name + '(' + (r.got ?? r.echo.at) + ')' } }
         export function register(on) { on('a.b', wrap('A')); on('a.b', { at: 'A' }, wrap('B')); on('a.b', { at: 'A' }, wrap('never')); on('a.b', { at: 'AB' }, wrap('C')) }",
    );
    assert_eq!(fixture.answer(json(r#"{"at":""}"#)), json(r#"{"got":"A(B(C(ABC)))"}"#));
}

#[test]
fn a_hook_may_catch_what_the_one_beneath_it_in_the_mod_threw() {
    let fixture = Fixture::load(
        "export function register(on) {
           on('a.b', async ($, e, next) => { try { return await next(e) } catch (x) { return { caught: x.message } } })
           on('a.b', { x: 1 }, async () => { throw new Error('inner') })
         }",
    );
    assert_eq!(fixture.answer(json(r#"{"x":1}"#)), json(r#"{"caught":"inner"}"#));
}

#[test]
fn input_is_frozen_all_the_way_and_answers_are_private() {
    let fixture = Fixture::load(
        "export function register(on) { on('a.b', async ($, e, next) => {
           let threw = 0
           try { e.list.push(1) } catch { threw++ }
           try { e.deep.x = 2 } catch { threw++ }
           try { delete e.deep } catch { threw++ }
           const answer = await next(e)
           answer.mine = threw
           return answer
         }) }",
    );
    let input = json(r#"{"list":[],"deep":{"x":1}}"#);
    let answer = fixture.answer(input.clone());
    assert_eq!(answer, Value::object([("echo", input), ("mine", Value::from(3))]));
}

#[test]
fn plain_data_survives_and_the_rest_is_refused() {
    let fixture = Fixture::load(
        "export function register(on) { on('a.b', async ($, e, next) => {
           if (e.what === 'function') return { f: () => 1 }
           const cycle = { name: 'c' }
           cycle.self = cycle
           return { nan: NaN, zero: -0, big: 12345678901234567890n, gone: undefined, date: new Date(0), map: new Map([[1, 2]]), cycle, bytes: new Uint8Array([7]) }
         }) }",
    );
    let answer = fixture.answer(json(r#"{"what":"data"}"#));
    assert!(answer.get("nan").unwrap().as_f64().unwrap().is_nan());
    assert!(answer.get("zero").unwrap().as_f64().unwrap().is_sign_negative());
    assert!(matches!(answer.get("big"), Some(Value::BigInt(digits)) if &**digits == "12345678901234567890"));
    assert!(matches!(answer.get("gone"), Some(Value::Undefined)));
    assert_eq!(answer.str_at("date"), Some("1970-01-01T00:00:00.000Z"));
    assert_eq!(answer.get("map"), Some(&json("{}")));
    assert_eq!(answer.get("bytes"), Some(&json(r#"{"0":7}"#)));
    assert!(matches!(answer.get("cycle").unwrap().get("self"), Some(Value::Cycle(0))));
    let (ended, _) = fixture.run(json(r#"{"what":"function"}"#));
    let Ended::Rejected(fault) = ended else { panic!("{ended:?}") };
    assert_eq!(fault.message, "result: not plain data");
}

#[test]
fn a_throw_names_its_place_in_the_source() {
    let fixture = Fixture::load(
        "interface Unused { a: string }\n\nexport function register(on: any) {\n  on('a.b', async ($: any, e: any) => {\n    throw new RangeError('broke')\n  })\n}",
    );
    let (ended, _) = fixture.run(json("{}"));
    let Ended::Failed(failure) = ended else { panic!("{ended:?}") };
    assert_eq!((failure.thrown.name.as_str(), failure.thrown.message.as_str()), ("RangeError", "broke"));
    assert_eq!(failure.thrown.position.unwrap().to_string(), "register.ts:5:11");
}

#[test]
fn a_rejection_from_beneath_is_no_failure_and_a_refused_argument_is() {
    let fixture = Fixture::load(
        "export function register(on) { on('a.b', async ($, e, next) => {
           if (e.what === 'pinned') return next({ ...e, pinned: 2 })
           if (e.what === 'nothing') return next()
           if (e.what === 'caught') { try { await next({ beneath: 'rejects' }) } catch (x) { return { name: x.name, message: x.message } } }
           return next({ beneath: 'rejects' })
         }) }",
    );
    let (ended, _) = fixture.run(json(r#"{"what":"through"}"#));
    let Ended::Rejected(fault) = ended else { panic!("{ended:?}") };
    assert_eq!(fault.message, "beneath broke");
    let (ended, _) = fixture.run(json(r#"{"what":"pinned","pinned":1}"#));
    assert!(matches!(&ended, Ended::Failed(failure) if failure.thrown.message == "changed pinned"), "{ended:?}");
    let (ended, _) = fixture.run(json(r#"{"what":"nothing"}"#));
    assert!(
        matches!(&ended, Ended::Failed(failure) if failure.thrown.message.contains("next() takes the event's argument")),
        "{ended:?}"
    );
    assert_eq!(
        fixture.answer(json(r#"{"what":"caught"}"#)),
        json(r#"{"name":"HooksError","message":"beneath broke"}"#)
    );
}

#[test]
fn a_catch_answers_for_any_hook_of_the_mod() {
    let fixture = Fixture::load(
        "export function register(on) {
           on('a.b', async ($, e, next) => next(e))
           on('a.b', { x: 1 }, async () => { throw new Error('inner') }).catch(async ($, e, next) => ({ error: next.error, called: next.called, e, beneath: await next(e) }))
         }",
    );
    assert_eq!(
        fixture.answer(json(r#"{"x":1}"#)),
        json(
            r#"{"error":{"kind":"throw","message":"inner","budget":1000},"called":false,"e":{"x":1},"beneath":{"echo":{"x":1}}}"#
        )
    );
}

#[test]
fn dollar_calls_carry_their_arguments_and_reject_by_name() {
    let fixture = Fixture::load(
        "import { told } from 'claude-code'
         export function register(on) { on('a.b', async ($, e) => {
           const echo = await $.slow.echo(1, { a: [2] })
           let refused
           try { await $.slow.refuse() } catch (x) { refused = x.name + ': ' + x.message }
           const nothing = $.slow.tell('x')
           return { echo, refused, nothing: typeof nothing, frozen: Object.isFrozen($.slow), inner: await told(3) }
         }) }",
    );
    assert_eq!(
        fixture.answer(json("{}")),
        json(
            r#"{"echo":[1,{"a":[2]}],"refused":"HooksError: refused","nothing":"undefined","frozen":true,"inner":[3]}"#
        )
    );
    assert_eq!(*fixture.seen.calls.lock().unwrap(), ["slow.echo", "slow.refuse", "slow.tell", "told"]);
}

#[test]
fn own_time_ends_a_hook_that_waits_and_leaves_one_that_calls() {
    let fixture = Fixture::load(
        "export function register(on) { on('a.b', async ($, e, next) => {
           if (e.what === 'wait') await new Promise(done => setTimeout(done, 60000))
           const r = await next(e)
           return { ...r, spent: next.budget.ms - next.budget.remainingMs }
         }) }",
    );
    let budget = Duration::from_millis(200);
    let (ended, _) = fixture.run_within(json(r#"{"what":"wait"}"#), budget);
    assert!(matches!(&ended, Ended::Failed(failure) if failure.kind == FailureKind::Timeout), "{ended:?}");
    let (ended, answer) = fixture.run_within(json(r#"{"what":"call"}"#), budget);
    assert_eq!(ended, Ended::Answered);
    assert!(answer.unwrap().get("spent").unwrap().as_f64().unwrap() < 200.0);
}

#[test]
fn an_invocation_after_another_finds_the_mod_as_it_was() {
    let fixture = Fixture::load(
        "let count = 0
         export function register(on) { on('a.b', async () => ({ count: ++count })) }",
    );
    assert_eq!(fixture.answer(json("{}")), json(r#"{"count":1}"#));
    assert_eq!(fixture.answer(json("{}")), json(r#"{"count":2}"#));
}
