//! Which step of the scenario answers a request.

use std::collections::HashMap;

use parking_lot::Mutex;
use serde::Serialize;
use serde_json::Value;

use modgate_harness::script::{Scenario, ScriptedCall, Step};

/// What a model says that has nothing more in its script. Programs take an empty answer for a broken one.
pub const SILENCE: &str = "(the script has nothing more)";

/// The loop a request belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Lane {
    /// The main loop, answering the script's item of that number.
    Prompt(usize),
    /// The main loop, answering a prompt that a mod submitted: number of the scenario's `[[reply]]`, and the place of
    /// the prompt in the history.
    Reply(usize, usize),
    /// A nested loop: number of the scenario's `[[agent]]`.
    Agent(usize),
}

/// What the server reads in a request, whatever its protocol.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Texts of the person's messages without reminders, each with its place in the history.
    pub said: Vec<(usize, String)>,
    /// Names of the tools offered.
    pub tools: Vec<String>,
    /// The history; equal ones get the same answer, as a repeated request is.
    pub history: Value,
}

/// A step with the ids of its calls filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Scripted {
    /// The loop; absent for a request aside, which the script does not answer.
    pub lane: Option<Lane>,
    /// Number of the step.
    pub number: usize,
    /// The step.
    pub step: Step,
}

#[derive(Default)]
struct State {
    item: usize,
    lanes: HashMap<Lane, (usize, Value)>,
}

/// The scenario's model, with its place in the script.
pub struct Script {
    scenario: Scenario,
    state: Mutex<State>,
}

impl Script {
    /// At the first prompt.
    pub fn new(scenario: &Scenario) -> Script {
        Script { scenario: scenario.clone(), state: Mutex::default() }
    }

    /// Goes to an item of the script.
    pub fn begin(&self, item: usize) {
        self.state.lock().item = item;
    }

    /// Name of the scenario's model.
    pub fn model(&self) -> &str {
        &self.scenario.model
    }

    /// The answer to a request. Requests without tools are the program's own (titles, summaries): the script says
    /// nothing about them.
    pub fn answer(&self, asked: &Asked) -> Scripted {
        if asked.tools.is_empty() {
            return Scripted { lane: None, number: 0, step: self.aside(asked) };
        }
        let mut state = self.state.lock();
        let lane = self.lane(asked, state.item);
        let number = match state.lanes.get(&lane) {
            Some((number, history)) if *history == asked.history => *number,
            Some((number, _)) => number + 1,
            None => 0,
        };
        state.lanes.insert(lane.clone(), (number, asked.history.clone()));
        let (steps, prefix) = self.steps(&lane);
        let mut step = steps.get(number).cloned().unwrap_or_else(silence);
        for (index, call) in step.calls.iter_mut().enumerate() {
            call.id.get_or_insert_with(|| format!("{prefix}_{}_{}", number + 1, index + 1));
        }
        Scripted { lane: Some(lane), number, step }
    }

    /// Questions beside the conversation have answers of their own; what the program asks for itself has none.
    fn aside(&self, asked: &Asked) -> Step {
        let last = asked.said.last().map_or("", |(_, text)| text);
        let aside = self.scenario.asides.iter().find(|aside| !aside.to.is_empty() && last.contains(&aside.to));
        aside.map_or_else(silence, |aside| Step {
            text: aside.text.clone(),
            usage: aside.usage,
            error: aside.error.clone(),
            ..Step::default()
        })
    }

    fn lane(&self, asked: &Asked, item: usize) -> Lane {
        let first = asked.said.first().map_or("", |(_, text)| text);
        let agent = self.agent_calls().find(|(_, prompt)| !prompt.is_empty() && first.contains(prompt.as_str()));
        if let Some((index, _)) = agent {
            return Lane::Agent(index);
        }
        let reply = asked.said.last().and_then(|(place, text)| {
            let index = self.scenario.replies.iter().position(|reply| text.contains(&reply.to))?;
            Some(Lane::Reply(index, *place))
        });
        reply.unwrap_or(Lane::Prompt(item))
    }

