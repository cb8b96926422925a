use serde_json::{Value, json};
use similar::TextDiff;

/// The difference as hunks with three lines of context: `{oldStart, oldLines, newStart, newLines, lines}`.
pub(super) fn structured_patch(old: &str, new: &str) -> Value {
    let diff = TextDiff::from_lines(old, new);
    let hunks = diff.grouped_ops(3).into_iter().map(|ops| {
        let mut lines = Vec::new();
        for op in &ops {
            for change in diff.iter_changes(op) {
                lines.push(format!("{}{}", change.tag(), change.value().trim_end_matches(['\n', '\r'])));
            }
        }
        let (first, last) = (&ops[0], &ops[ops.len() - 1]);
        let (old, new) = (first.old_range().start..last.old_range().end, first.new_range().start..last.new_range().end);
        json!({
            "oldStart": start(&old), "oldLines": old.len(),
            "newStart": start(&new), "newLines": new.len(),
            "lines": lines,
        })
    });
    Value::Array(hunks.collect())
}

/// Lines count from 1; an empty range names the line before it.
fn start(range: &std::ops::Range<usize>) -> usize {
    if range.is_empty() { range.start } else { range.start + 1 }
}

/// The schema of such hunks.
pub(super) fn patch_schema() -> Value {
    json!({ "type": "array", "items": { "type": "object",
        "required": ["oldStart", "oldLines", "newStart", "newLines", "lines"],
        "properties": {
            "oldStart": { "type": "integer" }, "oldLines": { "type": "integer" },
            "newStart": { "type": "integer" }, "newLines": { "type": "integer" },
            "lines": { "type": "array", "items": { "type": "string" } },
        },
    }})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_changed_line_is_one_hunk() {
        let patch = structured_patch("a\nb\nc\n", "a\nB\nc\n");
        let expected = json!([{
            "oldStart": 1, "oldLines": 3, "newStart": 1, "newLines": 3, "lines": [" a", "-b", "+B", " c"],
        }]);
        assert_eq!(patch, expected);
    }

    #[test]
    fn a_new_file_begins_at_nothing() {
        let patch = structured_patch("", "x\n");
        assert_eq!(patch[0]["oldStart"], 0);
        assert_eq!(patch[0]["newStart"], 1);
        assert_eq!(patch[0]["lines"], json!(["+x"]));
    }
}
