//! `$` is used other than as `$.noun.method(...)`.

use crate::scan::Scan;
use crate::tree::Role;

rule! {
    /// # What
    ///
    /// `$` is put in a variable, returned, spread, compared, tested, stored in an object or list, or assigned to.
    ///
    /// # Why
    ///
    /// The host reads off the source what a mod can do, before any of it runs, and shows that to the person who
    /// installs it. A `$` that is kept somewhere could do anything there, so a module that keeps it does not load.
    ///
    /// # Example
    ///
    /// ```js
    /// on('session.start', async ($, e, next) => {
    ///   const api = $
    ///   await api.ui.toast('hello')
    ///   return next(e)
    /// })
    /// ```
    ///
    /// # Instead
    ///
    /// Write `$.noun.method(...)` at each call, and hand `$` itself to a function at the top of a file:
    ///
    /// ```js
    /// on('session.start', async ($, e, next) => {
    ///   await greet($)
    ///   return next(e)
    /// })
    /// async function greet($) { await $.ui.toast('hello') }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "dollar-bound", Error, "`$` is used other than as `$.noun.method(...)`"
}

/// `$` in a place that keeps or reads it.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), role: Role<'_>) {
    let message = format!("$ is {}; it may only be written as $.noun.method(...)", place(role));
    scan.refuse(&RULE, unit, at, message)
        .help("call $.noun.method(...) here, or hand $ to a function declared at the top of a file");
}

/// What a value is used as, as a participle: `bound to a name`.
pub(crate) fn place(role: Role<'_>) -> &'static str {
    match role {
        Role::Init(_) => "bound to a name",
        Role::Assigned(_) => "assigned to something",
        Role::Target => "assigned to",
        Role::Return(_) | Role::ArrowBody(_) => "returned",
        Role::Spread => "spread",
        Role::ObjectValue => "put in an object",
        Role::ArrayItem => "put in a list",
        Role::Template => "put in a template",
        Role::Callee(_) | Role::Tag => "called",
        Role::Argument(..) => "passed as an argument",
        Role::Await => "awaited",
        Role::Unary(_) | Role::Binary(..) | Role::Cond(..) => "read by an operator",
        Role::Statement | Role::Seq => "read for nothing",
        Role::Other(place) => place,
        Role::Object(..) | Role::Root => "read",
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn bound_returned_spread_and_read() {
        check(
            "dollar-bound",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('session.start', async ($, e, next) => {
        const api = $
    //              ^ dollar-bound
        const { ui } = $
    //                 ^ dollar-bound
        const all = { ...$, $, x: $ }
    //                   ^ dollar-bound
    //                      ^ dollar-bound
    //                            ^ dollar-bound
        const list = [$]
    //                ^ dollar-bound
        if (typeof $ === 'object' && $) `${$}`
    //             ^ dollar-bound
    //                               ^ dollar-bound
    //                                     ^ dollar-bound
        const f = () => $
    //                  ^ dollar-bound
        $ = null
    //  ^ dollar-bound
        for (const k in $) throw $
    //                  ^ dollar-bound
    //                           ^ dollar-bound
        return $
    //         ^ dollar-bound
      })
    }
    "#,
        );
    }

    #[test]
    fn another_name_in_another_scope_is_none_of_it() {
        check(
            "dollar-bound",
            r#"
    //- /hooks/register.js
    const $ = 5
    function f() { const $ = 1; return [$] }
    export function register(on) {
      on('session.start', async (api, e, next) => { const s = '$'; /* $ */ await api.ui.toast('x'); return next(e) })
    }
    "#,
        );
    }
}
