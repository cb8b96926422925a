//! A state value of another mod is written.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// `$.state.set` or `update` names a value whose `plugin` is not this mod.
    ///
    /// # Why
    ///
    /// Only the owner writes a value. Others may hook the owner's `state.set` and change `e.value`, which the
    /// owner's person can see and forbid.
    ///
    /// # Example
    ///
    /// ```js
    /// await update($, atom({ plugin: 'other', key: 'count' }, 0), (n) => n + 1)
    /// ```
    ///
    /// # Instead
    ///
    /// Hook the write:
    ///
    /// ```js
    /// on('state.set', { plugin: 'other', key: 'count' }, async ($, e, next) => next({ ...e, value: e.value + 1 }))
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "state-owner", Error, "a state value of another mod is written"
}

/// A write of `plugin.key` by somebody else.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), plugin: &str, key: &str) {
    scan.fault(&RULE, unit, at, format!("{plugin}.{key} is written, but {plugin} owns it"))
        .help(format!("hook state.set of {plugin} and change e.value"));
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn writes_and_reads() {
        check(
            "state-owner",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('session.start', async ($, e, next) => {
        await $.state.set({ plugin: 'other', key: 'k' }, 1)
    //                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ state-owner
        await $.state.get({ plugin: 'other', key: 'k' })
        return next(e)
      })
    }
    "#,
        );
    }
}
