use std::collections::HashSet;

use crate::record::{
    AskedCall, AssistantMessage, CommandRun, CommandStart, RequestHeader, Row, ToolCallRow, TurnStartRow, UserDropped,
    UserMessage, kind,
};

/// Where a record stands: what is left to do, derived from its rows alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Whether the last thing that happened was the end of the session.
    pub ended: bool,
    /// Place in the script of the first item that has not entered yet.
    pub next_script: u32,
    /// A turn of the main loop without its end.
    pub open: Option<OpenTurn>,
    /// Committed calls without a result.
    pub unfinished_calls: Vec<ToolCallRow>,
    /// A command that began and did not end.
    pub unfinished_command: Option<CommandStart>,
    /// Nested loops that began and did not end.
    pub unfinished_agents: Vec<String>,
}

/// A turn that was interrupted.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenTurn {
    /// Its id.
    pub turn_id: String,
    /// The prompt it answers.
    pub text: String,
    /// Its number, from 0.
    pub number: u32,
    /// Place of its prompt in the script.
    pub script_index: Option<u32>,
    /// Whether `turn/start` is in the record.
    pub started: bool,
    /// Where it stands.
    pub step: OpenStep,
}

/// Where an interrupted turn stands.
#[derive(Clone, Debug, PartialEq)]
pub enum OpenStep {
    /// The request of this step has no answer yet.
    Request {
        /// The step.
        step: u32,
    },
    /// The answer is there, some of its calls were never committed.
    Calls {
        /// The step.
        step: u32,
        /// The calls that are left.
        calls: Vec<AskedCall>,
        /// Hash of the snapshot they were prepared under.
        snapshot: Option<String>,
    },
    /// The last answer asked for nothing; only the end is missing.
    Answered,
}

/// How many turns that loop began.
pub(super) fn turns(rows: &[Row], agent_id: Option<&str>) -> u32 {
    let starts = rows.iter().filter(|row| row.kind == kind::TURN_START);
    starts.filter(|row| row.text_at("agentId") == agent_id).count() as u32
}

impl Progress {
    /// Folds the rows.
    pub fn of(rows: &[Row]) -> Progress {
        let mut progress = Progress::default();
        for row in rows {
            progress.take(row);
        }
        progress.open = open_turn(rows);
        progress
    }

    fn entered(&mut self, index: Option<u32>) {
        if let Some(index) = index {
            self.next_script = self.next_script.max(index + 1);
        }
    }

    fn take(&mut self, row: &Row) {
        self.ended = row.kind == kind::SESSION_END;
        match row.kind.as_str() {
            kind::USER_MESSAGE => self.entered(row.parse::<UserMessage>().and_then(|row| row.origin.index)),
            kind::USER_DROPPED => self.entered(row.parse::<UserDropped>().and_then(|row| row.origin.index)),
            kind::COMMAND_START => {
                self.unfinished_command = row.parse::<CommandStart>();
                self.entered(self.unfinished_command.as_ref().and_then(|row| row.origin.index));
            }
            kind::COMMAND_RUN if row.parse::<CommandRun>().is_some() => self.unfinished_command = None,
            kind::TOOL_CALL => self.unfinished_calls.extend(row.parse::<ToolCallRow>()),
            kind::TOOL_RESULT => {
                self.unfinished_calls.retain(|call| Some(call.call_id.as_str()) != row.text_at("callId"));
            }
            kind::SUBAGENT_START => self.unfinished_agents.extend(row.text_at("agentId").map(str::to_owned)),
            kind::SUBAGENT_END => {
                self.unfinished_agents.retain(|agent| Some(agent.as_str()) != row.text_at("agentId"));
            }
            _ => {}
        }
    }
}

fn open_turn(rows: &[Row]) -> Option<OpenTurn> {
    let at = rows.iter().rposition(|row| row.kind == kind::USER_MESSAGE)?;
    let message: UserMessage = rows[at].parse()?;
    let mine = |row: &&Row| row.text_at("turnId") == Some(&message.turn_id);
    let rest = &rows[at..];
    if rest.iter().filter(mine).any(|row| row.kind == kind::TURN_END) {
        return None;
    }
    let started =
        rest.iter().filter(mine).any(|row| row.parse::<TurnStartRow>().is_some() && row.kind == kind::TURN_START);
    Some(OpenTurn {
        step: open_step(rest, &message.turn_id),
        number: turns(rows, None) - u32::from(started),
        script_index: message.origin.index,
        turn_id: message.turn_id,
        text: message.text,
        started,
    })
}

fn open_step(rows: &[Row], turn_id: &str) -> OpenStep {
    let answers = rows.iter().rev().filter(|row| row.kind == kind::ASSISTANT_MESSAGE);
    let Some(answer) = answers.filter_map(Row::parse::<AssistantMessage>).find(|answer| answer.turn_id == turn_id)
    else {
        return OpenStep::Request { step: 0 };
    };
    if answer.calls.is_empty() {
        return OpenStep::Answered;
    }
    let dealt_with = rows.iter().filter(|row| row.kind == kind::TOOL_CALL || row.kind == kind::TOOL_DROP);
    let dealt_with: HashSet<&str> = dealt_with.filter_map(|row| row.text_at("callId")).collect();
    let calls: Vec<_> = answer.calls.into_iter().filter(|call| !dealt_with.contains(call.id.as_str())).collect();
    if calls.is_empty() {
        return OpenStep::Request { step: answer.step + 1 };
    }
    let headers = rows.iter().rev().filter(|row| row.kind == kind::REQUEST_HEADER);
    let header = headers.filter_map(Row::parse::<RequestHeader>).find(|header| header.turn_id == turn_id);
    OpenStep::Calls { step: answer.step, calls, snapshot: header.map(|header| header.snapshot) }
}
