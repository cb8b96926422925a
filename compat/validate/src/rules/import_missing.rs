//! An imported file is not there.

use crate::found::Found;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// A relative import leads to no file, out of the mod's folder, or to a file that is not named like code.
    ///
    /// # Why
    ///
    /// Only what lies in the folder is installed. A file that packaging left out stops every session of everybody
    /// who has the mod.
    ///
    /// # Example
    ///
    /// ```js
    /// import { x } from '../../shared/x.ts'
    /// ```
    ///
    /// # Instead
    ///
    /// Put the file into the mod's folder, named .ts, .tsx, .jsx, .js, .mjs, .cjs, .mts or .cts. Links are
    /// followed, and must end in the folder as well.
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "import-missing", Error, "an imported file is not there"
}

/// Nothing there. `odd` is what stands there instead of a file.
pub(crate) fn missing(found: &mut Found, text: &Text, at: (u32, u32), specifier: &str, odd: Option<&str>) {
    let message = match odd {
        Some(odd) => format!("{specifier:?} is no regular file but a {odd}"),
        None => format!("there is no file {specifier:?}"),
    };
    found.at(&RULE, text, at, message).help("the path counts from this file");
}

/// Out of the folder.
pub(crate) fn outside(found: &mut Found, text: &Text, at: (u32, u32), specifier: &str) {
    found
        .at(&RULE, text, at, format!("{specifier:?} leads out of the mod's folder"))
        .help("only what is in the folder gets installed");
}

/// Not code.
pub(crate) fn suffix(found: &mut Found, text: &Text, at: (u32, u32), path: &str) {
    let message = format!("{path} is not named like code");
    let help = "code ends in .ts, .tsx, .jsx, .js, .mjs, .cjs, .mts or .cts; write data as a module that exports it";
    found.at(&RULE, text, at, message).help(help);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn missing_outside_and_data() {
        check(
            "import-missing",
            r#"
    //- /hooks/register.js
    import { a } from './missing.js'
    //                ^^^^^^^^^^^^^^ import-missing
    import { b } from '../../outside.js'
    //                ^^^^^^^^^^^^^^^^^^ import-missing
    import c from './data.json'
    //            ^^^^^^^^^^^^^ import-missing
    import { d } from './lib'
    import { e } from '../other/e.js'
    export { f } from '.'
    export function register(on) {}
    //- /hooks/data.json
    {}
    //- /hooks/lib/index.ts
    export const d = 1
    //- /hooks/index.mjs
    export const f = 1
    //- /other/e.ts
    import './gone.ts'
    //     ^^^^^^^^^^^ import-missing
    export const e = 1
    "#,
        );
    }

    #[test]
    fn what_is_no_file() {
        use crate::{Entry, MemoryFiles, Options, validate};
        let mut files = MemoryFiles::new();
        files
            .text(".claude-plugin/plugin.json", r#"{"name":"probe"}"#)
            .text("hooks/hooks.json", r#"{"modules":["r.js"]}"#);
        files.text("hooks/r.js", "import './fifo.js'; import './link.js'; export function register(on) {}");
        files.entry("hooks/fifo.js", Entry::NotAFile("fifo")).entry("hooks/link.js", Entry::Outside);
        let report = validate(&files, &Options::default());
        let messages: Vec<_> =
            report.diagnostics.iter().filter(|d| d.code == "import-missing").map(|d| d.message.as_str()).collect();
        assert_eq!(
            messages,
            ["\"./fifo.js\" is no regular file but a fifo", "\"./link.js\" leads out of the mod's folder"]
        );
    }
}
