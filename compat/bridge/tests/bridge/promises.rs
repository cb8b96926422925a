//! What holds whatever mods do: stacks of one to four of them, written from a small grammar of behaviour.

use std::time::Duration;

use modgate_harness::fold::{Block, Item, audit, history, presentation};
use modgate_harness::record::{kind, read};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Place, Played, Setting, commands, play_in, text};

/// What a hook does on its way, one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Pass,
    Rewrite(u8),
    Reroute,
    /// As `Pass`, without waiting for it.
    Begin,
}

/// How it comes to an end.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    /// What `next` gave last, or what it gives now.
    Answer,
    Deny,
    Replace,
    WrongShape,
    Throw,
    Hang,
    Spin,
}

#[derive(Clone, Debug)]
struct Behaviour {
    steps: Vec<Step>,
    end: End,
    /// A `.catch` that denies.
    catches: bool,
}

fn behaviour() -> impl Strategy<Value = Behaviour> {
    let step = prop_oneof![
        4 => Just(Step::Pass),
        2 => (0..3_u8).prop_map(Step::Rewrite),
        1 => Just(Step::Reroute),
        1 => Just(Step::Begin),
    ];
    // Those that cost time come less often.
    let end = prop_oneof![
        12 => Just(End::Answer),
        4 => Just(End::Deny),
        4 => Just(End::Replace),
        4 => Just(End::WrongShape),
        4 => Just(End::Throw),
        1 => Just(End::Hang),
        1 => Just(End::Spin),
    ];
    let catches = prop::bool::weighted(0.2);
    (prop::collection::vec(step, 0..4), end, catches).prop_map(|(steps, end, catches)| Behaviour {
        steps,
        end,
        catches,
    })
}

impl Behaviour {
    /// The mod's source.
    fn source(&self) -> String {
        let mut body = String::from("let last\n");
        for step in &self.steps {
            body += &match step {
                Step::Pass => "try { last = await next(e) } catch {}\n".to_string(),
                Step::Rewrite(n) => {
                    format!(
                        "try {{ last = await next({{ ...e, command: 'echo other{n} >> other.txt' }}) }} catch {{}}\n"
                    )
                }
                Step::Reroute => {
                    "try { last = await next({ tool: 'Read', tool_use_id: e.tool_use_id, file_path: 'a' }) } catch {}\n"
                        .to_string()
                }
                Step::Begin => "next(e).catch(() => {})\n".to_string(),
            };
        }
        body += match self.end {
            End::Answer => "return last ?? await next(e)\n",
            End::Deny => "return { deny: 'not this' }\n",
            End::Replace => "return { result: { stdout: 'replaced', stderr: '', interrupted: false } }\n",
            End::WrongShape => "return { deny: 7 }\n",
            End::Throw => "throw new RangeError('thrown')\n",
            End::Hang => "await new Promise(() => {})\n",
            End::Spin => "for (;;) {}\n",
        };
        let catch = if self.catches { ".catch(async () => ({ deny: 'caught' }))" } else { "" };
        format!("export function register(on) {{ on('tool.call', async ($, e, next) => {{\n{body}}}){catch} }}\n")
    }

    fn runs(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Pass | Step::Begin))
    }

    /// What is refused before the first run that gets through.
    fn refused(&self) -> Vec<&'static str> {
        let before = self.steps.iter().take_while(|step| !matches!(step, Step::Pass | Step::Begin));
        before.map(|step| if *step == Step::Reroute { "call-rerouted" } else { "call-rewritten" }).collect()
    }

    /// Whether `next` is asked once more after it ran: whatever is passed then gets the first result.
    fn repeats(&self) -> bool {
        let mut steps = self.steps.iter().skip_while(|step| !matches!(step, Step::Pass | Step::Begin));
        let Some(first) = steps.next() else { return false };
        let rest: Vec<_> = steps.collect();
        let has_given = *first == Step::Pass || rest.iter().any(|step| **step != Step::Begin);
        !rest.is_empty() || self.end == End::Answer && !has_given
    }

    /// Codes that the record has to hold for each call the mod sees, in order.
    fn codes(&self) -> Vec<&'static str> {
        let mut codes = self.refused();
        let is_refused = !codes.is_empty();
        codes.extend(self.repeats().then_some("next-repeated"));
        // A mod that is skipped because of what it passed is skipped once, however it ends.
        codes.extend(self.failure().filter(|_| !is_refused || self.catches));
        codes
    }

    fn failure(&self) -> Option<&'static str> {
        let fails = matches!(self.end, End::WrongShape | End::Throw | End::Hang | End::Spin);
        if fails && self.catches {
            return Some("hook-caught");
        }
        match self.end {
            End::WrongShape => Some("hook-answer"),
            End::Throw => Some("hook-threw"),
            End::Hang | End::Spin => Some("hook-timeout"),
            _ => None,
        }
    }

    /// Whether mods beneath it see the call.
    fn reaches(&self) -> bool {
        let answers = matches!(self.end, End::Deny | End::Replace) || self.failure().is_some() && self.catches;
        self.runs() || !self.refused().is_empty() || !answers
    }
}

