//! The parser's source of tokens, with a meter. The TypeScript parser guesses (is this `<` a comparison or a type?) and
//! reads again what followed a wrong guess, so nested guesses cost without bound. Here every token it takes again is
//! counted, and when what a text may cost is spent, the text ends.

use std::cell::Cell;
use std::rc::Rc;
use swc_common::{BytePos, Span};
use swc_ecma_ast::EsVersion;
use swc_ecma_parser::error::Error;
use swc_ecma_parser::input::Tokens;
use swc_ecma_parser::unstable::{Token, TokenAndSpan, TokenFlags, TokenValue};
use swc_ecma_parser::{Context, Lexer, SyntaxFlags};

/// Brackets may nest this deep. No person writes deeper ones.
pub(super) const DEEPEST: u32 = 2_500;

/// Labels around one statement. The parser says of each that has the name of others around it, once for every one.
const MOST_LABELS: u32 = 500;

/// Tokens that nest without a bracket, such as `a + b + ...`, where the stack is not enough for the whole text.
const LONGEST: u32 = 1 << 16;

/// Why a text ended before its end, and where.
#[derive(Clone, Copy)]
pub(super) enum Spent {
    Work(BytePos),
    Depth(BytePos),
}

/// What all copies of one source share: going back in the text does not give back what was spent.
pub(super) struct Meter {
    left: Cell<u64>,
    spent: Cell<Option<Spent>>,
    /// How far the text has been read at least once.
    furthest: Cell<BytePos>,
    longest: u32,
}

impl Meter {
    /// It allows to read every token of a text of this many bytes several times over. `large`: how far the text may nest
    /// without brackets has to be looked at too.
    pub(super) fn new(length: usize, large: bool) -> Rc<Meter> {
        let left = Cell::new(50_000 + length as u64);
        let longest = if large { LONGEST } else { u32::MAX };
        Rc::new(Meter { left, spent: Cell::new(None), furthest: Cell::new(BytePos(0)), longest })
    }

    pub(super) fn spent(&self) -> Option<Spent> {
        self.spent.get()
    }

    fn take(&self, cost: u32, at: BytePos) {
        self.left.set(self.left.get().saturating_sub(u64::from(cost)));
        if self.left.get() == 0 {
            self.end(Spent::Work(at));
        }
    }

    fn end(&self, why: Spent) {
        self.spent.set(self.spent.get().or(Some(why)));
    }
}

/// How many statements nest without a bracket between them: `a: b: c: x` and `if (a) 1; else if (b) 2; else 3`.
#[derive(Clone, Copy, Default)]
struct Nested {
    labels: u32,
    branches: u32,
    /// Tokens of an expression, those around its brackets included.
    run: u32,
}

/// A bracket that is open.
struct Around {
    nested: Nested,
    opened: BytePos,
    /// `{` where a value stands: what it holds are no statements.
    object: bool,
    outside: Option<Rc<Around>>,
}

/// A place in the text, to come back to.
#[derive(Clone)]
struct Place {
    depth: u32,
    nested: Nested,
    around: Option<Rc<Around>>,
    last: Token,
    before: Token,
    start: BytePos,
    end: BytePos,
    /// Bytes between the brackets closed last.
    closed: u32,
}

impl Place {
    fn in_object(&self) -> bool {
        self.around.as_ref().is_some_and(|around| around.object)
    }

    /// Does an object, not a block, start with this bracket?
    fn is_value(&self, bracket: Token) -> bool {
        use Token::{Colon, Comma, Eq, LBracket, LParen, QuestionMark};
        let value = matches!(self.last, Eq | LParen | LBracket | Comma | QuestionMark);
        bracket == Token::LBrace && (value || self.last == Colon && self.in_object())
    }

    /// Is the name just read, with a colon behind it, a label?
    fn is_label(&self) -> bool {
        use Token::{Colon, Default, Do, Else, LBrace, RBrace, RParen, Semi};
        let starts = matches!(self.before, Semi | LBrace | RBrace | RParen | Colon | Else | Do);
        starts && self.last.is_word() && self.last != Default && !self.in_object()
    }
}

#[derive(Clone)]
pub(super) struct Metered<'a> {
    lexer: Lexer<'a>,
    meter: Rc<Meter>,
    place: Place,
    /// Before the last token: the parser may want to read that one again as something else.
    prior: Place,
}

pub(super) struct Checkpoint {
    lexer: <Lexer<'static> as Tokens>::Checkpoint,
    place: Place,
}

