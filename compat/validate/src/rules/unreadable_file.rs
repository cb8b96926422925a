//! A file cannot be read.

use crate::files::Entry;
use crate::found::Found;

rule! {
    /// # What
    ///
    /// A file the mod names is not UTF-8, too large, no regular file, or a link that leaves the folder.
    ///
    /// # Why
    ///
    /// A host would read something else than the reviewer sees, or nothing.
    ///
    /// # Example
    ///
    /// ```json
    /// { "modules": ["./socket.js"] }
    /// ```
    ///
    /// # Instead
    ///
    /// Put a regular UTF-8 file there.
    ///
    /// # Source
    ///
    /// Reasoning: only regular files of the folder get installed.
    RULE = "unreadable-file", Error, "a file cannot be read"
}

/// What is there instead of a text.
pub(crate) fn report(found: &mut Found, path: &str, entry: &Entry) {
    let message = match entry {
        Entry::Bytes(bytes) => {
            let valid = std::str::from_utf8(bytes).err().map_or(0, |error| error.valid_up_to());
            format!("the file is not UTF-8 (from byte {valid} on)")
        }
        Entry::TooLarge(size) => format!("the file is too large to be read ({size} bytes)"),
        Entry::NotAFile(kind) => format!("this is no regular file but a {kind}"),
        Entry::Outside => "this link leaves the mod's folder".to_owned(),
        Entry::Text(_) => return,
    };
    found.of(&RULE, path, message);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    use crate::{Entry, MemoryFiles, Options, validate};

    #[track_caller]
    fn message(entry: Entry) -> String {
        let mut files = MemoryFiles::new();
        files.text(".claude-plugin/plugin.json", r#"{"name":"probe"}"#).entry("hooks/hooks.json", entry);
        let report = validate(&files, &Options::default());
        let found = report.diagnostics.iter().find(|found| found.code == "unreadable-file").unwrap();
        assert_eq!((found.file.as_str(), found.span), ("hooks/hooks.json", None));
        found.message.clone()
    }

    #[test]
    fn says_what_is_there() {
        assert_eq!(message(Entry::Bytes(vec![b'{', 0xff])), "the file is not UTF-8 (from byte 1 on)");
        assert_eq!(message(Entry::TooLarge(9)), "the file is too large to be read (9 bytes)");
        assert_eq!(message(Entry::NotAFile("fifo")), "this is no regular file but a fifo");
        assert_eq!(message(Entry::Outside), "this link leaves the mod's folder");
    }

    #[test]
    fn a_text_is_no_finding() {
        check("unreadable-file", "\n//- /hooks/register.js\nexport function register(on) {}\n");
    }
}
