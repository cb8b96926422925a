//! A file does not parse.

use crate::found::Found;
use crate::syntax::SyntaxError;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// A file of the module is no valid ES module of its kind: TypeScript for .ts, .mts and .cts, with JSX for
    /// .tsx, JavaScript with JSX for .jsx, JavaScript otherwise.
    ///
    /// # Why
    ///
    /// Every file is an ES module, so it is in strict mode, whatever its suffix.
    ///
    /// # Example
    ///
    /// ```js
    /// export function register(on) { on('session.start', async ($, e, next) => { return next(e) }
    /// ```
    ///
    /// # Instead
    ///
    /// Mend it where the message points, or a little before.
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "syntax-error", Error, "a file does not parse"
}

/// What the parser found.
pub(crate) fn report(found: &mut Found, text: &Text, errors: Vec<SyntaxError>) {
    for error in errors {
        // What is missing at the end is shown behind the last sign, not on an empty line.
        let last = text.text.trim_end().len() as u32;
        let start = error.start.min(last.saturating_sub(1));
        let end = error.end.clamp(start + 1, last.max(start + 1));
        found.at(&RULE, text, (start, end), error.message);
    }
}

/// What only shows once names are known.
pub(crate) fn early(found: &mut Found, text: &Text, at: (u32, u32), message: &str) {
    found.at(&RULE, text, at, message);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn names_labels_and_jumps() {
        check(
            "syntax-error",
            r#"
    //- /hooks/register.js
    const a = 1
    const a = 2
    //    ^ syntax-error
    a: a: for (;;) break
    // ^ syntax-error
    class C { #x; m() { return this.#y } }
    //                              ^^ syntax-error
    export { nope }
    //       ^^^^ syntax-error
    export function register(on) { break }
    //                             ^^^^^ syntax-error
    "#,
        );
    }

    #[test]
    fn what_the_parser_leaves_out() {
        check(
            "syntax-error",
            r#"
    //- /hooks/register.js
    let a, o = { __proto__: null, __proto__: null }
    //                            ^^^^^^^^^ syntax-error
    delete a
    //     ^ syntax-error
    function f() { super.x }
    //             ^^^^^ syntax-error
    class B { constructor() { super() } static prototype() {} m() { return super.x } }
    //                        ^^^^^ syntax-error
    //                                         ^^^^^^^^^ syntax-error
    class C { #x; #x; get #y() { return 1 } set #y(y) {} m() { delete this.#x } }
    //            ^^ syntax-error
    //                                                                     ^^ syntax-error
    for (let b of []) { var b }
    //                      ^ syntax-error
    try {} catch ([c]) { var c }
    //                       ^ syntax-error
    try {} catch (d) { var d }
    { function g() {} function g() {} }
    //                         ^ syntax-error
    class D extends B { constructor() { (() => super())() } }
    export function register(on) { function h() {} function h() {} }
    "#,
        );
    }

    #[test]
    fn what_compiling_refuses() {
        check(
            "syntax-error",
            r#"
    //- /hooks/register.ts
    import { a } from './lib.js'
    class a {}
    //    ^ syntax-error
    const b = 1
    b = 2
    ^ syntax-error
    for (const c of []) [c] = [2]
    //                   ^ syntax-error
    const d = { b: 1 }
    d.b = 2
    using e = null
    ^^^^^^^^^^^^^^ syntax-error
    export function register(on) {}
    //- /hooks/lib.js
    export const a = 1
    using e = null
    const f = 1
    f = 2
    "#,
        );
    }

    #[test]
    fn a_missing_brace() {
        check(
            "syntax-error",
            r#"
    //- /hooks/register.js
    export function register(on) {
      const x = ;
    //          ^ syntax-error
    }
    "#,
        );
    }

    #[test]
    fn types_are_for_typescript() {
        check(
            "syntax-error",
            r#"
    //- /hooks/register.js
    import './lib.ts'
    const a: number = 1
    //     ^ syntax-error
    export function register(on) {}
    //- /hooks/lib.ts
    const a: number = 1
    enum E { A }
    namespace N { export const x = 1 }
    "#,
        );
    }
}
