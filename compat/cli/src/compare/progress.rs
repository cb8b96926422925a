//! How far each host is, for somebody who looks at the terminal.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use modgate_catalog::hosts::HostProfile;
use modgate_harness::record::{Row, kind};
use modgate_harness::script::Scenario;

use super::play::Watch;

/// A line for each host.
pub(crate) struct Progress {
    all: MultiProgress,
    bars: Arc<HashMap<String, ProgressBar>>,
}

impl Progress {
    /// Draws the lines; they go on by themselves.
    pub(crate) fn begin(profiles: &[&HostProfile], scenario: &Scenario) -> Progress {
        let all = MultiProgress::new();
        let steps = scenario.prompts.iter().flat_map(|prompt| &prompt.steps);
        let calls = steps.map(|step| step.calls.len() as u64).sum();
        let style = ProgressStyle::with_template("{prefix:24} {pos}/{len} calls  {elapsed}  {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = |profile: &&HostProfile| {
            let bar = all.add(ProgressBar::new(calls).with_style(style.clone()).with_prefix(profile.spec()));
            bar.enable_steady_tick(Duration::from_millis(500));
            (profile.spec(), bar)
        };
        let bars = Arc::new(profiles.iter().map(bar).collect());
        Progress { all, bars }
    }

    /// What a session tells its rows.
    pub(crate) fn watch(&self) -> Watch {
        let bars = self.bars.clone();
        Arc::new(move |host: &str, row: &Row| {
            let Some(bar) = bars.get(host) else { return };
            match row.kind.as_str() {
                kind::TOOL_CALL => bar.set_message(row.text_at("tool").unwrap_or_default().to_owned()),
                kind::TOOL_RESULT => bar.inc(1),
                kind::SESSION_END => bar.finish_with_message("done"),
                _ => {}
            }
        })
    }

    /// Takes the lines away.
    pub(crate) fn end(self) {
        self.bars.values().for_each(ProgressBar::finish_and_clear);
        // A terminal that went away shows nothing any more.
        let _ = self.all.clear();
    }
}
