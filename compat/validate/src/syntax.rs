//! From a module's text to its syntax tree. The only place that calls the parser.

use crate::text::Text;
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

/// An upper bound of the stack that reading, walking and dropping a tree of this text can take: the parser and the
/// tree recurse once for each bracket, and less deeply for each other sign.
fn stack_for(text: &str) -> usize {
    const DEBUG: usize = if cfg!(debug_assertions) { 8 } else { 1 };
    let mut need = 0;
    for byte in text.bytes() {
        need += match byte {
            b'(' | b'[' | b'{' | b'<' => 6 * 1024 * DEBUG,
            b'?' | b'!' | b'~' | b'`' => 1536 * DEBUG,
            b'=' | b'+' | b'-' | b':' | b'.' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'>' => 512 * DEBUG,
            b' ' | b'\n' => 192 * DEBUG,
            _ => 0,
        };
    }
    need + 256 * 1024
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
    let need = stack_for(code);
    let stack = need.min(LARGEST_STACK);
    if need > LARGEST_STACK && deepest(code) > DEEPEST_LARGE {
        let message = "too large and nested too deeply to be read".to_owned();
        return Err(vec![SyntaxError { message, start: 0, end: 0 }]);
    }
    stacker::maybe_grow(stack, stack, || read(text, code, base, stack))
}

/// How deep brackets may nest in a text for which [`stack_for`] asks too much.
const DEEPEST_LARGE: usize = 4096;

fn deepest(code: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for byte in code.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

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
    Err(wrong.into_iter().map(error).collect())
}
