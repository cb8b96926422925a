//! An environment variable is not named by a string literal.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// The first argument of `$.env.get` or `$.env.set` is missing, or has to be computed.
    ///
    /// # Why
    ///
    /// Variables often hold secrets, so the ones a mod reads and writes are listed by name before it runs. At run
    /// time the host serves no others.
    ///
    /// # Example
    ///
    /// ```js
    /// const name = 'HOME'
    /// await $.env.get(name)
    /// ```
    ///
    /// # Instead
    ///
    /// Write the name in the call:
    ///
    /// ```js
    /// await $.env.get('HOME')
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "env-literal", Error, "an environment variable is not named by a string literal"
}

/// A variable that is not named.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), call: &str) {
    scan.refuse(&RULE, unit, at, format!("$.{call} needs the variable's name as a string literal"))
        .help("write the name in quotes");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn names_that_are_computed() {
        check(
            "env-literal",
            r#"
    //- /hooks/register.js
    const HOME = 'HOME'
    export function register(on) {
      on('session.start', async ($, e, next) => {
        await $.env.get(HOME)
    //                  ^^^^ env-literal
        await $.env.set('A' + 'B', '1')
    //                  ^^^^^^^^^ env-literal
        await $.env.get()
    //          ^^^^^^^ env-literal
        await $.env.get(`HOME`)
        return next(e)
      })
    }
    "#,
        );
    }
}
