//! An `engine.create` hook is not written in the form that can be read.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// The hook has a matcher, is the second one, returns in more than one place, or builds its answer by something
    /// else than one object with a spread of what `next(e)` gave.
    ///
    /// # Why
    ///
    /// What it adds to `$`, replaces and withholds is listed before any mod runs, so it has one form.
    ///
    /// # Example
    ///
    /// ```js
    /// on('engine.create', async ($, e, next) => {
    ///   const beneath = await next(e)
    ///   if (beneath.voice) return beneath
    ///   return { ...beneath, voice: voice() }
    /// })
    /// ```
    ///
    /// # Instead
    ///
    /// Add in one returned object, withhold by taking names out:
    ///
    /// ```js
    /// on('engine.create', async ($, e, next) => {
    ///   const { process, ...beneath } = await next(e)
    ///   return { voice: voice(), ...beneath }
    /// })
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it. Behind the spread a noun is added, before it only where it is
    /// not there yet.
    RULE = "create-form", Error, "an `engine.create` hook is not written in the form that can be read"
}

/// What is outside the form.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), what: &str) {
    scan.fault(&RULE, unit, at, format!("this engine.create hook is outside its form: {what}"))
        .help("write: const { withheld, ...beneath } = await next(e); return { ...beneath, noun: value() }");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn outside_the_form() {
        check(
            "create-form",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('engine.create', async ($, e, next) => {
        const beneath = await next(e)
        if (e.x) return { ...beneath, a: {} }
    //           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ create-form
        return { ...beneath, b: {} }
      })
    }
    "#,
        );
        check(
            "create-form",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('engine.create', { a: 1 }, async ($, e, next) => next(e))
    //                    ^^^^^^^^ create-form
    }
    "#,
        );
        check(
            "create-form",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('engine.create', async ($, e, next) => ({ ...(await next(e)), [e.x]: {} }))
    //                                                                 ^^^^^ create-form
    }
    "#,
        );
        check(
            "create-form",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('engine.create', async ($, e, next) => {
        const beneath = await next(e)
        const f = () => beneath
    //                  ^^^^^^^ create-form
        return beneath
      })
    }
    "#,
        );
        check(
            "create-form",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('engine.create', async ($, e, next) => ({ ...(await next(e)), text: 'x' }))
    //                                                                       ^^^ create-form
    }
    "#,
        );
    }
}