impl<'a> Metered<'a> {
    pub(super) fn new(lexer: Lexer<'a>, meter: &Rc<Meter>) -> Metered<'a> {
        let place = Place {
            depth: 0,
            nested: Nested::default(),
            around: None,
            last: Token::Semi,
            before: Token::Semi,
            start: lexer.start_pos(),
            end: lexer.start_pos(),
            closed: 0,
        };
        Metered { lexer, meter: Rc::clone(meter), prior: place.clone(), place }
    }

    /// What the parser gets instead of `token`, which it took from the text.
    fn count(&mut self, token: TokenAndSpan) -> TokenAndSpan {
        let TokenAndSpan { token: kind, span, .. } = token;
        self.prior.clone_from(&self.place);
        let width = span.hi.0.saturating_sub(self.place.end.0);
        self.follow(kind, span, token.had_line_break);
        let Nested { labels, branches, run } = self.place.nested;
        if kind == Token::Else {
            // The parser hangs each one below the one before by a walk from the first.
            self.meter.take(branches / 512, span.lo);
        }
        if span.lo < self.meter.furthest.get() {
            // What nests deeply takes longer: its tree is dropped each time.
            self.meter.take(1 + width / 16 + run / 2048, span.lo);
        } else {
            self.meter.furthest.set(span.hi);
        }
        if self.place.depth > DEEPEST || labels > MOST_LABELS || run > self.meter.longest {
            self.meter.end(Spent::Depth(span.lo));
        }
        if self.meter.spent().is_some() {
            return TokenAndSpan::new(Token::Eof, Span::new(span.lo, span.lo), token.had_line_break);
        }
        token
    }

    /// The last token is read again.
    fn recount(&mut self, start: BytePos, token: TokenAndSpan) -> TokenAndSpan {
        if self.place.start >= start {
            self.place.clone_from(&self.prior);
        }
        self.count(token)
    }

    /// Moves the place over a token.
    fn follow(&mut self, kind: Token, span: Span, line: bool) {
        let place = &mut self.place;
        let base = place.around.as_ref().map_or_else(Nested::default, |around| around.nested);
        let goes_on = matches!(kind, Token::Else | Token::Catch | Token::Finally | Token::While);
        match place.last {
            Token::Semi | Token::RBrace if !goes_on => place.nested = base,
            Token::Comma => place.nested = Nested { branches: place.nested.branches, ..base },
            // A new line where no expression goes on.
            last if line && kind.is_word() && (last.is_word() || last == Token::RParen) => place.nested.run = base.run,
            _ => {}
        }
        place.nested.run += 1;
        match kind {
            Token::LParen | Token::LBracket | Token::LBrace | Token::TemplateHead => {
                place.depth += 1;
                let object = place.is_value(kind);
                let outside = place.around.take();
                place.around = Some(Rc::new(Around { nested: place.nested, opened: span.lo, object, outside }));
            }
            Token::RParen | Token::RBracket | Token::RBrace | Token::TemplateTail => {
                place.depth = place.depth.saturating_sub(1);
                if let Some(around) = place.around.take() {
                    place.nested = around.nested;
                    place.closed = span.lo.0.saturating_sub(around.opened.0);
                    place.around.clone_from(&around.outside);
                }
            }
            Token::Colon if place.is_label() => place.nested.labels += 1,
            Token::Else => place.nested.branches += 1,
            _ => {}
        }
        place.before = place.last;
        place.last = kind;
        place.start = span.lo;
        place.end = span.hi;
    }
}

impl Tokens for Metered<'_> {
    type Checkpoint = Checkpoint;

    fn checkpoint_save(&self) -> Checkpoint {
        if self.place.last == Token::Colon && self.place.before == Token::RParen {
            // `(...):` may be what an arrow function takes, or a value: the parser copies what it read.
            self.meter.take(self.place.closed / 16, self.place.end);
        }
        Checkpoint { lexer: self.lexer.checkpoint_save(), place: self.place.clone() }
    }

    fn checkpoint_load(&mut self, checkpoint: Checkpoint) {
        self.lexer.checkpoint_load(checkpoint.lexer);
        self.prior.clone_from(&checkpoint.place);
        self.place = checkpoint.place;
    }

    fn first_token(&mut self) -> TokenAndSpan {
        let token = self.lexer.first_token();
        self.count(token)
    }

    fn next_token(&mut self) -> TokenAndSpan {
        let token = self.lexer.next_token();
        self.count(token)
    }

