//! Event patterns: what `on("...")` may name.
//!
//! A name, `*`, `<prefix>.*`, and `!` before a name or before `<prefix>.*`. `*` selects every event, calls on `$`,
//! classic events and `engine.create` too.

use crate::event;

/// A pattern that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    negated: bool,
    base: Base,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Base {
    All,
    Prefix(String),
    Name(String),
}

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It has none of the forms.
    #[error("{0:?} is not an event name or a pattern (\"*\", \"<prefix>.*\", or \"!\" before either)")]
    Form(String),
    /// `!*` would select nothing.
    #[error("\"!*\" is not a pattern: it selects no event")]
    Nothing,
    /// `!!` in front.
    #[error("{0:?} is not a pattern: \"!\" negates once")]
    Twice(String),
    /// A name without a namespace, in more than one, or of a known namespace without such an event.
    #[error("{name:?} is not an event{}", hint(.nearest))]
    Unknown {
        /// The name as written.
        name: String,
        /// A known name that is much like it.
        nearest: Option<&'static str>,
    },
}

fn hint(nearest: &Option<&'static str>) -> String {
    nearest.map(|name| format!("; did you mean {name:?}?")).unwrap_or_default()
}

/// Reads a pattern. Names of two words in namespaces that nothing in the catalog has are taken: a mod may provide them;
/// whether one does is [`Pattern::selects_any`]'s question, once all mods are known.
///
/// # Errors
/// The text has none of the forms, or names an event that a known namespace does not have.
pub fn parse(text: &str) -> Result<Pattern, PatternError> {
    let (negated, base) = match text.strip_prefix('!') {
        Some("*") => return Err(PatternError::Nothing),
        Some(rest) if rest.starts_with('!') => return Err(PatternError::Twice(text.into())),
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let base = match base.strip_suffix(".*") {
        _ if base == "*" => Base::All,
        Some(prefix) if is_dotted(prefix) => Base::Prefix(format!("{prefix}.")),
        None if is_dotted(base) => Base::Name(known(base)?),
        _ => return Err(PatternError::Form(text.into())),
    };
    Ok(Pattern { negated, base })
}

fn is_dotted(text: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$') || !c.is_ascii();
    let word =
        |word: &str| word.starts_with(|first: char| part(first) && !first.is_numeric()) && word.chars().all(part);
    text.split('.').all(word)
}

fn known(name: &str) -> Result<String, PatternError> {
    let unknown = || PatternError::Unknown { name: name.into(), nearest: event::nearest_event(name) };
    if event::event(name).is_some() {
        return Ok(name.into());
    }
    match name.split_once('.') {
        Some((namespace, own)) if !own.contains('.') && crate::namespaces().binary_search(&namespace).is_err() => {
            Ok(name.into())
        }
        _ => Err(unknown()),
    }
}

impl Pattern {
    /// Whether this pattern selects an event of that name. Some events have to be named: patterns that are wider than
    /// their namespace leave them out.
    pub fn selects(&self, event: &str) -> bool {
        if self.name().is_none() && self.leaves_out(event) {
            return false;
        }
        let base = match &self.base {
            Base::All => true,
            Base::Prefix(prefix) => event.starts_with(prefix.as_str()),
            Base::Name(name) => name == event,
        };
        base != self.negated
    }

    fn leaves_out(&self, event: &str) -> bool {
        let is_within = matches!(&self.base, Base::Prefix(prefix) if prefix == "telemetry.") && !self.negated;
        event == "tool.run" || event.starts_with("telemetry.") && !is_within
    }

    /// Whether what the pattern names, or excludes, exists among these events. A pattern that names nothing refuses
    /// its module.
    pub fn selects_any<'name>(&self, events: impl IntoIterator<Item = &'name str>) -> bool {
        let plain = Pattern { negated: false, base: self.base.clone() };
        events.into_iter().any(|event| plain.selects(event))
    }

    /// Whether this is one event's name and nothing more.
    pub fn is_name(&self) -> bool {
        !self.negated && matches!(self.base, Base::Name(_))
    }

    /// The event, where the pattern is one event's name.
    pub fn name(&self) -> Option<&str> {
        match &self.base {
            Base::Name(name) if !self.negated => Some(name),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen in 2.1.332: mods with these patterns, and each event raised.
    #[test]
    fn some_events_have_to_be_named() {
        for wide in ["*", "tool.*", "!ui.render", "!ui.*"] {
            let pattern = parse(wide).unwrap();
            assert!(!pattern.selects("tool.run") && !pattern.selects("telemetry.log"), "{wide}");
        }
        assert!(parse("tool.run").unwrap().selects("tool.run"));
        assert!(parse("telemetry.*").unwrap().selects("telemetry.mark"));
        assert!(parse("*").unwrap().selects("tool.judge"));
    }

    fn selected(pattern: &str) -> Vec<&'static str> {
        let pattern = parse(pattern).unwrap();
        ["classic.Stop", "engine.create", "fs.read", "tool.call", "tool.check", "toolbox.open"]
            .into_iter()
            .filter(|name| pattern.selects(name))
            .collect()
    }

    #[test]
    fn patterns_select() {
        assert_eq!(selected("tool.call"), ["tool.call"]);
        assert_eq!(selected("tool.*"), ["tool.call", "tool.check"]);
        assert_eq!(selected("*").len(), 6);
        assert_eq!(selected("!tool.call").len(), 5);
        assert_eq!(selected("!tool.*"), ["classic.Stop", "engine.create", "fs.read", "toolbox.open"]);
        assert_eq!(selected("classic.*"), ["classic.Stop"]);
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "1a.read",
            "a.1b",
            "a-b.read",
            "a.b-c",
            "a-b.*",
            "!1a.x",
            "tool.c*",
            "*.call",
            "**",
            "",
            "tool call",
            ".call",
            "tool.",
            "*.*",
            "!",
        ] {
            assert!(matches!(parse(text), Err(PatternError::Form(_))), "{text}");
        }
        assert_eq!(parse("!*"), Err(PatternError::Nothing));
        assert_eq!(parse("!!tool.call"), Err(PatternError::Twice("!!tool.call".into())));
    }

    #[test]
    fn unknown_names_of_known_namespaces_are_refused() {
        for name in ["tool.nope", "fs.append", "classic.Nope", "ui.ask", "plugin.name", "tool"] {
            assert!(matches!(parse(name), Err(PatternError::Unknown { .. })), "{name}");
        }
        assert_eq!(
            parse("tool.cal").unwrap_err().to_string(),
            "\"tool.cal\" is not an event; did you mean \"tool.call\"?"
        );
    }

    #[test]
    fn a_namespace_of_a_mod_is_decided_later() {
        let greeter = parse("greeter.hello").unwrap();
        let known = ["tool.call", "tool.check"];
        assert!(!greeter.selects_any(known));
        assert!(greeter.selects_any(["greeter.hello"]));
        assert!(!parse("nope.*").unwrap().selects_any(known));
        assert!(!parse("!nope.x").unwrap().selects_any(known));
        assert!(!parse("tool.call.*").unwrap().selects_any(known));
        assert!(parse("!tool.call").unwrap().selects_any(known));
    }

    #[test]
    fn names_are_told_from_patterns() {
        assert_eq!(parse("tool.call").unwrap().name(), Some("tool.call"));
        assert!(parse("tool.call").unwrap().is_name());
        assert!(!parse("!tool.call").unwrap().is_name());
        assert!(!parse("tool.*").unwrap().is_name());
    }
}
