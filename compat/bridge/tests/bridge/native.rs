//! What each lifecycle point lets a mod do, and what `$` reaches.

use modgate_harness::record::kind;
use serde_json::json;

use crate::support::{Place, Played, Setting, commands, granted, play, play_in, text};

fn hooks(body: &str) -> String {
    format!("export function register(on) {{ {body} }}")
}

fn one(body: &str, session: &str) -> Played {
    play(vec![text("m", &hooks(body))], session, Setting::default()).1
}

const TALK: &str = "[[prompt]]\ntext = \"hello\"\n[[prompt.step]]\ntext = \"hi\"\n";

#[test]
fn every_point_raises_its_event_once_in_order() {
    let body = "for (const event of ['session.start', 'session.end', 'prompt.submit', 'turn.start', 'turn.complete', 'tool.check'])
        on(event, async ($, e, next) => { $.ui.log(event); return next(e) })
      on('tool.call', async ($, e, next) => { $.ui.log(`tool.call ${e.tool} ${e.command}`); return next(e) })
      on('turn.step', async function* ($, e, next) { $.ui.log(`turn.step ${e.index}`); return yield* next(e) })";
    let played = one(body, &commands(&["echo one"]));
    let expected = [
        "session.start",
        "prompt.submit",
        "turn.start",
        "turn.step 0",
        "tool.check",
        "tool.call Bash echo one",
        "turn.step 1",
        "turn.complete",
        "session.end",
    ];
    assert_eq!(played.logged("m"), expected);
    assert_eq!(played.codes("m"), Vec::<String>::new());
}

#[test]
fn a_call_is_logged_before_a_mod_sees_it() {
    let played =
        one("on('tool.call', async ($, e, next) => { $.ui.log('here'); return next(e) })", &commands(&["true"]));
    let at = |kind: &str| played.rows.iter().position(|row| row.kind == kind).unwrap();
    assert!(at(kind::TOOL_CALL) < at("ui/log") && at("ui/log") < at(kind::TOOL_RESULT));
}

#[test]
fn a_prompt_is_what_came_down() {
    let body =
        "on('prompt.submit', async ($, e, next) => { await next({ ...e, text: e.text + '!', context: ['more'] });
      return { text: 'not this', context: ['nor this'] } })";
    let played = one(body, TALK);
    let row = &played.of_kind(kind::USER_MESSAGE)[0].data;
    assert_eq!((&row["text"], &row["typed"], &row["context"]), (&json!("hello!"), &json!("hello"), &json!(["more"])));
}

#[test]
fn a_prompt_is_dropped_by_the_mod_that_says_so() {
    let mods = vec![
        text("above", &hooks("on('prompt.submit', async ($, e, next) => next(e))")),
        text("dropper", &hooks("on('prompt.submit', async () => ({ drop: 'not now' }))")),
    ];
    let (_place, played) = play(mods, TALK, Setting::default());
    let row = played.of_kind(kind::USER_DROPPED)[0];
    assert_eq!((row.by.to_string().as_str(), row.text_at("reason")), ("mod:dropper", Some("not now")));
    assert!(played.of_kind(kind::TURN_START).is_empty());
}

#[test]
fn the_stream_is_changed_before_it_is_logged() {
    let body = "on('turn.step', async function* ($, e, next) {
        for await (const chunk of next({ ...e, model: 'other' }))
          yield chunk.kind === 'text' ? { ...chunk, text: chunk.text.toUpperCase() } : chunk })";
    let played = one(body, TALK);
    let row = &played.of_kind(kind::ASSISTANT_MESSAGE)[0].data;
    assert_eq!((&row["text"], &row["model"]), (&json!("HI"), &json!("other")));
    assert_eq!(played.codes("m"), Vec::<String>::new());
}

#[test]
fn a_line_beneath_the_answer_is_not_part_of_it() {
    let played = one("on('turn.complete', async ($, e, next) => ({ ...(await next(e)), text: 'closing' }))", TALK);
    let row = &played.of_kind(kind::TURN_END)[0].data;
    assert_eq!((&row["answer"], &row["closing"]), (&json!("hi"), &json!(["closing"])));
}

