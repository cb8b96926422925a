//! A state value is not named by string literals.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// `$.state.get`, `$.state.set`, `atom`, `read`, `update`, `derive` or `memberOf` is given an address whose
    /// `plugin` or `key` has to be computed, or a source that comes from another file.
    ///
    /// # Why
    ///
    /// The values a mod reads and writes are listed before it runs. Only the `id` of a family's member may be
    /// computed.
    ///
    /// # Example
    ///
    /// ```js
    /// const key = 'count'
    /// const count = atom({ plugin: 'mine', key }, 0)
    /// ```
    ///
    /// # Instead
    ///
    /// Write both out, here or in a `const` of the same file:
    ///
    /// ```js
    /// const count = atom({ plugin: 'mine', key: 'count' }, 0)
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "state-literal", Error, "a state value is not named by string literals"
}

const HELP: &str = "write { plugin: \"...\", key: \"...\" } here or in a const of this file";

/// `$.state.get` and `$.state.set`.
pub(crate) fn call(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), call: &str) {
    scan.refuse(
        &RULE,
        unit,
        at,
        format!("the address given to $.{call} does not name plugin and key as string literals"),
    )
    .help(HELP);
}

/// What the state library is given.
pub(crate) fn source(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), what: &str) {
    scan.refuse(&RULE, unit, at, format!("the source given to {what} cannot be read off this file")).help(HELP);
}

/// `read(source, $)`.
pub(crate) fn order(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), what: &str) {
    scan.refuse(&RULE, unit, at, format!("$ is the first argument of {what}"));
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn addresses_that_are_computed() {
        check(
            "state-literal",
            r#"
    //- /hooks/register.js
    import { atom, read, update, derive } from 'claude-code'
    import { far } from './lib.js'
    const near = atom({ plugin: 'other', key: 'k' }, 0)
    const key = 'k'
    const made = atom({ plugin: 'other', key: key }, 0)
    //                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ state-literal
    export function register(on) {
      on('session.start', async ($, e, next) => {
        await $.state.get({ plugin: 'other', key: e.key })
    //                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ state-literal
        await read($, far)
    //                ^^^ state-literal
        await read(near, $)
    //                   ^ state-literal
        await read($, derive([near], (n) => n))
        await $.state.get({ plugin: 'other', key: 'k', id: e.id })
        return next(e)
      })
    }
    //- /hooks/lib.js
    import { atom } from 'claude-code'
    export const far = atom({ plugin: 'other', key: 'k' }, 0)
    "#,
        );
    }
}
