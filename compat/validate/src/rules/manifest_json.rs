//! The manifest is not a JSON object.

use crate::found::Found;
use crate::manifest::PATH;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// `.claude-plugin/plugin.json` is missing, is no JSON, or holds something else than an object.
    ///
    /// # Why
    ///
    /// Without it the host does not know the folder as a plugin. JSON has no comments and no trailing commas.
    ///
    /// # Example
    ///
    /// ```json
    /// { "name": "mine", }
    /// ```
    ///
    /// # Instead
    ///
    /// Write the object as strict JSON.
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "manifest-json", Error, "the manifest is not a JSON object"
}

/// What is wrong with the text.
pub(crate) fn report(found: &mut Found, text: &Text, at: (u32, u32), message: &str) {
    found.at(&RULE, text, at, message);
}

/// There is none.
pub(crate) fn missing(found: &mut Found) {
    found.of(&RULE, PATH, "there is no manifest").help("write .claude-plugin/plugin.json with at least a name");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn no_json_and_no_object() {
        check(
            "manifest-json",
            r#"
    //- /.claude-plugin/plugin.json
    { "name": "mine", }
                      ^ manifest-json
    "#,
        );
        check(
            "manifest-json",
            r#"
    //- /.claude-plugin/plugin.json
    ["mine"]
    ^^^^^^^^ manifest-json
    "#,
        );
    }

    #[test]
    fn none_at_all() {
        let report = crate::validate(&crate::MemoryFiles::new(), &crate::Options::default());
        assert_eq!(report.diagnostics[0].code, "manifest-json");
    }
}
