//! Takes a shell command apart, so that every part of it can be decided about.
//!
//! This is no shell: what it does not understand for sure it calls opaque, and an opaque command is never allowed by
//! a pattern. What it finds on the way is still held against deny and ask rules.

mod scan;
mod wrap;

/// A shell command in parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// Every simple command in it, those of substitutions and nested shells included.
    pub parts: Vec<Part>,
    /// Why patterns cannot allow it, where that is so.
    pub opaque: Option<String>,
}

/// One simple command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its text without redirections.
    pub text: String,
    /// Its words, quotes taken off.
    pub words: Vec<String>,
    /// Files it writes through redirections.
    pub writes: Vec<String>,
    /// Files it reads through redirections.
    pub reads: Vec<String>,
}

impl Part {
    /// Other ways to see the same command: quotes taken off, assignments and wrappers such as `sudo` taken off. Deny
    /// and ask rules are held against all of them.
    pub fn disguises(&self) -> Vec<String> {
        wrap::disguises(&self.words)
    }

    /// The command without a wrapper that changes nothing about it (`timeout 5`, `nice`, ...). Allow rules are held
    /// against the text and this.
    pub fn plain(&self) -> Option<String> {
        wrap::plain(&self.text)
    }
}

/// How deep shells in shells are followed.
const DEPTH: u32 = 8;

/// Takes a command apart.
pub fn analyse(command: &str) -> Analysis {
    let mut analysis = Analysis::default();
    collect(command, DEPTH, &mut analysis);
    let moves = |part: &Part| part.words.first().is_some_and(|word| matches!(word.as_str(), "cd" | "pushd" | "popd"));
    let relative = |part: &Part| part.writes.iter().chain(&part.reads).any(|file| !file.starts_with('/'));
    if analysis.parts.iter().any(moves) && analysis.parts.iter().any(relative) {
        note(&mut analysis, "it changes the directory, and a redirection is relative to it");
    }
    if analysis.parts.is_empty() {
        note(&mut analysis, "there is no command in it");
    }
    analysis
}

fn collect(command: &str, depth: u32, analysis: &mut Analysis) {
    if depth == 0 {
        note(analysis, "shells are nested too deep");
        return;
    }
    let scanned = scan::scan(command);
    if let Some(reason) = scanned.opaque {
        note(analysis, &reason);
    }
    for part in scanned.parts {
        if let Some(inner) = wrap::inner_script(&part.words) {
            collect(&inner, depth - 1, analysis);
        }
        analysis.parts.push(part);
    }
    for inner in scanned.nested {
        collect(&inner, depth - 1, analysis);
    }
}

fn note(analysis: &mut Analysis, reason: &str) {
    analysis.opaque.get_or_insert_with(|| reason.to_owned());
}

/// Runs of blanks become one.
pub(super) fn squeeze(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for c in text.chars() {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c != ' ' || !squeezed.ends_with(' ') {
            squeezed.push(c);
        }
    }
    squeezed
}
