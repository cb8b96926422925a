//! The hooks module does not export a function `register`.

use crate::scan::Scan;
use crate::tree::BindKind;

rule! {
    /// # What
    ///
    /// The file named in `hooks.json` has no export called `register`, or the export is not a function declared in
    /// that file.
    ///
    /// # Why
    ///
    /// The host calls `register(on, options)` of this very file, and reads its hooks off that function first. What
    /// is passed on from another file, or made at run time, it does not follow.
    ///
    /// # Example
    ///
    /// ```js
    /// export default function (on) {}
    /// ```
    ///
    /// # Instead
    ///
    /// Export it by name:
    ///
    /// ```js
    /// export function register(on, options) {}
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "register-export", Error, "the hooks module does not export a function `register`"
}

const HELP: &str = "write export function register(on, options) { ... } in this file";

/// No export of that name; `like` is an export that might have been meant: `*`, or `default`.
pub(crate) fn missing(scan: &mut Scan<'_, '_>, unit: usize, like: Option<(&str, (u32, u32))>) {
    match like {
        Some(("*", at)) => {
            scan.refuse(&RULE, unit, at, "register is not exported by name; what export * brings is not followed")
        }
        Some((_, at)) => scan.refuse(&RULE, unit, at, "the module exports no register; a default export is not it"),
        None => scan.refuse_file(&RULE, unit, "the module exports no register"),
    }
    .help(HELP);
}

/// Passed on from another file.
pub(crate) fn elsewhere(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "register is not a function of this file").help(HELP);
}

/// Something else than a function.
pub(crate) fn no_function(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), kind: Option<BindKind>) {
    let message = match kind {
        Some(BindKind::Let | BindKind::Var) => "register is exported as a variable that can change",
        _ => "register is exported as something else than a function",
    };
    scan.refuse(&RULE, unit, at, message).help(HELP);
}

/// Assigned to.
pub(crate) fn reassigned(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "register is assigned to").help(HELP);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn what_is_no_register() {
        check(
            "register-export",
            "
    //- /hooks/register.js
    export let register = (on) => {}
    //         ^^^^^^^^ register-export
    ",
        );
        check(
            "register-export",
            "
    //- /hooks/register.js
    export { register } from './lib.js'
    //       ^^^^^^^^ register-export
    //- /hooks/lib.js
    export function register(on) {}
    ",
        );
        check(
            "register-export",
            "
    //- /hooks/register.js
    export * from './lib.js'
    ^^^^^^^^^^^^^^^^^^^^^^^^^^ register-export
    //- /hooks/lib.js
    export function register(on) {}
    ",
        );
        check(
            "register-export",
            "
    //- /hooks/register.js
    export function register(on) {}
    register = 5
    ^^^^^^^^ register-export
    ",
        );
    }

    #[test]
    fn a_default_export_is_not_it() {
        check(
            "register-export",
            "
//- /hooks/register.js
export default (on) => {}
^^^^^^^^^^^^^^^^^^^^^^^^^ register-export
",
        );
    }

    #[test]
    fn without_anything_like_it_the_file_is_named() {
        let (files, _) = crate::testing::read("\n//- /hooks/register.js\nexport const x = 1\n");
        let report = crate::validate(&files, &crate::Options::default());
        let found = &report.diagnostics[0];
        assert_eq!((found.code, found.file.as_str(), found.span), ("register-export", "hooks/register.js", None));
    }

    #[test]
    fn forms_that_are_fine() {
        for source in [
            "export const register = ((on) => {})",
            "function reg(on) {}\nexport { reg as register }",
            "function reg(on) {}\nexport { reg as 'register' }",
            "export async function register(on) {}",
        ] {
            check("register-export", &format!("\n//- /hooks/register.js\n{source}\n"));
        }
    }
}
