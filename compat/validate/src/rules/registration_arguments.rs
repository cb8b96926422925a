//! `on` is called with the wrong number of arguments.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// `on` takes an event and a hook, or an event, a matcher and a hook.
    ///
    /// # Why
    ///
    /// The host reads the hook off this very call. A spread hides what is in it.
    ///
    /// # Example
    ///
    /// ```js
    /// on('session.start')
    /// ```
    ///
    /// # Instead
    ///
    /// Write `on(event, hook)` or `on(event, matcher, hook)`.
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "registration-arguments", Error, "`on` is called with the wrong number of arguments"
}

/// Neither two nor three.
pub(crate) fn count(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), count: usize) {
    scan.refuse(&RULE, unit, at, format!("on takes (event, hook) or (event, matcher, hook), not {count} argument(s)"));
}

/// `on(...list)`.
pub(crate) fn spread(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "on is called with a spread argument").help("write event and hook out");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn too_few_too_many_and_spread() {
        check(
            "registration-arguments",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('session.start')
    //^^ registration-arguments
      on('session.start', {}, async ($, e, next) => next(e), 1)
    //^^ registration-arguments
      on('session.start', ...[async ($, e, next) => next(e)])
    //^^ registration-arguments
    }
    "#,
        );
    }
}
