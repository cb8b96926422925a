//! A path of a gating hook returns nothing.

use crate::report::Severity;
use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// A hook on an event that can be refused reaches its end, or a bare `return`, without an answer. On other
    /// events this is a note: the hook is skipped there as well.
    ///
    /// # Why
    ///
    /// A hook that answers nothing counts as failed and is skipped, so what it guards goes on. A guard that forgets
    /// its last `return next(e)` still works, which hides the mistake; one that forgets to return its refusal does
    /// not.
    ///
    /// # Example
    ///
    /// ```js
    /// on('tool.call', { tool: 'Bash' }, async ($, e, next) => {
    ///   if (dangerous(e.command)) return { deny: 'dangerous' }
    /// })
    /// ```
    ///
    /// # Instead
    ///
    /// Answer on every path:
    ///
    /// ```js
    /// on('tool.call', { tool: 'Bash' }, async ($, e, next) => {
    ///   if (dangerous(e.command)) return { deny: 'dangerous' }
    ///   return next(e)
    /// })
    /// ```
    ///
    /// # Source
    ///
    /// Reported by users: a path that returns nothing lets the tool run. `claude plugin validate` 2.1.332 does not
    /// warn.
    RULE = "gate-falls-through", Warning, "a path of a gating hook returns nothing"
}

/// The ways out of a hook without an answer.
pub(crate) fn check(scan: &mut Scan<'_, '_>, unit: usize, nothing: &[(u32, u32)], gate: bool, event: &str) {
    let severity = if gate { Severity::Warning } else { Severity::Note };
    for at in nothing {
        let message = format!("the hook on {event} answers nothing here, so it is skipped and what is beneath runs");
        scan.fault(&RULE, unit, *at, message).severity(severity).help("return next(e), or an answer");
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn ends_and_bare_returns() {
        check(
            "gate-falls-through",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('tool.call', { tool: 'A' }, async ($, e, next) => { if (e.x) return { deny: 'x' } })
    //                                                                                     ^ gate-falls-through
      on('tool.call', { tool: 'B' }, async ($, e, next) => { if (e.x) return; return next(e) })
    //                                                                ^^^^^^ gate-falls-through
      on('tool.call', { tool: 'C' }, async ($, e, next) => {
        while (true) { if (e.x) return next(e); else throw e }
      })
      on('tool.call', { tool: 'D' }, async ($, e, next) => {
        switch (e.x) { case 1: return next(e); default: return { deny: 'x' } }
      })
      on('tool.call', { tool: 'E' }, async ($, e, next) => { try { return await next(e) } catch (x) { throw x } finally { e } })
      on('tool.call', { tool: 'F' }, async ($, e, next) => next(e))
    }
    "#,
        );
    }
}
