//! What `$` reaches in a native session: which members are served, and what each leaves in the record.

use std::collections::BTreeMap;
use std::time::Duration;

use modgate_catalog::hosts::{EventStatus, HostProfile, host};
use modgate_catalog::{MemberKind, events, members};
use modgate_harness::fold::{Block, history};
use modgate_harness::record::kind;
use modgate_services::Policy as Grants;
use modgate_services::mcp::ServerConfig;
use serde_json::{Value, json};

use crate::calls::{APART, CALLS};
use crate::support::{Place, Played, Setting, granted, play_in, text};

fn native() -> &'static HostProfile {
    host("native").unwrap()
}

/// The MCP server that is built together with the tests.
fn server() -> BTreeMap<String, ServerConfig> {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let program = deps.parent().unwrap().join("examples/mcp-server");
    assert!(program.exists(), "{} is built by cargo together with the tests", program.display());
    let command = program.to_string_lossy().into_owned();
    [("sums".to_string(), ServerConfig { command, args: vec!["mcp".into()], ..ServerConfig::default() })].into()
}

fn trusting() -> Setting {
    Setting { grants: Grants::allow_all(), hook: Duration::from_secs(20), ..Setting::default() }
}

fn hooks(body: &str) -> String {
    format!("export function register(on) {{ {body} }}")
}

/// A mod that does something when the person types `/go`.
fn on_go(body: &str) -> String {
    hooks(&format!(
        "on('session.start', async ($, e, next) => {{ await $.command.register({{ name: 'go', description: 'goes' }}); return next(e) }})
         on('command.run', {{ command: 'go' }}, async ($, e) => {{ const say = x => $.ui.log(typeof x === 'string' ? x : JSON.stringify(x));
         {body}; return {{}} }})"
    ))
}

const GO: &str = "[[prompt]]\ncommand = \"/go\"\n";
const TALK: &str = "[[prompt]]\ntext = \"hello\"\n[[prompt.step]]\ntext = \"hi\"\n";

fn go(body: &str, session: &str) -> Played {
    play_in(&Place::new(), vec![text("m", &on_go(body))], session, trusting(), false)
}

/// A mod that does something when the first turn is over.
fn at_the_end(body: &str) -> String {
    format!(
        "let done = false; on('turn.complete', async ($, e, next) => {{ const say = x => $.ui.log(typeof x === 'string' ? x : JSON.stringify(x));
         const r = await next(e); if (!done) {{ done = true; {body} }} return r }})\n"
    )
}

const ASIDES: &str = "[[aside]]\nto = \"which one\"\ntext = \"yes\"\n[[aside]]\nto = \"Summarise\"\ntext = \"short\"\n\
    [[agent]]\nname = \"looker\"\n[[agent.step]]\ntext = \"looked\"\n[[reply]]\nto = \"more\"\n[[reply.step]]\ntext = \"ok\"\n";

