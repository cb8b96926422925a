//! Values between V8 and Rust.
//!
//! Reading takes own enumerable text keys, runs getters and proxies as a plain reader would, turns a `Date` into its
//! ISO text and a boxed primitive into what it boxes; what it does about functions and their like is for the caller to
//! say. Writing makes plain objects, frozen all the way down where asked.

use std::sync::Arc;

use deno_core::v8;
use modgate_value::{Map, Value};

/// Deeper data than this is refused: the recursion below must not meet the end of the thread's stack.
const MAX_DEPTH: usize = 512;

/// Why a JavaScript value could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// A function or a symbol, at that path (`result.items.0`).
    NotPlain { path: String },
    /// Nested deeper than the limit.
    TooDeep,
    /// A getter or a proxy trap threw; the text is what it threw.
    Threw(String),
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unreadable::NotPlain { path } if path.is_empty() => f.write_str("not plain data"),
            Unreadable::NotPlain { path } => write!(f, "{path}: not plain data"),
            Unreadable::TooDeep => write!(f, "nested deeper than {MAX_DEPTH} levels"),
            Unreadable::Threw(text) => f.write_str(text),
        }
    }
}

/// What becomes of what is no plain data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// What is no data or is alive (functions, symbols, promises, generators, weak collections) is refused, and what a
    /// getter throws is told.
    Told,
    /// The same; a getter that throws is no plain data either.
    Refused,
    /// It is left out: the field is not there, in a list it is undefined.
    LeftOut,
}

/// Reads a JavaScript value.
///
/// # Errors
/// See [`Unreadable`].
pub fn read<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    value: v8::Local<'s, v8::Value>,
    manner: Manner,
) -> Result<Value, Unreadable> {
    let mut reader = Reader { manner, enclosing: Vec::new(), path: Vec::new() };
    v8::tc_scope!(let scope, scope);
    match reader.value(scope, value) {
        Err(Unreadable::Threw(_)) if manner == Manner::Refused => {
            scope.reset();
            Err(Unreadable::NotPlain { path: String::new() })
        }
        Err(Unreadable::Threw(_)) => {
            let text = scope.exception().map(|thrown| thrown.to_rust_string_lossy(scope));
            scope.reset();
            Err(Unreadable::Threw(text.unwrap_or_default()))
        }
        other => other,
    }
}

struct Reader<'s> {
    manner: Manner,
    /// The objects being read, outermost first: meeting one again is a cycle.
    enclosing: Vec<v8::Local<'s, v8::Object>>,
    path: Vec<Arc<str>>,
}

impl<'s> Reader<'s> {
    fn value(
        &mut self,
        scope: &mut v8::PinScope<'s, '_>,
        value: v8::Local<'s, v8::Value>,
    ) -> Result<Value, Unreadable> {
        if value.is_string() {
            return Ok(Value::from(value.to_rust_string_lossy(scope)));
        }
        if value.is_undefined() {
            return Ok(Value::Undefined);
        }
        if value.is_null() {
            return Ok(Value::Null);
        }
        if value.is_boolean() {
            return Ok(Value::Bool(value.is_true()));
        }
        if value.is_number() {
            return Ok(Value::Number(value.number_value(scope).unwrap_or(f64::NAN)));
        }
        if let Ok(big) = v8::Local::<v8::BigInt>::try_from(value) {
            return Ok(Value::BigInt(Arc::from(big.to_rust_string_lossy(scope))));
        }
        if value.is_symbol() && self.manner == Manner::LeftOut {
            return Ok(Value::Undefined);
        }
        if value.is_function() || value.is_symbol() {
            return Err(Unreadable::NotPlain { path: self.path.join(".") });
        }
        if let Ok(date) = v8::Local::<v8::Date>::try_from(value) {
            return Ok(self.date(scope, date));
        }
        let Ok(object) = v8::Local::<v8::Object>::try_from(value) else {
            return Err(Unreadable::NotPlain { path: self.path.join(".") });
        };
        if self.manner != Manner::LeftOut && is_alive(value) {
            return Err(Unreadable::NotPlain { path: self.path.join(".") });
        }
        match boxed(scope, object) {
            Some(primitive) => self.value(scope, primitive),
            None => self.container(scope, object),
        }
    }

