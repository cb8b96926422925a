//! What a call leaves behind.

use modgate_value::Value;
use parking_lot::Mutex;
use serde::Serialize;

use super::access::Access;
use super::mask::{mask, shown};
use super::standing::Standing;
use crate::{Answer, Caller, ErrorKind, ServiceError};

/// One of the four gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Gate {
    /// Which mod, which content.
    Provenance,
    /// Is this content granted?
    Trust,
    /// Is the member in this mod's `$`?
    Visibility,
    /// Does the grant cover this?
    Execution,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Outcome {
    /// It answered.
    Answered,
    /// A gate refused it.
    Refused,
    /// It was tried and rejected.
    Rejected,
    /// The caller's signal aborted, or the caller went away.
    Aborted,
}

/// Who called what, from where, under which grant, with what result. Secrets-looking values are masked, long ones cut.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// The call, such as `fs.read`.
    pub call: String,
    /// The mod.
    pub plugin: String,
    /// Its file, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its content hash.
    pub hash: String,
    /// Its tier.
    pub tier: String,
    /// The events on the way to the call, outermost first.
    pub call_path: Vec<String>,
    /// `granted`, `allow-all`, `stale` or `none`.
    pub grant: &'static str,
    /// What was asked for, masked and cut.
    pub input: serde_json::Value,
    /// What the call reached for and was allowed, in order: `fs.read = ["/d/a.txt"]`. Redirects count.
    pub reached: Vec<String>,
    /// What was left out of the answer because no grant covers it, or cut for its size.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The gate that refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_by: Option<Gate>,
    /// How it ended.
    pub outcome: Outcome,
    /// The code of the rejection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The text of the rejection, masked and cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Kind and size of the answer (`string 12`, `array 3`), never its content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// Where receipts go. Called once for each call, from whichever thread served it.
pub trait ReceiptSink: Send + Sync {
    /// Takes one receipt.
    fn leave(&self, receipt: Receipt);
}

/// Receipts in memory.
#[derive(Debug, Default)]
pub struct Ledger(Mutex<Vec<Receipt>>);

impl Ledger {
    /// Takes out what has come in so far.
    pub fn take(&self) -> Vec<Receipt> {
        std::mem::take(&mut self.0.lock())
    }
}

impl ReceiptSink for Ledger {
    fn leave(&self, receipt: Receipt) {
        self.0.lock().push(receipt);
    }
}

/// A receipt while its call runs.
#[derive(Debug)]
pub(crate) struct Draft(Mutex<Receipt>);

impl Draft {
    pub(crate) fn new(caller: &Caller, call: &str, input: &Value, standing: &Standing) -> Draft {
        let mut input = mask(input);
        if call == "env.set" && input.get("value").is_some() {
            // A variable's value says nothing of what it is; its name decides elsewhere, here it is never shown.
            input["value"] = "***".into();
        }
        Draft(Mutex::new(Receipt {
            call: call.into(),
            plugin: caller.plugin.clone(),
            file: caller.file.clone(),
            hash: caller.hash.clone(),
            tier: caller.tier.clone(),
            call_path: caller.call_path.clone(),
            grant: standing.grant(),
            input,
            reached: Vec::new(),
            notes: Vec::new(),
            refused_by: None,
            outcome: Outcome::Aborted,
            code: None,
            message: None,
            answer: None,
        }))
    }

    pub(crate) fn reached(&self, access: Access<'_>) {
        self.0.lock().reached.push(shown(&access.needed()));
    }

    pub(crate) fn note(&self, text: impl Into<String>) {
        self.0.lock().notes.push(text.into());
    }

    pub(crate) fn refused_by(&self, gate: Gate) {
        self.0.lock().refused_by = Some(gate);
    }

    /// The finished receipt.
    pub(crate) fn close(&self, answer: &Answer) -> Receipt {
        let mut receipt = self.0.lock().clone();
        match answer {
            Ok(value) => {
                receipt.outcome = Outcome::Answered;
                receipt.answer = Some(describe(value));
            }
            Err(error) => close_with(&mut receipt, error),
        }
        receipt
    }
}

fn close_with(receipt: &mut Receipt, error: &ServiceError) {
    receipt.outcome = match error.kind {
        ErrorKind::Refused => Outcome::Refused,
        ErrorKind::Aborted => Outcome::Aborted,
        _ => Outcome::Rejected,
    };
    if receipt.outcome == Outcome::Refused {
        receipt.refused_by.get_or_insert(Gate::Execution);
    }
    receipt.code = Some(error.code.to_string());
    receipt.message = Some(shown(&error.message));
}

fn describe(value: &Value) -> String {
    match value {
        Value::String(text) => format!("string {}", text.len()),
        Value::Array(values) => format!("array {}", values.len()),
        Value::Object(fields) => format!("object {}", fields.len()),
        other => other.kind().to_string(),
    }
}
