//! A name that holds `on`, `$` or `next` is declared again inside.

use crate::scan::Scan;
use crate::tree::BindId;

rule! {
    /// # What
    ///
    /// Inside a function that holds `on`, `$` or `next`, another declaration has the same name: a parameter, a
    /// variable, a function, a caught error.
    ///
    /// # Why
    ///
    /// The host refuses it so that one name means one thing wherever a reader looks. TypeScript and bundlers accept
    /// it, which is why it is often noticed only at load.
    ///
    /// # Example
    ///
    /// ```js
    /// on('tool.call', async ($, e, next) => {
    ///   const go = (next) => next(e)
    ///   return go(next)
    /// })
    /// ```
    ///
    /// # Instead
    ///
    /// Give the inner one another name:
    ///
    /// ```js
    /// on('tool.call', async ($, e, next) => {
    ///   const go = (then) => then(e)
    ///   return go(next)
    /// })
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "shadowed-name", Error, "a name that holds `on`, `$` or `next` is declared again inside"
}

/// `other` is declared where `held` is already that name.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, first: BindId, other: BindId, held: &str) {
    let owner = scan.unit(unit);
    let (first, other) = (owner.tree.bind(first), owner.tree.bind(other));
    scan.refuse(
        &RULE,
        unit,
        other.at,
        format!("{} is declared again inside the function that is handed {held}", other.name),
    )
    .label(owner.text, first.at, format!("{held} is here"))
    .help("give the inner one another name");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn whatever_declares_it() {
        check(
            "shadowed-name",
            r#"
    //- /hooks/register.js
    export function register(on) {
      { const on = 1 }
    //        ^^ shadowed-name
      on('session.start', async ($, e, next) => {
        const f = ($) => 1
    //             ^ shadowed-name
        try {} catch ($) {}
    //                ^ shadowed-name
        { class $ {} }
    //          ^ shadowed-name
        for (const next of []) {}
    //             ^^^^ shadowed-name
        function g({ next }) {}
    //               ^^^^ shadowed-name
        const h = (on) => on
    //             ^^ shadowed-name
        return next(e)
      })
    }
    "#,
        );
    }

    #[test]
    fn types_properties_and_other_functions_are_fine() {
        check(
            "shadowed-name",
            r#"
    //- /hooks/register.ts
    const next = 1
    function other() { const $ = 1, on = 2, next = 3; return [$, on, next] }
    export function register(on) {
      on('session.start', async ($, e, next) => { type $ = 1; $: for (;;) break $; const o = { on: 1, $() {} }; return next(e) })
    }
    "#,
        );
    }
}