    /// The value of a field, where there is one to take.
    fn held(
        &mut self,
        scope: &mut v8::PinScope<'s, '_>,
        object: v8::Local<'s, v8::Object>,
        name: v8::Local<'s, v8::Value>,
    ) -> Result<Option<v8::Local<'s, v8::Value>>, Unreadable> {
        if self.manner != Manner::LeftOut {
            return object.get(scope, name).map(Some).ok_or_else(threw);
        }
        v8::tc_scope!(let scope, scope);
        match object.get(scope, name) {
            Some(value) if value.is_function() => Ok(None),
            Some(value) => Ok(Some(value)),
            None if scope.can_continue() => {
                scope.reset();
                Ok(None)
            }
            None => Err(threw()),
        }
    }

    fn date(&self, scope: &mut v8::PinScope<'s, '_>, date: v8::Local<'s, v8::Date>) -> Value {
        if date.value_of().is_nan() {
            return Value::Null;
        }
        // JSON's text of a date is its ISO text in quotes.
        v8::json::stringify(scope, date.into())
            .map_or(Value::Null, |text| Value::text(text.to_rust_string_lossy(scope).trim_matches('"')))
    }

    fn container(
        &mut self,
        scope: &mut v8::PinScope<'s, '_>,
        object: v8::Local<'s, v8::Object>,
    ) -> Result<Value, Unreadable> {
        if let Some(at) = self.enclosing.iter().rposition(|other| *other == object) {
            return Ok(Value::Cycle(self.enclosing.len() - 1 - at));
        }
        if self.enclosing.len() == MAX_DEPTH {
            return Err(Unreadable::TooDeep);
        }
        self.enclosing.push(object);
        let read = match v8::Local::<v8::Array>::try_from(object) {
            Ok(list) => self.list(scope, list),
            Err(_) => self.fields(scope, object),
        };
        self.enclosing.pop();
        read
    }

    fn list(&mut self, scope: &mut v8::PinScope<'s, '_>, list: v8::Local<'s, v8::Array>) -> Result<Value, Unreadable> {
        let mut values = Vec::with_capacity(list.length().min(4096) as usize);
        for index in 0..list.length() {
            let name = v8::Integer::new_from_unsigned(scope, index).into();
            let Some(value) = self.held(scope, list.into(), name)? else {
                values.push(Value::Undefined);
                continue;
            };
            self.path.push(Arc::from(index.to_string()));
            values.push(self.value(scope, value)?);
            self.path.pop();
        }
        Ok(Value::from(values))
    }

    fn fields(
        &mut self,
        scope: &mut v8::PinScope<'s, '_>,
        object: v8::Local<'s, v8::Object>,
    ) -> Result<Value, Unreadable> {
        let args = v8::GetPropertyNamesArgs {
            mode: v8::KeyCollectionMode::OwnOnly,
            property_filter: v8::PropertyFilter::ONLY_ENUMERABLE | v8::PropertyFilter::SKIP_SYMBOLS,
            index_filter: v8::IndexFilter::IncludeIndices,
            key_conversion: v8::KeyConversionMode::ConvertToString,
        };
        let names = object.get_own_property_names(scope, args).ok_or_else(threw)?;
        let mut fields = Map::with_capacity(names.length() as usize);
        for index in 0..names.length() {
            let name = names.get_index(scope, index).ok_or_else(threw)?;
            let Some(value) = self.held(scope, object, name)? else { continue };
            let key: Arc<str> = Arc::from(name.to_rust_string_lossy(scope));
            self.path.push(key.clone());
            let value = self.value(scope, value)?;
            self.path.pop();
            fields.insert(key, value);
        }
        Ok(Value::from(fields))
    }
}

/// What goes on, or may go away.
fn is_alive(value: v8::Local<v8::Value>) -> bool {
    value.is_promise() || value.is_generator_object() || value.is_weak_map() || value.is_weak_set()
}

/// What `new Number(5)` and its like box, by the text or number they give.
fn boxed<'s>(scope: &mut v8::PinScope<'s, '_>, object: v8::Local<'s, v8::Object>) -> Option<v8::Local<'s, v8::Value>> {
    if object.is_number_object() {
        return object.number_value(scope).map(|number| v8::Number::new(scope, number).into());
    }
    if object.is_string_object() {
        return object.to_string(scope).map(Into::into);
    }
    if object.is_boolean_object() {
        let is_true = object.to_string(scope)?.to_rust_string_lossy(scope) == "true";
        return Some(v8::Boolean::new(scope, is_true).into());
    }
    None
}

