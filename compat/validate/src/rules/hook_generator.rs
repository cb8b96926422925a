//! A hook streams where it must not, or does not where it must.

use crate::known;
use crate::scan::{As, FnRef, Scan};
use modgate_catalog::pattern::Pattern;
use swc_common::Spanned;
use swc_ecma_ast::Expr;

rule! {
    /// # What
    ///
    /// A hook on `turn.step` or `process.spawn` is not an async generator, or a hook on anything else is one.
    ///
    /// # Why
    ///
    /// Streaming events hand their chunks through the hook: it yields them and returns the result. Other events
    /// take one answer. A pattern stands for many events, so it takes one answer too.
    ///
    /// # Example
    ///
    /// ```js
    /// on('turn.step', async ($, e, next) => next(e))
    /// ```
    ///
    /// # Instead
    ///
    /// Stream what `next` streams:
    ///
    /// ```js
    /// on('turn.step', async function* ($, e, next) { return yield* next(e) })
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "hook-generator", Error, "a hook streams where it must not, or does not where it must"
}

/// Is this function of the right kind for the pattern?
pub(crate) fn check(
    scan: &mut Scan<'_, '_>,
    unit: usize,
    func: FnRef,
    pattern: &Pattern,
    written: &str,
    hook: &Expr,
    given: As,
) {
    let own = scan.unit(func.0).tree.func(func.1);
    let streams = own.is_async && own.is_generator;
    let at = scan.unit(unit).parsed.offsets(hook.span());
    let head = (at.0, at.1.min(at.0 + 16));
    let word = given.word();
    if known::streams(pattern) && !streams {
        scan.refuse(&RULE, unit, head, format!("{word} on {written} is not an async generator, but {written} streams"))
            .help("write async function* ($, e, next) { return yield* next(e) }");
    } else if streams && !known::streams(pattern) {
        scan.refuse(
            &RULE,
            unit,
            head,
            format!("{word} on {written} is an async generator, but {written} takes one answer"),
        )
        .help("write async ($, e, next) => { ... }");
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn streams_and_answers() {
        check(
            "hook-generator",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('turn.step', async ($, e, next) => next(e))
    //                ^^^^^^^^^^^^^^^^ hook-generator
      on('tool.call', async function* ($, e, next) { return yield* next(e) })
    //                ^^^^^^^^^^^^^^^^ hook-generator
      on('turn.*', async function* ($, e, next) { return yield* next(e) })
    //             ^^^^^^^^^^^^^^^^ hook-generator
      on('process.spawn', async function* ($, e, next) { return yield* next(e) })
      on('session.start', function* ($, e, next) { return next(e) })
    }
    "#,
        );
    }
}
