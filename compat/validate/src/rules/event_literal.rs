//! An event name is not written out.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// The first argument of `on` is a variable, a concatenation, a template with `${}` or another expression.
    ///
    /// # Why
    ///
    /// Which events a mod hooks is listed before it runs, so their names are read off the source.
    ///
    /// # Example
    ///
    /// ```js
    /// for (const event of ['session.start', 'session.end']) on(event, hook)
    /// ```
    ///
    /// # Instead
    ///
    /// Write one `on` for each event, or use a pattern:
    ///
    /// ```js
    /// on('session.start', hook)
    /// on('session.end', hook)
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "event-literal", Error, "an event name is not written out"
}

/// Something that has to be computed.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), _event: &swc_ecma_ast::Expr) {
    scan.refuse(&RULE, unit, at, "the event name is not a string literal").help("write the name in quotes");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn computed_names() {
        check(
            "event-literal",
            r#"
    //- /hooks/register.js
    const hook = async ($, e, next) => next(e)
    const START = 'session.start'
    export function register(on) {
      on(START, hook)
    //   ^^^^^ event-literal
      on('session.' + 'end', hook)
    //   ^^^^^^^^^^^^^^^^^^ event-literal
      on(`session.${START}`, hook)
    //   ^^^^^^^^^^^^^^^^^^ event-literal
      on(`turn.start`, hook)
    }
    "#,
        );
    }

    #[test]
    fn a_typescript_enum_is_written_out() {
        check(
            "event-literal",
            r#"
    //- /hooks/register.ts
    enum Events { Start = 'session.start' }
    export function register(on) { on(Events.Start, async ($, e, next) => next(e)) }
    "#,
        );
    }
}