#[test]
fn a_check_may_tighten_and_lift_an_ask_but_no_deny() {
    let check =
        |decision: &str| format!("on('tool.check', async () => ({{ decision: '{decision}', reason: 'mine' }}))");
    let session = |rules: &str| commands(&["echo x >> out.txt"]).replace("mode = \"bypassPermissions\"", rules);
    let run = |rules: &str, decision: &str| {
        let (place, played) = play(vec![text("m", &hooks(&check(decision)))], &session(rules), Setting::default());
        (place.file("out.txt").is_some(), played)
    };
    assert!(!run("allow = [\"Bash\"]", "deny").0);
    assert!(run("ask = [\"Bash\"]", "allow").0);
    let (ran, played) = run("deny = [\"Bash\"]", "allow");
    assert!(!ran);
    let reports = played.of_kind(kind::MOD_REPORT);
    assert_eq!((reports[0].by.to_string().as_str(), reports[0].text_at("code")), ("mod:m", Some("permission-ceiling")));
}

#[test]
fn a_result_is_changed_before_it_is_logged() {
    let body = "on('tool.call', async ($, e, next) => { const r = await next(e);
      return { ...r, result: { ...r.result, stdout: 'changed' }, context: ['beside'] } })";
    let played = one(body, &commands(&["echo one"]));
    let result = played.result("c0");
    assert_eq!(result["result"]["stdout"], "changed");
    assert!(result["text"].as_str().is_some_and(|text| text.contains("changed") && !text.contains("one")), "{result}");
    assert_eq!((&result["replaced"], &result["context"]), (&json!(true), &json!(["beside"])));
    assert_eq!(result["executed"], json!([{ "tool": "Bash", "input": { "command": "echo one" } }]));
}

#[test]
fn an_untouched_answer_changes_nothing() {
    let with = one("on('tool.call', async ($, e, next) => next(e))", &commands(&["echo one", "false"]));
    let without = one("", &commands(&["echo one", "false"]));
    for call in ["c0", "c1"] {
        assert_eq!(with.result(call), without.result(call));
    }
}

#[test]
fn a_denied_call_does_not_run_and_a_result_denied_later_is_withheld() {
    let before = one("on('tool.call', async () => ({ deny: 'no' }))", &commands(&["echo one"]));
    assert_eq!((&before.result("c0")["denied"], &before.result("c0")["executed"]), (&json!("no"), &json!([])));
    let after = one(
        "on('tool.call', async ($, e, next) => { await next(e); return { deny: 'no' } })",
        &commands(&["echo one"]),
    );
    let result = after.result("c0");
    assert_eq!(result["denied"], "no");
    assert_eq!(result["executed"].as_array().map(Vec::len), Some(1));
    assert!(!result["text"].as_str().unwrap_or_default().contains("one"));
}

#[test]
fn what_runs_beneath_an_early_answer_is_awaited() {
    let body = "on('tool.call', async ($, e, next) => { next(e); return { result: { stdout: 'early', stderr: '', interrupted: false } } })";
    let (place, played) =
        play(vec![text("m", &hooks(body))], &commands(&["sleep 0.2; echo ran >> out.txt"]), Setting::default());
    assert_eq!(place.file("out.txt").as_deref(), Some("ran\n"));
    assert_eq!(played.result("c0")["executed"].as_array().map(Vec::len), Some(1));
    assert_eq!(played.result("c0")["result"]["stdout"], "early");
}

#[test]
fn a_command_of_a_mod_runs_under_its_name() {
    let body = "on('session.start', async ($, e, next) => { await $.command.register({ name: 'greet', description: 'greets' }); return next(e) })
      on('command.run', { command: 'greet' }, async ($, e) => ({ text: `hello ${e.args}`, context: ['greeted'] }))";
    let played = one(body, "[[prompt]]\ncommand = \"/greet you\"\n[[prompt]]\ncommand = \"/unknown\"\n");
    let rows = played.of_kind(kind::COMMAND_RUN);
    assert_eq!((rows[0].by.to_string().as_str(), rows[0].text_at("text")), ("mod:m", Some("hello you")));
    assert_eq!(rows[0].data["context"], json!(["greeted"]));
    assert_eq!(rows[1].text_at("error"), Some("there is no command named /unknown"));
}

