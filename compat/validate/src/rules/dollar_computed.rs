//! A member of `$` is reached by a computed or optional name.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// `$[name]`, `$.ui[name]`, `$?.ui` or `$.ui.toast?.()` stands where `$.noun.method(...)` should.
    ///
    /// # Why
    ///
    /// What cannot be read off the source cannot be listed for the person who installs the mod. A missing noun is
    /// no reason for `?.` either: `$` has the same members in every hook of a host.
    ///
    /// # Example
    ///
    /// ```js
    /// const name = 'toast'
    /// await $.ui[name]('hello')
    /// ```
    ///
    /// # Instead
    ///
    /// Write the noun and the method out. To choose between methods, choose between calls:
    ///
    /// ```js
    /// if (loud) await $.ui.toast('hello')
    /// else await $.ui.log('hello')
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "dollar-computed", Error, "a member of `$` is reached by a computed or optional name"
}

/// A computed name; `noun` when the noun before it is written out.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), noun: Option<&str>) {
    let message = match noun {
        Some(noun) => format!("the method of $.{noun} is computed"),
        None => "a member of $ is reached by a computed name".to_owned(),
    };
    scan.refuse(&RULE, unit, at, message).help("write $.noun.method(...) with both names as they are");
}

/// `?.` on the way to a call.
pub(crate) fn optional(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "a member of $ is reached through ?.").help("write . instead of ?. here");
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn computed_and_optional() {
        check(
            "dollar-computed",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('session.start', async ($, e, next) => {
        $['ui'].toast('x')
    //   ^^^^^^ dollar-computed
        $.ui['toast']('x')
    //      ^^^^^^^^^ dollar-computed
        $?.ui.toast('x')
    //   ^^ dollar-computed
        $.ui?.toast('x')
    //      ^^ dollar-computed
        return next(e)
      })
    }
    "#,
        );
    }
}
