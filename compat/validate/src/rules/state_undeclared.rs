//! A state value of this mod is not in its types contract.

use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// The mod uses a state value of its own that `interface PluginState` in the file named by the manifest's
    /// `types` does not declare.
    ///
    /// # Why
    ///
    /// Other mods read the value by that contract; without it the host does not know its shape.
    ///
    /// # Example
    ///
    /// ```js
    /// const count = atom({ plugin: 'mine', key: 'count' }, 0)
    /// ```
    ///
    /// # Instead
    ///
    /// Declare it in the file that `types` of the manifest names:
    ///
    /// ```js
    /// declare module 'claude-code' {
    ///   interface PluginState { mine: { count: number } }
    /// }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "state-undeclared", Error, "a state value of this mod is not in its types contract"
}

/// `plugin.key` is nowhere declared.
pub(crate) fn report(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), plugin: &str, key: &str) {
    scan.fault(&RULE, unit, at, format!("{plugin}.{key} is not declared in the mod's types contract")).help(format!(
        "declare interface PluginState {{ {plugin}: {{ {key}: ... }} }} in the file that types of the manifest names"
    ));
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn own_values_are_declared() {
        check(
            "state-undeclared",
            r#"
    //- /.claude-plugin/plugin.json
    { "name": "mine", "version": "1.0.0", "description": "d", "author": { "name": "a" }, "types": "./types.d.ts" }
    //- /types.d.ts
    declare module 'claude-code' { interface PluginState { mine: { known: number } } }
    //- /hooks/register.js
    export function register(on) {
      on('session.start', async ($, e, next) => {
        await $.state.get({ plugin: 'mine', key: 'known' })
        await $.state.set({ plugin: 'mine', key: 'unknown' }, 1)
    //                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ state-undeclared
        return next(e)
      })
    }
    "#,
        );
    }

    #[test]
    fn the_usual_contract_needs_no_field() {
        check(
            "state-undeclared",
            r#"
    //- /.claude-plugin/plugin.json
    { "name": "mine", "version": "1.0.0", "description": "d", "author": { "name": "a" } }
    //- /types/index.d.ts
    declare module 'claude-code' { interface PluginState { mine: { known: number } } }
    //- /hooks/register.js
    export function register(on) {
      on('session.start', async ($, e, next) => {
        await $.state.get({ plugin: 'mine', key: 'known' })
        await $.state.set({ plugin: 'mine', key: 'unknown' }, 1)
    //                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ state-undeclared
        return next(e)
      })
    }
    "#,
        );
    }
}
