//! Modules, and the environment in which they run.

use modgate_engine::{Limits, LoadError};

use crate::fixture::{Fixture, json};

fn load(files: &[(&str, &str)]) -> Result<Fixture, LoadError> {
    let (fixture, loaded) = Fixture::try_load(files, Limits::default());
    loaded.map(|()| fixture)
}

#[test]
fn modules_of_the_mod_import_each_other_in_cycles() {
    let fixture = load(&[
        ("register.ts", "import { b } from './b.ts'; export const a = 1; export function register(on) { on('a.b', () => ({ v: b() })) }"),
        ("b.ts", "import { a } from './register.ts'; export const b = (): number => a + 1"),
    ])
    .unwrap();
    assert_eq!(fixture.answer(json("{}")), json(r#"{"v":2}"#));
}

#[test]
fn a_module_without_register_and_one_that_throws_say_so() {
    let Err(LoadError::Threw(thrown)) = load(&[("register.ts", "export const x = 1")]) else { panic!() };
    assert!(thrown.message.contains("register"), "{thrown:?}");
    let Err(LoadError::Threw(thrown)) = load(&[("register.ts", "\n\nthrow new Error('at the top')")]) else { panic!() };
    assert_eq!(thrown.message, "at the top");
    assert_eq!(thrown.position.unwrap().to_string(), "register.ts:3:7");
}

#[test]
fn imports_that_lead_elsewhere_are_refused() {
    for specifier in
        ["modgate:host", "node:fs", "https://host.example/x.js", "ext:core/mod.js", "../outside.ts", "/etc/passwd"]
    {
        let source = format!("import '{specifier}'; export function register() {{}}");
        assert!(load(&[("register.ts", &source)]).is_err(), "{specifier}");
    }
    let fixture = load(&[(
        "register.ts",
        "export function register(on) { on('a.b', async () => { try { await import('./b.ts'); return { got: true } } catch (x) { return { refused: x.message } } }) }",
    ), ("b.ts", "export const b = 1")])
    .unwrap();
    let answer = fixture.answer(json("{}"));
    assert!(answer.str_at("refused").is_some_and(|text| text.contains("import() is not available")), "{answer:?}");
}

/// `reference/environment.md` with its newer section, checked against the real program: what the global object has
/// beyond the language itself, and what of the language it lacks.
#[test]
fn the_global_object_is_the_documented_one() {
    let fixture = load(&[(
        "register.ts",
        "export function register(on) { on('a.b', () => ({ names: Object.getOwnPropertyNames(globalThis).sort(), symbols: Object.getOwnPropertySymbols(globalThis).length })) }",
    )])
    .unwrap();
    let answer = fixture.answer(json("{}"));
    let names: Vec<_> =
        answer.get("names").unwrap().as_array().unwrap().iter().filter_map(|name| name.as_str()).collect();
    let language = [
        "AggregateError",
        "Array",
        "ArrayBuffer",
        "AsyncDisposableStack",
        "BigInt",
        "BigInt64Array",
        "BigUint64Array",
        "Boolean",
        "DataView",
        "Date",
        "DisposableStack",
        "Error",
        "EvalError",
        "Float16Array",
        "Float32Array",
        "Float64Array",
        "Function",
        "Infinity",
        "Int16Array",
        "Int32Array",
        "Int8Array",
        "Intl",
        "Iterator",
        "JSON",
        "Map",
        "Math",
        "NaN",
        "Number",
        "Object",
        "Promise",
        "Proxy",
        "RangeError",
        "ReferenceError",
        "Reflect",
        "RegExp",
        "Set",
        "String",
        "SuppressedError",
        "Symbol",
        "SyntaxError",
        "Temporal",
        "TypeError",
        "URIError",
        "Uint16Array",
        "Uint32Array",
        "Uint8Array",
        "Uint8ClampedArray",
        "WeakMap",
        "WeakSet",
        "decodeURI",
        "decodeURIComponent",
        "encodeURI",
        "encodeURIComponent",
        "escape",
        "eval",
        "globalThis",
        "isFinite",
        "isNaN",
        "parseFloat",
        "parseInt",
        "undefined",
        "unescape",
    ];
    let web = [
        "AbortController",
        "AbortSignal",
        "Fragment",
        "TextDecoder",
        "TextEncoder",
        "URL",
        "URLSearchParams",
        "atob",
        "btoa",
        "clearInterval",
        "clearTimeout",
        "console",
        "crypto",
        "h",
        "performance",
        "setInterval",
        "setTimeout",
        "structuredClone",
    ];
    let mut expected: Vec<_> = language.into_iter().chain(web).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(answer.get("symbols").unwrap().as_f64(), Some(0.0));
}

#[test]
fn text_does_not_become_code_and_built_ins_stay() {
    let fixture = load(&[(
        "register.ts",
        "const attempt = (f: any) => { try { f(); return 'ran' } catch (x: any) { return x.name } }
         export function register(on: any) { on('a.b', () => ({
           eval: attempt(() => (0, eval)('1')), function: attempt(() => new Function('1')()), async: attempt(() => (async () => {}).constructor('1')),
           timer: attempt(() => (setTimeout as any)('1')), prototype: attempt(() => { (Array.prototype as any).x = 1 }), builtin: attempt(() => { (JSON as any).parse = 1 }),
           web: attempt(() => { (URL.prototype as any).href2 = 1 }), own: attempt(() => { const o: any = {}; o.toString = 1 }),
         })) }",
    )])
    .unwrap();
    assert_eq!(
        fixture.answer(json("{}")),
        json(
            r#"{"eval":"EvalError","function":"EvalError","async":"EvalError","timer":"HooksError","prototype":"TypeError","builtin":"TypeError","web":"ran","own":"ran"}"#
        )
    );
}

#[test]
fn import_meta_has_three_members() {
    let fixture =
        load(&[("register.ts", "export function register(on: any) { on('a.b', () => ({ ...import.meta })) }")])
            .unwrap();
    assert_eq!(
        fixture.answer(json("{}")),
        json(r#"{"dir":"/mods/fixture","file":"/mods/fixture/register.ts","url":"file:///mods/fixture/register.ts"}"#)
    );
}

#[test]
fn overwriting_intrinsics_does_not_reach_the_bootstrap() {
    let fixture = load(&[(
        "register.js",
        "const quietly = (f) => { try { f() } catch {} }
         quietly(() => { Array.prototype.push = () => { throw new Error('hijacked') } })
         quietly(() => { Promise.prototype.then = () => { throw new Error('hijacked') } })
         quietly(() => { Object.freeze = (x) => x })
         globalThis.Promise = class {}; globalThis.Object = null; globalThis.Array = null; globalThis.Error = null
         export function register(on) { on('a.b', async ($, e, next) => next(e)) }",
    )])
    .unwrap();
    assert_eq!(fixture.answer(json(r#"{"x":1}"#)), json(r#"{"echo":{"x":1}}"#));
}
