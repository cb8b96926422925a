//! Answers that say whose doing they are.

use modgate_engine::{Boxed, Fault};
use modgate_value::Value;

use super::Link;
use crate::chain::without_success;

impl Link {
    /// The answer with the name of the mod where the event's answers carry one.
    pub(super) fn signed(&self, answer: &Value, checked: Value, beneath: Option<&Value>) -> Value {
        match &*self.dispatch.event {
            "tool.check" => self.asked_by(answer, checked, beneath),
            "tool.judge" => self.judged_by(answer, checked, beneath),
            "turn.complete" => self.written_by(checked, beneath),
            _ => checked,
        }
    }

    /// Who wants a person to be asked about a call is named: the last mod that said something of its own.
    fn asked_by(&self, answer: &Value, checked: Value, beneath: Option<&Value>) -> Value {
        let checked = checked.without("plugin");
        let asks = checked.str_at("decision") == Some("ask");
        match beneath {
            _ if self.is_a_test() => {
                if asks {
                    as_named(answer, checked)
                } else {
                    checked
                }
            }
            Some(beneath) if beneath.without("plugin") == checked => beneath.clone(),
            _ if asks => checked.with("plugin", Value::text(self.plugin.name())),
            _ => checked,
        }
    }

    /// A judgement of a mod's own names it.
    fn judged_by(&self, answer: &Value, checked: Value, beneath: Option<&Value>) -> Value {
        match beneath {
            _ if self.is_a_test() => as_named(answer, checked),
            Some(beneath) if beneath.without("plugin") == checked => beneath.clone(),
            _ => checked.with("plugin", Value::text(self.plugin.name())),
        }
    }

    /// Who wrote the last text of a turn, the innermost first.
    fn written_by(&self, checked: Value, beneath: Option<&Value>) -> Value {
        let (was, mut by) = match beneath {
            Some(beneath) => (beneath.get("text"), writers(beneath)),
            None => (self.input.get("answer"), Vec::new()),
        };
        if checked.get("text") != was {
            by.push(Value::text(self.plugin.name()));
        }
        with_writers(&checked, by)
    }

    /// What `next` gives: the last text of a turn comes with who wrote it, the mod itself where it passed another one; of
    /// a tool only what has failed says so.
    pub(super) fn as_given(
        &self,
        passed: &Value,
        answer: Boxed<'static, Result<Value, Fault>>,
    ) -> Boxed<'static, Result<Value, Fault>> {
        match &*self.dispatch.event {
            "turn.complete" => {}
            "tool.call" => return Box::pin(async move { answer.await.map(without_success) }),
            _ => return answer,
        }
        let own = (passed.get("answer") != self.input.get("answer")).then(|| Value::text(self.plugin.name()));
        Box::pin(async move {
            let answer = answer.await?;
            let by = writers(&answer).into_iter().chain(own).collect();
            Ok(with_writers(&answer, by))
        })
    }

    fn is_a_test(&self) -> bool {
        self.plugin.kit.lock().is_some()
    }
}

/// A stub of a test stands for the host, and names whom it likes.
fn as_named(answer: &Value, checked: Value) -> Value {
    match answer.get("plugin") {
        Some(named) => checked.with("plugin", named.clone()),
        None => checked,
    }
}

fn writers(answer: &Value) -> Vec<Value> {
    answer.get("by").and_then(Value::as_array).map(<[Value]>::to_vec).unwrap_or_default()
}

fn with_writers(answer: &Value, by: Vec<Value>) -> Value {
    let by = if by.is_empty() { Value::Undefined } else { Value::list(by) };
    answer.without("by").with("by", by)
}
