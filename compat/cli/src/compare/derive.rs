//! A scenario made from the hooks of mods: a call for each matcher, a prompt, a command.

use std::collections::BTreeSet;

use modgate_harness::permission::Mode;
use modgate_harness::script::{FileContent, PromptScript, Scenario, ScriptedCall, Step};
use modgate_validate::report::{HookFact, Literal, Matcher};
use serde_json::{Map, Value, json};

use super::sample::sample;

/// A made scenario, and what it came from.
pub(crate) struct Derived {
    /// The scenario.
    pub(crate) scenario: Scenario,
    /// For people: how many calls, prompts and commands, and what was left out.
    pub(crate) said: String,
}

const FILE: &str = "modgate.txt";

/// Fields of the event that are no arguments of the call.
const ENVELOPE: [&str; 4] = ["tool", "tool_use_id", "agentId", "consent"];

/// Makes a scenario from the hooks that were read off the mods' sources.
pub(crate) fn derive<'a>(hooks: impl IntoIterator<Item = &'a HookFact>) -> Derived {
    let mut made = Made::default();
    for hook in hooks {
        made.hook(hook);
    }
    made.finish()
}

#[derive(Default)]
struct Made {
    calls: Vec<ScriptedCall>,
    prompts: Vec<String>,
    commands: BTreeSet<String>,
    left: Vec<String>,
}

impl Made {
    fn hook(&mut self, hook: &HookFact) {
        let none = Vec::new();
        let fields = match &hook.matcher {
            Some(Matcher::Has(fields)) => fields,
            Some(_) => &none,
            None => return self.leave(hook, "its matcher cannot be read off the source"),
        };
        match hook.pattern.as_str() {
            "tool.call" | "*" | "tool.*" => self.calls(hook, fields, fields),
            "tool.check" => {
                let input = match field(fields, "input") {
                    Some(Matcher::Has(input)) => input,
                    _ => &none,
                };
                self.calls(hook, fields, input);
            }
            "prompt.submit" => match texts(field(fields, "text")) {
                Some(texts) => self.prompts.extend(texts),
                None => self.leave(hook, "no text was found that its matcher fits"),
            },
            "command.run" => match texts(field(fields, "command")) {
                Some(names) => self.commands.extend(names),
                None => self.leave(hook, "it names no command"),
            },
            _ => {}
        }
    }

    fn leave(&mut self, hook: &HookFact, why: &str) {
        self.left.push(format!("{} at {}:{}: {why}", hook.pattern, hook.at.file, hook.at.span.line));
    }

    /// A call for each tool that the matcher names.
    fn calls(&mut self, hook: &HookFact, envelope: &[(String, Matcher)], given: &[(String, Matcher)]) {
        let tools = match field(envelope, "tool") {
            None => Some(vec![usual_tool(given).to_owned()]),
            some => texts(some),
        };
        let Some(tools) = tools else { return self.leave(hook, "no tool was found that its matcher fits") };
        for tool in tools {
            let mut input = usual(&tool);
            for (name, matcher) in given.iter().filter(|(name, _)| !ENVELOPE.contains(&name.as_str())) {
                match value(matcher) {
                    Some(value) => input.insert(name.clone(), value),
                    None => return self.leave(hook, &format!("no {name} was found that its matcher fits")),
                };
            }
            if let Some(path) = input.get("file_path").and_then(Value::as_str)
                && (path.starts_with(['/', '~']) || path.split('/').any(|part| part == ".."))
            {
                self.leave(hook, &format!("{path} is outside of the working directory"));
                continue;
            }
            let input = Value::Object(input);
            if !self.calls.iter().any(|call| call.tool == tool && call.input == input) {
                self.calls.push(ScriptedCall { tool, id: None, input });
            }
        }
    }

    fn finish(mut self) -> Derived {
        if self.prompts.is_empty() {
            self.prompts.push("go".into());
        }
        let counts = [(self.calls.len(), "call"), (self.prompts.len(), "prompt"), (self.commands.len(), "command")];
        let counted: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}{}", if *count == 1 { "" } else { "s" }))
            .collect();
        let mut said = format!(
            "no scenario was given: made from the hooks, {}; shell commands are not run and give no output",
            counted.join(", ")
        );
        for left in &self.left {
            said += &format!("\n  left out: {left}");
        }
        let mut calls = Some(self.calls);
        let typed = self.prompts.into_iter().map(|text| {
            let asked = calls.take().unwrap_or_default();
            let answer = Step { text: "done".into(), ..Step::default() };
            let steps = asked.into_iter().map(|call| Step { calls: vec![call], ..Step::default() });
            PromptScript { text: Some(text), command: None, steps: steps.chain([answer]).collect() }
        });
        let typed: Vec<PromptScript> = typed.collect();
        let ran = self.commands.into_iter().map(|name| PromptScript {
            command: Some(format!("/{}", name.trim_start_matches('/'))),
            ..PromptScript::default()
        });
        let mut scenario = Scenario { name: "made from the hooks".into(), ..Scenario::default() };
        scenario.model = "scripted".into();
        scenario.permissions.mode = Mode::BypassPermissions;
        scenario.files.insert(FILE.into(), FileContent::Text("modgate\n".into()));
        scenario.prompts = typed.into_iter().chain(ran).collect();
        Derived { scenario, said }
    }
}

fn field<'a>(fields: &'a [(String, Matcher)], name: &str) -> Option<&'a Matcher> {
    fields.iter().find(|(key, _)| key == name).map(|(_, matcher)| matcher)
}

