//! A `Client` element names no module the host can load.

use crate::found::Found;
use crate::report::Named;
use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// `module` of a `Client` element is missing, computed, not relative, outside the mod, not named like code, not
    /// there, or exports no component.
    ///
    /// # Why
    ///
    /// A surface runs the module in a place of its own, so it is loaded with the mod, by the path in the source.
    ///
    /// # Example
    ///
    /// ```js
    /// const board = './board.tsx'
    /// return <Client key="b" module={board} />
    /// ```
    ///
    /// # Instead
    ///
    /// Write the path from this file:
    ///
    /// ```js
    /// return <Client key="b" module="./board.tsx" />
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "client-module", Error, "a `Client` element names no module the host can load"
}

/// No `module` at all, or only in a spread.
pub(crate) fn no_module(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "Client names no module").help("add module=\"./file.tsx\"");
}

/// A path that has to be computed.
pub(crate) fn not_literal(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "module of Client is not a string literal").help("write the path in quotes");
}

/// `module="board.tsx"`.
pub(crate) fn not_relative(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), path: &str) {
    scan.refuse(&RULE, unit, at, format!("module {path:?} of Client is not relative"))
        .help(format!("write \"./{path}\""));
}

/// A path out of the mod.
pub(crate) fn outside(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), path: &str) {
    scan.refuse(&RULE, unit, at, format!("module {path:?} of Client leaves the mod's folder"));
}

/// Not code.
pub(crate) fn suffix(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), path: &str) {
    scan.refuse(&RULE, unit, at, format!("module {path:?} of Client is not named like code"))
        .help("it ends in .tsx, .ts, .jsx, .js, .mjs, .cjs, .mts or .cts");
}

/// Not there, or not readable.
pub(crate) fn missing(found: &mut Found, client: &Named) {
    let mut at = found.of(&RULE, &client.at.file, format!("there is no surface module {}", client.name));
    at.place(client.at.span);
}

/// No component in it.
pub(crate) fn no_component(found: &mut Found, client: &Named, exported: &[String]) {
    let message = if exported.is_empty() {
        format!("surface module {} exports no component", client.name)
    } else {
        format!("surface module {} exports {}; one of them must be the default", client.name, exported.join(" and "))
    };
    let mut at =
        found.of(&RULE, &client.at.file, message).help("export it as default, or as the only capitalized name");
    at.place(client.at.span);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn paths_in_the_source() {
        check(
            "client-module",
            r#"
    //- /hooks/register.jsx
    const computed = './board.jsx'
    export function register(on) {
      on('ui.render', { component: 'Pane' }, async ($, e, next) => {
        const { Box, Client } = $.ui.resolve(e)
        return (
          <Box>
            <Client key="1" module="./board.jsx" />
            <Client key="2" module={computed} />
    //                              ^^^^^^^^ client-module
            <Client key="3" />
    //       ^^^^^^ client-module
            <Client key="4" module="board.jsx" />
    //                             ^^^^^^^^^^^ client-module
            <Client key="5" module="../../x.jsx" />
    //                             ^^^^^^^^^^^^^ client-module
            <Client key="6" module="./board" />
    //                             ^^^^^^^^^ client-module
            {h(Client, { key: '7', module: e.x })}
    //                                     ^^^ client-module
          </Box>
        )
      })
    }
    //- /hooks/board.jsx
    export default function Board() { return null }
    "#,
        );
    }

    #[test]
    fn what_is_behind_them() {
        check(
            "client-module",
            r#"
    //- /hooks/register.jsx
    export function register(on) {
      on('ui.render', { component: 'Pane' }, async ($, e, next) => {
        const { Box, Client } = $.ui.resolve(e)
        return (
          <Box>
            <Client key="1" module="./none.jsx" />
    //                             ^^^^^^^^^^^^ client-module
            <Client key="2" module="./two.jsx" />
    //                             ^^^^^^^^^^^ client-module
            <Client key="3" module="./one.jsx" />
          </Box>
        )
      })
    }
    //- /hooks/two.jsx
    export function One() {}
    export function Two() {}
    //- /hooks/one.jsx
    export function One() {}
    export function two() {}
    "#,
        );
    }
}
