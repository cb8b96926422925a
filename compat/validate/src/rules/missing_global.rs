//! A global is used that a hooks module does not have.

use crate::scan::Scan;
use crate::tree::Role;
use swc_ecma_ast::UnaryOp;

rule! {
    /// # What
    ///
    /// A name such as `require`, `process`, `fetch` or `Buffer` is used without being declared, or `eval` or
    /// `Function` is called.
    ///
    /// # Why
    ///
    /// A hooks module has the language, web basics and `$`; nothing of Node or the DOM. The name is a
    /// ReferenceError when it is reached, and `eval` throws.
    ///
    /// # Example
    ///
    /// ```js
    /// const token = process.env.TOKEN
    /// ```
    ///
    /// # Instead
    ///
    /// Use `$`:
    ///
    /// ```js
    /// const token = await $.env.get('TOKEN')
    /// ```
    ///
    /// # Source
    ///
    /// The environment of a module, measured on 2.1.332. `claude plugin validate` 2.1.332 does not warn.
    RULE = "missing-global", Warning, "a global is used that a hooks module does not have"
}

/// Names a module does not have, and what it has instead.
const MISSING: [(&str, &str); 22] = [
    ("Buffer", "Uint8Array, TextEncoder, btoa"),
    ("Bun", "$"),
    ("Deno", "$"),
    ("Function", "a function written out; text is never run as code"),
    ("WebAssembly", "JavaScript"),
    ("WebSocket", "$.http.fetch"),
    ("XMLHttpRequest", "$.http.fetch"),
    ("__dirname", "$.plugin.root"),
    ("__filename", "$.plugin.root"),
    ("alert", "$.ui.toast"),
    ("document", "$.ui"),
    ("eval", "a function written out; text is never run as code"),
    ("exports", "export"),
    ("fetch", "$.http.fetch"),
    ("global", "globalThis"),
    ("localStorage", "$.store"),
    ("module", "export"),
    ("process", "$.process, $.env, $.session.cwd"),
    ("prompt", "$.ui.ask"),
    ("require", "import"),
    ("sessionStorage", "$.state"),
    ("window", "globalThis"),
];

/// Uses of such names that nothing declares.
pub(crate) fn check(scan: &mut Scan<'_, '_>, unit: usize) {
    let tree = &scan.unit(unit).tree;
    let mut found = Vec::new();
    for (name, instead) in MISSING {
        for id in tree.refs_named(name) {
            let used = &tree.refs[*id as usize];
            let role = tree.link(used.link).role;
            // Asking whether it is there is fine, and so is `x instanceof Function`.
            let asks = matches!(role, Role::Unary(UnaryOp::TypeOf))
                || (name == "Function" && !matches!(role, Role::Callee(_)));
            if !asks && tree.resolve(name, used.scope).is_none() {
                found.push((used.at, name, instead));
            }
        }
    }
    for (at, name, instead) in found {
        scan.fault(&RULE, unit, at, format!("a hooks module has no {name}")).help(format!("it has {instead}"));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn names_nothing_declares() {
        check(
            "missing-global",
            r#"
    //- /hooks/register.js
    import { fetch } from './lib.js'
    export function register(on) {
      const fs = require('fs')
    //           ^^^^^^^ missing-global
      on('tool.call', async ($, e, next) => {
        process.exit(1)
    //  ^^^^^^^ missing-global
        new Function('return 1')
    //      ^^^^^^^^ missing-global
        if (typeof window !== 'undefined') e.process.window
        fetch('x')
        setTimeout(() => {}, 1)
        return next(e)
      })
    }
    //- /hooks/lib.js
    export const fetch = 1
    "#,
        );
    }
}
