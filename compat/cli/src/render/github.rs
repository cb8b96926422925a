//! Annotations: lines that a GitHub workflow shows beside the code.

use std::fmt::Write as _;

use modgate_validate::Severity;

use super::{Checked, message, safe};

/// A line a finding.
pub(crate) fn report(checked: &Checked) -> String {
    let mut text = String::new();
    for found in &checked.report.diagnostics {
        let kind = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let file = property(&checked.folder.shown_file(&found.file));
        let mut place = format!("file={file}");
        if let Some(span) = found.span {
            let _ = write!(place, ",line={},endLine={},col={}", span.line, span.end_line, span.column);
            // A column range makes sense to GitHub within one line only.
            if span.line == span.end_line {
                let _ = write!(place, ",endColumn={}", span.end_column);
            }
        }
        let mut message = safe::visible(&message(found)).into_owned();
        if let Some(help) = &found.help {
            message.push('\n');
            message.push_str(&safe::visible(help));
        }
        let _ = writeln!(text, "::{kind} {place},title={}::{}", property(found.code), data(&message));
    }
    text
}

/// Workflow commands end at a line break, and `%` starts an escape.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// In a property, `:` and `,` end it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn nothing_ends_a_command_early() {
        assert_eq!(data("100%: a\r\nb"), "100%25: a%0D%0Ab");
        assert_eq!(property("a,b:c\n::error::"), "a%2Cb%3Ac%0A%3A%3Aerror%3A%3A");
    }
}
