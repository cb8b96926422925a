//! Marketplaces: is `.claude-plugin/marketplace.json` one that a host reads, and which mods beside it does it offer?
//!
//! Mods elsewhere (another repository, a package) are left alone; nothing is fetched.

mod entries;
mod rules;

use std::path::{Path, PathBuf};

use modgate_validate::report::{Setup, Source, Span};
use modgate_validate::{Diagnostic, Entry, Files, Report, Severity, Verdict};

use modgate_folder::DiskFiles;

pub(crate) use rules::RULES;

/// Where a marketplace describes itself.
pub(crate) const MARKETPLACE_JSON: &str = ".claude-plugin/marketplace.json";

/// A marketplace that was looked at.
pub(crate) struct Checked {
    /// Findings about the marketplace itself; its mods have reports of their own.
    pub(crate) report: Report,
    /// The mods it offers out of its own folder, in its order.
    pub(crate) mods: Vec<Offer>,
}

/// A mod that a marketplace offers out of its own folder.
pub(crate) struct Offer {
    /// The mod's folder, without symbolic links.
    pub(crate) root: PathBuf,
    /// Its path below the marketplace's folder; empty for that folder itself.
    pub(crate) path: String,
    /// The marketplace's entry, as a manifest: it stands for one where the folder has none.
    pub(crate) manifest: String,
}

/// Looks at the marketplace in `root`.
pub(crate) fn check(root: &Path) -> Checked {
    check_text(root, None)
}

/// The same, with a text in the place of the file's.
pub(crate) fn check_text(root: &Path, unsaved: Option<&str>) -> Checked {
    let mut findings = Findings::default();
    let mut mods = Vec::new();
    match DiskFiles::open(root) {
        Ok(files) => match unsaved.map_or_else(|| text(&files), |unsaved| Ok(unsaved.to_owned())) {
            Ok(text) => {
                mods = entries::read(&files, &text, &mut findings);
                findings.text = text;
            }
            Err(why) => findings.whole_file(why),
        },
        Err(error) => findings.whole_file(format!("the folder cannot be read: {error}")),
    }
    Checked { report: findings.report(), mods }
}

fn text(files: &DiskFiles) -> Result<String, String> {
    match files.read(MARKETPLACE_JSON) {
        Some(Entry::Text(text)) => Ok(text),
        Some(Entry::Bytes(_)) => Err("it is not valid UTF-8".to_owned()),
        Some(Entry::TooLarge(size)) => Err(format!("it is too large to read: {size} bytes")),
        Some(Entry::NotAFile(kind)) => Err(format!("it is no file but a {kind}")),
        Some(Entry::Outside) => Err("it is a link to outside the marketplace's folder".to_owned()),
        None => Err("it cannot be found".to_owned()),
    }
}

/// What was found so far.
#[derive(Default)]
struct Findings {
    text: String,
    name: Option<String>,
    diagnostics: Vec<Diagnostic>,
}

impl Findings {
    fn whole_file(&mut self, message: String) {
        self.push(&rules::JSON, None, message, None);
    }

    fn push(
        &mut self,
        rule: &modgate_validate::rules::Rule,
        span: Option<Span>,
        message: String,
        help: Option<String>,
    ) {
        self.diagnostics.push(Diagnostic {
            code: rule.code,
            severity: rule.severity,
            message,
            help,
            file: MARKETPLACE_JSON.to_owned(),
            span,
            labels: Vec::new(),
            hosts: Vec::new(),
            is_install_only: false,
        });
    }

    fn report(mut self) -> Report {
        self.diagnostics.sort_by_key(|found| (found.span, found.code));
        let refused = self.diagnostics.iter().any(|found| found.severity == Severity::Error);
        Report {
            name: self.name,
            version: None,
            verdict: if refused { Verdict::Refuse } else { Verdict::Accept },
            diagnostics: self.diagnostics,
            module: None,
            facts: None,
            setup: Setup::default(),
            sources: vec![Source { path: MARKETPLACE_JSON.to_owned(), text: self.text.into() }],
        }
    }
}
