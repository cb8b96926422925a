//! The name of the mod is missing or reserved.

use crate::found::Found;
use crate::json::Json;
use crate::report::Severity;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// `name` is not a text, empty, holds spaces, or passes as one of Anthropic's own. As a warning: it is not in
    /// kebab case.
    ///
    /// # Why
    ///
    /// Names are what `pluginConfigs`, state addresses and marketplaces go by. Reserved are what begins with
    /// claude-, anthropic-, anthropics- or cc-plugin-, the names claude, anthropic, anthropics, claude-code and
    /// claude-mods, and official beside claude or anthropic.
    ///
    /// # Example
    ///
    /// ```json
    /// { "name": "claude-guard" }
    /// ```
    ///
    /// # Instead
    ///
    /// Name it for what it does, in lower-case letters, digits and single hyphens:
    ///
    /// ```json
    /// { "name": "shell-guard" }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "manifest-name", Error, "the name of the mod is missing or reserved"
}

const STARTS: [&str; 4] = ["claude-", "anthropic-", "anthropics-", "cc-plugin-"];
const NAMES: [&str; 5] = ["claude", "anthropic", "anthropics", "claude-code", "claude-mods"];

/// The name, if there is one, is one a mod may have.
pub(crate) fn check(found: &mut Found, text: &Text, json: &Json) {
    let Some(name) = json.get("name") else {
        found.at(&RULE, text, (json.start, json.start + 1), "the manifest has no name").help("add \"name\": \"...\"");
        return;
    };
    let at = (name.start, name.end);
    let Some(given) = name.text() else {
        found.at(&RULE, text, at, format!("the name is {} and should be a text", name.kind()));
        return;
    };
    let lower = given.to_lowercase();
    let own = ["claude", "anthropic"].into_iter().any(|own| lower.contains(own));
    if given.is_empty() {
        found.at(&RULE, text, at, "the name is empty");
    } else if given.contains(|c: char| c.is_control() || turns_text(c)) {
        found.at(&RULE, text, at, "a name holds no control characters and none that turn text around");
    } else if given.contains(char::is_whitespace) {
        found.at(&RULE, text, at, "a name holds no spaces").help("use hyphens");
    } else if NAMES.contains(&lower.as_str())
        || STARTS.iter().any(|start| lower.starts_with(start))
        || (own && lower.contains("official"))
    {
        found
            .at(&RULE, text, at, format!("the name {given:?} is reserved: it passes as one of Anthropic's own"))
            .install_only()
            .help("name it for what it does");
    } else if !kebab(given) {
        found.at(&RULE, text, at, format!("the name {given:?} is not in kebab case")).severity(Severity::Warning).help(
            "marketplaces take lower-case letters, digits and single hyphens between them; some other names cannot be installed at all",
        );
    }
}

/// Characters that change the direction in which text is shown.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn kebab(name: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    name.split('-').all(word)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    use crate::{MemoryFiles, Options, Severity, validate};

    #[track_caller]
    fn name(name: &str, severity: Option<Severity>) {
        let mut files = MemoryFiles::new();
        files.text(".claude-plugin/plugin.json", serde_json::json!({ "name": name }).to_string());
        let report = validate(&files, &Options::default());
        assert_eq!(
            report.diagnostics.iter().find(|found| found.code == "manifest-name").map(|found| found.severity),
            severity
        );
    }

    // Each as the real validator judges it.
    #[test]
    fn names() {
        for fine in ["guard", "a-1", "official-x", "engine", "agent"] {
            name(fine, None);
        }
        for refused in [
            "",
            "a b",
            "a\u{7f}b",
            "a\u{202e}b",
            "claude",
            "claude-x",
            "anthropic",
            "anthropics-x",
            "cc-plugin-x",
            "claude-plugins-official",
        ] {
            name(refused, Some(Severity::Error));
        }
        for warned in ["A", "a_b", "a.b", "-a", "a-", "a--b", "@a/b"] {
            name(warned, Some(Severity::Warning));
        }
    }

    #[test]
    fn at_the_name() {
        check(
            "manifest-name",
            r#"
    //- /.claude-plugin/plugin.json
    { "version": "1", "name": "claude" }
                              ^^^^^^^^ manifest-name
    "#,
        );
        check(
            "manifest-name",
            r#"
    //- /.claude-plugin/plugin.json
    { "version": "1" }
    ^ manifest-name
    "#,
        );
    }
}
