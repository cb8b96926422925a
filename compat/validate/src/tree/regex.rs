//! Regular expression literals: the mistakes the parser does not look for.

/// Longer or deeper ones are only looked at from the outside.
const LONGEST: usize = 4_096;
const DEEPEST: usize = 200;

/// What is wrong with an expression, if something is.
pub(super) fn fault(pattern: &str, flags: &str) -> Option<String> {
    let outside = outer_fault(pattern, flags).map(str::to_owned);
    if outside.is_some() || pattern.len() > LONGEST || pattern.matches('(').count() > DEEPEST {
        return outside;
    }
    let named = match GroupNames::of(pattern) {
        Ok(named) => named,
        Err(name) => return Some(format!("two groups that can both match have the name {name}")),
    };
    let read = |flags: &str| regress::Regex::with_flags(&named, flags).err().map(|error| error.text);
    let sets = flags.contains('v');
    // Outside of classes, what is strict with `u` is so with `v`.
    let unicode = flags.contains('u') || sets && !pattern.contains('[');
    if sets { read("v") } else { None }.or_else(|| {
        read(if unicode {
            "u"
        } else if sets {
            "v"
        } else {
            ""
        })
    })
}

/// The names of groups, of which two may be the same on two sides of a `|`.
struct GroupNames<'p> {
    /// For each open group, the names its sides before the last `|` have, and those of the side being read.
    open: Vec<(Vec<&'p str>, Vec<&'p str>)>,
}

impl<'p> GroupNames<'p> {
    /// The pattern with such names made different, for a reader that knows no second one; or the name that is taken.
    fn of(pattern: &'p str) -> Result<String, &'p str> {
        let mut names = GroupNames { open: vec![Default::default()] };
        let mut seen = Vec::new();
        let mut out = String::with_capacity(pattern.len());
        let (mut at, mut class) = (0, false);
        while let Some(sign) = pattern.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = &pattern[at..];
            let mut width = sign.len_utf8();
            match sign {
                '\\' => width += rest.chars().nth(1).map_or(0, char::len_utf8),
                '[' => class = true,
                ']' => class = false,
                _ if class => {}
                '|' => names.next_side(),
                '(' => {
                    let name = rest.strip_prefix("(?<").filter(|rest| !rest.starts_with(['=', '!']));
                    let name = name.and_then(|rest| rest.split_once('>')).map(|(name, _)| name);
                    if let Some(name) = name {
                        names.take(name)?;
                        if seen.contains(&name) {
                            out.push_str(&format!("(?<{name}_{at}>"));
                            at += "(?<>".len() + name.len();
                            names.open.push(Default::default());
                            continue;
                        }
                        seen.push(name);
                    }
                    names.open.push(Default::default());
                }
                ')' => names.close(),
                _ => {}
            }
            out.push_str(&rest[..width]);
            at += width;
        }
        Ok(out)
    }

    fn take(&mut self, name: &'p str) -> Result<(), &'p str> {
        if self.open.iter().any(|(_, side)| side.contains(&name)) {
            return Err(name);
        }
        if let Some((_, side)) = self.open.last_mut() {
            side.push(name);
        }
        Ok(())
    }

    fn next_side(&mut self) {
        if let Some((all, side)) = self.open.last_mut() {
            all.append(side);
        }
    }

    fn close(&mut self) {
        if self.open.len() > 1
            && let Some((all, side)) = self.open.pop()
            && let Some((_, outer)) = self.open.last_mut()
        {
            outer.extend(all);
            outer.extend(side);
        }
    }
}

/// What does not close, and what has nothing to repeat.
fn outer_fault(pattern: &str, flags: &str) -> Option<&'static str> {
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
            "(?<a>x)|(?<a>y)\\k<a>",
            "(?:(?<a>x)|(?<a>y))(?<b>z)",
            "(?i:x)",
            "a{",
            r"\k<a>",
        ] {
            assert_eq!(fault(pattern, ""), None, "{pattern}");
        }
        assert_eq!(fault("[[a]&&[b]]", "v"), None);
        assert_eq!(fault(r"[\p{L}--[a-z]]", "v"), None);
    }

    #[test]
    fn faulty() {
        for pattern in ["(", "a)", "[a", "*a", "a|+", "a**", "\\"] {
            assert!(fault(pattern, "").is_some(), "{pattern}");
        }
        // As the real validator answers, with each flag.
        for (pattern, flags) in [
            ("(?<a>x)(?<a>y)", ""),
            ("(?:(?<a>x)|(?<a>y))(?<a>z)", ""),
            (r"(?<a>x)\k<b>", ""),
            ("[b-a]", ""),
            ("a{2,1}", ""),
            ("(?<=x)*", ""),
            ("(?ii:x)", ""),
            ("(?x)", ""),
            (r"\k<a>", "u"),
            (r"\1", "u"),
            (r"(a)\2", "v"),
            ("(?=x)*", "u"),
            (r"\u{110000}", "v"),
            ("a{", "u"),
            ("}", "v"),
            (r"\c", "u"),
            (r"\p{Foo}", "u"),
        ] {
            assert!(fault(pattern, flags).is_some(), "{pattern} {flags}");
        }
    }
}
