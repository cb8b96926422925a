//! `hooks.json` has a key the host ignores.

use crate::found::Found;
use crate::json::Entry;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// A key of `hooks.json` is not `modules`, `hooks`, `description` or `$schema`.
    ///
    /// # Why
    ///
    /// The host ignores it without a word: with `module` in place of `modules` the mod loads and does nothing.
    ///
    /// # Example
    ///
    /// ```json
    /// { "Modules": ["./register.ts"], "hooks": {} }
    /// ```
    ///
    /// # Instead
    ///
    /// Correct the spelling:
    ///
    /// ```json
    /// { "modules": ["./register.ts"], "hooks": {} }
    /// ```
    ///
    /// # Source
    ///
    /// Reported by users; `claude plugin validate` 2.1.332 does not warn.
    RULE = "hooks-misspelt", Warning, "`hooks.json` has a key the host ignores"
}

const KEYS: [&str; 4] = ["$schema", "description", "hooks", "modules"];

/// Is this a key that does something?
pub(crate) fn check(found: &mut Found, text: &Text, entry: &Entry) {
    let key = entry.key.as_str();
    let event = modgate_catalog::event(&format!("classic.{key}")).is_some();
    if KEYS.contains(&key) || event {
        return;
    }
    let near = |name: &&&str| strsim::damerau_levenshtein(&key.to_lowercase(), name) <= 2;
    let mut adding = found.at(&RULE, text, (entry.start, entry.end), format!("the host ignores {key:?}"));
    adding = match KEYS.iter().find(near) {
        Some(name) => adding.help(format!("did you mean {name:?}?")),
        None => adding.help("remove it"),
    };
    let _ = adding;
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn misspelt_keys() {
        check(
            "hooks-misspelt",
            r#"
    //- /hooks/hooks.json
    { "Modules": ["./register.js"], "description": "d", "hooks": {}, "//": "x" }
      ^^^^^^^^^ hooks-misspelt
                                                                     ^^^^ hooks-misspelt
    "#,
        );
    }
}
