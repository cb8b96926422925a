//! JSON with positions, as strict as `JSON.parse`.

/// A value and where it stands.
#[derive(Debug)]
pub(crate) struct Json {
    pub(crate) value: Value,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

#[derive(Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    Array(Vec<Json>),
    Object(Vec<Entry>),
}

/// A key with its value, in the order of the text. A repeated key counts with its last value.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) value: Json,
}

/// What is wrong, and where.
#[derive(Debug)]
pub(crate) struct JsonError {
    pub(crate) message: String,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Deeper texts are refused: no manifest has them, and what is nested has to be dropped again.
const DEEPEST: u32 = 1_000;

impl Json {
    /// `an object`, `a number`: for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Json]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn entries(&self) -> Option<&[Entry]> {
        match &self.value {
            Value::Object(entries) => Some(entries),
            _ => None,
        }
    }

    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().and_then(|entries| entries.iter().rev().find(|entry| entry.key == key))
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        self.entry(key).map(|entry| &entry.value)
    }

    pub(crate) fn bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }
}

/// Reads one value. `base` is added to every position.
pub(crate) fn parse(text: &str, base: u32) -> Result<Json, JsonError> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, base, depth: 0 };
    reader.space();
    let value = reader.value()?;
    reader.space();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.wrong("nothing may follow the value")),
    }
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    base: u32,
    depth: u32,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn position(&self) -> u32 {
        self.base.saturating_add(self.at as u32)
    }

    fn wrong(&self, message: impl Into<String>) -> JsonError {
        let width = self.text.get(self.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let start = self.position();
        JsonError { message: message.into(), start, end: start + width as u32 }
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<Json, JsonError> {
        let start = self.position();
        let value = match self.peek() {
            None => return Err(self.wrong("the text ends where a value should be")),
            Some(b'{') => self.nested(Reader::object)?,
            Some(b'[') => self.nested(Reader::array)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(b'/') => return Err(self.wrong("JSON has no comments")),
            Some(b'\'') => return Err(self.wrong("texts stand in double quotes")),
            Some(_) => return Err(self.wrong("a value should be here")),
        };
        Ok(Json { value, start, end: self.position() })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, JsonError>) -> Result<Value, JsonError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong(format!("nested deeper than {DEEPEST} levels")));
        }
        let value = stacker::maybe_grow(64 * 1024, 1 << 20, || read(self));
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Value, JsonError> {
        let mut entries = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(entries));
        }
        loop {
            if self.peek() != Some(b'"') {
                let trailing = self.peek() == Some(b'}') && !entries.is_empty();
                let text =
                    if trailing { "no comma may stand before the }" } else { "a key in double quotes should be here" };
                return Err(self.wrong(text));
            }
            let start = self.position();
            let key = self.string()?;
            let end = self.position();
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.wrong("a : should follow the key"));
            }
            self.at += 1;
            self.space();
            let value = self.value()?;
            entries.push(Entry { key, start, end, value });
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.wrong("a , or } should be here")),
            }
            self.space();
        }
        self.at += 1;
        Ok(Value::Object(entries))
    }

    fn array(&mut self) -> Result<Value, JsonError> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            if self.peek() == Some(b']') {
                return Err(self.wrong("no comma may stand before the ]"));
            }
            items.push(self.value()?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.wrong("a , or ] should be here")),
            }
            self.space();
        }
        self.at += 1;
        Ok(Value::Array(items))
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, JsonError> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.wrong("a value should be here"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.wrong("a digit should be here")),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Ok(Value::Number(self.text[start..self.at].parse().unwrap_or(f64::NAN)))
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), JsonError> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.wrong("a digit should be here"));
        }
        self.digits();
        Ok(())
    }

    fn string(&mut self) -> Result<String, JsonError> {
        let mut out = String::new();
        self.at += 1;
        loop {
            let start = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            out.push_str(&self.text[start..self.at]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape(&mut out)?,
                Some(_) => return Err(self.wrong("control characters in a text are written as escapes")),
                None => return Err(self.wrong("the text is not closed")),
            }
        }
        self.at += 1;
        Ok(out)
    }

    fn escape(&mut self, out: &mut String) -> Result<(), JsonError> {
        self.at += 1;
        let plain = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let unit = self.hex()?;
                out.push(self.scalar(unit)?);
                return Ok(());
            }
            _ => return Err(self.wrong("no such escape")),
        };
        self.at += 1;
        out.push(plain);
        Ok(())
    }

    /// A lone surrogate becomes the replacement character: nothing a manifest names can hold one.
    fn scalar(&mut self, unit: u32) -> Result<char, JsonError> {
        if (0xd800..0xdc00).contains(&unit) && self.bytes[self.at..].starts_with(b"\\u") {
            let back = self.at;
            self.at += 2;
            let low = self.hex()?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = back;
        }
        Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.get(self.at..self.at + 4).filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(digits) = digits else { return Err(self.wrong("four hexadecimal digits should follow \\u")) };
        self.at += 4;
        Ok(u32::from_str_radix(digits, 16).unwrap_or(0xfffd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn fails(text: &str, at: u32, message: &str) {
        let error = parse(text, 0).unwrap_err();
        assert_eq!((error.start, error.message.as_str()), (at, message));
    }

    #[test]
    fn positions_of_keys_and_values() {
        let json = parse(r#" {"a": [1, "x"]}"#, 10).unwrap();
        let entry = json.entry("a").unwrap();
        assert_eq!((entry.start, entry.end, entry.value.start, entry.value.end), (12, 15, 17, 25));
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        assert_eq!(parse(r#"{"a":"x","a":"y"}"#, 0).unwrap().get("a").unwrap().text(), Some("y"));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        fails(r#"{"a":1,}"#, 7, "no comma may stand before the }");
        fails("[1,]", 3, "no comma may stand before the ]");
        fails("{} x", 3, "nothing may follow the value");
        fails("// x", 0, "JSON has no comments");
        fails("\"a\nb\"", 2, "control characters in a text are written as escapes");
        fails("", 0, "the text ends where a value should be");
        fails("\u{feff}{}", 0, "a value should be here");
    }

    #[test]
    fn refuses_what_would_need_stack() {
        assert!(parse(&"[".repeat(1_000_000), 0).unwrap_err().message.contains("deeper"));
    }

    proptest! {
        #[test]
        fn agrees_with_serde_json(text in r#"[\[\]{}",:0-9eE+.\-truefalsn\\ u]{0,24}"#) {
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            prop_assert_eq!(parse(&text, 0).is_ok(), theirs.is_ok() || overflows(&text, &theirs));
        }
    }

    /// Numbers beyond a double and lone surrogates are fine for `JSON.parse`.
    fn overflows(text: &str, theirs: &Result<serde_json::Value, serde_json::Error>) -> bool {
        let message = theirs.as_ref().unwrap_err().to_string();
        (message.contains("out of range") || message.contains("surrogate") || message.contains("hex escape"))
            && parse(text, 0).is_ok()
    }
}
