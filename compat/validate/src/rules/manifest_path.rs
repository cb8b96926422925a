//! A path in the manifest leads nowhere.

use crate::found::Found;
use crate::imports::join;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// A path does not begin with `./`, leaves the folder, has the wrong suffix or names nothing that is there.
    ///
    /// # Why
    ///
    /// The host reports a load failure for it when the mod is installed.
    ///
    /// # Example
    ///
    /// ```json
    /// { "name": "mine", "commands": ["../shared/commands"] }
    /// ```
    ///
    /// # Instead
    ///
    /// Write paths from the mod's folder:
    ///
    /// ```json
    /// { "name": "mine", "commands": ["./commands"] }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "manifest-path", Error, "a path in the manifest leads nowhere"
}

/// The path inside the folder, when it is one.
pub(crate) fn inside(found: &mut Found, text: &Text, at: (u32, u32), written: &str) -> Option<String> {
    if written.split('/').any(|part| part == "..") {
        found.at(&RULE, text, at, format!("the path {written:?} holds .., which could leave the folder"));
        return None;
    }
    if !written.starts_with("./") {
        found.at(&RULE, text, at, format!("the path {written:?} does not begin with ./"));
    }
    join("", written)
}

/// Nothing there. A host that loads the mod goes on without.
pub(crate) fn missing(found: &mut Found, text: &Text, at: (u32, u32), written: &str) {
    found.at(&RULE, text, at, format!("there is nothing at {written:?}")).install_only();
}

/// Another suffix than it should have.
pub(crate) fn suffix(found: &mut Found, text: &Text, at: (u32, u32), written: &str, suffix: &str) {
    found.at(&RULE, text, at, format!("{written:?} should end in {suffix}"));
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn paths() {
        check(
            "manifest-path",
            r#"
    //- /.claude-plugin/plugin.json
    {
      "name": "mine",
      "commands": ["./here", "./gone"],
                             ^^^^^^^^ manifest-path
      "agents": "./here/a.txt",
                ^^^^^^^^^^^^^^ manifest-path
      "skills": "../outside",
                ^^^^^^^^^^^^ manifest-path
      "hooks": "./hooks/more.json"
               ^^^^^^^^^^^^^^^^^^^ manifest-path
    }
    //- /here/a.txt
    x
    "#,
        );
    }
}
