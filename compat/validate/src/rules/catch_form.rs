//! A `.catch` handler is registered in a form the host refuses.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// `.catch` is called without a handler, with more than one argument, or on an `engine.create` hook.
    ///
    /// # Why
    ///
    /// The handler answers in place of a hook that failed. `engine.create` has none: where it fails, the mod does
    /// not load.
    ///
    /// # Example
    ///
    /// ```js
    /// on('engine.create', hook).catch(handler)
    /// ```
    ///
    /// # Instead
    ///
    /// Give `.catch` one handler, and none to `engine.create`.
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "catch-form", Error, "a `.catch` handler is registered in a form the host refuses"
}

/// Not one argument.
pub(crate) fn count(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), count: usize) {
    scan.refuse(&RULE, unit, at, format!(".catch takes one handler, not {count} argument(s)"));
}

/// On `engine.create`.
pub(crate) fn on_create(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "an engine.create hook has no .catch: where it fails, the mod does not load");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn handlers_that_are_refused() {
        check(
            "catch-form",
            r#"
    //- /hooks/register.js
    const hook = async ($, e, next) => next(e)
    export function register(on) {
      on('session.start', hook).catch()
    //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ catch-form
      on('session.end', hook).catch(hook, hook)
    //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ catch-form
      on('engine.create', async ($, e, next) => next(e)).catch(hook)
    //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ catch-form
    }
    "#,
        );
    }
}
