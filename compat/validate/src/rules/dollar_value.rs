//! A noun or method of `$` is used as a value.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// `$.ui` or `$.ui.toast` is read without being called at once.
    ///
    /// # Why
    ///
    /// A method that is kept could be called later by code the host has not looked at. The same holds for a noun.
    ///
    /// # Example
    ///
    /// ```js
    /// const toast = $.ui.toast
    /// await toast('hello')
    /// ```
    ///
    /// # Instead
    ///
    /// Call it where it stands, in a function of your own if you like:
    ///
    /// ```js
    /// const toast = (text) => $.ui.toast(text)
    /// await toast('hello')
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "dollar-value", Error, "a noun or method of `$` is used as a value"
}

/// A noun that is not followed by a method.
pub(crate) fn noun(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), noun: &str) {
    let help = if noun == "plugin" {
        "$.plugin.name and $.plugin.root are the two values on $"
    } else {
        "call a method of it here"
    };
    scan.refuse(&RULE, unit, at, format!("$.{noun} is used as a value")).help(help);
}

/// A method that is not called.
pub(crate) fn method(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), name: &str) {
    scan.refuse(&RULE, unit, at, format!("$.{name} is used as a value instead of being called"))
        .help(format!("write $.{name}(...) where it is needed"));
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn nouns_and_methods_that_are_not_called() {
        check(
            "dollar-value",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('session.start', async ($, e, next) => {
        const ui = $.ui
    //             ^^^^ dollar-value
        const toast = $.ui.toast
    //                ^^^^^^^^^^ dollar-value
        $.ui.toast.call(null, 'x')
    //  ^^^^^^^^^^ dollar-value
        new $.ui.toast('x')
    //      ^^^^^^^^^^ dollar-value
        const { name } = $.plugin
    //                   ^^^^^^^^ dollar-value
        return next({ ...e, id: $.session.id })
    //                          ^^^^^^^^^^^^ dollar-value
      })
    }
    "#,
        );
    }

    #[test]
    fn calls_and_the_two_properties_are_fine() {
        check(
            "dollar-value",
            r#"
    //- /hooks/register.ts
    export function register(on) {
      on('session.start', async ($, e, next) => {
        await ($.ui).toast($.plugin.name + $.plugin.root)
        await ($ as any).ui!.log('x')
        return next(e)
      })
    }
    "#,
        );
    }
}
