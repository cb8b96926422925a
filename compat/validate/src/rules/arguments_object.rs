//! `arguments` is read where it would hold `$` or `on`.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// A function that receives `$` or `on` reads `arguments`.
    ///
    /// # Why
    ///
    /// `arguments` holds the same values under no name, so the host could not follow them.
    ///
    /// # Example
    ///
    /// ```js
    /// on('tool.call', async function ($, e, next) {
    ///   return arguments[2](e)
    /// })
    /// ```
    ///
    /// # Instead
    ///
    /// Use the parameters by their names, or a rest parameter in a function that receives neither.
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "arguments-object", Error, "`arguments` is read where it would hold `$` or `on`"
}

/// `arguments` in a function that holds `held`.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), held: &str) {
    scan.refuse(&RULE, unit, at, format!("arguments is read in a function that is handed {held}"))
        .help("use the parameters by their names");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn in_hooks_helpers_and_register() {
        check(
            "arguments-object",
            r#"
    //- /hooks/register.js
    function helper($) { return () => arguments[0] }
    //                                ^^^^^^^^^ arguments-object
    function free() { return arguments }
    export function register(on) {
      on('session.start', async function ($, e, next) { helper($); free(); return arguments[2](e) })
    //                                                                            ^^^^^^^^^ arguments-object
      on('session.end', async ($, e, next) => { const o = { arguments: 1 }; return next(e) })
    }
    "#,
        );
    }
}
