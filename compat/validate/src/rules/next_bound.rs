//! `next` is put in another variable.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// `next` of a hook is bound or assigned to another name, taken apart with a rest or a computed key, or read by
    /// a computed name.
    ///
    /// # Why
    ///
    /// `next.to` jumps over other mods. So that the host can list it, `next` keeps the one name its hook gives it.
    /// Handing `next` to a function, or calling it wherever you like, is fine.
    ///
    /// # Example
    ///
    /// ```js
    /// on('tool.call', async ($, e, next) => {
    ///   const go = next
    ///   return go(e)
    /// })
    /// ```
    ///
    /// # Instead
    ///
    /// Call `next(e)` itself, from a nested function if needed.
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "next-bound", Error, "`next` is put in another variable"
}

/// `const n = next`.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "next is put in another variable")
        .help("call next(e) itself, or hand next to a function as an argument");
}

/// `next[name]`, `const { [name]: x } = next`.
pub(crate) fn computed(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "a member of next is reached by a computed or quoted name").help("write next.name");
}

/// `const { ...rest } = next`.
pub(crate) fn rest(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "a rest of next would hold next.to").help("name the members you need");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn bound_and_taken_apart() {
        check(
            "next-bound",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('tool.call', async ($, e, go) => {
        const n = go
    //            ^^ next-bound
        let m
        m = go
    //      ^^ next-bound
        const { ...all } = go
    //          ^^^^^^ next-bound
        const { ['signal']: s } = go
    //          ^^^^^^^^^^ next-bound
        go[e.x]
    //    ^^^^^ next-bound
        return go(e)
      })
    }
    "#,
        );
    }

    #[test]
    fn calling_and_handing_on_are_fine() {
        check(
            "next-bound",
            r#"
    //- /hooks/register.js
    const run = (n, e) => n(e)
    export function register(on) {
      on('tool.call', async ($, e, next) => {
        const { signal } = next
        next['signal']
        const o = { next }
        return e.x ? run(next, e) : Promise.resolve(e).then(next)
      })
    }
    "#,
        );
    }
}
