//! What a program runs, noted while it runs it: by a prefix around its shell and by passive command hooks, both writing
//! to one file, so that the order between them is kept.

use std::path::Path;

use serde_json::Value;

/// One thing that was noted.
#[derive(Clone, Debug, PartialEq)]
pub enum Noted {
    /// A command line handed to the shell.
    Shell(String),
    /// The input of a command hook.
    Hook(Value),
}

/// A script that notes the command line in its first argument and runs it. Lines of hooks are not noted.
pub(crate) fn shell_script(trace: &Path, hook: &Path) -> String {
    format!(
        "#!/bin/bash\nif [ \"$1\" != {hook} ]; then printf 'shell\\0%s\\0' \"$1\" >> {trace}; fi\nexec /bin/bash -c \"$1\"\n",
        hook = quoted(hook),
        trace = quoted(trace),
    )
}

/// A script that notes its standard input and says nothing.
pub(crate) fn hook_script(trace: &Path) -> String {
    format!("#!/bin/bash\ninput=$(cat)\nprintf 'hook\\0%s\\0' \"$input\" >> {}\n", quoted(trace))
}

pub(crate) fn quoted(path: &Path) -> String {
    quote(&path.to_string_lossy())
}

pub(crate) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Reads what was noted; nothing where the file is not there.
pub(crate) fn read(trace: &Path) -> Vec<Noted> {
    let bytes = std::fs::read(trace).unwrap_or_default();
    parse(&String::from_utf8_lossy(&bytes))
}

fn parse(text: &str) -> Vec<Noted> {
    let mut fields = text.split('\0');
    let mut noted = Vec::new();
    while let (Some(kind), Some(content)) = (fields.next(), fields.next()) {
        match kind {
            "shell" => noted.push(Noted::Shell(unwrapped(content))),
            _ => noted.extend(serde_json::from_str(content).ok().map(Noted::Hook)),
        }
    }
    noted
}

/// The command inside of what a program puts around it: the word after `eval`. The whole line where there is none.
fn unwrapped(line: &str) -> String {
    let start = [" eval '", " eval \""].iter().find_map(|mark| line.find(mark).map(|at| at + " eval ".len()));
    start.and_then(|start| word(&line[start..])).unwrap_or_else(|| line.to_owned())
}

/// The first word of a shell line with its quotes resolved.
fn word(text: &str) -> Option<String> {
    let mut word = String::new();
    let mut letters = text.chars();
    let mut quote: Option<char> = None;
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some('"') | None, '\\') => word.push(letters.next()?),
            (Some(_), _) => word.push(letter),
            (None, '\'' | '"') => quote = Some(letter),
            (None, _) if letter.is_whitespace() => return Some(word),
            (None, _) => word.push(letter),
        }
    }
    quote.is_none().then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_taken_out_of_its_wrapping() {
        let line =
            r#"source snapshot 2>/dev/null || true && eval 'echo '"'"'a b'"'"' && ls' < /dev/null && pwd -P >| x"#;
        assert_eq!(unwrapped(line), "echo 'a b' && ls");
        assert_eq!(unwrapped(r"x && eval 'it'\''s' < y"), "it's");
        assert_eq!(unwrapped("ls -l"), "ls -l");
        assert_eq!(unwrapped("x && eval 'torn"), "x && eval 'torn");
    }

    #[test]
    fn both_kinds_are_read_in_order() {
        let text = "hook\0{\"hook_event_name\":\"PreToolUse\"}\0shell\0ls\0hook\0no json\0";
        let hook = Noted::Hook(serde_json::json!({ "hook_event_name": "PreToolUse" }));
        assert_eq!(parse(text), [hook, Noted::Shell("ls".into())]);
    }

    #[test]
    fn the_scripts_note_what_they_run() {
        let folder = tempfile::tempdir().unwrap();
        let (trace, shell, hook) =
            (folder.path().join("trace"), folder.path().join("shell"), folder.path().join("it's a hook"));
        std::fs::write(&shell, shell_script(&trace, &hook)).unwrap();
        std::fs::write(&hook, hook_script(&trace)).unwrap();
        let ran = std::process::Command::new("bash").arg(&shell).arg("echo \"a  b\"").output().unwrap();
        assert_eq!(ran.stdout, b"a  b\n");
        let line = format!("echo '{{\"a\": 1}}' | bash {}", quoted(&hook));
        std::process::Command::new("bash").arg("-c").arg(line).output().unwrap();
        let noted = read(&trace);
        assert_eq!(noted, [Noted::Shell("echo \"a  b\"".into()), Noted::Hook(serde_json::json!({ "a": 1 }))]);
    }
}
