//! A hook denies after `next` has run.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// A gating hook returns a refusal on a path on which `next(e)` has already been called.
    ///
    /// # Why
    ///
    /// What is beneath has run by then: the file is written, the command executed. The refusal only keeps the
    /// result from the model, which is told that the call was denied.
    ///
    /// # Example
    ///
    /// ```js
    /// on('tool.call', { tool: 'Write' }, async ($, e, next) => {
    ///   const result = await next(e)
    ///   if (secret(e.content)) return { deny: 'no secrets' }
    ///   return result
    /// })
    /// ```
    ///
    /// # Instead
    ///
    /// Decide before calling `next`:
    ///
    /// ```js
    /// on('tool.call', { tool: 'Write' }, async ($, e, next) => {
    ///   if (secret(e.content)) return { deny: 'no secrets' }
    ///   return next(e)
    /// })
    /// ```
    ///
    /// # Source
    ///
    /// Reported by users: the model believes that nothing was written. `claude plugin validate` 2.1.332 does not
    /// warn.
    RULE = "deny-after-next", Warning, "a hook denies after `next` has run"
}

/// The denials of a hook that come too late.
pub(crate) fn check(scan: &mut Scan<'_, '_>, unit: usize, late: &[(u32, u32)]) {
    for at in late {
        scan.fault(&RULE, unit, *at, "this refusal comes after next has run, so it undoes nothing")
            .help("decide before calling next(e)");
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn only_behind_next() {
        check(
            "deny-after-next",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('tool.call', async ($, e, next) => {
        if (e.x) return { deny: 'early' }
        try { await next(e) } catch { return { deny: 'failed' } }
        if (e.y) return { deny: 'late' }
    //                    ^^^^^^^^^^^^ deny-after-next
        const f = () => { return { deny: 'not an answer' } }
        return next(e)
      })
      on('tool.check', async ($, e, next) => {
        const verdict = await next(e)
        return { ...verdict, decision: 'deny' }
    //                       ^^^^^^^^^^^^^^^^ deny-after-next
      })
    }
    "#,
        );
    }
}
