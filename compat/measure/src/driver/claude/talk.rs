//! The talk with the program: it is told the script's prompts, it asks about permissions, the scenario's person answers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

use modgate_harness::person::{PermissionAnswer, PermissionAsk, Person};
use modgate_harness::script::ScriptedPerson;

use crate::MeasureError;
use crate::case::Case;
use crate::server::ModelServer;

use super::super::DriveOptions;
use super::super::group::Group;

pub(super) struct Talk {
    /// Ids given to what is typed, in order; the program keeps them.
    pub(super) ids: Vec<String>,
    typed: Vec<String>,
    person: ScriptedPerson,
    program: PathBuf,
    timeout: Duration,
    group: Group,
    input: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    errors: JoinHandle<String>,
    events: Vec<Value>,
}

impl Talk {
    pub(super) fn new(
        case: &Case,
        options: &DriveOptions,
        mut group: Group,
        work: &Path,
    ) -> Result<Talk, MeasureError> {
        let unpiped = || MeasureError::Program { program: options.program.clone(), message: "has no pipes".into() };
        let output = group.child.stdout.take().ok_or_else(unpiped)?;
        let mut error_pipe = group.child.stderr.take().ok_or_else(unpiped)?;
        let errors = tokio::spawn(async move {
            let mut text = Vec::new();
            error_pipe.read_to_end(&mut text).await.unwrap_or_default();
            String::from_utf8_lossy(&text).into_owned()
        });
        let typed: Vec<String> = case.typed().map(|(text, _)| text.to_owned()).collect();
        Ok(Talk {
            ids: typed.iter().map(|_| uuid::Uuid::new_v4().to_string()).collect(),
            typed,
            person: ScriptedPerson::new(&case.scenario, work),
            program: options.program.clone(),
            timeout: options.timeout,
            input: group.child.stdin.take(),
            group,
            lines: BufReader::new(output).lines(),
            errors,
            events: Vec::new(),
        })
    }

    /// Types the whole script, waiting for the end of each turn, then lets the program end. Gives what it printed;
    /// answers about permissions stand between it as `{"type": "answer", ...}`.
    pub(super) async fn script(&mut self, server: &ModelServer) -> Result<Vec<Value>, MeasureError> {
        for item in 0..self.typed.len() {
            server.begin(item);
            let content = &self.typed[item];
            let message = json!({
                "type": "user", "uuid": self.ids[item], "message": { "role": "user", "content": content },
            });
            self.events.push(json!({ "type": "typed", "item": item, "uuid": self.ids[item] }));
            self.send(&message).await?;
            self.until(Some(item)).await?;
        }
        self.input = None;
        self.until(None).await?;
        let ended = tokio::time::timeout(self.timeout, self.group.child.wait()).await;
        if ended.is_err() {
            return Err(self.too_long());
        }
        Ok(std::mem::take(&mut self.events))
    }

    /// Listens until what was typed is done with, or to the end. Programs that say when a prompt is completed are taken
    /// at their word, as turns that mods begin have results too; with others the first result counts.
    async fn until(&mut self, item: Option<usize>) -> Result<(), MeasureError> {
        let end = tokio::time::Instant::now() + self.timeout;
        let id = item.and_then(|item| self.ids.get(item).cloned());
        let mut says = false;
        loop {
            let line = match tokio::time::timeout_at(end, self.lines.next_line()).await {
                Err(_) => return Err(self.too_long()),
                Ok(line) => line.map_err(MeasureError::io(&self.program, "read what it prints"))?,
            };
            let Some(line) = line else {
                return if item.is_some() { Err(self.gone().await) } else { Ok(()) };
            };
            let Ok(event) = serde_json::from_str::<Value>(&line) else { continue };
            self.events.push(event.clone());
            let mine = id.is_some() && event["command_uuid"].as_str() == id.as_deref();
            match event["type"].as_str().unwrap_or_default() {
                "control_request" => self.control(&event).await?,
                "command_lifecycle" if mine => match event["state"].as_str() {
                    Some("queued" | "started") => says = true,
                    _ => return Ok(()),
                },
                "result" if item.is_some() && !says => return Ok(()),
                _ => {}
            }
        }
    }

    async fn control(&mut self, event: &Value) -> Result<(), MeasureError> {
        let request = &event["request"];
        let id = &event["request_id"];
        if request["subtype"] != "can_use_tool" {
            let response = json!({ "subtype": "error", "request_id": id, "error": "not served" });
            return self.send(&json!({ "type": "control_response", "response": response })).await;
        }
        let text = |field: &str| request[field].as_str().unwrap_or_default().to_owned();
        let ask = PermissionAsk {
            call_id: text("tool_use_id"),
            tool: text("tool_name"),
            input: request["input"].clone(),
            reason: text("decision_reason"),
        };
        let answer = self.person.permission(&ask).await;
        let allowed = answer == PermissionAnswer::Allow;
        let said = match answer {
            PermissionAnswer::Allow => json!({ "behavior": "allow", "updatedInput": ask.input }),
            PermissionAnswer::Deny(message) => {
                json!({ "behavior": "deny", "message": message.unwrap_or_else(|| "no".into()) })
            }
        };
        let note = json!({
            "type": "answer", "callId": ask.call_id, "tool": ask.tool, "input": ask.input, "allowed": allowed,
        });
        self.events.push(note);
        let response = json!({ "subtype": "success", "request_id": id, "response": said });
        self.send(&json!({ "type": "control_response", "response": response })).await
    }

    async fn send(&mut self, message: &Value) -> Result<(), MeasureError> {
        let Some(input) = &mut self.input else { return Ok(()) };
        let sent = input.write_all(format!("{message}\n").as_bytes()).await;
        if sent.is_err() {
            return Err(self.gone().await);
        }
        Ok(())
    }

    fn too_long(&self) -> MeasureError {
        MeasureError::Timeout { program: self.program.clone(), seconds: self.timeout.as_secs() }
    }

    /// The program went away: why, as far as it says.
    async fn gone(&mut self) -> MeasureError {
        let status = self.group.child.wait().await.map(|status| status.to_string()).unwrap_or_default();
        let said = (&mut self.errors).await.unwrap_or_default();
        let last: Vec<&str> = said.trim().lines().rev().take(3).collect();
        let last = last.into_iter().rev().collect::<Vec<_>>().join(" | ");
        let message = format!("ended before the script did ({status}): {last}");
        MeasureError::Program { program: self.program.clone(), message }
    }
}
