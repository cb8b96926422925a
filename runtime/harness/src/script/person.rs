use std::path::{Path, PathBuf};

use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::Value;

use crate::permission::{Decision, Mode, Permissions, Rule};
use crate::person::{PermissionAnswer, PermissionAsk, Person, Question};
use crate::record::{By, PermissionRow, Row, ToolResultRow, kind};
use crate::tools::{Effect, standard};

use super::scenario::{PersonAnswer, PersonDecision, QuestionScript, Scenario};

/// The person of a scenario. The first entry that fits and is not used up decides; nothing fits: no.
pub struct ScriptedPerson {
    root: PathBuf,
    decisions: Vec<PersonDecision>,
    answers: Vec<QuestionScript>,
    used: Mutex<Used>,
}

struct Used {
    decisions: Vec<u32>,
    answers: Vec<u32>,
}

impl ScriptedPerson {
    /// The person of that scenario, in that working directory.
    pub fn new(scenario: &Scenario, root: &Path) -> ScriptedPerson {
        let used = Used { decisions: vec![0; scenario.decisions.len()], answers: vec![0; scenario.answers.len()] };
        ScriptedPerson {
            root: root.canonicalize().unwrap_or_else(|_| root.to_owned()),
            decisions: scenario.decisions.clone(),
            answers: scenario.answers.clone(),
            used: Mutex::new(used),
        }
    }

    /// Counts what the record says was answered already, so that entries used up stay used up over a resume.
    pub fn catch_up(&self, rows: &[Row]) {
        for row in rows {
            match row.kind.as_str() {
                kind::PERMISSION_DECISION if row.by == By::Person => {
                    if let Some(decided) = row.parse::<PermissionRow>() {
                        self.decide(&decided.tool, &decided.input);
                    }
                }
                kind::UI_ASK => {
                    let question = row.data.pointer("/question/question").and_then(Value::as_str);
                    question.and_then(|question| self.reply(question));
                }
                kind::TOOL_RESULT => {
                    let answered = row.parse::<ToolResultRow>().filter(|result| result.tool == "AskUserQuestion");
                    let answers = answered.and_then(|result| result.result.get("answers")?.as_object().cloned());
                    answers.iter().flatten().for_each(|(question, _)| {
                        self.reply(question);
                    });
                }
                _ => {}
            }
        }
    }

    fn decide(&self, tool: &str, input: &Value) -> Option<PersonDecision> {
        let mut used = self.used.lock();
        let at = self.decisions.iter().zip(&used.decisions).position(|(entry, used)| {
            entry.times.is_none_or(|times| *used < times) && self.fits(&entry.call, tool, input)
        })?;
        used.decisions[at] += 1;
        Some(self.decisions[at].clone())
    }

    fn reply(&self, question: &str) -> Option<QuestionScript> {
        let mut used = self.used.lock();
        let at = self.answers.iter().zip(&used.answers).position(|(entry, used)| {
            entry.times.is_none_or(|times| *used < times) && question.contains(&entry.question)
        })?;
        used.answers[at] += 1;
        Some(self.answers[at].clone())
    }

    /// Whether a rule speaks about a call: it would deny it, were it a deny rule.
    fn fits(&self, rule: &str, tool: &str, input: &Value) -> bool {
        let Ok(rule) = Rule::parse(rule, Decision::Deny, "scenario") else { return false };
        let effect =
            standard().iter().find(|one| one.spec().name == tool).map_or(Effect::Runs, |one| one.spec().effect);
        let alone = Permissions { mode: Mode::BypassPermissions, rules: vec![rule] };
        alone.decide(tool, effect, input, &self.root).decision == Decision::Deny
    }
}

#[async_trait]
impl Person for ScriptedPerson {
    async fn permission(&self, ask: &PermissionAsk) -> PermissionAnswer {
        match self.decide(&ask.tool, &ask.input) {
            Some(PersonDecision { answer: PersonAnswer::Allow, .. }) => PermissionAnswer::Allow,
            Some(PersonDecision { message, .. }) => PermissionAnswer::Deny(message),
            None => PermissionAnswer::Deny(Some("the scenario has no answer about this call".into())),
        }
    }

    async fn answer(&self, question: &Question, _by: &By) -> Option<String> {
        self.reply(&question.question)?.answer
    }
}
