//! A hook that can deny has no `.catch`.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// A hook that returns a refusal on some path is registered without a `.catch` handler.
    ///
    /// # Why
    ///
    /// When it throws or takes longer than its 10 seconds, it is skipped and what it guards goes on, in print mode
    /// without a word. The handler answers in its place.
    ///
    /// # Example
    ///
    /// ```js
    /// on('tool.call', { tool: 'Bash' }, async ($, e, next) => isSafe(e.command) ? next(e) : { deny: 'unsafe' })
    /// ```
    ///
    /// # Instead
    ///
    /// Refuse when it fails:
    ///
    /// ```js
    /// on('tool.call', { tool: 'Bash' }, async ($, e, next) => isSafe(e.command) ? next(e) : { deny: 'unsafe' })
    ///   .catch(() => ({ deny: 'the guard failed' }))
    /// ```
    ///
    /// # Source
    ///
    /// Reported by users: a guard that throws is skipped and the tool runs. `claude plugin validate` 2.1.332 does
    /// not warn.
    RULE = "gate-without-catch", Warning, "a hook that can deny has no `.catch`"
}

/// Hook number `index` can deny; does it answer when it fails?
pub(crate) fn check(scan: &mut Scan<'_, '_>, index: usize) {
    let hook = &scan.hooks[index];
    if hook.fact.is_gate && hook.fact.can_deny && !hook.fact.has_catch {
        let (unit, at, event) = (hook.unit, hook.pattern_at, hook.pattern.clone());
        scan.fault(
            &RULE,
            unit,
            at,
            format!("this hook on {event} can refuse, and lets everything through when it fails"),
        )
        .help("add .catch(() => ({ deny: \"...\" })) behind on(...)");
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn only_hooks_that_can_deny() {
        check(
            "gate-without-catch",
            r#"
    //- /hooks/register.js
    import { refuse } from './lib.js'
    const hook = async ($, e, next) => next(e)
    export function register(on) {
      on('tool.call', { tool: 'A' }, async ($, e, next) => e.x ? { deny: 'x' } : next(e))
    //   ^^^^^^^^^^^ gate-without-catch
      on('tool.call', { tool: 'B' }, async ($, e, next) => refuse(e) ?? next(e))
    //   ^^^^^^^^^^^ gate-without-catch
      on('tool.call', { tool: 'C' }, async ($, e, next) => ({ deny: 'x' })).catch(hook)
      on('tool.call', { tool: 'D' }, hook)
      on('session.start', async ($, e, next) => ({ deny: 'x' }))
    }
    //- /hooks/lib.js
    export function refuse(e) { return inner(e) }
    function inner(e) { return e.y ? { deny: 'y' } : undefined }
    "#,
        );
    }
}
