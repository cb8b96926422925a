//! The hooks module cannot be loaded from its path.

use crate::found::Found;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// `modules` is no list of one path, or the path leads out of the folder, to nothing, to something that is no
    /// regular file, or to a file that is not named like code.
    ///
    /// # Why
    ///
    /// A mod has one hooks module. Its path counts from the file that names it; no suffix and no index is added.
    ///
    /// # Example
    ///
    /// ```json
    /// { "modules": ["./register"] }
    /// ```
    ///
    /// # Instead
    ///
    /// Write the path with its suffix:
    ///
    /// ```json
    /// { "modules": ["./register.ts"] }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "hooks-module", Error, "the hooks module cannot be loaded from its path"
}

/// What is wrong with it.
pub(crate) fn report(found: &mut Found, text: &Text, at: (u32, u32), message: impl Into<String>) {
    found.at(&RULE, text, at, message).help("name one file by its path from here, such as \"./register.ts\"");
}

/// Would another system open another file for this path?
pub(crate) fn odd_on_windows(path: &str) -> bool {
    let odd = |part: &str| {
        let short = part.split_once('~').is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()));
        !matches!(part, "" | "." | "..") && (part.ends_with(['.', ' ']) || short)
    };
    path.contains(['\\', ':']) || path.starts_with(' ') || path.split('/').any(odd)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn paths_that_are_refused() {
        for path in ["./register", "/etc/passwd", "../../x.js", "./hooks.json", "./", "file:///x", ".\\\\register.js"] {
            let carets = "^".repeat(path.len() + 2);
            let file = format!("{{ \"modules\": [\"{path}\"] }}\n              {carets} hooks-module");
            check(
                "hooks-module",
                &format!(
                    "\n//- /hooks/hooks.json\n{file}\n//- /hooks/register.js\nexport function register(on) {{}}\n"
                ),
            );
        }
    }

    #[test]
    fn one_path() {
        check(
            "hooks-module",
            r#"
    //- /hooks/hooks.json
    { "modules": "./register.js" }
                 ^^^^^^^^^^^^^^^ hooks-module
    "#,
        );
        check(
            "hooks-module",
            r#"
    //- /hooks/hooks.json
    { "modules": ["./register.js", "./register.js"] }
                                   ^^^^^^^^^^^^^^^ hooks-module
    //- /hooks/register.js
    export function register(on) {}
    "#,
        );
    }

    #[test]
    fn a_second_file_may_not_name_another() {
        check(
            "hooks-module",
            r#"
    //- /.claude-plugin/plugin.json
    { "name": "mine", "hooks": "./more.json" }
    //- /more.json
    { "modules": ["./hooks/register.js"] }
                  ^^^^^^^^^^^^^^^^^^^^^ hooks-module
    //- /hooks/register.js
    export function register(on) {}
    "#,
        );
    }
}
