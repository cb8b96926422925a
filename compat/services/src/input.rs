//! Reading a call's arguments.

use modgate_value::Value;

use crate::ServiceError;

/// The arguments of one call, by name.
pub(crate) struct Args<'a> {
    call: &'a str,
    input: &'a Value,
}

impl<'a> Args<'a> {
    pub(crate) fn new(call: &'a str, input: &'a Value) -> Args<'a> {
        Args { call, input }
    }

    pub(crate) fn bad(&self, why: impl std::fmt::Display) -> ServiceError {
        ServiceError::bad_input(self.call, why)
    }

    /// A field that is there and not `undefined` or `null`.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Value> {
        self.input.get(name).filter(|value| !value.is_nullish())
    }

    pub(crate) fn text(&self, name: &str) -> Result<&'a str, ServiceError> {
        self.maybe_text(name)?.ok_or_else(|| self.bad(format_args!("{name} must be a string")))
    }

    pub(crate) fn filled_text(&self, name: &str) -> Result<&'a str, ServiceError> {
        let text = self.text(name)?;
        if text.is_empty() { Err(self.bad(format_args!("{name} must not be empty"))) } else { Ok(text) }
    }

    pub(crate) fn maybe_text(&self, name: &str) -> Result<Option<&'a str>, ServiceError> {
        let wrong = |value: &Value| self.bad(format_args!("{name} must be a string, not {}", value.kind()));
        self.get(name).map(|value| value.as_str().ok_or_else(|| wrong(value))).transpose()
    }

    pub(crate) fn maybe_number(&self, name: &str) -> Result<Option<f64>, ServiceError> {
        let wrong = |value: &Value| self.bad(format_args!("{name} must be a number, not {}", value.kind()));
        self.get(name).map(|value| value.as_f64().ok_or_else(|| wrong(value))).transpose()
    }

    pub(crate) fn maybe_bool(&self, name: &str) -> Result<Option<bool>, ServiceError> {
        let wrong = |value: &Value| self.bad(format_args!("{name} must be true or false, not {}", value.kind()));
        self.get(name).map(|value| value.as_bool().ok_or_else(|| wrong(value))).transpose()
    }

    /// A time in milliseconds: a number, not negative, not `NaN`.
    pub(crate) fn millis(&self, name: &str) -> Result<f64, ServiceError> {
        match self.maybe_number(name)? {
            Some(ms) if ms >= 0.0 => Ok(ms),
            _ => Err(self.bad(format_args!("{name} must be a number of milliseconds, not negative"))),
        }
    }

    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, ServiceError> {
        let wrong = || self.bad(format_args!("{name} must be a list of strings"));
        let list = self.get(name).and_then(Value::as_array).ok_or_else(wrong)?;
        list.iter().map(|item| item.as_str().map(str::to_string).ok_or_else(wrong)).collect()
    }

    /// The arguments in an object field; all absent where it is not there.
    pub(crate) fn part(&self, name: &str) -> Result<Args<'a>, ServiceError> {
        static NOTHING: Value = Value::Undefined;
        match self.get(name) {
            None => Ok(Args { call: self.call, input: &NOTHING }),
            Some(value) if value.as_object().is_some() => Ok(Args { call: self.call, input: value }),
            Some(value) => Err(self.bad(format_args!("{name} must be an object, not {}", value.kind()))),
        }
    }

    /// Text by name, in the order given; absent is none.
    pub(crate) fn text_map(&self, name: &str) -> Result<Vec<(String, String)>, ServiceError> {
        let Some(value) = self.get(name) else { return Ok(Vec::new()) };
        let wrong = || self.bad(format_args!("{name} must be an object of strings"));
        let fields = value.as_object().ok_or_else(wrong)?;
        let given = fields.iter().filter(|(_, value)| !value.is_undefined());
        given.map(|(key, value)| Ok((key.to_string(), value.as_str().ok_or_else(wrong)?.to_string()))).collect()
    }

    /// A name of a pane, command, tool or agent: 1 to 64 of `[A-Za-z0-9_-]`.
    pub(crate) fn name(&self, name: &str) -> Result<&'a str, ServiceError> {
        let text = self.text(name)?;
        let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        if plain && (1..=64).contains(&text.len()) {
            return Ok(text);
        }
        Err(self.bad(format_args!("{name} must be 1 to 64 letters, digits, _ and -")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(input: &Value) -> Args<'_> {
        Args::new("x.y", input)
    }

    #[test]
    fn wrong_kinds_name_the_call_and_the_field() {
        let input = Value::object([("path", Value::from(1)), ("ms", Value::from(f64::NAN))]);
        assert_eq!(args(&input).text("path").unwrap_err().message, "x.y: path must be a string, not number");
        assert!(args(&input).millis("ms").is_err());
        assert!(args(&input).texts("path").is_err());
        assert_eq!(args(&input).maybe_text("absent").unwrap(), None);
    }

    #[test]
    fn names_are_short_and_plain() {
        for (text, fits) in [("a-B_9", true), ("", false), ("a b", false), ("ä", false)] {
            let input = Value::object([("id", Value::from(text))]);
            assert_eq!(args(&input).name("id").is_ok(), fits, "{text:?}");
        }
        let long = Value::object([("id", Value::from("a".repeat(65)))]);
        assert!(args(&long).name("id").is_err());
    }
}
