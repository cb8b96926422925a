//! A settings hook is malformed.

use crate::found::Found;
use crate::json::Entry;
use crate::report::Severity;
use crate::text::Text;

rule! {
    /// # What
    ///
    /// An entry under `hooks` is not `{ matcher?, hooks: [{ type, ... }] }`, or stands outside `hooks`. For events
    /// other than PreToolUse and PermissionRequest, and for unknown events, this is a warning: the host leaves such
    /// an entry out.
    ///
    /// # Why
    ///
    /// A hook on PreToolUse or PermissionRequest may be what guards everything else, so the host takes nothing from
    /// a file in which it cannot read one.
    ///
    /// # Example
    ///
    /// ```json
    /// { "hooks": { "PreToolUse": [{ "type": "command", "command": "./check" }] } }
    /// ```
    ///
    /// # Instead
    ///
    /// Put the hook into a list of its own:
    ///
    /// ```json
    /// { "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "./check" }] }] } }
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "settings-hook", Error, "a settings hook is malformed"
}

/// An entry that cannot be read; refused where it may be a guard.
pub(crate) fn malformed(found: &mut Found, text: &Text, at: (u32, u32), guard: bool, message: String) {
    let severity = if guard { Severity::Error } else { Severity::Warning };
    let help = if guard {
        "the host applies nothing from this file until it is mended"
    } else {
        "the host leaves this entry out"
    };
    found.at(&RULE, text, at, message).severity(severity).help(help);
}

/// An event nobody knows.
pub(crate) fn unknown_event(found: &mut Found, text: &Text, event: &Entry) {
    let nearest = modgate_catalog::nearest_event(&format!("classic.{}", event.key))
        .and_then(|name| name.strip_prefix("classic."));
    let adding = found
        .at(
            &RULE,
            text,
            (event.start, event.end),
            format!("there is no settings hook event {:?}; the host leaves it out", event.key),
        )
        .severity(Severity::Warning);
    if let Some(nearest) = nearest {
        adding.help(format!("did you mean {nearest:?}?"));
    }
}

/// An event as a key of the file itself.
pub(crate) fn outside(found: &mut Found, text: &Text, entry: &Entry) {
    if modgate_catalog::event(&format!("classic.{}", entry.key)).is_some() {
        let guard = crate::hooks_file::guards(&entry.key);
        malformed(found, text, (entry.start, entry.end), guard, format!("{} stands outside of hooks", entry.key));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn entries_that_cannot_be_read() {
        check(
            "settings-hook",
            r#"
    //- /hooks/hooks.json
    {
      "modules": ["./register.js"],
      "Stop": [],
      ^^^^^^ settings-hook
      "hooks": {
        "PreToolUse": [
          { "matcher": 5, "hooks": [] },
                       ^ settings-hook
          { "hooks": [{ "command": "x" }] },
                      ^^^^^^^^^^^^^^^^^^ settings-hook
          { "hooks": [{ "type": "frob" }] },
                                ^^^^^^ settings-hook
          { "hooks": [{ "type": "command", "command": "x", "timeout": "5" }] },
                                                                      ^^^ settings-hook
          "x"
          ^^^ settings-hook
        ],
        "PostToolUse": "x",
                       ^^^ settings-hook
        "NoSuch": []
        ^^^^^^^^ settings-hook
      }
    }
    "#,
        );
    }

    #[test]
    fn only_possible_guards_refuse() {
        use crate::{MemoryFiles, Options, validate};
        let refused = |event: &str| {
            let mut files = MemoryFiles::new();
            files.text(".claude-plugin/plugin.json", r#"{"name":"probe"}"#);
            files.text("hooks/hooks.json", format!(r#"{{"hooks":{{"{event}":[{{"hooks":[{{"type":"frob"}}]}}]}}}}"#));
            !validate(&files, &Options::default()).is_accepted()
        };
        assert!(refused("PreToolUse") && refused("PermissionRequest"));
        assert!(!refused("Stop") && !refused("NoSuch"));
    }
}
