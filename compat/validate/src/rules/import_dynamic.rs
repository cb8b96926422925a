//! `import()` is used.

use crate::found::Found;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// A file of the module calls `import(...)`, anywhere in it.
    ///
    /// # Why
    ///
    /// What is imported is loaded with the mod and read before it runs; an import at run time could bring in
    /// anything.
    ///
    /// # Example
    ///
    /// ```js
    /// const { x } = await import('./x.ts')
    /// ```
    ///
    /// # Instead
    ///
    /// Import it at the top:
    ///
    /// ```js
    /// import { x } from './x.ts'
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "import-dynamic", Error, "`import()` is used"
}

/// A call of `import`.
pub(crate) fn report(found: &mut Found, text: &Text, at: (u32, u32)) {
    found
        .at(&RULE, text, at, "import() is refused in a hooks module")
        .help("write an import declaration at the top of the file");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn wherever_it_stands() {
        check(
            "import-dynamic",
            r#"
    //- /hooks/register.js
    import './lib.js'
    const s = "import('./x.js')"
    export function register(on) { import.meta.url }
    //- /hooks/lib.js
    function never() { return import('./x.js') }
    //                        ^^^^^^ import-dynamic
    "#,
        );
    }
}
