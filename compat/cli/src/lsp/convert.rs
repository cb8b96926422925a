//! Our places and findings as the protocol has them, and back.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::{DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position, Range, Uri};
use modgate_validate::report::Span;
use modgate_validate::{Diagnostic, Severity};

use crate::render;

/// The path of a `file:` URI.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    url::Url::parse(uri.as_str()).ok()?.to_file_path().ok()
}

/// The URI of an absolute path.
pub(super) fn uri(path: &Path) -> Option<Uri> {
    Uri::from_str(url::Url::from_file_path(path).ok()?.as_str()).ok()
}

/// Both count UTF-16 code units, we from 1 and the protocol from 0.
pub(super) fn range(span: Span) -> Range {
    let position = |line: u32, column: u32| Position::new(line.saturating_sub(1), column.saturating_sub(1));
    Range::new(position(span.line, span.column), position(span.end_line, span.end_column))
}

/// A finding. One about a whole file stands at its start.
pub(super) fn diagnostic(found: &Diagnostic, place: &dyn Fn(&str) -> Option<Uri>) -> lsp_types::Diagnostic {
    let related: Vec<_> = found
        .labels
        .iter()
        .filter_map(|label| {
            let location = Location { uri: place(&label.at.file)?, range: range(label.at.span) };
            Some(DiagnosticRelatedInformation { location, message: label.message.clone() })
        })
        .collect();
    let help = found.help.as_deref().map(|help| format!("\n{help}")).unwrap_or_default();
    lsp_types::Diagnostic {
        range: found.span.map(range).unwrap_or_default(),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(found.code.to_owned())),
        source: Some("modgate".to_owned()),
        message: render::message(found) + &help,
        related_information: (!related.is_empty()).then_some(related),
        ..lsp_types::Diagnostic::default()
    }
}
