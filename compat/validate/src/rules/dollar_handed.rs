//! `$` is handed to something the host does not follow.

use crate::scan::{Callee, Scan};

rule! {
    /// # What
    ///
    /// `$` is an argument of a method, a local function, a constructor or a library, or of a function that takes it
    /// as a pattern or a rest.
    ///
    /// # Why
    ///
    /// The host follows `$` from a hook into functions declared at the top of the mod's files, however deep, so
    /// that it can list their calls. It follows it nowhere else. Past an import it follows only `function`
    /// declarations, because a bundler may rewrite others.
    ///
    /// # Example
    ///
    /// ```js
    /// export function register(on) {
    ///   const greet = async ($) => { await $.ui.toast('hello') }
    ///   on('session.start', async ($, e, next) => { await greet($); return next(e) })
    /// }
    /// ```
    ///
    /// # Instead
    ///
    /// Move the function to the top of the file, or let a local function close over `$`:
    ///
    /// ```js
    /// async function greet($) { await $.ui.toast('hello') }
    /// export function register(on) {
    ///   on('session.start', async ($, e, next) => { await greet($); return next(e) })
    /// }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "dollar-handed", Error, "`$` is handed to something the host does not follow"
}

const HELP: &str = "hand $ to a function declared at the top of a file of the mod, as a plain parameter";

/// An argument of something that has no name.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "$ is handed to something that is no function of the mod's files").help(HELP);
}

/// An argument of a name that stands for no such function.
pub(crate) fn named(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), name: &str, callee: Callee<'_>) {
    let text = scan.unit(unit).text;
    match callee {
        Callee::Hidden(by) => scan
            .refuse(&RULE, unit, at, format!("$ is handed to {name}, which a local declaration hides here"))
            .label(text, by, "this declaration hides the function at the top of the file"),
        Callee::Reassigned(by) => scan
            .refuse(&RULE, unit, at, format!("$ is handed to {name}, which is assigned to elsewhere"))
            .label(text, by, "assigned to here"),
        Callee::NotExported(source) => {
            scan.refuse(&RULE, unit, at, format!("$ is handed to {name}, but {source:?} exports no such function"))
        }
        Callee::Library(what) => {
            scan.refuse(&RULE, unit, at, format!("$ is handed to {what} of claude-code, which does not take it"))
        }
        _ => scan.refuse(
            &RULE,
            unit,
            at,
            format!("$ is handed to {name}, which is no function declared at the top of a file"),
        ),
    }
    .help(HELP);
}

/// `f(...list, $)`.
pub(crate) fn spread(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "$ is handed on in a call with a spread argument").help("write the arguments out");
}

/// An arrow function behind an import.
pub(crate) fn abroad(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), name: &str) {
    scan.refuse(&RULE, unit, at, format!("$ is handed past an import to {name}, which is not a function declaration"))
        .help(format!("declare it as function {name}(...) {{ ... }}"));
}

/// A parameter that takes `$` apart.
pub(crate) fn parameter(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "the parameter that receives $ is no plain name")
        .help("name it, and write $.noun.method(...) inside");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn only_functions_at_the_top_receive_it() {
        check(
            "dollar-handed",
            r#"
    //- /hooks/register.js
    import { other, value } from './lib.js'
    async function top($) { await $.ui.toast('x') }
    const arrow = async ($) => { await $.ui.log('x') }
    let changing = async ($) => {}
    const object = { method($) {} }
    export function register(on, { hidden }) {
      const local = ($) => {}
      on('session.start', async ($, e, next) => {
        await top($)
        await arrow($)
        await other($)
        local($)
    //        ^ dollar-handed
        changing($)
    //           ^ dollar-handed
        object.method($)
    //                ^ dollar-handed
        new Map($)
    //          ^ dollar-handed
        top?.($)
    //        ^ dollar-handed
        top(...[], $)
    //             ^ dollar-handed
        value($)
    //        ^ dollar-handed
        return next(e)
      })
    }
    //- /hooks/lib.js
    export async function other($) { await $.fs.read('x') }
    export const value = ($) => $
    "#,
        );
    }

    #[test]
    fn as_a_plain_parameter() {
        check(
            "dollar-handed",
            r#"
    //- /hooks/register.js
    function pattern({ ui }) {}
    //               ^^^^^^ dollar-handed
    function given($ = null) {}
    //             ^^^^^^^^ dollar-handed
    function rest(...all) {}
    //            ^^^^^^ dollar-handed
    function none() {}
    export function register(on) {
      on('session.start', async ($, e, next) => { pattern($); given($); rest(1, $); none($); return next(e) })
    }
    "#,
        );
    }

    #[test]
    fn a_hidden_or_changed_function_is_not_followed() {
        check(
            "dollar-handed",
            r#"
    //- /hooks/register.js
    async function hidden($) {}
    async function changed($) {}
    changed = null
    export function register(on, { hidden }) {
      on('session.start', async ($, e, next) => {
        hidden($)
    //         ^ dollar-handed
        changed($)
    //          ^ dollar-handed
        return next(e)
      })
    }
    "#,
        );
    }
}
