//! Reports made by hand, so that every kind of fact and place is drawn at least once.

use std::path::PathBuf;

use modgate_validate::report::{
    Access, Call, ClassicHook, Facts, HookFact, Label, Literal, Location, Matcher, Named, Nouns, OptionFact, Reach,
    Setup, Source, StateKey, Uses,
};
use modgate_validate::{Diagnostic, HostSpec, Report, Severity, Verdict};

use super::place::Lines;
use super::{Checked, Renderer, Totals};
use crate::cli::{Format, JudgeArgs, TierName};
use crate::discover::Folder;
use crate::output::Style;

const MODULE: &str = "hooks/register.ts";

/// A report on one module, with findings that point at parts of it.
struct Made {
    text: String,
    report: Report,
}

impl Made {
    fn new(text: impl Into<String>) -> Made {
        let text = text.into();
        let sources = vec![Source { path: MODULE.into(), text: text.as_str().into() }];
        let report = Report {
            name: Some("guard".into()),
            version: Some("1.2.0".into()),
            verdict: Verdict::Accept,
            diagnostics: Vec::new(),
            module: Some(MODULE.into()),
            facts: None,
            setup: Setup::default(),
            sources,
        };
        Made { text, report }
    }

    #[track_caller]
    fn at(&self, part: &str) -> Location {
        let start = self.text.find(part).unwrap();
        Location { file: MODULE.into(), span: Lines::new(&self.text).span(start, start + part.len()) }
    }

    #[track_caller]
    fn finding(mut self, severity: Severity, part: &str, labels: &[(&str, &str)]) -> Made {
        let labels =
            labels.iter().map(|(part, message)| Label { at: self.at(part), message: (*message).into() }).collect();
        self.report.diagnostics.push(Diagnostic {
            code: "some-rule",
            severity,
            message: "something is wrong".into(),
            help: Some("write it differently".into()),
            file: MODULE.into(),
            span: Some(self.at(part).span),
            labels,
            hosts: Vec::new(),
            is_install_only: false,
        });
        self
    }

    fn checked(self) -> Checked {
        let folder = Folder { root: PathBuf::from("/srv/mods/guard"), shown: "mods/guard".into() };
        Checked { folder, is_marketplace: false, report: self.report }
    }

    fn draw(self) -> String {
        draw(&self.checked(), Format::Text)
    }
}

fn draw(checked: &Checked, format: Format) -> String {
    let judge = JudgeArgs { hosts: Vec::new(), strict: false, tier: TierName::User };
    Renderer::new(format, Style { color: false, width: 100 }, &judge).report(checked)
}

#[test]
fn labels_nearby_and_far_away() {
    let text =
        "import { x } from './far.ts'\n\n\n\n\nexport function register(on) {\n  on('a.b', h)\n  on('a.b', h)\n}\n";
    let made = Made::new(text).finding(
        Severity::Warning,
        "h)\n}",
        &[("on('a.b', h)\n  on", "not drawn"), ("'./far.ts'", "it comes from here")],
    );
    let mut report = made;
    // The first occurrence is another one.
    report.report.diagnostics[0].labels.remove(0);
    let near = Label { at: report.at("'a.b'"), message: "the same event".into() };
    report.report.diagnostics[0].labels.insert(0, near);
    insta::assert_snapshot!(report.draw());
}

#[test]
fn a_finding_over_many_lines_shows_the_first() {
    let body: String = (0..30).map(|line| format!("  call({line})\n")).collect();
    let text = format!("start\nfunction f() {{\n{body}}}\nend\n");
    let whole = format!("function f() {{\n{body}}}");
    insta::assert_snapshot!(Made::new(text).finding(Severity::Error, &whole, &[]).draw());
}

#[test]
fn a_finding_over_few_lines_shows_all() {
    let made = Made::new("start\r\nf(\r\n  a,\r\n)\r\nend\r\n").finding(Severity::Note, "f(\r\n  a,\r\n)", &[]);
    insta::assert_snapshot!(made.draw());
}

#[test]
fn a_long_line_is_cut_around_the_finding() {
    let text = format!("{}BAD{}\nshort\n", "x;".repeat(1000), ";é".repeat(1000));
    insta::assert_snapshot!(Made::new(text).finding(Severity::Error, "BAD", &[]).draw());
}

#[test]
fn a_source_cannot_draw_over_the_terminal() {
    let mut made = Made::new("\u{feff}a = '\u{1b}[2J\u{202e}' // BAD\tx\n").finding(Severity::Error, "BAD", &[]);
    made.report.name = Some("gu\u{1b}]0;x\u{7}ard\n✔ fine".into());
    made.report.diagnostics[0].message = "bad \u{9b}31m name".into();
    let drawn = made.draw();
    assert!(!drawn.chars().any(|c| c.is_control() && c != '\n'), "{drawn:?}");
    insta::assert_snapshot!(drawn);
}

