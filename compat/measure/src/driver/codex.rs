//! Codex in its non-interactive mode, with command hooks in place of mods.

use std::process::{ExitStatus, Stdio};

use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};

use modgate_harness::permission::Mode;
use modgate_harness::script::Scenario;

use crate::MeasureError;
use crate::case::{Case, CodexHook};
use crate::observe::{CodexTraces, files_at_the_end, from_codex};
use crate::server::ModelServer;

use super::group::Group;
use super::room::{Room, closed, find, json_lines};
use super::{DriveOptions, Measurement, trace, version};

/// Why Codex cannot play a case, where it cannot.
pub fn why_not_codex(case: &Case) -> Option<String> {
    let scenario = &case.scenario;
    let rules = &scenario.permissions;
    let calls = scenario.prompts.iter().flat_map(|prompt| &prompt.steps).flat_map(|step| &step.calls);
    if !scenario.decisions.is_empty() {
        return Some("its non-interactive mode asks nobody".into());
    }
    if let Some(rule) = rules.deny.iter().chain(&rules.ask).find(|rule| words(rule).is_none()) {
        return Some(format!(
            "it has no rules of the form `{rule}`; the beginning of a shell command is what they know"
        ));
    }
    if rules.mode == Mode::Plan {
        return Some("it has no plan mode".into());
    }
    if let Some(call) = calls.into_iter().find(|call| call.tool != "Bash") {
        return Some(format!("it has no tool `{}`; its shell is the one that counts here", call.tool));
    }
    if case.typed().any(|(_, command)| command) {
        return Some("commands cannot be typed in its non-interactive mode".into());
    }
    if !case.mods.is_empty() && case.codex.hooks.is_empty() {
        return Some("it has no mods, and no command hook stands for this one".into());
    }
    None
}

/// Drives Codex through a case: its model on loopback, a throwaway home, a copy of the files, the case's command hooks.
pub async fn codex(case: &Case, options: &DriveOptions) -> Result<Measurement, MeasureError> {
    let host = format!("codex@{}", version(&options.program).await?);
    if let Some(reason) = why_not_codex(case) {
        return Err(MeasureError::CannotRun { host, reason });
    }
    let room = Room::new(case)?;
    let server = ModelServer::start(&case.scenario).await?;
    room.write("codex/config.toml", &config(&case.scenario, &server.url()))?;
    room.write("codex/rules/default.rules", &rules(&case.scenario))?;
    room.write("codex/hooks.json", &hooks(case, &room)?.to_string())?;
    let mut events = Vec::new();
    let mut log = String::new();
    let mut thread: Option<String> = None;
    for (item, (text, _)) in case.typed().enumerate() {
        server.begin(item);
        events.push(json!({ "type": "typed", "item": item }));
        let (printed, said) = exec(options, &room, &server.url(), thread.as_deref(), text).await?;
        thread = thread.or_else(|| printed.iter().find_map(|event| event["thread_id"].as_str().map(str::to_owned)));
        events.extend(printed);
        log.push_str(&said);
    }
    let sessions = find(&room.at("codex/sessions"), ".jsonl");
    let transcript: Vec<Value> = sessions.iter().flat_map(|path| json_lines(path)).collect();
    let requests = server.kept();
    let traces = CodexTraces {
        typed: case.typed().map(|(text, _)| text.to_owned()).collect(),
        requests: &requests,
        transcript: &transcript,
        events: &events,
    };
    let mut observation = from_codex(&host, &traces);
    observation.files = files_at_the_end(&room.work())?;
    let mut observation = observation.relative_to(&room.work());
    observation.look_for(&case.words);
    let measurement = Measurement { observation, requests, transcript, events, log };
    measurement.keep(options.keep.as_deref())?;
    Ok(measurement)
}

/// The words a rule's commands begin with: those of `Bash(./note A)` and `Bash(./note *)`.
fn words(rule: &str) -> Option<Vec<&str>> {
    let inner = rule.trim().strip_prefix("Bash(")?.strip_suffix(')')?;
    let inner = inner.strip_suffix(":*").or_else(|| inner.strip_suffix(" *")).unwrap_or(inner);
    let words: Vec<&str> = inner.split_whitespace().collect();
    (!words.is_empty() && !inner.contains(['*', '\'', '"', '\\'])).then_some(words)
}

/// Deny and ask rules in its own form. What asks is refused, as nobody is there; what is allowed needs no rule.
fn rules(scenario: &Scenario) -> String {
    let script = &scenario.permissions;
    let kinds = [("forbidden", &script.deny), ("prompt", &script.ask)];
    let rules = kinds.into_iter().flat_map(|(decision, rules)| rules.iter().map(move |rule| (decision, rule)));
    let lines = rules.filter_map(|(decision, rule)| {
        let words = serde_json::to_string(&words(rule)?).ok()?;
        Some(format!("prefix_rule(pattern={words}, decision={decision:?})\n"))
    });
    lines.collect()
}

fn config(scenario: &Scenario, url: &str) -> String {
    let model = if scenario.model.starts_with("gpt-") { &scenario.model } else { "gpt-5-codex" };
    format!(
        "model = {model:?}\nmodel_provider = \"scripted\"\napproval_policy = \"never\"\n\
         sandbox_mode = \"danger-full-access\"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n\
         [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{url}/v1\"\nwire_api = \"responses\"\n\
         request_max_retries = 0\nstream_max_retries = 0\n"
    )
}

