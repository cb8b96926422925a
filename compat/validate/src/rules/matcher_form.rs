//! A matcher is refused when it is registered.

use crate::scan::Scan;
use crate::tree::{is_undefined, plain};
use swc_common::{Span, Spanned};
use swc_ecma_ast::{Expr, Lit, Prop, PropOrSpread};

rule! {
    /// # What
    ///
    /// A matcher is a text, a list, an expression or null instead of an object, or holds `undefined`, a function, a
    /// regular expression with the flag g or y, or more than 8 levels.
    ///
    /// # Why
    ///
    /// The real validator lets it pass; `on` throws when the module runs, and the mod does not load. Loading here
    /// refuses it too.
    ///
    /// # Example
    ///
    /// ```js
    /// on('tool.call', { tool: /Bash/g }, hook)
    /// ```
    ///
    /// # Instead
    ///
    /// Use an object of texts, numbers, true, false, null, expressions without g and y, lists of such and objects.
    ///
    /// # Source
    ///
    /// The suites `matchers`: seen in the test runner of Claude Code 2.1.332.
    RULE = "matcher-form", Warning, "a matcher is refused when it is registered"
}

/// Would `on` take this matcher?
pub(crate) fn check(scan: &mut Scan<'_, '_>, index: usize) {
    let hook = &scan.hooks[index];
    let Some(matcher) = hook.matcher else { return };
    let (unit, parsed) = (hook.unit, scan.unit(hook.unit).parsed);
    let mut wrong = Vec::new();
    match plain(matcher) {
        Expr::Object(_) => value(matcher, 0, &mut wrong),
        Expr::Lit(_) | Expr::Tpl(_) | Expr::Array(_) | Expr::Arrow(_) | Expr::Fn(_) => {
            wrong.push((matcher.span(), "a matcher is an object"))
        }
        _ => {}
    }
    for (span, message) in wrong {
        scan.fault(&RULE, unit, parsed.offsets(span), format!("{message}; the host refuses the mod when on is called"));
    }
}

/// Deeper matchers are refused.
const DEEPEST: u32 = 8;

fn value(expr: &Expr, depth: u32, wrong: &mut Vec<(Span, &'static str)>) {
    if depth > DEEPEST {
        return wrong.push((expr.span(), "a matcher has at most 8 levels"));
    }
    match plain(expr) {
        Expr::Lit(Lit::Regex(regex)) if regex.flags.contains(['g', 'y']) => {
            wrong.push((regex.span, "an expression with the flag g or y remembers where it was"));
        }
        Expr::Arrow(_) | Expr::Fn(_) => wrong.push((expr.span(), "a function matches nothing")),
        other if is_undefined(other) => wrong.push((expr.span(), "undefined matches nothing")),
        Expr::Array(array) => array.elems.iter().flatten().for_each(|item| value(&item.expr, depth + 1, wrong)),
        Expr::Object(object) => {
            for prop in &object.props {
                if let PropOrSpread::Prop(prop) = prop
                    && let Prop::KeyValue(pair) = &**prop
                {
                    value(&pair.value, depth + 1, wrong);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn forms_that_throw() {
        check(
            "matcher-form",
            r#"
    //- /hooks/register.js
    const hook = async ($, e, next) => next(e)
    export function register(on) {
      on('tool.call', 'Bash', hook)
    //                ^^^^^^ matcher-form
      on('tool.call', { tool: /Bash/g }, hook)
    //                        ^^^^^^^ matcher-form
      on('tool.call', { tool: [undefined, 'x'] }, hook)
    //                         ^^^^^^^^^ matcher-form
      on('tool.call', { tool: () => 1 }, hook)
    //                        ^^^^^^^ matcher-form
      on('tool.call', { tool: [/a/i, null, 1, true, { a: 'b' }] }, hook)
    }
    "#,
        );
    }
}
