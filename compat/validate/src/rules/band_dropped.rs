//! A band drops what other mods draw.

use crate::report::{Literal, Matcher};
use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// A `ui.render` hook on AbovePrompt never uses `next`.
    ///
    /// # Why
    ///
    /// The band above the prompt is shared: each mod draws its part around what `next(e)` gives. A hook that does
    /// not ask for it removes every band beneath.
    ///
    /// # Example
    ///
    /// ```js
    /// on('ui.render', { component: 'AbovePrompt' }, async ($, e) => {
    ///   const { Text } = $.ui.resolve(e)
    ///   return <Text>mine</Text>
    /// })
    /// ```
    ///
    /// # Instead
    ///
    /// Draw around the others:
    ///
    /// ```js
    /// on('ui.render', { component: 'AbovePrompt' }, async ($, e, next) => {
    ///   const { Box, Text } = $.ui.resolve(e)
    ///   return <Box flexDirection="column"><Text>mine</Text>{await next(e)}</Box>
    /// })
    /// ```
    ///
    /// # Source
    ///
    /// Reported by users: bands hide each other. `claude plugin validate` 2.1.332 does not warn.
    RULE = "band-dropped", Warning, "a band drops what other mods draw"
}

/// Does hook number `index` draw a band without the others?
pub(crate) fn check(scan: &mut Scan<'_, '_>, index: usize) {
    let hook = &scan.hooks[index];
    let band = hook.pattern == "ui.render"
        && matches!(&hook.fact.matcher, Some(Matcher::Has(fields)) if fields.iter().any(|(key, of)| key == "component" && names_band(of)));
    if !band || scan.uses_next(hook.func) {
        return;
    }
    let (unit, at) = (hook.unit, hook.pattern_at);
    scan.fault(&RULE, unit, at, "this band is drawn without next(e), so the bands of other mods disappear")
        .help("put {await next(e)} into what is drawn");
}

fn names_band(of: &Matcher) -> bool {
    match of {
        Matcher::Is(Literal::String(name)) => name == "AbovePrompt",
        Matcher::AnyOf(any) => any.iter().any(names_band),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn bands_with_and_without_next() {
        check(
            "band-dropped",
            r#"
    //- /hooks/register.jsx
    export function register(on) {
      on('ui.render', { component: 'AbovePrompt' }, async ($, e) => { const { Text } = $.ui.resolve(e); return <Text>x</Text> })
    //   ^^^^^^^^^^^ band-dropped
      on('ui.render', { component: 'AbovePrompt', plugin: 'b' }, async ($, e, next) => { const { Box } = $.ui.resolve(e); return <Box>{await next(e)}</Box> })
      on('ui.render', { component: 'Pane' }, async ($, e) => { const { Text } = $.ui.resolve(e); return <Text>x</Text> })
    }
    "#,
        );
    }
}