#[test]
fn places_at_the_ends_of_a_text() {
    let mut made = Made::new("a\nb");
    for (start, end) in [(0, 0), (1, 1), (3, 3)] {
        made = made.finding(Severity::Error, "b", &[]);
        made.report.diagnostics.last_mut().unwrap().span = Some(Lines::new("a\nb").span(start, end));
    }
    insta::assert_snapshot!(made.draw());
}

#[test]
fn findings_without_a_place_name_the_file() {
    let mut made = Made::new("").finding(Severity::Error, "", &[]);
    made.report.verdict = Verdict::Refuse;
    let found = &mut made.report.diagnostics[0];
    found.span = None;
    found.file = "hooks/hooks.json".into();
    found.hosts = vec!["dsh".parse::<HostSpec>().unwrap(), "claude-code@2.1.287".parse().unwrap()];
    insta::assert_snapshot!(made.draw());
}

fn everything() -> Made {
    let mut made = Made::new("one two three\n");
    let named = |name: &str| Named { name: name.into(), at: made.at("two") };
    let at = made.at("one");
    let hook = |pattern: &str, matcher, is_gate, has_catch, can_deny| HookFact {
        pattern: pattern.into(),
        matcher,
        default_keys: Vec::new(),
        is_gate,
        has_catch,
        can_deny,
        at: at.clone(),
    };
    let text = |text: &str| Matcher::Is(Literal::String(text.into()));
    let has = |name: &str, value| Some(Matcher::Has(vec![(name.into(), value)]));
    let call = |name: &str, via: &[&str]| Call {
        name: name.into(),
        via: via.iter().map(|via| (*via).into()).collect(),
        at: at.clone(),
    };
    let key = StateKey { plugin: "other".into(), key: "count".into(), at: at.clone() };
    let facts = Facts {
        uses: Uses {
            events: vec![named("tool.call"), named("ui.*")],
            calls: vec![call("fs.read", &[]), call("http.fetch", &["send", "sendAll"])],
            env: Access { reads: vec![named("HOME"), named("PATH")], writes: vec![named("X")] },
            state: Access { reads: vec![key], writes: Vec::new() },
            hosts: Reach { named: vec![named("api.example.com")], unread: vec![named("http.fetch")] },
            commands: Reach { named: vec![named("git")], unread: Vec::new() },
            files: Reach { named: Vec::new(), unread: vec![named("fs.read")] },
        },
        hooks: vec![
            hook("tool.call", has("tool", Matcher::AnyOf(vec![text("Edit"), text("Write")])), true, false, true),
            hook(
                "tool.call",
                has(
                    "input",
                    Matcher::Has(vec![("n".into(), Matcher::Is(Literal::Number(1.0))), ("m".into(), Matcher::Unread)]),
                ),
                true,
                true,
                true,
            ),
            hook(
                "prompt.submit",
                has("text", Matcher::Regex { source: "^/x".into(), flags: "i".into() }),
                true,
                true,
                false,
            ),
            HookFact { default_keys: vec!["plugin".into()], ..hook("ui.*", None, false, false, false) },
            hook("session.start", Some(Matcher::Has(Vec::new())), false, false, false),
        ],
        next_to: vec![named("append")],
        nouns: Some(Nouns {
            adds: vec![named("git")],
            adds_unless_there: vec![named("notes")],
            withholds: vec![named("process")],
            replaces: vec![named("fs")],
        }),
        telemetry: vec![named("clicks")],
        clients: vec![named("ui/chart.tsx")],
        breaks_prompt_cache: vec![named("Date.now")],
    };
    made.report.setup = Setup {
        options: vec![OptionFact {
            name: "token".into(),
            kind: "string".into(),
            required: true,
            sensitive: true,
            at: made.at("one"),
        }],
        classic_hooks: vec![ClassicHook {
            event: "PreToolUse".into(),
            matcher: Some("Bash".into()),
            kind: "command".into(),
            does: "./check.sh".into(),
            at: made.at("three"),
        }],
    };
    made.report.facts = Some(facts);
    made
}

#[test]
fn every_kind_of_fact_has_a_line() {
    insta::assert_snapshot!(everything().draw());
}

#[test]
fn every_kind_of_fact_has_a_key() {
    let text = draw(&everything().checked(), Format::Json);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&value).unwrap());
}

#[test]
fn annotations_and_results_carry_labels_and_help() {
    let made = Made::new("one\ntwo\n").finding(Severity::Note, "one\ntwo", &[("two", "because of this")]).checked();
    insta::assert_snapshot!(draw(&made, Format::Github) + &draw(&made, Format::Sarif));
}

#[test]
fn sums_count_what_was_found() {
    let made = Made::new("one two").finding(Severity::Error, "one", &[]).finding(Severity::Note, "two", &[]);
    let mut totals = Totals::of(&made.checked());
    totals.add(Totals { mods: 1, refused: 1, ..Totals::default() });
    assert_eq!((totals.mods, totals.refused, totals.errors, totals.warnings, totals.notes), (2, 1, 1, 0, 1));
}