/// The tool whose argument a matcher without one asks for.
fn usual_tool(fields: &[(String, Matcher)]) -> &'static str {
    let asks = |name: &str| field(fields, name).is_some();
    match () {
        () if asks("content") => "Write",
        () if asks("old_string") || asks("new_string") => "Edit",
        () if asks("file_path") => "Read",
        () if asks("pattern") => "Grep",
        () => "Bash",
    }
}

/// Arguments with which a tool does something harmless.
fn usual(tool: &str) -> Map<String, Value> {
    let input = match tool {
        "Bash" => json!({ "command": "echo modgate" }),
        "Read" => json!({ "file_path": FILE }),
        "Write" => json!({ "file_path": FILE, "content": "written\n" }),
        "Edit" => json!({ "file_path": FILE, "old_string": "modgate", "new_string": "edited" }),
        "MultiEdit" => {
            json!({ "file_path": FILE, "edits": [{ "old_string": "modgate", "new_string": "edited" }] })
        }
        "Glob" => json!({ "pattern": "*" }),
        "Grep" => json!({ "pattern": "modgate" }),
        "TodoWrite" => json!({ "todos": [] }),
        _ => json!({}),
    };
    match input {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Every text that a matcher names; one for an expression. `None` where there is none.
fn texts(matcher: Option<&Matcher>) -> Option<Vec<String>> {
    let found: Vec<String> = match matcher? {
        Matcher::Is(Literal::String(text)) => vec![text.clone()],
        Matcher::AnyOf(choices) => choices.iter().filter_map(|one| texts(Some(one))).flatten().collect(),
        Matcher::Regex { source, flags } => {
            named(source, flags).or_else(|| sample(source, flags).map(|one| vec![one]))?
        }
        _ => Vec::new(),
    };
    (!found.is_empty()).then_some(found)
}

/// The tools of the harness that an expression fits.
fn named(source: &str, flags: &str) -> Option<Vec<String>> {
    let expression = if flags.contains('i') { format!("(?i){source}") } else { source.to_owned() };
    let expression = regex::Regex::new(&expression).ok()?;
    let standard = ["Bash", "Read", "Write", "Edit", "MultiEdit", "Glob", "Grep"];
    let found: Vec<String> =
        standard.iter().filter(|name| expression.is_match(name)).map(ToString::to_string).collect();
    (!found.is_empty()).then_some(found)
}

/// A value that a matcher fits.
fn value(matcher: &Matcher) -> Option<Value> {
    match matcher {
        Matcher::Is(Literal::Null) => Some(Value::Null),
        Matcher::Is(Literal::Bool(is)) => Some(Value::Bool(*is)),
        Matcher::Is(Literal::Number(number)) => Some(json!(number)),
        Matcher::Is(Literal::String(text)) => Some(json!(text)),
        Matcher::AnyOf(choices) => choices.iter().find_map(value),
        Matcher::Regex { source, flags } => sample(source, flags).map(Value::String),
        Matcher::Has(fields) => {
            let fields = fields.iter().map(|(name, matcher)| Some((name.clone(), value(matcher)?)));
            fields.collect::<Option<Map<String, Value>>>().map(Value::Object)
        }
        Matcher::Unread => None,
    }
}

#[cfg(test)]
mod tests {
    use modgate_validate::report::{Location, Span};

    use super::*;

    fn hook(pattern: &str, fields: Vec<(&str, Matcher)>) -> HookFact {
        let span = Span { start: 0, end: 0, line: 1, column: 1, end_line: 1, end_column: 1 };
        HookFact {
            pattern: pattern.into(),
            matcher: Some(Matcher::Has(fields.into_iter().map(|(name, one)| (name.to_owned(), one)).collect())),
            default_keys: Vec::new(),
            is_gate: true,
            has_catch: false,
            can_deny: false,
            at: Location { file: "register.ts".into(), span },
        }
    }

    fn is(text: &str) -> Matcher {
        Matcher::Is(Literal::String(text.into()))
    }

    fn calls(derived: &Derived) -> Vec<(String, Value)> {
        let steps = derived.scenario.prompts.iter().flat_map(|prompt| &prompt.steps);
        steps.flat_map(|step| &step.calls).map(|call| (call.tool.clone(), call.input.clone())).collect()
    }

    #[test]
    fn a_call_for_each_matcher_a_prompt_and_a_command() {
        let regex = Matcher::Regex { source: "^rm ".into(), flags: String::new() };
        let derived = derive(&[
            hook("tool.call", vec![("tool", Matcher::AnyOf(vec![is("Bash"), is("Edit")]))]),
            hook("tool.call", vec![("tool", is("Bash")), ("command", regex)]),
            hook("tool.call", vec![]),
            hook("command.run", vec![("command", is("greet"))]),
            hook("turn.complete", vec![]),
        ]);
        let edit = json!({ "file_path": FILE, "old_string": "modgate", "new_string": "edited" });
        let expected = [
            ("Bash".to_owned(), json!({ "command": "echo modgate" })),
            ("Edit".to_owned(), edit),
            ("Bash".to_owned(), json!({ "command": "rm " })),
        ];
        assert_eq!(calls(&derived), expected);
        let commands: Vec<_> = derived.scenario.prompts.iter().filter_map(|prompt| prompt.command.as_deref()).collect();
        assert_eq!(commands, ["/greet"]);
        assert!(derived.said.contains("3 calls, 1 prompt, 1 command"), "{}", derived.said);
    }

    #[test]
    fn what_cannot_be_made_is_named() {
        let derived = derive(&[
            hook("tool.call", vec![("tool", is("Write")), ("file_path", is("/etc/hosts"))]),
            hook("tool.call", vec![("tool", Matcher::Unread)]),
        ]);
        assert!(calls(&derived).is_empty());
        assert_eq!(derived.said.matches("left out: tool.call at register.ts:1").count(), 2, "{}", derived.said);
    }
}
