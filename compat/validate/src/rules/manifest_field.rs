//! A field of the manifest has the wrong type.

use crate::found::Found;
use crate::json::Json;
use crate::report::Severity;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// A field the host reads holds something else than it should.
    ///
    /// # Why
    ///
    /// The host refuses the whole manifest for it.
    ///
    /// # Example
    ///
    /// ```json
    /// { "name": "mine", "keywords": "guard, bash" }
    /// ```
    ///
    /// # Instead
    ///
    /// Give it the type it has:
    ///
    /// ```json
    /// { "name": "mine", "keywords": ["guard", "bash"] }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "manifest-field", Error, "a field of the manifest has the wrong type"
}

/// A value of another type.
pub(crate) fn wrong(found: &mut Found, text: &Text, key: &str, value: &Json, should: &str) {
    found.at(&RULE, text, (value.start, value.end), format!("{key} is {} and should be {should}", value.kind()));
}

/// A field that has to be there.
pub(crate) fn missing(found: &mut Found, text: &Text, at: (u32, u32), key: &str) {
    found.at(&RULE, text, at, format!("{key} is missing"));
}

/// Hosts go on without it.
pub(crate) fn advised(found: &mut Found, text: &Text, name: &str, value: &Json, should: &str) {
    let message = format!("{name} is {} and should be {should}", value.kind());
    found.at(&RULE, text, (value.start, value.end), message).severity(Severity::Warning);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn types_of_fields() {
        check(
            "manifest-field",
            r#"
    //- /.claude-plugin/plugin.json
    {
      "name": "mine",
      "version": 1,
                 ^ manifest-field
      "author": { "email": "x" },
                ^^^^^^^^^^^^^^^^ manifest-field
      "keywords": ["a", 2],
                        ^ manifest-field
      "homepage": "x",
                  ^^^ manifest-field
      "repository": { "url": "x" },
                    ^^^^^^^^^^^^^^ manifest-field
      "hooks": 5
               ^ manifest-field
    }
    "#,
        );
    }
}
