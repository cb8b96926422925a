/// Wrappers that run another command and change nothing about what it may do.
const PLAIN: &[&str] = &["timeout", "time", "nice", "nohup", "stdbuf"];
/// Wrappers that run another command, perhaps as somebody else or with other arguments.
const OTHER: &[&str] = &["sudo", "doas", "env", "command", "builtin", "exec", "xargs", "setsid", "ionice", "watch"];
/// Options of `find` that begin a command.
const EXEC: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];
const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "ksh", "fish"];

/// The command's name without its folder.
fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '+')
}

pub(super) fn disguises(words: &[String]) -> Vec<String> {
    let mut seen = vec![words.join(" ")];
    let mut words = words;
    loop {
        let skipped = words.iter().take_while(|word| is_assignment(word)).count();
        words = &words[skipped..];
        let Some(first) = words.first() else { break };
        let mut bare = words.to_vec();
        bare[0] = base(first).to_owned();
        seen.push(words.join(" "));
        seen.push(bare.join(" "));
        let name = base(first);
        if !PLAIN.contains(&name) && !OTHER.contains(&name) {
            break;
        }
        // Options of a wrapper may take values, so each later word could be where its command begins.
        for start in 1..words.len() {
            seen.push(words[start..].join(" "));
        }
        words = &words[1..];
        let options = words.iter().take_while(|word| word.starts_with('-') || is_number(word)).count();
        words = &words[options..];
    }
    let starts = words.iter().enumerate().filter(|(_, word)| EXEC.contains(&word.as_str()));
    seen.extend(starts.map(|(at, _)| words[at + 1..].join(" ")));
    seen.dedup();
    seen
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

pub(super) fn plain(text: &str) -> Option<String> {
    let mut rest = text.trim();
    let mut found = false;
    while let Some((first, tail)) = rest.split_once(' ') {
        if !PLAIN.contains(&first) {
            break;
        }
        found = true;
        rest = tail.trim_start();
        if first == "timeout" {
            // Only the simplest form, a duration without options.
            let (duration, tail) = rest.split_once(' ')?;
            if !is_number(duration) {
                return None;
            }
            rest = tail.trim_start();
        } else if rest.starts_with('-') {
            return None;
        }
    }
    found.then(|| rest.to_owned())
}

/// The script a nested shell is given as text.
pub(super) fn inner_script(words: &[String]) -> Option<String> {
    let skipped = words.iter().take_while(|word| is_assignment(word)).count();
    let words = &words[skipped..];
    let at = words.iter().position(|word| SHELLS.contains(&base(word)) || word == "eval")?;
    let before = words[..at].iter().any(|word| PLAIN.contains(&base(word)) || OTHER.contains(&base(word)));
    if at > 0 && !before {
        return None;
    }
    if words[at] == "eval" {
        return Some(words[at + 1..].join(" "));
    }
    let flag = words[at + 1..].iter().position(|word| word.starts_with('-') && word.contains('c'))?;
    words.get(at + 1 + flag + 1).cloned()
}