/// The file that names the hooks: one script each.
fn hooks(case: &Case, room: &Room) -> Result<Value, MeasureError> {
    let mut file = json!({ "hooks": {} });
    let mut add = |event: &str, command: &str| {
        let entry = json!({ "hooks": [{ "type": "command", "command": command }] });
        match file["hooks"][event].as_array_mut() {
            Some(list) => list.push(entry),
            None => file["hooks"][event] = json!([entry]),
        }
    };
    for (index, hook) in case.codex.hooks.iter().enumerate() {
        let command = match &hook.command {
            Some(command) => command.clone(),
            None => trace::quoted(&room.script(&format!("hook-{index}"), &hook_script(hook))?),
        };
        add(&hook.event, &command);
    }
    Ok(file)
}

fn hook_script(hook: &CodexHook) -> String {
    let when = hook.when.as_deref().map_or_else(String::new, |text| {
        format!("case \"$input\" in *{}*) ;; *) exit 0 ;; esac\n", trace::quote(text))
    });
    format!(
        "#!/bin/bash\ninput=$(cat)\n{when}printf '%s' {}\nprintf '%s' {} >&2\nexit {}\n",
        trace::quote(&hook.prints),
        trace::quote(&hook.says),
        hook.exit
    )
}

async fn exec(
    options: &DriveOptions,
    room: &Room,
    url: &str,
    thread: Option<&str>,
    prompt: &str,
) -> Result<(Vec<Value>, String), MeasureError> {
    let mut command = Command::new(&options.program);
    command.arg("exec").args(["--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"]);
    if let Some(thread) = thread {
        command.arg("resume").arg(thread);
    }
    command.arg(prompt);
    closed(&mut command, url);
    command
        .env("HOME", room.home())
        .env("CODEX_HOME", room.at("codex"))
        .current_dir(room.work())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let failed = |message: String| MeasureError::Program { program: options.program.clone(), message };
    let mut group = Group::spawn(&mut command).map_err(|error| failed(format!("cannot be started: {error}")))?;
    let too_long = |_| MeasureError::Timeout { program: options.program.clone(), seconds: options.timeout.as_secs() };
    let ended = tokio::time::timeout(options.timeout, output(&mut group.child)).await.map_err(too_long)?;
    let (status, printed, said) = ended.map_err(MeasureError::io(&options.program, "read what it prints"))?;
    let events: Vec<Value> = printed.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if events.is_empty() {
        let last = said.trim().lines().next_back().unwrap_or_default();
        return Err(failed(format!("ended without a word ({status}): {last}")));
    }
    Ok((events, said))
}

/// Everything a program prints on both pipes, to its end.
async fn output(child: &mut Child) -> std::io::Result<(ExitStatus, String, String)> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let (mut out_pipe, mut err_pipe) = (child.stdout.take(), child.stderr.take());
    let read_out = async {
        match &mut out_pipe {
            Some(pipe) => pipe.read_to_end(&mut out).await,
            None => Ok(0),
        }
    };
    let read_err = async {
        match &mut err_pipe {
            Some(pipe) => pipe.read_to_end(&mut err).await,
            None => Ok(0),
        }
    };
    tokio::try_join!(read_out, read_err)?;
    let status = child.wait().await?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok((status, text(out), text(err)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_script_prints_what_it_should_where_it_should() {
        let hook = CodexHook {
            event: "PreToolUse".into(),
            command: None,
            when: Some("./note A".into()),
            prints: "{\"it's\": 1}".into(),
            says: "no".into(),
            exit: 2,
        };
        let run = |input: &str| {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("in"), input).unwrap();
            std::fs::write(folder.path().join("hook"), hook_script(&hook)).unwrap();
            let input = std::fs::File::open(folder.path().join("in")).unwrap();
            std::process::Command::new("bash").arg(folder.path().join("hook")).stdin(input).output().unwrap()
        };
        let hit = run("{\"command\": \"./note A\"}");
        assert_eq!(
            (hit.stdout.as_slice(), hit.stderr.as_slice(), hit.status.code()),
            (&b"{\"it's\": 1}"[..], &b"no"[..], Some(2))
        );
        let miss = run("{\"command\": \"./note B\"}");
        assert_eq!((miss.stdout.len(), miss.status.code()), (0, Some(0)));
    }

    #[test]
    fn what_it_cannot_play_is_said() {
        let case = |text: &str| Case::new(Scenario::parse(text, "test").unwrap(), Vec::new());
        assert!(why_not_codex(&case("[permissions]\ndeny = [\"Bash\"]")).is_some_and(|why| why.contains("rules")));
        let ruled = case("[permissions]\ndeny = [\"Bash(./note A)\"]\nask = [\"Bash(git push *)\"]");
        assert_eq!(why_not_codex(&ruled), None);
        let lines = rules(&ruled.scenario);
        let expected = "prefix_rule(pattern=[\"./note\",\"A\"], decision=\"forbidden\")\n\
                        prefix_rule(pattern=[\"git\",\"push\"], decision=\"prompt\")\n";
        assert_eq!(lines, expected);
        let read = "[[prompt]]\ntext = \"x\"\n[[prompt.step]]\n[[prompt.step.call]]\ntool = \"Read\"";
        assert!(why_not_codex(&case(read)).is_some_and(|why| why.contains("`Read`")));
        assert!(why_not_codex(&case("[[prompt]]\ncommand = \"/x\"")).is_some_and(|why| why.contains("commands")));
        assert_eq!(why_not_codex(&case("[[prompt]]\ntext = \"x\"")), None);
    }
}
