//! The value of `next(e)` at `engine.create` is used like any other value.

use super::dollar_bound::place;
use crate::scan::Scan;
use crate::tree::Role;

rule! {
    /// # What
    ///
    /// In an `engine.create` hook, what `next(e)` gives is `$` as the mods beneath made it. It is bound with `let`,
    /// passed to a function, compared, or read without a call.
    ///
    /// # Why
    ///
    /// It is under the same rules as `$`, and the host follows it no further than a `const` in the hook.
    ///
    /// # Example
    ///
    /// ```js
    /// on('engine.create', async ($, e, next) => {
    ///   const beneath = await next(e)
    ///   return Object.assign({}, beneath, { voice: {} })
    /// })
    /// ```
    ///
    /// # Instead
    ///
    /// Spread it into the answer:
    ///
    /// ```js
    /// on('engine.create', async ($, e, next) => ({ ...(await next(e)), voice: voice() }))
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "create-value", Error, "the value of `next(e)` at `engine.create` is used like any other value"
}

/// In a place that keeps or reads it.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), role: Role<'_>) {
    let message = format!("what next(e) gives at engine.create is {}", place(role));
    scan.refuse(&RULE, unit, at, message).help("spread it into the object the hook returns");
}

/// `let beneath = await next(e)`.
pub(crate) fn not_const(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "what next(e) gives at engine.create is bound with let or var").help("use const");
}

/// `next` itself handed on.
pub(crate) fn next_elsewhere(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "next of an engine.create hook is passed on; its value is $")
        .help("call next(e) in the hook itself");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn kept_passed_and_compared() {
        check(
            "create-value",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('engine.create', async ($, e, next) => {
        let changing = await next(e)
    //      ^^^^^^^^ create-value
        const beneath = await next(e)
        Object.keys(beneath)
    //              ^^^^^^^ create-value
        if (beneath) {}
    //      ^^^^^^^ create-value
        run(next)
    //      ^^^^ create-value
        return { ...beneath, voice: {} }
      })
    }
    "#,
        );
    }
}
