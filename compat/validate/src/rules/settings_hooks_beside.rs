//! There are settings hooks beside the module.

use crate::found::Found;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// The file that names the hooks module holds settings hooks as well.
    ///
    /// # Why
    ///
    /// They run as programs with the person's rights, with no `$` in between, so who reviews the module sees half
    /// of the plugin.
    ///
    /// # Example
    ///
    /// ```json
    /// { "modules": ["./register.ts"], "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "./done" }] }] } }
    /// ```
    ///
    /// # Instead
    ///
    /// Nothing needs to change. Look at what they run, or do the same in the module.
    ///
    /// # Source
    ///
    /// Reported by users; `claude plugin validate` 2.1.332 does not mention it.
    RULE = "settings-hooks-beside", Note, "there are settings hooks beside the module"
}

/// How many there are.
pub(crate) fn report(found: &mut Found, text: &Text, at: (u32, u32), count: usize) {
    found.at(&RULE, text, at, format!("{count} settings hook(s) run beside the module, without going through $"));
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn beside_a_module_only() {
        check(
            "settings-hooks-beside",
            r#"
    //- /hooks/hooks.json
    { "modules": ["./register.js"], "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }] } }
                                    ^^^^^^^ settings-hooks-beside
    //- /hooks/register.js
    export function register(on) {}
    "#,
        );
        check(
            "settings-hooks-beside",
            r#"
    //- /hooks/hooks.json
    { "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }] } }
    "#,
        );
    }
}
