//! A matcher is refused when it is registered.

use crate::scan::Scan;
use crate::tree::{is_undefined, key_text, plain};
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
        Expr::Object(_) => value(matcher, "", 0, &mut wrong),
        Expr::Lit(_) | Expr::Tpl(_) | Expr::Array(_) | Expr::Arrow(_) | Expr::Fn(_) => {
            wrong.push((matcher.span(), "a matcher is a plain object".to_string()))
        }
        _ => {}
    }
    for (span, message) in wrong {
        scan.fault(&RULE, unit, parsed.offsets(span), format!("{message}; the host refuses the mod when on is called"));
    }
}

/// Deeper matchers are refused.
const DEEPEST: u32 = 8;

fn value(expr: &Expr, path: &str, depth: u32, wrong: &mut Vec<(Span, String)>) {
    let mut say = |span: Span, what: &str| wrong.push((span, format!("matcher at {path}: {what}")));
    if depth > DEEPEST {
        return say(expr.span(), "a matcher has at most 8 levels");
    }
    match plain(expr) {
        Expr::Lit(Lit::Regex(regex)) if regex.flags.contains(['g', 'y']) => {
            say(regex.span, "a RegExp with the flag g or y remembers where it was");
        }
        Expr::Arrow(_) | Expr::Fn(_) => say(expr.span(), "a function matches nothing"),
        other if is_undefined(other) => say(expr.span(), "undefined matches nothing"),
        Expr::Array(array) => {
            for (index, item) in array.elems.iter().enumerate() {
                if let Some(item) = item {
                    value(&item.expr, &format!("{path}[{index}]"), depth + 1, wrong);
                }
            }
        }
        Expr::Object(object) => {
            for prop in &object.props {
                if let PropOrSpread::Prop(prop) = prop
                    && let Prop::KeyValue(pair) = &**prop
                {
                    let key = key_text(&pair.key).unwrap_or("?");
                    let inner = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
                    value(&pair.value, &inner, depth + 1, wrong);
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