fn threw() -> Unreadable {
    Unreadable::Threw(String::new())
}

/// Whether what is written can be changed by the mod that gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Frozen all the way down: the input of a hook.
    Frozen,
    /// A copy of its own: what `next` and `$` calls give.
    Own,
}

/// Makes the JavaScript value.
pub fn write<'s>(scope: &mut v8::PinScope<'s, '_>, value: &Value, access: Access) -> v8::Local<'s, v8::Value> {
    Writer { access, enclosing: Vec::new() }.value(scope, value)
}

struct Writer<'s> {
    access: Access,
    enclosing: Vec<v8::Local<'s, v8::Value>>,
}

impl<'s> Writer<'s> {
    fn value(&mut self, scope: &mut v8::PinScope<'s, '_>, value: &Value) -> v8::Local<'s, v8::Value> {
        match value {
            Value::Undefined => v8::undefined(scope).into(),
            Value::Null => v8::null(scope).into(),
            Value::Bool(value) => v8::Boolean::new(scope, *value).into(),
            Value::Number(value) => v8::Number::new(scope, *value).into(),
            Value::BigInt(digits) => big_int(scope, digits),
            Value::String(text) => string(scope, text),
            Value::Array(values) => self.list(scope, values),
            Value::Object(fields) => self.object(scope, fields),
            Value::Cycle(outwards) => self
                .enclosing
                .len()
                .checked_sub(outwards + 1)
                .map_or_else(|| v8::undefined(scope).into(), |at| self.enclosing[at]),
        }
    }

    fn list(&mut self, scope: &mut v8::PinScope<'s, '_>, values: &[Value]) -> v8::Local<'s, v8::Value> {
        let list = v8::Array::new(scope, i32::try_from(values.len()).unwrap_or(i32::MAX));
        self.enclosing.push(list.into());
        for (index, value) in values.iter().enumerate() {
            let value = self.value(scope, value);
            list.set_index(scope, u32::try_from(index).unwrap_or(u32::MAX), value);
        }
        self.enclosing.pop();
        self.seal(scope, list.into());
        list.into()
    }

    fn object(&mut self, scope: &mut v8::PinScope<'s, '_>, fields: &Map) -> v8::Local<'s, v8::Value> {
        let object = v8::Object::new(scope);
        self.enclosing.push(object.into());
        for (key, value) in fields {
            let value = self.value(scope, value);
            if let Some(key) = v8::String::new_from_utf8(scope, key.as_bytes(), v8::NewStringType::Internalized) {
                // Not `set`: a key such as `__proto__` has to stay data.
                object.create_data_property(scope, key.into(), value);
            }
        }
        self.enclosing.pop();
        self.seal(scope, object);
        object.into()
    }

    fn seal(&self, scope: &mut v8::PinScope<'s, '_>, object: v8::Local<'s, v8::Object>) {
        if self.access == Access::Frozen {
            object.set_integrity_level(scope, v8::IntegrityLevel::Frozen);
        }
    }
}

fn string<'s>(scope: &mut v8::PinScope<'s, '_>, text: &str) -> v8::Local<'s, v8::Value> {
    v8::String::new(scope, text).map_or_else(|| v8::String::empty(scope).into(), Into::into)
}

fn big_int<'s>(scope: &mut v8::PinScope<'s, '_>, digits: &str) -> v8::Local<'s, v8::Value> {
    let (negative, digits) = digits.strip_prefix('-').map_or((false, digits), |rest| (true, rest));
    // Base 10^18 into 64-bit words, least significant first.
    let mut words: Vec<u64> = vec![0];
    for digit in digits.bytes().filter(u8::is_ascii_digit) {
        let mut carry = u128::from(digit - b'0');
        for word in &mut words {
            let sum = u128::from(*word) * 10 + carry;
            #[expect(clippy::cast_possible_truncation, reason = "the low word of a 128-bit sum")]
            {
                *word = sum as u64;
            }
            carry = sum >> 64;
        }
        if carry > 0 {
            words.push(u64::try_from(carry).unwrap_or(u64::MAX));
        }
    }
    v8::BigInt::new_from_words(scope, negative, &words).map_or_else(|| v8::undefined(scope).into(), Into::into)
}
