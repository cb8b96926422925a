//! Values that look like secrets never reach a receipt.

use std::sync::LazyLock;

use modgate_value::Value;
use regex::{Captures, Regex};

/// What stands in a secret's place.
const MASK: &str = "***";
/// Texts longer than this many characters are cut.
const LONGEST: usize = 200;
/// Lists and objects longer than this are cut.
const MOST: usize = 50;
/// Deeper than this nothing is shown.
const DEEPEST: usize = 6;

static SECRET_NAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(token|secret|passw|passphrase|api[_-]?key|private[_-]?key|access[_-]?key|credential|authorization|cookie|session[_-]?key)",
    )
});

/// `name=value`, `name: value` and `--name value` where the name says that the value is a secret.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    const NAME: &str = "[\\w-]*(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|private[_-]?key|access[_-]?key|credential|authorization|cookie)[\\w-]*";
    let value = r#"(?:(?:bearer|basic|token)\s+)?(?:"[^"]*"|'[^']*'|[^\s"',;]+)"#;
    pattern(&format!(r#"(?i)({NAME}["']?\s*[=:]\s*|-{NAME}\s+){value}"#))
});

/// An argument whose next one is a secret.
static OPTION: LazyLock<Regex> = LazyLock::new(|| pattern(r"^--?[\w-]+$"));

/// Things that are secrets by their own look.
static SHAPED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
        r"|\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}",
        r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bnpm_[A-Za-z0-9]{30,}",
        r"|\bxox[abeprs]-[\w-]{10,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}",
        r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",
        r"|(?i:\bbearer\s+)[\w.~+/=-]{8,}",
    ))
});

/// The password of a URL.
static IN_URL: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\w://[^/\s:@]*:)[^/\s@]+@"));

fn pattern(text: &str) -> Regex {
    #[expect(clippy::expect_used, reason = "constants, compiled by the tests below")]
    Regex::new(text).expect("a constant pattern")
}

/// Text with what looks like a secret replaced by `***`.
pub fn mask_text(text: &str) -> String {
    let text = SHAPED.replace_all(text, MASK);
    let text = IN_URL.replace_all(&text, |found: &Captures<'_>| format!("{}{MASK}@", &found[1]));
    NAMED.replace_all(&text, |found: &Captures<'_>| format!("{}{MASK}", &found[1])).into_owned()
}

/// A value as a receipt may show it: secrets masked by their field's name or their own look, long parts cut.
pub fn mask(value: &Value) -> serde_json::Value {
    masked(value, 0)
}

fn masked(value: &Value, depth: usize) -> serde_json::Value {
    match value {
        Value::Object(_) | Value::Array(_) if depth == DEEPEST => "…".into(),
        Value::String(text) => shown(text).into(),
        Value::Array(values) => list(values, depth),
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| !value.is_undefined())
            .take(MOST)
            .map(|(name, value)| {
                let secret = SECRET_NAME.is_match(name) && (value.as_str().is_some() || value.as_array().is_some());
                (name.to_string(), if secret { MASK.into() } else { masked(value, depth + 1) })
            })
            .collect::<serde_json::Map<_, _>>()
            .into(),
        plain => plain.to_json_lossy(),
    }
}

/// A list, in which `--token` says that what follows is a secret.
fn list(values: &[Value], depth: usize) -> serde_json::Value {
    let announces = |value: &Value| value.as_str().is_some_and(|it| OPTION.is_match(it) && SECRET_NAME.is_match(it));
    let shown = values.iter().take(MOST).enumerate().map(|(at, value)| {
        let announced = at.checked_sub(1).and_then(|before| values.get(before)).is_some_and(announces);
        if announced { MASK.into() } else { masked(value, depth + 1) }
    });
    shown.collect()
}

/// Text as a receipt may show it. Only its beginning is looked at: nothing of a long text is shown beyond it.
pub(crate) fn shown(text: &str) -> String {
    let beginning = &text[..text.floor_char_boundary(LONGEST * 16)];
    let masked = mask_text(beginning);
    let end = masked.char_indices().nth(LONGEST).map_or(masked.len(), |(end, _)| end);
    if end == masked.len() && beginning.len() == text.len() {
        return masked;
    }
    format!("{}… ({} bytes)", &masked[..end], text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_go_by_name_and_by_look() {
        for text in [
            "curl -H 'Authorization: Bearer abc.def-0123456789'",
            "API_KEY=s3cr3t-value run",
            "login --password hunter2-s3cr3t-value",
            "https://me:s3cr3t-value@host/x",
            "ghp_s3cr3tvalue0123456789abcdef",
            "key sk-s3cr3t-value-0123456789",
            "-----BEGIN RSA PRIVATE KEY-----\ns3cr3t-value\n-----END RSA PRIVATE KEY-----",
        ] {
            let shown = mask_text(text);
            assert!(shown.contains(MASK), "{shown}");
            for leak in ["s3cr3t", "abc.def", "hunter2"] {
                assert!(!shown.contains(leak), "{shown}");
            }
        }
    }

    #[test]
    fn ordinary_text_stays() {
        for text in ["git status --short", "https://host:8080/a@b", "the tokenizer reads words", "/home/me/keys.md"] {
            assert_eq!(mask_text(text), text);
        }
    }

    #[test]
    fn an_option_announces_a_secret() {
        let argv = Value::list(["login", "--password", "hunter2", "--user", "me"].map(Value::from));
        assert_eq!(mask(&argv), serde_json::json!(["login", "--password", MASK, "--user", "me"]));
    }

    #[test]
    fn fields_are_masked_by_name_and_long_ones_cut() {
        let headers = Value::object([("Authorization", Value::from("x")), ("Accept", Value::from("text/plain"))]);
        let input = Value::object([("headers", headers), ("body", Value::from("é".repeat(300)))]);
        let shown = mask(&input);
        assert_eq!(shown["headers"]["Authorization"], MASK);
        assert_eq!(shown["headers"]["Accept"], "text/plain");
        let long = format!("{}sk-0123456789abcdef0123", "x ".repeat(95));
        assert_eq!(mask_text(&long), format!("{}***", "x ".repeat(95)));
        assert_eq!(shown["body"], format!("{}… (600 bytes)", "é".repeat(200)));
    }
}
