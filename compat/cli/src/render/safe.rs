//! Text out of a mod, made harmless for a terminal and for the formats that give some characters a meaning.

use std::borrow::Cow;

/// Replaces characters that move the cursor, hide text or reorder it. A mod's names and sources are printed, and must
/// not be able to rewrite what stands around them.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_harmful(c) { shown(c) } else { c }).collect())
}

/// Would a terminal act on it, or is it invisible?
pub(crate) fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// What stands for such a character.
pub(crate) fn shown(c: char) -> char {
    match c {
        '\n' | '\r' | '\t' => ' ',
        // The control pictures follow the order of the controls.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        _ => '\u{fffd}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_nothing_to_act_on() {
        assert_eq!(visible("plain, é and 😀"), "plain, é and 😀");
        assert_eq!(visible("a\u{1b}[2Jb"), "a␛[2Jb");
        assert_eq!(visible("a\nb\tc"), "a b c");
        assert_eq!(visible("a\u{202e}b\u{9b}c\u{7f}"), "a\u{fffd}b\u{fffd}c\u{fffd}");
    }
}
