//! A matcher names a component or surface that does not exist.

use crate::scan::{Scan, literal_text, property};
use crate::tree::plain;
use swc_common::Spanned;
use swc_ecma_ast::Expr;

rule! {
    /// # What
    ///
    /// `component` or `surface` of a matcher on a drawing event is a name no host draws.
    ///
    /// # Why
    ///
    /// The hook loads and never runs.
    ///
    /// # Example
    ///
    /// ```js
    /// on('ui.render', { component: 'BelowPrompt' }, hook)
    /// ```
    ///
    /// # Instead
    ///
    /// Use one of the names the host draws, such as AbovePrompt, Pane, Spinner, ToolUse or UserMessage.
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 warns as well.
    RULE = "matcher-never", Warning, "a matcher names a component or surface that does not exist"
}

/// Is there such a component, such a surface?
pub(crate) fn check(scan: &mut Scan<'_, '_>, index: usize) {
    let hook = &scan.hooks[index];
    let drawing = hook.pattern == "ui.render";
    let (Some(matcher), true) = (hook.matcher, drawing) else { return };
    let unit = hook.unit;
    let Ok(host) = modgate_catalog::hosts::host("claude-code") else { return };
    for (key, what) in [("component", "component"), ("surface", "surface")] {
        let Some(value) = property(matcher, key) else { continue };
        let names = match plain(value) {
            Expr::Array(array) => array.elems.iter().flatten().map(|item| &*item.expr).collect(),
            _ => vec![value],
        };
        for name in names {
            let owner = scan.unit(unit);
            let Some(text) = literal_text(owner, name) else { continue };
            let known = if key == "component" { host.draws(&text) } else { host.ui.surfaces.contains(&text) };
            if !known && text != "*" {
                let at = owner.parsed.offsets(name.span());
                scan.fault(&RULE, unit, at, format!("no {what} is called {text}, so this hook never runs for it"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn names_nobody_draws() {
        check(
            "matcher-never",
            r#"
    //- /hooks/register.js
    const hook = async ($, e, next) => next(e)
    export function register(on) {
      on('ui.render', { component: 'BelowPrompt' }, hook)
    //                             ^^^^^^^^^^^^^ matcher-never
      on('ui.render', { component: ['AbovePrompt', 'Above'] }, hook)
    //                                             ^^^^^^^ matcher-never
      on('ui.render', { surface: 'web' }, hook)
    //                           ^^^^^ matcher-never
      on('ui.render', { component: /Prompt/, surface: 'terminal' }, hook)
    }
    "#,
        );
    }
}