#[test]
fn a_tool_of_a_mod_is_offered_and_answered_by_it() {
    let body = "on('session.start', async ($, e, next) => { await $.tool.register({ name: 'add', description: 'adds',
        inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } } }); return next(e) })
      on('tool.call', { tool: 'mcp__m__add' }, async ($, e) => ({ result: `${e.a + e.b}` }))";
    let session = "[permissions]\nmode = \"bypassPermissions\"\n[[prompt]]\ntext = \"go\"\n[[prompt.step]]\n[[prompt.step.call]]\n\
        tool = \"mcp__m__add\"\nid = \"c0\"\ninput = { a = 2, b = 3 }\n";
    let played = one(body, session);
    assert_eq!(played.result("c0")["text"], "5");
    let offered = &played.of_kind(kind::REQUEST_HEADER)[0].data["tools"];
    assert!(offered.as_array().unwrap().contains(&json!("mcp__m__add")));
}

#[test]
fn a_question_is_asked_and_recorded() {
    let body = "on('tool.call', async ($, e, next) => { const a = await $.ui.ask('Really?', ['Yes', 'No']);
      return a === 'Yes' ? next(e) : { deny: `you said ${a}` } })";
    let session =
        |answer: &str| format!("{}[[answer]]\nquestion = \"Really\"\nanswer = \"{answer}\"\n", commands(&["echo one"]));
    let (yes, no) = (one(body, &session("Yes")), one(body, &session("No")));
    assert_eq!(yes.result("c0")["isError"], false);
    assert_eq!(no.result("c0")["denied"], "you said No");
    let row = no.of_kind(kind::UI_ASK)[0];
    assert_eq!((row.by.to_string().as_str(), row.text_at("answer")), ("mod:m", Some("No")));
    let nobody = one(body, &commands(&["echo one"]));
    assert_eq!(nobody.codes("m"), ["hook-threw"], "a question nobody answers rejects");
}

#[test]
fn a_prompt_of_a_mod_begins_a_turn_of_its_own() {
    let body = "let done = false; on('turn.complete', async ($, e, next) => { const r = await next(e);
      if (!done) { done = true; await $.prompt.submit({ text: 'from the mod' }) } return r })";
    let session = format!("{TALK}[[reply]]\nto = \"from the mod\"\n[[reply.step]]\ntext = \"answered\"\n");
    let place = Place::new();
    let grants = granted(&place, &["m"], "calls = [\"prompt.submit\"]");
    let played =
        play_in(&place, vec![text("m", &hooks(body))], &session, Setting { grants, ..Setting::default() }, false);
    let row = played.of_kind(kind::USER_MESSAGE)[1];
    assert_eq!((row.by.to_string().as_str(), row.text_at("text")), ("mod:m", Some("from the mod")));
    assert_eq!(played.of_kind(kind::ASSISTANT_MESSAGE)[1].text_at("text"), Some("answered"));
}

#[test]
fn a_mods_own_call_is_logged_authorized_and_not_told_to_the_model() {
    let body = "on('turn.complete', async ($, e, next) => { const r = await $.tool.call({ tool: 'Bash', command: 'echo mine >> out.txt' });
      $.ui.log(JSON.stringify(r.deny ?? r.isError ?? 'ran')); return next(e) })";
    let place = Place::new();
    let allowed = format!("[permissions]\nallow = [\"Bash\"]\n{TALK}");
    let run = |place: &Place, session: &str| {
        let grants = granted(place, &["m"], "calls = [\"tool.call\"]");
        play_in(place, vec![text("m", &hooks(body))], session, Setting { grants, ..Setting::default() }, false)
    };
    let played = run(&place, &allowed);
    assert_eq!((played.logged("m"), place.file("out.txt")), (vec!["\"ran\"".to_string()], Some("mine\n".to_string())));
    let call = played.of_kind(kind::TOOL_CALL)[0];
    assert_eq!((call.by.to_string().as_str(), call.text_at("caller")), ("mod:m", Some("m")));
    let place = Place::new();
    let played = run(&place, &format!("[permissions]\ndeny = [\"Bash\"]\n{TALK}"));
    assert_eq!(place.file("out.txt"), None);
    assert_eq!(played.of_kind(kind::PERMISSION_DECISION)[0].text_at("decision"), Some("deny"));
}

