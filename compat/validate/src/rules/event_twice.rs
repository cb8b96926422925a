//! One event is registered twice without a matcher.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// Two hooks stand on the same event, neither with a matcher, or two on the same pattern, with a matcher or
    /// without.
    ///
    /// # Why
    ///
    /// Such a pair is nearly always a mistake, and older hosts silently kept only the second. A function that is
    /// called twice with `on` counts once.
    ///
    /// # Example
    ///
    /// ```js
    /// on('tool.call', first)
    /// on('tool.call', second)
    /// ```
    ///
    /// # Instead
    ///
    /// Make one hook of the two, or give them matchers.
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "event-twice", Error, "one event is registered twice without a matcher"
}

/// Hook number `second` repeats hook number `first`.
pub(crate) fn report(scan: &mut Scan<'_, '_>, first: usize, second: usize) {
    let (before, hook) = (&scan.hooks[first], &scan.hooks[second]);
    let (unit, at, pattern) = (hook.unit, hook.pattern_at, hook.pattern.clone());
    let (text, there) = (scan.unit(before.unit).text, before.pattern_at);
    scan.refuse(&RULE, unit, at, format!("{pattern} is registered twice"))
        .label(text, there, "the first is here")
        .help("make one hook of the two, or give them matchers");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn names_without_matcher_and_patterns() {
        check(
            "event-twice",
            r#"
    //- /hooks/register.js
    import { more } from './more.js'
    const hook = async ($, e, next) => next(e)
    export function register(on) {
      on('tool.call', hook)
      on('tool.call', { tool: 'Bash' }, hook)
      on('tool.call', { tool: 'Bash' }, hook)
      on('tool.call', hook)
    //   ^^^^^^^^^^^ event-twice
      on('tool.*', hook)
      on('tool.*', { tool: 'Bash' }, hook)
    //   ^^^^^^^^ event-twice
      more(on)
      on('session.end', hook)
    //   ^^^^^^^^^^^^^ event-twice
    }
    //- /hooks/more.js
    export function more(on) { on('session.end', async ($, e, next) => next(e)) }
    "#,
        );
    }
}
