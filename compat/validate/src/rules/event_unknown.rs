//! There is no such event.

use crate::scan::Scan;
use modgate_catalog::pattern::PatternError;

rule! {
    /// # What
    ///
    /// The first argument of `on` is no event, or no pattern. Patterns are `*`, `namespace.*`, and `!` before a
    /// name or before `namespace.*`.
    ///
    /// # Why
    ///
    /// A hook on an event that does not exist would never run. Names in a namespace nobody has are taken for those
    /// of a noun another mod provides.
    ///
    /// # Example
    ///
    /// ```js
    /// on('session.begin', hook)
    /// ```
    ///
    /// # Instead
    ///
    /// Use one of the known names; the message gives the one that is most alike.
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it. Names and patterns: the catalog of events.
    RULE = "event-unknown", Error, "there is no such event"
}

/// Neither an event nor a pattern.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), error: &PatternError) {
    scan.refuse(&RULE, unit, at, error.to_string());
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn names_and_patterns() {
        check(
            "event-unknown",
            r#"
    //- /hooks/register.js
    const hook = async ($, e, next) => next(e)
    export function register(on) {
      on('session.begin', hook)
    //   ^^^^^^^^^^^^^^^ event-unknown
      on('ui.ask', hook)
    //   ^^^^^^^^ event-unknown
      on('tool.c*', hook)
    //   ^^^^^^^^^ event-unknown
      on('!*', hook)
    //   ^^^^ event-unknown
      on('', hook)
    //   ^^ event-unknown
      on('!session.begin', hook)
    //   ^^^^^^^^^^^^^^^^ event-unknown
      on('a-b.read', hook)
    //   ^^^^^^^^^^ event-unknown
      on('nouns.of.others', hook)
    //   ^^^^^^^^^^^^^^^^^ event-unknown
      on('nouns.of.others.*', hook)
      on('nouns.others', hook)
      on('!tool.*', hook)
    }
    "#,
        );
    }
}
