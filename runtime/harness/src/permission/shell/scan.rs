use std::iter::Peekable;
use std::str::Chars;

use super::Part;

/// What one pass over a text gives. Scripts inside of it (`$(...)`, backticks, `<(...)`, groups) are left to the
/// caller.
#[derive(Default)]
pub(super) struct Scanned {
    pub(super) parts: Vec<Part>,
    pub(super) nested: Vec<String>,
    pub(super) opaque: Option<String>,
}

/// Words that begin or continue a control structure; what follows is a command.
const KEYWORDS: &[&str] = &["if", "then", "else", "elif", "while", "until", "do", "{", "}", "!", "fi", "done"];
/// Words whose structure is not followed.
const STRUCTURES: &[&str] = &["for", "case", "select", "function", "[[", "coproc", "esac"];

pub(super) fn scan(text: &str) -> Scanned {
    let mut scanner = Scanner { chars: text.chars().peekable(), out: Scanned::default(), now: Current::default() };
    scanner.run();
    scanner.finish_part();
    scanner.out
}

#[derive(Default)]
struct Current {
    part: Part,
    word: String,
    /// The text of the word as written.
    raw: String,
    in_word: bool,
    computed: bool,
    target: Option<Target>,
}

#[derive(Clone, Copy)]
enum Target {
    Write,
    Read,
    Text,
}

struct Scanner<'a> {
    chars: Peekable<Chars<'a>>,
    out: Scanned,
    now: Current,
}

