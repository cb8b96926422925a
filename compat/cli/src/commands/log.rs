//! `modgate log`: what a record says, read back from the file alone.

use std::io::{self, Write};
use std::path::Path;

use modgate_harness::fold::{Block, Message, Role, audit, history};
use modgate_harness::record::{Loaded, read};
use serde::Serialize;
use serde_json::json;

use crate::cli::{LogArgs, LogCommand, RecordArgs};
use crate::error::{Coded, Failure};
use crate::exit::Exit;
use crate::output::{Style, Terminal};
use crate::render::counted;
use crate::render::safe::visible;
use crate::run::transcript::Transcript;

/// Runs the command.
pub(crate) fn run(args: &LogArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut out = terminal.writer();
    match &args.what {
        LogCommand::Show(args) => show(args, terminal.style(), &mut out)?,
        LogCommand::Verify(args) => verify(args, &mut out)?,
        LogCommand::Audit(args) => print_audit(args, &mut out)?,
        LogCommand::History(args) => print_history(args, &mut out)?,
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn load(file: &Path) -> Result<Loaded, Failure> {
    read(file).map_err(|error| {
        let place = error.line().map_or(String::new(), |line| format!(":{line}"));
        let code = error.code();
        Failure::from(Coded::new(code, format!("{}{place}: {error}", visible(&file.to_string_lossy()))))
    })
}

fn document(value: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{}", serde_json::to_string_pretty(value).map_err(io::Error::from)?)?;
    Ok(())
}

fn show(args: &RecordArgs, style: Style, out: &mut dyn Write) -> Result<(), Failure> {
    let loaded = load(&args.file)?;
    let mut transcript = Transcript::new(style);
    for row in &loaded.rows {
        if args.json {
            writeln!(out, "{}", serde_json::to_string(row).map_err(io::Error::from)?)?;
        } else {
            out.write_all(transcript.row(row).as_bytes())?;
        }
    }
    Ok(())
}

fn verify(args: &RecordArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let loaded = load(&args.file)?;
    let torn = loaded.recovered.map_or(0, |recovered| recovered.dropped_bytes);
    if args.json {
        return document(&json!({ "rows": loaded.rows.len(), "head": loaded.head, "tornBytes": torn }), out);
    }
    let rows = counted(loaded.rows.len(), "row");
    let file = args.file.to_string_lossy();
    writeln!(out, "{}: {rows}, every one continues the one before; head {}", visible(&file), loaded.head)?;
    if torn > 0 {
        writeln!(out, "a torn last line of {torn} bytes was left by a crash; nobody acted on it")?;
    }
    Ok(())
}

fn print_audit(args: &RecordArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let audit = audit(&load(&args.file)?.rows);
    if args.json {
        return document(&audit, out);
    }
    for entry in &audit.entries {
        writeln!(
            out,
            "{:>5}  {}  {:<14} {:<20} {}",
            entry.seq,
            entry.time,
            visible(&entry.by),
            entry.kind,
            visible(&entry.what)
        )?;
    }
    for call in &audit.calls {
        let executed = call.executed.as_ref().map_or("unknown".to_string(), |ran| ran.len().to_string());
        let end = match (&call.denied, call.is_error) {
            (Some(reason), _) => format!("denied: {reason}"),
            (None, true) => "failed".to_string(),
            (None, false) => "done".to_string(),
        };
        let committed = call.committed.to_string();
        writeln!(
            out,
            "call {} at {} by {}: {}, ran {executed}, {}",
            visible(&call.call_id),
            call.seq,
            visible(&call.by),
            visible(&committed),
            visible(&end)
        )?;
    }
    Ok(())
}

fn print_history(args: &RecordArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let messages = history(&load(&args.file)?.rows, None);
    if args.json {
        return document(&messages, out);
    }
    for Message { role, content } in &messages {
        let who = match role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        for block in content {
            let text = match block {
                Block::Text { text } => text.clone(),
                Block::ToolUse { id, name, input } => format!("[call {id}] {name} {input}"),
                Block::ToolResult { tool_use_id, content, is_error } => {
                    format!("[result {tool_use_id}{}] {content}", if *is_error { ", failed" } else { "" })
                }
            };
            for line in text.lines() {
                writeln!(out, "{who:<9} {}", visible(line))?;
            }
        }
    }
    Ok(())
}
