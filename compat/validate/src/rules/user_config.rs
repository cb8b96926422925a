//! An option of `userConfig` is declared wrongly.

use crate::found::Found;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// A field of `userConfig` has no title, no description or no known type, an unknown key, a name that is no
    /// identifier, or a list of values that does not fit.
    ///
    /// # Why
    ///
    /// A person sets options in a form made from these fields, and `register` gets them by these names.
    ///
    /// # Example
    ///
    /// ```json
    /// { "userConfig": { "limit": { "type": "integer" } } }
    /// ```
    ///
    /// # Instead
    ///
    /// Give each option its three texts:
    ///
    /// ```json
    /// { "userConfig": { "limit": { "type": "number", "title": "Limit", "description": "Calls a minute" } } }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "user-config", Error, "an option of `userConfig` is declared wrongly"
}

/// What is wrong with it.
pub(crate) fn report(found: &mut Found, text: &Text, at: (u32, u32), message: impl Into<String>) {
    found.at(&RULE, text, at, message);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn fields_of_options() {
        check(
            "user-config",
            r#"
    //- /.claude-plugin/plugin.json
    {
      "name": "mine",
      "userConfig": {
        "good": { "type": "number", "title": "t", "description": "d", "default": 5 },
        "bad name": { "type": "string", "title": "t", "description": "d" },
        ^^^^^^^^^^ user-config
        "plain": "string",
                 ^^^^^^^^ user-config
        "typed": { "type": "integer", "title": "t", "description": "d" },
                           ^^^^^^^^^ user-config
        "titled": { "type": "string", "description": "d" },
        ^^^^^^^^ user-config
        "extra": { "type": "string", "title": "t", "description": "d", "hint": 1 },
                                                                       ^^^^^^ user-config
        "choice": { "type": "string", "title": "t", "description": "d", "options": ["x"], "default": "y" },
                                                                                                     ^^^ user-config
        "needs": { "type": "string", "title": "t", "description": "d", "options": ["x"] }
                                                                                  ^^^^^ user-config
      }
    }
    "#,
        );
    }
}
