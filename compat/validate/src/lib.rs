//! Static checks of a mod: would a host load it, what does it hook, what can it reach, what will surprise its user.
//!
//! Texts in, report out: nothing here touches files, the environment, the clock or V8, and no input makes it panic.
//! The program hands over files through [`Files`]; the loader of the engine uses the same [`validate`] and does not
//! run what [`Report::refusals_at_load`] lists.
//!
//! ```
//! use modgate_validate::{MemoryFiles, Options, validate};
//!
//! let mut files = MemoryFiles::new();
//! files.text(".claude-plugin/plugin.json", r#"{ "name": "hello", "version": "1.0.0" }"#);
//! files.text("hooks/hooks.json", r#"{ "modules": ["./register.ts"] }"#);
//! files.text("hooks/register.ts", "export function register(on) { on('session.start', async ($, e, next) => next(e)) }");
//! let report = validate(&files, &Options::default());
//! assert!(report.is_accepted());
//! ```

#![deny(missing_docs)]

mod files;
mod flow;
mod found;
mod graph;
pub mod hash;
mod hooks_file;
mod json;
mod known;
mod manifest;
mod options;
pub mod report;
pub mod rules;
mod scan;
mod syntax;
#[cfg(test)]
mod testing;
mod text;
mod tree;
mod whole;

pub use files::{Entry, Files, MemoryFiles};
pub use options::{BadHost, HostSpec, Options, Tier};
pub use report::{Diagnostic, Report, Severity, Verdict};
pub use whole::validate;

impl Report {
    /// Would the host load it?
    pub fn is_accepted(&self) -> bool {
        self.verdict == Verdict::Accept
    }

    /// The findings for which a loader must not run the module: errors on the host it loads for.
    pub fn refusals_at_load(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|found| found.severity == Severity::Error)
    }
}