impl Scanner<'_> {
    fn opaque(&mut self, reason: &str) {
        self.out.opaque.get_or_insert_with(|| reason.to_owned());
    }

    fn run(&mut self) {
        while let Some(c) = self.chars.next() {
            match c {
                '\\' => self.escaped(),
                '\'' => self.single_quoted(),
                '"' => self.double_quoted(),
                '$' => self.dollar(),
                '`' => self.backticks(),
                ' ' | '\t' | '\r' => self.finish_word(),
                '\n' | ';' => self.finish_part(),
                '|' => {
                    self.chars.next_if(|next| matches!(next, '|' | '&'));
                    self.finish_part();
                }
                '&' => self.ampersand(),
                '<' | '>' => self.redirection(c),
                '(' => self.group(),
                ')' => {
                    self.opaque("a parenthesis closes that none opened");
                    self.finish_part();
                }
                '#' if !self.now.in_word => while self.chars.next_if(|next| *next != '\n').is_some() {},
                other => self.push(other, other),
            }
        }
    }

    fn push(&mut self, raw: char, meant: char) {
        self.now.in_word = true;
        self.now.raw.push(raw);
        self.now.word.push(meant);
    }

    fn escaped(&mut self) {
        match self.chars.next() {
            Some('\n') => {}
            Some(c) => {
                self.now.raw.push('\\');
                self.push(c, c);
            }
            None => self.opaque("it ends in a backslash"),
        }
    }

    fn single_quoted(&mut self) {
        self.now.in_word = true;
        self.now.raw.push('\'');
        loop {
            match self.chars.next() {
                Some('\'') => break self.now.raw.push('\''),
                Some(c) => self.push(c, c),
                None => break self.opaque("a quote is not closed"),
            }
        }
    }

    fn double_quoted(&mut self) {
        self.now.in_word = true;
        self.now.raw.push('"');
        loop {
            match self.chars.next() {
                Some('"') => break self.now.raw.push('"'),
                Some('\\') => self.escaped(),
                Some('$') => self.dollar(),
                Some('`') => self.backticks(),
                Some(c) => self.push(c, c),
                None => break self.opaque("a quote is not closed"),
            }
        }
    }

    fn dollar(&mut self) {
        match self.chars.peek() {
            Some('(') => {
                self.chars.next();
                let inner = self.until_closed('(', ')');
                self.substitution(&format!("$({inner})"), inner);
            }
            Some('{') => {
                self.chars.next();
                let inner = self.until_closed('{', '}');
                self.now.computed = true;
                let scripts = scan(&inner);
                self.out.nested.extend(scripts.nested);
                for c in format!("${{{inner}}}").chars() {
                    self.push(c, c);
                }
            }
            Some('\'' | '"') => {
                self.opaque("quotes after a dollar sign are not followed");
                self.push('$', '$');
            }
            _ => {
                self.now.computed = true;
                self.push('$', '$');
            }
        }
    }

    fn substitution(&mut self, raw: &str, inner: String) {
        self.now.computed = true;
        self.out.nested.push(inner);
        for c in raw.chars() {
            self.push(c, c);
        }
    }

    fn backticks(&mut self) {
        let mut inner = String::new();
        loop {
            match self.chars.next() {
                Some('`') => break,
                Some('\\') => match self.chars.next() {
                    Some(c @ ('`' | '\\' | '$')) => inner.push(c),
                    Some(c) => inner.extend(['\\', c]),
                    None => return self.opaque("a backtick is not closed"),
                },
                Some(c) => inner.push(c),
                None => return self.opaque("a backtick is not closed"),
            }
        }
        self.substitution(&format!("`{inner}`"), inner);
    }

    /// The text up to the closing sign, quotes and nesting respected.
    fn until_closed(&mut self, open: char, close: char) -> String {
        let mut depth = 1;
        let mut quote = None;
        let mut text = String::new();
        while let Some(c) = self.chars.next() {
            match (quote, c) {
                (Some('\''), '\'') | (Some('"'), '"') => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None | Some('"'), '\\') => {
                    text.push(c);
                    text.extend(self.chars.next());
                    continue;
                }
                (None, c) if c == open => depth += 1,
                (None, c) if c == close => {
                    depth -= 1;
                    if depth == 0 {
                        return text;
                    }
                }
                _ => {}
            }
            text.push(c);
        }
        self.opaque("a parenthesis or brace is not closed");
        text
    }

    fn group(&mut self) {
        let begins = !self.now.in_word && self.now.part.words.is_empty() && self.now.target.is_none();
        let inner = self.until_closed('(', ')');
        if !begins {
            self.opaque("a function or array is not followed");
        }
        self.out.nested.push(inner);
    }

    fn ampersand(&mut self) {
        if self.chars.next_if_eq(&'>').is_some() {
            self.finish_word();
            self.chars.next_if_eq(&'>');
            self.now.target = Some(Target::Write);
        } else {
            self.chars.next_if_eq(&'&');
            self.finish_part();
        }
    }

    fn redirection(&mut self, sign: char) {
        // Digits right before the sign are a descriptor, not a word.
        if self.now.in_word && self.now.raw.chars().all(|c| c.is_ascii_digit()) {
            self.now.word.clear();
            self.now.raw.clear();
            self.now.in_word = false;
        }
        self.finish_word();
        match (sign, self.chars.peek()) {
            (_, Some('(')) => {
                self.chars.next();
                let inner = self.until_closed('(', ')');
                self.substitution(&format!("{sign}({inner})"), inner);
            }
            ('<', Some('<')) => {
                self.chars.next();
                if self.chars.next_if_eq(&'<').is_some() {
                    self.now.target = Some(Target::Text);
                } else {
                    self.opaque("a here-document is not followed");
                }
            }
            ('<', Some('>')) => {
                self.chars.next();
                self.now.target = Some(Target::Write);
            }
            (_, Some('&')) => {
                self.chars.next();
                let copies = self.chars.peek().is_some_and(|next| next.is_ascii_digit() || *next == '-');
                self.now.target = Some(if copies { Target::Text } else { Target::Write });
            }
            ('<', _) => self.now.target = Some(Target::Read),
            _ => {
                self.chars.next_if(|next| matches!(next, '>' | '|'));
                self.now.target = Some(Target::Write);
            }
        }
    }

    fn finish_word(&mut self) {
        if !self.now.in_word {
            return;
        }
        self.now.in_word = false;
        let word = std::mem::take(&mut self.now.word);
        let raw = std::mem::take(&mut self.now.raw);
        let computed = std::mem::take(&mut self.now.computed);
        match self.now.target.take() {
            Some(Target::Write | Target::Read) if computed => self.opaque("the name of a redirection is computed"),
            Some(Target::Write) => return self.now.part.writes.push(word),
            Some(Target::Read) => return self.now.part.reads.push(word),
            Some(Target::Text) => return,
            None => {}
        }
        if self.now.part.words.is_empty() && self.keyword(&raw) {
            return;
        }
        let named = self.now.part.words.iter().any(|word| !word.contains('='));
        if !named && (computed || raw.contains(['*', '?', '[', '{'])) {
            self.opaque("the name of a command is computed");
        }
        if !self.now.part.text.is_empty() {
            self.now.part.text.push(' ');
        }
        self.now.part.text.push_str(&raw);
        self.now.part.words.push(word);
    }

    fn keyword(&mut self, raw: &str) -> bool {
        if STRUCTURES.contains(&raw) {
            self.opaque("a control structure is not followed");
            return false;
        }
        if KEYWORDS.contains(&raw) {
            self.opaque("a control structure is not followed");
            return true;
        }
        false
    }

    fn finish_part(&mut self) {
        self.finish_word();
        if self.now.target.take().is_some() {
            self.opaque("a redirection names no file");
        }
        let part = std::mem::take(&mut self.now.part);
        if part != Part::default() {
            self.out.parts.push(part);
        }
    }
}
