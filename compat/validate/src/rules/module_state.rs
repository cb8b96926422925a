//! A variable of the module changes while hooks run.

use crate::scan::Scan;
use crate::tree::{BindKind, Role};

rule! {
    /// # What
    ///
    /// A function assigns to a `let` or `var` at the top of a file.
    ///
    /// # Why
    ///
    /// The module is evaluated again at every reload, and once for each session, so what the variable held is lost.
    /// `$.state` and `$.store` survive.
    ///
    /// # Example
    ///
    /// ```js
    /// let blocked = 0
    /// export function register(on) {
    ///   on('tool.call', async ($, e, next) => { blocked++; return next(e) })
    /// }
    /// ```
    ///
    /// # Instead
    ///
    /// Keep it in the store, or in a state value:
    ///
    /// ```js
    /// const blocked = (await $.store.get('blocked')) ?? 0
    /// await $.store.set('blocked', blocked + 1)
    /// ```
    ///
    /// # Source
    ///
    /// Hot reload reruns the module; store and panes survive (environment of a module). `claude plugin validate`
    /// 2.1.332 does not warn.
    RULE = "module-state", Warning, "a variable of the module changes while hooks run"
}

/// Variables at the top of a file that functions change.
pub(crate) fn check(scan: &mut Scan<'_, '_>, unit: usize) {
    let tree = &scan.unit(unit).tree;
    let mut changed = Vec::new();
    for (id, bind) in tree.binds.iter().enumerate() {
        if bind.scope != 0 || !matches!(bind.kind, BindKind::Let | BindKind::Var) {
            continue;
        }
        let uses = tree.uses(id as u32);
        let first = uses
            .into_iter()
            .map(|id| &tree.refs[id as usize])
            .find(|used| used.func != 0 && matches!(tree.link(used.link).role, Role::Target));
        changed.extend(first.map(|used| (bind.name, bind.at, used.at)));
    }
    let text = scan.unit(unit).text;
    for (name, declared, at) in changed {
        scan.fault(&RULE, unit, at, format!("{name} is kept in the module, which a reload starts anew"))
            .label(text, declared, "declared here")
            .help("keep it in $.store or $.state if it should survive");
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn variables_at_the_top() {
        check(
            "module-state",
            r#"
    //- /hooks/register.js
    let count = 0
    let once = 1
    once = 2
    const list = []
    export function register(on) {
      let local = 0
      on('tool.call', async ($, e, next) => { count++; local = 1; count = 2; return next(e) })
    //                                        ^^^^^ module-state
    }
    "#,
        );
    }
}
