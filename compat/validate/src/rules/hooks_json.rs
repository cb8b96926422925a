//! `hooks.json` is not what the host expects.

use crate::found::Found;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// The file is no JSON, no object, or has neither `modules` nor `hooks`.
    ///
    /// # Why
    ///
    /// At run time this breaks the load of the whole plugin. Unlike in the manifest, a byte order mark is not
    /// tolerated here.
    ///
    /// # Example
    ///
    /// ```json
    /// { "module": ["./register.ts"] }
    /// ```
    ///
    /// # Instead
    ///
    /// Name the module:
    ///
    /// ```json
    /// { "modules": ["./register.ts"] }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "hooks-json", Error, "`hooks.json` is not what the host expects"
}

/// What is wrong with it.
pub(crate) fn report(found: &mut Found, text: &Text, at: (u32, u32), message: &str) {
    found.at(&RULE, text, at, message);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn neither_and_no_json() {
        check(
            "hooks-json",
            r#"
    //- /hooks/hooks.json
    { "module": ["./register.js"] }
    ^ hooks-json
    "#,
        );
        check(
            "hooks-json",
            r#"
    //- /hooks/hooks.json
    { "modules": [] }
                 ^^ hooks-json
    "#,
        );
        check(
            "hooks-json",
            r#"
    //- /hooks/hooks.json
    { "modules": ["./register.js"] /* x */ }
                                   ^ hooks-json
    "#,
        );
    }

    #[test]
    fn a_byte_order_mark_is_refused() {
        let mut files = crate::MemoryFiles::new();
        files.text("hooks/hooks.json", "\u{feff}{ \"modules\": [] }");
        let report = crate::validate(&files, &crate::Options::default());
        let found = report.diagnostics.iter().find(|found| found.code == "hooks-json").unwrap();
        assert_eq!((found.span.unwrap().start, found.span.unwrap().end), (0, 3));
        check("hooks-json", "\n//- /hooks/register.js\nexport function register(on) {}\n");
    }
}
