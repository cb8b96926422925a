//! `modgate validate` on one mod: verdicts, facts, positions, formats.

use crate::fixture::Room;
use crate::wire::Document;

const GUARD: &str = "import { ask } from './ask.js'

export function register(on, options) {
  on('tool.call', { tool: ['Edit', 'Write'] }, async ($, e, next) => {
    if (e.input.file_path.endsWith('.env')) return { deny: 'secrets stay closed' }
    return next(e)
  }).catch(async () => ({ deny: 'the guard failed' }))
  on('session.start', async ($, e, next) => {
    await ask($)
    await $.env.get('HOME')
    return next(e)
  })
}
";
const ASK: &str = "export async function ask($) {\n  await $.ui.toast('hello')\n}\n";
const MANIFEST: &str = r#"{
  "name": "guard",
  "version": "1.0.0",
  "description": "Keeps secrets closed.",
  "author": { "name": "Example" },
  "userConfig": { "token": { "type": "string", "title": "Token", "description": "A token.", "sensitive": true } }
}
"#;
const HOOKS: &str = r#"{
  "modules": ["./register.js"],
  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }] }
}
"#;
/// `$` is used other than as `$.namespace.method(...)`: every host refuses it.
const ALIAS: &str = "export function register(on) {
  on('session.start', async ($, e, next) => {
    const all = $
    return next(e)
  })
}
";

fn guard() -> Room {
    let room = Room::with_mod(GUARD);
    room.file("guard/hooks/ask.js", ASK).file("guard/hooks/hooks.json", HOOKS).manifest("guard", MANIFEST);
    room
}

#[test]
fn facts_of_a_mod_for_people() {
    insta::assert_snapshot!(guard().run(&["validate", "guard"]).ended(0));
}

#[test]
fn facts_of_a_mod_for_programs() {
    let document: Document = guard().run(&["validate", "guard", "--json"]).ended(0).json();
    assert!(document.success && !document.strict && document.hosts.is_empty());
    let [report] = document.reports.as_slice() else { panic!("{document:?}") };
    assert_eq!((report.name.as_deref(), report.version.as_deref()), (Some("guard"), Some("1.0.0")));
    let [module] = report.modules.as_slice() else { panic!("{report:?}") };
    assert_eq!(module.path, "hooks/register.js");
    let uses = module.uses.as_ref().unwrap();
    assert_eq!(uses.events, ["tool.call", "session.start"]);
    assert_eq!(uses.calls, ["env.get", "ui.toast"]);
    assert_eq!((uses.env.reads.as_slice(), uses.env.writes.as_slice()), (&["HOME".to_owned()][..], &[][..]));
    let hooks = module.hooks.as_ref().unwrap();
    assert_eq!(
        hooks[0].matcher,
        serde_json::json!({ "has": { "tool": { "anyOf": [{ "is": "Edit" }, { "is": "Write" }] } } })
    );
    assert!(hooks[0].is_gate && hooks[0].has_catch && hooks[0].can_deny);
    assert!(!hooks[1].is_gate && !hooks[1].has_catch && !hooks[1].can_deny);
    assert_eq!((hooks[1].at.line, hooks[1].at.column), (8, 6));
    let toast = &module.places.as_ref().unwrap()["calls"][1];
    assert_eq!(
        (toast.name.as_str(), toast.via.as_slice(), toast.at.file.as_str()),
        ("ui.toast", &["ask".to_owned()][..], "hooks/ask.js")
    );
    let option = &report.provides.options[0];
    assert_eq!(
        (option.name.as_str(), option.kind.as_str(), option.required, option.sensitive),
        ("token", "string", false, true)
    );
    let stop = &report.provides.hooks[0];
    assert_eq!((stop.event.as_str(), stop.kind.as_str(), stop.does.as_str()), ("Stop", "command", "true"));
}

#[test]
fn a_refusal_for_people() {
    insta::assert_snapshot!(Room::with_mod(ALIAS).run(&["validate", "guard"]).ended(1));
}

#[test]
fn a_refusal_points_at_the_token() {
    let document: Document = Room::with_mod(ALIAS).run(&["validate", "guard", "--json"]).ended(1).json();
    let found = document.reports[0].diagnostics.iter().find(|found| found.severity == "error").unwrap();
    let span = found.span.unwrap();
    assert_eq!(
        (found.file.as_str(), span.line, span.column, span.end_line, span.end_column),
        ("hooks/register.js", 3, 17, 3, 18)
    );
    assert_eq!(&ALIAS[span.start..span.end], "$");
    Room::new().run(&["explain", &found.code]).ended(0);
}

#[test]
fn columns_count_utf16_units() {
    // The face takes two units, the umlaut one.
    let module = ALIAS.replace("const all", "/* 😀ä */ const all");
    let document: Document = Room::with_mod(&module).run(&["validate", "guard", "--json"]).json();
    let span = document.reports[0].diagnostics[0].span.unwrap();
    assert_eq!((span.line, span.column), (3, 27));
    assert_eq!(&module[span.start..span.end], "$");
}

