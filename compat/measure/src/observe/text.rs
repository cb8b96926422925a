//! Texts: reminders cut out of what the model reads, and the words looked for in it.

use serde_json::Value;

use super::Reading;

const OPEN: &str = "<system-reminder>";
const CLOSE: &str = "</system-reminder>";

/// A text without its reminders, and the reminders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// What is left, trimmed.
    pub text: String,
    /// The reminders, trimmed, in order.
    pub reminders: Vec<String>,
}

/// Cuts `<system-reminder>` blocks out of a text. One that is not closed reaches to the end.
pub fn split_reminders(text: &str) -> Split {
    let mut split = Split::default();
    let mut rest = text;
    while let Some(open) = rest.find(OPEN) {
        split.text.push_str(&rest[..open]);
        let inner = &rest[open + OPEN.len()..];
        let end = inner.find(CLOSE).unwrap_or(inner.len());
        split.reminders.push(inner[..end].trim().to_owned());
        rest = inner.get(end + CLOSE.len()..).unwrap_or_default();
    }
    split.text.push_str(rest);
    split.text = split.text.trim().to_owned();
    split
}

/// Notes which words a text holds. A stored reading has no text; what it notes stays.
pub(super) fn find(reading: &mut Reading, words: &[String]) {
    if let Some(text) = &reading.text {
        reading.words = words.iter().filter(|word| text.contains(word.as_str())).cloned().collect();
    }
}

/// Notes the words and drops texts without any.
pub(super) fn keep_found(readings: &mut Vec<Reading>, words: &[String]) {
    readings.iter_mut().for_each(|reading| find(reading, words));
    readings.retain(|reading| !reading.words.is_empty());
}

/// Takes a folder off every path in a value.
pub(super) fn relative(value: &mut Value, folder: &str) {
    match value {
        Value::String(text) if text.contains(folder) => {
            *text = text.replace(&format!("{folder}/"), "").replace(folder, ".");
        }
        Value::Array(items) => items.iter_mut().for_each(|item| relative(item, folder)),
        Value::Object(fields) => fields.values_mut().for_each(|field| relative(field, folder)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reminders_are_cut_out_wherever_they_stand() {
        let split = split_reminders("ran B\n\n<system-reminder>\none\n</system-reminder>\n<system-reminder>two");
        assert_eq!(split.text, "ran B");
        assert_eq!(split.reminders, ["one", "two"]);
        assert_eq!(split_reminders("nothing").text, "nothing");
    }

    #[test]
    fn paths_become_relative() {
        let mut value = serde_json::json!({ "path": "/w/dir/out.txt", "list": ["cd /w/dir && ls /w/other"] });
        relative(&mut value, "/w/dir");
        assert_eq!(value, serde_json::json!({ "path": "out.txt", "list": ["cd . && ls /w/other"] }));
    }

    #[test]
    fn texts_of_the_host_alone_are_left_out() {
        let words = ["ran B".to_owned(), "not today".to_owned()];
        let mut readings = vec![Reading::new("you may not: not today", true), Reading::new("host", false)];
        keep_found(&mut readings, &words);
        assert_eq!(readings.len(), 1);
        assert_eq!(readings[0].words, ["not today"]);
    }
}