    /// Nested loops with the prompts that begin them.
    fn agent_calls(&self) -> impl Iterator<Item = (usize, String)> {
        let steps = self.scenario.prompts.iter().flat_map(|prompt| &prompt.steps);
        let calls = steps.flat_map(|step| &step.calls).filter(|call| call.tool == "Agent" || call.tool == "Task");
        calls.filter_map(|call| {
            let text = |field: &str| call.input.get(field).and_then(Value::as_str);
            let name = text("name").or(text("subagent_type"))?;
            let index = self.scenario.agents.iter().position(|agent| agent.name == name)?;
            Some((index, text("prompt")?.to_owned()))
        })
    }

    fn steps(&self, lane: &Lane) -> (&[Step], String) {
        let scenario = &self.scenario;
        match lane {
            Lane::Prompt(item) => {
                let steps = scenario.prompts.get(*item).map_or(&[][..], |prompt| &prompt.steps);
                (steps, format!("call_{}", item + 1))
            }
            Lane::Reply(index, place) => {
                let steps = scenario.replies.get(*index).map_or(&[][..], |reply| &reply.steps);
                (steps, format!("call_r{place}"))
            }
            Lane::Agent(index) => {
                let steps = scenario.agents.get(*index).map_or(&[][..], |agent| &agent.steps);
                (steps, format!("call_a{}", index + 1))
            }
        }
    }
}

fn silence() -> Step {
    Step { text: SILENCE.into(), ..Step::default() }
}

/// The word for why a step ends.
pub(crate) fn stop_reason(step: &Step) -> String {
    let usual = if step.calls.is_empty() { "end_turn" } else { "tool_use" };
    step.stop.clone().unwrap_or_else(|| usual.to_owned())
}

/// A text in the pieces it streams in.
pub(crate) fn pieces(text: &str, size: Option<usize>) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(size.unwrap_or(usize::MAX).max(1)).map(|piece| piece.iter().collect()).collect()
}

pub(crate) fn call_id(call: &ScriptedCall) -> String {
    call.id.clone().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Script {
        Script::new(&Scenario::parse(text, "test").unwrap())
    }

    fn asked(history: &str, said: &str) -> Asked {
        Asked { said: vec![(0, said.into())], tools: vec!["Bash".into()], history: history.into() }
    }

    const TWO: &str = r#"
        [[prompt]]
        text = "one"
        [[prompt.step]]
        [[prompt.step.call]]
        tool = "Bash"
        input = { command = "ls" }
        [[prompt.step]]
        text = "done"
        [[prompt]]
        text = "two"
        [[prompt.step]]
        text = "second"
        [[reply]]
        to = "by a mod"
        [[reply.step]]
        text = "to the mod"
    "#;

    #[test]
    fn steps_follow_and_a_repeated_request_gets_the_same_one() {
        let script = script(TWO);
        let first = script.answer(&asked("a", "one"));
        assert_eq!((first.number, first.step.calls[0].id.as_deref()), (0, Some("call_1_1_1")));
        assert_eq!(script.answer(&asked("a", "one")), first);
        assert_eq!(script.answer(&asked("b", "one")).step.text, "done");
        assert_eq!(script.answer(&asked("c", "one")).step.text, SILENCE);
        script.begin(1);
        assert_eq!(script.answer(&asked("d", "two")).step.text, "second");
    }

    #[test]
    fn prompts_of_mods_have_their_own_script_and_requests_aside_have_none() {
        let script = script(TWO);
        let reply = script.answer(&asked("a", "sent by a mod"));
        assert_eq!((reply.lane, reply.step.text.as_str()), (Some(Lane::Reply(0, 0)), "to the mod"));
        let aside = script.answer(&Asked { tools: Vec::new(), ..asked("a", "one") });
        assert_eq!((aside.lane, aside.step.text.as_str()), (None, SILENCE));
        assert_eq!(script.answer(&asked("b", "one")).number, 0, "the main loop did not move");
    }

    #[test]
    fn a_nested_loop_is_known_by_its_prompt() {
        let script = script(
            r#"
            [[prompt]]
            text = "one"
            [[prompt.step]]
            [[prompt.step.call]]
            tool = "Agent"
            input = { subagent_type = "looker", prompt = "look around", description = "look" }
            [[agent]]
            name = "looker"
            [[agent.step]]
            text = "looked"
            "#,
        );
        assert_eq!(script.answer(&asked("x", "look around")).step.text, "looked");
        assert_eq!(script.answer(&asked("y", "one")).lane, Some(Lane::Prompt(0)));
    }
}
