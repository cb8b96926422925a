//! `$.prompt`: the box a person types into, and prompts entered for them.

use async_trait::async_trait;
use modgate_value::Value;
use parking_lot::Mutex;

use crate::context::Context;
use crate::input::Args;
use crate::service::service;
use crate::{Answer, Caller, ServiceError};

service! {
    /// Serves `$.prompt`. `submit` and `compose` need the host's turn loop and prompt.
    Prompt as "prompt" {
        /// `{model?, promptModel?, surfaces?, tools?, outputStyle?, traits?}`; `{sections}`. Sends nothing.
        compose;
        /// `{text, mode}`; `{isFilled, text, cursor}`.
        fill;
        /// `{text, cursor}`; empty where there is no box.
        read;
        /// `{text, attachments?, wait, origin}`; `{text, context?, origin?}` or `{drop}`, when it is entered or queued.
        submit;
        /// `{text}`; `{isShown}`.
        suggest;
    }
}

fn admit(context: &Context, method: &str, args: &Args<'_>) -> Result<(), ServiceError> {
    match method {
        "fill" => {
            args.text("text")?;
            if !matches!(args.maybe_text("mode")?, None | Some("replace" | "append" | "insert")) {
                return Err(args.bad("mode must be 'replace', 'append' or 'insert'"));
            }
        }
        "suggest" | "submit" => {
            args.text("text")?;
        }
        _ => {}
    }
    context.reach_call()
}

/// The box of a surface.
#[derive(Debug, Default)]
pub struct PromptBox(Mutex<Boxed>);

#[derive(Debug, Default)]
struct Boxed {
    /// Nobody can type: a print run, or a dialog is open.
    is_closed: bool,
    text: String,
    /// In bytes; always at a character's beginning.
    cursor: usize,
    suggestion: Option<String>,
}

impl PromptBox {
    /// No box at all, as in a run without a person.
    pub fn closed() -> PromptBox {
        PromptBox(Mutex::new(Boxed { is_closed: true, ..Boxed::default() }))
    }

    /// Puts in what the person typed; `cursor` in bytes, moved back to a character's beginning.
    pub fn typed(&self, text: impl Into<String>, cursor: usize) {
        let mut boxed = self.0.lock();
        boxed.text = text.into();
        boxed.cursor =
            (0..=cursor.min(boxed.text.len())).rev().find(|at| boxed.text.is_char_boundary(*at)).unwrap_or(0);
        boxed.suggestion = None;
    }

    /// What is in it.
    pub fn text(&self) -> String {
        self.0.lock().text.clone()
    }

    /// What is suggested in its place, until the person types.
    pub fn suggestion(&self) -> Option<String> {
        self.0.lock().suggestion.clone()
    }

    /// A dialog opened over it, or closed again.
    pub fn set_closed(&self, is_closed: bool) {
        self.0.lock().is_closed = is_closed;
    }
}

impl Boxed {
    /// `text` and `cursor`, the cursor in UTF-16 units as in JavaScript.
    fn fields(&self) -> [(&'static str, Value); 2] {
        let units = self.text[..self.cursor].encode_utf16().count();
        #[expect(clippy::cast_precision_loss, reason = "the length of what a person typed")]
        [("text", Value::from(self.text.as_str())), ("cursor", Value::from(units as f64))]
    }
}

#[async_trait]
impl Prompt for PromptBox {
    fn members(&self) -> &'static [&'static str] {
        &["fill", "read", "suggest"]
    }

    async fn read(&self, _caller: &Caller, _input: &Value) -> Answer {
        let boxed = self.0.lock();
        Ok(Value::object(if boxed.is_closed { Boxed::default().fields() } else { boxed.fields() }))
    }

    async fn fill(&self, _caller: &Caller, input: &Value) -> Answer {
        let text = input.str_at("text").unwrap_or_default();
        let mut boxed = self.0.lock();
        if boxed.is_closed {
            return Ok(Value::object(Boxed::default().fields()).with("isFilled", Value::from(false)));
        }
        match input.str_at("mode") {
            Some("append") => {
                boxed.text.push_str(text);
                boxed.cursor = boxed.text.len();
            }
            Some("insert") => {
                let at = boxed.cursor;
                boxed.text.insert_str(at, text);
                boxed.cursor = at + text.len();
            }
            _ => {
                boxed.text = text.into();
                boxed.cursor = text.len();
            }
        }
        boxed.suggestion = None;
        Ok(Value::object(boxed.fields()).with("isFilled", Value::from(true)))
    }

    async fn suggest(&self, _caller: &Caller, input: &Value) -> Answer {
        let mut boxed = self.0.lock();
        let is_shown = !boxed.is_closed && boxed.text.is_empty();
        if is_shown {
            boxed.suggestion = input.str_at("text").map(str::to_string);
        }
        Ok(Value::object([("isShown", Value::from(is_shown))]))
    }
}
