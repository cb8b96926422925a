//! A text that a regular expression finds itself in.

use regex_syntax::hir::{Class, Hir, HirKind};

/// The shortest text of the expression, the first choice where there are several. Nothing for an expression that is
/// not of this kind (lookaround, back references), or that does not find itself in what was made.
pub(super) fn sample(source: &str, flags: &str) -> Option<String> {
    let inline: String = flags.chars().filter(|flag| "ims".contains(*flag)).collect();
    let expression = if inline.is_empty() { source.to_owned() } else { format!("(?{inline}){source}") };
    let mut text = Vec::new();
    write(&regex_syntax::parse(&expression).ok()?, &mut text);
    let text = String::from_utf8(text).ok()?;
    regex::Regex::new(&expression).ok()?.is_match(&text).then_some(text)
}

fn write(hir: &Hir, out: &mut Vec<u8>) {
    match hir.kind() {
        HirKind::Empty => {}
        // A bound between words needs something that is no word, where one stands already.
        HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.extend_from_slice(&literal.0),
        HirKind::Class(class) => out.extend(letter(class).map(|one| one.to_string().into_bytes()).unwrap_or_default()),
        HirKind::Repetition(repeated) => (0..repeated.min).for_each(|_| write(&repeated.sub, out)),
        HirKind::Capture(capture) => write(&capture.sub, out),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, out)),
        HirKind::Alternation(choices) => choices.iter().take(1).for_each(|choice| write(choice, out)),
    }
}

/// One that reads well, where the class has such a one.
fn letter(class: &Class) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (range.start().into(), range.end().into())).collect(),
    };
    let has = |one: char| ranges.iter().any(|(start, end)| (*start..=*end).contains(&one));
    ['a', '1', ' ', 'A', '-', '/'].into_iter().find(|one| has(*one)).or_else(|| ranges.first().map(|(start, _)| *start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_finds_itself_in_its_sample() {
        for (source, flags, expected) in [
            (r"^rm\s+-rf", "", "rm -rf"),
            ("Bash|Write", "", "Bash"),
            (r"\bgit push\b", "", "git push"),
            (r"\.(ts|js)$", "", ".ts"),
            ("curl [a-z]{3}", "i", "CURL AAA"),
        ] {
            let made = sample(source, flags).unwrap_or_default();
            assert!(made.eq_ignore_ascii_case(expected), "{source}: {made:?}");
        }
        assert_eq!(sample("(?=x)x", ""), None);
        assert_eq!(sample("(", ""), None);
    }
}
