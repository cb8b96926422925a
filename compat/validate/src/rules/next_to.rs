//! `next.to` is used other than as a call with a tier in quotes.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// `next.to` is kept, called with another number of arguments, with a tier that is not a string literal, or
    /// with a tier that does not exist.
    ///
    /// # Why
    ///
    /// `next.to` skips the mods between here and a tier. Who reviews a mod must see which tier, so it is written
    /// out. Tiers are user, append, builtin and core.
    ///
    /// # Example
    ///
    /// ```js
    /// const tier = 'core'
    /// return next.to(e, tier)
    /// ```
    ///
    /// # Instead
    ///
    /// Write `next.to(e, 'core')`, with the tier in quotes (not in a template).
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "next-to", Error, "`next.to` is used other than as a call with a tier in quotes"
}

const HELP: &str = "write next.to(e, \"tier\") with one of user, append, builtin, core";

/// `next?.to(...)`.
pub(crate) fn optional(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "next.to is reached through ?.").help(HELP);
}

/// Kept, passed, taken out of `next`.
pub(crate) fn value(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "next.to is used as a value instead of being called").help(HELP);
}

/// Too few or too many arguments, or a spread.
pub(crate) fn count(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "next.to takes the event and a tier, nothing else").help(HELP);
}

/// A tier that is computed.
pub(crate) fn tier_literal(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "the tier of next.to is not a string literal").help(HELP);
}

/// A tier that does not exist.
pub(crate) fn tier_unknown(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), tier: &str) {
    scan.refuse(&RULE, unit, at, format!("{tier:?} is no tier a dispatch continues at")).help(HELP);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn forms_that_are_refused() {
        check(
            "next-to",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('tool.call', async ($, e, next) => {
        const t = next.to
    //            ^^^^^^^ next-to
        const { to } = next
    //          ^^ next-to
        next.to(e)
    //       ^^ next-to
        next.to(e, 'core', 1)
    //       ^^ next-to
        next.to(e, `core`)
    //             ^^^^^^ next-to
        next.to(e, 'prepend')
    //             ^^^^^^^^^ next-to
        next?.to(e, 'core')
    //      ^^ next-to
        return next.to(e, 'core')
      })
    }
    "#,
        );
    }
}
