//! What a failed expectation compared, and where in the test.

use modgate_engine::Position;
use modgate_value::Value;

/// The two sides of an expectation that did not hold, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// What the test says about it.
    pub note: Option<String>,
    /// The expectation, as in `expect(…).not.toBe(…)`.
    pub call: String,
    /// What was expected; absent where the call says it all.
    pub expected: Option<String>,
    /// What there was instead.
    pub received: String,
    /// Lines marked `-` (expected only), `+` (received only) or with a space (both), where a side has several.
    pub diff: Option<String>,
}

impl Comparison {
    /// As the kit writes it.
    pub(super) fn read(value: &Value) -> Option<Comparison> {
        let text = |key: &str| value.str_at(key).map(str::to_string);
        Some(Comparison {
            note: text("note"),
            call: text("call")?,
            expected: text("expected"),
            received: text("received").unwrap_or_default(),
            diff: text("diff"),
        })
    }
}

/// The innermost place of a stack that lies below `root`: lines end in `file:///path:line:column`, in brackets or bare.
pub(super) fn place(stack: &str, root: &str) -> Option<Position> {
    stack.lines().find_map(|line| {
        let (_, url) = line.split_once("file://")?;
        let inside = url.trim_end_matches(')').strip_prefix(root)?.strip_prefix('/')?;
        let (rest, column) = inside.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(Position { file: file.to_string(), line: line.parse().ok()?, column: column.parse().ok()? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_frame_in_the_folder_counts() {
        let stack = "AssertionError: expect(…)\n    at fail (modgate:/testing/expect.js:3:1)\n    \
            at hook (file:///m/other/a.ts:1:2)\n    at async run (file:///m/mod/tests/a.test.ts:12:7)\n    \
            at file:///m/mod/hooks/b.ts:5:9";
        let found = place(stack, "/m/mod").map(|position| position.to_string());
        assert_eq!(found.as_deref(), Some("tests/a.test.ts:12:7"));
        assert_eq!(place("Error: gone", "/m/mod"), None);
    }
}