#[test]
fn the_native_column_says_which_members_are_served() {
    let attempt = |(call, code): &(&str, &str)| {
        format!("try {{ await ({code}); say('{call}\\tfine') }} catch (x) {{ say(`{call}\\t${{x.message}}`) }}\n")
    };
    let body: String = CALLS.iter().map(attempt).collect();
    let apart: String = APART.iter().map(attempt).collect();
    let apart = at_the_end(&apart);
    let source = on_go(&body).replacen("register(on) {", &format!("register(on) {{ {apart}"), 1);
    let session = format!("{TALK}{GO}{ASIDES}[[answer]]\nquestion = \"Really\"\nanswer = \"Yes\"\n");
    let played = play_in(&Place::new(), vec![text("m", &source)], &session, trusting(), false);
    assert!(played.refused.is_empty(), "{:?}", played.refused);
    let said: BTreeMap<String, String> = played
        .logged("m")
        .into_iter()
        .filter_map(|line| line.split_once('\t').map(|(call, what)| (call.to_string(), what.to_string())))
        .collect();
    let receipts = played.of_kind(kind::MOD_RECEIPT);
    let mut wrong = Vec::new();
    for member in members().iter().filter(|member| member.kind != MemberKind::Property) {
        assert!(
            CALLS.iter().chain(&APART).any(|(call, _)| *call == member.call),
            "{} is a new member: it wants a call in this test",
            member.call
        );
        let told = said.get(member.call).cloned().unwrap_or_default();
        let mut left = receipts.iter().filter(|row| row.text_at("call") == Some(member.call)).peekable();
        let is_there = left.peek().is_some() || told == "fine";
        let is_refused = left.any(|row| row.text_at("code") == Some("no-implementation"))
            || told == format!("no implementation for {}", member.call);
        let is_served = is_there && !is_refused;
        if is_served != native().serves(member) {
            wrong.push(format!("{}: served {is_served}, {told:?}", member.call));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A mod with a hook on every event of the catalog, and which of them a host is said not to raise.
fn unheard(spec: &'static str, code: &str) -> Vec<String> {
    let known = events().iter().filter(|event| host(spec).unwrap().event(event.name) != EventStatus::Unknown);
    let names: Vec<&str> = known.map(|event| event.name).collect();
    let source = hooks(&format!(
        "for (const event of {}) on(event, async ($, e, next) => next(e))",
        serde_json::to_string(&names).unwrap()
    ));
    let setting = Setting { host: spec, ..trusting() };
    let played = play_in(&Place::new(), vec![text("m", &source)], "", setting, false);
    assert!(played.refused.is_empty(), "{:?}", played.refused);
    let rows = played.of_kind(kind::MOD_REPORT).into_iter().filter(|row| row.text_at("code") == Some(code));
    rows.filter_map(|row| row.data["details"]["event"].as_str().map(str::to_string)).collect()
}

#[test]
fn the_native_column_says_which_events_are_raised() {
    let silent: Vec<String> = events()
        .iter()
        .filter(|event| native().event(event.name) == EventStatus::Registered)
        .map(|event| event.name.to_string())
        .collect();
    let mut told = unheard("native", "event-never-raised");
    told.sort();
    assert_eq!(told, silent);
    assert_eq!(unheard("native", "event-not-played"), Vec::<String>::new(), "it is the host itself");
}

#[test]
fn what_a_served_call_raises_is_raised() {
    let served = members().iter().filter(|member| member.kind != MemberKind::Property && native().serves(member));
    let silent: Vec<&str> = served
        .filter_map(|member| member.raises())
        .filter(|event| native().event(event.name) != EventStatus::Raised)
        .map(|event| event.name)
        .collect();
    assert_eq!(silent, Vec::<&str>::new());
}

#[test]
fn what_another_host_raises_and_this_harness_cannot_is_said_to_be_a_limit() {
    assert_eq!(unheard("claude-code", "event-never-raised"), Vec::<String>::new());
    let limits = unheard("claude-code", "event-not-played");
    assert!(limits.iter().any(|event| event == "classic.Stop"), "{limits:?}");
    assert!(!limits.iter().any(|event| event == "agent.spawn" || event == "prompt.compose"), "{limits:?}");
}

const AGENT: &str = "[permissions]\nmode = \"bypassPermissions\"\n[[prompt]]\ntext = \"go\"\n[[prompt.step]]\n\
    [[prompt.step.call]]\ntool = \"Agent\"\nid = \"c0\"\ninput = { description = \"look\", prompt = \"look around\", subagent_type = \"looker\" }\n\
    [[prompt.step]]\ntext = \"done\"\n[[agent]]\nname = \"looker\"\n[[agent.step]]\n[[agent.step.call]]\ntool = \"Bash\"\n\
    input = { command = \"echo nested >> out.txt\" }\n[[agent.step]]\ntext = \"seen it\"\n";

#[test]
fn the_tool_agent_runs_a_loop_whose_calls_go_through_the_mods() {
    let source = hooks(
        "for (const event of ['agent.spawn', 'agent.report', 'turn.start', 'turn.complete', 'tool.check'])
           on(event, async ($, e, next) => { $.ui.log(`${event} ${e.subagentType ?? e.tool ?? (e.agentId ? 'agent' : 'main')}`); return next(e) })
         on('tool.call', async ($, e, next) => { $.ui.log(`tool.call ${e.tool} ${e.agentId ? 'agent' : 'main'}`); return next(e) })",
    );
    let place = Place::new();
    let played = play_in(&place, vec![text("m", &source)], AGENT, trusting(), false);
    let expected = [
        "turn.start main",
        "tool.check Agent",
        "tool.call Agent main",
        "agent.spawn looker",
        "turn.start agent",
        "tool.check Bash",
        "tool.call Bash agent",
        "turn.complete agent",
        "agent.report looker",
        "turn.complete main",
    ];
    assert_eq!(played.logged("m"), expected);
    assert_eq!(place.file("out.txt").as_deref(), Some("nested\n"));
    assert_eq!((&played.result("c0")["text"], &played.result("c0")["isError"]), (&json!("seen it"), &json!(false)));
    let start = played.of_kind(kind::SUBAGENT_START)[0];
    assert_eq!((start.by.to_string().as_str(), start.text_at("callId")), ("model", Some("c0")));
    assert_eq!(played.of_kind(kind::SUBAGENT_END)[0].text_at("answer"), Some("seen it"));
}

#[test]
fn a_mod_changes_refuses_or_withholds_an_agent() {
    let run = |body: &str| {
        let place = Place::new();
        let played = play_in(&place, vec![text("m", &hooks(body))], AGENT, trusting(), false);
        (place.file("out.txt").is_some(), played)
    };
    let (ran, changed) =
        run("on('agent.spawn', async ($, e, next) => next({ ...e, prompt: 'look there', model: 'other' }))");
    let start = &changed.of_kind(kind::SUBAGENT_START)[0].data;
    assert_eq!((ran, &start["prompt"], &start["model"]), (true, &json!("look there"), &json!("other")));
    for body in [
        "on('agent.spawn', async () => ({ deny: 'no agents' }))",
        "on('agent.offer', async () => ({ isOffered: false }))\n on('agent.spawn', async ($, e, next) => next(e))",
    ] {
        let session = AGENT.replace("looker", "general-purpose");
        let place = Place::new();
        let played = play_in(&place, vec![text("m", &hooks(body))], &session, trusting(), false);
        assert_eq!((place.file("out.txt"), &played.result("c0")["isError"]), (None, &json!(true)), "{body}");
        assert!(played.of_kind(kind::SUBAGENT_START).is_empty(), "{body}");
    }
    let (_, told) = run("on('agent.report', async ($, e, next) => ({ ...(await next(e)), text: e.text + '!' }))");
    assert_eq!(told.result("c0")["text"], "seen it!");
}

#[test]
fn a_mod_starts_an_agent_and_the_session_waits_for_it() {
    let body = "const { agent } = await $.agent.register({ name: 'looker', description: 'looks', prompt: 'You look.', tools: ['Bash'] });
      const started = await $.agent.spawn({ prompt: 'look around', subagentType: agent, name: 'looker' });
      say(Object.keys(started).sort()); const listed = await $.agent.list(); say([listed[0].type, listed[0].spawnedBy, listed[0].name])";
    let place = Place::new();
    let session = format!("{GO}{}", AGENT.replace("[[prompt]]\ntext = \"go\"", "[[prompt]]\ntext = \"never\""));
    let session = session.replacen(
        &format!("{GO}[permissions]\nmode = \"bypassPermissions\"\n"),
        &format!("[permissions]\nmode = \"bypassPermissions\"\n{GO}"),
        1,
    );
    let played = play_in(&place, vec![text("m", &on_go(body))], &session, trusting(), false);
    assert_eq!(played.logged("m"), ["[\"agentId\",\"model\"]", "[\"m:looker\",\"m\",\"looker\"]"]);
    let start = played.of_kind(kind::SUBAGENT_START)[0];
    assert_eq!((start.by.to_string().as_str(), &start.data["background"]), ("mod:m", &json!(true)));
    assert_eq!(played.of_kind(kind::SUBAGENT_END)[0].text_at("answer"), Some("seen it"));
    let header =
        played.of_kind(kind::REQUEST_HEADER).into_iter().find(|row| row.text_at("agentId") == start.text_at("agentId"));
    let header = &header.unwrap().data;
    assert_eq!((&header["system"][0]["text"], &header["tools"]), (&json!("You look."), &json!(["Bash"])));
    let ended = played.of_kind(kind::SESSION_END)[0].seq;
    assert!(played.of_kind(kind::SUBAGENT_END)[0].seq < ended);
}

/// Everything the model is told, as one text.
fn told(played: &Played) -> String {
    let blocks = history(&played.rows, None).into_iter().flat_map(|message| message.content);
    let texts = blocks.filter_map(|block| match block {
        Block::Text { text } => Some(text),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn rows_of_mods_are_in_the_record_and_one_of_the_user_reaches_the_model() {
    let body = "const one = await $.session.append({ message: { type: 'user', content: [{ type: 'text', text: 'by the mod' }] } });
      await $.session.append({ message: { type: 'system', content: [{ type: 'text', text: 'for the person' }] } }); say(typeof one.uuid)";
    let played = go(body, &format!("{GO}{TALK}"));
    assert_eq!(played.logged("m"), ["string"]);
    let rows = played.of_kind(kind::SESSION_APPEND);
    let seen: Vec<_> = rows.iter().map(|row| (row.by.to_string(), row.text_at("role"), row.text_at("text"))).collect();
    let by = "mod:m".to_string();
    assert_eq!(seen, [(by.clone(), Some("user"), Some("by the mod")), (by, Some("system"), Some("for the person"))]);
    assert!(told(&played).contains("by the mod") && !told(&played).contains("for the person"), "{}", told(&played));
    // A hook above decides what is stored.
    let changes = hooks(
        "on('session.append', async ($, e, next) => next({ ...e, message: { ...e.message, content: [{ type: 'text', text: 'changed' }] } }))",
    );
    let mods = vec![text("above", &changes), text("m", &on_go(body))];
    let changed = play_in(&Place::new(), mods, GO, trusting(), false);
    assert_eq!(changed.of_kind(kind::SESSION_APPEND)[0].text_at("text"), Some("changed"));
}

#[test]
fn a_conversation_is_shortened_to_what_the_hooks_left() {
    let session = format!("{TALK}[[prompt]]\ntext = \"and now\"\n[[prompt.step]]\ntext = \"yes\"\n{ASIDES}");
    let shortens = hooks(&at_the_end("say(await $.session.compact({ instructions: 'Keep names.' }))"));
    let played = play_in(&Place::new(), vec![text("m", &shortens)], &session, trusting(), false);
    assert!(played.logged("m")[0].contains("short"), "{:?} {:?}", played.logged("m"), played.rows);
    let asked = played.of_kind(kind::MODEL_ASK)[0];
    assert!(asked.text_at("prompt").is_some_and(|text| text.contains("Keep names.") && text.contains("user: hello")));
    let row = &played.of_kind(kind::SESSION_COMPACT)[0].data;
    assert_eq!((&row["messages"][0]["text"], &row["trigger"]), (&json!("short"), &json!("plugin")));
    let now = told(&played);
    assert!(now.contains("short") && now.contains("and now") && !now.contains("hello"), "{now}");
    let own = hooks(
        "on('session.compact', async ($, e) => ({ messages: [{ role: 'user', text: `mine of ${e.messages.length}`, toolUses: [] }] }))",
    );
    let mods = vec![text("above", &own), text("m", &hooks(&at_the_end("await $.session.compact()")))];
    let played = play_in(&Place::new(), mods, &session, trusting(), false);
    let stored = &played.of_kind(kind::SESSION_COMPACT)[0].data["messages"][0]["text"];
    assert_eq!(stored, "mine of 2", "{:?}", played.of_kind(kind::MOD_REPORT));
    assert!(played.of_kind(kind::MODEL_ASK).is_empty());
}

#[test]
fn a_message_reaches_a_running_agent_and_nobody_else() {
    let source = hooks(
        "on('tool.call', { tool: 'Bash' }, async ($, e, next) => { if (e.agentId) $.ui.log(JSON.stringify([await $.session.send({ to: { agentId: e.agentId }, text: 'hurry' }),
         await $.session.send({ to: 'nobody', text: 'x' })])); return next(e) })",
    );
    let played = play_in(&Place::new(), vec![text("m", &source)], AGENT, trusting(), false);
    assert_eq!(
        played.logged("m"),
        ["[{\"isDelivered\":true},{\"isDelivered\":false,\"reason\":\"nobody here is called nobody\"}]"]
    );
    let agent = played.of_kind(kind::SUBAGENT_START)[0].text_at("agentId").unwrap().to_string();
    let said = format!("{:?}", history(&played.rows, Some(&agent)));
    assert!(said.contains("hurry"), "{said}");
    assert!(!told(&played).contains("hurry"));
}

#[test]
fn questions_to_the_model_are_rows_before_and_after() {
    let body = "say((await $.model.complete({ model: 'other', prompt: 'which one?', system: 'be short' })).text);
      say(String(await $.model.classify('which one?', ['yes', 'no']))); say((await $.model.fork({ prompt: 'which one of it?' })).text);
      const none = await $.model.complete({ model: 'other', prompt: 'unknown' }); say(`${none.isAnswered} ${none.reason} ${none.error}`)";
    let played = go(body, &format!("{TALK}{GO}{ASIDES}"));
    let logged = played.logged("m");
    assert_eq!(logged[..3], ["yes", "yes", "yes"]);
    assert!(logged[3].starts_with("false api-error") && logged[3].contains("no [[aside]]"), "{logged:?}");
    let asked = played.of_kind(kind::MODEL_ASK);
    assert_eq!(asked.len(), 4);
    assert_eq!((asked[0].by.to_string().as_str(), asked[0].text_at("model")), ("mod:m", Some("other")));
    assert_eq!(asked[2].data["overHistory"], true);
    for (question, answer) in asked.iter().zip(played.of_kind(kind::MODEL_ANSWER)) {
        assert_eq!(answer.data["to"], question.seq);
    }
    // Without a grant for the model nothing is asked.
    let place = Place::new();
    let grants = granted(&place, &["m"], "models = [\"mine\"]\ncalls = [\"command.register\"]");
    let setting = Setting { grants, ..Setting::default() };
    let played = play_in(&place, vec![text("m", &on_go(body))], &format!("{TALK}{GO}{ASIDES}"), setting, false);
    assert!(played.of_kind(kind::MODEL_ASK).is_empty());
}

#[test]
fn a_server_is_called_over_its_pipes_where_the_grant_names_it() {
    let body =
        "try { say((await $.mcp.call('sums', 'add', { a: 2, b: 3 })).structuredContent) } catch (x) { say(x.message) }";
    let setting = Setting { mcp: server(), ..trusting() };
    let served = play_in(&Place::new(), vec![text("m", &on_go(body))], GO, setting, false);
    assert_eq!(served.logged("m"), ["{\"sum\":5}"]);
    let place = Place::new();
    let grants = granted(&place, &["m"], "mcp = [\"sums/env\"]");
    let setting = Setting { grants, mcp: server(), ..Setting::default() };
    let played = play_in(&place, vec![text("m", &on_go(body))], GO, setting, false);
    assert!(played.logged("m")[0].contains("mcp = [\"sums/add\"]"), "{:?}", played.logged("m"));
    let receipts = played.of_kind(kind::MOD_RECEIPT);
    let receipt = receipts.iter().find(|row| row.text_at("call") == Some("mcp.call")).unwrap();
    assert_eq!((receipt.text_at("outcome"), receipt.text_at("code")), (Some("refused"), Some("grant-mcp")));
}

#[test]
fn the_prompt_is_composed_of_sections_that_mods_work_on() {
    let source = hooks(
        "on('prompt.section', async ($, e, next) => ({ ...(await next(e)), text: e.text + ' Be kind.' }))
         on('prompt.compose', async ($, e, next) => { const r = await next(e); return { sections: [...r.sections, { id: 'own', text: 'Mine.', scope: 'session' }] } })",
    );
    let asks = on_go("say((await $.prompt.compose()).sections.map(s => s.text).join('|'))");
    let mods = vec![text("shapes", &source), text("m", &asks)];
    let played = play_in(&Place::new(), mods, &format!("{TALK}{GO}"), trusting(), false);
    let system = played.of_kind(kind::REQUEST_HEADER)[0].data["system"].as_array().cloned().unwrap_or_default();
    let texts: Vec<&str> = system.iter().filter_map(|one: &Value| one["text"].as_str()).collect();
    assert_eq!(texts.len(), 2);
    assert!(texts[0].ends_with(" Be kind.") && texts[1] == "Mine.", "{texts:?}");
    assert_eq!(played.logged("m"), [texts.join("|")], "{:?}", played.of_kind(kind::MOD_REPORT));
}

#[test]
fn a_tool_that_a_mod_withholds_is_not_offered() {
    let source = hooks("on('tool.offer', { tool: 'Bash' }, async () => ({ isOffered: false }))");
    let setting = Setting { host: "claude-code", ..trusting() };
    let played = play_in(&Place::new(), vec![text("m", &source)], TALK, setting, false);
    let tools = played.of_kind(kind::REQUEST_HEADER)[0].data["tools"].to_string();
    assert!(!tools.contains("Bash") && tools.contains("Read"), "{tools}");
}

#[test]
fn who_made_a_verdict_what_it_is_is_named_alone() {
    let decides =
        hooks("on('tool.check', async ($, e, next) => ({ ...(await next(e)), decision: 'deny', reason: 'not this' }))");
    let passes = hooks("on('tool.check', async ($, e, next) => next(e))");
    let words = hooks("on('tool.check', async ($, e, next) => ({ ...(await next(e)), reason: 'said otherwise' }))");
    let session = "[permissions]\nallow = [\"Bash\"]\n[[prompt]]\ntext = \"go\"\n[[prompt.step]]\n[[prompt.step.call]]\ntool = \"Bash\"\nid = \"c0\"\ninput = { command = \"true\" }\n";
    let source = |mods: &[(&str, &String)]| {
        let mods = mods.iter().map(|(name, code)| text(name, code)).collect();
        let played = play_in(&Place::new(), mods, session, Setting::default(), false);
        played.of_kind(kind::PERMISSION_DECISION)[0].text_at("source").unwrap_or_default().to_string()
    };
    assert_eq!(source(&[("above", &passes), ("decides", &decides), ("beneath", &passes)]), "mod:decides");
    assert_eq!(source(&[("above", &words), ("decides", &decides)]), "mod:decides");
    assert_eq!(source(&[("above", &passes), ("beneath", &passes)]), "scenario");
}

#[test]
fn a_run_left_pending_is_not_waited_for_where_the_host_does_not() {
    let source = hooks(
        "on('tool.call', async ($, e, next) => { next(e); return { result: { stdout: 'early', stderr: '', interrupted: false } } })",
    );
    let session = crate::support::commands(&["sleep 0.3; echo ran >> out.txt", "cat out.txt || echo nothing yet"]);
    let run = |host: &'static str| {
        let place = Place::new();
        let only_first = source.replace("'tool.call',", "'tool.call', { command: /^sleep/ },");
        let setting = Setting { host, ..Setting::default() };
        let played = play_in(&place, vec![text("m", &only_first)], &session, setting, false);
        let text = played.result("c1")["text"].as_str().unwrap_or_default().to_string();
        (place.file("out.txt"), played.result("c0")["executed"].as_array().map(Vec::len), text)
    };
    let ran = Some("ran\n".to_string());
    assert_eq!(run("native"), (ran.clone(), Some(1), "ran".into()), "the call settles after what it left behind");
    let (file, executed, second) = run("claude-code");
    assert!(second.contains("nothing yet"), "{second}");
    assert_eq!((file, executed), (ran, Some(1)), "what was left behind is part of the session all the same");
}

#[test]
fn a_hook_is_left_out_of_what_its_own_calls_raise() {
    let body = "on('tool.check', async ($, e, next) => {
          if (e.tool === 'Bash') await $.tool.call({ tool: 'Glob', pattern: '*' });
          $.ui.log(`${e.tool} ${next.origin.plugin}`); return next(e) })";
    let other =
        "on('tool.check', async ($, e, next) => { $.ui.log(`${e.tool} ${next.origin.plugin}`); return next(e) })";
    let session = "[permissions]\nallow = [\"Bash\", \"Glob\"]\n[[prompt]]\ntext = \"go\"\n[[prompt.step]]\n\
        [[prompt.step.call]]\nid = \"c\"\ntool = \"Bash\"\ninput = { command = \"true\" }\n";
    let mods = vec![text("asks", &hooks(body)), text("sees", &hooks(other))];
    let played = play_in(&Place::new(), mods, session, trusting(), false);
    assert_eq!(played.logged("asks"), ["Bash engine"]);
    assert_eq!(played.logged("sees"), ["Glob asks", "Bash engine"]);
}
