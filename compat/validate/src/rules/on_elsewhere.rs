//! `on` is used other than as a call or an argument of a function of the mod.

use crate::scan::{Callee, Scan};

rule! {
    /// # What
    ///
    /// `on` is put in a variable, an object or a list, returned, compared, called through `call` or `?.`, or handed
    /// to something that is no function at the top of the mod's files.
    ///
    /// # Why
    ///
    /// Hooks are listed before the module runs. The host follows `on` from `register` into functions at the top of
    /// the mod's files, and nowhere else.
    ///
    /// # Example
    ///
    /// ```js
    /// export function register(on) {
    ///   const listen = on
    ///   listen('session.start', async ($, e, next) => next(e))
    /// }
    /// ```
    ///
    /// # Instead
    ///
    /// Call it by the name of the parameter, which may be any:
    ///
    /// ```js
    /// export function register(listen) {
    ///   listen('session.start', async ($, e, next) => next(e))
    /// }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "on-elsewhere", Error, "`on` is used other than as a call or an argument of a function of the mod"
}

/// Used as a value.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "on is used other than as a call or an argument of a function of the mod")
        .help("call on(event, hook) here");
}

/// A parameter that takes it apart.
pub(crate) fn parameter(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "the parameter that receives on is no plain name")
        .help("name it: register(on, options)");
}

/// Handed to something that is not followed.
pub(crate) fn handed(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), callee: Option<(&str, Callee<'_>)>) {
    let text = scan.unit(unit).text;
    match callee {
        Some((name, Callee::Hidden(by))) => scan
            .refuse(&RULE, unit, at, format!("on is handed to {name}, which a local declaration hides here"))
            .label(text, by, "this declaration hides the function at the top of the file"),
        Some((name, Callee::Reassigned(by))) => scan
            .refuse(&RULE, unit, at, format!("on is handed to {name}, which is assigned to elsewhere"))
            .label(text, by, "assigned to here"),
        Some((name, Callee::NotExported(source))) => {
            scan.refuse(&RULE, unit, at, format!("on is handed to {name}, but {source:?} exports no such function"))
        }
        Some((name, _)) => {
            scan.refuse(&RULE, unit, at, format!("on is handed to {name}, which is no function at the top of a file"))
        }
        None => scan.refuse(&RULE, unit, at, "on is handed to something that is no function of the mod's files"),
    }
    .help("hand on to a function declared at the top of a file of the mod");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn kept_and_handed_elsewhere() {
        check(
            "on-elsewhere",
            r#"
    //- /hooks/register.js
    function top(on) {}
    const object = { method(on) {} }
    export function register(on) {
      const listen = on
    //               ^^ on-elsewhere
      const list = [on]
    //              ^^ on-elsewhere
      on.call(null, 'x')
    //^^ on-elsewhere
      on?.('session.start', async ($, e, next) => next(e))
    //^^ on-elsewhere
      object.method(on)
    //              ^^ on-elsewhere
      const local = (o) => {}
      local(on)
    //      ^^ on-elsewhere
      if (on) top(on)
    //    ^^ on-elsewhere
      return on
    //       ^^ on-elsewhere
    }
    "#,
        );
    }

    #[test]
    fn a_pattern_cannot_receive_it() {
        check(
            "on-elsewhere",
            r#"
    //- /hooks/register.js
    export function register({ on }) {}
    //                       ^^^^^^ on-elsewhere
    "#,
        );
    }
}
