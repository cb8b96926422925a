//! Regular expression literals: the mistakes the parser does not look for.

/// What is wrong with an expression, if something is.
pub(super) fn fault(pattern: &str, flags: &str) -> Option<&'static str> {
    let sets = flags.contains('v');
    let (mut groups, mut classes) = (0_u32, 0_u32);
    // Something a quantifier could repeat stands right before.
    let mut atom = false;
    let mut chars = pattern.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                if chars.next().is_none() {
                    return Some("it ends in a backslash");
                }
                atom = true;
            }
            '[' if classes == 0 || sets => classes += 1,
            ']' if classes > 0 => {
                classes -= 1;
                atom = true;
            }
            _ if classes > 0 => {}
            '(' => {
                groups += 1;
                atom = false;
                if chars.peek() == Some(&'?') {
                    chars.next();
                }
            }
            ')' if groups == 0 => return Some("a ) has no ("),
            ')' => {
                groups -= 1;
                atom = true;
            }
            '*' | '+' | '?' if !atom => return Some("there is nothing to repeat"),
            '*' | '+' | '?' => {
                atom = false;
                // A second ? makes the first reluctant.
                if chars.peek() == Some(&'?') {
                    chars.next();
                }
            }
            '|' => atom = false,
            // `^*` is no repetition, but `$` and word boundaries are rarely repeated either way.
            '^' => atom = false,
            _ => atom = true,
        }
    }
    match (groups, classes) {
        (0, 0) => None,
        (_, 0) => Some("a ( is not closed"),
        _ => Some("a [ is not closed"),
    }
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn fine() {
        for pattern in [
            "a+?b*",
            "(?:a|b)+",
            "(?<name>x)",
            "[(]",
            "[^]]",
            r"\(",
            r"a{2,3}?",
            "(?=a)*",
            "[[]",
            r"[\]]+",
            "(?<!a)b",
            ".*?",
        ] {
            assert_eq!(fault(pattern, ""), None, "{pattern}");
        }
        assert_eq!(fault("[[a]&&[b]]", "v"), None);
    }

    #[test]
    fn faulty() {
        for pattern in ["(", "a)", "[a", "*a", "a|+", "a**", "\\"] {
            assert!(fault(pattern, "").is_some(), "{pattern}");
        }
    }
}
