//! `$.ui`: what a person sees. Drawing itself is an event; these are the calls around it.

mod frame;
mod parts;
mod surface;

use crate::ServiceError;
use crate::context::Context;
use crate::input::Args;
use crate::service::service;

pub use parts::{Change, Element, Mounted, Pane};
pub use surface::Surface;

service! {
    /// Serves `$.ui`. `ask` and `resolve` need the host: the one is a tool call, the other a read of what the
    /// `ui.resolve` chain gave.
    Ui as "ui" {
        /// A question; the answer's text. Rejects when dismissed or when nobody is there.
        ask;
        /// `{requestId, key, cells | source, columns?, rows?}`; `{}` or `{deny}`.
        blit;
        /// `{id, origin}`; undefined, also where no such pane is open.
        close;
        /// `{text, surface?}`; undefined when the clipboard has it.
        copy;
        /// `{requestId, key}`; `{}` or `{deny}`.
        focus;
        /// `{event}`; undefined.
        invalidate;
        /// `{text, to: 'transcript' | 'debug'}`; undefined.
        log;
        /// `{tool_use_id, text?}`; undefined. Without text the line goes. Rejects for a call that is not open, and for
        /// one that another mod made.
        notice;
        /// `{id, title?, focus?, closeOnEscape?, holdToasts?, rows?, columns?}`; undefined.
        open;
        /// `[{id, title, isShown, isFocused, isPlaced}]` of the calling mod.
        panes;
        /// The element table of a surface and component.
        resolve;
        /// `{requestId, offset}`; `{}` or `{deny}`.
        scroll;
        /// The selected text, or undefined.
        selection;
        /// `{text?}`; undefined. Without text the status goes.
        status;
        /// `{text, timeoutMs?}`; undefined.
        toast;
    }
}

/// Events whose cached answers `$.ui.invalidate` drops.
const INVALIDATED: &[&str] = &[
    "ui.render",
    "prompt.section",
    "prompt.context",
    "prompt.attachment",
    "tool.describe",
    "command.describe",
    "config.describe",
];

fn admit(context: &Context, method: &str, args: &Args<'_>) -> Result<(), ServiceError> {
    match method {
        "toast" => {
            args.text("text")?;
            if args.get("timeoutMs").is_some() {
                args.millis("timeoutMs")?;
            }
        }
        "status" => {
            args.maybe_text("text")?;
        }
        "log" => {
            args.text("text")?;
            if !matches!(args.maybe_text("to")?, None | Some("transcript" | "debug")) {
                return Err(args.bad("to must be 'transcript' or 'debug'"));
            }
        }
        "notice" => {
            args.filled_text("tool_use_id")?;
            args.maybe_text("text")?;
        }
        "copy" => {
            args.text("text")?;
        }
        "invalidate" => invalidated(args)?,
        "open" => pane(args)?,
        "close" => {
            args.filled_text("id")?;
        }
        "blit" | "focus" => {
            args.filled_text("requestId")?;
            args.filled_text("key")?;
        }
        "scroll" => {
            args.filled_text("requestId")?;
            args.maybe_number("offset")?;
        }
        _ => {}
    }
    context.reach_call()
}

fn invalidated(args: &Args<'_>) -> Result<(), ServiceError> {
    if INVALIDATED.contains(&args.text("event")?) {
        return Ok(());
    }
    Err(args.bad(format_args!("event must be one of {}", INVALIDATED.join(", "))))
}

fn pane(args: &Args<'_>) -> Result<(), ServiceError> {
    args.name("id")?;
    if args.maybe_text("title")?.is_some_and(|title| title.chars().any(char::is_control)) {
        return Err(args.bad("title must not contain control characters"));
    }
    for size in ["rows", "columns"] {
        if args.maybe_number(size)?.is_some_and(|size| size < 1.0 || size.fract() != 0.0 || size > 10_000.0) {
            return Err(args.bad(format_args!("{size} must be a whole number from 1")));
        }
    }
    Ok(())
}
