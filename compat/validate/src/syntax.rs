//! From a module's text to its syntax tree. The only place that calls the parser.

use crate::text::Text;
use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use swc_common::input::StringInput;
use swc_common::{BytePos, Span};
use swc_ecma_ast::{EsVersion, Module};
use swc_ecma_parser::lexer::Lexer;
use swc_ecma_parser::{EsSyntax, Parser, Syntax, TsSyntax};

/// A module that parsed.
pub(crate) struct Parsed {
    module: Option<Box<Module>>,
    /// Where the parser's positions begin in the file.
    base: u32,
    stack: usize,
    /// The host compiles it before it scans it (TypeScript, JSX).
    pub(crate) compiled: bool,
}

/// Why it did not.
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The suffixes of code, in the order in which an import without one tries them.
pub(crate) const SUFFIXES: [&str; 8] = [".ts", ".tsx", ".jsx", ".js", ".mjs", ".cjs", ".mts", ".cts"];

pub(crate) fn is_code(path: &str) -> bool {
    SUFFIXES.iter().any(|suffix| path.ends_with(suffix))
}

impl Parsed {
    pub(crate) fn module(&self) -> &Module {
        // Only `drop` takes it out.
        self.module.as_deref().unwrap_or_else(|| unreachable!("the tree lives as long as its owner"))
    }

    /// Runs what recurses over the tree, with stack enough for it.
    pub(crate) fn with_stack<T>(&self, run: impl FnOnce() -> T) -> T {
        stacker::maybe_grow(self.stack, self.stack, run)
    }

    /// Byte offsets in the file.
    pub(crate) fn offsets(&self, span: Span) -> (u32, u32) {
        offsets(self.base, span)
    }
}

impl Drop for Parsed {
    fn drop(&mut self) {
        let module = self.module.take();
        stacker::maybe_grow(self.stack, self.stack, || drop(module));
    }
}

fn offsets(base: u32, span: Span) -> (u32, u32) {
    let at = |pos: BytePos| pos.0.saturating_sub(1).saturating_add(base);
    (at(span.lo), at(span.hi))
}

/// The largest stack a module may need; virtual, most of it never touched.
const LARGEST_STACK: usize = 1 << 30;

/// Brackets may nest this deep. Deeper modules make the parser slow, and no person writes them.
const DEEPEST: usize = 2_500;

/// Signs in a row without a bracket, comma or semicolon between: `a + b + ...` nests as deep as it is long.
const LONGEST: usize = 1 << 16;

/// How much a text can nest.
struct Shape {
    /// An upper bound of the stack that reading, walking and dropping its tree takes: the parser and the tree recurse
    /// once for each bracket, and less deeply for each other sign. Closing brackets do not count against it, because
    /// they may stand in texts and comments.
    stack: usize,
    deepest: usize,
    longest: usize,
}

fn shape(code: &str) -> Shape {
    const DEBUG: usize = if cfg!(debug_assertions) { 8 } else { 1 };
    let mut shape = Shape { stack: 256 * 1024, deepest: 0, longest: 0 };
    let (mut depth, mut run) = (0_usize, 0_usize);
    let mut in_word = false;
    for byte in code.bytes() {
        // `new new new x` and `await await x` nest without any sign.
        let word = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
        if word && !in_word {
            shape.stack += 2048 * DEBUG;
            run += 1;
        }
        in_word = word;
        let (stack, signs) = match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                shape.deepest = shape.deepest.max(depth);
                run = 0;
                (6 * 1024, 0)
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                run = 0;
                (0, 0)
            }
            b';' | b',' => {
                run = 0;
                (0, 0)
            }
            b'<' | b'>' => (6 * 1024, 1),
            b'?' | b'!' | b'~' | b'`' => (1536, 1),
            b'=' | b'+' | b'-' | b':' | b'.' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' => (512, 1),
            _ => (0, 0),
        };
        run += signs;
        shape.longest = shape.longest.max(run);
        shape.stack += stack * DEBUG;
    }
    shape
}

/// Guesses of the TypeScript parser that may be open at once. It reads what follows each one twice when it guessed
/// wrong, so their cost doubles with each.
const MOST_GUESSES: u32 = 14;