#[test]
fn sarif_lands_on_the_line() {
    let ran = Room::with_mod(ALIAS).run(&["validate", "guard", "--sarif"]);
    let document: serde_json::Value = serde_json::from_str(&ran.ended(1).out).unwrap();
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    let result = run["results"].as_array().unwrap().iter().find(|result| result["level"] == "error").unwrap();
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "guard/hooks/register.js");
    assert_eq!(
        place["region"],
        serde_json::json!({ "startLine": 3, "startColumn": 17, "endLine": 3, "endColumn": 18 })
    );
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    let rule = &run["tool"]["driver"]["rules"][index];
    assert_eq!(rule["id"], result["ruleId"]);
    assert!(rule["help"]["markdown"].as_str().unwrap().contains("\n# Instead\n"));
}

#[test]
fn annotations_land_on_the_line() {
    let ran = Room::with_mod(ALIAS).run(&["validate", "guard", "--format", "github"]);
    let error = ran.ended(1).out.lines().find(|line| line.starts_with("::error ")).unwrap();
    assert!(
        error.starts_with("::error file=guard/hooks/register.js,line=3,endLine=3,col=17,endColumn=18,title="),
        "{error}"
    );
}

#[test]
fn json_is_another_name_of_the_format() {
    let room = guard();
    for (short, format) in [("--json", "json"), ("--sarif", "sarif")] {
        assert_eq!(room.run(&["validate", short]).out, room.run(&["validate", "--format", format]).out);
    }
}

#[test]
fn quiet_says_nothing_about_what_is_fine() {
    let room =
        Room::with_mod("export function register(on) {\n  on('session.start', async ($, e, next) => next(e))\n}\n");
    let ran = room.run(&["validate", "--quiet"]);
    assert_eq!((ran.ended(0).out.as_str(), ran.err.as_str()), ("", ""));
}

#[test]
fn strict_refuses_on_warnings() {
    // A field that no host knows is passed over, and told.
    let room =
        Room::with_mod("export function register(on) {\n  on('session.start', async ($, e, next) => next(e))\n}\n");
    room.manifest("guard", r#"{ "name": "guard", "version": "1.0.0", "description": "A test.", "colour": "blue" }"#);
    let document: Document = room.run(&["validate", "--json"]).ended(0).json();
    assert!(document.success && document.summary.warnings > 0, "{document:?}");
    let document: Document = room.run(&["validate", "--json", "--strict"]).ended(1).json();
    assert!(!document.success && document.strict);
    assert_eq!((document.summary.refused, document.summary.errors), (1, 0));
}

#[test]
fn hosts_that_are_asked_for_are_named() {
    let room =
        Room::with_mod("export function register(on) {\n  on('session.start', async ($, e, next) => next(e))\n}\n");
    let arguments = ["validate", "--json", "--host", "claude-code@2.1.287", "--host", "dsh", "--host", "native"];
    let document: Document = room.run(&arguments).ended(0).json();
    assert_eq!(document.hosts, ["claude-code@2.1.287", "dsh", "native"]);
}

#[test]
fn findings_name_the_hosts_they_are_about() {
    // Claude Code takes changed arguments; DeepSeek's bridge logs the call first and drops them.
    let room = Room::with_mod(
        "export function register(on) {
  on('tool.call', { tool: 'Bash' }, async ($, e, next) => next({ ...e, command: 'true' }))
}
",
    );
    let hosts = |arguments: &[&str]| -> Vec<Vec<String>> {
        let arguments: Vec<&str> = ["validate", "--json"].iter().chain(arguments).copied().collect();
        let document: Document = room.run(&arguments).ended(0).json();
        document.reports.into_iter().flat_map(|report| report.diagnostics).map(|found| found.hosts).collect()
    };
    assert_eq!(hosts(&[]), Vec::<Vec<String>>::new());
    assert_eq!(hosts(&["--host", "claude-code", "--host", "dsh"]), [["dsh"]]);
    let text = room.run(&["validate", "-q", "--host", "claude-code", "--host", "dsh"]);
    assert!(text.out.contains("(on dsh)"), "{text}");
}

#[test]
fn the_tier_decides_about_next_to() {
    let room = Room::with_mod(
        "export function register(on) {\n  on('tool.call', { tool: 'Bash' }, async ($, e, next) => next.to(e, 'append'))\n}\n",
    );
    let codes = |tier: &[&str]| -> Vec<String> {
        let arguments: Vec<&str> = ["validate", "--json"].iter().chain(tier).copied().collect();
        let document: Document = room.run(&arguments).json();
        document.reports.into_iter().flat_map(|report| report.diagnostics).map(|found| found.code).collect()
    };
    assert_eq!(codes(&["--tier", "prepend"]), Vec::<String>::new());
    assert_eq!(codes(&["--tier", "user"]), ["next-to-tier"]);
    assert_eq!(codes(&[]), ["next-to-tier"]);
}
