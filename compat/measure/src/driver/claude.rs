//! Claude Code in print mode, typing the script over its stream of JSON lines.

mod talk;

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::process::Command;

use modgate_harness::permission::Mode;
use modgate_harness::script::Scenario;

use crate::MeasureError;
use crate::case::Case;
use crate::observe::{ClaudeTraces, files_at_the_end, from_claude_code};
use crate::server::ModelServer;

use super::group::Group;
use super::room::{Room, closed, find, json_lines};
use super::{DriveOptions, Measurement, trace, version};

use talk::Talk;

/// Hooks that note and change nothing.
const NOTED: &[&str] = &["PreToolUse", "PostToolUse", "PostToolUseFailure"];

/// Drives Claude Code through a case: its model on loopback, a throwaway home, a copy of the files, the mods loaded.
pub async fn claude_code(case: &Case, options: &DriveOptions) -> Result<Measurement, MeasureError> {
    let host = format!("claude-code@{}", version(&options.program).await?);
    let room = Room::new(case)?;
    let server = ModelServer::start(&case.scenario).await?;
    let mut command = command(case, options, &room, &server.url())?;
    let group = Group::spawn(&mut command).map_err(|error| MeasureError::Program {
        program: options.program.clone(),
        message: format!("cannot be started: {error}"),
    })?;
    let mut talk = Talk::new(case, options, group, &room.work())?;
    let events = talk.script(&server).await?;
    let sessions = find(&room.home().join(".claude/projects"), ".jsonl");
    let transcript: Vec<Value> = sessions.iter().flat_map(|path| json_lines(path)).collect();
    let log = std::fs::read_to_string(room.at("log.txt")).unwrap_or_default();
    let requests = server.kept();
    let noted = trace::read(&room.at("trace"));
    let files = files_at_the_end(&room.work())?;
    let traces = ClaudeTraces {
        typed: case.typed().map(|(text, command)| (text.to_owned(), command)).collect(),
        ids: talk.ids.clone(),
        requests: &requests,
        transcript: &transcript,
        events: &events,
        noted: &noted,
        log: &log,
        observed: options.observe,
    };
    let mut observation = from_claude_code(&host, &traces);
    observation.files = files;
    let mut observation = observation.relative_to(&room.work());
    observation.look_for(&case.words);
    let measurement = Measurement { observation, requests, transcript, events, log };
    measurement.keep(options.keep.as_deref())?;
    Ok(measurement)
}

fn command(case: &Case, options: &DriveOptions, room: &Room, url: &str) -> Result<Command, MeasureError> {
    let trace_file = room.at("trace");
    let hook = room.script("note-hook", &trace::hook_script(&trace_file))?;
    let shell = room.script("note-shell", &trace::shell_script(&trace_file, &hook))?;
    let hook_line = options.observe.then(|| hook.to_string_lossy().into_owned());
    let settings = settings(&case.scenario, hook_line.as_deref());
    let mut command = Command::new(&options.program);
    command
        .args(["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"])
        .args(["--replay-user-messages", "--permission-prompt-tool", "stdio", "--strict-mcp-config"])
        .args(["--permission-mode", case.scenario.permissions.mode.name()])
        .arg("--model")
        .arg(model(&case.scenario))
        .arg("--debug-file")
        .arg(room.at("log.txt"))
        .arg("--settings")
        .arg(settings.to_string());
    for (index, source) in case.mods.iter().enumerate() {
        command.arg("--plugin-dir").arg(room.mod_at(index, source));
    }
    closed(&mut command, url);
    command
        .env("HOME", room.home())
        .env("ANTHROPIC_BASE_URL", url)
        .env("ANTHROPIC_API_KEY", "sk-scripted")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .env("DISABLE_TELEMETRY", "1")
        .env("CLAUDE_CODE_MAX_RETRIES", "0")
        .env("CLAUDE_CODE_SHELL_PREFIX", &shell)
        // Says that everything around it is disposable, which it is; without it the mode that allows everything is
        // refused to the system's administrator.
        .envs((case.scenario.permissions.mode == Mode::BypassPermissions).then_some(("IS_SANDBOX", "1")))
        .current_dir(room.work())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(command)
}

/// The program wants the name of a model it knows; any will do.
fn model(scenario: &Scenario) -> &str {
    if scenario.model.starts_with("claude-") { &scenario.model } else { "claude-sonnet-4-5" }
}

fn settings(scenario: &Scenario, hook: Option<&str>) -> Value {
    let rules = &scenario.permissions;
    let mut settings = json!({ "permissions": { "allow": rules.allow, "ask": rules.ask, "deny": rules.deny } });
    if let Some(line) = hook {
        for event in NOTED {
            settings["hooks"][*event] = json!([{ "matcher": "", "hooks": [{ "type": "command", "command": line }] }]);
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_passive_hooks_go_into_the_settings() {
        let text = "[permissions]\nallow = [\"Bash(ls *)\"]\ndeny = [\"Read\"]\n";
        let scenario = Scenario::parse(text, "test").unwrap();
        let settings = settings(&scenario, Some("/x/note"));
        assert_eq!(settings["permissions"]["allow"][0], "Bash(ls *)");
        assert_eq!(settings["permissions"]["deny"][0], "Read");
        assert_eq!(settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"], "/x/note");
        assert_eq!(super::settings(&scenario, None).get("hooks"), None);
    }
}