/// The most guesses that are open at once: `<` where an expression starts (a type in front of a value, or an arrow
/// function's), and `? (...) : ... =>` (an arrow function with a type, or two values). A bracket keeps those around it
/// open; `;`, `,` and a line that starts a
/// statement or a member end the ones before it. In JSX a `<` is no guess.
fn guesses(code: &str, tsx: bool) -> u32 {
    #[derive(Clone, Copy, Default)]
    struct Open {
        angles: u32,
        asked: u32,
        arrows: u32,
    }
    const STATEMENTS: [&str; 11] =
        ["const", "let", "var", "return", "if", "for", "export", "import", "function", "async", "await"];
    let bytes = code.as_bytes();
    let (mut around, mut now, mut most) = (Vec::<Open>::new(), Open::default(), 0);
    let (mut last, mut at) = (b';', 0);
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        match (byte, next) {
            (b'/', Some(b'/')) => {
                at += bytes.get(at..).unwrap_or_default().iter().position(|&b| b == b'\n').unwrap_or(bytes.len());
                continue;
            }
            (b'/', Some(b'*')) => {
                at += code.get(at + 2..).and_then(|rest| rest.find("*/")).map_or(bytes.len(), |end| end + 4);
                continue;
            }
            (b'\n', _) => {
                let line = code.get(at + 1..).unwrap_or_default().trim_start_matches([' ', '\t']);
                let name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                let rest = line.trim_start_matches(name);
                let word = line.get(..line.len() - rest.len()).unwrap_or_default();
                let is_member = !word.is_empty() && (rest.starts_with(':') || rest.starts_with("?:"));
                if is_member || STATEMENTS.contains(&word) {
                    now = around.last().copied().unwrap_or_default();
                }
            }
            (b'(' | b'[' | b'{', _) => {
                now.asked += u32::from(byte == b'(' && last == b'?');
                around.push(now);
            }
            (b')' | b']' | b'}', _) => now = around.pop().unwrap_or_default(),
            (b';' | b',', _) => now = around.last().copied().unwrap_or_default(),
            (b'<', _) if !tsx && b"([{,;=?:&|+-*/%!~^\0".contains(&last) => now.angles += 1,
            (b'=', Some(b'>')) => now.arrows += 1,
            _ => {}
        }
        most = most.max(now.angles + now.asked.min(now.arrows));
        if !byte.is_ascii_whitespace() {
            // An expression may start after `=>`, as it does not after another `>`.
            last = if byte == b'>' && last == b'=' { 0 } else { byte };
        }
        at += 1;
    }
    most
}

fn syntax_of(path: &str) -> (Syntax, bool) {
    let typescript = |tsx| Syntax::Typescript(TsSyntax { tsx, ..TsSyntax::default() });
    let script = |jsx| {
        Syntax::Es(EsSyntax { jsx, import_attributes: true, explicit_resource_management: true, ..EsSyntax::default() })
    };
    match path.rsplit('.').next() {
        Some("ts" | "mts" | "cts") => (typescript(false), true),
        Some("tsx") => (typescript(true), true),
        Some("jsx") => (script(true), true),
        _ => (script(false), false),
    }
}

/// Parses a file as an ES module, whatever its suffix says about modules.
pub(crate) fn parse(text: &Text) -> Result<Parsed, Vec<SyntaxError>> {
    let (code, base) = text.without_mark();
    let shape = shape(code);
    if shape.deepest > DEEPEST || shape.longest > LONGEST && shape.stack > LARGEST_STACK {
        let message = format!("nested too deeply to be read: more than {DEEPEST} levels");
        return Err(vec![SyntaxError { message, start: 0, end: 0 }]);
    }
    let typescript = syntax_of(&text.path).0;
    if matches!(typescript, Syntax::Typescript(syntax) if guesses(code, syntax.tsx) > MOST_GUESSES) {
        let message = "too many nested `<` and `?` that may start a type or a value to be read".to_owned();
        return Err(vec![SyntaxError { message, start: 0, end: 0 }]);
    }
    let stack = shape.stack.min(LARGEST_STACK);
    // Some texts trip assertions of the parser. They are as unreadable as others.
    let read = AssertUnwindSafe(|| read(text, code, base, stack));
    let read = || std::panic::catch_unwind(read);
    stacker::maybe_grow(stack, stack, read).unwrap_or_else(|_| {
        let message = "the parser gave up on this text".to_owned();
        Err(vec![SyntaxError { message, start: 0, end: 0 }])
    })
}

/// Syntax errors that are told of one file.
const MOST_ERRORS: usize = 100;

fn read(text: &Text, code: &str, base: u32, stack: usize) -> Result<Parsed, Vec<SyntaxError>> {
    let (syntax, compiled) = syntax_of(&text.path);
    let input = StringInput::new(code, BytePos(1), BytePos(1 + code.len() as u32));
    let mut parser = Parser::new_from(Lexer::new(syntax, EsVersion::EsNext, input, None));
    let result = parser.parse_module();
    let mut wrong = parser.take_errors();
    match result {
        Ok(module) if wrong.is_empty() => return Ok(Parsed { module: Some(Box::new(module)), base, stack, compiled }),
        Ok(_) => {}
        Err(error) => wrong.push(error),
    }
    let error = |error: swc_ecma_parser::error::Error| {
        let (start, end) = offsets(base, swc_common::Spanned::span(&error));
        SyntaxError { message: error.kind().msg().into_owned(), start, end }
    };
    // The parser says some things once for every pair, and nobody reads on after a hundred.
    let mut known = HashSet::new();
    wrong.retain(|error| known.insert(swc_common::Spanned::span(error)));
    wrong.truncate(MOST_ERRORS);
    Err(wrong.into_iter().map(error).collect())
}
