//! From a module's text to its syntax tree. The only place that calls the parser.

mod metered;

use self::metered::{DEEPEST, Meter, Metered, Spent};
use crate::text::Text;
use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
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

/// An upper bound of the stack that reading, walking and dropping a text's tree takes: the parser and the tree recurse
/// once for each bracket, and less deeply for each other sign. Closing brackets do not count against it, because they
/// may stand in texts and comments.
fn stack_for(code: &str) -> usize {
    const DEBUG: usize = if cfg!(debug_assertions) { 8 } else { 1 };
    let mut stack = 256 * 1024;
    let mut in_word = false;
    for byte in code.bytes() {
        // `new new new x` and `await await x` nest without any sign.
        let word = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
        if word && !in_word {
            stack += 2048 * DEBUG;
        }
        in_word = word;
        let more = match byte {
            b'(' | b'[' | b'{' | b'<' | b'>' => 6 * 1024,
            b'?' | b'!' | b'~' | b'`' => 1536,
            b'=' | b'+' | b'-' | b':' | b'.' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' => 512,
            _ => 0,
        };
        stack += more * DEBUG;
    }
    stack
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
    let needed = stack_for(code);
    let stack = needed.min(LARGEST_STACK);
    // Some texts trip assertions of the parser. They are as unreadable as others.
    let meter = Meter::new(code.len(), needed > LARGEST_STACK);
    let read = AssertUnwindSafe(|| read(text, code, &meter, base, stack));
    let read = || std::panic::catch_unwind(read);
    let result = stacker::maybe_grow(stack, stack, read);
    if let Some(spent) = meter.spent() {
        return Err(vec![too_much(spent, base)]);
    }
    result.unwrap_or_else(|_| {
        let message = "the parser gave up on this text".to_owned();
        Err(vec![SyntaxError { message, start: 0, end: 0 }])
    })
}

fn too_much(spent: Spent, base: u32) -> SyntaxError {
    let (message, at) = match spent {
        Spent::Depth(at) => (format!("nested too deeply to be read: more than {DEEPEST} levels"), at),
        Spent::Work(at) => {
            ("too many nested `<`, `?` and `(` that may start a type or a value to be read".to_owned(), at)
        }
    };
    let (start, end) = offsets(base, Span::new(at, at));
    SyntaxError { message, start, end }
}

/// Syntax errors that are told of one file.
const MOST_ERRORS: usize = 100;

/// What strict mode refuses, and compiling TypeScript writes in another way.
fn compiling_forgives(kind: &swc_ecma_parser::error::SyntaxError) -> bool {
    use swc_ecma_parser::error::SyntaxError::{IllegalLanguageModeDirective, LabelledFunctionInStrict, TS1085};
    matches!(kind, IllegalLanguageModeDirective | LabelledFunctionInStrict | TS1085)
}

fn read(text: &Text, code: &str, meter: &Rc<Meter>, base: u32, stack: usize) -> Result<Parsed, Vec<SyntaxError>> {
    let (syntax, compiled) = syntax_of(&text.path);
    let input = StringInput::new(code, BytePos(1), BytePos(1 + code.len() as u32));
    let mut parser = Parser::new_from(Metered::new(Lexer::new(syntax, EsVersion::EsNext, input, None), meter));
    let result = parser.parse_module();
    let mut wrong = parser.take_errors();
    if compiled {
        wrong.retain(|error| !compiling_forgives(error.kind()));
    }
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
