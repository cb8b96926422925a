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
pub mod imports;
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

/// Refused before an install, but not by a host that loads the module: it runs such a mod, and its tests.
const ONLY_BEFORE_INSTALL: [&str; 4] = ["create-form", "state-owner", "state-undeclared", "types-contract"];

/// Let pass before an install, but refused by a host that loads the module.
const ONLY_AT_LOAD: [&str; 2] = ["matcher-form", "next-to-tier"];

impl Report {
    /// Would the host load it?
    pub fn is_accepted(&self) -> bool {
        self.verdict == Verdict::Accept
    }

    /// The findings for which a loader must not run the module: errors, save those that only an install is refused for,
    /// and what the real validator lets pass although its host refuses the mod while it loads (a matcher `on` does not
    /// take, a tier the mod may not jump to; [`Options::tier`] says which tier that is).
    pub fn refusals_at_load(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|found| match found.severity {
            Severity::Error => !found.is_install_only,
            _ => ONLY_AT_LOAD.contains(&found.code),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_load(manifest: &str) -> Vec<&'static str> {
        let mut files = MemoryFiles::new();
        files
            .text(".claude-plugin/plugin.json", manifest)
            .text("hooks/hooks.json", r#"{ "modules": ["./register.ts"] }"#)
            .text("hooks/register.ts", "export function register(on) {}\n")
            .text("types.d.ts", "export {}\n");
        let report = validate(&files, &Options::default());
        assert_eq!(report.verdict, Verdict::Refuse, "{manifest}");
        report.refusals_at_load().map(|found| found.code).collect()
    }

    #[test]
    fn a_loader_looks_at_less_than_an_install() {
        let only_installs = [
            r#"{ "name": "mine", "types": "./types.d.ts" }"#,
            r#"{ "name": "mine", "types": "./none.d.ts" }"#,
            r#"{ "name": "mine", "hooks": "./none.json" }"#,
            r#"{ "name": "mine", "author": "me" }"#,
            r#"{ "name": "mine", "keywords": 5 }"#,
            r#"{ "name": "claude-code" }"#,
        ];
        for manifest in only_installs {
            assert!(at_load(manifest).is_empty(), "{manifest}: {:?}", at_load(manifest));
        }
        for manifest in [
            r#"{ "name": "a b" }"#,
            r#"{ "name": "mine", "agents": 5 }"#,
            r#"{ "name": "mine", "types": "../t.d.ts" }"#,
        ] {
            assert!(!at_load(manifest).is_empty(), "{manifest}");
        }
    }
}