/// Says what it saw, and changes nothing.
const HEALTHY: &str = "export function register(on) {
  on('tool.call', async ($, e, next) => { $.ui.log(`saw ${e.tool_use_id}`); return next(e) })
  on('turn.complete', async ($, e, next) => { $.ui.log('turn over'); return next(e) })
}";

const COMMANDS: [&str; 2] = ["echo first >> out.txt", "echo second >> out.txt"];

fn session(stack: &[Behaviour]) -> (Place, Played) {
    let place = Place::new();
    let mut mods = vec![text("healthy", HEALTHY)];
    mods.extend(stack.iter().enumerate().map(|(index, one)| text(&format!("m{index}"), &one.source())));
    let setting = Setting { hook: Duration::from_millis(300), ..Setting::default() };
    let played = play_in(&place, mods, &commands(&COMMANDS), setting, false);
    (place, played)
}

/// What really ran, from the record's own side and from the world's.
fn executed(played: &Played, call: &str) -> Vec<Value> {
    played.result(call)["executed"].as_array().cloned().unwrap_or_default()
}

fn one_truth(place: &Place, played: &Played) {
    let lines: Vec<String> = place.file("out.txt").unwrap_or_default().lines().map(str::to_string).collect();
    assert_eq!(place.file("other.txt"), None, "a rewritten command ran");
    let mut ran = Vec::new();
    for (index, command) in COMMANDS.iter().enumerate() {
        let id = format!("c{index}");
        let input = json!({ "command": command });
        let committed = json!({ "tool": "Bash", "input": input });
        let executed = executed(played, &id);
        assert!(executed.len() <= 1, "{id} ran {} times", executed.len());
        if let Some(one) = executed.first() {
            assert_eq!(one, &committed);
            ran.push(["first", "second"][index].to_string());
        }
        let row = played.of_kind(kind::TOOL_CALL).into_iter().find(|row| row.text_at("callId") == Some(&id));
        let row = row.expect("every call is logged");
        assert_eq!((&row.data["tool"], &row.data["input"]), (&json!("Bash"), &input));
        let told = history(&played.rows, None).into_iter().flat_map(|message| message.content);
        let told = told.filter(|block| {
            matches!(block, Block::ToolUse { id: other, name, input: told }
            if *other == id && name == "Bash" && *told == input)
        });
        assert_eq!(told.count(), 1, "the model is told of {id} as it was");
        let shown = presentation(&played.rows).into_iter();
        let shown = shown.filter(
            |item| matches!(item, Item::Call { call_id, input: shown, .. } if *call_id == id && *shown == input),
        );
        assert_eq!(shown.count(), 1, "{id} is shown as it was");
    }
    assert_eq!(lines, ran, "what ran is what the record says, once each");
}

fn nothing_committed_changes(place: &Place, played: &Played) {
    let loaded = read(&place.record).expect("the record verifies");
    assert_eq!(loaded.rows, played.observed, "a row is not what it was when it was written");
    assert!(loaded.recovered.is_none());
    for call in audit(&loaded.rows).calls {
        assert_eq!(call.asked.as_ref(), Some(&call.committed), "committed is what was asked for");
        assert!(call.amendments.is_empty() && call.attempts.is_empty());
    }
}

fn everything_is_reported(stack: &[Behaviour], played: &Played) {
    let mut is_reached = true;
    for (index, one) in stack.iter().enumerate() {
        let name = format!("m{index}");
        let codes: Vec<String> =
            played.codes(&name).into_iter().filter(|code| !matches!(code.as_str(), "limit-spinning")).collect();
        let expected: Vec<&str> = if is_reached { one.codes() } else { Vec::new() };
        let twice = [expected.clone(), expected].concat();
        assert_eq!(codes, twice, "reports about {name}, {one:?}");
        is_reached &= one.reaches();
    }
    assert!(played.codes("healthy").is_empty(), "the healthy mod is not to blame: {:?}", played.codes("healthy"));
}

fn only_itself(played: &Played) {
    assert_eq!(played.logged("healthy"), ["saw c0", "saw c1", "turn over"]);
    assert_eq!(played.rows.last().map(|row| row.kind.as_str()), Some(kind::SESSION_END));
    assert_eq!(played.of_kind(kind::TURN_END)[0].text_at("reason"), Some("answer"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, max_shrink_iters: 64, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold(stack in prop::collection::vec(behaviour(), 1..=4)) {
        let (place, played) = session(&stack);
        one_truth(&place, &played);
        nothing_committed_changes(&place, &played);
        everything_is_reported(&stack, &played);
        only_itself(&played);
    }
}
