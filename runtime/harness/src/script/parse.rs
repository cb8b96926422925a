use std::ops::Range;
use std::path::{Component, Path};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::permission::{Decision, Permissions, Rule};

use super::error::ScenarioError;
use super::scenario::{Scenario, Step};

/// A step on the way to a value in the file.
enum Key<'a> {
    Name(&'a str),
    Index(usize),
}

impl Scenario {
    /// Reads a scenario; `file` is what errors call it.
    pub fn parse(text: &str, file: &str) -> Result<Scenario, ScenarioError> {
        let at = |span: Option<Range<usize>>, message: &str| {
            ScenarioError::at(file, text, span.unwrap_or_default(), message.trim().to_owned())
        };
        let scenario: Scenario = toml::from_str(text).map_err(|error| at(error.span(), error.message()))?;
        let table = DeTable::parse(text).map_err(|error| at(error.span(), error.message()))?;
        let checker = Checker { table: &table };
        checker.check(&scenario).map_err(|(span, message)| at(Some(span), &message))?;
        Ok(scenario)
    }

    /// Mode and rules. The rules were checked when the scenario was read.
    pub fn permissions(&self) -> Result<Permissions, crate::permission::RuleError> {
        let script = &self.permissions;
        Permissions::parse(script.mode, &script.allow, &script.ask, &script.deny, "scenario")
    }
}

type Problem = (Range<usize>, String);

struct Checker<'a> {
    table: &'a Spanned<DeTable<'a>>,
}

impl Checker<'_> {
    /// Where the value is; the nearest one around it where it is not written down.
    fn span(&self, path: &[Key]) -> Range<usize> {
        let mut span = self.table.span();
        let Some((Key::Name(first), rest)) = path.split_first() else { return span };
        let Some(mut value) = self.table.get_ref().get(*first) else { return span };
        span = value.span();
        for key in rest {
            let next = match (key, value.get_ref()) {
                (Key::Name(name), DeValue::Table(table)) => table.get(*name),
                (Key::Index(index), DeValue::Array(array)) => array.get(*index),
                _ => None,
            };
            let Some(next) = next else { break };
            value = next;
            span = value.span();
        }
        span
    }

    fn check(&self, scenario: &Scenario) -> Result<(), Problem> {
        use Key::{Index, Name};
        self.rules(scenario)?;
        for path in scenario.files.keys().chain(scenario.expect.files.keys()) {
            let table = if scenario.files.contains_key(path) {
                vec![Name("files")]
            } else {
                vec![Name("expect"), Name("files")]
            };
            let keys: Vec<Key> = table.into_iter().chain([Name(path)]).collect();
            self.file(&keys, path)?;
        }
        for (index, prompt) in scenario.prompts.iter().enumerate() {
            let here = || self.span(&[Name("prompt"), Index(index)]);
            match (&prompt.text, &prompt.command) {
                (Some(_), None) => {}
                (None, Some(command)) if prompt.steps.is_empty() => {
                    if command.trim_start_matches('/').trim().is_empty() {
                        return Err((here(), "a command needs a name, as `/name arguments`".into()));
                    }
                }
                (None, Some(_)) => return Err((here(), "a command has no steps of the model".into())),
                (Some(_), Some(_)) => return Err((here(), "`text` and `command` exclude each other".into())),
                (None, None) => return Err((here(), "a prompt needs `text`, or `command` instead".into())),
            }
            self.steps("prompt", index, &prompt.steps)?;
        }
        for (index, reply) in scenario.replies.iter().enumerate() {
            self.steps("reply", index, &reply.steps)?;
        }
        for (index, agent) in scenario.agents.iter().enumerate() {
            self.steps("agent", index, &agent.steps)?;
        }
        self.ids(scenario)
    }

    fn rules(&self, scenario: &Scenario) -> Result<(), Problem> {
        use Key::{Index, Name};
        let script = &scenario.permissions;
        for (name, rules) in [("allow", &script.allow), ("ask", &script.ask), ("deny", &script.deny)] {
            for (index, rule) in rules.iter().enumerate() {
                let here = || self.span(&[Name("permissions"), Name(name), Index(index)]);
                Rule::parse(rule, Decision::Ask, "scenario").map_err(|error| (here(), error.to_string()))?;
            }
        }
        for (index, decision) in scenario.decisions.iter().enumerate() {
            let here = || self.span(&[Name("permission"), Index(index), Name("call")]);
            Rule::parse(&decision.call, Decision::Ask, "scenario").map_err(|error| (here(), error.to_string()))?;
        }
        Ok(())
    }

    fn file(&self, keys: &[Key], path: &str) -> Result<(), Problem> {
        let inside = !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if inside {
            return Ok(());
        }
        Err((self.span(keys), format!("the path `{path}` has to be relative and stay in the working directory")))
    }

    fn steps(&self, list: &str, index: usize, steps: &[Step]) -> Result<(), Problem> {
        use Key::{Index, Name};
        for (number, step) in steps.iter().enumerate() {
            let here = |last: Vec<Key>| {
                let path = [Name(list), Index(index), Name("step"), Index(number)];
                self.span(&path.into_iter().chain(last).collect::<Vec<_>>())
            };
            if step.chunk_chars == Some(0) {
                return Err((here(vec![Name("chunk_chars")]), "`chunk_chars` has to be 1 or more".into()));
            }
            for (at, call) in step.calls.iter().enumerate() {
                let call_at = |field| here(vec![Name("call"), Index(at), Name(field)]);
                if call.tool.is_empty() {
                    return Err((call_at("tool"), "a call needs a tool".into()));
                }
                if !call.input.is_object() {
                    return Err((call_at("input"), "the arguments of a call are a table".into()));
                }
            }
        }
        Ok(())
    }

    /// An id may be written down once only.
    fn ids(&self, scenario: &Scenario) -> Result<(), Problem> {
        use Key::{Index, Name};
        let mut seen = std::collections::HashSet::new();
        for (index, prompt) in scenario.prompts.iter().enumerate() {
            for (number, step) in prompt.steps.iter().enumerate() {
                for (at, call) in step.calls.iter().enumerate() {
                    let Some(id) = &call.id else { continue };
                    if !seen.insert(id) {
                        let path = [
                            Name("prompt"),
                            Index(index),
                            Name("step"),
                            Index(number),
                            Name("call"),
                            Index(at),
                            Name("id"),
                        ];
                        return Err((self.span(&path), format!("the call id `{id}` is used twice")));
                    }
                }
            }
        }
        Ok(())
    }
}
