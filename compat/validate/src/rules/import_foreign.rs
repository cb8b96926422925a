//! Something else than the mod's own files is imported.

use crate::found::Found;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// An import names a package, a Node module, an address or an absolute path.
    ///
    /// # Why
    ///
    /// A hooks module has its own files and `claude-code`, nothing else: no packages are installed with a mod, and
    /// Node's modules would reach past `$`.
    ///
    /// # Example
    ///
    /// ```js
    /// import fs from 'node:fs'
    /// ```
    ///
    /// # Instead
    ///
    /// Use `$` for what the host can do, and copy or bundle what you need:
    ///
    /// ```js
    /// const text = await $.fs.read('notes.md')
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it. `import type` is gone when types are, so it may name anything.
    RULE = "import-foreign", Error, "something else than the mod's own files is imported"
}

/// A specifier that is neither relative nor `claude-code`.
pub(crate) fn report(found: &mut Found, text: &Text, at: (u32, u32), specifier: &str) {
    let help = if specifier.starts_with("node:") {
        "use $.fs, $.process, $.http and $.env"
    } else if specifier.starts_with("claude-code/") {
        "a hooks module imports \"claude-code\"; \"claude-code/testing\" is for test files"
    } else {
        "copy or bundle the code into the mod and import it by a relative path"
    };
    found.at(&RULE, text, at, format!("{specifier:?} is not one of the mod's own files")).help(help);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn packages_node_and_addresses() {
        check(
            "import-foreign",
            r#"
    //- /hooks/register.ts
    import _ from 'lodash'
    //            ^^^^^^^^ import-foreign
    import fs from 'node:fs'
    //             ^^^^^^^^^ import-foreign
    export * from 'https://example.com/x.js'
    //            ^^^^^^^^^^^^^^^^^^^^^^^^^^ import-foreign
    import { test } from 'claude-code/testing'
    //                   ^^^^^^^^^^^^^^^^^^^^^ import-foreign
    import '/etc/passwd'
    //     ^^^^^^^^^^^^^ import-foreign
    import { atom } from 'claude-code'
    import type { X } from 'lodash'
    import { type Y } from 'lodash/y'
    export function register(on) {}
    "#,
        );
    }
}
