//! Hostile and oversized inputs: a clear finding or a right answer each, never a panic.

#![allow(clippy::disallowed_methods, reason = "tests and examples read folders")]

use modgate_validate::{Entry, MemoryFiles, Options, Report, validate};
use proptest::prelude::*;
use std::path::Path;

fn module(suffix: &str, text: impl Into<String>) -> Report {
    let mut files = MemoryFiles::new();
    files.text(".claude-plugin/plugin.json", r#"{ "name": "probe", "version": "1.0.0" }"#);
    files
        .text("hooks/hooks.json", format!(r#"{{ "modules": ["./r.{suffix}"] }}"#))
        .text(format!("hooks/r.{suffix}"), text);
    validate(&files, &Options::default())
}

const REGISTER: &str = "\nexport function register(on) { on('session.start', async ($, e, next) => next(e)) }\n";

#[track_caller]
fn accepted(text: String) {
    let report = module("js", text + REGISTER);
    assert!(report.is_accepted(), "{:?}", report.diagnostics.first());
    assert_eq!(report.facts.unwrap().hooks.len(), 1);
}

#[test]
fn two_thousand_levels() {
    const DEPTH: usize = 2_000;
    let nest = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(DEPTH), close.repeat(DEPTH));
    accepted(format!("const a = {}", nest("(", "1", ")")));
    accepted(format!("const a = {}", nest("[", "", "]")));
    accepted(nest("{", "", "}"));
    accepted(format!("const a = {}", nest("{a:", "1", "}")));
    accepted(format!("const a = {}", nest("() => { return ", "1", "}")));
    accepted(format!("const a = {}1", "!".repeat(DEPTH)));
    accepted(format!("const a = 1{}", " + 1".repeat(DEPTH)));
    accepted(format!("const a = b{}", ".c".repeat(DEPTH)));
    accepted(format!("const a = {}2", "b ? 1 : ".repeat(DEPTH)));
    accepted(format!("{};", "if (a) 1; else ".repeat(DEPTH)));
    accepted(format!("const a = {}1", "x => ".repeat(DEPTH)));
    accepted(format!("const a = {}", nest("`${", "1", "}`")));
    accepted(nest("function f() { ", "", "}"));
}

#[test]
fn far_too_deep() {
    // What the parser refuses or takes is its business; it has to come back.
    for text in
        ["(", "[", "{", "`${", "a(", "!", "a?", "x=>", "<a>", "new ", "await ", "-", "a.", "a+", "a=", "class extends "]
    {
        for suffix in ["js", "tsx"] {
            let report = module(suffix, text.repeat(10_000));
            assert!(!report.is_accepted(), "{text}");
        }
    }
}

/// Where the TypeScript parser guesses, and reads again what followed a wrong guess.
const GUESSES: [&str; 32] = [
    "a?<b>",
    "x<e <a?<b>",
    "a <b?<o>",
    "a?(b):c=>",
    "<b>(",
    "a?<b>(c,",
    "(a?<b>",
    "[a?<b>",
    "class A<b>{a=<b>",
    "<T>a?\nb:",
    "async<a>(b=",
    "<T>async <T>(a=",
    "a<{b:",
    "a<[",
    "a<`${",
    "a<typeof b<",
    "x<{a(b=",
    "x as ({a=",
    "x as ([a=",
    "typeof a<{b(c=",
    "async<T>(b={c:",
    "x ? async (a) : b => ",
    "x?(a):({b=",
    "(a):({b=",
    "a<(b=",
    "<A extends ({b=",
    "f<a,",
    "<a ",
    "<a>",
    "a<b<",
    // A regular expression that looks like the start of a comment.
    "/[/*]/.a<(b=",
    "'//'.a<(b=",
];

#[test]
fn nested_guesses() {
    for text in GUESSES {
        for count in [12, 40, 400] {
            for suffix in ["ts", "tsx"] {
                assert!(!module(suffix, format!("x = {}", text.repeat(count))).is_accepted(), "{text}");
            }
        }
    }
    let types = "A extends (infer B extends (";
    let text = format!("type T = {}a{}", types.repeat(40), ")?C:D)".repeat(40));
    assert_eq!(module("ts", text).diagnostics[0].code, "syntax-error");
    let found = include_str!("../fuzz/seeds/module/angle-brackets");
    assert!(!module("ts", found.to_owned()).is_accepted());
    // Not what people write.
    let many = |text: &str| (0..300).map(|n| text.replace("NAME", &format!("n{n}"))).collect::<String>();
    let generics = many("const aNAME = <T>(x: T): T => x ? (x) : ((y) => y)(x)\n");
    let members = many("  NAME: <T>(x: T) => Promise<T>\n");
    let choices = format!("const c = {}0\n", "a ? (1) : ".repeat(100));
    let markup = many("const dNAME = `<p>a</p><p><b>c</b></p>` + '<i><u>d</u></i>'\n");
    let assertions = many("const eNAME = <any>(<unknown>x) < 1 && <number>(y < 2 ? 3 : 4) > 5\n");
    let calls = many("const fNAME = a<B<C>>(b<D>(<T>(x: T): T => x, (y): y is number => y < 1))\n");
    let text = format!("{generics}interface B {{\n{members}}}\n{choices}{markup}{assertions}{calls}{REGISTER}");
    let report = module("ts", text);
    assert!(report.is_accepted(), "{:?}", report.diagnostics.first());
}

#[test]
fn many_labels_and_branches() {
    let message = |text: String| module("js", text).diagnostics.remove(0).message;
    // The parser would say of each that it has the name of all those around it.
    assert!(message("a:".repeat(100_000) + "a").contains("too deeply"));
    assert!(message("a:for(;;)".repeat(20_000) + "a").contains("too deeply"));
    assert!(message("a:if(1);else ".repeat(2_000) + "a").contains("too deeply"));
    assert!(message("if(1);else ".repeat(40_000) + "a").contains("too "));
    // Names in front of a colon that are no labels, and labels that are not around each other.
    let members = "a: { b: 1 }, ".repeat(3_000);
    let ladder = "if (a) { b: for (;;) break b } else ".repeat(2_000);
    accepted("c: for (;;) { break c }\n".repeat(3_000) + &format!("const d = {{ {members} }}; {ladder} {{}}"));
    let literals: String = (0..3_000).map(|n| format!("  m{n}: {{ n: number }}\n")).collect();
    assert!(module("ts", format!("interface A {{\n{literals}}}{REGISTER}")).is_accepted());
}

#[test]
fn five_megabytes() {
    let mut text = String::with_capacity(6 << 20);
    let mut count = 0;
    while text.len() < 5 << 20 {
        text.push_str(&format!("export async function f{count}($, n) {{ const x = [1, 2, {{ a: n }}]; await $.fs.read(`a/${{x[0]}}`); return n > 0 ? f{count}($, n - 1) : x }}\n"));
        count += 1;
    }
    let calls: String = (0..500).map(|n| format!("await f{n}($, 1);")).collect();
    text.push_str(&format!(
        "export function register(on) {{ on('session.start', async ($, e, next) => {{ {calls} return next(e) }}) }}"
    ));
    let report = module("js", text);
    assert!(report.is_accepted());
    let calls = &report.facts.unwrap().uses.calls;
    assert_eq!((calls.len(), calls[0].name.as_str(), calls[0].via.len()), (1, "fs.read", 500));
}

#[test]
fn a_long_chain_of_helpers() {
    let mut text: String = (0..5_000).map(|n| format!("async function f{n}($) {{ await f{}($) }}\n", n + 1)).collect();
    text.push_str("async function f5000($) { await $.ui.toast('x') }\n");
    text.push_str(
        "export function register(on) { on('session.start', async ($, e, next) => { await f0($); return next(e) }) }",
    );
    let facts = module("js", text).facts.unwrap();
    assert_eq!(facts.uses.calls[0].via, ["f5000"]);
}

#[test]
fn many_hooks_and_many_files() {
    let hooks: String =
        (0..5_000).map(|n| format!("on('tool.call', {{ tool: 'T{n}' }}, async ($, e, next) => next(e))\n")).collect();
    let report = module("js", format!("export function register(on) {{ {hooks} }}"));
    assert_eq!(report.facts.unwrap().hooks.len(), 5_000);

    let mut files = MemoryFiles::new();
    files
        .text(".claude-plugin/plugin.json", r#"{ "name": "probe" }"#)
        .text("hooks/hooks.json", r#"{ "modules": ["./f0.js"] }"#);
    for n in 1..10_000 {
        files.text(format!("hooks/f{n}.js"), format!("import './f{}.js'", (n + 1) % 10_000));
    }
    files.text("hooks/f0.js", format!("import './f1.js'{REGISTER}"));
    let report = validate(&files, &Options::default());
    assert!(report.is_accepted());
    assert_eq!(report.sources.len(), 10_002);
}

#[test]
fn line_ends_and_a_byte_order_mark() {
    let report = module("js", "\u{feff}\r\nexport function register(on) {\r\n  const é = on\r\n}\r\n");
    let found = report.diagnostics.iter().find(|found| found.code == "on-elsewhere").unwrap();
    let span = found.span.unwrap();
    assert_eq!((span.line, span.column), (3, 13));
    let source = report.sources.iter().find(|source| source.path == "hooks/r.js").unwrap();
    assert_eq!(&source.text[span.start as usize..span.end as usize], "on");
}

#[test]
fn broken_utf8() {
    let mut files = MemoryFiles::new();
    files
        .text(".claude-plugin/plugin.json", r#"{ "name": "probe" }"#)
        .text("hooks/hooks.json", r#"{ "modules": ["./r.js"] }"#);
    files.entry("hooks/r.js", Entry::Bytes(b"export function register(on) { '\xff' }".to_vec()));
    let report = validate(&files, &Options::default());
    let found = report.diagnostics.iter().find(|found| found.code == "unreadable-file").unwrap();
    assert_eq!((found.file.as_str(), report.is_accepted(), report.facts.is_none()), ("hooks/r.js", false, true));
}

fn seeds(kind: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(kind);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// A seed with parts cut out, doubled and replaced by words that mean something.
fn mutated(kind: &'static str) -> impl Strategy<Value = String> {
    const WORDS: [&str; 24] = [
        "$",
        "on",
        "next",
        "e",
        "(",
        ")",
        "{",
        "}",
        "...",
        "=>",
        "?.",
        "`",
        "'",
        "\"",
        "await ",
        "async ",
        "function ",
        "const ",
        "import ",
        "export ",
        "\n",
        "[",
        "]",
        "é😀",
    ];
    let edit = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), prop::sample::select(&WORDS[..]), 0..3_u8);
    (prop::sample::select(seeds(kind)), prop::collection::vec(edit, 0..6)).prop_map(|(seed, edits)| {
        let mut chars: Vec<char> = seed.chars().collect();
        for (from, upto, word, kind) in edits {
            let (a, b) = (from.index(chars.len() + 1), upto.index(chars.len() + 1));
            let range = a.min(b)..a.max(b).min(a.min(b) + 40);
            match kind {
                0 => drop(chars.drain(range)),
                1 => drop(chars.splice(range.start..range.start, word.chars())),
                _ => {
                    let copy: Vec<char> = chars[range.clone()].to_vec();
                    drop(chars.splice(range.start..range.start, copy));
                }
            }
        }
        chars.into_iter().collect()
    })
}

fn sound(report: &Report) {
    for found in &report.diagnostics {
        let Some(span) = found.span else { continue };
        let source = report
            .sources
            .iter()
            .find(|source| source.path == found.file)
            .expect("a finding is in a file that was read");
        assert!(source.text.get(span.start as usize..span.end as usize).is_some(), "{found:?}");
    }
    let sorted = report.diagnostics.is_sorted_by_key(|found| (&found.file, found.span.map(|span| span.start)));
    assert!(sorted, "findings are in order");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_module_text_is_too_odd(text in mutated("module")) {
        let mut chars = text.chars();
        let suffix = ["js", "ts", "tsx", "jsx"][chars.next().map_or(0, |first| first as usize % 4)];
        sound(&module(suffix, chars.as_str()));
    }

    #[test]
    fn no_manifest_is_too_odd(text in mutated("manifest")) {
        let mut files = MemoryFiles::new();
        files.text(".claude-plugin/plugin.json", text.clone()).text("types.d.ts", text);
        sound(&validate(&files, &Options::default()));
    }

    #[test]
    fn no_hooks_file_is_too_odd(text in mutated("hooks_json")) {
        let mut files = MemoryFiles::new();
        files.text(".claude-plugin/plugin.json", r#"{ "name": "probe" }"#).text("hooks/hooks.json", text);
        sound(&validate(&files, &Options::default()));
    }
}
