//! Rules that make an event's input out of a call's arguments; data/README.md says how they are written.

use modgate_value::Value;

use crate::event::types;
use crate::shape::{self, Shape};

/// Where one field of the input comes from, and what it has to be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Take {
    /// The field; `None` for all fields of the argument.
    pub(crate) field: Option<&'static str>,
    /// Left out when undefined.
    pub(crate) optional: bool,
    pub(crate) source: Source,
    pub(crate) rule: Rule,
    pub(crate) default: Option<Default>,
    /// Null is not the same as nothing.
    pub(crate) null_counts: bool,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Nowhere: the rule or the default makes it.
    None,
    /// All arguments, as a list.
    All,
    /// One argument.
    Argument(usize),
    /// A key of one argument.
    Key(usize, &'static str),
}

/// What the value has to be, and what becomes of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Rule {
    Shape(Shape),
    Path,
    Name,
    String,
    Json,
    Origin,
    Plugin,
    Positive,
    Ms,
    Init,
    Run,
    Message,
    Ask,
    Status,
    Timeout,
    Schema,
    Some,
    True,
    Theme,
    Paint,
    View,
    Key,
    Provider,
    Title,
    Entry,
    Mark,
    Complete,
    Absolute,
    To,
    Aliases,
    Last,
    Argv,
    Markdown,
    Worktree,
    Texts,
}

/// What stands in for a missing argument.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Default {
    Value(Value),
    Cwd,
    Prompt,
}

/// Reads one rule.
pub(crate) fn parse(text: &'static str) -> Result<Take, String> {
    let wrong = |what: &str| format!("`{text}`: {what}");
    let (target, rest) = text.split_once(" <- ").ok_or_else(|| wrong("no `<-`"))?;
    let (source, rest) = rest.split_once(": ").ok_or_else(|| wrong("no `:`"))?;
    let (rule, default) = match rest.rsplit_once(" = ") {
        Some((rule, default)) => (rule, Some(parse_default(default).ok_or_else(|| wrong("no such default"))?)),
        None => (rest, None),
    };
    let null_counts = rest.ends_with("'!");
    let optional = target.ends_with('?');
    let field = Some(target.trim_end_matches('?')).filter(|field| *field != "*");
    let source = match source.trim() {
        "" => Source::None,
        "args" => Source::All,
        source => {
            let (index, key) = source.split_once('.').map_or((source, None), |(index, key)| (index, Some(key)));
            let index = index.parse().map_err(|_| wrong("no argument"))?;
            key.map_or(Source::Argument(index), |key| Source::Key(index, key))
        }
    };
    let rule = parse_rule(rule.trim()).map_err(|error| wrong(&error))?;
    Ok(Take { field, optional, source, rule, default, null_counts })
}

fn parse_rule(text: &'static str) -> Result<Rule, String> {
    Ok(match text {
        "@path" => Rule::Path,
        "@name" => Rule::Name,
        "@string" => Rule::String,
        "@json" => Rule::Json,
        "@origin" => Rule::Origin,
        "@plugin" => Rule::Plugin,
        "@positive" => Rule::Positive,
        "@ms" => Rule::Ms,
        "@init" => Rule::Init,
        "@run" => Rule::Run,
        "@message" => Rule::Message,
        "@ask" => Rule::Ask,
        "@status" => Rule::Status,
        "@timeout" => Rule::Timeout,
        "@schema" => Rule::Schema,
        "@some" => Rule::Some,
        "@true" => Rule::True,
        "@theme" => Rule::Theme,
        "@paint" => Rule::Paint,
        "@view" => Rule::View,
        "@key" => Rule::Key,
        "@provider" => Rule::Provider,
        "@title" => Rule::Title,
        "@entry" => Rule::Entry,
        "@mark" => Rule::Mark,
        "@complete" => Rule::Complete,
        "@absolute" => Rule::Absolute,
        "@to" => Rule::To,
        "@aliases" => Rule::Aliases,
        "@last" => Rule::Last,
        "@argv" => Rule::Argv,
        "@markdown" => Rule::Markdown,
        "@worktree" => Rule::Worktree,
        "@texts" => Rule::Texts,
        other if other.starts_with('@') => return Err(format!("no rule {other}")),
        shape => Rule::Shape(shape::parse(shape, types()).map_err(|error| error.to_string())?),
    })
}

fn parse_default(text: &str) -> Option<Default> {
    let value = match text {
        "@cwd" => return Some(Default::Cwd),
        "@prompt" => return Some(Default::Prompt),
        "undefined" => Value::Undefined,
        "true" => Value::from(true),
        "false" => Value::from(false),
        "{}" => Value::object::<&str>([]),
        "[]" => Value::list([]),
        "{ type: 'object' }" => Value::object([("type", Value::text("object"))]),
        quoted => Value::text(quoted.trim_end_matches('!').strip_prefix('\'')?.strip_suffix('\'')?),
    };
    Some(Default::Value(value))
}