    fn scan_jsx_token(&mut self) -> TokenAndSpan {
        let token = Tokens::scan_jsx_token(&mut self.lexer);
        self.count(token)
    }

    fn scan_jsx_open_el_terminal_token(&mut self) -> TokenAndSpan {
        let token = self.lexer.scan_jsx_open_el_terminal_token();
        self.count(token)
    }

    fn rescan_jsx_open_el_terminal_token(&mut self, reset: BytePos) -> TokenAndSpan {
        let token = self.lexer.rescan_jsx_open_el_terminal_token(reset);
        self.recount(reset, token)
    }

    fn rescan_jsx_token(&mut self, reset: BytePos) -> TokenAndSpan {
        let token = self.lexer.rescan_jsx_token(reset);
        self.recount(reset, token)
    }

    fn rescan_type_gt(&mut self, span: Span) -> TokenAndSpan {
        let token = self.lexer.rescan_type_gt(span);
        self.recount(span.lo, token)
    }

    fn scan_jsx_identifier(&mut self, start: BytePos) -> TokenAndSpan {
        let token = self.lexer.scan_jsx_identifier(start);
        self.recount(start, token)
    }

    fn scan_jsx_attribute_value(&mut self) -> TokenAndSpan {
        let token = Tokens::scan_jsx_attribute_value(&mut self.lexer);
        self.count(token)
    }

    fn rescan_template_token(&mut self, start: BytePos, start_with_back_tick: bool) -> TokenAndSpan {
        let token = self.lexer.rescan_template_token(start, start_with_back_tick);
        let counted = self.recount(start, token);
        // The parser takes the value of what it asked for here; the end comes with the next token.
        if counted.token == Token::Eof { token } else { counted }
    }

    fn set_ctx(&mut self, ctx: Context) {
        self.lexer.set_ctx(ctx);
    }

    fn ctx(&self) -> Context {
        self.lexer.ctx()
    }

    fn ctx_mut(&mut self) -> &mut Context {
        self.lexer.ctx_mut()
    }

    fn syntax(&self) -> SyntaxFlags {
        self.lexer.syntax()
    }

    fn target(&self) -> EsVersion {
        self.lexer.target()
    }

    fn read_string(&self, span: Span) -> &str {
        self.lexer.read_string(span)
    }

    fn start_pos(&self) -> BytePos {
        Tokens::start_pos(&self.lexer)
    }

    fn end_pos(&self) -> BytePos {
        self.lexer.end_pos()
    }

    fn set_expr_allowed(&mut self, allow: bool) {
        self.lexer.set_expr_allowed(allow);
    }

    fn set_next_regexp(&mut self, start: Option<BytePos>) {
        self.lexer.set_next_regexp(start);
    }

    fn add_error(&mut self, error: Error) {
        self.lexer.add_error(error);
    }

    fn add_module_mode_error(&mut self, error: Error) {
        self.lexer.add_module_mode_error(error);
    }

    fn take_errors(&mut self) -> Vec<Error> {
        self.lexer.take_errors()
    }

    fn has_errors(&self) -> bool {
        self.lexer.has_errors()
    }

    fn diagnostic_checkpoint_save(&self) -> (usize, usize) {
        self.lexer.diagnostic_checkpoint_save()
    }

    fn diagnostic_checkpoint_load(&mut self, checkpoint: (usize, usize)) {
        self.lexer.diagnostic_checkpoint_load(checkpoint);
    }

    fn take_script_module_errors(&mut self) -> Vec<Error> {
        self.lexer.take_script_module_errors()
    }

    fn set_defer_comments(&mut self, defer: bool) {
        self.lexer.set_defer_comments(defer);
    }

    fn finalize_comments(&mut self) {
        Tokens::finalize_comments(&mut self.lexer);
    }

    fn update_token_flags(&mut self, change: impl FnOnce(&mut TokenFlags)) {
        self.lexer.update_token_flags(change);
    }

    fn token_flags(&self) -> TokenFlags {
        self.lexer.token_flags()
    }

    fn clone_token_value(&self) -> Option<TokenValue> {
        self.lexer.clone_token_value()
    }

    fn take_token_value(&mut self) -> Option<TokenValue> {
        self.lexer.take_token_value()
    }

    fn get_token_value(&self) -> Option<&TokenValue> {
        self.lexer.get_token_value()
    }

    fn set_token_value(&mut self, value: Option<TokenValue>) {
        self.lexer.set_token_value(value);
    }
}
