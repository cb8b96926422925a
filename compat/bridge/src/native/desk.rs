//! Where everything that mods leave behind is written down, in order.

use std::collections::HashMap;

use modgate_harness::record::By;
use modgate_harness::session::SessionHandle;
use modgate_services::ui::Change;
use modgate_services::{Receipt, ReceiptSink, mask_text};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

use super::convert;
use crate::report::{Report, ReportSink};

enum Entry {
    Report(Box<Report>, Option<u64>),
    Receipt(Box<Receipt>),
    Shown { by: String, name: &'static str, data: Value },
    Flush(oneshot::Sender<()>),
    Close,
}

/// Takes reports, receipts and what mods show from any thread; one task writes them into the record.
///
/// What comes in before the session has started waits for it. Once it has ended, nothing can be written any more.
pub(crate) struct Desk {
    sender: mpsc::UnboundedSender<Entry>,
    waiting: Mutex<Option<mpsc::UnboundedReceiver<Entry>>>,
    /// `seq` of each open call.
    calls: Mutex<HashMap<String, u64>>,
    runtime: Handle,
}

impl Desk {
    pub(super) fn new(runtime: Handle) -> Desk {
        let (sender, receiver) = mpsc::unbounded_channel();
        Desk { sender, waiting: Mutex::new(Some(receiver)), calls: Mutex::default(), runtime }
    }

    fn put(&self, entry: Entry) {
        // The writer is gone once the session has ended: there is no record to write to.
        let _ = self.sender.send(entry);
    }

    /// The session has started: what waits is written, and what comes from now on.
    pub(super) fn start(&self, session: SessionHandle) {
        let Some(mut entries) = self.waiting.lock().take() else { return };
        self.runtime.spawn(async move {
            while let Some(entry) = entries.recv().await {
                if !write(&session, entry).await {
                    break;
                }
            }
        });
    }

    /// Comes back when everything that was put in before is in the record.
    pub(crate) async fn flush(&self) {
        if self.waiting.lock().is_some() {
            return;
        }
        let (done, written) = oneshot::channel();
        self.put(Entry::Flush(done));
        // An error means that the writer is gone.
        let _ = written.await;
    }

    pub(super) fn close(&self) {
        self.put(Entry::Close);
    }

    pub(super) fn open_call(&self, id: &str, seq: u64) {
        self.calls.lock().insert(id.to_string(), seq);
    }

    pub(super) fn settle_call(&self, id: &str) {
        self.calls.lock().remove(id);
    }

    /// A line that a mod wrote with `console`.
    pub(super) fn console(&self, plugin: &str, level: &str, text: &str) {
        self.show(plugin, "console", json!({ "level": level, "text": mask_text(text) }));
    }

    fn show(&self, plugin: &str, name: &'static str, data: Value) {
        self.put(Entry::Shown { by: plugin.to_string(), name, data });
    }

    /// What happened on the surface through a call of that mod.
    pub(super) fn shown(&self, caller: &str, changes: Vec<Change>) {
        for change in changes {
            match change {
                Change::Toast { plugin, text, timeout_ms } => {
                    self.show(&plugin, "toast", json!({ "text": text, "timeoutMs": timeout_ms }));
                }
                Change::Status { plugin, text } => self.show(&plugin, "status", json!({ "text": text })),
                Change::Log { plugin, text, is_debug } => {
                    self.show(
                        &plugin,
                        "log",
                        json!({ "text": text, "to": if is_debug { "debug" } else { "transcript" } }),
                    );
                }
                Change::Notice { tool_use_id, text } => {
                    self.show(caller, "notice", json!({ "callId": tool_use_id, "text": text }));
                }
                Change::Opened(pane) => self.show(&pane.plugin, "pane", json!({ "id": pane.id, "title": pane.title })),
                Change::Closed { plugin, id } => self.show(&plugin, "pane", json!({ "id": id, "closed": true })),
                // The rest moves things about on a screen and leaves nothing to read.
                _ => {}
            }
        }
    }
}

/// Whether there is more to write.
async fn write(session: &SessionHandle, entry: Entry) -> bool {
    let written = match entry {
        Entry::Report(report, seq) => {
            let (by, row) = convert::row(&report, seq);
            session.report(by, row).await
        }
        Entry::Receipt(receipt) => {
            let by = By::Mod(receipt.plugin.clone());
            session.receipt(by, serde_json::to_value(&*receipt).unwrap_or_default()).await
        }
        Entry::Shown { by, name, data } => session.ui(By::Mod(by), name, data).await,
        Entry::Flush(done) => {
            // Whoever waited may have left.
            let _ = done.send(());
            return true;
        }
        Entry::Close => return false,
    };
    if let Err(error) = &written {
        // The session itself meets the same error with its next row and ends.
        tracing::error!(%error, "the record cannot be written");
    }
    written.is_ok()
}

impl ReportSink for Desk {
    fn report(&self, report: Report) {
        let seq = report.call_id.as_ref().and_then(|id| self.calls.lock().get(id).copied());
        self.put(Entry::Report(Box::new(report), seq));
    }
}

impl ReceiptSink for Desk {
    fn leave(&self, receipt: Receipt) {
        self.put(Entry::Receipt(Box::new(receipt)));
    }
}
