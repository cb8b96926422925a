//! A hook is no function the host can read.

use crate::scan::{As, Callee, Scan};

rule! {
    /// # What
    ///
    /// The hook or the `.catch` handler is not a function written in place, nor the name of one at the top of a
    /// file; or its parameters are patterns, rests or defaults where `$`, `e` and `next` are expected.
    ///
    /// # Why
    ///
    /// The host follows `$` and `next` from the parameters of the hook, by their names.
    ///
    /// # Example
    ///
    /// ```js
    /// on('tool.call', options.strict ? strict : lax)
    /// ```
    ///
    /// # Instead
    ///
    /// Choose inside the hook:
    ///
    /// ```js
    /// on('tool.call', async ($, e, next) => options.strict ? strict($, e, next) : lax($, e, next))
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "hook-function", Error, "a hook is no function the host can read"
}

/// Neither a function nor a name.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), given: As) {
    let message = format!("{} is neither a function written here nor the name of one", given.word());
    scan.refuse(&RULE, unit, at, message).help("write ($, e, next) => ... here");
}

/// A name that stands for no such function.
pub(crate) fn named(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), name: &str, callee: Callee<'_>, given: As) {
    let (text, word) = (scan.unit(unit).text, given.word());
    match callee {
        Callee::Hidden(by) => scan
            .refuse(&RULE, unit, at, format!("{word} {name} is hidden by a local declaration"))
            .label(text, by, "this declaration hides the function at the top of the file"),
        Callee::Reassigned(by) => scan
            .refuse(&RULE, unit, at, format!("{word} {name} is assigned to elsewhere"))
            .label(text, by, "assigned to here"),
        Callee::NotExported(source) => scan.refuse(
            &RULE,
            unit,
            at,
            format!("{word} {name} is imported from {source:?}, which exports no such function"),
        ),
        Callee::Library(_) => scan.refuse(
            &RULE,
            unit,
            at,
            format!("{word} {name} is imported from claude-code, not from a file of the mod"),
        ),
        _ => scan.refuse(&RULE, unit, at, format!("{word} {name} is no function declared at the top of a file")),
    }
    .help("write the function here, or declare it at the top of a file");
}

/// `($, ...rest)`.
pub(crate) fn rest(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "a rest parameter of a hook would hold $ or next").help("write ($, e, next)");
}

/// `({ ui }, e, next)`.
pub(crate) fn dollar_pattern(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "the first parameter of a hook is $, and no pattern or default")
        .help("write ($, e, next)");
}

/// `($, e = {}, next)`.
pub(crate) fn default_value(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "a parameter of a hook has a default value").help("the host always passes all three");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn what_cannot_be_read() {
        check(
            "hook-function",
            r#"
    //- /hooks/register.js
    import { value } from './lib.js'
    const top = async ($, e, next) => next(e)
    const object = { top }
    export function register(on, options) {
      const local = async ($, e, next) => next(e)
      on('session.start', local)
    //                    ^^^^^ hook-function
      on('session.end', object.top)
    //                  ^^^^^^^^^^ hook-function
      on('turn.start', top.bind(null))
    //                 ^^^^^^^^^^^^^^ hook-function
      on('turn.complete', value)
    //                    ^^^^^ hook-function
      on('session.attach', top).catch(options.x)
    //                                ^^^^^^^^^ hook-function
    }
    //- /hooks/lib.js
    export const value = 5
    "#,
        );
    }

    #[test]
    fn parameters() {
        check(
            "hook-function",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('session.start', async ({ ui }, e, next) => next(e))
    //                           ^^^^^^ hook-function
      on('session.end', async ($, ...rest) => {})
    //                            ^^^^^^^ hook-function
      on('turn.start', async ($, e = {}, next) => next(e))
    //                           ^^^^^^ hook-function
      on('turn.complete', async ($, { ...e }, { signal }) => e)
    }
    "#,
        );
    }
}
