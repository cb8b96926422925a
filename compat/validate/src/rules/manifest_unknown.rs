//! The manifest has a field the host ignores.

use crate::found::Found;
use crate::json::Entry;
use crate::manifest::fields;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// A key of the manifest is none the host reads.
    ///
    /// # Why
    ///
    /// The host says nothing about it, so a misspelt field does nothing.
    ///
    /// # Example
    ///
    /// ```json
    /// { "name": "mine", "modules": ["./hooks/register.ts"] }
    /// ```
    ///
    /// # Instead
    ///
    /// Correct the spelling. Hooks modules are named in `hooks/hooks.json`; `category`, `tags`, `source` and
    /// `strict` belong to the marketplace's entry.
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 warns as well.
    RULE = "manifest-unknown", Warning, "the manifest has a field the host ignores"
}

/// A key nobody reads.
pub(crate) fn report(found: &mut Found, text: &Text, entry: &Entry) {
    let key = entry.key.as_str();
    let nearest =
        fields::names().map(|name| (strsim::damerau_levenshtein(key, name), name)).min().filter(|(far, _)| *far <= 2);
    let help = match (key, nearest) {
        ("modules" | "module", _) => "name the hooks module in hooks/hooks.json".to_owned(),
        ("category" | "tags" | "source" | "strict", _) => "this belongs to the marketplace's entry".to_owned(),
        (_, Some((_, name))) => format!("did you mean {name:?}?"),
        _ => "remove it, or check the spelling".to_owned(),
    };
    found.at(&RULE, text, (entry.start, entry.end), format!("the host ignores {key:?}")).help(help);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn unknown_fields() {
        check(
            "manifest-unknown",
            r#"
    //- /.claude-plugin/plugin.json
    { "name": "mine", "modules": ["./hooks/register.js"], "nmae": "x", "license": "MIT" }
                      ^^^^^^^^^ manifest-unknown
                                                          ^^^^^^ manifest-unknown
    "#,
        );
    }
}