#[test]
fn without_a_grant_a_mod_reaches_nothing() {
    let body = "on('turn.complete', async ($, e, next) => {
      const tries = { read: () => $.fs.read('/etc/hostname'), write: () => $.fs.write('out.txt', 'x'), run: () => $.process.run(['touch', 'out.txt']),
        fetch: () => $.http.fetch('http://127.0.0.1:9'), env: () => $.env.get('PATH'), store: () => $.store.set('k', 1), call: () => $.tool.call({ tool: 'Bash', command: 'touch out.txt' }),
        submit: () => $.session.messages() }
      for (const [name, attempt] of Object.entries(tries)) { try { await attempt(); $.ui.log(`${name} got through`) } catch (x) { $.ui.log(`${name} ${x.message}`) } }
      return next(e) })";
    let (place, played) = play(vec![text("m", &hooks(body))], TALK, Setting::default());
    let calls =
        ["fs.read", "fs.write", "process.run", "http.fetch", "env.get", "store.set", "tool.call", "session.messages"];
    let logged = played.logged("m");
    assert_eq!(logged.len(), calls.len());
    for (line, call) in logged.iter().zip(calls) {
        assert!(line.contains(call) && line.contains("grant"), "{call}: {line}");
    }
    assert_eq!(place.file("out.txt"), None);
    let refused: Vec<_> =
        played.of_kind(kind::MOD_RECEIPT).into_iter().filter(|row| row.text_at("outcome") == Some("refused")).collect();
    assert_eq!(refused.len(), calls.len(), "each refusal leaves a receipt");
    let is_told = |row: &&modgate_harness::record::Row| {
        (row.text_at("code"), row.text_at("file"), &row.data["callPath"])
            == (Some("grant-missing"), Some("register.ts"), &json!(["turn.complete"]))
    };
    assert!(refused.iter().all(is_told), "{refused:?}");
}

#[test]
fn a_member_that_nobody_serves_says_so() {
    let body = "on('turn.complete', async ($, e, next) => { for (const attempt of [() => $.session.identity(), () => $.mcp.connect('a')])
        { try { await attempt(); $.ui.log('got through') } catch (x) { $.ui.log(x.message) } } return next(e) })";
    let played = one(body, TALK);
    let logged = played.logged("m");
    assert_eq!(logged, ["no implementation for session.identity", "no implementation for mcp.connect"]);
}

#[test]
fn an_event_that_is_never_raised_is_named_and_an_unknown_one_refuses_the_mod() {
    let mods = vec![
        text(
            "waits",
            &hooks("on('ui.render', async ($, e, next) => next(e))\n on('fs.read', async ($, e, next) => next(e))"),
        ),
        text("wrong", &hooks("on('tool.cal', async ($, e, next) => next(e))")),
    ];
    let (_place, played) = play(mods, TALK, Setting::default());
    assert_eq!(played.codes("waits"), ["event-never-raised"]);
    assert_eq!(played.codes("wrong"), ["mod-not-loaded"]);
    assert!(played.refused[0].message.contains("tool.call"), "{:?}", played.refused);
}

#[test]
fn a_mod_of_the_same_name_is_refused() {
    let (_place, played) = play(vec![text("m", &hooks("")), text("m", &hooks(""))], TALK, Setting::default());
    assert_eq!(played.refused.len(), 1);
}

#[test]
fn on_a_host_that_applies_rewrites_the_changed_call_runs_and_the_record_says_what_ran() {
    let body = "on('tool.call', async ($, e, next) => next({ ...e, command: 'echo other >> out.txt' }))";
    let setting = Setting { host: "claude-code", ..Setting::default() };
    let (place, played) = play(vec![text("m", &hooks(body))], &commands(&["echo one >> out.txt"]), setting);
    assert_eq!(place.file("out.txt").as_deref(), Some("other\n"));
    assert_eq!(played.result("c0")["executed"][0]["input"]["command"], "echo other >> out.txt");
    assert_eq!(played.codes("m"), Vec::<String>::new());
}

#[test]
fn state_is_shared_and_gone_with_the_session() {
    let body = "on('tool.call', async ($, e, next) => { const { value } = await $.state.get({ plugin: 'm', key: 'n' });
      await $.state.set({ plugin: 'm', key: 'n' }, (value ?? 0) + 1); $.ui.log(String(value ?? 0)); return next(e) })";
    assert_eq!(one(body, &commands(&["true", "true", "true"])).logged("m"), ["0", "1", "2"]);
}

#[test]
fn a_rejection_nobody_handles_stands_in_the_record_too() {
    let body = "on('session.start', async ($, e, next) => { Promise.reject(new Error('late')); return next(e) })
      on('tool.call', async ($, e, next) => { await $.clock.sleep(50); return next(e) })";
    let (_place, played) = play(vec![text("m", &hooks(body))], &commands(&["true"]), Setting::default());
    assert_eq!(played.codes("m"), ["rejection-unhandled"]);
}
