//! Calls on `$`: arguments into the event's input, the answer into what the call gives.

mod rules;
mod whole;

pub(crate) use rules::{number_text, string};

use modgate_value::{Map, Value};

use super::{Code, Refusal, defined};
use crate::event::types;
use crate::member::{Member, MemberKind, Source, Take, TakeDefault};
use crate::shape::{self, Fault, Shape};

/// Who calls, and from where.
#[derive(Debug, Clone, Copy)]
pub struct OpContext<'call> {
    /// The session's working directory: relative paths are under it.
    pub cwd: &'call str,
    /// The calling mod's name.
    pub plugin: &'call str,
    /// Its tier.
    pub tier: &'call str,
}

/// The input of the event that a call with these arguments raises.
///
/// Functions and signals do not cross: give the plain data of the arguments alone.
///
/// # Errors
/// An argument the call does not take; then no event is raised. What [`MemberKind::Sync`] members refuse the caller
/// never hears of.
pub fn op_input(member: &Member, args: &[Value], context: &OpContext<'_>) -> Result<Value, Refusal> {
    only_known_keys(member, args)?;
    let mut input = Map::new();
    for take in member.takes() {
        apply(take, member, args, context, &mut input)?;
    }
    if member.call == "ui.ask" {
        input.insert("tool".into(), Value::text("AskUserQuestion"));
        input.move_index(input.len() - 1, 0);
    }
    whole::check(member, args, &input)?;
    Ok(Value::from(input))
}

fn only_known_keys(member: &Member, args: &[Value]) -> Result<(), Refusal> {
    if member.only.is_empty() {
        return Ok(());
    }
    match args.first() {
        None | Some(Value::Undefined) => Ok(()),
        Some(Value::Object(fields)) => match fields
            .keys()
            .find(|key| !(member.only.contains(&key.as_ref()) || member.only.contains(&"*")))
        {
            Some(key) => Err(refused(member, &format!("takes {{ {} }} or nothing, not {key}", member.only.join(", ")))),
            None => Ok(()),
        },
        Some(_) => Err(refused(member, &format!("takes {{ {} }} or nothing", member.only.join(", ")))),
    }
}

fn apply(
    take: &Take,
    member: &Member,
    args: &[Value],
    context: &OpContext<'_>,
    input: &mut Map,
) -> Result<(), Refusal> {
    let given = given(take, args).or_else(|| default(take, context, input));
    let Some(field) = take.field else {
        return spread(take, member, given, context, input);
    };
    if take.optional && given.is_none() {
        return Ok(());
    }
    let made = rules::apply(&take.rule, given, context).map_err(|mut fault| {
        fault.path = join(field, &fault.path);
        Refusal::fault(Code::Argument, &format!("$.{}: ", member.call), fault)
    })?;
    if made.is_some() || !take.optional {
        input.insert(field.into(), made.unwrap_or_default());
    }
    Ok(())
}

/// What the caller gave. Null in place of an option that has a default is as good as nothing.
fn given(take: &Take, args: &[Value]) -> Option<Value> {
    let value = match take.source {
        Source::None => None,
        Source::All => Some(Value::list(args.iter().cloned())),
        Source::Argument(index) => args.get(index).cloned(),
        Source::Key(index, key) => args.get(index).and_then(|value| value.get(key)).cloned(),
    };
    let option = matches!(take.source, Source::Key(..)) && take.default.is_some() && !take.null_counts;
    value.filter(|value| !(value.is_undefined() || option && value.is_nullish()))
}

fn default(take: &Take, context: &OpContext<'_>, input: &Map) -> Option<Value> {
    Some(match take.default.as_ref()? {
        TakeDefault::Value(value) => value.clone(),
        TakeDefault::Cwd => Value::text(context.cwd),
        TakeDefault::Prompt => {
            Value::from(first_words(input.get("prompt").and_then(Value::as_str).unwrap_or_default()))
        }
    })
}

/// What describes a task that is not described: its first five words. Blanks in front count as a word.
fn first_words(prompt: &str) -> String {
    let lead = if prompt.starts_with(char::is_whitespace) { Some("") } else { None };
    lead.into_iter().chain(prompt.split_whitespace()).take(5).collect::<Vec<_>>().join(" ")
}

fn join(field: &str, rest: &str) -> String {
    match rest {
        "" => field.to_owned(),
        rest if rest.starts_with('[') => format!("{field}{rest}"),
        rest => format!("{field}.{rest}"),
    }
}

/// All fields of the one argument.
fn spread(
    take: &Take,
    member: &Member,
    value: Option<Value>,
    context: &OpContext<'_>,
    input: &mut Map,
) -> Result<(), Refusal> {
    if take.optional && value.is_none() {
        return Ok(());
    }
    let fault = |fault: Fault| Refusal::fault(Code::Argument, &format!("$.{}: ", member.call), fault);
    let made = rules::apply(&take.rule, value, context).map_err(fault)?;
    if let Some(fields) = made.as_ref().and_then(Value::as_object) {
        input.extend(fields.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    Ok(())
}

fn refused(member: &Member, why: &str) -> Refusal {
    Refusal::new(Code::Argument, format!("$.{} {why}", member.call))
}

/// What a call gives, of the value its event was answered with.
pub fn op_output(member: &Member, value: Value) -> Value {
    if member.void { Value::Undefined } else { value }
}

/// What a call gives, of the whole answer of its event: `{ value }` gives the value, a deny rejects. Events of the
/// engine that a call also raises give their answer as it is, a deny in it too.
///
/// # Errors
/// The event was denied, or a question was not answered.
pub fn op_result(member: &Member, input: &Value, answer: &Value) -> Result<Value, Refusal> {
    if member.call == "ui.ask" {
        return asked(member, input, answer);
    }
    if member.call == "agent.spawn" {
        return Ok(match defined(answer, "deny") {
            Some(reason) => Value::object([("deny", reason.clone())]),
            None => Value::object([("model", asked_for(input))]),
        });
    }
    if !member.raises().is_some_and(crate::event::Event::is_call) {
        return Ok(answer.clone());
    }
    if member.kind == MemberKind::Sync {
        return Ok(Value::Undefined);
    }
    match defined(answer, "deny").and_then(Value::as_str) {
        Some(reason) => Err(Refusal::new(Code::Denied, format!("$.{}: {reason}", member.call))),
        None => Ok(op_output(member, answer.get("value").cloned().unwrap_or_default())),
    }
}

/// The model that an agent was asked to run on.
fn asked_for(input: &Value) -> Value {
    input.get("model").filter(|model| !model.is_nullish()).cloned().unwrap_or(Value::text("inherit"))
}

fn asked(member: &Member, input: &Value, answer: &Value) -> Result<Value, Refusal> {
    if let Some(reason) = answer.str_at("deny") {
        return Err(Refusal::new(Code::Denied, format!("$.{}: {reason}", member.call)));
    }
    let question = input
        .get("questions")
        .and_then(Value::as_array)
        .and_then(<[Value]>::first)
        .and_then(|question| question.str_at("question"))
        .unwrap_or_default();
    let answers = answer.get("result").and_then(|result| result.get("answers"));
    match answers.and_then(|answers| answers.get(question)) {
        Some(text @ Value::String(_)) => Ok(text.clone()),
        Some(Value::Array(chosen)) => Ok(Value::from(chosen.iter().map(string).collect::<Vec<_>>().join(", "))),
        _ => Err(refused(member, "was not answered")),
    }
}

/// A shape of data/types.json.
fn named(name: &'static str) -> Shape {
    shape::parse(name, types()).unwrap_or(Shape::Any)
}
