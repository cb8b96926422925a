//! What `on` returns is kept.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// The value of `on(...)` is assigned, passed, read or returned from a nested function, or something else than
    /// one `.catch(handler)` follows it.
    ///
    /// # Why
    ///
    /// A registration takes one `.catch` where it is made. What is kept could be changed later, when hooks are
    /// already listed.
    ///
    /// # Example
    ///
    /// ```js
    /// const hook = on('session.start', async ($, e, next) => next(e))
    /// hook.catch(async ($, e, next) => next(e))
    /// ```
    ///
    /// # Instead
    ///
    /// Put the handler right behind:
    ///
    /// ```js
    /// on('session.start', async ($, e, next) => next(e))
    ///   .catch(async ($, e, next) => next(e))
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "registration-kept", Error, "what `on` returns is kept"
}

/// Kept.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), what: &str) {
    scan.refuse(&RULE, unit, at, format!("the value of {what} is kept"))
        .help("drop it; it takes .catch(handler) right where it is made");
}

/// Another member than `.catch`.
pub(crate) fn member(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "a registration has .catch(handler) and nothing else");
}

/// Something behind `.catch(...)`.
pub(crate) fn second(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "a registration takes one .catch(handler), and nothing may follow it");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn kept_values_and_other_members() {
        check(
            "registration-kept",
            r#"
    //- /hooks/register.js
    const hook = async ($, e, next) => next(e)
    export function register(on) {
      const r = on('session.start', hook)
    //          ^^ registration-kept
      if (on('session.end', hook)) {}
    //    ^^ registration-kept
      on('turn.start', hook).then(() => {})
    //                       ^^^^ registration-kept
      on('turn.complete', hook).catch(hook).catch(hook)
    //                                      ^^^^^ registration-kept
      ['a'].forEach(() => on('session.attach', hook))
    //                    ^^ registration-kept
    }
    "#,
        );
    }

    #[test]
    fn dropped_awaited_and_returned_values_are_fine() {
        check(
            "registration-kept",
            r#"
    //- /hooks/register.js
    const hook = async ($, e, next) => next(e)
    const more = (on) => on('turn.start', hook)
    export async function register(on, options) {
      await on('session.start', hook)
      options.x && on('session.end', hook), void on('session.attach', hook)
      more(on)
      return options.y ? on('session.detach', hook).catch(hook) : null
    }
    "#,
        );
    }
}
